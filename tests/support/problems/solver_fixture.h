/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_fixture.h - the models that try micro-solvers, and one subsystem at work. */
#pragma once

#include <stdbool.h>

#include <macrostep/instance.h>
#include <macrostep/solver_registry.h>

enum { SUPPORT_SOLVER_NX = 2, SUPPORT_FIXTURE_STATES = 64 };

/* Subsystems of support_solver_model; all but the last have SUPPORT_SOLVER_NX states and one input. */
enum support_solver_model {
    SUPPORT_LINEAR,
    SUPPORT_PENDULUM,
    SUPPORT_OSCILLATOR,
    SUPPORT_STIFF,
    SUPPORT_POLE,
    SUPPORT_BROKEN,
    SUPPORT_DOMAIN,
    SUPPORT_STATIC
};
extern const ms_model support_solver_model;
extern const double support_solver_start[SUPPORT_SOLVER_NX];
enum { SUPPORT_STIFFNESS = 100000 }; /* eigenvalues of the stiff subsystem: -1 and -SUPPORT_STIFFNESS */

/* Subsystems of support_integrals_model: SUPPORT_FULL has all blocks and an external input that varies, SUPPORT_FIXED a constant
 * one, SUPPORT_LINE moves on a straight line, SUPPORT_LAW is x' = u, SUPPORT_CURVED is nonlinear; SUPPORT_STATELESS (linear), SUPPORT_SQUARE
 * (nonlinear) and SUPPORT_MUTE have no states, and the last has no outputs. */
enum {
    SUPPORT_FULL,
    SUPPORT_FIXED,
    SUPPORT_LINE,
    SUPPORT_LAW,
    SUPPORT_CURVED,
    SUPPORT_STATELESS,
    SUPPORT_SQUARE,
    SUPPORT_MUTE,
    SUPPORT_FULL_OUTPUTS = 3
};
extern const ms_model support_integrals_model;
extern const double support_full_A[4], support_full_B[4], support_full_C[6], support_full_D[6],
    support_full_E[2], support_full_F[3], support_line_start[SUPPORT_SOLVER_NX];

/* What f and the Jacobian of pendulum and oscillator saw since support_fixture_forget. */
typedef struct support_solver_record {
    long f, jacobian;
    double first, last; /* times [s] */
    double jump, a, b;  /* set by the test: the input jumps from a to b there */
    bool wrong_piece;   /* a after the jump, or b before it */
} support_solver_record;
extern support_solver_record support_solver_seen;
void support_fixture_forget(void);

typedef struct support_solver_fixture {
    ms_system *system;
    ms_instance *instance;
    double x[SUPPORT_FIXTURE_STATES], z[SUPPORT_FIXTURE_STATES], memory[SUPPORT_FIXTURE_STATES];
} support_solver_fixture;

/* ms_instance_sample that must succeed. */
void support_sample(ms_instance *instance, int n, const double *fractions);

/* A subsystem at its start values; fails the test where that is not possible. */
support_solver_fixture *support_fixture_of(const ms_model *of, int subsystem, const ms_solver *solver,
                                           const ms_solver_options *options);
support_solver_fixture *support_fixture(int subsystem, const ms_solver *solver,
                                        const ms_solver_options *options); /* of support_solver_model */
void support_fixture_drop(support_solver_fixture *fixture);

/* One piece of length h: input i is (1 - 2 tau + 3 tau^2 - 4 tau^3 ..) / (i + 1) up to the degree. */
void support_fixture_feed(support_solver_fixture *fixture, double h, int degree);

/* Two pieces: u = a up to `jump` after the start, then b. */
void support_fixture_feed_jump(support_solver_fixture *fixture, double jump, double h, double a, double b);

/* Up to four pieces: input i on piece j is sum_k (-1)^(k + j) (k + 1 + j) / (i + 1) s^k, s from its start. */
void support_fixture_feed_pieces(support_solver_fixture *fixture, double h, int degree, int pieces);

/* A macro-step that must succeed. */
void support_fixture_advance(support_solver_fixture *fixture, double t, double h);

/* max |x - reference| / (1 + |reference|); NaN where one of them is. */
double support_distance_relative(int n, const double *x, const double *reference);
void support_fixture_near(const support_solver_fixture *fixture, const char *what, const double *x,
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
#define SUPPORT_FOR_ALL_SOLVERS(solver)                                                                      \
    for (const ms_solver *const *at_##solver = ms_solvers, *solver; (solver = *at_##solver) != NULL;         \
         at_##solver++)
