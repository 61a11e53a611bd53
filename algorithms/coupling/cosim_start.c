/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cosim_start.c - the start of a co-simulation: states, algebraic variables, outputs and inputs. */
#include <macrostep/cosim_start.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/execution.h>
#include <macrostep/instance_step.h>
#include "equal_rows.h"
#include "loop.h"
#include "time_events.h"

enum { PASSES_MAX = 100 };

/* Algebraic variables ------------------------------------------------------------------------------------ */

/* Makes the algebraic variables of subsystem i consistent with its other variables under inputs u; *change is
 * raised to the largest change. */
static int make_consistent(ms_cosim *cosim, int i, double t, const double *u, double *change)
{
    ms_instance *instance = cosim->instance[i];
    const int nx = instance->sub->nx, nu = instance->sub->nu;
    double *before = instance->x_start; /* no piece has been started yet */
    memcpy(before, instance->x, sizeof(double) * (size_t)nx);
    instance->t = t;
    instance->h = cosim->variant.step_size;
    ms_input_set_single(&instance->input, 0, instance->h);
    for (int k = 0; k < nu; k++)
        ms_input_coefficients(&instance->input, 0, 0)[k] = u[k];
    const int status = ms_instance_make_consistent(instance, t, instance->h);
    for (int j = 0; j < nx; j++)
        *change = fmax(*change, fabs(instance->x[j] - before[j]) / (1.0 + fabs(before[j])));
    return status;
}

/* One after the other, as long as outputs move their inputs and these them. */
static int iterate(ms_cosim *cosim, double t, double *y, double *u)
{
    const ms_system *s = cosim->system;
    const bool given = cosim->variant.initial.inputs != MS_INITIAL_CONSISTENT;
    double change = INFINITY;
    for (int pass = 0; pass < PASSES_MAX && change > 1e-10; pass++) {
        if (!given && ms_loop_start(cosim->loop, t, y, u) != MS_OK)
            return MS_NO_SOLUTION;
        change = 0.0;
        for (int i = 0; i < s->n; i++)
            if (s->sub[i].residual != NULL && make_consistent(cosim, i, t, u + s->u_at[i], &change) != MS_OK)
                return MS_NO_SOLUTION;
    }
    return change <= 1e-10 ? MS_OK : MS_NO_SOLUTION;
}

static int start_algebraic(ms_cosim *cosim)
{
    const ms_system *s = cosim->system;
    if (!ms_system_has_residual(s))
        return MS_OK;
    double *y = calloc((size_t)(s->ny + s->nu) + 1, sizeof *y);
    MS_TRY_MEMORY_FOR(y != NULL, &cosim->error, "the start values");
    const int status = iterate(cosim, cosim->variant.start_time, y, y + s->ny);
    free(y);
    if (status != MS_OK)
        return ms_fail(&cosim->error, status,
                       "no start values were found that are consistent with the algebraic equations of the "
                       "subsystems");
    return MS_OK;
}

/* Start -------------------------------------------------------------------------------------------------- */

/* Of subsystems that bring their own solvers. */
static int start_components(ms_cosim *cosim)
{
    for (int i = 0; i < cosim->system->n; i++)
        if (ms_instance_start(cosim->instance[i], cosim->variant.start_time) != MS_OK)
            return ms_fail(&cosim->error, ms_instance_failure_status(cosim->instance[i]),
                           "subsystem %s did not start at %.6g s: %s", cosim->system->sub[i].name,
                           cosim->variant.start_time, ms_instance_failure(cosim->instance[i]));
    return MS_OK;
}

int ms_cosim_start(ms_cosim *cosim)
{
    memset(cosim->lin, 0, sizeof(double) * (size_t)cosim->lin_size);
    memset(cosim->aux, 0, sizeof(double) * (size_t)cosim->aux_size);
    ms_system_start(cosim->system, cosim->x);
    if (cosim->system->nz > 0)
        ms_system_start_discrete(cosim->system, cosim->instance[0]->z);
    cosim->held = cosim->integrations = cosim->iterations = cosim->sweeps = cosim->sensitivities = 0;
    cosim->defect = NAN; /* fmax passes over it */
    cosim->n_segments = 0;
    ms_equal_rows_settle(cosim);
    for (int i = 0; i < cosim->system->n; i++) {
        cosim->communicates[i] = true;
        cosim->instance[i]->work = (ms_work){0};
    }
    ms_time_events_start(cosim);
    const ms_executor *executor = cosim->executor;
    int status = executor->prepare != NULL ? executor->prepare(cosim) : MS_OK;
    MS_THEN(status, start_components(cosim));
    MS_THEN(status, start_algebraic(cosim));
    MS_THEN(status, cosim->scheme->start(cosim));
    if (status == MS_OK && executor->state != NULL)
        executor->state->start(cosim);
    return status;
}

/* Are the outputs of subsystem i defined, and finite? */
static bool has_outputs(ms_cosim *cosim, int i, double t, const double *u, double *y)
{
    if (ms_instance_outputs(cosim->instance[i], t, u, NULL, y) != 0)
        return false;
    for (int j = 0; j < cosim->system->sub[i].ny; j++)
        if (!isfinite(y[j]) && cosim->system->carried[cosim->system->y_at[i] + j])
            return false;
    return true;
}

/* y = g(x, u) of all subsystems, each for itself. */
static int evaluate_apart(ms_cosim *cosim, double t, const double *u, double *y)
{
    const ms_system *s = cosim->system;
    for (int i = 0; i < s->n; i++)
        if (!has_outputs(cosim, i, t, u + s->u_at[i], y + s->y_at[i]))
            return ms_fail(&cosim->error, MS_SOLVER_FAILED,
                           "the outputs of subsystem %s are not defined or not finite at the start time for "
                           "inputs of zero; `initial-inputs` consistent evaluates them in order",
                           s->sub[i].name);
    return MS_OK;
}

int ms_cosim_start_inconsistent(ms_cosim *cosim, double t, double *u, double *y)
{
    const ms_system *s = cosim->system;
    const ms_initial_inputs kind = cosim->variant.initial.inputs;
    memset(u, 0, sizeof(double) * (size_t)s->nu);
    memset(y, 0, sizeof(double) * (size_t)s->ny);
    int status = kind == MS_INITIAL_UNSET ? MS_OK : evaluate_apart(cosim, t, u, y);
    for (int pass = 1; kind == MS_INITIAL_PASSES && pass < s->n && status == MS_OK; pass++) {
        ms_system_couple(s, y, u);
        status = evaluate_apart(cosim, t, u, y);
    }
    return status;
}

int ms_cosim_start_outputs(ms_cosim *cosim, double t, double *u)
{
    return cosim->variant.initial.inputs == MS_INITIAL_CONSISTENT
               ? ms_cosim_start_loop(cosim, t, cosim->y, u)
               : ms_cosim_start_inconsistent(cosim, t, u, cosim->y);
}

/* The message if the loop, or its derivative, could not be solved. Returns the status. */
static int start_failed(ms_cosim *cosim, int status)
{
    char reason[400];
    ms_loop_explain(cosim->loop, reason, sizeof reason);
    return ms_fail(&cosim->error, status, "u = L g(x, u) was not solved at the start time: %s", reason);
}

int ms_cosim_start_loop(ms_cosim *cosim, double t, double *y, double *u)
{
    const int status = ms_loop_start(cosim->loop, t, y, u);
    return status == MS_OK ? MS_OK : start_failed(cosim, status);
}

int ms_cosim_start_inputs(ms_cosim *cosim, double t, double *u)
{
    MS_TRY(ms_cosim_start_outputs(cosim, t, u));
    if (cosim->variant.initial.inputs != MS_INITIAL_CONSISTENT)
        ms_system_couple(cosim->system, cosim->y, u);
    return MS_OK;
}

int ms_cosim_start_derivatives(ms_cosim *cosim, double t, const double *u, int order, double *dy, double *du,
                               double *ddy)
{
    int status = ms_loop_derivative(cosim->loop, t, u, dy);
    if (status == MS_OK && order > 1) {
        ms_system_couple(cosim->system, dy, du);
        status = ms_loop_second_derivative(cosim->loop, t, u, du, ddy);
    }
    return status == MS_OK ? MS_OK : start_failed(cosim, status);
}
