/* SPDX-License-Identifier: GPL-3.0-or-later */
/* random_system.h - random linear systems for the tests of propagation matrices: 2 to 5 subsystems, with and
 * without feed-through, singular A, static subsystems, inputs of several wires or none. */
#ifndef MS_RANDOM_SYSTEM_H
#define MS_RANDOM_SYSTEM_H

#include "analytic_propagation.h"
#include "propagation.h"

enum {
    RANDOM_SYSTEM_SUBSYSTEMS = 5,
    RANDOM_SYSTEM_SIZE = 3,
    RANDOM_SYSTEM_TOTAL = RANDOM_SYSTEM_SUBSYSTEMS * RANDOM_SYSTEM_SIZE
};

typedef struct random_system {
    ms_system *system;
    double h;          /* macro-step with ||A h|| <= 5 in each subsystem [s] */
    double condition;  /* of I - D L in the 2-norm, at most 1e3 */
    char reversed[64]; /* names of the subsystems, last first */
    void *memory;
} random_system;

random_system support_random_system_next(unsigned long long *seed);
void support_random_system_drop(random_system *s);

/* D L (ny x ny). */
void support_random_system_loop(const ms_system *system, double *DL);

/* Psi(h) by formula and by the probe (n x n, freed by the caller), and the Frobenius norm. */
double *support_random_system_formula(const ms_system *system, const ms_options *options, double h, int *n);
double *support_random_system_probe(const ms_system *system, const ms_options *options, double h, int *n);
double support_random_system_frobenius(size_t n, const double *M);

#endif
