/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moshagen2021_5_9.h - what figures 5 to 9 of Moshagen (2021) share: schemes, errors over the step size,
 * energies. */
#ifndef MS_MOSHAGEN2021_5_9_H
#define MS_MOSHAGEN2021_5_9_H

#include "study_orders.h"

/* The paper's dopri5, with the absolute tolerance of section 2.2; the relative one is not printed. */
#define MS_DOPRI5 "--solver arkode-erk --solver-rtol 1e-12 --solver-atol 1e-12"

/* Extrapolation of inputs: held values; value and derivative, that for updated inputs (section 3.3). */
#define MS_CONSTANT "--extrapolation-order 0"
#define MS_LINEAR   "--extrapolation-order 1 --derivatives analytic --outputs consistent"

/* Orders count as reproduced within this. */
#define MS_ORDER_TOLERANCE 0.1

/* Errors over the step sizes 0.2 s / 2^k of a model and its options, largest ones at communication points: of
 * its two states, and the larger one of both. */
enum { HALVINGS = 8, FIRST = 0, SECOND = 1, LARGER = MS_SERIES_LARGEST };
#define MS_CONVERGE(drawing, series, error, run, ...)                                                        \
    ms_order_measure(drawing, HALVINGS, 0.2, series, error,                                                  \
                     "converge " run " --step-size 0.2:0.0015625:log:8", __VA_ARGS__)

/* Energies of the spring-mass system --------------------------------------------------------------------- */

typedef struct ms_motion {
    long steps;
    double end, lowest, highest; /* E / E(0) at the end, over all communication points */
    double least, most;          /* E(T_n + H) / E(T_n), the smallest and the largest one */
    double error, early_error;   /* largest error of a state; up to MS_EARLY */
    double produced;             /* by the coupling (energy.h), in units of E(0) */
    double radius;               /* rho(Psi(H)); NaN where the scheme has none */
} ms_motion;

static const double MS_EARLY = 20.0; /* [s]: the horizon of Figure 9 */

/* "run spring-mass OPTIONS --step-size H --stop-time END". Rows time, s, v, E / E(0) for part `part` (NULL:
 * none). Errors: those of ms_study_run and of the reference. */
int ms_motion_measure(ms_drawing *drawing, const char *part, const char *options, double h, double end,
                      ms_motion *motion, ms_error *error);

/* Rows time, s, v of the monolithic solution for part "reference", and the largest relative change of its
 * energy. */
int ms_motion_reference(ms_drawing *drawing, double end, double *change, ms_error *error);

#endif
