/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmi2FunctionTypes.h - as fmi2TypesPlatform.h (FMI 2.0.4, 2.1.3 to 2.1.9, 3.2.1, 4.2.1). MS_FMI2_EACH(X): X(return type, name behind "fmi2", arguments). */
#ifndef fmi2FunctionTypes_h
#define fmi2FunctionTypes_h

#include "fmi2TypesPlatform.h"
#include <stddef.h>

typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated } fmi2StatusKind;

typedef void (*fmi2CallbackLogger)(fmi2ComponentEnvironment, fmi2String name, fmi2Status, fmi2String category,
                                   fmi2String message, ...);
typedef void *(*fmi2CallbackAllocateMemory)(size_t n, size_t size);
typedef void (*fmi2CallbackFreeMemory)(void *);
typedef void (*fmi2StepFinished)(fmi2ComponentEnvironment, fmi2Status);

typedef struct {
    fmi2CallbackLogger logger;
    fmi2CallbackAllocateMemory allocateMemory;
    fmi2CallbackFreeMemory freeMemory;
    fmi2StepFinished stepFinished;
    fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

typedef struct {
    fmi2Boolean newDiscreteStatesNeeded, terminateSimulation, nominalsOfContinuousStatesChanged,
        valuesOfContinuousStatesChanged, nextEventTimeDefined;
    fmi2Real nextEventTime;
} fmi2EventInfo;

/* clang-format off */
#define MS_FMI2_VALUES(X, type)                                                                              \
    X(fmi2Status, Get##type, (fmi2Component, const fmi2ValueReference[], size_t, fmi2##type[]))              \
    X(fmi2Status, Set##type, (fmi2Component, const fmi2ValueReference[], size_t, const fmi2##type[]))
#define MS_FMI2_STATUS(X, type)                                                                              \
    X(fmi2Status, Get##type##Status, (fmi2Component, const fmi2StatusKind, fmi2##type *))
#define MS_FMI2_EACH(X)                                                                                      \
    X(const char *, GetTypesPlatform, (void))                                                                \
    X(const char *, GetVersion, (void))                                                                      \
    X(fmi2Status, SetDebugLogging, (fmi2Component, fmi2Boolean, size_t, const fmi2String[]))                 \
    X(fmi2Component, Instantiate,                                                                            \
      (fmi2String, fmi2Type, fmi2String, fmi2String, const fmi2CallbackFunctions *, fmi2Boolean, fmi2Boolean)) \
    X(void, FreeInstance, (fmi2Component))                                                                   \
    X(fmi2Status, SetupExperiment, (fmi2Component, fmi2Boolean, fmi2Real, fmi2Real, fmi2Boolean, fmi2Real))  \
    X(fmi2Status, EnterInitializationMode, (fmi2Component))                                                  \
    X(fmi2Status, ExitInitializationMode, (fmi2Component))                                                   \
    X(fmi2Status, Terminate, (fmi2Component))                                                                \
    X(fmi2Status, Reset, (fmi2Component))                                                                    \
    MS_FMI2_VALUES(X, Real)                                                                                  \
    MS_FMI2_VALUES(X, Integer)                                                                               \
    MS_FMI2_VALUES(X, Boolean)                                                                               \
    MS_FMI2_VALUES(X, String)                                                                                \
    X(fmi2Status, GetFMUstate, (fmi2Component, fmi2FMUstate *))                                              \
    X(fmi2Status, SetFMUstate, (fmi2Component, fmi2FMUstate))                                                \
    X(fmi2Status, FreeFMUstate, (fmi2Component, fmi2FMUstate *))                                             \
    X(fmi2Status, SerializedFMUstateSize, (fmi2Component, fmi2FMUstate, size_t *))                           \
    X(fmi2Status, SerializeFMUstate, (fmi2Component, fmi2FMUstate, fmi2Byte[], size_t))                      \
    X(fmi2Status, DeSerializeFMUstate, (fmi2Component, const fmi2Byte[], size_t, fmi2FMUstate *))            \
    X(fmi2Status, GetDirectionalDerivative,                                                                  \
      (fmi2Component, const fmi2ValueReference[], size_t, const fmi2ValueReference[], size_t, const fmi2Real[], fmi2Real[])) \
    X(fmi2Status, EnterEventMode, (fmi2Component))                                                           \
    X(fmi2Status, NewDiscreteStates, (fmi2Component, fmi2EventInfo *))                                       \
    X(fmi2Status, EnterContinuousTimeMode, (fmi2Component))                                                  \
    X(fmi2Status, CompletedIntegratorStep, (fmi2Component, fmi2Boolean, fmi2Boolean *, fmi2Boolean *))       \
    X(fmi2Status, SetTime, (fmi2Component, fmi2Real))                                                        \
    X(fmi2Status, SetContinuousStates, (fmi2Component, const fmi2Real[], size_t))                            \
    X(fmi2Status, GetDerivatives, (fmi2Component, fmi2Real[], size_t))                                       \
    X(fmi2Status, GetEventIndicators, (fmi2Component, fmi2Real[], size_t))                                   \
    X(fmi2Status, GetContinuousStates, (fmi2Component, fmi2Real[], size_t))                                  \
    X(fmi2Status, GetNominalsOfContinuousStates, (fmi2Component, fmi2Real[], size_t))                        \
    X(fmi2Status, SetRealInputDerivatives,                                                                   \
      (fmi2Component, const fmi2ValueReference[], size_t, const fmi2Integer[], const fmi2Real[]))            \
    X(fmi2Status, GetRealOutputDerivatives,                                                                  \
      (fmi2Component, const fmi2ValueReference[], size_t, const fmi2Integer[], fmi2Real[]))                  \
    X(fmi2Status, DoStep, (fmi2Component, fmi2Real, fmi2Real, fmi2Boolean))                                  \
    X(fmi2Status, CancelStep, (fmi2Component))                                                               \
    X(fmi2Status, GetStatus, (fmi2Component, const fmi2StatusKind, fmi2Status *))                            \
    MS_FMI2_STATUS(X, Real)                                                                                  \
    MS_FMI2_STATUS(X, Integer)                                                                               \
    MS_FMI2_STATUS(X, Boolean)                                                                               \
    MS_FMI2_STATUS(X, String)
/* clang-format on */

#define MS_FMI2_TYPE(returned, name, arguments) typedef returned fmi2##name##TYPE arguments;
MS_FMI2_EACH(MS_FMI2_TYPE)

#endif
