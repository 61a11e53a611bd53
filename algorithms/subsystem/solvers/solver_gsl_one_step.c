/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_gsl_one_step.c - one-step methods of GSL's odeiv2 with its standard step-size control:
 *
 *     gsl-rk2      explicit Runge-Kutta 3(2)
 *     gsl-rk4      the classical explicit Runge-Kutta method of order 4, error by step doubling
 *     gsl-rkf45    Fehlberg 5(4), explicit
 *     gsl-rkck     Cash and Karp 5(4), explicit
 *     gsl-rk8pd    Prince and Dormand 8(7) with 13 stages, explicit
 *     gsl-rk1imp   implicit Euler, order 1, step doubling
 *     gsl-rk2imp   implicit midpoint rule, order 2, step doubling
 *     gsl-rk4imp   Gauss's implicit method with 2 stages, order 4, step doubling
 *     gsl-bsimp    Bader and Deuflhard's extrapolation of the linearly implicit midpoint rule (stiff)
 *
 * Every piece starts with the step size proposed at the end of the last one, the only memory, which is saved with the
 * state. The error of each step is kept near the tolerance: the global error falls like tol if the better of two
 * embedded methods is continued, and like tol^(p/(p+1)) with step doubling at order p.
 *
 * Sources: Galassi et al., GNU Scientific Library Reference Manual, ch. 27; Hairer, Norsett, Wanner,
 * Solving Ordinary Differential Equations I, II.4 and II.5; Prince and Dormand, J. Comput. Appl. Math. 7
 * (1981); Bader and Deuflhard, Numer. Math. 41 (1983). */
#include "micro_done.h"
#include "solver_gsl.h"

static int one_step_integrate(ms_instance *instance, int piece, double t0, double h)
{
    ms_gsl *data = instance->solver_data;
    ms_gsl_begin(data, piece, t0, h);
    if (ms_gsl_restart(data) != MS_OK)
        return MS_SOLVER_FAILED;
    double *step = instance->memory;
    if (!(*step > 0.0))
        *step = ms_gsl_first_step(data);
    return ms_gsl_advance(data, step);
}

/* first_order: for the rule of its first step; exponent: of the tolerance, followed by further members of the table. */
#define ONE_STEP(stepper, text, origin, first_order, exponent, ...)                                          \
    const ms_solver ms_solver_gsl_##stepper = {                                                              \
        .name = "gsl-" #stepper,                                                                             \
        .summary = text,                                                                                     \
        .source = origin,                                                                                    \
        .library = MS_LIBRARY_GSL,                                                                           \
        .tolerance_exponent = exponent,                                                                      \
        .adaptive = true,                                                                                    \
        .events = true,                                                                                      \
        .memory = 1,                                                                                         \
        .own = &(const ms_gsl_method){&gsl_odeiv2_step_##stepper, first_order},                              \
        .data = sizeof(ms_gsl),                                                                              \
        .create = ms_gsl_create,                                                                             \
        .destroy = ms_gsl_destroy,                                                                           \
        .advance = ms_adaptive_advance,                                                                      \
        .integrate = one_step_integrate,                                                                     \
        __VA_ARGS__}

ONE_STEP(rk2, "GSL's explicit Runge-Kutta 3(2)", "Galassi et al., GSL, ch. 27", 2, 1.0, );
ONE_STEP(rk4, "GSL's classical Runge-Kutta of order 4, step doubling",
         "Hairer, Norsett, Wanner 1993, II.1, II.4", 4, 4.0 / 5.0, );
ONE_STEP(rkf45, "GSL's explicit Runge-Kutta, Fehlberg 5(4)", "Hairer, Norsett, Wanner 1993, II.5", 4, 1.0, );
ONE_STEP(rkck, "GSL's explicit Runge-Kutta, Cash and Karp 5(4)", "Cash and Karp 1990", 4, 1.0, );
ONE_STEP(rk8pd, "GSL's explicit Runge-Kutta, Prince and Dormand 8(7)", "Prince and Dormand 1981", 7, 1.0, );
ONE_STEP(rk1imp, "GSL's implicit Euler of order 1, step doubling (stiff)",
         "Hairer, Norsett, Wanner 1993, II.7", 1, 1.0 / 2.0, .implicit = true, .stiff = true,
         .allocates = true);
ONE_STEP(rk2imp, "GSL's implicit midpoint rule of order 2, step doubling",
         "Hairer, Norsett, Wanner 1993, II.7", 2, 2.0 / 3.0, .implicit = true, .allocates = true);
ONE_STEP(rk4imp, "GSL's Gauss method of order 4, step doubling (stiff)", "Hairer, Norsett, Wanner 1993, II.7",
         4, 4.0 / 5.0, .implicit = true, .stiff = true, .allocates = true);
ONE_STEP(bsimp, "GSL's Bader and Deuflhard, linearly implicit extrapolation (stiff)",
         "Bader and Deuflhard 1983", 6, 1.0, .implicit = true, .stiff = true, .allocates = true);
