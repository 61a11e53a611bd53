/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linearisation_point.c - where a nonlinear model is linearised: its start, a time along the reference, an
 * equilibrium. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/linearisation_jacobian.h>
#include <macrostep/options.h>
#include <macrostep/reference.h>

/* Steps along the reference: at most the case's macro-step each, and at most this many. */
static const double STEPS_MAX = 1e6;

int ms_linearisation_point_read(const char *text, const ms_system *system, const ms_options *options,
                                ms_linearisation_point *linearised_at, ms_error *error)
{
    const double begin = options->start_time;
    const double end = ms_options_stop_time(options, system->stop_time);
    *linearised_at = (ms_linearisation_point){MS_LINEARISE_AT_START, begin, begin};
    if (!isfinite(begin) || !isfinite(end) || end <= begin)
        return ms_fail(error, MS_INVALID, "`stop-time` %g: must be finite and greater than the start time %g",
                       end, begin);
    if (text == NULL)
        return MS_OK;
    if (system->linear)
        return ms_fail(error, MS_INVALID,
                       "`at`: model %s is linear, its matrix is the same everywhere; leave the option out",
                       system->model->name);
    if (strcmp(text, "start") == 0)
        return MS_OK;
    if (strcmp(text, "equilibrium") == 0) {
        linearised_at->kind = MS_LINEARISE_AT_EQUILIBRIUM;
        return MS_OK;
    }
    linearised_at->kind = MS_LINEARISE_AT_TIME;
    if (!ms_option_number(text, &linearised_at->t) || linearised_at->t < begin || linearised_at->t > end)
        return ms_fail(error, MS_INVALID, "`at` %s: must be start, equilibrium or a time in [%g, %g]", text,
                       begin, end);
    return MS_OK;
}

static int follow_reference(const ms_system *system, const ms_linearisation_point *linearised_at,
                            const volatile sig_atomic_t *stop, double *x, double *z, ms_error *error)
{
    const double length = linearised_at->t - linearised_at->begin;
    const int steps = (int)fmin(STEPS_MAX, ceil(length / system->step_size));
    ms_reference *reference = NULL;
    int status = ms_reference_create(system, 0, NULL, &reference, error);
    for (int k = 0; k < steps && status == MS_OK; k++) {
        const double t = linearised_at->begin + k * length / steps;
        if (stop != NULL && *stop != 0)
            status = ms_fail(error, MS_INTERRUPTED, "interrupted");
        else if (ms_reference_step(reference, t, length / steps) != MS_OK)
            status =
                ms_fail(error, MS_SOLVER_FAILED, "`at` %g: the reference of model %s ends before, near %g s",
                        linearised_at->t, system->model->name, t);
    }
    if (status == MS_OK)
        memcpy(x, ms_reference_state(reference), sizeof *x * (size_t)system->nx);
    if (status == MS_OK && z != NULL && system->nz > 0)
        memcpy(z, ms_reference_discrete(reference), sizeof *z * (size_t)system->nz);
    ms_reference_destroy(&reference);
    return status;
}

static int check(const ms_system *system, bool events, ms_error *error)
{
    MS_TRY(ms_system_needs_smooth_wires(system, "a linearisation", error));
    for (int i = 0; i < system->n; i++) {
        const ms_subsystem *sub = &system->sub[i];
        if (sub->stepper != NULL && sub->stepper->linearise == NULL)
            return ms_system_needs_equations(system, "a linearisation", error);
        if (sub->residual != NULL)
            return ms_fail(error, MS_UNSUPPORTED,
                           "subsystem %s of model %s is differential-algebraic; linearisation needs x' = f",
                           sub->name, system->model->name);
        if (ms_subsystem_jumps(sub) && !sub->asks_by_rule && !events)
            return ms_fail(error, MS_UNSUPPORTED,
                           "subsystem %s of model %s has events; a linear model would leave them out",
                           sub->name, system->model->name);
    }
    return MS_OK;
}

int ms_linearisation_supported(const ms_system *system, ms_error *error)
{
    return check(system, false, error);
}

int ms_linearisation_point_state(const ms_system *system, const ms_linearisation_point *linearised_at,
                                 const volatile sig_atomic_t *stop, double *x, double *z, ms_error *error)
{
    int status = check(system, z != NULL, error);
    if (status == MS_OK && linearised_at->kind != MS_LINEARISE_AT_START)
        status = ms_system_needs_equations(system, "a linearisation elsewhere than at the start", error);
    if (status != MS_OK)
        return status;
    ms_system_start(system, x);
    if (z != NULL)
        ms_system_start_discrete(system, z);
    switch (linearised_at->kind) {
    case MS_LINEARISE_AT_EQUILIBRIUM:
        return ms_linearisation_equilibrium(system, linearised_at->t, x, error);
    case MS_LINEARISE_AT_TIME:
        return follow_reference(system, linearised_at, stop, x, z, error);
    default:
        return MS_OK;
    }
}
