/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_variants.h - lists on the command line expanded to runs, each with its options and settings.
 *
 * With several schemes an option applies to those that know it; the others are run once, without it. */
#pragma once

#include "scheme_variants.h"

enum { MS_RUN_VARIANTS_MAX = 100000 };

typedef struct ms_run_variant {
    ms_options options;
    ms_setting *settings; /* the call's, with this variant's values; owned */
} ms_run_variant;

typedef struct ms_run_variants {
    ms_run_variant *variant;
    int n;
    size_t capacity;
} ms_run_variants;

/* The runs asked for: one without lists. but: an option whose list is left to the caller, as an axis; MS_NO_OPTION:
 * none. Errors: MS_INVALID (an option that no scheme knows, more than MS_RUN_VARIANTS_MAX), MS_NO_MEMORY. */
int ms_run_variants_of_lists(ms_arguments *arguments, int but, ms_run_variants *runs, ms_error *error);

/* The variants of all families, or of those asked for. */
int ms_run_variants_of_schemes(ms_arguments *arguments, const ms_scheme_variants *variants,
                               ms_run_variants *runs, ms_error *error);

/* Does it control its macro-step size by tolerances? */
bool ms_run_variant_is_controlled(const ms_run_variant *variant);

/* Sets, as if given: a step size; a tolerance, and --atol to a hundredth of it unless given. */
void ms_run_variant_set_step(ms_run_variant *variant, double step);
void ms_run_variant_set_tolerance(ms_run_variant *variant, double rtol, bool atol_given);

void ms_run_variants_destroy(ms_run_variants *runs); /* safe after any error, and idempotent */

/* The arguments' system with the settings of the variant. */
int ms_run_variant_bind(const ms_arguments *arguments, const ms_run_variant *variant, const ms_model *model,
                        ms_system **system, ms_error *error);
