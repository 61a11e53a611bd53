/* specimen.h - random linear systems for the tests of propagation matrices: 2 to 5 subsystems, with and
 * without feed-through, singular A, static subsystems, inputs of several wires or none. */
#ifndef MS_SPECIMEN_H
#define MS_SPECIMEN_H

#include "propagation.h"

enum { SPECIMEN_SUBSYSTEMS = 5, SPECIMEN_SIZE = 3, SPECIMEN_TOTAL = SPECIMEN_SUBSYSTEMS * SPECIMEN_SIZE };

typedef struct specimen {
    ms_system *system;
    double h;         /* macro-step with ||A h|| <= 5 in each subsystem [s] */
    double condition; /* of I - D L in the 2-norm, at most 1e3 */
    char reversed[64]; /* names of the subsystems, last first */
    void *memory;
} specimen;

specimen specimen_next(unsigned long long *seed);
void specimen_drop(specimen *s);

/* D L (ny x ny). */
void specimen_loop(const ms_system *system, double *DL);

/* Psi(h) by formula and by the probe (n x n, freed by the caller), and the Frobenius norm. */
double *specimen_formula(const ms_system *system, const ms_options *options, double h, int *n);
double *specimen_probe(const ms_system *system, const ms_options *options, double h, int *n);
double specimen_frobenius(size_t n, const double *M);

#endif
