/* linearise.h - matrices of a coupled system at a point of its states: feed-through and monolithic
 * Jacobian. */
#ifndef MS_LINEARISE_H
#define MS_LINEARISE_H

#include "system.h"

/* The start: states x (nx) and the inputs u (nu) with u = L g(x, u). Where the loop has no solution u is zero
 * and the status MS_NO_SOLUTION. */
int ms_linearise_start(const ms_system *system, double *x, double *u, ms_error *error);

/* DL (ny x ny) = D L with D = dg/du at (x, u). Errors: MS_NO_MEMORY, MS_SOLVER_FAILED (outside the
 * domain). */
int ms_linearise_loop(const ms_system *system, double t, const double *x, const double *u, double *DL,
                      ms_error *error);

/* A (nx x nx): the Jacobian of the coupled system at x, with its loop solved. Errors: MS_NO_SOLUTION,
 * MS_NO_MEMORY, MS_SOLVER_FAILED. */
int ms_linearise_monolithic(const ms_system *system, double t, const double *x, double *A, ms_error *error);

/* Largest modulus of n eigenvalues (re, im). */
double ms_spectral_radius(int n, const double *eigenvalues);

#endif
