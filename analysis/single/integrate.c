/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/integrate.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <macrostep/cosim.h>
#include <macrostep/instance_step.h>
#include <macrostep/solver_registry.h>
#include "integrate_record.h"
#include "monolithic.h"

/* What an integration works with. */
typedef struct work_place {
    ms_system *monolithic;  /* NULL: the system is one subsystem without wires */
    const ms_system *whole; /* of the one subsystem that is integrated */
    const ms_solver *solver;
    double *block; /* x, z and the solver's memory */
    ms_instance *instance;
    ms_recorder recorder;
} work_place;

void ms_integrate_defaults(ms_options *options)
{
    if (!options->given[MS_OPTION_SOLVER_RTOL])
        options->solver_rtol = 1e-6;
    if (!options->given[MS_OPTION_SOLVER_ATOL])
        options->solver_atol = 1e-6;
}

/* Options ------------------------------------------------------------------------------------------------ */

static int resolve_times(ms_options *o, const ms_system *system, ms_error *error)
{
    o->stop_time = ms_options_stop_time(o, system->stop_time);
    if (!isfinite(o->start_time) || !isfinite(o->stop_time) || o->stop_time <= o->start_time)
        return ms_fail(error, MS_INVALID, "`stop-time` %g: must be finite and greater than the start time %g",
                       o->stop_time, o->start_time);
    return ms_system_check_inputs(system, o->start_time, o->stop_time, error);
}

/* Where it is the case's own a run may be shorter. Only where the solver takes steps of it is it checked. */
static int resolve_step(ms_options *o, const ms_system *system, bool taken, ms_error *error)
{
    const double length = o->stop_time - o->start_time;
    if (o->step_size == 0.0)
        o->step_size = fmin(system->step_size, length);
    if (!taken)
        return MS_OK;
    if (!(o->step_size > 0.0) || o->step_size > length * (1.0 + 1e-12))
        return ms_fail(error, MS_INVALID,
                       "`step-size` %g: must be greater than 0 and at most %g, the length of the run",
                       o->step_size, length);
    if (length / o->step_size > MS_INTEGRATE_STEPS_MAX)
        return ms_fail(error, MS_INVALID, "`step-size` %g: must be at least %g, for at most %d steps",
                       o->step_size, length / MS_INTEGRATE_STEPS_MAX, MS_INTEGRATE_STEPS_MAX);
    return MS_OK;
}

static int resolve(const ms_system *system, const ms_options *options, int output_points, ms_integration *run,
                   const ms_solver **solver, ms_error *error)
{
    ms_options *o = &run->options;
    *run = (ms_integration){.system = system,
                            .options = *options,
                            .output_points = output_points,
                            .smallest_step = NAN,
                            .largest_step = NAN,
                            .max = NAN,
                            .rmse = NAN,
                            .end = NAN,
                            .reference_error = NAN,
                            .known_until = NAN};
    *solver = ms_solver_choose(ms_cosim_solver(system, NULL, options), error);
    if (*solver == NULL)
        return MS_INVALID;
    snprintf(o->solver, sizeof o->solver, "%s", (*solver)->name);
    int status = resolve_times(o, system, error);
    if (status == MS_OK && (*solver)->adaptive && o->given[MS_OPTION_STEP_SIZE])
        status = ms_fail(error, MS_INVALID,
                         "`step-size` %g applies only to fixed-step solvers such as rk4; solver %s chooses "
                         "its steps itself",
                         o->step_size, o->solver);
    const bool taken = !(*solver)->adaptive && ((*solver)->order > 0 || output_points == 0);
    if (status == MS_OK && !(*solver)->adaptive && !taken && o->given[MS_OPTION_STEP_SIZE])
        status =
            ms_fail(error, MS_INVALID,
                    "`step-size` %g applies only to fixed-step solvers such as rk4; solver %s steps from "
                    "output point to output point",
                    o->step_size, o->solver);
    MS_THEN(status, resolve_step(o, system, taken, error));
    if (status == MS_OK && (output_points < 0 || output_points > MS_INTEGRATE_OUTPUTS_MAX))
        status = ms_fail(error, MS_INVALID, "`output_points` %d: must be a whole number in [0, %d]",
                         output_points, MS_INTEGRATE_OUTPUTS_MAX);
    run->end_time = o->start_time;
    return status;
}

/* Integration -------------------------------------------------------------------------------------------- */

static bool is_coupled(const ms_system *system)
{
    return system->n != 1 || system->row_at[system->nu] > 0;
}

static int set_up(work_place *place, ms_integration *run, const ms_integrate_options *request,
                  ms_error *error)
{
    const ms_system *system = run->system;
    const ms_solver_options options = {.rtol = run->options.solver_rtol,
                                       .atol = run->options.solver_atol,
                                       .micro_steps = 1,
                                       .input_change = MS_INPUT_RESTART};
    MS_TRY(ms_system_needs_equations(system, "a micro-solver", error));
    if (is_coupled(system))
        MS_TRY(ms_monolithic_create(system, &place->monolithic, error));
    place->whole = place->monolithic != NULL ? place->monolithic : system;
    const int memory = ms_solver_memory(place->solver, system->nx);
    place->block = calloc((size_t)(system->nx + place->whole->nz + memory) + 1, sizeof *place->block);
    run->error = calloc((size_t)system->nx + 1, sizeof *run->error);
    MS_TRY_MEMORY_FOR(place->block != NULL && run->error != NULL, error, "an integration of %d states",
                      system->nx);
    double *x = place->block, *z = x + system->nx;
    ms_system_start(place->whole, x);
    ms_system_start_discrete(place->whole, z);
    MS_TRY(ms_instance_create(&(ms_instance_parts){.system = place->whole,
                                                   .index = 0,
                                                   .solver = place->solver,
                                                   .options = &options,
                                                   .x = x,
                                                   .z = z,
                                                   .memory = z + place->whole->nz},
                              &place->instance, error));
    place->instance->micro_steps_max = MS_INTEGRATE_STEPS_MAX;
    return ms_recorder_create(&place->recorder, run, request, place->instance, place->whole, error);
}

static int step(work_place *place, double from, double to)
{
    place->instance->input.end[0] = to - from;
    MS_TRY(ms_instance_step(place->instance, from, to - from));
    ms_recorder_flush(&place->recorder, to);
    place->recorder.run->end_time = to;
    return ms_recorder_stays(&place->recorder, to) ? MS_OK : MS_SOLVER_FAILED;
}

/* Equal steps, and a shorter one at the end where they do not divide the run; those of `exact` end at the
 * output points. */
static int march(work_place *place, ms_integration *run)
{
    const ms_recorder *recorder = &place->recorder;
    const double t0 = recorder->start, t1 = recorder->stop;
    const bool outputs = place->solver->order == 0 && run->output_points > 0;
    const double H = run->options.step_size, exact = (t1 - t0) / H;
    const long whole = outputs ? run->output_points : (long)ceil(exact * (1.0 - 1e-12));
    double from = t0;
    int status = MS_OK;
    for (long n = 1; n <= whole && status == MS_OK; n++) {
        const double to = n == whole ? t1 : outputs ? ms_recorder_output(recorder, n) : t0 + (double)n * H;
        status = ms_recorder_interrupted(&place->recorder) ? MS_INTERRUPTED : step(place, from, to);
        from = to;
    }
    return status;
}

/* Why the solver has given up. */
static void explain(const work_place *place, ms_integration *run)
{
    const ms_instance *instance = place->instance;
    const char *why = "the tolerance or the equations need steps that it cannot take";
    char text[160];
    if (run->reason != MS_REASON_END_TIME) /* the recorder has ended it */
        return;
    run->reason = ms_instance_ended(instance) ? MS_REASON_TERMINATED : MS_REASON_SUBSYSTEM_FAILED;
    for (int j = 0; j < run->system->nx; j++)
        if (!(fabs(instance->x[j]) <= 1e8 * place->recorder.scale))
            run->reason = MS_REASON_DIVERGED;
    if (instance->events != NULL && instance->events->n_jumps > MS_EVENTS_MAX) {
        snprintf(text, sizeof text, "more than %d events in %.3g s are chattering", MS_EVENTS_MAX,
                 run->end_time - place->recorder.window);
        why = text;
    } else if (instance->events != NULL && instance->events->failure != NULL) {
        why = instance->events->failure;
    } else if (place->solver->adaptive && instance->work.micro_steps >= MS_INTEGRATE_STEPS_MAX) {
        why = "too many micro-steps";
    }
    if (run->reason == MS_REASON_TERMINATED)
        why = "a subsystem asks for the end of the simulation";
    if (run->reason == MS_REASON_DIVERGED)
        why = "a state has grown beyond all bounds";
    snprintf(run->message, sizeof run->message, "solver %s failed at %.9g s: %s", place->solver->name,
             run->end_time, why);
}

static int integrate(work_place *place, ms_integration *run, const ms_integrate_options *request,
                     ms_error *error)
{
    const ms_recorder *recorder = &place->recorder;
    const double begin = ms_wall_seconds();
    int status;
    if (place->instance->sub->residual == NULL)
        ms_recorder_flush(&place->recorder, recorder->start);
    if (place->recorder.run->output_points > 0 && place->instance->sub->residual == NULL)
        place->recorder.next = 1;
    status = place->solver->adaptive ? step(place, recorder->start, recorder->stop) : march(place, run);
    if (status == MS_NO_MEMORY)
        return ms_fail(error, status, "not enough memory for solver %s", place->solver->name);
    run->wall_seconds = ms_wall_seconds() - begin;
    run->work = place->instance->work;
    run->output_evaluations = recorder->dense.rhs_evaluations;
    run->work.rhs_evaluations -= recorder->dense.rhs_evaluations;
    run->work.jacobian_evaluations -= recorder->dense.jacobian_evaluations;
    if (status == MS_OK)
        run->end_time = recorder->stop;
    else
        explain(place, run);
    if (recorder->status != MS_OK)
        return ms_fail(error, recorder->status, "not enough memory for the rows of %ld micro-steps",
                       run->work.micro_steps);
    return ms_integration_compare(&place->recorder, request->errors, error);
}

int ms_integrate(const ms_system *system, const ms_options *options, int output_points,
                 const ms_integrate_options *request, ms_integration *run, ms_error *error)
{
    work_place place = {0};
    int status = resolve(system, options, output_points, run, &place.solver, error);
    MS_THEN(status, set_up(&place, run, request, error));
    if (status == MS_OK && place.instance != NULL)
        status = integrate(&place, run, request, error);
    ms_recorder_destroy(&place.recorder);
    ms_instance_destroy(&place.instance);
    ms_monolithic_destroy(&place.monolithic);
    free(place.block);
    if (status != MS_OK)
        ms_integration_destroy(run);
    return status;
}

void ms_integration_destroy(ms_integration *run)
{
    if (run == NULL)
        return;
    MS_FREE(run->trajectory.row, run->history.row, run->events.row, run->error);
    ms_error_scale_destroy(&run->scale);
    *run = (ms_integration){0};
}
