/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmi3FunctionTypes.h - as fmi3PlatformTypes.h (FMI 3.0.2, 2.2.3, 2.2.4, 2.3, 3.2, 4.2, 5.2). MS_FMI3_EACH(X): X(return type, name behind "fmi3", arguments). */
#ifndef fmi3FunctionTypes_h
#define fmi3FunctionTypes_h

#include "fmi3PlatformTypes.h"
#include <stddef.h>

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum {
    fmi3Independent,
    fmi3Constant,
    fmi3Fixed,
    fmi3Tunable,
    fmi3Discrete,
    fmi3Dependent
} fmi3DependencyKind;
typedef enum { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged } fmi3IntervalQualifier;

typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status, fmi3String category,
                                       fmi3String message);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment, fmi3Float64 time,
                                               fmi3Boolean setRequested, fmi3Boolean getAllowed,
                                               fmi3Boolean stepFinished, fmi3Boolean canReturnEarly,
                                               fmi3Boolean *returnsEarly, fmi3Float64 *returnsAt);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);

/* clang-format off */
#define MS_FMI3_OF const fmi3ValueReference[], size_t
#define MS_FMI3_TYPED(X, type)                                                                               \
    X(fmi3Status, Get##type, (fmi3Instance, MS_FMI3_OF, fmi3##type[], size_t))                               \
    X(fmi3Status, Set##type, (fmi3Instance, MS_FMI3_OF, const fmi3##type[], size_t))
#define MS_FMI3_DERIVATIVE(X, name)                                                                          \
    X(fmi3Status, name,                                                                                      \
      (fmi3Instance, MS_FMI3_OF, MS_FMI3_OF, const fmi3Float64[], size_t, fmi3Float64[], size_t))
#define MS_FMI3_EACH(X)                                                                                      \
    X(const char *, GetVersion, (void))                                                                      \
    X(fmi3Status, SetDebugLogging, (fmi3Instance, fmi3Boolean, size_t, const fmi3String[]))                  \
    X(fmi3Instance, InstantiateModelExchange,                                                                \
      (fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean, fmi3InstanceEnvironment,                \
       fmi3LogMessageCallback))                                                                              \
    X(fmi3Instance, InstantiateCoSimulation,                                                                 \
      (fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean, fmi3Boolean, fmi3Boolean, MS_FMI3_OF,   \
       fmi3InstanceEnvironment, fmi3LogMessageCallback, fmi3IntermediateUpdateCallback))                     \
    X(fmi3Instance, InstantiateScheduledExecution,                                                           \
      (fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean, fmi3InstanceEnvironment,                \
       fmi3LogMessageCallback, fmi3ClockUpdateCallback, fmi3LockPreemptionCallback,                          \
       fmi3UnlockPreemptionCallback))                                                                        \
    X(void, FreeInstance, (fmi3Instance))                                                                    \
    X(fmi3Status, EnterInitializationMode,                                                                   \
      (fmi3Instance, fmi3Boolean, fmi3Float64, fmi3Float64, fmi3Boolean, fmi3Float64))                       \
    X(fmi3Status, ExitInitializationMode, (fmi3Instance))                                                    \
    X(fmi3Status, EnterEventMode, (fmi3Instance))                                                            \
    X(fmi3Status, Terminate, (fmi3Instance))                                                                 \
    X(fmi3Status, Reset, (fmi3Instance))                                                                     \
    MS_FMI3_TYPED(X, Float32)                                                                                \
    MS_FMI3_TYPED(X, Float64)                                                                                \
    MS_FMI3_TYPED(X, Int8)                                                                                   \
    MS_FMI3_TYPED(X, UInt8)                                                                                  \
    MS_FMI3_TYPED(X, Int16)                                                                                  \
    MS_FMI3_TYPED(X, UInt16)                                                                                 \
    MS_FMI3_TYPED(X, Int32)                                                                                  \
    MS_FMI3_TYPED(X, UInt32)                                                                                 \
    MS_FMI3_TYPED(X, Int64)                                                                                  \
    MS_FMI3_TYPED(X, UInt64)                                                                                 \
    MS_FMI3_TYPED(X, Boolean)                                                                                \
    MS_FMI3_TYPED(X, String)                                                                                 \
    X(fmi3Status, GetBinary, (fmi3Instance, MS_FMI3_OF, size_t[], fmi3Binary[], size_t))                     \
    X(fmi3Status, SetBinary, (fmi3Instance, MS_FMI3_OF, const size_t[], const fmi3Binary[], size_t))         \
    X(fmi3Status, GetClock, (fmi3Instance, MS_FMI3_OF, fmi3Clock[]))                                         \
    X(fmi3Status, SetClock, (fmi3Instance, MS_FMI3_OF, const fmi3Clock[]))                                   \
    X(fmi3Status, GetNumberOfVariableDependencies, (fmi3Instance, fmi3ValueReference, size_t *))             \
    X(fmi3Status, GetVariableDependencies,                                                                   \
      (fmi3Instance, fmi3ValueReference, size_t[], fmi3ValueReference[], size_t[], fmi3DependencyKind[], size_t)) \
    X(fmi3Status, GetFMUState, (fmi3Instance, fmi3FMUState *))                                               \
    X(fmi3Status, SetFMUState, (fmi3Instance, fmi3FMUState))                                                 \
    X(fmi3Status, FreeFMUState, (fmi3Instance, fmi3FMUState *))                                              \
    X(fmi3Status, SerializedFMUStateSize, (fmi3Instance, fmi3FMUState, size_t *))                            \
    X(fmi3Status, SerializeFMUState, (fmi3Instance, fmi3FMUState, fmi3Byte[], size_t))                       \
    X(fmi3Status, DeserializeFMUState, (fmi3Instance, const fmi3Byte[], size_t, fmi3FMUState *))             \
    MS_FMI3_DERIVATIVE(X, GetDirectionalDerivative)                                                          \
    MS_FMI3_DERIVATIVE(X, GetAdjointDerivative)                                                              \
    X(fmi3Status, EnterConfigurationMode, (fmi3Instance))                                                    \
    X(fmi3Status, ExitConfigurationMode, (fmi3Instance))                                                     \
    X(fmi3Status, GetIntervalDecimal, (fmi3Instance, MS_FMI3_OF, fmi3Float64[], fmi3IntervalQualifier[]))    \
    X(fmi3Status, GetIntervalFraction,                                                                       \
      (fmi3Instance, MS_FMI3_OF, fmi3UInt64[], fmi3UInt64[], fmi3IntervalQualifier[]))                       \
    X(fmi3Status, GetShiftDecimal, (fmi3Instance, MS_FMI3_OF, fmi3Float64[]))                                \
    X(fmi3Status, GetShiftFraction, (fmi3Instance, MS_FMI3_OF, fmi3UInt64[], fmi3UInt64[]))                  \
    X(fmi3Status, SetIntervalDecimal, (fmi3Instance, MS_FMI3_OF, const fmi3Float64[]))                       \
    X(fmi3Status, SetIntervalFraction, (fmi3Instance, MS_FMI3_OF, const fmi3UInt64[], const fmi3UInt64[]))   \
    X(fmi3Status, SetShiftDecimal, (fmi3Instance, MS_FMI3_OF, const fmi3Float64[]))                          \
    X(fmi3Status, SetShiftFraction, (fmi3Instance, MS_FMI3_OF, const fmi3UInt64[], const fmi3UInt64[]))      \
    X(fmi3Status, EvaluateDiscreteStates, (fmi3Instance))                                                    \
    X(fmi3Status, UpdateDiscreteStates,                                                                      \
      (fmi3Instance, fmi3Boolean *, fmi3Boolean *, fmi3Boolean *, fmi3Boolean *, fmi3Boolean *, fmi3Float64 *)) \
    X(fmi3Status, EnterContinuousTimeMode, (fmi3Instance))                                                   \
    X(fmi3Status, CompletedIntegratorStep, (fmi3Instance, fmi3Boolean, fmi3Boolean *, fmi3Boolean *))        \
    X(fmi3Status, SetTime, (fmi3Instance, fmi3Float64))                                                      \
    X(fmi3Status, SetContinuousStates, (fmi3Instance, const fmi3Float64[], size_t))                          \
    X(fmi3Status, GetContinuousStateDerivatives, (fmi3Instance, fmi3Float64[], size_t))                      \
    X(fmi3Status, GetEventIndicators, (fmi3Instance, fmi3Float64[], size_t))                                 \
    X(fmi3Status, GetContinuousStates, (fmi3Instance, fmi3Float64[], size_t))                                \
    X(fmi3Status, GetNominalsOfContinuousStates, (fmi3Instance, fmi3Float64[], size_t))                      \
    X(fmi3Status, GetNumberOfEventIndicators, (fmi3Instance, size_t *))                                      \
    X(fmi3Status, GetNumberOfContinuousStates, (fmi3Instance, size_t *))                                     \
    X(fmi3Status, EnterStepMode, (fmi3Instance))                                                             \
    X(fmi3Status, GetOutputDerivatives,                                                                      \
      (fmi3Instance, MS_FMI3_OF, const fmi3Int32[], fmi3Float64[], size_t))                                  \
    X(fmi3Status, DoStep,                                                                                    \
      (fmi3Instance, fmi3Float64, fmi3Float64, fmi3Boolean, fmi3Boolean *, fmi3Boolean *, fmi3Boolean *,     \
       fmi3Float64 *))                                                                                       \
    X(fmi3Status, ActivateModelPartition, (fmi3Instance, fmi3ValueReference, fmi3Float64))
/* clang-format on */

#define MS_FMI3_TYPE(returned, name, arguments) typedef returned fmi3##name##TYPE arguments;
MS_FMI3_EACH(MS_FMI3_TYPE)

#endif
