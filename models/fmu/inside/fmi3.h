/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmi3.h - the binary interface of FMI 3.0: what a binary exports, as pointers to functions.
 *
 * Source: FMI 3.0.2, 2.2, 3.2, 4.2. */
#ifndef MS_FMI3_H
#define MS_FMI3_H

#include <stdbool.h>
#include <stdint.h>

#include "fmi2.h"

typedef void ms_fmi3_log(void *environment, int status, const char *category, const char *message);
typedef void ms_fmi3_intermediate(void *environment, double t, bool set_requested, bool get_allowed,
                                  bool step_finished, bool can_return_early, bool *early_return_requested,
                                  double *early_return_time);

#define MS_FMI3_VALUES(X, type, c_type)                                                                      \
    X(MS_NEED_NOT, int, Get##type, (void *c, const unsigned *vr, size_t n, c_type *value, size_t n_values))  \
    X(MS_NEED_NOT, int, Set##type,                                                                           \
      (void *c, const unsigned *vr, size_t n, const c_type *value, size_t n_values))

/* X(need, return type, name behind "fmi3", arguments) */
#define MS_FMI3_FUNCTIONS(X)                                                                                 \
    X(MS_NEED_EXCHANGE, void *, InstantiateModelExchange,                                                    \
      (const char *name, const char *token, const char *resources, bool visible, bool logging,               \
       void *environment, ms_fmi3_log *log))                                                                 \
    X(MS_NEED_CO_SIMULATION, void *, InstantiateCoSimulation,                                                \
      (const char *name, const char *token, const char *resources, bool visible, bool logging,               \
       bool event_mode, bool early_return, const unsigned *required, size_t n_required, void *environment,   \
       ms_fmi3_log *log, ms_fmi3_intermediate *update))                                                      \
    X(MS_NEED_ALWAYS, void, FreeInstance, (void *c))                                                         \
    X(MS_NEED_NOT, int, SetDebugLogging, (void *c, bool on, size_t n, const char *const *categories))        \
    X(MS_NEED_NOT, int, EnterConfigurationMode, (void *c))                                                   \
    X(MS_NEED_NOT, int, ExitConfigurationMode, (void *c))                                                    \
    X(MS_NEED_ALWAYS, int, EnterInitializationMode,                                                          \
      (void *c, bool tolerance_defined, double tolerance, double start, bool stop_defined, double stop))     \
    X(MS_NEED_ALWAYS, int, ExitInitializationMode, (void *c))                                                \
    X(MS_NEED_ALWAYS, int, Terminate, (void *c))                                                             \
    MS_FMI3_VALUES(X, Float64, double)                                                                       \
    MS_FMI3_VALUES(X, Float32, float)                                                                        \
    MS_FMI3_VALUES(X, Int8, int8_t)                                                                          \
    MS_FMI3_VALUES(X, UInt8, uint8_t)                                                                        \
    MS_FMI3_VALUES(X, Int16, int16_t)                                                                        \
    MS_FMI3_VALUES(X, UInt16, uint16_t)                                                                      \
    MS_FMI3_VALUES(X, Int32, int32_t)                                                                        \
    MS_FMI3_VALUES(X, UInt32, uint32_t)                                                                      \
    MS_FMI3_VALUES(X, Int64, int64_t)                                                                        \
    MS_FMI3_VALUES(X, UInt64, uint64_t)                                                                      \
    MS_FMI3_VALUES(X, Boolean, bool)                                                                         \
    X(MS_NEED_NOT, int, SetString,                                                                           \
      (void *c, const unsigned *vr, size_t n, const char *const *value, size_t n_values))                    \
    X(MS_NEED_STATE, int, GetFMUState, (void *c, void **state))                                              \
    X(MS_NEED_STATE, int, SetFMUState, (void *c, void *state))                                               \
    X(MS_NEED_STATE, int, FreeFMUState, (void *c, void **state))                                             \
    X(MS_NEED_NOT, int, SerializedFMUStateSize, (void *c, void *state, size_t *size))                        \
    X(MS_NEED_NOT, int, SerializeFMUState, (void *c, void *state, unsigned char *bytes, size_t size))        \
    X(MS_NEED_NOT, int, DeserializeFMUState,                                                                 \
      (void *c, const unsigned char *bytes, size_t size, void **state))                                      \
    X(MS_NEED_DIRECTIONAL, int, GetDirectionalDerivative,                                                    \
      (void *c, const unsigned *unknown, size_t n_unknowns, const unsigned *known, size_t n_knowns,          \
       const double *seed, size_t n_seed, double *sensitivity, size_t n_sensitivity))                        \
    X(MS_NEED_EXCHANGE, int, EnterEventMode, (void *c))                                                      \
    X(MS_NEED_EXCHANGE, int, UpdateDiscreteStates,                                                           \
      (void *c, bool *needs_update, bool *terminate, bool *nominals_changed, bool *states_changed,           \
       bool *next_time_defined, double *next_time))                                                          \
    X(MS_NEED_NOT, int, EnterStepMode, (void *c))                                                            \
    X(MS_NEED_EXCHANGE, int, EnterContinuousTimeMode, (void *c))                                             \
    X(MS_NEED_EXCHANGE, int, CompletedIntegratorStep,                                                        \
      (void *c, bool keep, bool *event_mode, bool *terminate))                                               \
    X(MS_NEED_EXCHANGE, int, SetTime, (void *c, double t))                                                   \
    X(MS_NEED_EXCHANGE, int, SetContinuousStates, (void *c, const double *x, size_t n))                      \
    X(MS_NEED_EXCHANGE, int, GetContinuousStates, (void *c, double *x, size_t n))                            \
    X(MS_NEED_EXCHANGE, int, GetContinuousStateDerivatives, (void *c, double *dx, size_t n))                 \
    X(MS_NEED_EXCHANGE, int, GetEventIndicators, (void *c, double *r, size_t n))                             \
    X(MS_NEED_OUTPUT_DERIVATIVES, int, GetOutputDerivatives,                                                 \
      (void *c, const unsigned *vr, size_t n, const int32_t *order, double *value, size_t n_values))         \
    X(MS_NEED_CO_SIMULATION, int, DoStep,                                                                    \
      (void *c, double t, double h, bool keep, bool *event_needed, bool *terminate, bool *early,             \
       double *reached))

#endif
