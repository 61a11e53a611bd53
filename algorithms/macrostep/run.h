/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.h - drives a co-simulation from its start to its end and says why it ended.
 *
 * Observers wrap a run; schemes neither print nor record. */
#pragma once

#include <signal.h>
#include <stdbool.h>

#include <macrostep/c_linkage.h>
#include <macrostep/status.h>

MS_C_LINKAGE_BEGIN

typedef struct ms_cosim ms_cosim;

typedef enum ms_reason {
    MS_REASON_END_TIME,
    MS_REASON_DIVERGED,
    MS_REASON_STEP_SIZE_UNDERFLOW,
    MS_REASON_ITERATION_FAILED,
    MS_REASON_SUBSYSTEM_FAILED,
    MS_REASON_WORK_LIMIT,
    MS_REASON_NO_SOLUTION,
    MS_REASON_INTERRUPTED,
    MS_REASON_TERMINATED,  /* a subsystem has asked for the end of the run */
    MS_REASON_INCOMPATIBLE /* only in rows of compare and sweep */
} ms_reason;

/* "end-time", "diverged", ... */
const char *ms_reason_name(ms_reason reason);

/* Every hook is OPTIONAL. One that returns non-zero ends the run as interrupted. */
typedef struct ms_observer {
    void *self;
    /* step() reads no states, inputs or outputs: where other ranks hold them they need not come here */
    bool of_times;
    int (*start)(void *self, const ms_cosim *cosim, double t);
    /* After each accepted macro-step from t to t + h. */
    int (*step)(void *self, const ms_cosim *cosim, double t, double h);
    /* After each attempt of a step controller: its error estimate in units of the tolerance. */
    int (*attempt)(void *self, double t, double h, double estimate, bool accepted);
    void (*end)(void *self, const ms_cosim *cosim, double t, ms_reason reason);
} ms_observer;

/* For observers: states x (nx) and outputs y (ny) at the last communication point, all subsystems' one behind the
 * other. */
const double *ms_run_states(const ms_cosim *cosim);
const double *ms_run_outputs(const ms_cosim *cosim);

/* A clock that never goes back [s], for wall_seconds. */
double ms_wall_seconds(void);

typedef struct ms_run_result {
    ms_reason reason;
    char message[512]; /* empty after end-time; then an observer may fill it */
    double end_time;   /* time reached [s] */
    long macro_steps, rejected_steps, iterations, sweeps, integrations, sensitivities;
    long
        held; /* macro-steps behind which the step control wanted less than the smallest step, and got that */
    double estimate_defect; /* the largest |y - estimate| of schemes that estimate outputs; NAN: none does */
    double wall_seconds;
} ms_run_result;

/* Runs from options.start_time to options.stop_time (the last step ends exactly there). scale: the largest
 * reference value so far, kept by an observer, for the detection of divergence (run.c, limit); NULL: none. stop:
 * becomes non-zero to interrupt; may be NULL. Returns MS_OK whenever there is a result, a run that diverges
 * included; MS_NO_MEMORY otherwise. */
int ms_run(ms_cosim *cosim, const ms_observer *observers, int n_observers, const double *scale,
           const volatile sig_atomic_t *stop, ms_run_result *result, ms_error *error);

MS_C_LINKAGE_END
