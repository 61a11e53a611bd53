/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variant.h - a coupling scheme as it has been chosen: what the options of a run say, resolved once into types.
 *
 * Engines, claimed orders, formulas and limits all read this and no names. What an option means stands in the table
 * of option_table.c. */
#ifndef MS_VARIANT_H
#define MS_VARIANT_H

#include <macrostep/c_linkage.h>
#include <macrostep/choices.h>
#include <macrostep/scheme.h>
#include <macrostep/solver.h>
#include <macrostep/system.h>

MS_C_LINKAGE_BEGIN

struct ms_variant {
    const ms_scheme *scheme; /* the family */
    const ms_solver *solver; /* NULL: none is named, and there was no system to choose for */

    /* explicit schemes, negotiated power */
    int extrapolation_order;
    ms_derivatives derivatives;
    ms_outputs outputs;
    ms_smoothing smooth_coupling;
    int as_printed; /* bits of ms_as_printed */
    ms_balance_error balance_error;
    ms_hat balance_hat;
    int balance_steps;
    double alpha;
    bool integrals; /* micro-solvers integrate the outputs, too */
    bool passivity;
    double passivity_limit;
    ms_at_events at_events;
    ms_fallback fallback;
    double fallback_threshold;

    /* F3ORNITS */
    ms_calibration calibration;
    int error_normalization; /* ms_f3_normalization */
    ms_scheduler scheduler;
    double damping; /* [1/s] */
    double ratio_min, ratio_max;

    /* iterated schemes */
    int solver_nonlinear; /* which name of ms_nonlinear_name */
    ms_backend backend;
    double relaxation;
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
    unsigned sample_counts; /* bit m: some subsystem has, or may have, m samples */
    int spline_degree;
    bool reduced_grid;

    /* multi-rate schemes */
    unsigned substep_counts; /* as sample_counts */
    ms_first first;
    ms_points points;

    /* delay lines */
    double delay;     /* [s]; 0: the macro-step */
    double impedance; /* [N s/m]; 0: from their stiffness */
    double wave_damping;
    ms_wave_start wave_start;

    /* the start, the clock, and where the work is done */
    ms_history_start start;
    ms_initial_inputs initial_inputs;
    ms_output_derivatives output_derivatives;
    double start_time, stop_time, step_size; /* [s] */
    double max_steps;                        /* macro-steps and rejected attempts */
    ms_at_time_events at_time_events;
    ms_execution execution;
    int num_threads; /* 0: as many as OpenMP takes */

    /* step control */
    ms_error_control error_controlled;
    ms_order_control order_control;
    double rtol, atol, min_step, max_step; /* -, -, [s], [s] */
    double safety, rate_min, rate_max, gain_p, gain_i;
    ms_ecco_scale ecco_scale;
    double ecco_rounding; /* [ns] */

    ms_solver_options micro; /* what the micro-solver is told */
};

/* The options as types, with the family and micro-solver that they name (solver may be NULL). Nothing is checked. */
void ms_variant_set(ms_variant *variant, const ms_scheme *scheme, const ms_solver *solver,
                    const ms_options *options);

/* Does it take macro-steps back? */
bool ms_variant_rolls_back(const ms_variant *variant);

/* The laws of feedback that the scheme gives subsystem i, into law (MS_INPUT_LAWS), and how many. */
int ms_variant_feedback(const ms_variant *variant, const ms_system *system, int i, ms_input_law *law);

/* The subsystems that a text names, commas between: their indices, each once, into list (room for system->n), and how
 * many; *twice is the first that stands twice, or -1. what: for the line, as "--order". Errors: MS_INVALID (a name
 * that there is not). */
int ms_variant_subsystems(const ms_system *system, const char *what, const char *names, int *list, int *n,
                          int *twice, ms_error *error);

/* What a text NAME=VALUE with commas between gives to subsystem i: take(self, i, VALUE) for each of them, VALUE of `length` bytes and
 * not ended by a zero. option: its name, for the line. Errors: MS_INVALID (a subsystem that there is not), and what take returns. */
typedef int ms_variant_take(void *self, int i, const char *value, size_t length, ms_error *error);
int ms_variant_each(const ms_system *system, const char *option, const char *text, ms_variant_take *take,
                    void *self, ms_error *error);

/* The numbers of subsystems that a text says: one for all, or NAME=NUMBER with commas between, in 1 .. most; counts (n) is 1 where
 * it says none. option: its name, for the line. Errors: MS_INVALID. */
int ms_variant_counts(const ms_system *system, const char *option, const char *text, int most, int *counts,
                      ms_error *error);

/* The order in which Gauss-Seidel takes the subsystems, that of the options or else the model's: sequence (n), and
 * its inverse rank (n). Errors: MS_INVALID. */
int ms_variant_sequence(const ms_system *system, const ms_options *options, int *sequence, int *rank,
                        ms_error *error);

/* The inputs that the option `wires` leaves out: held (nu), all false where it is not given. Errors: MS_INVALID (an input that
 * there is not). */
int ms_variant_inputs(const ms_system *system, const ms_options *options, bool *held, ms_error *error);

MS_C_LINKAGE_END

#endif
