/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cosim.h"

#include <math.h>
#include <stdio.h>

#include "cosim_state.h"
#include "events.h"
#include "micro_step.h"
#include "option_id.h"
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
    const ms_solver *solver = ms_system_has_residual(system) ? ms_solver_of_residuals()
                              : linear                       ? ms_solver_of_form(MS_STEPS_EXACT)
                                                             : ms_solver_of_stiff();
    return solver->name;
}

ms_input_room ms_cosim_input_room(const ms_cosim *cosim)
{
    return cosim->scheme->room != NULL ? cosim->scheme->room(&cosim->variant)
                                       : (ms_input_room){MS_INPUT_PIECES, MS_INPUT_DEGREE};
}

int ms_cosim_refuse_step(const ms_instance *instance, const char *instead, ms_error *error)
{
    const char *name = instance->sub->name;
    if (instance->can.step != 0.0)
        return ms_fail(error, MS_UNSUPPORTED, "subsystem %s imposes a step of %g s; %s", name,
                       instance->can.step, instead);
    if (instance->can.constant_step)
        return ms_fail(error, MS_UNSUPPORTED, "subsystem %s takes steps of one length only; %s", name,
                       instead);
    return MS_OK;
}

int ms_cosim_check_division(const ms_cosim *cosim, const ms_instance *instance, ms_error *error)
{
    const double length = cosim->variant.stop_time - cosim->variant.start_time, step = instance->can.step;
    const double steps = step != 0.0 ? length / step : 1.0;
    if (fabs(steps - round(steps)) <= ms_cosim_round_off(steps) && round(steps) >= 1.0)
        return MS_OK;
    return ms_fail(
        error, MS_UNSUPPORTED,
        "subsystem %s imposes a step of %g s, which does not divide the run of %g s; set `stop-time` "
        "to a multiple",
        instance->sub->name, step, length);
}

/* Do macro-steps of a given length, or of lengths that change, fit a subsystem that imposes its own? */
static int check_steps(const ms_cosim *cosim, const ms_instance *instance, ms_error *error)
{
    const ms_variant *o = &cosim->variant;
    const double steps = (o->stop_time - o->start_time) / o->step_size, step = instance->can.step;
    const bool controlled = o->error_controlled != MS_CONTROL_NONE,
               whole = fabs(steps - round(steps)) <= ms_cosim_round_off(steps);
    char instead[96];
    snprintf(instead, sizeof instead, "set `step-size` %g without step control", step);
    if (step != 0.0 && (step != o->step_size || controlled))
        return ms_cosim_refuse_step(instance, instead, error);
    if (instance->can.constant_step && (!whole || controlled))
        return ms_cosim_refuse_step(instance, "set `step-size` to a part of the run, without step control",
                                    error);
    const int status = ms_cosim_check_division(cosim, instance, error);
    if (status != MS_OK || !o->scheme->retries || o->step_rule == MS_STEP_RULE_FIXED)
        return status;
    return ms_cosim_refuse_step(instance, "take `step-rule` fixed", error);
}

int ms_cosim_check_rollback(const ms_cosim *cosim, const char *what, ms_error *error)
{
    const ms_scheme *scheme = cosim->scheme;
    const char *who = "";
    if (ms_cosim_can_roll_back(cosim, &who))
        return MS_OK;
    return ms_fail(
        error, MS_UNSUPPORTED,
        "subsystem %s cannot roll back, which %s needs; use a one-step solver or `input-change` "
        "restart, and no mask on rollback%s",
        who, what,
        scheme->rolls_back && ms_scheme_knows(scheme, MS_OPTION_ROLLBACK) ? ", or `rollback` estimated" : "");
}

int ms_cosim_check_capabilities(const ms_cosim *cosim, ms_error *error)
{
    char what[64];
    int status = MS_OK;
    snprintf(what, sizeof what, "`scheme` %s", cosim->scheme->name);
    if (ms_variant_rolls_back(&cosim->variant))
        status = ms_cosim_check_rollback(cosim, what, error);
    for (int i = 0; i < cosim->system->n && status == MS_OK && cosim->scheme->next_time == NULL; i++)
        status = check_steps(cosim, cosim->instance[i], error);
    return status;
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
