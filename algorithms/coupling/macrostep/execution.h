/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execution.h - executors, which advance the subsystems of a co-simulation for all schemes.
 *
 * A scheme fills the inputs of instances and calls the executor that `execution` names: one thread, several, or
 * executors added by a room above (ranks/). All of them do the same arithmetic for each subsystem, so that results have the same
 * bits, and so do counts of work. */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/cosim.h>

MS_C_LINKAGE_BEGIN

typedef struct ms_error_sum ms_error_sum; /* error_sum.h */

/* State in other processes: the counterparts of cosim_state.h and error_sum.h. All REQUIRED. */
typedef struct ms_state_elsewhere {
    void (*start)(ms_cosim *cosim); /* with the state started here */
    int (*step)(ms_cosim *cosim, double t, double h);
    void (*save)(const ms_cosim *cosim);
    void (*restore)(const ms_cosim *cosim);
    void (*keep)(const ms_cosim *cosim, bool outputs);
    double (*error_sum)(const ms_cosim *cosim, const ms_error_sum *errors);
    void (*observe)(ms_cosim *cosim, bool observed);
    void (*show)(ms_cosim *cosim);
    double (*largest)(const ms_cosim *cosim); /* |x|, |y|, |u|; infinite if one is not finite */
    double (*residual)(const ms_cosim *cosim);
} ms_state_elsewhere;

typedef struct ms_executor {
    /* OPTIONAL. Before instances are created: chooses those that work here (cosim->own; by default all). It may install another
     * executor. Errors: MS_UNSUPPORTED, MS_NO_MEMORY. */
    int (*place)(ms_cosim *cosim, ms_error *error);
    int (*create)(ms_cosim *cosim,
                  ms_error *error);   /* OPTIONAL. Last of all that makes a co-simulation; likewise */
    int (*prepare)(ms_cosim *cosim);  /* OPTIONAL. Before each start; the line is in cosim->error */
    void (*destroy)(ms_cosim *cosim); /* OPTIONAL. Safe after a place() or create() that failed */

    int (*advance)(ms_cosim *cosim, double t, double h,
                   double *dy); /* REQUIRED but where state is elsewhere */
    /* OPTIONAL. NULL: macro-steps always advance all subsystems. */
    int (*advance_some)(ms_cosim *cosim, const bool *which, double *dy);
    int (*advance_one)(ms_cosim *cosim, int i, double *dy); /* OPTIONAL. Likewise */
    void (*share)(ms_cosim *cosim, double *y);              /* OPTIONAL */

    const ms_state_elsewhere *state; /* NULL: state is here */
    bool concurrent; /* several subsystems are advanced at once in this process, so that they share nothing */
    /* The system is a part of another one. Its last subsystem replaces the rest. Options were checked for the whole. */
    bool part;
} ms_executor;

extern const ms_executor ms_executor_serial; /* one after the other */

/* On OpenMP threads of this process, each instance by one thread at a time. If the caller is one of several threads (threads.h),
 * it is the serial one. */
extern const ms_executor ms_executor_threads;

/* Integrates all subsystems from t over h under their inputs, and reads left limits of the inputs into cosim->u_left, outputs as
 * they come into cosim->y_raw and, where dy (ny) is not NULL, their derivatives (Andersson 6.43c). All are integrated even where
 * one fails. Allocates nothing. Returns MS_OK, or MS_SOLVER_FAILED with the line of the first that failed in cosim->error. */
static inline int ms_execution_advance(ms_cosim *cosim, double t, double h, double *dy)
{
    return cosim->executor->advance(cosim, t, h, dy);
}

/* The same for the selected subsystems, which (n), each from its own instance->t over its own instance->h. Others are not changed. */
static inline int ms_execution_advance_some(ms_cosim *cosim, const bool *which, double *dy)
{
    return cosim->executor->advance_some(cosim, which, dy);
}

/* The same for subsystem i only, from t over h. */
static inline int ms_execution_advance_one(ms_cosim *cosim, int i, double t, double h, double *dy)
{
    cosim->instance[i]->t = t;
    cosim->instance[i]->h = h;
    return cosim->executor->advance_one(cosim, i, dy);
}

/* For schemes with blocks: exchanges outputs y (ny), solved at the end of a macro-step, with the neighbours, if there
 * are any. */
static inline void ms_execution_share(ms_cosim *cosim, double *y)
{
    if (cosim->executor->share != NULL)
        cosim->executor->share(cosim, y);
}

MS_C_LINKAGE_END
