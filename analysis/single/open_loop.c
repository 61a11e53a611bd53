/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "open_loop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/instance_step.h>
#include <macrostep/reference.h>
#include "coupled_outputs.h"
#include "solution_solver.h"

/* Inputs of the coupled model -------------------------------------------------------------------------- */

/* Evaluates the coupling equations at states of the coupled model. */
typedef struct sampler {
    const ms_system *system;
    ms_coupled_outputs at;
    double *dy, *du; /* one block, from dy on */
} sampler;

static void close_sampler(sampler *s)
{
    ms_coupled_outputs_destroy(&s->at);
    free(s->dy);
}

static int open_sampler(const ms_system *system, sampler *s, ms_error *error)
{
    *s = (sampler){.system = system};
    s->dy = calloc((size_t)(system->ny + system->nu) + 1, sizeof *s->dy);
    MS_TRY_MEMORY_FOR(s->dy != NULL, error, "the coupled model");
    s->du = s->dy + system->ny;
    const int status = ms_coupled_outputs_create(system, &s->at, error);
    s->at.guessed = true; /* zero */
    return status;
}

/* u and, where wanted, u' at t for the states x; y of the point before is the guess. */
static int sample(sampler *s, double t, const double *x, bool slopes, ms_error *error)
{
    int status = ms_coupled_outputs_at(&s->at, t, x, NULL, error);
    if (status != MS_OK)
        return status;
    if (slopes)
        status = ms_loop_derivative(s->at.loop, t, s->at.u, s->dy);
    if (status != MS_OK)
        return ms_fail(error, status, "the coupling equations have no solution at %g s", t);
    ms_system_couple(s->system, s->dy, s->du);
    return MS_OK;
}

static int interrupted(const volatile sig_atomic_t *stop, ms_error *error)
{
    return stop != NULL && *stop != 0 ? ms_fail(error, MS_INTERRUPTED, "interrupted") : MS_OK;
}

/* Values (at all grid points: the last row of `value` is that of T_n), slopes, and states of the coupled
 * model. */
static int sample_all(ms_open_loop *d, sampler *s, ms_reference *reference, const volatile sig_atomic_t *stop,
                      ms_error *error)
{
    const ms_system *system = d->system;
    const size_t nx = (size_t)d->nx, nu = (size_t)d->nu;
    const bool slopes = d->inputs == MS_OPEN_LOOP_LINEAR;
    int status = MS_OK;
    for (int i = 0; i <= d->segments && status == MS_OK; i++) {
        if (i > 0)
            status = ms_reference_step(reference, d->time[i - 1], d->time[i] - d->time[i - 1]);
        if (status == MS_NO_MEMORY)
            return ms_fail(error, status, "not enough memory for the reference of the coupled model");
        if (status != MS_OK)
            return ms_fail(error, MS_SOLVER_FAILED, "the coupled model has no reference beyond %g s",
                           d->time[i - 1]);
        status = interrupted(stop, error);
        if (status != MS_OK)
            break;
        const double *x = ms_reference_state(reference);
        memcpy(d->coupled + (size_t)i * nx, x + system->x_at[d->subsystem], sizeof(double) * nx);
        status = sample(s, d->time[i], x, slopes, error);
        if (status != MS_OK)
            break;
        memcpy(d->value + (size_t)i * nu, s->at.u + system->u_at[d->subsystem], sizeof(double) * nu);
        if (slopes)
            memcpy(d->slope + (size_t)i * nu, s->du + system->u_at[d->subsystem], sizeof(double) * nu);
    }
    d->coupled_error = ms_reference_error(reference);
    for (int i = 0; i < d->segments && d->inputs == MS_OPEN_LOOP_INTERPOLATED; i++)
        for (int j = 0; j < d->nu; j++) {
            const double *u = d->value + (size_t)(i * d->nu + j);
            d->slope[i * d->nu + j] = (u[d->nu] - u[0]) / (d->time[i + 1] - d->time[i]);
        }
    return status;
}

static int sample_inputs(ms_open_loop *d, const volatile sig_atomic_t *stop, ms_error *error)
{
    sampler s;
    ms_reference *reference = NULL;
    int status = open_sampler(d->system, &s, error);
    MS_THEN(status, ms_reference_create(d->system, 0, NULL, &reference, error));
    MS_THEN(status, sample_all(d, &s, reference, stop, error));
    ms_reference_destroy(&reference);
    close_sampler(&s);
    return status;
}

double ms_open_loop_set_input(const ms_open_loop *open_loop, int segment, double share, double share_end,
                              ms_instance *instance)
{
    const double length = open_loop->time[segment + 1] - open_loop->time[segment];
    const double *value = open_loop->value + (size_t)(segment * open_loop->nu),
                 *slope = open_loop->slope + (size_t)(segment * open_loop->nu);
    ms_input *input = &instance->input;
    ms_input_set_single(input, open_loop->degree, (share_end - share) * length);
    double *c = ms_input_coefficients(input, 0, 0);
    for (int j = 0; j < open_loop->nu; j++) {
        c[j] = value[j] + share * length * slope[j];
        if (open_loop->degree > 0)
            c[open_loop->nu + j] = slope[j];
    }
    return input->end[0];
}

/* Tight solution --------------------------------------------------------------------------------------- */

/* Of nonlinear subsystems, as in reference.c: the companion's are looser by COMPANION_FACTOR. */
static const double RTOL = 1e-13, ATOL = 1e-14, COMPANION_FACTOR = 10.0;

enum { MAIN, COMPANION, SOLUTIONS };

static int advance(const ms_open_loop *d, int segment, double share, double share_end, ms_instance *instance,
                   ms_error *error)
{
    const double length = d->time[segment + 1] - d->time[segment];
    const double t = d->time[segment] + share * length;
    if (ms_instance_step(instance, t, ms_open_loop_set_input(d, segment, share, share_end, instance)) !=
        MS_OK)
        return ms_fail(error, MS_SOLVER_FAILED, "subsystem %s, driven alone, has no solution beyond %g s",
                       instance->sub->name, t);
    return MS_OK;
}

static int march(ms_open_loop *d, ms_instance *const instance[SOLUTIONS], const volatile sig_atomic_t *stop,
                 ms_error *error)
{
    const size_t nx = (size_t)d->nx;
    int status = MS_OK;
    for (int k = 0; k < SOLUTIONS; k++)
        memcpy(instance[k]->x, d->coupled, sizeof(double) * nx);
    memcpy(d->tight, d->coupled, sizeof(double) * nx);
    for (int i = 0; i < d->segments && status == MS_OK; i++) {
        status = interrupted(stop, error);
        MS_THEN(status, advance(d, i, 0.0, 1.0, instance[MAIN], error));
        MS_THEN(status, advance(d, i, 0.0, 0.5, instance[COMPANION], error));
        MS_THEN(status, advance(d, i, 0.5, 1.0, instance[COMPANION], error));
        for (size_t j = 0; j < nx && status == MS_OK; j++)
            d->tight_error = fmax(d->tight_error, fabs(instance[MAIN]->x[j] - instance[COMPANION]->x[j]));
        memcpy(d->tight + (size_t)(i + 1) * nx, instance[MAIN]->x, sizeof(double) * nx);
    }
    return status;
}

static int solve_tightly(ms_open_loop *d, const volatile sig_atomic_t *stop, ms_error *error)
{
    const ms_subsystem *sub = &d->system->sub[d->subsystem];
    const ms_solver *solver = ms_solution_solver(sub);
    const size_t size = (size_t)(sub->nx + ms_solver_memory(solver, sub->nx));
    ms_instance *instance[SOLUTIONS] = {NULL};
    double *block = calloc(SOLUTIONS * size + 1, sizeof *block);
    int status =
        block != NULL ? MS_OK : ms_fail(error, MS_NO_MEMORY, "not enough memory for subsystem %s", sub->name);
    for (int k = 0; k < SOLUTIONS && status == MS_OK; k++) {
        const double factor = k == MAIN ? 1.0 : COMPANION_FACTOR;
        const ms_solver_options options = {.rtol = factor * RTOL, .atol = factor * ATOL, .micro_steps = 1};
        double *x = block + (size_t)k * size;
        status = ms_instance_create(&(ms_instance_parts){.system = d->system,
                                                         .index = d->subsystem,
                                                         .solver = solver,
                                                         .options = &options,
                                                         .x = x,
                                                         .memory = x + sub->nx},
                                    &instance[k], error);
    }
    if (status == MS_OK && instance[MAIN]->can.input_degree < d->degree)
        status = ms_fail(error, MS_UNSUPPORTED,
                         "`input_shape`: subsystem %s takes inputs of degree %d, not %d: use constant",
                         sub->name, instance[MAIN]->can.input_degree, d->degree);
    MS_THEN(status, march(d, instance, stop, error));
    for (int k = 0; k < SOLUTIONS; k++)
        ms_instance_destroy(&instance[k]);
    free(block);
    return status;
}

/* Problems --------------------------------------------------------------------------------------------- */

static int check(const ms_system *system, int subsystem, int segments, double start, double stop,
                 ms_error *error)
{
    if (subsystem < 0 || subsystem >= system->n)
        return ms_fail(error, MS_INVALID, "subsystem %d: model %s has %d of them", subsystem,
                       system->model->name, system->n);
    if (!isfinite(start) || !isfinite(stop) || stop <= start)
        return ms_fail(error, MS_INVALID, "`stop-time` %g: must be finite and greater than the start time %g",
                       stop, start);
    if (segments < 1 || start + (stop - start) / segments == start)
        return ms_fail(error, MS_INVALID,
                       "`segments` %d: must be at least 1 and divide %g s into lengths that "
                       "advance the time",
                       segments, stop - start);
    if (system->nz > 0)
        return ms_fail(error, MS_UNSUPPORTED,
                       "model %s has discrete variables, which its reference does not give; use a model "
                       "without them",
                       system->model->name);
    const ms_subsystem *sub = &system->sub[subsystem];
    const double length = (stop - start) / segments;
    if (sub->imposed_step > 0.0 && fabs(length - sub->imposed_step) > 1e-9 * length)
        return ms_fail(error, MS_UNSUPPORTED,
                       "`segments` %d: subsystem %s communicates every %g s, not every %g s", segments,
                       sub->name, sub->imposed_step, length);
    return MS_OK;
}

int ms_open_loop_create(const ms_open_loop_problem *problem, ms_open_loop **open_loop, ms_error *error)
{
    const ms_system *system = problem->system;
    const int segments = problem->segments;
    const double start_time = problem->start_time, stop_time = problem->stop_time;
    *open_loop = NULL;
    MS_TRY(check(system, problem->subsystem, segments, start_time, stop_time, error));
    const ms_subsystem *sub = &system->sub[problem->subsystem];
    const size_t points = (size_t)segments + 1, nx = (size_t)sub->nx, nu = (size_t)sub->nu;
    ms_open_loop *d = calloc(1, sizeof *d);
    double *block = calloc(points * (1 + 2 * nu + 2 * nx), sizeof *block);
    if (d == NULL || block == NULL) {
        MS_FREE(d, block);
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for %d segments", segments);
    }
    *d = (ms_open_loop){.system = system,
                        .subsystem = problem->subsystem,
                        .segments = segments,
                        .inputs = problem->inputs,
                        .nx = sub->nx,
                        .nu = sub->nu,
                        .degree = problem->inputs == MS_OPEN_LOOP_CONSTANT ? 0 : 1,
                        .time = block};
    d->value = d->time + points;
    d->slope = d->value + points * nu;
    d->coupled = d->slope + points * nu;
    d->tight = d->coupled + points * nx;
    for (int i = 0; i <= segments; i++)
        d->time[i] = i < segments ? start_time + i * ((stop_time - start_time) / segments) : stop_time;
    int status = sample_inputs(d, problem->stop, error);
    MS_THEN(status, solve_tightly(d, problem->stop, error));
    if (status == MS_OK)
        *open_loop = d;
    else
        ms_open_loop_destroy(&d);
    return status;
}

void ms_open_loop_destroy(ms_open_loop **open_loop)
{
    if (open_loop == NULL || *open_loop == NULL)
        return;
    free((*open_loop)->time); /* the head of one block */
    free(*open_loop);
    *open_loop = NULL;
}
