/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linearisation.h - state space matrices at a point, and their cost (Andersson 2016, 9.1.1).
 *
 *     x' = A x + B u + E w        y = C x + D u + F w
 *
 * for small deviations of a subsystem, u its coupling and w its external inputs; and, with the algebraic loop
 * solved,
 *
 *     x' = A x + B w              y = C x + D w
 *
 * for the coupled model. Partial derivatives come from directional derivatives if a subsystem has them (its matrices, or its
 * own Jacobian, multiplied by a seed: each product counts as an evaluation, as with an FMU), otherwise from differences of f
 * and g, whose error is estimated (partials.h). Columns are compressed by structure (compression.h). */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/compression.h>
#include <macrostep/sparsity.h>

MS_C_LINKAGE_BEGIN

typedef enum ms_partials {
    MS_PARTIALS_BEST, /* directional derivatives if available, otherwise central differences */
    MS_PARTIALS_FORWARD,
    MS_PARTIALS_CENTRAL
} ms_partials;

typedef struct ms_linearisation_options {
    ms_partials partials;
    bool compress;
} ms_linearisation_options;

/* Partial derivatives of one subsystem. */
typedef struct ms_linearisation {
    int nx, nu, nw, ny, n;      /* n: nx + nu + nw */
    double *f;                  /* (nx x n): A, B, E side by side */
    double *g;                  /* (ny x n): C, D, F */
    bool directional;           /* A to D from directional derivatives */
    ms_differences differences; /* method of the other partial derivatives */
    int groups, bound;      /* sets of columns that were found together, and the fewest that there could be */
    long evaluations;       /* of f and of g, or directional derivatives */
    long evaluations_dense; /* without compression */
    bool differenced;       /* some are from differences, E and F as a rule ... */
    double partials_error;  /* ... which are off by so much (partials.h) */
    long checks;            /* evaluations that this took */
    double residual; /* of ms_linearisation_check, in the parts of ms_linearised; NaN: outside the domain */
} ms_linearisation;

/* Subsystem i at a point whose t, x, u, z (and du) are set. Errors: MS_SOLVER_FAILED (outside the domain),
 * MS_NO_MEMORY. */
int ms_linearisation_create(const ms_system *system, int i, const ms_point *at, const ms_sparsity *sparsity,
                            const ms_linearisation_options *options, ms_linearisation **linearisation);
void ms_linearisation_destroy(ms_linearisation **linearisation); /* NULL-safe */

/* How far the matrices are from the derivative of f and g in one random direction, by a central
 * difference, relative to it: near round-off where the pattern has all entries. Two evaluations of f and
 * of g that are not counted. Errors: as above. */
int ms_linearisation_check(const ms_system *system, int i, const ms_point *at,
                           const ms_linearisation *linearisation, double *off);

/* The coupled model. */
typedef struct ms_coupled {
    int nx, nw, ny;
    double *A, *B, *C, *D; /* (nx x nx), (nx x nw), (ny x nx), (ny x nw): of the subsystems' matrices */
    bool assembled;        /* false: a subsystem reads u', A is from differences and B, C, D are NaN */
    bool *structure;       /* (nx x nx): entries of A that may differ from zero */
    double *A_differences; /* (nx x nx): A once more, from differences of the monolithic x' */
    ms_differences differences;
    double partials_error; /* of A_differences */
    int groups, bound;
    long evaluations, evaluations_dense, checks; /* of the monolithic x' */
} ms_coupled;

/* Everything that is found at one point. */
typedef struct ms_linearised {
    const ms_system *system;
    double t;
    double *x, *u, *du;      /* the point: nx, and nu twice */
    double *z;               /* (nz) */
    ms_sparsity **sparsity;  /* (n) */
    ms_linearisation **part; /* (n) */
    ms_coupled *whole;       /* NULL: not wanted */
} ms_linearised;

enum { MS_COUPLED_STATES_MAX = 1000, MS_COUPLED_OUTPUTS_MAX = 10000 };

/* The subsystems, or subsystem `only` alone (-1: all), and with all of them the coupled model, at the
 * states x, the discrete variables z (NULL: as at the start) and the inputs that solve the loop there: of a
 * hybrid model the smooth motion until the next event. It refers to the system, which must outlive it.
 * Errors: MS_NO_SOLUTION, MS_SOLVER_FAILED (outside the domain), MS_INVALID (a coupled model of more than
 * MS_COUPLED_STATES_MAX states or MS_COUPLED_OUTPUTS_MAX outputs), MS_UNSUPPORTED (a differential-algebraic
 * subsystem), MS_NO_MEMORY. */
int ms_linearised_create(const ms_system *system, double t, const double *x, const double *z, int only,
                         const ms_linearisation_options *options, ms_linearised **linearised,
                         ms_error *error);
void ms_linearised_destroy(ms_linearised **linearised); /* NULL-safe */

/* Of ms_linearised_create: the coupled model from parts that are all there. */
int ms_coupled_create(const ms_linearised *parts, const ms_linearisation_options *options,
                      ms_coupled **coupled, ms_error *error);
void ms_coupled_destroy(ms_coupled **coupled); /* NULL-safe */

MS_C_LINKAGE_END
