/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmi2.h - the binary interface of FMI 2.0: the functions that a binary must export.
 *
 * Source: FMI for Model Exchange and Co-Simulation 2.0.4, 2.1.4 to 2.1.9, 3.2.1, 4.2.1. */
#pragma once

#include "fmi2Functions.h"

/* When a binary has to have a function. */
typedef enum ms_fmi_need {
    MS_NEED_ALWAYS,
    MS_NEED_EXCHANGE,
    MS_NEED_CO_SIMULATION,
    MS_NEED_STATE, /* its flag promises these and those below */
    MS_NEED_DIRECTIONAL,
    MS_NEED_INPUT_DERIVATIVES,
    MS_NEED_OUTPUT_DERIVATIVES,
    MS_NEED_NOT /* callers check for it */
} ms_fmi_need;

/* The function types used for calls: a status returned by a binary may be any integer. */
#define fmi2Status                                int
#define MS_FMI2_CALLED(returned, name, arguments) typedef returned ms_fmi2_##name arguments;
MS_FMI2_EACH(MS_FMI2_CALLED)
#undef fmi2Status

/* X(need, name behind "fmi2") */
#define MS_FMI2_FUNCTIONS(X)                                                                                 \
    X(MS_NEED_ALWAYS, Instantiate)                                                                           \
    X(MS_NEED_ALWAYS, FreeInstance)                                                                          \
    X(MS_NEED_NOT, SetDebugLogging)                                                                          \
    X(MS_NEED_ALWAYS, SetupExperiment)                                                                       \
    X(MS_NEED_ALWAYS, EnterInitializationMode)                                                               \
    X(MS_NEED_ALWAYS, ExitInitializationMode)                                                                \
    X(MS_NEED_ALWAYS, Terminate)                                                                             \
    X(MS_NEED_ALWAYS, GetReal)                                                                               \
    X(MS_NEED_ALWAYS, SetReal)                                                                               \
    X(MS_NEED_NOT, GetInteger)                                                                               \
    X(MS_NEED_NOT, SetInteger)                                                                               \
    X(MS_NEED_NOT, GetBoolean)                                                                               \
    X(MS_NEED_NOT, SetBoolean)                                                                               \
    X(MS_NEED_NOT, SetString)                                                                                \
    X(MS_NEED_STATE, GetFMUstate)                                                                            \
    X(MS_NEED_STATE, SetFMUstate)                                                                            \
    X(MS_NEED_STATE, FreeFMUstate)                                                                           \
    X(MS_NEED_NOT, SerializedFMUstateSize)                                                                   \
    X(MS_NEED_NOT, SerializeFMUstate)                                                                        \
    X(MS_NEED_NOT, DeSerializeFMUstate)                                                                      \
    X(MS_NEED_DIRECTIONAL, GetDirectionalDerivative)                                                         \
    X(MS_NEED_EXCHANGE, EnterEventMode)                                                                      \
    X(MS_NEED_EXCHANGE, NewDiscreteStates)                                                                   \
    X(MS_NEED_EXCHANGE, EnterContinuousTimeMode)                                                             \
    X(MS_NEED_EXCHANGE, CompletedIntegratorStep)                                                             \
    X(MS_NEED_EXCHANGE, SetTime)                                                                             \
    X(MS_NEED_EXCHANGE, SetContinuousStates)                                                                 \
    X(MS_NEED_EXCHANGE, GetContinuousStates)                                                                 \
    X(MS_NEED_EXCHANGE, GetDerivatives)                                                                      \
    X(MS_NEED_EXCHANGE, GetEventIndicators)                                                                  \
    X(MS_NEED_INPUT_DERIVATIVES, SetRealInputDerivatives)                                                    \
    X(MS_NEED_OUTPUT_DERIVATIVES, GetRealOutputDerivatives)                                                  \
    X(MS_NEED_CO_SIMULATION, DoStep)                                                                         \
    X(MS_NEED_NOT, GetStatus)                                                                                \
    X(MS_NEED_NOT, GetRealStatus)                                                                            \
    X(MS_NEED_NOT, GetBooleanStatus)
