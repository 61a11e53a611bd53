/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmi2.h - the binary interface of FMI 2.0: what a binary exports, as pointers to functions.
 *
 * Source: FMI for Model Exchange and Co-Simulation 2.0.4, 2.1.4 to 2.1.9, 3.2.1, 4.2.1. */
#ifndef MS_FMI2_H
#define MS_FMI2_H

#include <stddef.h>

/* When a binary has to have a function. */
typedef enum ms_fmi_need {
    MS_NEED_ALWAYS,
    MS_NEED_EXCHANGE,
    MS_NEED_CO_SIMULATION,
    MS_NEED_STATE, /* its flag promises these and those below */
    MS_NEED_DIRECTIONAL,
    MS_NEED_INPUT_DERIVATIVES,
    MS_NEED_OUTPUT_DERIVATIVES,
    MS_NEED_NOT /* who calls it looks */
} ms_fmi_need;

typedef struct ms_fmi2_callbacks {
    void (*logger)(void *environment, const char *instance, int status, const char *category,
                   const char *message, ...);
    void *(*allocate)(size_t n, size_t size);
    void (*release)(void *memory);
    void (*step_finished)(void *environment, int status);
    void *environment;
} ms_fmi2_callbacks;

typedef struct ms_fmi2_event_info {
    int discrete_states_needed, terminate, nominals_changed, states_changed, next_time_defined;
    double next_time;
} ms_fmi2_event_info;

/* X(need, return type, name behind "fmi2", arguments) */
#define MS_FMI2_FUNCTIONS(X)                                                                                 \
    X(MS_NEED_ALWAYS, void *, Instantiate,                                                                   \
      (const char *name, int kind, const char *token, const char *resources,                                 \
       const ms_fmi2_callbacks *callbacks, int visible, int logging))                                        \
    X(MS_NEED_ALWAYS, void, FreeInstance, (void *c))                                                         \
    X(MS_NEED_NOT, int, SetDebugLogging, (void *c, int on, size_t n, const char *const *categories))         \
    X(MS_NEED_ALWAYS, int, SetupExperiment,                                                                  \
      (void *c, int tolerance_defined, double tolerance, double start, int stop_defined, double stop))       \
    X(MS_NEED_ALWAYS, int, EnterInitializationMode, (void *c))                                               \
    X(MS_NEED_ALWAYS, int, ExitInitializationMode, (void *c))                                                \
    X(MS_NEED_ALWAYS, int, Terminate, (void *c))                                                             \
    X(MS_NEED_ALWAYS, int, GetReal, (void *c, const unsigned *vr, size_t n, double *value))                  \
    X(MS_NEED_ALWAYS, int, SetReal, (void *c, const unsigned *vr, size_t n, const double *value))            \
    X(MS_NEED_NOT, int, GetInteger, (void *c, const unsigned *vr, size_t n, int *value))                     \
    X(MS_NEED_NOT, int, SetInteger, (void *c, const unsigned *vr, size_t n, const int *value))               \
    X(MS_NEED_NOT, int, GetBoolean, (void *c, const unsigned *vr, size_t n, int *value))                     \
    X(MS_NEED_NOT, int, SetBoolean, (void *c, const unsigned *vr, size_t n, const int *value))               \
    X(MS_NEED_NOT, int, SetString, (void *c, const unsigned *vr, size_t n, const char *const *value))        \
    X(MS_NEED_STATE, int, GetFMUstate, (void *c, void **state))                                              \
    X(MS_NEED_STATE, int, SetFMUstate, (void *c, void *state))                                               \
    X(MS_NEED_STATE, int, FreeFMUstate, (void *c, void **state))                                             \
    X(MS_NEED_NOT, int, SerializedFMUstateSize, (void *c, void *state, size_t *size))                        \
    X(MS_NEED_NOT, int, SerializeFMUstate, (void *c, void *state, char *bytes, size_t size))                 \
    X(MS_NEED_NOT, int, DeSerializeFMUstate, (void *c, const char *bytes, size_t size, void **state))        \
    X(MS_NEED_DIRECTIONAL, int, GetDirectionalDerivative,                                                    \
      (void *c, const unsigned *unknown, size_t n_unknowns, const unsigned *known, size_t n_knowns,          \
       const double *seed, double *sensitivity))                                                             \
    X(MS_NEED_EXCHANGE, int, EnterEventMode, (void *c))                                                      \
    X(MS_NEED_EXCHANGE, int, NewDiscreteStates, (void *c, ms_fmi2_event_info *info))                         \
    X(MS_NEED_EXCHANGE, int, EnterContinuousTimeMode, (void *c))                                             \
    X(MS_NEED_EXCHANGE, int, CompletedIntegratorStep, (void *c, int keep, int *event_mode, int *terminate))  \
    X(MS_NEED_EXCHANGE, int, SetTime, (void *c, double t))                                                   \
    X(MS_NEED_EXCHANGE, int, SetContinuousStates, (void *c, const double *x, size_t n))                      \
    X(MS_NEED_EXCHANGE, int, GetContinuousStates, (void *c, double *x, size_t n))                            \
    X(MS_NEED_EXCHANGE, int, GetDerivatives, (void *c, double *dx, size_t n))                                \
    X(MS_NEED_EXCHANGE, int, GetEventIndicators, (void *c, double *r, size_t n))                             \
    X(MS_NEED_INPUT_DERIVATIVES, int, SetRealInputDerivatives,                                               \
      (void *c, const unsigned *vr, size_t n, const int *order, const double *value))                        \
    X(MS_NEED_OUTPUT_DERIVATIVES, int, GetRealOutputDerivatives,                                             \
      (void *c, const unsigned *vr, size_t n, const int *order, double *value))                              \
    X(MS_NEED_CO_SIMULATION, int, DoStep, (void *c, double t, double h, int keep))                           \
    X(MS_NEED_NOT, int, GetRealStatus, (void *c, int kind, double *value))                                   \
    X(MS_NEED_NOT, int, GetBooleanStatus, (void *c, int kind, int *value))

#endif
