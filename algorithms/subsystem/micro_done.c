/* SPDX-License-Identifier: GPL-3.0-or-later */
/* micro_done.c - the end of a micro-step, where events are detected; data of solvers; pieces that need no solver. */
#include "micro_done.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "port_work.h"

enum { LEVELS_MAX = 10 };

int ms_micro_done(ms_instance *instance, int piece, double from, double *to, int order, ms_micro_dense *dense,
                  void *solver)
{
    int status = MS_OK;
    if (instance->events != NULL)
        status = ms_events_detect(instance, piece, from, to, dense, solver);
    if (instance->monitor.micro_step != NULL && status != MS_SOLVER_FAILED)
        instance->monitor.micro_step(instance->monitor.self, from, *to, order);
    if (instance->port_work != NULL && status != MS_SOLVER_FAILED)
        ms_port_work_inside(instance, piece, from, *to, dense, solver);
    if (instance->monitor.inside != NULL && status != MS_SOLVER_FAILED &&
        instance->monitor.inside(instance->monitor.self, from, *to, dense, solver) != 0)
        status = MS_SOLVER_FAILED;
    return status == MS_STOPPED ? ms_events_pass_step(instance, piece) : status;
}

/* Without states ----------------------------------------------------------------------------------------- */

static int no_states(void *solver, double t, double *x)
{
    (void)solver, (void)t, (void)x;
    return 0;
}

/* q = q0 + int g dt over [t0, t0 + h], on equal intervals. */
static int static_sum(ms_instance *instance, int piece, double t0, double h, int intervals, const double *q0,
                      double *q)
{
    const double eta = h / intervals;
    memcpy(q, q0, sizeof(double) * (size_t)instance->n_integrals);
    for (int i = 0; i < intervals; i++)
        MS_TRY(ms_micro_integrate(instance, piece, t0 + i * eta, t0 + (i + 1) * eta, no_states, NULL, q));
    return MS_OK;
}

static int static_integral(ms_instance *instance, int piece, double t0, double h, const double *q0, double *q)
{
    const int n = instance->n_integrals;
    double *y = instance->scratch, *coarse = y + n;
    int status = static_sum(instance, piece, t0, h, 1, q0, q);
    for (int level = 1; level <= LEVELS_MAX && status == MS_OK; level++) {
        double change = 0.0, size = 0.0;
        memcpy(coarse, q, sizeof(double) * (size_t)n);
        /* evaluated last, so that y is up to date */
        status = static_sum(instance, piece, t0, h, 1 << level, q0, q);
        for (int j = 0; j < n; j++) {
            change = fmax(change, fabs(q[j] - coarse[j]));
            size = fmax(size, fabs(q[j]) + h * fabs(y[j]));
        }
        if (change <= 1e-15 * size)
            break;
    }
    return status;
}

int ms_micro_static_advance(ms_instance *instance, int piece, double t0, double h)
{
    double to = t0 + h;
    const int done = ms_micro_done(instance, piece, t0, &to, 0, no_states, NULL);
    if (instance->n_integrals == 0 || done == MS_SOLVER_FAILED)
        return done;
    const double *start = instance->x_start + piece * instance->n_state;
    int first, last, status = MS_OK;
    if (instance->events != NULL) { /* the piece may start after an event */
        start = instance->events->x;
        memcpy(instance->events->x, instance->state, sizeof(double) * (size_t)instance->n_integrals);
    }
    if (done == MS_STOPPED)
        h = to - t0;
    ms_micro_samples(instance, piece, &first, &last);
    for (int k = first; k < last && status == MS_OK; k++) {
        const double t = ms_micro_sample_time(instance, k);
        if (done == MS_STOPPED && t > to)
            break;
        status = static_integral(instance, piece, t0, fmin(t - t0, h), start, ms_micro_sample(instance, k));
    }
    MS_THEN(status, static_integral(instance, piece, t0, h, start, instance->state));
    return status == MS_OK ? done : status;
}

/* Tiny pieces -------------------------------------------------------------------------------------------- */

/* The line through the ends of a tiny piece. */
typedef struct tiny_line {
    const ms_instance *instance;
    double t0;
    const double *x0, *dx;
} tiny_line;

static int on_line(void *solver, double t, double *x)
{
    const tiny_line *line = solver;
    for (int i = 0; i < line->instance->sub->nx; i++)
        x[i] = line->x0[i] + (t - line->t0) * line->dx[i];
    return 0;
}

static int tiny_advance(ms_instance *instance, int piece, double t0, double h)
{
    const int n = instance->n_state;
    const double *dx = instance->dx;
    double *x = instance->state, *x0 = instance->scratch, to = t0 + h;
    tiny_line line = {instance, t0, x0, dx};
    int first, last;
    if (instance->sub->residual != NULL)
        memset(instance->dx, 0, sizeof(double) * (size_t)n);
    else if (ms_micro_rhs(instance, piece, t0, x, instance->dx) != 0)
        return MS_SOLVER_FAILED;
    memcpy(x0, x, sizeof(double) * (size_t)instance->sub->nx);
    for (int i = 0; i < n; i++)
        x[i] += h * dx[i];
    instance->work.micro_steps++;
    const int status = ms_micro_done(instance, piece, t0, &to, 0, on_line, &line);
    ms_micro_samples(instance, piece, &first, &last);
    for (int k = first; k < last; k++)
        if (status == MS_OK || ms_micro_sample_time(instance, k) <= to)
            memcpy(ms_micro_sample(instance, k), x, sizeof(double) * (size_t)n);
    return ms_micro_finite(n, x) ? status : MS_SOLVER_FAILED;
}

/* Around a solver ---------------------------------------------------------------------------------------- */

int ms_solver_create(ms_instance *instance, const ms_solver_options *options, ms_error *error)
{
    const ms_solver *solver = instance->solver;
    instance->solver_data = NULL;
    if (solver->adaptive && instance->sub->nx == 0)
        return MS_OK;
    instance->solver_data = calloc(1, solver->data);
    MS_TRY_MEMORY(instance->solver_data);
    if (solver->multistep) {
        ms_history *history = instance->solver_data;
        history->input_change = options->input_change;
        history->x_reached = malloc(sizeof(double) * (size_t)instance->sub->nx);
        MS_TRY_MEMORY(history->x_reached);
    }
    return solver->create(instance, options, error);
}

void ms_solver_destroy(ms_instance *instance)
{
    const ms_solver *solver = instance->solver;
    if (instance->solver_data == NULL)
        return;
    solver->destroy(instance);
    if (solver->multistep)
        free(((ms_history *)instance->solver_data)->x_reached);
    free(instance->solver_data);
    instance->solver_data = NULL;
}

/* Can the method continue over [t0, t0 + h]? Times of consecutive macro-steps may differ by round-off, states may not; and no event may
 * have occurred. */
static bool continues(const ms_instance *instance, const ms_history *history, double t0, double h)
{
    return history->input_change != MS_INPUT_RESTART && history->valid &&
           !(instance->events != NULL && instance->events->handled) &&
           fabs(t0 - history->t_reached) <= 100.0 * DBL_EPSILON * (fabs(t0) + fabs(h)) &&
           memcmp(history->x_reached, instance->state, sizeof(double) * (size_t)instance->sub->nx) == 0;
}

int ms_adaptive_advance(ms_instance *instance, int piece, double t0, double h)
{
    const ms_solver *solver = instance->solver;
    const bool tiny = ms_micro_tiny(t0, h);
    if (instance->sub->nx == 0)
        return ms_micro_static_advance(instance, piece, t0, h);
    if (!solver->multistep)
        return tiny ? tiny_advance(instance, piece, t0, h) : solver->integrate(instance, piece, t0, h);
    ms_history *history = instance->solver_data;
    history->restart = !continues(instance, history, t0, h);
    history->valid = false;
    if (tiny)
        return tiny_advance(instance, piece, t0, h);
    const int status = solver->integrate(instance, piece, t0, h);
    history->valid = status == MS_OK;
    history->t_reached = t0 + h;
    memcpy(history->x_reached, instance->state, sizeof(double) * (size_t)instance->sub->nx);
    return status;
}
