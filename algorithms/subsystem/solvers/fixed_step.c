/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fixed_step.c - shared by one-step methods with equal micro-steps k = h / N on each piece of the input.
 *
 * x is the whole state: the same formula integrates outputs if requested.
 * Inside a micro-step, for samples and events, the solution is a shortened step of the same method from its
 * start. After an event the rest of the piece is divided again into equal steps, none longer than h / N. */
#include "fixed_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "micro_done.h"

void ms_fixed_destroy(ms_instance *instance)
{
    ms_fixed_data *data = instance->solver_data;
    ms_newton_dense_destroy(&data->newton);
    MS_FREE(data->start, data->own);
}

int ms_fixed_create(ms_instance *instance, const ms_solver_options *options, ms_error *error)
{
    const size_t n = (size_t)instance->n_state;
    if (options->micro_steps < 1)
        return ms_fail(error, MS_INVALID, "solver %s takes at least 1 micro-step per macro-step, not %d",
                       instance->solver->name, options->micro_steps);
    ms_fixed_data *data = instance->solver_data;
    const size_t stages = (size_t)instance->solver->stages;
    data->carried = instance->solver->state_memory * instance->sub->nx;
    data->start = calloc((3 + stages) * n + 3 * (size_t)data->carried + 1, sizeof(double));
    MS_TRY_MEMORY(data->start);
    data->state = data->start + n;
    data->stage = data->state + n;
    data->slope = data->stage + n;
    data->before = data->slope + stages * n;
    data->after = data->before + data->carried;
    data->reached = data->after + data->carried;
    data->micro_steps = options->micro_steps;
    return MS_OK;
}

/* A micro-step as ms_micro_dense sees it. */
typedef struct fixed_inside {
    ms_instance *instance;
    int piece;
    double t; /* its start */
    ms_fixed_step *step;
} fixed_inside;

/* The state at t: a shortened step from the start of the micro-step. */
static int fixed_dense(void *solver, double t, double *x)
{
    const fixed_inside *inside = solver;
    const ms_fixed_data *data = inside->instance->solver_data;
    return inside->step(inside->instance, inside->piece, inside->t, t - inside->t, data->start, x);
}

/* Bounds on the micro-steps of a piece, and its origin. */
typedef struct fixed_span {
    double t0, k;  /* micro-step m goes from t0 + m k to t0 + (m + 1) k */
    double offset; /* t0 after the start of the macro-step */
    int steps;
} fixed_span;

/* The samples up to `to`, the end of micro-step m or, where `stopped`, an event inside it; *next becomes the first
 * remaining one. The sample at the end of the piece is the state there. Returns what f returns. */
static int fixed_sample(ms_instance *instance, const fixed_inside *inside, const fixed_span *span, int m,
                        double to, bool stopped, int *next, int last)
{
    const ms_fixed_data *data = instance->solver_data;
    const double end = instance->input.end[inside->piece];
    int status = 0;
    for (; *next < last && status == 0; ++*next) {
        const double after = ms_micro_sample_after(instance, *next),
                     part = after - span->offset - m * span->k;
        double *x = ms_micro_sample(instance, *next);
        if (stopped ? ms_micro_sample_time(instance, *next) > to : part > span->k && m + 1 < span->steps)
            break;
        if (after < end)
            status = inside->step(instance, inside->piece, inside->t, fmin(part, span->k), data->start, x);
        else
            memcpy(x, instance->state, sizeof(double) * (size_t)instance->n_state);
    }
    return status;
}

/* Steps are equal: N on the whole piece, no longer than these between events. */
static fixed_span fixed_divide(const ms_instance *instance, int piece, double t0, double h)
{
    const ms_fixed_data *data = instance->solver_data;
    fixed_span span = {
        .t0 = t0, .offset = ms_input_begin(&instance->input, piece), .steps = data->micro_steps};
    if (instance->events != NULL && !(instance->events->starts && instance->events->ends)) {
        const double length = instance->input.end[piece] - span.offset;
        span.steps = (int)fmax(1.0, ceil(h / length * data->micro_steps * (1.0 - 1e-12)));
    }
    if (instance->events != NULL && !instance->events->starts)
        span.offset = t0 - instance->t;
    span.k = h / span.steps;
    return span;
}

static int march(ms_instance *instance, int piece, double t0, double h, ms_fixed_step *step)
{
    const ms_fixed_data *data = instance->solver_data;
    const int n = instance->n_state;
    const size_t carried = sizeof(double) * (size_t)data->carried;
    const fixed_span span = fixed_divide(instance, piece, t0, h);
    int next, last, status = 0, done = MS_OK;
    ms_micro_samples(instance, piece, &next, &last);
    for (int m = 0; m < span.steps && status == 0 && done == MS_OK; m++) {
        fixed_inside inside = {instance, piece, t0 + m * span.k, step};
        double to = m + 1 < span.steps ? t0 + (m + 1) * span.k : t0 + h;
        for (int i = 0; i < n; i++)
            data->start[i] = instance->state[i];
        status = step(instance, piece, inside.t, span.k, data->start, instance->state);
        if (carried > 0)
            memcpy(data->reached, data->after, carried);
        instance->work.micro_steps++;
        if (status == 0)
            done =
                ms_micro_done(instance, piece, inside.t, &to, instance->solver->order, fixed_dense, &inside);
        if (status == 0 && done != MS_SOLVER_FAILED)
            status = fixed_sample(instance, &inside, &span, m, to, done == MS_STOPPED, &next, last);
        if (carried > 0)
            memcpy(data->before, data->reached, carried);
    }
    return status == 0 && ms_micro_finite(n, instance->state) ? done : MS_SOLVER_FAILED;
}

/* Works on a copy of the state: neighbours' states share its cache line, and other threads write them. */
int ms_fixed_advance(ms_instance *instance, int piece, double t0, double h, ms_fixed_step *step)
{
    const ms_fixed_data *data = instance->solver_data;
    const size_t bytes = sizeof(double) * (size_t)instance->n_state;
    double *home = instance->state;
    if (instance->n_state == 0)
        return ms_micro_static_advance(instance, piece, t0, h);
    instance->state = memcpy(data->state, home, bytes);
    const int status = march(instance, piece, t0, h, step);
    instance->state = home;
    memcpy(home, data->state, bytes);
    return status;
}
