/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmi2.c - macrostep-fmi2.so, the binary of FMUs exported for FMI 2.0: it exports the functions of that standard.
 *
 * Source: FMI for Model Exchange and Co-Simulation 2.0.4. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#define FMI(name)             fmi2##name
#define FMI_TEXT(name)        "fmi2" #name
#define FMI_STATE(verb, rest) fmi2##verb##FMUstate##rest
#define FMI_STATE_TEXT(verb)  "fmi2" #verb "FMUstate"
#include "fmi_functions.h"

enum { PATH_LENGTH = 4096 };

typedef const char *text;
typedef unsigned reference;

typedef struct event_info {
    int new_discrete_states_needed, terminate, nominals_changed, states_changed, next_time_defined;
    double next_time;
} event_info;

typedef struct callbacks {
    void (*logger)(void *environment, text instance, int status, text category, text message, ...);
    void *(*allocate)(size_t n, size_t size);
    void (*release)(void *memory);
    void (*step_finished)(void *environment, int status);
    void *environment;
} callbacks;

/* Life --------------------------------------------------------------------------------------------------- */

MS_FMI_EXPORT text fmi2GetTypesPlatform(void)
{
    return "default";
}

MS_FMI_EXPORT text fmi2GetVersion(void)
{
    return "2.0";
}

static void say(ms_fmi_instance *instance, int status, text category, text what)
{
    const callbacks *functions = instance->functions;
    if (functions != NULL && functions->logger != NULL)
        functions->logger(functions->environment, instance->name, status, category, "%s", what);
}

static int hexadecimal(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* The path of a URI file:///.., file:/.. or file://host/..; other texts count as paths. */
static void path_of(text uri, char path[PATH_LENGTH])
{
    size_t n = 0;
    const bool is_uri = strncmp(uri, "file:", 5) == 0;
    if (is_uri)
        uri += 5;
    if (is_uri && strncmp(uri, "//", 2) == 0) {
        text slash = strchr(uri + 2, '/');
        uri = slash != NULL ? slash : uri + 2;
    }
    for (; *uri != '\0' && n + 1 < PATH_LENGTH; n++) {
        const bool coded =
            is_uri && uri[0] == '%' && isxdigit((unsigned char)uri[1]) && isxdigit((unsigned char)uri[2]);
        path[n] = coded ? (char)(hexadecimal(uri[1]) * 16 + hexadecimal(uri[2])) : *uri;
        uri += coded ? 3 : 1;
    }
    path[n] = '\0';
}

MS_FMI_EXPORT void *fmi2Instantiate(text name, int type, text guid, text resources,
                                    const callbacks *functions, int visible, int logging)
{
    (void)visible;
    char path[PATH_LENGTH];
    const ms_fmi_instance with = {
        .exchange = type == 0, .logging = logging != 0, .log = say, .functions = (void *)functions};
    path_of(resources != NULL ? resources : "", path);
    return ms_fmi_create(&with, name, path, guid != NULL ? guid : "");
}

MS_FMI_EXPORT void fmi2FreeInstance(void *c)
{
    ms_fmi_destroy(c);
}

MS_FMI_EXPORT int fmi2SetDebugLogging(void *c, int on, size_t n, const text categories[])
{
    if (!ms_fmi_may(c, MS_MODE_ANY, "fmi2SetDebugLogging"))
        return MS_FMI_ERROR;
    ms_fmi_set_logging(c, on != 0, n, categories);
    return MS_FMI_OK;
}

MS_FMI_EXPORT int fmi2SetupExperiment(void *c, int tolerance_defined, double tolerance, double start,
                                      int stop_defined, double stop)
{
    ms_fmi_instance *instance = c;
    (void)tolerance_defined, (void)tolerance, (void)stop_defined, (void)stop; /* its own tolerances hold */
    if (!ms_fmi_may(instance, MS_MODE_INSTANTIATED, "fmi2SetupExperiment"))
        return MS_FMI_ERROR;
    instance->start_time = start;
    return MS_FMI_OK;
}

MS_FMI_EXPORT int fmi2EnterInitializationMode(void *c)
{
    return ms_fmi_may(c, MS_MODE_INSTANTIATED, "fmi2EnterInitializationMode") ? ms_fmi_enter_initialisation(c)
                                                                              : MS_FMI_ERROR;
}

/* Values ------------------------------------------------------------------------------------------------- */

MS_FMI_EXPORT int fmi2GetReal(void *c, const reference vr[], size_t n, double value[])
{
    ms_fmi_instance *instance = c;
    return ms_fmi_may(instance, MS_MODE_ANY, "fmi2GetReal")
               ? ms_fmi_status(instance, ms_component_get(instance->component, n, vr, value))
               : MS_FMI_ERROR;
}

MS_FMI_EXPORT int fmi2SetReal(void *c, const reference vr[], size_t n, const double value[])
{
    ms_fmi_instance *instance = c;
    return ms_fmi_may(instance, MS_MODE_SET, "fmi2SetReal")
               ? ms_fmi_status(instance, ms_component_set(instance->component, n, vr, value))
               : MS_FMI_ERROR;
}

/* It has no variables of other types: none is right, and any is wrong. */
static int none(void *c, size_t n, text function)
{
    if (n == 0)
        return MS_FMI_OK;
    ms_fmi_may(c, 0, function);
    return MS_FMI_ERROR;
}

#define OTHER_TYPE(type, c_type)                                                                             \
    MS_FMI_EXPORT int fmi2Get##type(void *c, const reference vr[], size_t n, c_type value[])                 \
    {                                                                                                        \
        (void)vr, (void)value;                                                                               \
        return none(c, n, "fmi2Get" #type);                                                                  \
    }                                                                                                        \
    MS_FMI_EXPORT int fmi2Set##type(void *c, const reference vr[], size_t n, const c_type value[])           \
    {                                                                                                        \
        (void)vr, (void)value;                                                                               \
        return none(c, n, "fmi2Set" #type);                                                                  \
    }
OTHER_TYPE(Integer, int)
OTHER_TYPE(Boolean, int)
OTHER_TYPE(String, text)

MS_FMI_EXPORT int fmi2GetDirectionalDerivative(void *c, const reference unknown[], size_t n_unknowns,
                                               const reference known[], size_t n_knowns, const double seed[],
                                               double sensitivity[])
{
    ms_fmi_instance *instance = c;
    if (!ms_fmi_may(instance, MS_MODE_READ, "fmi2GetDirectionalDerivative"))
        return MS_FMI_ERROR;
    return ms_fmi_status(instance,
                         ms_component_directional_derivative(instance->component, n_unknowns, unknown,
                                                             n_knowns, known, seed, sensitivity));
}

/* States ------------------------------------------------------------------------------------------------- */

MS_FMI_EXPORT int fmi2DeSerializeFMUstate(void *c, const unsigned char bytes[], size_t size, void **state)
{
    return ms_fmi_deserialise(c, bytes, size, state);
}

/* Model exchange ----------------------------------------------------------------------------------------- */

MS_FMI_EXPORT int fmi2NewDiscreteStates(void *c, event_info *info)
{
    ms_fmi_instance *instance = c;
    bool changed = false;
    if (!ms_fmi_may(instance, MS_MODE_EVENT, "fmi2NewDiscreteStates"))
        return MS_FMI_ERROR;
    *info = (event_info){0};
    const int status =
        ms_fmi_status(instance, ms_component_handle_events(instance->component, &changed, &info->next_time));
    info->states_changed = changed;
    info->next_time_defined = status == MS_FMI_OK && isfinite(info->next_time);
    return status;
}

MS_FMI_EXPORT int fmi2CompletedIntegratorStep(void *c, int keep, int *enter_event_mode, int *terminate)
{
    ms_fmi_instance *instance = c;
    bool event;
    (void)keep;
    if (!ms_fmi_may(instance, MS_MODE_CONTINUOUS, "fmi2CompletedIntegratorStep"))
        return MS_FMI_ERROR;
    const int status = ms_fmi_status(instance, ms_component_completed_step(instance->component, &event));
    *enter_event_mode = event;
    *terminate = 0;
    return status;
}

MS_FMI_EXPORT int fmi2GetDerivatives(void *c, double dx[], size_t n)
{
    return ms_fmi_get_all(c, "fmi2GetDerivatives", ms_component_n_states, ms_component_derivatives, dx, n);
}

/* Co-simulation ------------------------------------------------------------------------------------------ */

MS_FMI_EXPORT int fmi2SetRealInputDerivatives(void *c, const reference vr[], size_t n, const int order[],
                                              const double value[])
{
    ms_fmi_instance *instance = c;
    return ms_fmi_may(instance, MS_MODE_SET, "fmi2SetRealInputDerivatives")
               ? ms_fmi_status(instance,
                               ms_component_set_input_derivatives(instance->component, n, vr, order, value))
               : MS_FMI_ERROR;
}

MS_FMI_EXPORT int fmi2GetRealOutputDerivatives(void *c, const reference vr[], size_t n, const int order[],
                                               double value[])
{
    ms_fmi_instance *instance = c;
    return ms_fmi_may(instance, MS_MODE_STEP | MS_MODE_INITIALISATION | MS_MODE_TERMINATED,
                      "fmi2GetRealOutputDerivatives")
               ? ms_fmi_status(instance,
                               ms_component_get_output_derivatives(instance->component, n, vr, order, value))
               : MS_FMI_ERROR;
}

MS_FMI_EXPORT int fmi2DoStep(void *c, double t, double h, int keep)
{
    ms_fmi_instance *instance = c;
    (void)keep;
    return ms_fmi_may(instance, MS_MODE_STEP, "fmi2DoStep")
               ? ms_fmi_status(instance, ms_component_step(instance->component, t, h))
               : MS_FMI_ERROR;
}

MS_FMI_EXPORT int fmi2CancelStep(void *c)
{
    ms_fmi_may(c, 0, "fmi2CancelStep");
    return MS_FMI_ERROR;
}

/* Steps end before fmi2DoStep does, so there is nothing that they could still be at. */
#define NO_STATUS(type, c_type)                                                                              \
    MS_FMI_EXPORT int fmi2Get##type##Status(void *c, int kind, c_type *value)                                \
    {                                                                                                        \
        (void)c, (void)kind, (void)value;                                                                    \
        return MS_FMI_DISCARD;                                                                               \
    }
NO_STATUS(Integer, int)
NO_STATUS(String, text)

MS_FMI_EXPORT int fmi2GetStatus(void *c, int kind, int *value)
{
    (void)c, (void)kind;
    *value = MS_FMI_OK;
    return MS_FMI_DISCARD;
}

enum { LAST_SUCCESSFUL_TIME = 2, TERMINATED = 3 };

MS_FMI_EXPORT int fmi2GetRealStatus(void *c, int kind, double *value)
{
    const ms_fmi_instance *instance = c;
    if (kind != LAST_SUCCESSFUL_TIME)
        return MS_FMI_DISCARD;
    *value = ms_component_time(instance->component);
    return MS_FMI_OK;
}

MS_FMI_EXPORT int fmi2GetBooleanStatus(void *c, int kind, int *value)
{
    (void)c;
    if (kind != TERMINATED)
        return MS_FMI_DISCARD;
    *value = 0;
    return MS_FMI_OK;
}
