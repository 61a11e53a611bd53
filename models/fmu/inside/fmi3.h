/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmi3.h - the binary interface of FMI 3.0: the functions that a binary must export.
 *
 * Source: FMI 3.0.2, 2.2, 3.2, 4.2. */
#pragma once

#include "fmi2.h"
#include "fmi3Functions.h"

/* The function types used for calls: a status returned by a binary may be any integer. */
#define fmi3Status                                int
#define MS_FMI3_CALLED(returned, name, arguments) typedef returned ms_fmi3_##name arguments;
MS_FMI3_EACH(MS_FMI3_CALLED)
#undef fmi3Status

#define MS_FMI3_VALUES(X, type) X(MS_NEED_NOT, Get##type) X(MS_NEED_NOT, Set##type)

/* X(need, name behind "fmi3") */
#define MS_FMI3_FUNCTIONS(X)                                                                                 \
    X(MS_NEED_EXCHANGE, InstantiateModelExchange)                                                            \
    X(MS_NEED_CO_SIMULATION, InstantiateCoSimulation)                                                        \
    X(MS_NEED_ALWAYS, FreeInstance)                                                                          \
    X(MS_NEED_NOT, SetDebugLogging)                                                                          \
    X(MS_NEED_NOT, EnterConfigurationMode)                                                                   \
    X(MS_NEED_NOT, ExitConfigurationMode)                                                                    \
    X(MS_NEED_ALWAYS, EnterInitializationMode)                                                               \
    X(MS_NEED_ALWAYS, ExitInitializationMode)                                                                \
    X(MS_NEED_ALWAYS, Terminate)                                                                             \
    MS_FMI3_VALUES(X, Float64)                                                                               \
    MS_FMI3_VALUES(X, Float32)                                                                               \
    MS_FMI3_VALUES(X, Int8)                                                                                  \
    MS_FMI3_VALUES(X, UInt8)                                                                                 \
    MS_FMI3_VALUES(X, Int16)                                                                                 \
    MS_FMI3_VALUES(X, UInt16)                                                                                \
    MS_FMI3_VALUES(X, Int32)                                                                                 \
    MS_FMI3_VALUES(X, UInt32)                                                                                \
    MS_FMI3_VALUES(X, Int64)                                                                                 \
    MS_FMI3_VALUES(X, UInt64)                                                                                \
    MS_FMI3_VALUES(X, Boolean)                                                                               \
    X(MS_NEED_NOT, SetString)                                                                                \
    X(MS_NEED_STATE, GetFMUState)                                                                            \
    X(MS_NEED_STATE, SetFMUState)                                                                            \
    X(MS_NEED_STATE, FreeFMUState)                                                                           \
    X(MS_NEED_NOT, SerializedFMUStateSize)                                                                   \
    X(MS_NEED_NOT, SerializeFMUState)                                                                        \
    X(MS_NEED_NOT, DeserializeFMUState)                                                                      \
    X(MS_NEED_DIRECTIONAL, GetDirectionalDerivative)                                                         \
    X(MS_NEED_EXCHANGE, EnterEventMode)                                                                      \
    X(MS_NEED_EXCHANGE, UpdateDiscreteStates)                                                                \
    X(MS_NEED_NOT, EnterStepMode)                                                                            \
    X(MS_NEED_EXCHANGE, EnterContinuousTimeMode)                                                             \
    X(MS_NEED_EXCHANGE, CompletedIntegratorStep)                                                             \
    X(MS_NEED_EXCHANGE, SetTime)                                                                             \
    X(MS_NEED_EXCHANGE, SetContinuousStates)                                                                 \
    X(MS_NEED_EXCHANGE, GetContinuousStates)                                                                 \
    X(MS_NEED_EXCHANGE, GetContinuousStateDerivatives)                                                       \
    X(MS_NEED_EXCHANGE, GetEventIndicators)                                                                  \
    X(MS_NEED_OUTPUT_DERIVATIVES, GetOutputDerivatives)                                                      \
    X(MS_NEED_CO_SIMULATION, DoStep)
