/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macrostep_power.h - what figures on negotiated power have in common: the energy of a run macro-step by
 * macro-step, and whether the inputs of ports came from the agreed power or from a fallback. */
#ifndef MS_MACROSTEP_POWER_H
#define MS_MACROSTEP_POWER_H

#include "choices.h"
#include "drawing.h"
#include "input_law.h"
#include "run.h"
#include "system.h"

/* Micro-solver of these figures: Moshagen (2021) takes one-step methods (dopri5) for convergence, and a
 * solver whose error does not show for stability. */
#define MS_POWER_SOLVER "--solver gsl-rk8pd --solver-rtol 1e-11 --solver-atol 1e-12"

/* Negotiated power with linear extrapolation; fallback rule and threshold follow. */
#define MS_POWER_SCHEME                                                                                      \
    "--scheme power --extrapolation-order 1 " MS_POWER_SOLVER " --fallback %s --fallback-threshold %g"

/* Linear extrapolation by value and derivative, the derivative for updated inputs. */
#define MS_POWER_LINEAR "--extrapolation-order 1 --derivatives analytic --outputs consistent"

/* A macro-step is taken by the law where both ends of all bonds took their inputs from the agreed power all
 * the time; in others an end was extrapolated, used the rule of de l'Hopital, or has passed a zero of its
 * output. */
typedef enum ms_power_kind { MS_POWER_LAW, MS_POWER_FALLBACK, MS_POWER_KINDS } ms_power_kind;

/* Energies and their changes in units of the energy at the start. */
typedef struct ms_power_monitor {
    double lower,
        upper; /* wanted: ends the run where the energy leaves [lower, upper]; both 0: it may go anywhere */
    ms_data
        *data; /* wanted, or NULL: rows of time, energy, |change| by the law, |change| of other macro-steps */

    double lowest, highest, end; /* at communication points */
    double left_at;              /* where the run was ended [s], or NaN */
    long steps[MS_POWER_KINDS];
    double largest[MS_POWER_KINDS];                    /* |change| in one macro-step */
    double gain[MS_POWER_KINDS], loss[MS_POWER_KINDS]; /* sums of positive and of negative changes */

    double start, before; /* [J] */
    double *y;            /* outputs before the macro-step (ny) */
} ms_power_monitor;

/* Runs with the monitor. A run that the monitor ended has the reason `interrupted`, and left_at is a number.
 * Any scheme will do; without laws all macro-steps count as fallback. Errors: those of ms_cosim_create and
 * ms_run. */
int ms_power_run(const ms_system *system, const ms_options *options, const volatile sig_atomic_t *stop,
                 ms_power_monitor *monitor, ms_run_result *result, ms_error *error);

/* The run of a command, "run spring-mass .."; errors: those of ms_study_bind and ms_power_run. */
int ms_power_study(ms_drawing *drawing, ms_power_monitor *monitor, ms_run_result *result, ms_error *error,
                   const char *command);

/* Has the law of an end held all over the macro-step? Its output before and after. */
bool ms_power_law_held(const ms_input_law *law, double before, double after);

/* max |E/E(0) - 1| so far. */
double ms_power_deviation(const ms_power_monitor *monitor);

#endif
