/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cosim_capabilities.h"

#include <stdio.h>

#include <macrostep/cosim_state.h>
#include <macrostep/option_id.h>
#include "common_step.h"
#include "number.h"

int ms_cosim_refuse_step(const ms_instance *instance, const char *instead, ms_error *error)
{
    const char *name = instance->sub->name;
    char step[MS_NUMBER_SIZE];
    if (instance->can.step != 0.0) {
        ms_number_text(instance->can.step, step);
        return ms_fail(error, MS_UNSUPPORTED, "subsystem %s imposes a step of %s s; %s", name, step, instead);
    }
    if (instance->can.constant_step)
        return ms_fail(error, MS_UNSUPPORTED, "subsystem %s takes steps of one length only; %s", name,
                       instead);
    return MS_OK;
}

/* The least common multiple of all imposed steps [s]; NaN: there is none. */
static double common_step(const ms_cosim *cosim)
{
    double common = 0.0;
    for (int i = 0; i < cosim->system->n && !isnan(common); i++)
        common = ms_common_step(common, cosim->instance[i]->can.step);
    return common;
}

int ms_cosim_check_division(const ms_cosim *cosim, const ms_instance *instance, ms_error *error)
{
    const double length = cosim->variant.stop_time - cosim->variant.start_time, step = instance->can.step;
    const double steps = step != 0.0 ? length / step : 1.0;
    if (fabs(steps - round(steps)) <= ms_cosim_round_off(steps) && round(steps) >= 1.0)
        return MS_OK;
    const double common = common_step(cosim);
    char texts[3][MS_NUMBER_SIZE];
    ms_number_text(step, texts[0]);
    ms_number_text(length, texts[1]);
    ms_number_text(isnan(common) ? step : common, texts[2]);
    return ms_fail(
        error, MS_UNSUPPORTED,
        "subsystem %s imposes a step of %s s, which does not divide the run of %s s; set `stop-time` "
        "to a multiple of %s s",
        instance->sub->name, texts[0], texts[1], texts[2]);
}

/* Suggests a step that suits all imposed steps. */
static void advise_step(const ms_cosim *cosim, char *text, size_t size)
{
    const double common = common_step(cosim), length = cosim->variant.stop_time - cosim->variant.start_time;
    char number[MS_NUMBER_SIZE];
    if (isnan(common)) {
        snprintf(text, size,
                 "there is no `step-size` that all imposed steps divide; `scheme` f3ornits needs none");
        return;
    }
    ms_number_text(common, number);
    if (common > length * (1.0 + 1e-12))
        snprintf(text, size,
                 "all of them divide %s s, but the run is shorter; set `stop-time` to a multiple of it",
                 number);
    else
        snprintf(text, size, "set `step-size` %s without step control", number);
}

/* Is a macro-step of that length compatible with the imposed step? */
static bool fits(const ms_capabilities *can, double step_size)
{
    const double n = ms_steps_within(can->step, step_size);
    return can->several_steps ? n > 0.0 : n == 1.0;
}

int ms_cosim_check_steps(const ms_cosim *cosim, int i, ms_error *error)
{
    const ms_variant *o = &cosim->variant;
    const ms_instance *instance = cosim->instance[i];
    const double length = o->stop_time - o->start_time, steps = length / o->step_size,
                 step = instance->can.step;
    const bool controlled = o->control.error_controlled != MS_CONTROL_NONE,
               whole = fabs(steps - round(steps)) <= ms_cosim_round_off(steps);
    if (step != 0.0 && (controlled || !fits(&instance->can, o->step_size))) {
        char instead[120];
        advise_step(cosim, instead, sizeof instead);
        return ms_cosim_refuse_step(instance, instead, error);
    }
    if (instance->can.constant_step && (!whole || controlled))
        return ms_cosim_refuse_step(instance, "set `step-size` to a part of the run, without step control",
                                    error);
    const bool divided = step != 0.0 && whole && ms_steps_within(step, length) > 0.0;
    const int status = divided ? MS_OK : ms_cosim_check_division(cosim, instance, error);
    if (status != MS_OK || !o->scheme->retries || o->iteration.step_rule == MS_STEP_RULE_FIXED)
        return status;
    return ms_cosim_refuse_step(instance, "take `step-rule` fixed", error);
}

int ms_cosim_check_all_steps(const ms_cosim *cosim, ms_error *error)
{
    const ms_scheme *scheme = cosim->scheme;
    const bool cut = cosim->variant.at_time_events != MS_TIME_EVENTS_IGNORE;
    int status = MS_OK;
    for (int i = 0; i < cosim->system->n && status == MS_OK && cut; i++)
        status = ms_cosim_refuse_step(cosim->instance[i],
                                      "`at-time-events` communicate needs others; use ignore", error);
    for (int i = 0; i < cosim->system->n && status == MS_OK; i++)
        status = (scheme->check_steps != NULL ? scheme->check_steps : ms_cosim_check_steps)(cosim, i, error);
    return status;
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
    snprintf(what, sizeof what, "`scheme` %s", cosim->scheme->name);
    const int status =
        ms_variant_rolls_back(&cosim->variant) ? ms_cosim_check_rollback(cosim, what, error) : MS_OK;
    return status == MS_OK ? ms_cosim_check_all_steps(cosim, error) : status;
}

int ms_cosim_check_degree(const ms_instance *instance, int degree, const char *lower, ms_error *error)
{
    if (instance->can.input_degree >= degree)
        return MS_OK;
    return ms_fail(error, MS_UNSUPPORTED,
                   "subsystem %s takes inputs of degree %d at most and this scheme gives degree %d; lower %s",
                   instance->sub->name, instance->can.input_degree, degree, lower);
}

int ms_cosim_check_start(const ms_instance *instance, const ms_variant *variant, ms_error *error)
{
    if (instance->sub->residual == NULL || variant->initial.history != MS_START_DERIVATIVES ||
        variant->initial.inputs != MS_INITIAL_CONSISTENT)
        return MS_OK;
    return ms_fail(
        error, MS_UNSUPPORTED,
        "subsystem %s is differential-algebraic, so that time derivatives of outputs are not known at "
        "the start; use `start` hold",
        instance->sub->name);
}
