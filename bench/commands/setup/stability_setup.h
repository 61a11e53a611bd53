/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stability_setup.h - one scheme of a call of `macrostep stability`, ready to be asked. */
#pragma once

#include <stdbool.h>

#include "stability_call.h"

/* A scheme of a list, or the only one. */
typedef struct stability_variant {
    ms_arguments arguments; /* the call's, with this variant's options and settings; borrowed */
    ms_stability_call map;  /* or critical step sizes, or radii over one axis */
    ms_system *system;      /* owned */
    bool fits;
    ms_error why; /* it does not */
} stability_variant;

/* Is the axis of this name a part of lambda, of a map that has no model? */
bool ms_stability_is_lambda(const char *name);

/* Returns MS_OK or MS_INVALID. */
int ms_stability_check_axes(const ms_stability_call *call, ms_error *error);

/* The field of variant->map, after its arguments have been set; model: NULL over lambda. Errors: those of what is bound, and
 * MS_UNSUPPORTED where the variant does not fit. */
int ms_stability_prepare_variant(const ms_model *model, stability_variant *variant, ms_error *error);

/* Stable intervals of a map that has been prepared, and with a certifier their certificates. */
int ms_stability_search_critical(ms_stability_call *call, const ms_effort *effort, ms_error *error);

/* Of --test-equation: how far the negative real axis and the imaginary axis are stable, up to call->limits_end. */
int ms_stability_find_limits(ms_stability_call *call, const ms_effort *effort, ms_error *error);
