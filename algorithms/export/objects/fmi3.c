/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmi3.c - macrostep-fmi3.so, the binary of FMUs exported for FMI 3.0: it exports the functions of that standard.
 *
 * Inputs over a step of co-simulation. FMI 3.0 has no derivatives of inputs. If a master provides the intermediate update, it is
 * asked for the inputs in the middle and at the end of the step beforehand; inputs are the parabola through these and their values at
 * the start (ms_component_fit_inputs): parabolic inputs are reproduced up to round-off, held ones to the bit.
 *
 * Source: FMI 3.0.2. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define FMI(name)             fmi3##name
#define FMI_TEXT(name)        "fmi3" #name
#define FMI_STATE(verb, rest) fmi3##verb##FMUState##rest
#define FMI_STATE_TEXT(verb)  "fmi3" #verb "FMUState"
#include "fmi_functions.h"

typedef const char *text;
typedef uint32_t reference;

typedef void log_message(void *environment, int status, text category, text message);
typedef void intermediate_update(void *environment, double t, bool set_requested, bool get_allowed,
                                 bool step_finished, bool can_return_early, bool *early_return_requested,
                                 double *early_return_time);

/* What of the master's is kept: functions are no objects. */
typedef struct callbacks {
    log_message *log;
    intermediate_update *update;
    double *inputs; /* (3, number of inputs): at the start, in the middle, at the end */
} callbacks;

/* Life --------------------------------------------------------------------------------------------------- */

MS_FMI_EXPORT text fmi3GetVersion(void)
{
    return "3.0";
}

static void say(ms_fmi_instance *instance, int status, text category, text what)
{
    const callbacks *of = instance->functions;
    if (of->log != NULL)
        of->log(instance->environment, status, category, what);
}

static void destroy(ms_fmi_instance *instance)
{
    callbacks *of = instance != NULL ? instance->functions : NULL;
    if (of != NULL)
        free(of->inputs);
    free(of);
    ms_fmi_destroy(instance);
}

static ms_fmi_instance *instantiate(const ms_fmi_instance *with, const callbacks *of, text name, text token,
                                    text resources)
{
    ms_fmi_instance asked = *with;
    callbacks *own = malloc(sizeof *own);
    if (own == NULL)
        return NULL;
    *own = *of;
    asked.log = say;
    asked.functions = own;
    ms_fmi_instance *instance =
        ms_fmi_create(&asked, name, resources != NULL ? resources : "", token != NULL ? token : "");
    if (instance == NULL) {
        free(own);
        return NULL;
    }
    own->inputs = calloc(3 * (size_t)ms_component_n_inputs(instance->component) + 1, sizeof *own->inputs);
    if (own->inputs != NULL)
        return instance;
    destroy(instance);
    return NULL;
}

MS_FMI_EXPORT void *fmi3InstantiateModelExchange(text name, text token, text resources, bool visible,
                                                 bool logging, void *environment, log_message *log)
{
    (void)visible;
    return instantiate(&(ms_fmi_instance){.exchange = true, .logging = logging, .environment = environment},
                       &(callbacks){.log = log}, name, token, resources);
}

MS_FMI_EXPORT void *fmi3InstantiateCoSimulation(text name, text token, text resources, bool visible,
                                                bool logging, bool event_mode, bool early_return,
                                                const reference required[], size_t n_required,
                                                void *environment, log_message *log,
                                                intermediate_update *update)
{
    (void)visible, (void)early_return, (void)required, (void)n_required;
    if (event_mode) {
        if (log != NULL)
            log(environment, MS_FMI_ERROR, "logStatusError", "this FMU has no event mode in co-simulation");
        return NULL;
    }
    return instantiate(&(ms_fmi_instance){.logging = logging, .environment = environment},
                       &(callbacks){.log = log, .update = update}, name, token, resources);
}

MS_FMI_EXPORT void *fmi3InstantiateScheduledExecution(text name, text token, text resources, bool visible,
                                                      bool logging, void *environment, log_message *log,
                                                      void (*clock)(void *), void (*lock)(void),
                                                      void (*unlock)(void))
{
    (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)clock, (void)lock,
        (void)unlock;
    if (log != NULL)
        log(environment, MS_FMI_ERROR, "logStatusError", "this FMU has no scheduled execution");
    return NULL;
}

MS_FMI_EXPORT void fmi3FreeInstance(void *c)
{
    destroy(c);
}

MS_FMI_EXPORT int fmi3SetDebugLogging(void *c, bool on, size_t n, const text categories[])
{
    if (!ms_fmi_may(c, MS_MODE_ANY, "fmi3SetDebugLogging"))
        return MS_FMI_ERROR;
    ms_fmi_set_logging(c, on, n, categories);
    return MS_FMI_OK;
}

MS_FMI_EXPORT int fmi3EnterInitializationMode(void *c, bool tolerance_defined, double tolerance, double start,
                                              bool stop_defined, double stop)
{
    ms_fmi_instance *instance = c;
    (void)tolerance_defined, (void)tolerance, (void)stop_defined, (void)stop; /* its own tolerances hold */
    if (!ms_fmi_may(instance, MS_MODE_INSTANTIATED, "fmi3EnterInitializationMode"))
        return MS_FMI_ERROR;
    instance->start_time = start;
    return ms_fmi_enter_initialisation(instance);
}

/* There is nothing of that kind in these FMUs. */
static int none(void *c, text function)
{
    ms_fmi_may(c, 0, function);
    return MS_FMI_ERROR;
}

#define NO_MODE(name)                                                                                        \
    MS_FMI_EXPORT int fmi3##name(void *c)                                                                    \
    {                                                                                                        \
        return none(c, "fmi3" #name);                                                                        \
    }
NO_MODE(EnterConfigurationMode)
NO_MODE(ExitConfigurationMode)
NO_MODE(EnterStepMode)

/* Values ------------------------------------------------------------------------------------------------- */

MS_FMI_EXPORT int fmi3GetFloat64(void *c, const reference vr[], size_t n, double value[], size_t n_values)
{
    ms_fmi_instance *instance = c;
    return ms_fmi_fits(instance, MS_MODE_ANY, "fmi3GetFloat64", n_values, n)
               ? ms_fmi_status(instance, ms_component_get(instance->component, n, vr, value))
               : MS_FMI_ERROR;
}

MS_FMI_EXPORT int fmi3SetFloat64(void *c, const reference vr[], size_t n, const double value[],
                                 size_t n_values)
{
    ms_fmi_instance *instance = c;
    return ms_fmi_fits(instance, MS_MODE_SET, "fmi3SetFloat64", n_values, n)
               ? ms_fmi_status(instance, ms_component_set(instance->component, n, vr, value))
               : MS_FMI_ERROR;
}

/* A function of references and values that do not exist here: valid only without references. */
#define ABSENT(name, unused, ...)                                                                            \
    MS_FMI_EXPORT int fmi3##name(void *c, const reference vr[], size_t n, __VA_ARGS__)                       \
    {                                                                                                        \
        (void)vr, unused;                                                                                    \
        return n == 0 ? MS_FMI_OK : none(c, "fmi3" #name);                                                   \
    }

/* Values of other types. */
#define OTHER_TYPE(type, c_type)                                                                             \
    ABSENT(Get##type, ((void)value, (void)m), c_type value[], size_t m)                                      \
    ABSENT(Set##type, ((void)value, (void)m), const c_type value[], size_t m)
OTHER_TYPE(Float32, float)
OTHER_TYPE(Int8, int8_t)
OTHER_TYPE(UInt8, uint8_t)
OTHER_TYPE(Int16, int16_t)
OTHER_TYPE(UInt16, uint16_t)
OTHER_TYPE(Int32, int32_t)
OTHER_TYPE(UInt32, uint32_t)
OTHER_TYPE(Int64, int64_t)
OTHER_TYPE(UInt64, uint64_t)
OTHER_TYPE(Boolean, bool)
OTHER_TYPE(String, text)
#define UNUSED_3 ((void)first, (void)second, (void)third)
ABSENT(GetBinary, UNUSED_3, size_t first[], const uint8_t *second[], size_t third)
ABSENT(SetBinary, UNUSED_3, const size_t first[], const uint8_t *const second[], size_t third)

/* Clocks. */
#define CLOCKS_1(name, a)    ABSENT(name, (void)first, a first)
#define CLOCKS_2(name, a, b) ABSENT(name, ((void)first, (void)second), a first, b second)
CLOCKS_1(GetClock, bool *)
CLOCKS_1(SetClock, const bool *)
CLOCKS_2(GetIntervalDecimal, double *, int *)
ABSENT(GetIntervalFraction, UNUSED_3, uint64_t *first, uint64_t *second, int *third)
CLOCKS_1(GetShiftDecimal, double *)
CLOCKS_2(GetShiftFraction, uint64_t *, uint64_t *)
CLOCKS_1(SetIntervalDecimal, const double *)
CLOCKS_2(SetIntervalFraction, const uint64_t *, const uint64_t *)
CLOCKS_1(SetShiftDecimal, const double *)
CLOCKS_2(SetShiftFraction, const uint64_t *, const uint64_t *)

MS_FMI_EXPORT int fmi3EvaluateDiscreteStates(void *c)
{
    (void)c;
    return MS_FMI_OK;
}

MS_FMI_EXPORT int fmi3ActivateModelPartition(void *c, reference clock, double t)
{
    (void)clock, (void)t;
    return none(c, "fmi3ActivateModelPartition");
}

MS_FMI_EXPORT int fmi3GetNumberOfVariableDependencies(void *c, reference vr, size_t *n)
{
    (void)vr;
    *n = 0;
    return none(c, "fmi3GetNumberOfVariableDependencies");
}

MS_FMI_EXPORT int fmi3GetVariableDependencies(void *c, reference vr, size_t elements[],
                                              reference independents[], size_t independent_elements[],
                                              int kinds[], size_t n)
{
    (void)vr, (void)elements, (void)independents, (void)independent_elements, (void)kinds, (void)n;
    return none(c, "fmi3GetVariableDependencies");
}

MS_FMI_EXPORT int fmi3GetDirectionalDerivative(void *c, const reference unknown[], size_t n_unknowns,
                                               const reference known[], size_t n_knowns, const double seed[],
                                               size_t n_seed, double sensitivity[], size_t n_sensitivity)
{
    ms_fmi_instance *instance = c;
    if (!ms_fmi_fits(instance, MS_MODE_READ, "fmi3GetDirectionalDerivative", n_seed, n_knowns) ||
        !ms_fmi_fits(instance, MS_MODE_READ, "fmi3GetDirectionalDerivative", n_sensitivity, n_unknowns))
        return MS_FMI_ERROR;
    return ms_fmi_status(instance,
                         ms_component_directional_derivative(instance->component, n_unknowns, unknown,
                                                             n_knowns, known, seed, sensitivity));
}

MS_FMI_EXPORT int fmi3GetAdjointDerivative(void *c, const reference unknown[], size_t n_unknowns,
                                           const reference known[], size_t n_knowns, const double seed[],
                                           size_t n_seed, double sensitivity[], size_t n_sensitivity)
{
    (void)unknown, (void)n_unknowns, (void)known, (void)n_knowns, (void)seed, (void)n_seed, (void)sensitivity,
        (void)n_sensitivity;
    return none(c, "fmi3GetAdjointDerivative");
}

/* States ------------------------------------------------------------------------------------------------- */

MS_FMI_EXPORT int fmi3DeserializeFMUState(void *c, const uint8_t bytes[], size_t size, void **state)
{
    return ms_fmi_deserialise(c, bytes, size, state);
}

/* Model exchange ----------------------------------------------------------------------------------------- */

MS_FMI_EXPORT int fmi3UpdateDiscreteStates(void *c, bool *needs_update, bool *terminate,
                                           bool *nominals_changed, bool *states_changed,
                                           bool *next_time_defined, double *next_time)
{
    ms_fmi_instance *instance = c;
    if (!ms_fmi_may(instance, MS_MODE_EVENT, "fmi3UpdateDiscreteStates"))
        return MS_FMI_ERROR;
    *needs_update = *terminate = *nominals_changed = *next_time_defined = false;
    const int status =
        ms_fmi_status(instance, ms_component_handle_events(instance->component, states_changed, next_time));
    *next_time_defined = status == MS_FMI_OK && isfinite(*next_time);
    return status;
}

MS_FMI_EXPORT int fmi3CompletedIntegratorStep(void *c, bool keep, bool *enter_event_mode, bool *terminate)
{
    ms_fmi_instance *instance = c;
    (void)keep;
    if (!ms_fmi_may(instance, MS_MODE_CONTINUOUS, "fmi3CompletedIntegratorStep"))
        return MS_FMI_ERROR;
    *terminate = false;
    return ms_fmi_status(instance, ms_component_completed_step(instance->component, enter_event_mode));
}

MS_FMI_EXPORT int fmi3GetContinuousStateDerivatives(void *c, double dx[], size_t n)
{
    return ms_fmi_get_all(c, "fmi3GetContinuousStateDerivatives", ms_component_n_states,
                          ms_component_derivatives, dx, n);
}

static int get_number(const ms_fmi_instance *instance, int count(const ms_component *), size_t *n)
{
    *n = (size_t)count(instance->component);
    return MS_FMI_OK;
}

MS_FMI_EXPORT int fmi3GetNumberOfEventIndicators(void *c, size_t *n)
{
    return get_number(c, ms_component_n_indicators, n);
}

MS_FMI_EXPORT int fmi3GetNumberOfContinuousStates(void *c, size_t *n)
{
    return get_number(c, ms_component_n_states, n);
}

/* Co-simulation ------------------------------------------------------------------------------------------ */

MS_FMI_EXPORT int fmi3GetOutputDerivatives(void *c, const reference vr[], size_t n, const int32_t order[],
                                           double value[], size_t n_values)
{
    ms_fmi_instance *instance = c;
    return ms_fmi_fits(instance, MS_MODE_STEP | MS_MODE_INITIALISATION | MS_MODE_TERMINATED,
                       "fmi3GetOutputDerivatives", n_values, n)
               ? ms_fmi_status(instance,
                               ms_component_get_output_derivatives(instance->component, n, vr, order, value))
               : MS_FMI_ERROR;
}

/* Values of all inputs (at), read or set. */
static int inputs(ms_fmi_instance *instance, double *at,
                  int call(ms_component *, size_t, const unsigned *, double *))
{
    const int n = ms_component_n_inputs(instance->component);
    const unsigned first = ms_component_first_input(instance->component);
    for (int k = 0; k < n; k++)
        MS_TRY(call(instance->component, 1, &(unsigned){first + (unsigned)k}, &at[k]));
    return MS_OK;
}

static int set(ms_component *component, size_t n, const unsigned *vr, double *value)
{
    return ms_component_set(component, n, vr, value);
}

/* The inputs at t, as the master sets them. */
static int ask(ms_fmi_instance *instance, double t, double *at)
{
    const callbacks *of = instance->functions;
    bool early = false;
    double early_time = 0.0;
    of->update(instance->environment, t, true, false, false, false, &early, &early_time);
    return inputs(instance, at, ms_component_get);
}

static int read_inputs(ms_fmi_instance *instance, double t, double h)
{
    const callbacks *of = instance->functions;
    const int n = ms_component_n_inputs(instance->component),
              degree = ms_component_input_degree(instance->component);
    double *start = of->inputs, *middle = start + n, *end = middle + n;
    if (of->update == NULL || n == 0 || degree == 0)
        return MS_OK;
    int status = inputs(instance, start, ms_component_get);
    if (status == MS_OK)
        status = inputs(instance, start, set); /* they do not go on from the last step */
    MS_THEN(status, ask(instance, t + 0.5 * h, middle));
    MS_THEN(status, ask(instance, t + h, end));
    MS_THEN(status, inputs(instance, start, set));
    return status == MS_OK ? ms_component_fit_inputs(instance->component, h, middle, end) : status;
}

MS_FMI_EXPORT int fmi3DoStep(void *c, double t, double h, bool keep, bool *event, bool *terminate,
                             bool *early_return, double *last_time)
{
    ms_fmi_instance *instance = c;
    (void)keep;
    if (!ms_fmi_may(instance, MS_MODE_STEP, "fmi3DoStep"))
        return MS_FMI_ERROR;
    *event = *terminate = *early_return = false;
    int status = read_inputs(instance, t, h);
    MS_THEN(status, ms_component_step(instance->component, t, h));
    *last_time = status == MS_OK ? t + h : t;
    return ms_fmi_status(instance, status);
}
