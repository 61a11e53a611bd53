/* SPDX-License-Identifier: GPL-3.0-or-later */
/* open_loop.h - one subsystem of a model, driven alone by known inputs (Andersson 2016, ch. 7).
 *
 * The coupled model is solved to reference accuracy on a grid T_0 < .. < T_n of equal segments, and the
 * subsystem's inputs u(t) = L y are read at its points. The open-loop problem is
 *
 *     x' = f(t, x, u~(t)),    x(T_0) = the subsystem's start values,    t in [T_0, T_n]    (7.1)
 *
 * with, on segment i:
 *     constant       u~(t) = u(T_i)                                    (7.2)
 *     linear         u~(t) = u(T_i) + (t - T_i) u'(T_i)                (7.3), jumps at T_i+1
 *     interpolated   the line through u(T_i) and u(T_i+1), which is continuous
 *
 * The exact solution of the open-loop problem differs from the coupled one by the sampling error of the inputs, so a
 * micro-solver's errors are measured against both: the open-loop problem's own tight solution (its global error) and
 * the coupled reference. */
#pragma once

#include <macrostep/choices.h>
#include <macrostep/run.h>
#include <macrostep/system.h>
#include <macrostep/work.h>

typedef struct ms_instance ms_instance;

typedef enum ms_open_loop_inputs {
    MS_OPEN_LOOP_CONSTANT,
    MS_OPEN_LOOP_LINEAR,
    MS_OPEN_LOOP_INTERPOLATED
} ms_open_loop_inputs;

/* An open-loop problem. Any number of threads may run it at the same time. */
typedef struct ms_open_loop {
    const ms_system *system;
    int subsystem, segments;
    ms_open_loop_inputs inputs;
    int nx, nu, degree;                /* of the subsystem, and of u~ on a segment */
    double *time;                      /* T_i (segments + 1) [s] */
    double *value, *slope;             /* u~ and u~' at the start of each segment (segments x nu) */
    double *coupled;                   /* states in the coupled reference at T_i ((segments + 1) x nx) */
    double *tight;                     /* of the open-loop problem, by `exact` (linear) or gsl-rk8pd,
                                          likewise */
    double coupled_error, tight_error; /* estimates: largest difference to a companion with halved steps */
} ms_open_loop;

/* What is to be solved. */
typedef struct ms_open_loop_problem {
    const ms_system *system;
    int subsystem, segments;
    ms_open_loop_inputs inputs;
    double start_time, stop_time;      /* [s] */
    const volatile sig_atomic_t *stop; /* becomes non-zero to interrupt; may be NULL */
} ms_open_loop_problem;

/* Samples the inputs and solves the open-loop problem tightly. Errors: MS_INVALID (segments, times),
 * MS_UNSUPPORTED (the subsystem takes no such inputs), MS_NO_SOLUTION (the coupling equations),
 * MS_SOLVER_FAILED (the reference or the tight solution), MS_NO_MEMORY, MS_INTERRUPTED. */
int ms_open_loop_create(const ms_open_loop_problem *problem, ms_open_loop **open_loop, ms_error *error);
void ms_open_loop_destroy(ms_open_loop **open_loop); /* NULL-safe */

typedef struct ms_open_loop_step {
    double from, to; /* of an accepted micro-step [s] */
    int order;       /* 0: fixed or not known */
} ms_open_loop_step;

/* Errors of one state at the grid points: largest, and at the end. */
typedef struct ms_open_loop_errors {
    double max, end;
} ms_open_loop_errors;

typedef struct ms_open_loop_result {
    ms_reason reason;  /* end-time, diverged, subsystem-failed or interrupted */
    char message[160]; /* empty after end-time */
    double end_time;   /* grid point reached [s] */
    ms_work work;
    double *x;                    /* states at the grid points reached ((segments + 1) x nx) */
    ms_open_loop_errors *own;     /* against the tight solution (nx); NaN unless the end was reached */
    ms_open_loop_errors *coupled; /* against the coupled reference (nx) */
    ms_open_loop_errors own_largest, coupled_largest; /* maxima over the states */
    ms_open_loop_step *step;                          /* (n_steps): the micro-steps, where they are wanted */
    long n_steps;
    double wall_seconds;
} ms_open_loop_result;

typedef struct ms_open_loop_options {
    bool steps; /* keeps the micro-steps; else begin() may set instance->monitor to hooks of its own */
    const volatile sig_atomic_t *stop;
    /* OPTIONAL: before each segment, whose input is set, while the micro-solver is at the end of the one
     * before. */
    void (*begin)(void *self, ms_instance *instance, int segment);
    void *self;
} ms_open_loop_options;

/* The name of the options' micro-solver; where they leave it open the one that keeps its history, cvode-bdf. */
const char *ms_open_loop_solver(const ms_options *options);

/* Runs the problem with the micro-solver of the options (ms_open_loop_solver, solver_rtol, solver_atol, micro_steps,
 * input_change). request may be NULL. A run that diverges or fails is MS_OK.
 * Errors: MS_INVALID (unknown solver), those of ms_instance_create, MS_NO_MEMORY; nothing is left to destroy
 * then. */
int ms_open_loop_run(const ms_open_loop *open_loop, const ms_options *options,
                     const ms_open_loop_options *request, ms_open_loop_result *result, ms_error *error);
void ms_open_loop_result_destroy(ms_open_loop_result *result); /* safe to repeat */

/* Puts segment i of the inputs into an instance, from `share` of it to its end: the piece begins there. For
 * ms_open_loop_run and the tight solution. Returns the length of the piece [s]. */
double ms_open_loop_set_input(const ms_open_loop *open_loop, int segment, double share, double share_end,
                              ms_instance *instance);
