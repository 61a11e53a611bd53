/* SPDX-License-Identifier: GPL-3.0-or-later */
/* micro_step.h - functions shared by the micro-solvers. */
#pragma once

#include <stdbool.h>

#include <macrostep/instance.h>

/* Bounds on the micro-steps of one piece: a solver that needs more has failed. Unstable couplings accelerate
 * subsystems long before their values count as divergence; this keeps such runs short. The second bound
 * applies once values are so large that a failure is divergence (run.c). */
enum { MS_MICRO_STEPS_MAX = 20000, MS_MICRO_STEPS_EXPLODING = 1000 };

/* The derivative of the whole state (n_state) at (t, x) on a piece. Returns 0, or a positive number where f
 * or g is not defined or not finite (an adaptive solver then tries a smaller step). */
int ms_micro_rhs(ms_instance *instance, int piece, double t, const double *x, double *dx);

/* x' alone (nx), counted as work, and y alone (ny), not counted; otherwise the same. */
int ms_micro_state_rhs(ms_instance *instance, int piece, double t, const double *x, double *dx);
int ms_micro_outputs(ms_instance *instance, int piece, double t, const double *x, double *y);

/* The point (t, x) under a piece of the input, in the scratch of the instance. Returns what g returns. */
int ms_micro_point(ms_instance *instance, int piece, double t, const double *x, ms_point *at);

/* The same where the solution is smooth: on the sides of switches that hold over the micro-step, at a time before the next event. */
int ms_micro_smooth_point(ms_instance *instance, int piece, double t, const double *x, ms_point *at);

bool ms_micro_finite(int n, const double *x);

/* What a multistep method continues from: where it was valid last, and whether the present piece has to restart it. */
typedef struct ms_history {
    ms_input_change input_change;
    bool valid, restart;
    double t_reached;
    double *x_reached; /* nx */
} ms_history;

/* Nodes and weights of Gauss and Legendre on [0, 1], exact up to degree 9. */
enum { MS_MICRO_GAUSS = 5 };
extern const double ms_micro_gauss_nodes[MS_MICRO_GAUSS], ms_micro_gauss_weights[MS_MICRO_GAUSS];

/* q += int g dt over [from, to] on a piece, x from dense output, by Gauss's formula. Returns MS_OK or
 * MS_SOLVER_FAILED. */
int ms_micro_integrate(ms_instance *instance, int piece, double from, double to, ms_micro_dense *dense,
                       void *solver, double *q);

/* Index range [*first, *last) of the places inside a piece: s_piece < fraction * h <= end[piece], a comparison
 * independent of the time, so that each place belongs to exactly one piece. Places up to an event from which the
 * micro-solver continues are omitted. */
void ms_micro_samples(const ms_instance *instance, int piece, int *first, int *last);

/* Of place k: time after the start of the macro-step [s], time [s], and the address of its state (n_state). */
static inline double ms_micro_sample_after(const ms_instance *instance, int k)
{
    return instance->place[k].at * instance->h;
}

static inline double ms_micro_sample_time(const ms_instance *instance, int k)
{
    return instance->t + ms_micro_sample_after(instance, k);
}

static inline double *ms_micro_sample(const ms_instance *instance, int k)
{
    return instance->place[k].x;
}
