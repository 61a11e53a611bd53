/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_abilities.h"

#include <math.h>

#include "fmu_experiment.h"
#include "fmu_stepping.h"

const char *const ms_fmu_trait_name[MS_FMU_TRAITS] = {
    "rollback",      "variable_step",      "hidden_step",   "directional_derivatives",
    "input_degree",  "output_derivatives", "deterministic", "reevaluate_outputs",
    "serialisation", "early_return",       "events",        "once_per_process",
    "thread_safe"};

static int declared_degree(const ms_fmu_description *d, const ms_fmu_flags *flags)
{
    bool all = flags->intermediate_update;
    for (int i = 0; i < d->n_inputs; i++)
        all = all && d->variables[d->inputs[i]].intermediate_update;
    if (d->fmi == 3)
        return all ? 2 : 0;
    return flags->interpolate_inputs ? MS_FMU_ORDERS : 0;
}

void ms_fmu_abilities_declared(const ms_fmu_description *d, ms_fmu_kind kind, ms_fmu_abilities *declared)
{
    const ms_fmu_flags *flags = &d->flags[kind];
    const bool steps = kind == MS_FMU_CO_SIMULATION, arrays = ms_fmu_has_arrays(d);
    *declared = (ms_fmu_abilities){
        .can = {.rollback = flags->get_and_set_state,
                .output_derivatives = arrays                             ? 0
                                      : flags->max_output_derivative < 2 ? flags->max_output_derivative
                                                                         : 2,
                .directional_derivatives = flags->directional_derivatives && !arrays},
        .serialisation = flags->serialize_state,
        .early_return = flags->early_return,
        .events = steps ? flags->event_mode : d->n_event_indicators > 0,
        .once_per_process = flags->only_once_per_process,
        .deterministic = true,
        .hidden_step = flags->fixed_internal_step > 0.0 ? flags->fixed_internal_step : NAN,
        .keep = !flags->get_and_set_state};
    ms_capabilities *can = &declared->can;
    if (!steps)
        return;
    can->input_degree = declared_degree(d, flags);
    can->step = ms_fmu_imposed_step(d, MS_FMU_CO_SIMULATION);
    can->several_steps = can->step != 0.0;
    can->constant_step = !flags->variable_step && can->step == 0.0;
}
