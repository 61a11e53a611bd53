/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_fmi2.c - FMI 2.0 behind the table of fmu_parts.h. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FUNCTIONS             MS_FMI2_FUNCTIONS
#define TEXT(name)            "fmi2" #name
#define TYPE(name)            ms_fmi2_##name
#define STATE(before, behind) before##FMUstate##behind
#define DESERIALISE           DeSerializeFMUstate
#define DERIVATIVES           GetDerivatives
#include "fmu_common.h"

/* Life --------------------------------------------------------------------------------------------------- */

static void logger(void *environment, const char *instance, fmi2Status status, const char *category,
                   const char *message, ...)
{
    (void)instance, (void)category;
    char line[sizeof((ms_fmu_voice *)0)->said];
    va_list arguments;
    ms_fmu_voice *voice = ms_fmu_voice_by(environment);
    if (voice == NULL || message == NULL)
        return;
    va_start(arguments, message);
    ms_fmu_log_text(message, &arguments, line, sizeof line);
    va_end(arguments);
    ms_fmu_voice_say(voice, (int)status, line);
}

static int instantiate(ms_fmu_component *c, const ms_fmu_setup *setup)
{
    const ms_fmu *fmu = c->fmu;
    c->voice->callbacks = (fmi2CallbackFunctions){logger, calloc, free, NULL, c->voice};
    c->instance = of(c)->Instantiate(setup->instance_name,
                                     fmu->kind == MS_FMU_CO_SIMULATION ? fmi2CoSimulation : fmi2ModelExchange,
                                     fmu->description->token, fmu->resources, &c->voice->callbacks, 0, 0);
    if (c->instance != NULL && fmu->description->logs_discards && of(c)->SetDebugLogging != NULL)
        (void)of(c)->SetDebugLogging(c->instance, 1, 1, (const char *const[]){MS_FMU_LOG_DISCARD});
    return c->instance != NULL ? MS_FMI_OK : MS_FMI_ERROR;
}

static int enter_initialisation(ms_fmu_component *c)
{
    const int stop_defined = isfinite(c->stop_time);
    const int status = of(c)->SetupExperiment(c->instance, c->tolerance > 0.0, c->tolerance, c->start_time,
                                              stop_defined, stop_defined ? c->stop_time : 0.0);
    return status > MS_FMI_WARNING ? status : of(c)->EnterInitializationMode(c->instance);
}

static int exit_initialisation(ms_fmu_component *c)
{
    return of(c)->ExitInitializationMode(c->instance);
}

/* Values ------------------------------------------------------------------------------------------------- */

/* Booleans are of type int, like integers. */
static int get_integers(ms_fmu_component *c, const ms_fmu_group *g, double *value)
{
    int (*const getter)(void *, const unsigned *, size_t, int *) =
        g->type == MS_FMU_BOOLEAN ? of(c)->GetBoolean : of(c)->GetInteger;
    const int status = getter != NULL ? getter(c->instance, g->reference, (size_t)g->n, (int *)(void *)value)
                                      : MS_FMI_DISCARD;
    for (int k = g->n - 1; k >= 0 && status <= MS_FMI_WARNING; k--) { /* from the end: doubles are longer */
        int number;
        memcpy(&number, (const int *)(const void *)value + k, sizeof number);
        value[k] = g->type == MS_FMU_BOOLEAN ? number != 0 : number;
    }
    return status;
}

static int set_integers(ms_fmu_component *c, const ms_fmu_group *g, const double *value)
{
    int *number = (int *)(void *)c->work;
    int (*const setter)(void *, const unsigned *, size_t, const int *) =
        g->type == MS_FMU_BOOLEAN ? of(c)->SetBoolean : of(c)->SetInteger;
    for (int k = 0; k < g->n; k++) {
        if (!ms_fmu_is_value(g->type, value[k]))
            return ms_fmu_no_value(c, g, k, value[k]);
        number[k] = (int)value[k];
    }
    return setter != NULL ? setter(c->instance, g->reference, (size_t)g->n, number) : MS_FMI_DISCARD;
}

static int get(ms_fmu_component *c, const ms_fmu_group *g, double *value)
{
    return g->type == MS_FMU_FLOAT64 ? of(c)->GetReal(c->instance, g->reference, (size_t)g->n, value)
                                     : get_integers(c, g, value);
}

static int set(ms_fmu_component *c, const ms_fmu_group *g, const double *value)
{
    return g->type == MS_FMU_FLOAT64 ? of(c)->SetReal(c->instance, g->reference, (size_t)g->n, value)
                                     : set_integers(c, g, value);
}

static int set_text(ms_fmu_component *c, unsigned reference, const char *value)
{
    return of(c)->SetString != NULL ? of(c)->SetString(c->instance, &reference, 1, &value) : MS_FMI_DISCARD;
}

static int directional(ms_fmu_component *c, int n_unknowns, const unsigned *unknown, int n_knowns,
                       const unsigned *known, const double *seed, double *sensitivity)
{
    return of(c)->GetDirectionalDerivative == NULL
               ? MS_FMI_DISCARD
               : of(c)->GetDirectionalDerivative(c->instance, unknown, (size_t)n_unknowns, known,
                                                 (size_t)n_knowns, seed, sensitivity);
}

/* Co-simulation ------------------------------------------------------------------------------------------ */

static bool is_terminated(const ms_fmu_component *c)
{
    int terminated = 0;
    return of(c)->GetBooleanStatus != NULL &&
           of(c)->GetBooleanStatus(c->instance, fmi2Terminated, &terminated) <= MS_FMI_WARNING &&
           terminated != 0;
}

/* The status of a step that the FMU does while it has returned (canRunAsynchronuously): it is asked until the step is done. */
static int wait_for_step(const ms_fmu_component *c)
{
    static const struct timespec pause = {.tv_nsec = 20000};
    int status = of(c)->GetStatus != NULL ? fmi2Pending : MS_FMI_ERROR;
    while (status == fmi2Pending) {
        nanosleep(&pause, NULL);
        if (of(c)->GetStatus(c->instance, fmi2DoStepStatus, &status) > MS_FMI_WARNING)
            status = MS_FMI_ERROR;
    }
    return status;
}

static int step(ms_fmu_component *c, double t, double h, bool keep, double *reached)
{
    const int begun = of(c)->DoStep(c->instance, t, h, keep),
              status = begun == fmi2Pending ? wait_for_step(c) : begun;
    *reached = status <= MS_FMI_WARNING ? t + h : t;
    if (status == MS_FMI_DISCARD && of(c)->GetRealStatus != NULL &&
        of(c)->GetRealStatus(c->instance, fmi2LastSuccessfulTime, reached) > MS_FMI_WARNING)
        *reached = t;
    return status == MS_FMI_DISCARD && is_terminated(c) ? MS_FMI_END : status;
}

static int set_input_derivatives(ms_fmu_component *c, int n, const unsigned *reference, const int *order,
                                 const double *value)
{
    return of(c)->SetRealInputDerivatives == NULL
               ? MS_FMI_DISCARD
               : of(c)->SetRealInputDerivatives(c->instance, reference, (size_t)n, order, value);
}

static int get_output_derivatives(ms_fmu_component *c, int n, const unsigned *reference, const int *order,
                                  double *value)
{
    return of(c)->GetRealOutputDerivatives == NULL
               ? MS_FMI_DISCARD
               : of(c)->GetRealOutputDerivatives(c->instance, reference, (size_t)n, order, value);
}

/* Model exchange ----------------------------------------------------------------------------------------- */

static int completed_step(ms_fmu_component *c, bool keep, bool *enter_event_mode, bool *terminated)
{
    int event = 0, end = 0;
    const int status = of(c)->CompletedIntegratorStep(c->instance, keep, &event, &end);
    *enter_event_mode = event != 0;
    *terminated = end != 0;
    return status;
}

static int enter_event_mode(ms_fmu_component *c)
{
    return of(c)->EnterEventMode(c->instance);
}

static int update_discrete(ms_fmu_component *c, ms_fmi_update *update)
{
    fmi2EventInfo info = {0};
    const int status = of(c)->NewDiscreteStates(c->instance, &info);
    *update = (ms_fmi_update){info.newDiscreteStatesNeeded != 0, info.terminateSimulation != 0,
                              info.valuesOfContinuousStatesChanged != 0, info.nextEventTimeDefined != 0,
                              info.nextEventTime};
    return status;
}

static int enter_continuous(ms_fmu_component *c)
{
    return of(c)->EnterContinuousTimeMode(c->instance);
}

const ms_fmi ms_fmi_2 = {COMMON, .set_input_derivatives = set_input_derivatives};
