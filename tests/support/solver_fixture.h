/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_fixture.h - the models that try micro-solvers, and one subsystem at work. */
#ifndef MS_SOLVER_FIXTURE_H
#define MS_SOLVER_FIXTURE_H

#include <stdbool.h>

#include "instance.h"
#include "solver_registry.h"

enum { NX = 2, STATES = 64 };

/* Subsystems of trial_model; all but the last have NX states and one input. */
enum trial { LINEAR, PENDULUM, OSCILLATOR, STIFF, POLE, BROKEN, DOMAIN, STATIC };
extern const ms_model trial_model;
extern const double trial_start[NX];
enum { STIFFNESS = 100000 }; /* eigenvalues of the stiff subsystem: -1 and -STIFFNESS */

/* Subsystems of integrals_model: FULL has all blocks and an external input that varies, FIXED a constant
 * one, LINE moves on a straight line, LAW is x' = u, CURVED is nonlinear; STATELESS (linear), SQUARE
 * (nonlinear) and MUTE have no states, and the last has no outputs. */
enum { FULL, FIXED, LINE, LAW, CURVED, STATELESS, SQUARE, MUTE, OUTPUTS = 3 };
extern const ms_model integrals_model;
extern const double full_A[4], full_B[4], full_C[6], full_D[6], full_E[2], full_F[3], line_start[NX];

/* What f and the Jacobian of pendulum and oscillator saw since support_fixture_forget. */
typedef struct trial_record {
    long f, jacobian;
    double first, last; /* times [s] */
    double jump, a, b;  /* set by the test: the input jumps from a to b there */
    bool wrong_piece;   /* a after the jump, or b before it */
} trial_record;
extern trial_record seen;
void support_fixture_forget(void);

typedef struct solver_fixture {
    ms_system *system;
    ms_instance *instance;
    double x[STATES], z[STATES], memory[8];
} solver_fixture;

/* ms_instance_sample that must succeed. */
void support_sample(ms_instance *instance, int n, const double *fractions);

/* A subsystem at its start values; fails the test where that is not possible. */
solver_fixture *support_fixture_of(const ms_model *of, int subsystem, const ms_solver *solver,
                                   const ms_solver_options *options);
solver_fixture *support_fixture(int subsystem, const ms_solver *solver,
                                const ms_solver_options *options); /* of trial_model */
void support_fixture_drop(solver_fixture *fixture);

/* One piece of length h: input i is (1 - 2 tau + 3 tau^2 - 4 tau^3 ..) / (i + 1) up to the degree. */
void support_fixture_feed(solver_fixture *fixture, double h, int degree);

/* Two pieces: u = a up to `jump` after the start, then b. */
void support_fixture_feed_jump(solver_fixture *fixture, double jump, double h, double a, double b);

/* Up to four pieces: input i on piece j is sum_k (-1)^(k + j) (k + 1 + j) / (i + 1) s^k, s from its start. */
void support_fixture_feed_pieces(solver_fixture *fixture, double h, int degree, int pieces);

/* A macro-step that must succeed. */
void support_fixture_advance(solver_fixture *fixture, double t, double h);

/* max |x - reference| / (1 + |reference|); NaN where one of them is. */
double support_distance_relative(int n, const double *x, const double *reference);
void support_fixture_near(const solver_fixture *fixture, const char *what, const double *x,
                          const double *reference, double tolerance);

/* The error per step that an adaptive solver keeps leaves an error over a second or so that falls like
 * tol^slope: p/(p+1) for methods of order p without local extrapolation, else 1. */
double support_solver_slope(const ms_solver *solver);

/* Does it reach small tolerances on stiff problems in few steps? */
bool support_solver_stiff(const ms_solver *solver);

/* What a fixed-step solver of order p, the step being 1/n of the time, may miss: `first` where p = 1, n times less for
 * each order more, at least `least`. */
double support_solver_miss(const ms_solver *solver, double first, double n, double least);

/* A solver of another library, explicit and of one step, the first of GSL's where there is a choice: for linear
 * subsystems the exact one. */
const ms_solver *support_reference_solver(const ms_solver *solver, bool linear);

/* Over the registry. */
#define FOR_ALL(solver)                                                                                      \
    for (const ms_solver *const *at_##solver = ms_solvers, *solver; (solver = *at_##solver) != NULL;         \
         at_##solver++)

#endif
