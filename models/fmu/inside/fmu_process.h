/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_process.h - an FMU in a separate process: the processes, and their communication with the program (fmu_channel.h).
 *
 * A process has the binary of one FMU open and at most one component at a time; when that is gone it waits for the next one. A call
 * is a request and a reply, each followed by arrays whose sizes are given in the request, copied directly from and to the caller's
 * memory. Within a step the process may reply with a question (asks): then requests come that set inputs and read outputs, and at
 * last MS_FMU_GO_ON. A process does not outlive the program, and its children do not outlive it. */
#pragma once

#include "fmu_channel.h"
#include "fmu_parts.h"

/* X(call, its name in a message about the end of the process, functions of FMI 2.0 and 3.0 after "fmi2" and "fmi3"; NULL: none, or
 * several; without the type where it has one) */
#define MS_FMU_CALLS(X)                                                                                      \
    X(OPEN, "its binary was opened", NULL, NULL)                                                             \
    X(INSTANTIATE, "it was instantiated", "Instantiate", "InstantiateCoSimulation")                          \
    X(FREE, "it was freed", "FreeInstance", "FreeInstance")                                                  \
    X(CONFIGURE, "its structural parameters were set", NULL, "EnterConfigurationMode")                       \
    X(ENTER_INITIALISATION, "it was initialised", "EnterInitializationMode", "EnterInitializationMode")      \
    X(EXIT_INITIALISATION, "it was initialised", "ExitInitializationMode", "ExitInitializationMode")         \
    X(TERMINATE, "it was terminated", "Terminate", "Terminate")                                              \
    X(GET, "variables were read", "Get", "Get")                                                              \
    X(SET, "variables were set", "Set", "Set")                                                               \
    X(SET_TEXT, "a variable was set", "SetString", "SetString")                                              \
    X(DIRECTIONAL, "it gave directional derivatives", "GetDirectionalDerivative",                            \
      "GetDirectionalDerivative")                                                                            \
    X(SAVE, "its state was kept", "GetFMUstate", "GetFMUState")                                              \
    X(RESTORE, "its state was restored", "SetFMUstate", "SetFMUState")                                       \
    X(FREE_STATE, "a state of it was freed", "FreeFMUstate", "FreeFMUState")                                 \
    X(COPY_STATE, "a state of it became bytes", NULL, NULL)                                                  \
    X(STEP, "it did a step", "DoStep", "DoStep")                                                             \
    X(SET_INPUT_DERIVATIVES, "derivatives of inputs were set", "SetRealInputDerivatives",                    \
      "SetRealInputDerivatives")                                                                             \
    X(GET_OUTPUT_DERIVATIVES, "derivatives of outputs were read", "GetRealOutputDerivatives",                \
      "GetOutputDerivatives")                                                                                \
    X(SET_TIME, "time was set", "SetTime", "SetTime")                                                        \
    X(SET_STATES, "states were set", "SetContinuousStates", "SetContinuousStates")                           \
    X(GET_STATES, "states were read", "GetContinuousStates", "GetContinuousStates")                          \
    X(GET_DERIVATIVES, "its equations were evaluated", "GetDerivatives", "GetContinuousStateDerivatives")    \
    X(GET_INDICATORS, "event indicators were read", "GetEventIndicators", "GetEventIndicators")              \
    X(COMPLETED_STEP, "it was told of a step", "CompletedIntegratorStep", "CompletedIntegratorStep")         \
    X(ENTER_EVENT_MODE, "it handled an event", "EnterEventMode", "EnterEventMode")                           \
    X(UPDATE_DISCRETE, "it handled an event", "NewDiscreteStates", "UpdateDiscreteStates")                   \
    X(ENTER_CONTINUOUS, "it handled an event", "EnterContinuousTimeMode", "EnterContinuousTimeMode")         \
    X(GO_ON, "it did a step", "DoStep", "DoStep")                                                            \
    X(END, "it was closed", NULL, NULL)

#define MS_FMU_CALL_NAME(name, ...) MS_FMU_##name,
typedef enum ms_fmu_call { MS_FMU_CALLS(MS_FMU_CALL_NAME) MS_FMU_CALL_COUNT } ms_fmu_call;
#undef MS_FMU_CALL_NAME

/* What a process is doing: a call of a type. */
#define MS_FMU_DOING(call, type) ((int)(call) + MS_FMU_CALL_COUNT * (int)(type))

typedef struct ms_fmu_request {
    ms_fmu_call call;
    int n, m; /* lengths of its arrays */
    ms_fmu_type type;
    unsigned reference;
    bool flag;           /* keep; within a step: may it ask back? intermediate update of a new component */
    bool posted;         /* the reply is not awaited: the next call fails if this one does */
    double a, b, c;      /* t and h; a value; start and stop time, tolerance */
    ms_fmu_state state;  /* of its memory */
    size_t size, answer; /* of the arrays behind this, and of those behind the reply [bytes] */
} ms_fmu_request;

typedef struct ms_fmu_reply {
    int status; /* of FMI; of MS_FMU_OPEN one of ours */
    bool asks;  /* it is a question, and there is no status yet */
    bool said;  /* its logger's line follows, before arrays */
    int severity;
    bool first, second; /* whether it may be set and got; of a completed step */
    double value;       /* the time that was reached; that of a question; a number */
    ms_fmu_state state;
    ms_fmi_update update;
    size_t answer; /* of what follows: 0 where it failed */
} ms_fmu_reply;

typedef struct ms_fmu_process ms_fmu_process;

/* Those of one FMU, at work and waiting. The first is started here, to open the binary: its line is the error, MS_SOLVER_FAILED where it
 * dies of that. Other errors: MS_UNSUPPORTED (the program for it is not there), MS_IO (it does not start), MS_NO_MEMORY. */
int ms_fmu_processes_start(ms_fmu *fmu, ms_error *error);
void ms_fmu_processes_end(ms_fmu *fmu); /* NULL-safe; none is at work */

/* A process for this component: an idle one, or a new one. NULL: none, and its voice has the reason. */
ms_fmu_process *ms_fmu_process_take(ms_fmu_component *c);
/* Replaces a process that has had components before by a new one. False: it has had none, or there is no new one. */
bool ms_fmu_process_renew(ms_fmu_component *c);
/* Has one that was to terminate or to free a component taken too long? No other one is asked to. */
bool ms_fmu_process_stays(const ms_fmu_component *c);
/* It waits from now on, unless its component was lost, or is the only one that a process can have. */
void ms_fmu_process_give_back(ms_fmu_component *c);

/* A call and its reply. in, out: the arrays. Returns a status of FMI, MS_FMI_FATAL where the process has died of it, or was ended because it took too long: its voice says how. */
int ms_fmu_process_call(ms_fmu_component *c, ms_fmu_request *request, struct iovec *in, int n_in,
                        ms_fmu_reply *reply, struct iovec *out, int n_out);

/* A call without an answer whose reply is not awaited once the component is initialised: if it fails, the next call fails instead. */
int ms_fmu_process_post(ms_fmu_component *c, ms_fmu_request *request, struct iovec *in, int n_in);

/* Reads variables, and makes a step: variables read by one call after a step are sent along with the next step, as long as the same
 * references are read. So a macro-step of set, step and get is one exchange. */
int ms_fmu_process_get(ms_fmu_component *c, const ms_fmu_group *group, double *value);
int ms_fmu_process_step(ms_fmu_component *c, ms_fmu_request *request, ms_fmu_reply *reply);

/* The third table. */
extern const ms_fmi ms_fmi_isolated;
