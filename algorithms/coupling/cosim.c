/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/cosim.h>

#include <stdio.h>
#include <string.h>

#include <macrostep/options.h>
#include <macrostep/solver_registry.h>
#include "loop.h"

/* Is the system that micro-solvers integrate linear? Not if all subsystems step themselves. */
static bool integrates_linear(const ms_system *system)
{
    bool linear = true;
    for (int i = 0; i < system->n && !system->linear; i++)
        linear &= system->sub[i].stepper != NULL ||
                  (system->sub[i].matrices != NULL && !ms_subsystem_jumps(&system->sub[i]));
    return linear;
}

const char *ms_cosim_default_solver(const ms_system *system, const ms_scheme *scheme)
{
    const bool linear = integrates_linear(system) && (scheme == NULL || !scheme->laws);
    const ms_solver *solver = ms_system_has_residual(system) ? ms_solver_of_residuals()
                              : linear                       ? ms_solver_of_form(MS_STEPS_EXACT)
                                                             : ms_solver_of_nonlinear();
    return solver->name;
}

const char *ms_cosim_solver(const ms_system *system, const ms_scheme *scheme, const ms_options *options)
{
    const char *usual = ms_cosim_default_solver(system, scheme);
    if (options->solver[0] != '\0')
        return options->solver;
    return options->input_change != MS_INPUT_RESTART && strcmp(usual, ms_solver_of_nonlinear()->name) == 0
               ? ms_solver_of_history()->name
               : usual;
}

void ms_cosim_resolve(const ms_system *system, const ms_scheme *scheme, ms_options *options)
{
    if (options->solver[0] == '\0')
        snprintf(options->solver, sizeof options->solver, "%s", ms_cosim_solver(system, scheme, options));
    ms_options_resolve_times(options, system->step_size, system->stop_time);
}

ms_input_room ms_cosim_input_room(const ms_cosim *cosim)
{
    return cosim->scheme->room != NULL ? cosim->scheme->room(&cosim->variant)
                                       : (ms_input_room){MS_INPUT_PIECES, MS_INPUT_DEGREE};
}

int ms_cosim_step_failed(ms_cosim *cosim, int i, double t, double h)
{
    const ms_events *events = cosim->instance[i]->events;
    const char *own = ms_instance_failure(cosim->instance[i]);
    const char *why = own[0] != '\0' || events == NULL || events->failure == NULL ? own : events->failure;
    if (ms_instance_ended(cosim->instance[i]))
        return ms_fail(&cosim->error, MS_SOLVER_FAILED,
                       "subsystem %s asks for the end of the simulation between %.6g s and %.6g s",
                       cosim->instance[i]->sub->name, t, t + h);
    if (cosim->instance[i]->sub->stepper != NULL)
        return ms_fail(&cosim->error, ms_instance_failure_status(cosim->instance[i]),
                       "subsystem %s, %s, failed between %.6g s and %.6g s: %s",
                       cosim->instance[i]->sub->name, cosim->instance[i]->sub->stepper->kind, t, t + h, why);
    if (why[0] != '\0')
        return ms_fail(&cosim->error, MS_SOLVER_FAILED, "subsystem %s failed between %.6g s and %.6g s: %s",
                       cosim->instance[i]->sub->name, t, t + h, why);
    return ms_fail(
        &cosim->error, MS_SOLVER_FAILED,
        "solver %s of subsystem %s failed between %.6g s and %.6g s (no convergence, not finite, over "
        "%d micro-steps, or over %d events)",
        cosim->instance[i]->solver->name, cosim->instance[i]->sub->name, t, t + h,
        (int)cosim->instance[i]->micro_steps_max, (int)MS_EVENTS_MAX);
}

int ms_cosim_loop_failed(ms_cosim *cosim, int status, double t)
{
    char reason[400];
    ms_loop_explain(cosim->loop, reason, sizeof reason);
    return ms_fail(&cosim->error, status,
                   "the algebraic loop between the outputs was not solved at %.6g s: %s", t, reason);
}

void ms_cosim_bound_micro_steps(ms_cosim *cosim, long most)
{
    for (int i = 0; i < cosim->system->n; i++)
        cosim->instance[i]->micro_steps_max = most;
}
