/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control_options.h - properties of step-size controls (`error-controlled`) that are needed before a run: a table. The control itself is
 * a method of algorithms/schemes/inside/step_control_method.h. */
#pragma once

#include <macrostep/choices.h>
#include <macrostep/scheme.h>

typedef struct ms_control_options {
    const ms_option_id *own; /* OPTIONAL: options that say nothing without it; ends with MS_OPTIONS */
    void (*defaults)(ms_options *options); /* OPTIONAL: sets its defaults of unset options */
    /* it compares predicted with final inputs: only for schemes that predict them */
    bool of_predictions;
} ms_control_options;

const ms_control_options *ms_control_options_of(ms_error_control control);

/* Do options of step control that were given fit to the control and to the scheme? Errors: MS_INVALID. */
int ms_control_options_check(const ms_scheme *scheme, const ms_options *options, ms_error *error);
