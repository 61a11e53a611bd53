/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_component.c - the life of a component. */
#include <math.h>
#include <stdlib.h>

#include "fmu_process.h"

bool ms_fmu_component_is_lost(const ms_fmu_component *component)
{
    return component->stage >= MS_FMU_LOST;
}

bool ms_fmu_component_has_ended(const ms_fmu_component *component)
{
    return component->ended;
}

const char *ms_fmu_component_said(const ms_fmu_component *component)
{
    return component->voice->said;
}

/* Life --------------------------------------------------------------------------------------------------- */

/* Some FMUs can be instantiated only a limited number of times in a process, even if all components are freed: this one and the following ones are
 * in a new process. Returns whether there is a new one. */
static bool goes_on_elsewhere(ms_fmu_component *c)
{
    ms_error why = {""};
    if (c->process != NULL)
        return ms_fmu_process_renew(c);
    ms_fmu_voices_lock();
    const bool goes = c->fmu->processes != NULL ||
                      (c->fmu->voices->n_before > 0 && ms_fmu_move_to_process(c->fmu, &why) == MS_OK);
    c->fmi = c->fmu->fmi;
    ms_fmu_voices_unlock();
    return goes;
}

/* Sets structural parameters, if they have been given values, in configuration mode. */
static int configure(ms_fmu_component *c, ms_error *error)
{
    const ms_fmu_description *d = c->fmu->description;
    int status =
        c->fmi->configure == NULL ? MS_FMU_DISCARD : ms_fmu_status(c, MS_FMU_CALL(c, configure, true));
    for (int k = 0; k < d->n_variables && status == MS_OK; k++) {
        const ms_fmu_variable *v = &d->variables[k];
        const ms_fmu_group group = {.type = v->type, .n = 1, .n_values = 1, .reference = &v->value_reference};
        if (v->is_resized)
            status = ms_fmu_write(c, &(ms_fmu_values){1, &group}, &v->start_value);
    }
    MS_THEN(status, ms_fmu_status(c, MS_FMU_CALL(c, configure, false)));
    return status == MS_OK
               ? MS_OK
               : ms_fail(error, MS_INVALID, "%s: its structural parameters cannot be set: %s", c->fmu->path,
                         c->voice->said[0] != '\0'  ? c->voice->said
                         : status == MS_FMU_DISCARD ? "it has no configuration mode"
                                                    : "it does not say why");
}

static int instantiate(ms_fmu_component *c, const ms_fmu_setup *setup, ms_error *error)
{
    (void)MS_FMU_CALL(c, instantiate, setup);
    if (c->instance == NULL && goes_on_elsewhere(c)) {
        ms_fmu_voice_clear(c->voice);
        (void)MS_FMU_CALL(c, instantiate, setup);
    }
    if (c->instance == NULL)
        return ms_fail(error, MS_SOLVER_FAILED, "%s: it cannot be instantiated: %s%s", c->fmu->path,
                       c->voice->said[0] != '\0' ? c->voice->said : "it does not say why",
                       ms_fmu_tool_hint(c->fmu));
    ms_fmu_voices_lock();
    c->fmu->voices->n_before++;
    ms_fmu_voices_unlock();
    const int status = c->fmu->resized ? configure(c, error) : MS_OK;
    return status == MS_OK ? ms_fmu_apply_settings(c, setup, error) : status;
}

int ms_fmu_component_create(const ms_fmu *fmu, const ms_fmu_setup *setup, ms_fmu_component **component,
                            ms_error *error)
{
    int status = MS_OK;
    ms_fmu_component *c = *component = calloc(1, sizeof *c);
    if (c == NULL)
        return ms_fail(error, MS_NO_MEMORY, "%s: not enough memory for a component", fmu->path);
    *c = (ms_fmu_component){.fmu = fmu,
                            .start_time = setup->start_time,
                            .stop_time = setup->stop_time,
                            .tolerance = setup->tolerance,
                            .events = {.next_time = INFINITY}};
    c->voice = ms_fmu_voice_take(c);
    c->work = calloc(2 * ms_fmu_most_values(fmu->description) + 1, sizeof *c->work);
    if (c->voice == NULL || c->work == NULL)
        status = ms_fail(error, MS_NO_MEMORY, "%s: not enough memory for a component", fmu->path);
    else
        status = instantiate(c, setup, error);
    ms_fmu_go_home(fmu);
    if (status != MS_OK)
        ms_fmu_component_destroy(component);
    return status;
}

void ms_fmu_component_destroy(ms_fmu_component **component)
{
    ms_fmu_component *c = component != NULL ? *component : NULL;
    if (c == NULL)
        return;
    if (ms_fmu_process_stays(c))
        c->stage = MS_FMU_FATAL; /* its process ends */
    if (c->instance != NULL && c->stage == MS_FMU_INITIALISED)
        ms_fmu_status(c, MS_FMU_CALL_OF(c, terminate));
    if (c->instance != NULL && c->stage != MS_FMU_FATAL) {
        c->fmi->free_instance(ms_fmu_away(c));
        ms_fmu_back(c, MS_FMI_OK);
    }
    ms_fmu_go_home(c->fmu);
    if (c->process != NULL)
        ms_fmu_process_give_back(c);
    if (c->voice != NULL)
        ms_fmu_voice_give_back(c->voice);
    MS_FREE(c->work, c);
    *component = NULL;
}

static int initialise(ms_fmu_component *c, const ms_fmu_values *values, const double *value)
{
    int status = ms_fmu_status(c, MS_FMU_CALL_OF(c, enter_initialisation));
    if (status == MS_OK && values != NULL)
        status = ms_fmu_write(c, values, value);
    return status == MS_OK ? ms_fmu_status(c, MS_FMU_CALL_OF(c, exit_initialisation)) : status;
}

/* Iterates discrete states until they settle, or until the FMU asks for the end. */
static int iterate(ms_fmu_component *c)
{
    enum { ITERATIONS = 1000 };
    ms_fmi_update update = {.again = true};
    c->events = (ms_fmu_events){.next_time = INFINITY};
    for (int k = 0; update.again && !c->events.terminate; k++) {
        update = (ms_fmi_update){0};
        MS_TRY(ms_fmu_status(c, MS_FMU_CALL(c, update_discrete, &update)));
        if (k == ITERATIONS) {
            ms_fmu_voice_say(c->voice, MS_FMI_ERROR, "its event iteration does not end");
            return ms_fmu_status(c, MS_FMI_ERROR);
        }
        c->events.terminate |= update.terminate;
        c->events.states_changed |= update.states_changed;
        c->events.next_time = update.next_time_defined ? update.next_time : INFINITY;
    }
    return c->events.terminate ? ms_fmu_end(c) : MS_OK;
}

int ms_fmu_component_initialise(ms_fmu_component *component, const ms_fmu_values *values, const double *value)
{
    if (component->stage != MS_FMU_INSTANTIATED)
        return MS_SOLVER_FAILED;
    int status = initialise(component, values, value);
    if (status == MS_OK && component->fmu->kind == MS_FMU_MODEL_EXCHANGE) {
        status = iterate(component);
        MS_THEN(status, ms_fmu_status(component, MS_FMU_CALL_OF(component, enter_continuous)));
    }
    if (status == MS_OK)
        component->stage = MS_FMU_INITIALISED;
    else if (component->voice->said[0] == '\0')
        ms_fmu_voice_say(component->voice, MS_FMI_DISCARD, "it discards its initialisation");
    ms_fmu_go_home(component->fmu);
    return status;
}

const ms_fmu_events *ms_fmu_component_events(const ms_fmu_component *component)
{
    return &component->events;
}

void ms_fmu_component_intermediate(ms_fmu_component *component, ms_fmu_intermediate *call, void *self)
{
    component->intermediate = call;
    component->self = self;
}

int ms_fmu_handle_events(ms_fmu_component *component, const ms_fmu_values *inputs, const double *value,
                         ms_fmu_events *events)
{
    if (component->stage != MS_FMU_INITIALISED)
        return MS_SOLVER_FAILED;
    int status = ms_fmu_status(component, MS_FMU_CALL_OF(component, enter_event_mode));
    if (status == MS_OK && inputs != NULL)
        status = ms_fmu_write(component, inputs, value);
    MS_THEN(status, iterate(component));
    MS_THEN(status, ms_fmu_status(component, MS_FMU_CALL_OF(component, enter_continuous)));
    *events = component->events;
    return status;
}
