/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "spectral_setup.h"

#include <stdio.h>

#include <macrostep/cosim.h>
#include <macrostep/solver_registry.h>

/* As ms_cosim_create does, for the linear system and any scheme. */
static void resolve(spectral_call *call)
{
    ms_options *o = &call->options;
    *o = call->base.arguments.options;
    if (o->solver[0] == '\0')
        snprintf(o->solver, sizeof o->solver, "%s", ms_solver_of_form(MS_STEPS_EXACT)->name);
    ms_cosim_resolve(call->base.system, NULL, o);
    if (o->given[MS_OPTION_STEP_SIZE]) /* 0 is the limit */
        o->step_size = call->base.arguments.options.step_size;
}

static int check_extreme(const spectral_call *call, ms_error *error)
{
    const ms_arguments *a = &call->base.arguments;
    if (a->extreme == 0 && a->max_applications > 0)
        return ms_fail(error, MS_INVALID, "--max-applications: requires --extreme K");
    if (a->extreme == 0)
        return MS_OK;
    if (a->certify)
        return ms_fail(error, MS_INVALID,
                       "--certify: requires the matrix, which --extreme %d does not make; leave one of them "
                       "out",
                       a->extreme);
    if (a->matrix)
        return ms_fail(error, MS_INVALID,
                       "--matrix: --extreme %d does not make the matrix; leave one of them out", a->extreme);
    if (a->along)
        return ms_fail(error, MS_INVALID, "--along: --extreme %d applies to one point; leave one of them out",
                       a->extreme);
    if (call->options.step_size == 0.0)
        return ms_fail(error, MS_INVALID,
                       "--step-size 0: the limit is known by formula only, and --extreme takes macro-steps "
                       "of the engine; leave one of them out");
    return MS_OK;
}

/* The matrix of a linear model does not depend on the times of a run. */
static int check_times(const spectral_call *call, ms_error *error)
{
    static const ms_option_id times[] = {MS_OPTION_START_TIME, MS_OPTION_STOP_TIME};
    for (int k = 0; k < MS_COUNT(times) && call->base.system->linear; k++)
        if (ms_option_asked(&call->options, times[k]))
            return ms_fail(error, MS_INVALID,
                           "--%s: model %s is linear, its matrix is the same at all times; leave it out",
                           ms_option_table[times[k]].name, call->base.system->model->name);
    return MS_OK;
}

/* Proofs cover linear models only; neither the limit H -> 0 nor points along a reference. */
static int check_certify(const spectral_call *call, ms_error *error)
{
    if (!call->base.arguments.certify)
        return MS_OK;
    if (!call->base.system->linear)
        return ms_fail(error, MS_INVALID,
                       "--certify: model %s is nonlinear; certificates exist only for linear models",
                       call->base.system->model->name);
    return call->options.step_size > 0.0
               ? MS_OK
               : ms_fail(error, MS_INVALID, "--certify: the step size must be greater than 0; it is %g",
                         call->options.step_size);
}

int ms_spectral_read(spectral_call *call, ms_error *error)
{
    resolve(call);
    const char *at = call->base.arguments.text[MS_ARGUMENT_AT];
    const bool along = call->base.arguments.along;
    if (call->base.system->linear && along)
        return ms_fail(error, MS_INVALID,
                       "--along: model %s is linear, its matrix is the same everywhere; leave the option out",
                       call->base.system->model->name);
    if (at != NULL && along)
        return ms_fail(error, MS_INVALID, "--along: begins at the start of the reference; leave --at %s out",
                       at);
    if (along && call->base.arguments.matrix)
        return ms_fail(error, MS_INVALID, "--along: gives spectral radii only; --matrix requires one point");
    MS_TRY(check_extreme(call, error));
    MS_TRY(check_certify(call, error));
    MS_TRY(ms_call_check_solver(&call->base, call->options.solver, error));
    MS_TRY(check_times(call, error));
    return ms_linearisation_point_read(at, call->base.system, &call->options, &call->linearised_at, error);
}
