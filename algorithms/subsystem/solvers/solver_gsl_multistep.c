/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_gsl_multistep.c - multistep methods of GSL's odeiv2, in Nordsieck form, of variable order and
 * step:
 *
 *     gsl-msadams   Adams, order 1 to 12, functional iteration
 *     gsl-msbdf     BDF, order 1 to 5, Newton iteration with the subsystem's own Jacobian (stiff)
 *
 * If the input jumps, they restart at order 1 with a first step by the rule of Hairer, Norsett and Wanner, or
 * proceed.
 *
 * Sources: Byrne and Hindmarsh, ACM Trans. Math. Software 1 (1975); Hairer, Norsett, Wanner, Solving
 * Ordinary Differential Equations I, II.4 (starting step). */
#include "micro_done.h"
#include "solver_gsl.h"

static int multistep_integrate(ms_instance *instance, int piece, double t0, double h)
{
    ms_gsl *data = instance->solver_data;
    ms_gsl_begin(data, piece, t0, h);
    if (data->history.restart) {
        if (ms_gsl_restart(data) != MS_OK)
            return MS_SOLVER_FAILED;
        data->step = ms_gsl_first_step(data);
    }
    return ms_gsl_advance(data, &data->step);
}

/* What both of GSL's multistep methods have. */
#define GSL_MULTISTEP                                                                                        \
    .source = "Byrne and Hindmarsh 1975", .library = MS_LIBRARY_GSL, .adaptive = true, .events = true,       \
    .multistep = true, .data = sizeof(ms_gsl), .create = ms_gsl_create, .destroy = ms_gsl_destroy,           \
    .advance = ms_adaptive_advance, .integrate = multistep_integrate

const ms_solver ms_solver_gsl_msadams = {.name = "gsl-msadams",
                                         .summary = "GSL's Adams of variable order 1 to 12",
                                         .own = &(const ms_gsl_method){&gsl_odeiv2_step_msadams, 1},
                                         GSL_MULTISTEP};

const ms_solver ms_solver_gsl_msbdf = {.name = "gsl-msbdf",
                                       .summary = "GSL's BDF of variable order 1 to 5 (stiff)",
                                       .implicit = true,
                                       .stiff = true,
                                       .allocates = true,
                                       .own = &(const ms_gsl_method){&gsl_odeiv2_step_msbdf, 1},
                                       GSL_MULTISTEP};
