/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulated_output.h - the states and outputs of a model at given times: of its monolithic form, or of a
 * co-simulation.
 *
 * Monolithic: a micro-solver steps from time to time. Co-simulated: the scheme's values if a time is a communication
 * point (to 1e-9 of the macro-step), and inside a macro-step the polynomial of degree 6 through the states (and
 * inputs, for outputs y = g(t, x, u)) at its start and at six samples, the extreme points of a Chebyshev polynomial:
 * its error, of order 7 in the macro-step, is below that of any scheme if solutions are smooth within a macro-step.
 * */
#pragma once

#include <signal.h>

#include <macrostep/cosim.h>
#include <macrostep/options.h>
#include <macrostep/scheme.h>

typedef struct ms_simulated_output {
    int columns;
    int *source; /* (columns) index in x, or nx + index in y */
    char **name; /* (columns) borrowed */
    int *column; /* (columns) in the series that ms_simulated_output_create was given */
    long rows;
    const double *time;      /* (rows) ascending, borrowed [s] */
    const ms_scheme *scheme; /* of the co-simulation; NULL: the monolithic form */
    /* of the co-simulation; else solver, its tolerances, micro-steps and the start time */
    ms_options options;
} ms_simulated_output;

/* The columns SUB.x.NAME and SUB.y.NAME of the series, and its times. SUB.u.NAME, which a trajectory holds too, is
 * ignored: u = L y. Errors: MS_INVALID with file and line (a column that is not a state or output, no columns, a time
 * before the start, no time after it; an unknown scheme), MS_NO_MEMORY. */
int ms_simulated_output_create(const ms_system *system, const ms_series *series, const ms_options *options,
                               bool cosimulated, ms_simulated_output *simulated, ms_error *error);
void ms_simulated_output_destroy(ms_simulated_output *simulated);

/* value (rows x columns) of a system of the same model. stop: as in ms_run; may be NULL. Returns MS_OK;
 * MS_INTERRUPTED; MS_STEP_REJECTED where the run did not reach its end or has no solution, with the line why;
 * MS_INVALID, MS_UNSUPPORTED, MS_NO_MEMORY. */
int ms_simulated_output_run(const ms_simulated_output *simulated, const ms_system *system,
                            const volatile sig_atomic_t *stop, double *value, ms_error *error);

/* The name of the micro-solver that a run takes. */
static inline const char *ms_simulated_output_solver(const ms_simulated_output *simulated,
                                                     const ms_system *system)
{
    return ms_cosim_solver(system, simulated->scheme, &simulated->options);
}

/* In parts: the monolithic form, and the co-simulation. */
int ms_simulated_output_monolithic(const ms_simulated_output *simulated, const ms_system *system,
                                   const volatile sig_atomic_t *stop, double *value, ms_error *error);
int ms_simulated_output_cosim(const ms_simulated_output *simulated, const ms_system *system,
                              const volatile sig_atomic_t *stop, double *value, ms_error *error);
