/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solution_pair.h - two solutions of the monolithic model by independent methods, whose difference estimates the error of the first.
 *
 *     model                      the first one                                the companion
 *     linear                     matrix exponentials; Taylor's series         Radau IIA of order 13; matrix exponentials beside
 *                                where it serves and lengths of steps change  Taylor's series
 *     nonlinear                  Prince and Dormand's method of order 8       Radau IIA of order 13
 *     nonlinear, found stiff     Radau IIA of order 13                        Lobatto IIIC of order 12
 *     differential-algebraic     IDA                                          Radau IIA of order 13, in state-space form
 *
 * Of more than IMPLICIT_STATES states the companion of nonlinear ones is Dormand and Prince's method of order 5, of ARKODE; that of
 * others is the first method with ten times looser tolerances and half steps.
 *
 * A model is found to be stiff if the explicit method's steps are limited by stability, or if there are too many. Both solutions continue
 * from their present points, so that the error estimate is kept.
 *
 * Round-off: after each step each state of the companion is moved by one unit of it, up or down, and by that of the times of events and of
 * jumps of the equations. The difference contains the propagation of this by the flow, and the round-off of two methods. The bound is SAFETY
 * times the largest difference so far and round-off of the largest value.
 *
 * Work is counted in evaluations, not in time, so that results are the same on every machine. */
#pragma once

#include <stdint.h>

#include <macrostep/instance.h>
#include <macrostep/instance_step.h>
#include "state_space_form.h"

/* The relative tolerance of nonlinear models. */
#define MS_SOLUTION_RTOL 1e-13

typedef struct ms_solution {
    const ms_system *system; /* one subsystem */
    double *x, *z, *memory;  /* (nx), (nz), (of the solver): one block */
    ms_instance *instance;
    ms_instance *at_rest; /* where another solver has taken over: the first one, on the same block */
    double factor;        /* of its tolerances */
    bool waits;           /* it has no solver's memory before the first step that is its own */
} ms_solution;

/* What the pair is for. */
typedef struct ms_solution_use {
    bool changing;           /* lengths of steps change all the time */
    bool series;             /* of linear models: the first solution is the owner's, by Taylor's series, and
                                of those without a dense matrix the companion's, too */
    int n;                   /* samples of each step of the first one, */
    const double *fractions; /* at these (n) in (0, 1], ascending; they outlive the pair */
} ms_solution_use;

typedef struct ms_solution_pair {
    ms_system *whole;
    ms_state_space_form *form; /* of the companion; NULL: the model has no residual */
    ms_solution main, companion;
    ms_solution_use use;
    double
        *block; /* memory of both, of the first one before a step, of four derivatives, and sizes of states */
    size_t size;        /* of each */
    bool explicit;      /* the first one is by the explicit method, */
    bool turns;         /* which the next step is too long for */
    bool apart;         /* the methods share nothing: the companion takes steps as long */
    double span;        /* since the last look at stiffness: time, ... */
    long steps;         /* ... and micro-steps */
    double begin;       /* where the first step began [s]; NaN: there was none */
    long run_steps;     /* that the owner has followed so far; 0: it takes steps of its own */
    bool looked;        /* for several solutions from where both begin */
    double *largest_of; /* (nx) value of each state so far */
    uint64_t noise;
    double difference, largest; /* so far: between both, and value of a state */
} ms_solution_pair;

/* Both are at the start values. Errors: those of ms_monolithic_create, MS_NO_MEMORY; then there is nothing to
 * destroy. */
int ms_solution_pair_create(const ms_system *system, const ms_solution_use *use, ms_solution_pair *pair,
                            ms_error *error);
void ms_solution_pair_destroy(ms_solution_pair *pair); /* safe where it is all zero */

/* Back to the start values. */
void ms_solution_pair_start(ms_solution_pair *pair);

/* Advances the first one from t to t + h. Returns MS_OK, MS_SOLVER_FAILED, MS_SPENT (there is no more work to be done up to t, or the program is to end) or MS_NO_MEMORY. */
int ms_solution_pair_lead(ms_solution_pair *pair, double t, double h);

/* Advances the companion likewise. Or MS_DISAGREE: from the start, or from a switch of this step, several solutions go on. */
int ms_solution_pair_follow(ms_solution_pair *pair, double t, double h);

/* The same of an own step of the owner's. */
void ms_solution_pair_perturb(ms_solution_pair *pair);

/* Of linear models, where the series no longer serves: the companion goes on by another method than exponentials. Returns MS_OK or
 * MS_NO_MEMORY. */
int ms_solution_pair_leave_series(ms_solution_pair *pair);

/* Records the difference between both at the present time. */
void ms_solution_pair_compare(ms_solution_pair *pair);

/* A bound on the error of the first one so far; missed: by what the owner adds to it. */
double ms_solution_pair_error(const ms_solution_pair *pair, double missed);

/* Advances one of them from t to t + h. Returns MS_OK or MS_SOLVER_FAILED. */
static inline int ms_solution_step(const ms_solution *solution, double t, double h)
{
    solution->instance->input.end[0] = h;
    return ms_instance_step(solution->instance, t, h);
}
