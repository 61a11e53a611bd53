/* SPDX-License-Identifier: GPL-3.0-or-later */
/* random_system.h - random linear systems: with and without feed-through, singular A, static subsystems, inputs of several
 * wires or none. And how far their propagation matrices by formula are from those by the probe. */
#pragma once

#include <macrostep/analytic_propagation.h>
#include <macrostep/propagation.h>

/* Of support_random_system_next: subsystems at most, and states, inputs or outputs of one and of all. */
enum {
    SUPPORT_RANDOM_SYSTEM_SUBSYSTEMS = 5,
    SUPPORT_RANDOM_SYSTEM_SIZE = 3,
    SUPPORT_RANDOM_SYSTEM_TOTAL = SUPPORT_RANDOM_SYSTEM_SUBSYSTEMS * SUPPORT_RANDOM_SYSTEM_SIZE
};

typedef struct support_random_system {
    ms_system *system;
    double h;          /* macro-step [s] */
    double condition;  /* of I - D L in the 2-norm, at most 1e3 */
    char reversed[64]; /* names of the subsystems, last first */
    void *memory;
} support_random_system;

/* 2 to 5 subsystems of up to three states, ||A h|| <= 5 in each. */
support_random_system support_random_system_next(unsigned long long *seed);

/* What random systems are like. All have 1 to SUPPORT_RANDOM_SYSTEM_SIZE inputs and outputs a subsystem, and 0 to 3 wires an input. */
enum { SUPPORT_RANDOM_SYSTEM_MOST = 12 };
typedef struct support_random_shape {
    int subsystems[2];   /* least and most, up to SUPPORT_RANDOM_SYSTEM_MOST */
    int states[2];       /* of a subsystem, up to SUPPORT_RANDOM_SYSTEM_SIZE */
    double step, spread; /* h = step e^-spread to step e^spread [s] */
    double stiffness;    /* ||A h|| at most */
    double feed_through; /* entries of D at most; a third of the systems has none */
    double missing;      /* share of zeros in D */
    /* wires lead from earlier subsystems to later ones, every input but those of the first has one, and there are
     * no zeros in A, B, C, so that each wire is felt */
    bool one_way;
} support_random_shape;
support_random_system support_random_system_of(const support_random_shape *shape, unsigned long long *seed);

void support_random_system_drop(support_random_system *s);

/* D L (ny x ny). */
void support_random_system_loop(const ms_system *system, double *DL);

/* Psi(h) by formula and by the probe (n x n, freed by the caller), and the Frobenius norm. */
double *support_random_system_formula(const ms_system *system, const ms_options *options, double h, int *n);
double *support_random_system_probe(const ms_system *system, const ms_options *options, double h, int *n);
double support_random_system_frobenius(size_t n, const double *M);

/* ||M - reference|| / (1 + ||reference||) of n x n matrices in the Frobenius norm; that of Psi(h) by formula from Psi(h) by
 * the probe, which must have the same dimension. */
double support_matrix_gap(int n, const double *M, const double *reference);
double support_formula_gap(const ms_system *system, const ms_options *options, double h);
