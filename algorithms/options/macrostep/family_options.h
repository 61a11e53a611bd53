/* SPDX-License-Identifier: GPL-3.0-or-later */
/* family_options.h - the options of each kind of scheme and of step-size control, as filled by the table of option_table.c. A chosen
 * scheme (variant.h) has the same structures as the options of a run (options.h).
 *
 * A choice is the index of its value, in choices.h; texts are interpreted once the system is known. */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/choices.h>

MS_C_LINKAGE_BEGIN

enum { MS_TEXT_MAX = 512 };

/* Inputs from what outputs were: explicit schemes, negotiated power. */
typedef struct ms_extrapolation_options {
    int order;
    ms_derivatives derivatives;
    ms_outputs outputs;
    ms_smoothing smooth_coupling;
    int as_printed; /* bits of ms_as_printed */
    ms_at_events at_events;
    ms_fallback fallback;
    double fallback_threshold; /* not given: the scheme's own */
} ms_extrapolation_options;

/* What inputs missed, and what bonds produced. */
typedef struct ms_balance_options {
    ms_balance_error error;
    ms_hat hat;
    int steps;
    double alpha; /* part of the balance error that is fed back */
    ms_balance_integral integral;
    char wires[MS_TEXT_MAX]; /* SUB.u.NAME, commas between; empty: all inputs */
    int passivity;
    double passivity_limit; /* [unit of an input over that of its output] */
} ms_balance_options;

typedef struct ms_f3ornits_options {
    ms_calibration calibration;
    ms_estimate_degree degree;
    int error_normalization; /* ms_f3_normalization */
    ms_scheduler scheduler;
    double damping;                      /* [1/s] */
    char smooth_subsystems[MS_TEXT_MAX]; /* names, commas between; empty: all */
    double ratio_min, ratio_max;         /* of a step to the one before */
} ms_f3ornits_options;

/* Schemes that solve the coupling equations of a macro-step. */
typedef struct ms_iteration_options {
    int solver_nonlinear; /* which name of ms_nonlinear_name */
    ms_backend backend;
    double relaxation; /* not given, as the next two: the nonlinear method's own */
    int reuse, max_columns;
    int filter, preconditioner; /* ms_filter, ms_preconditioner */
    double filter_limit;
    ms_iteration_sweep sweep;
    double epsilon;
    int max_iterations;
    ms_step_rule step_rule;
    ms_rollback rollback;
    int input_degree;
    ms_sensitivity sensitivities;
    ms_update update;
} ms_iteration_options;

/* More than one sample of an input, or step of a subsystem, in a macro-step. */
typedef struct ms_multirate_options {
    char samples[MS_TEXT_MAX]; /* a number, or SUBSYSTEM=NUMBER with commas between; empty: 1 */
    int spline_degree, reduced_grid;
    char substeps[MS_TEXT_MAX]; /* as samples */
    ms_first first;
    ms_points points;
} ms_multirate_options;

/* Delay lines. */
typedef struct ms_line_options {
    double delay;                   /* [s]; 0: the macro-step */
    double impedance, wave_damping; /* [N s/m], 0: from their stiffness; - */
    ms_wave_start wave_start;
} ms_line_options;

/* Values at the start. */
typedef struct ms_initial_options {
    ms_history_start history;
    ms_initial_inputs inputs;
    ms_output_derivatives output_derivatives;
} ms_initial_options;

typedef struct ms_control_settings {
    ms_error_control error_controlled;
    ms_order_control order;
    double rtol, atol, min_step, max_step; /* -, -, [s], [s] */
    double safety, rate_min, rate_max, gain_p, gain_i;
    ms_ecco_scale ecco_scale;
    double ecco_rounding; /* [ns]; 0: none */
} ms_control_settings;

MS_C_LINKAGE_END
