/* SPDX-License-Identifier: GPL-3.0-or-later */
/* instance.h - a subsystem in a run: its inputs, right-hand side, outputs and their derivatives at a time and state. Creation and
 * macro-steps: instance_step.h.
 *
 * An instance owns its configuration and scratch; its state x, its discrete variables z and its solver's step-size memory live
 * in blocks that the co-simulation owns, so that saving and restoring are one memcpy there. */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/event_state.h>
#include <macrostep/input.h>
#include <macrostep/input_law.h>
#include <macrostep/solver.h>
#include <macrostep/system.h>
#include <macrostep/work.h>

MS_C_LINKAGE_BEGIN

enum { MS_SAMPLES_MAX = 96 };

/* x at t within the last micro-step of a solver with dense output: nx states, followed by integrals if
 * the solver has them (room for n_state). Returns 0 on success. */
typedef int ms_micro_dense(void *solver, double t, double *x);

/* Functions called while a subsystem is integrated. Hooks are OPTIONAL. */
typedef struct ms_monitor {
    void *self;
    /* After each accepted micro-step; order: of the method in it, 0 if fixed or unknown. */
    void (*micro_step)(void *self, double from, double to, int order);
    /* The same with its solution, dense(solver, t, x) for t in [from, to]. Returns 0; otherwise the
     * micro-solver fails. */
    int (*inside)(void *self, double from, double to, ms_micro_dense *dense, void *solver);
    /* After each event that has been handled, at t. */
    void (*event)(void *self, double t, const ms_event *event);
} ms_monitor;

/* A place inside a macro-step at which micro-solvers store the state (n_state). */
typedef struct ms_place {
    double at; /* fraction of the macro-step, in (0, 1] */
    double *x;
} ms_place;

typedef struct ms_port_work ms_port_work; /* port_work.h */

/* Replaces a subsystem's f and g during integration. All are REQUIRED, and return what f and g return. */
typedef struct ms_vector_field {
    int (*rhs)(ms_instance *instance, int piece, double t, const double *x, int n,
               double *dx); /* the first n */
    int (*outputs)(ms_instance *instance, int piece, double t, const double *x, double *y);
    int (*jacobian)(ms_instance *instance, int piece, double t, const double *x, double *A);
} ms_vector_field;

struct ms_instance {
    const ms_system *system;
    int index; /* of the subsystem in the system */
    double *z; /* discrete variables (nz), in its aux block */
    /* sides of switches during integration, or of an evaluation (ms_point); NULL: their actual sides */
    const double *sides;
    const ms_vector_field *field; /* NULL: its own */
    double *memory;               /* of the solver (solver->memory), in its aux block */
    double *sample_at;            /* (n_samples) ascending fractions in (0, 1] */
    double *samples;              /* (n_samples x n_state) */
    ms_place *sample_place;       /* (n_samples): the same as places for micro-solvers */
    const ms_place *place; /* (n_places) ascending: places to be filled, samples and nodes of a quadrature */
    ms_port_work *port_work; /* NULL: not computed */
    bool unwatched;          /* true: both of the following are suspended */
    int suspended_places;
    ms_port_work *suspended_work;
    ms_input_law *law; /* (n_laws) */
    ms_monitor monitor;
    ms_capabilities can;
    long micro_steps_max; /* on one piece: an adaptive solver that needs more has failed (micro_step.h) */
    double *u, *du, *w, *dx, *y, *scratch; /* evaluation scratch, its own or the lender's */

    /* Members read by every macro-step are adjacent: with many subsystems, memory access is the bottleneck. */
    const ms_subsystem *sub;
    const ms_blocks *blocks; /* the matrices; NULL if the subsystem is nonlinear */
    const ms_blocks *closed; /* the same including feedback laws: for polynomials instead of inputs */
    const ms_solver *solver;
    void *solver_data;
    double *x;          /* state (nx), in the co-simulation's lin block */
    double *state;      /* (n_state): x itself if there are no integrals */
    double *x_start;    /* state at the start of each piece (room.pieces x n_state) */
    ms_events *events;  /* of a subsystem with events (events.h); NULL: it has none */
    int n_integrals;    /* 0, or ny: integrals of the outputs, see ms_instance_create */
    int n_state;        /* what a micro-solver integrates: nx states, then n_integrals integrals */
    int n_samples;      /* states are sampled at t + fraction * h inside each macro-step */
    int n_places;       /* places in the current macro-step */
    int n_laws;         /* number of inputs that follow no polynomial in the current macro-step */
    bool driven;        /* x' = A x + B u: linear, without events, external inputs and integrals */
    bool feeds_through; /* D of a linear subsystem is not zero */
    bool left_limits;   /* outputs just before a jump, up to round-off, are left limits */
    /* (nu): values that inputs keep over the macro-step, NaN for those that vary; NULL: all vary */
    const double *hold;
    ms_blocks *feedback; /* owns `closed` if it differs from `blocks` */
    bool ended;          /* it asked for the end of the run on the rank where it was stepped */
    bool borrows;        /* solver_data is the lender's, an instance with the same matrices */
    ms_input input;      /* of the current or last macro-step */
    double t, h;         /* start and length of the last macro-step [s] */
    ms_work work;
    /* ends of the input's pieces, x_start, and its own state, coefficients and scratch */
    double block[];
};

/* Size of `memory` in doubles for the subsystems from first to last - 1. */
static inline int ms_system_solver_memory(const ms_system *system, const ms_solver *solver, int first,
                                          int last)
{
    return solver->memory * (last - first) +
           solver->state_memory * (system->x_at[last] - system->x_at[first]);
}

/* Number of stored states of a subsystem that brings its own solver (ms_instance_keep). */
enum { MS_COMPONENT_SNAPSHOTS = 8 };

/* Reason of its failure, in its own words; "" if it gave none. */
const char *ms_instance_failure(const ms_instance *instance);
/* MS_NO_MEMORY if that is the reason, otherwise MS_SOLVER_FAILED. */
int ms_instance_failure_status(const ms_instance *instance);

/* Did it fail because it asks for the end of the run? */
bool ms_instance_ended(const ms_instance *instance);

/* Allocates room for MS_INPUT_LAWS laws; n_laws is their number. Returns MS_OK or MS_NO_MEMORY. */
int ms_instance_allow_laws(ms_instance *instance);

/* Prefetches what the next macro-step of the instance reads. */
static inline void ms_instance_prefetch(const ms_instance *instance)
{
    enum { LINE = 64 };
    const char *from = (const char *)&instance->sub, *to = (const char *)(instance->block + 4);
    for (; from < to; from += LINE)
        __builtin_prefetch(from, 1);
}

/* int y dt over the last macro-step (ny); of instances that integrate. */
static inline const double *ms_instance_integrals(const ms_instance *instance)
{
    return instance->state + instance->sub->nx;
}

/* Inputs (nu) at a time within the current macro-step and a state: the polynomials of the given piece, and
 * the laws. If a law divides by zero, the input is not finite. Returns what g returns. */
int ms_instance_inputs(ms_instance *instance, int piece, double t, const double *x, double *u);

/* An output (ny) that no wire carries becomes zero where it has no value, for integrals. */
void ms_instance_fill_undefined(const ms_instance *instance, double *y);

/* The derivative of the state (n_state: x', then q' = y) at a time and state under a piece of the current
 * input, counted as work; called by micro-solvers. Returns what f and g return. */
int ms_instance_rhs(ms_instance *instance, int piece, double t, const double *state, double *dstate);

/* dx'/dx (nx x nx, by rows) at the same point, including the dependence of inputs on x by laws, counted as work. The
 * integrals do not act back. */
int ms_instance_jacobian(ms_instance *instance, int piece, double t, const double *state, double *A);

/* Time of sample k [s], and the address of its state. */
static inline double ms_instance_sample_time(const ms_instance *instance, int k)
{
    return instance->t + instance->sample_at[k] * instance->h;
}

/* Outputs g(t, x, u) at the current state for the given inputs (nu); du may be NULL (zero). If a time
 * event or breakpoint differs from t by round-off, these and the following are right limits there, unless
 * left_limits is set for an integration up to the jump. */
int ms_instance_outputs(ms_instance *instance, double t, const double *u, const double *du, double *y);

/* Outputs (ny) at sample k of the last macro-step, under the given piece of the input: at a joint the piece that ends there
 * gives left limits. Returns what g returns. */
int ms_instance_sample_outputs(ms_instance *instance, int k, int piece, double *y);

/* The next announced time or breakpoint of subsystem i once it has reached t: after the last one served, which may
 * differ from t by round-off, or that one if it is announced again. INFINITY: none. */
double ms_next_announced_time(const ms_system *system, int i, double t, const double *z);

/* The first time event or breakpoint after t that the subsystem announces, in its current mode [s]; one that
 * follows t by round-off counts as passed. INFINITY: none. */
double ms_instance_next_time(const ms_instance *instance, double t);

/* y' = g_t + g_x f + g_u u' at the current state (Andersson 6.43c); with du = NULL the part without u'. Exact if the subsystem has
 * rates (ms_subsystem_has_rates), otherwise g_t is a difference. Errors: MS_SOLVER_FAILED. */
int ms_instance_output_derivative(ms_instance *instance, double t, const double *u, const double *du,
                                  double *dy);

/* g_t + g_x x' at the current state, for an x' (nx) other than f. Needs rates. Errors: MS_SOLVER_FAILED. */
int ms_instance_output_derivative_along(ms_instance *instance, double t, const double *u, const double *dx,
                                        double *dy);

/* y'' = (g_t + g_x f + g_u u')' at the current state, exact: C (A^2 x + A B u + B u') + D u'' of linear instances without external
 * inputs; ddu may be NULL (the part without u''). Errors: MS_UNSUPPORTED (it has no rates), MS_SOLVER_FAILED. */
int ms_instance_output_second_derivative(ms_instance *instance, double t, const double *u, const double *du,
                                         const double *ddu, double *ddy);

/* D = dg/du at the current state (ny x nu, by rows). */
int ms_instance_feed_through(ms_instance *instance, double t, const double *u, double *D);

/* Is [t0, t0 + h] only a few units in the last place of t0 long, so that adaptive solvers refuse it? */
bool ms_micro_tiny(double t0, double h);

MS_C_LINKAGE_END
