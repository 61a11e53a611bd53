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
#include <string.h>

#include "micro_done.h"
#include "micro_step.h"
#include "solver_gsl.h"

static int multistep_advance(ms_instance *instance, int piece, double t0, double h, bool discontinuous)
{
    ms_gsl *data = instance->solver_data;
    if (instance->sub->nx == 0)
        return ms_micro_static_advance(instance, piece, t0, h);
    if (ms_micro_tiny(t0, h)) {
        data->stands = false;
        return ms_micro_tiny_advance(instance, piece, t0, h);
    }
    ms_gsl_begin(data, piece, t0, h);
    const bool restart = (discontinuous && data->input_change == MS_INPUT_RESTART) || !data->stands ||
                         !ms_micro_stands(instance, t0, h, data->t_stands, data->x_stands);
    if (restart) {
        data->stands = false;
        if (ms_gsl_restart(data) != MS_OK)
            return MS_SOLVER_FAILED;
        data->step_stands = ms_gsl_first_step(data);
    }
    const int status = ms_gsl_advance(data, &data->step_stands);
    data->stands = status == MS_OK;
    data->t_stands = data->end;
    memcpy(data->x_stands, instance->state, sizeof(double) * (size_t)instance->sub->nx);
    return status;
}

extern const ms_solver ms_solver_gsl_msadams, ms_solver_gsl_msbdf;

static int multistep_create(ms_instance *instance, const ms_solver_options *options, ms_error *error)
{
    static const ms_gsl_method methods[] = {{&ms_solver_gsl_msadams, &gsl_odeiv2_step_msadams, 1, false},
                                            {&ms_solver_gsl_msbdf, &gsl_odeiv2_step_msbdf, 1, true}};
    (void)error;
    return ms_gsl_create(instance, options, methods, MS_COUNT(methods));
}

const ms_solver ms_solver_gsl_msadams = {.name = "gsl-msadams",
                                         .summary = "GSL's Adams of variable order 1 to 12",
                                         .source = "Byrne and Hindmarsh 1975",
                                         .library = MS_LIBRARY_GSL,
                                         .adaptive = true,
                                         .events = true,
                                         .multistep = true,
                                         .create = multistep_create,
                                         .destroy = ms_gsl_destroy,
                                         .advance = multistep_advance};

const ms_solver ms_solver_gsl_msbdf = {.name = "gsl-msbdf",
                                       .summary = "GSL's BDF of variable order 1 to 5 (stiff)",
                                       .source = "Byrne and Hindmarsh 1975",
                                       .library = MS_LIBRARY_GSL,
                                       .implicit = true,
                                       .stiff = true,
                                       .allocates = true,
                                       .adaptive = true,
                                       .events = true,
                                       .multistep = true,
                                       .create = multistep_create,
                                       .destroy = ms_gsl_destroy,
                                       .advance = multistep_advance};
