/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "open_loop.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/instance_step.h>
#include <macrostep/options.h>
#include <macrostep/solver_registry.h>
#include "micro_step.h"

/* One run on its way. */
typedef struct open_loop_run {
    const ms_open_loop *open_loop;
    ms_instance *instance;
    double *block; /* x and the solver's memory */
    ms_open_loop_result *result;
    long capacity; /* allocated number of micro-steps */
    double scale;  /* 1 + the largest |x| of the tight solution */
} open_loop_run;

/* Micro-steps ------------------------------------------------------------------------------------------ */

static void note_step(void *self, double from, double to, int order)
{
    open_loop_run *r = self;
    if (r->result->n_steps < r->capacity)
        r->result->step[r->result->n_steps++] = (ms_open_loop_step){from, to, order};
}

/* Room for every micro-step that a segment can take: a solver that gives up may start once more. */
static int reserve(open_loop_run *r, ms_error *error)
{
    const long needed = r->result->n_steps + 2 * MS_MICRO_STEPS_MAX;
    if (needed <= r->capacity)
        return MS_OK;
    ms_open_loop_step *larger = realloc(r->result->step, sizeof *larger * 2 * (size_t)needed);
    MS_TRY_MEMORY_FOR(larger != NULL, error, "the micro-steps of a run");
    r->result->step = larger;
    r->capacity = 2 * needed;
    return MS_OK;
}

/* Ends ------------------------------------------------------------------------------------------------- */

static double scale_of(const ms_open_loop *d)
{
    double scale = 1.0;
    for (int k = 0; k < (d->segments + 1) * d->nx; k++)
        scale = fmax(scale, 1.0 + fabs(d->tight[k]));
    return scale;
}

/* Are all states at most `factor` times the scale of the problem? */
static bool within(const open_loop_run *r, double factor)
{
    for (int j = 0; j < r->open_loop->nx; j++)
        if (!(fabs(r->instance->x[j]) <= factor * r->scale))
            return false;
    return true;
}

static bool end_with(open_loop_run *r, ms_reason reason, const char *what, double t)
{
    r->result->reason = reason;
    snprintf(r->result->message, sizeof r->result->message, "%s after %.6g s", what, t);
    return false;
}

/* Does the run go on after a segment that began at t? */
static bool goes_on(open_loop_run *r, int status, double t, const volatile sig_atomic_t *stop)
{
    if (stop != NULL && *stop != 0)
        return end_with(r, MS_REASON_INTERRUPTED, "interrupted", t);
    if (!within(r, status == MS_OK ? 1e12 : 1e8))
        return end_with(r, MS_REASON_DIVERGED, "a state grew without bound", t);
    if (status != MS_OK && ms_instance_ended(r->instance))
        return end_with(r, MS_REASON_TERMINATED, "the subsystem asks for the end of the simulation", t);
    if (status != MS_OK)
        return end_with(r, MS_REASON_SUBSYSTEM_FAILED, "the micro-solver failed", t);
    return true;
}

/* Errors ----------------------------------------------------------------------------------------------- */

static ms_open_loop_errors measure(const open_loop_run *r, const double *reference, int j)
{
    const ms_open_loop *d = r->open_loop;
    ms_open_loop_errors e = {0.0, 0.0};
    if (r->result->reason != MS_REASON_END_TIME)
        return (ms_open_loop_errors){NAN, NAN};
    for (int i = 0; i <= d->segments; i++) {
        e.end = fabs(r->result->x[i * d->nx + j] - reference[i * d->nx + j]);
        e.max = fmax(e.max, e.end);
    }
    return e;
}

static ms_open_loop_errors largest(ms_open_loop_errors a, ms_open_loop_errors b)
{
    return isnan(b.max) ? b : (ms_open_loop_errors){fmax(a.max, b.max), fmax(a.end, b.end)};
}

static void conclude(open_loop_run *r)
{
    ms_open_loop_result *result = r->result;
    result->work = r->instance->work;
    for (int j = 0; j < r->open_loop->nx; j++) {
        result->own[j] = measure(r, r->open_loop->tight, j);
        result->coupled[j] = measure(r, r->open_loop->coupled, j);
        result->own_largest = largest(result->own_largest, result->own[j]);
        result->coupled_largest = largest(result->coupled_largest, result->coupled[j]);
    }
}

const char *ms_open_loop_solver(const ms_options *options)
{
    return options->solver[0] != '\0' ? options->solver : ms_solver_of_history()->name;
}

/* Runs ------------------------------------------------------------------------------------------------- */

static int create(open_loop_run *r, const ms_options *options, ms_error *error)
{
    const ms_open_loop *d = r->open_loop;
    const ms_subsystem *sub = &d->system->sub[d->subsystem];
    const ms_solver *solver = ms_solver_choose(ms_open_loop_solver(options), error);
    if (solver == NULL)
        return MS_INVALID;
    const ms_solver_options wanted = {.rtol = options->solver_rtol,
                                      .atol = options->solver_atol,
                                      .micro_steps = options->micro_steps,
                                      .input_change = (ms_input_change)options->input_change};
    const size_t nx = (size_t)d->nx;
    r->block = calloc((size_t)(sub->nx + ms_solver_memory(solver, sub->nx)) + 1, sizeof(double));
    r->result->x = calloc((size_t)(d->segments + 1) * nx + 1, sizeof(double));
    r->result->own = calloc(2 * nx + 1, sizeof *r->result->own);
    MS_TRY_MEMORY_FOR(r->block != NULL && r->result->x != NULL && r->result->own != NULL, error,
                      "subsystem %s", sub->name);
    r->result->coupled = r->result->own + nx;
    return ms_instance_create(&(ms_instance_parts){.system = d->system,
                                                   .index = d->subsystem,
                                                   .solver = solver,
                                                   .options = &wanted,
                                                   .x = r->block,
                                                   .memory = r->block + nx},
                              &r->instance, error);
}

static int march(open_loop_run *r, const ms_open_loop_options *request, ms_error *error)
{
    const ms_open_loop *d = r->open_loop;
    ms_open_loop_result *result = r->result;
    const size_t size = sizeof(double) * (size_t)d->nx;
    int status = MS_OK;
    bool on = true;
    if (request->steps)
        r->instance->monitor = (ms_monitor){.self = r, .micro_step = note_step};
    memcpy(r->instance->x, d->tight, size);
    memcpy(result->x, d->tight, size);
    for (int i = 0; i < d->segments && on && status == MS_OK; i++) {
        if (request->steps)
            status = reserve(r, error);
        if (status != MS_OK)
            break;
        const double h = ms_open_loop_set_input(d, i, 0.0, 1.0, r->instance);
        if (request->begin != NULL)
            request->begin(request->self, r->instance, i);
        on = goes_on(r, ms_instance_step(r->instance, d->time[i], h), d->time[i], request->stop);
        memcpy(result->x + (size_t)(i + 1) * (size_t)d->nx, r->instance->x, size);
        result->end_time = d->time[on ? i + 1 : i];
    }
    return status;
}

int ms_open_loop_run(const ms_open_loop *open_loop, const ms_options *options,
                     const ms_open_loop_options *request, ms_open_loop_result *result, ms_error *error)
{
    static const ms_open_loop_options nothing = {0};
    open_loop_run r = {.open_loop = open_loop, .result = result, .scale = scale_of(open_loop)};
    *result = (ms_open_loop_result){.reason = MS_REASON_END_TIME, .end_time = open_loop->time[0]};
    int status = create(&r, options, error);
    const double start = ms_wall_seconds();
    if (status == MS_OK && r.instance != NULL)
        status = march(&r, request != NULL ? request : &nothing, error);
    result->wall_seconds = ms_wall_seconds() - start;
    if (status == MS_OK && r.instance != NULL)
        conclude(&r);
    else
        ms_open_loop_result_destroy(result);
    ms_instance_destroy(&r.instance);
    free(r.block);
    return status;
}

void ms_open_loop_result_destroy(ms_open_loop_result *result)
{
    MS_FREE(result->x, result->own, result->step);
    *result = (ms_open_loop_result){0};
}
