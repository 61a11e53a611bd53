/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cosim.h"

#include <math.h>

#include "events.h"
#include "micro_step.h"
#include "solver_registry.h"

/* Is what a micro-solver integrates linear? Nothing is where all subsystems step themselves. */
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
    return ms_solver_for(ms_system_has_residual(system) ? MS_SOLVER_OF_RESIDUALS
                         : linear                       ? MS_SOLVER_OF_LINEAR
                                                        : MS_SOLVER_OF_STIFF)
        ->name;
}

ms_input_room ms_cosim_input_room(const ms_cosim *cosim)
{
    return cosim->scheme->room != NULL ? cosim->scheme->room(&cosim->variant)
                                       : (ms_input_room){MS_INPUT_PIECES, MS_INPUT_DEGREE};
}

int ms_cosim_check_imposed_steps(const ms_cosim *cosim, ms_error *error)
{
    const ms_variant *o = &cosim->variant;
    const double steps = (o->stop_time - o->start_time) / o->step_size;
    for (int i = 0; i < cosim->system->n; i++) {
        const double step = cosim->instance[i]->can.step;
        const char *name = cosim->instance[i]->sub->name;
        if (step != 0.0 && (step != o->step_size || o->error_controlled != MS_CONTROL_NONE))
            return ms_fail(error, MS_UNSUPPORTED,
                           "subsystem %s imposes a step of %g s; set `step-size` %g without step control",
                           name, step, step);
        if (cosim->instance[i]->can.constant_step && (o->error_controlled != MS_CONTROL_NONE ||
                                                      fabs(steps - round(steps)) > ms_cosim_round_off(steps)))
            return ms_fail(
                error, MS_UNSUPPORTED,
                "subsystem %s takes steps of one length only; set `step-size` to a part of the run, "
                "without step control",
                name);
        if (step != 0.0 && fabs(steps - round(steps)) > ms_cosim_round_off(steps))
            return ms_fail(error, MS_UNSUPPORTED,
                           "subsystem %s imposes a step of %g s, which does not divide the run of %g s; set "
                           "`stop-time` to a multiple",
                           name, step, o->stop_time - o->start_time);
    }
    return MS_OK;
}

int ms_cosim_step_failed(ms_cosim *cosim, int i, double t, double h)
{
    const ms_events *events = cosim->instance[i]->events;
    const char *own = ms_instance_failure(cosim->instance[i]);
    const char *why = own[0] != '\0' || events == NULL || events->failure == NULL ? own : events->failure;
    if (cosim->instance[i]->sub->stepper != NULL)
        return ms_fail(&cosim->error, MS_SOLVER_FAILED,
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
