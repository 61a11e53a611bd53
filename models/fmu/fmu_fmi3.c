/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_fmi3.c - FMI 3.0 behind the table of fmu_parts.h. Co-simulation uses event mode if the FMU has it: a step
 * returns early at an event, which is handled before it returns, and the caller continues from there. */
#include <math.h>
#include <string.h>

#include "fmi3.h"
#define FUNCTIONS             MS_FMI3_FUNCTIONS
#define TEXT(name)            "fmi3" #name
#define TYPE(name)            ms_fmi3_##name
#define STATE(before, behind) before##FMUState##behind
#define DESERIALISE           DeserializeFMUState
#define DERIVATIVES           GetContinuousStateDerivatives
#include "fmu_common.h"

/* Life --------------------------------------------------------------------------------------------------- */

static void logger(void *environment, fmi3Status status, const char *category, const char *message)
{
    (void)category;
    ms_fmu_voice *voice = ms_fmu_voice_by(environment);
    if (voice != NULL && message != NULL)
        ms_fmu_voice_say(voice, (int)status, message);
}

static void intermediate_update(void *environment, double t, bool set_requested, bool get_allowed,
                                bool step_finished, bool can_return_early, bool *early_return_requested,
                                double *early_return_time)
{
    const ms_fmu_voice *voice = ms_fmu_voice_by(environment);
    const ms_fmu_component *c = voice != NULL ? voice->component : NULL;
    (void)step_finished, (void)can_return_early, (void)early_return_time;
    if (early_return_requested != NULL)
        *early_return_requested = false;
    if (c != NULL && c->intermediate != NULL)
        c->intermediate(c->self, t, set_requested, get_allowed);
}

/* The references of all variables that may be set or read within a step. */
static size_t list_intermediate(const ms_fmu_description *d, unsigned *reference)
{
    size_t n = 0;
    for (int k = 0; k < d->n_variables; k++)
        if (d->variables[k].intermediate_update && d->variables[k].n_dimensions == 0)
            reference[n++] = d->variables[k].value_reference;
    return n;
}

/* Events within steps of co-simulation are handled here, not internally by the FMU. */
static bool has_event_mode(const ms_fmu_component *c)
{
    return c->fmu->kind == MS_FMU_CO_SIMULATION && ms_fmu_flags_of(c->fmu)->event_mode &&
           !c->refuses_event_mode && of(c)->EnterStepMode != NULL && of(c)->EnterEventMode != NULL &&
           of(c)->UpdateDiscreteStates != NULL;
}

/* An FMU that declares event mode and refuses it is treated as without. */
static void *instantiate_co_simulation(ms_fmu_component *c, const ms_fmu_setup *setup)
{
    const ms_fmu_description *d = c->fmu->description;
    const bool update = setup->intermediate_update && d->flags[MS_FMU_CO_SIMULATION].intermediate_update;
    unsigned *reference = calloc((size_t)d->n_variables + 1, sizeof *reference);
    if (reference == NULL)
        return NULL;
    const size_t n = update ? list_intermediate(d, reference) : 0;
    void *instance = of(c)->InstantiateCoSimulation(setup->instance_name, d->token, c->fmu->resources, false,
                                                    false, has_event_mode(c), has_event_mode(c), reference, n,
                                                    c->voice, logger, update ? intermediate_update : NULL);
    free(reference);
    if (instance != NULL || !has_event_mode(c))
        return instance;
    c->refuses_event_mode = true;
    ms_fmu_voice_clear(c->voice);
    return instantiate_co_simulation(c, setup);
}

static int instantiate(ms_fmu_component *c, const ms_fmu_setup *setup)
{
    const ms_fmu *fmu = c->fmu;
    c->instance = fmu->kind == MS_FMU_CO_SIMULATION
                      ? instantiate_co_simulation(c, setup)
                      : of(c)->InstantiateModelExchange(setup->instance_name, fmu->description->token,
                                                        fmu->resources, false, false, c->voice, logger);
    if (c->instance != NULL && fmu->description->logs_discards && of(c)->SetDebugLogging != NULL)
        (void)of(c)->SetDebugLogging(c->instance, true, 1, (const char *const[]){MS_FMU_LOG_DISCARD});
    return c->instance != NULL ? MS_FMI_OK : MS_FMI_ERROR;
}

static int configure(ms_fmu_component *c, bool begins)
{
    if (of(c)->EnterConfigurationMode == NULL || of(c)->ExitConfigurationMode == NULL)
        return MS_FMI_DISCARD;
    return begins ? of(c)->EnterConfigurationMode(c->instance) : of(c)->ExitConfigurationMode(c->instance);
}

static int enter_initialisation(ms_fmu_component *c)
{
    const bool stop_defined = isfinite(c->stop_time);
    return of(c)->EnterInitializationMode(c->instance, c->tolerance > 0.0, c->tolerance, c->start_time,
                                          stop_defined, stop_defined ? c->stop_time : 0.0);
}

/* In event mode: iterates discrete states until they settle, and returns to step mode. */
static int leave_event_mode(ms_fmu_component *c)
{
    enum { ITERATIONS = 1000 };
    bool again = true, end = false, nominals, states, defined;
    double next;
    int status = MS_FMI_OK;
    for (int k = 0; again && !end && status <= MS_FMI_WARNING; k++) {
        if (k == ITERATIONS) {
            ms_fmu_voice_say(c->voice, MS_FMI_ERROR, "its event iteration does not end");
            return MS_FMI_ERROR;
        }
        again = nominals = states = defined = false;
        status = of(c)->UpdateDiscreteStates(c->instance, &again, &end, &nominals, &states, &defined, &next);
    }
    if (status > MS_FMI_WARNING)
        return status;
    return end ? MS_FMI_END : of(c)->EnterStepMode(c->instance);
}

static int exit_initialisation(ms_fmu_component *c)
{
    const int status = of(c)->ExitInitializationMode(c->instance);
    return status <= MS_FMI_WARNING && has_event_mode(c) ? leave_event_mode(c) : status;
}

/* Values ------------------------------------------------------------------------------------------------- */

#define TYPES(X)                                                                                             \
    X(MS_FMU_FLOAT32, Float32, float)                                                                        \
    X(MS_FMU_INT8, Int8, int8_t)                                                                             \
    X(MS_FMU_UINT8, UInt8, uint8_t)                                                                          \
    X(MS_FMU_INT16, Int16, int16_t)                                                                          \
    X(MS_FMU_UINT16, UInt16, uint16_t)                                                                       \
    X(MS_FMU_INT32, Int32, int32_t)                                                                          \
    X(MS_FMU_UINT32, UInt32, uint32_t)                                                                       \
    X(MS_FMU_INT64, Int64, int64_t)                                                                          \
    X(MS_FMU_UINT64, UInt64, uint64_t)                                                                       \
    X(MS_FMU_BOOLEAN, Boolean, bool)                                                                         \
    X(MS_FMU_ENUMERATION, Int64, int64_t)

/* Converted in place from the end: doubles are at least as long. */
static int get(ms_fmu_component *c, const ms_fmu_group *g, double *value)
{
#define GET(kind, name, c_type)                                                                              \
    case kind: {                                                                                             \
        const int status = of(c)->Get##name != NULL                                                          \
                               ? of(c)->Get##name(c->instance, g->reference, (size_t)g->n,                   \
                                                  (c_type *)(void *)value, (size_t)g->n_values)              \
                               : MS_FMI_DISCARD;                                                             \
        for (int k = g->n_values - 1; k >= 0 && status <= MS_FMI_WARNING; k--) {                             \
            c_type number;                                                                                   \
            memcpy(&number, (const char *)value + (size_t)k * sizeof number, sizeof number);                 \
            value[k] = (double)number;                                                                       \
            if ((long double)value[k] != (long double)number)                                                \
                return ms_fmu_no_value(c, g, k, (long double)number);                                        \
        }                                                                                                    \
        return status;                                                                                       \
    }
    switch (g->type) {
        TYPES(GET)
    case MS_FMU_FLOAT64:
        return of(c)->GetFloat64(c->instance, g->reference, (size_t)g->n, value, (size_t)g->n_values);
    default:
        return MS_FMI_DISCARD;
    }
}

static int set(ms_fmu_component *c, const ms_fmu_group *g, const double *value)
{
#define SET(kind, name, c_type)                                                                              \
    case kind: {                                                                                             \
        c_type *number = (c_type *)(void *)c->work;                                                          \
        for (int k = 0; k < g->n_values; k++) {                                                              \
            if (!ms_fmu_is_value(g->type, value[k]))                                                         \
                return ms_fmu_no_value(c, g, k, value[k]);                                                   \
            number[k] = (c_type)value[k];                                                                    \
        }                                                                                                    \
        return of(c)->Set##name != NULL                                                                      \
                   ? of(c)->Set##name(c->instance, g->reference, (size_t)g->n, number, (size_t)g->n_values)  \
                   : MS_FMI_DISCARD;                                                                         \
    }
    switch (g->type) {
        TYPES(SET)
    case MS_FMU_FLOAT64:
        return of(c)->SetFloat64(c->instance, g->reference, (size_t)g->n, value, (size_t)g->n_values);
    default:
        return MS_FMI_DISCARD;
    }
}

static int set_text(ms_fmu_component *c, unsigned reference, const char *value)
{
    return of(c)->SetString != NULL ? of(c)->SetString(c->instance, &reference, 1, &value, 1)
                                    : MS_FMI_DISCARD;
}

static int directional(ms_fmu_component *c, int n_unknowns, const unsigned *unknown, int n_knowns,
                       const unsigned *known, const double *seed, double *sensitivity)
{
    const size_t n = (size_t)n_unknowns, m = (size_t)n_knowns;
    return of(c)->GetDirectionalDerivative == NULL
               ? MS_FMI_DISCARD
               : of(c)->GetDirectionalDerivative(c->instance, unknown, n, known, m, seed, m, sensitivity, n);
}

/* Co-simulation ------------------------------------------------------------------------------------------ */

/* Steps at most up to an event, which is handled. */
static int step_to_event(ms_fmu_component *c, double t, double h, bool keep, double *reached, bool *event)
{
    bool end = false, early = false;
    double last = t;
    *event = false;
    int status = of(c)->DoStep(c->instance, t, h, keep, event, &end, &early, &last);
    *event = *event && has_event_mode(c);
    *reached = status <= MS_FMI_WARNING && !early ? t + h : last;
    if (status <= MS_FMI_WARNING && end)
        return MS_FMI_END;
    if (status > MS_FMI_WARNING || !*event)
        return status;
    status = of(c)->EnterEventMode(c->instance);
    return status <= MS_FMI_WARNING ? leave_event_mode(c) : status;
}

/* An event at the very beginning does not end the step. */
static int step(ms_fmu_component *c, double t, double h, bool keep, double *reached)
{
    enum { AT_ONCE = 10 };
    bool event = true;
    int status = MS_FMI_OK;
    *reached = t;
    for (int k = 0; k < AT_ONCE && event && *reached <= t && status <= MS_FMI_WARNING; k++)
        status = step_to_event(c, t, h, keep, reached, &event);
    return status;
}

static int get_output_derivatives(ms_fmu_component *c, int n, const unsigned *reference, const int *order,
                                  double *value)
{
    return of(c)->GetOutputDerivatives == NULL
               ? MS_FMI_DISCARD
               : of(c)->GetOutputDerivatives(c->instance, reference, (size_t)n, order, value, (size_t)n);
}

/* Model exchange ----------------------------------------------------------------------------------------- */

static int completed_step(ms_fmu_component *c, bool keep, bool *event_mode, bool *terminated)
{
    return of(c)->CompletedIntegratorStep(c->instance, keep, event_mode, terminated);
}

/* Without event mode co-simulation handles events when inputs are set. */
static bool has_no_events(const ms_fmu_component *c)
{
    return c->fmu->kind == MS_FMU_CO_SIMULATION && !has_event_mode(c);
}

static int enter_event_mode(ms_fmu_component *c)
{
    return has_no_events(c) ? MS_FMI_OK : of(c)->EnterEventMode(c->instance);
}

static int update_discrete(ms_fmu_component *c, ms_fmi_update *u)
{
    bool nominals = false;
    if (has_no_events(c))
        return MS_FMI_OK;
    return of(c)->UpdateDiscreteStates(c->instance, &u->again, &u->terminate, &nominals, &u->states_changed,
                                       &u->next_time_defined, &u->next_time);
}

static int enter_continuous(ms_fmu_component *c)
{
    if (c->fmu->kind == MS_FMU_CO_SIMULATION)
        return has_event_mode(c) ? of(c)->EnterStepMode(c->instance) : MS_FMI_OK;
    return of(c)->EnterContinuousTimeMode(c->instance);
}

const ms_fmi ms_fmi_3 = {COMMON, .configure = configure};
