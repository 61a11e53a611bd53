/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arnoldi.h - eigenvalues of largest modulus of a large matrix M given only by products M v.
 *
 * Arnoldi's method, restarted as a Krylov-Schur decomposition (Stewart, SIAM J. Matrix Anal. Appl. 23, 2001): with
 * orthonormal V and M V = V S + v b', the Schur vectors of S that belong to its largest eigenvalues are kept when V
 * is full, the others are discarded. Real arithmetic throughout; complex pairs stay together.
 *
 * A Krylov space contains only one direction of each eigenspace, and may lack some by symmetry. So when all requested
 * eigenvalues have converged, and the next one is not larger, the search continues with another start vector,
 * orthogonal to the eigenvectors found, until it finds no eigenvalue larger than the last one.
 *
 * Slow convergence: the number of products grows as 1/sqrt(distance to the next eigenvalue), in units of the spread
 * of all eigenvalues. Whatever its residual r, an approximate eigenvalue is one of M + E with |E| = r. */
#pragma once

#include <signal.h>
#include <stdbool.h>

typedef struct ms_arnoldi_map {
    int n;
    /* to = M v, both (n). Returns MS_OK, or a negative status that ends the iteration. */
    int (*apply)(void *self, const double *v, double *to);
    void *self;
    double round_off; /* of M v for |v| = 1, relative to the largest |M v| */
    double left_over; /* the same, whatever |M v| is */
    /* a map with the same eigenvectors, whose eigenvalues (Rayleigh quotients) and residuals are answered, in the order of
     * those of M; NULL: M itself */
    const struct ms_arnoldi_map *of;
} ms_arnoldi_map;

typedef struct ms_arnoldi_request {
    int k;                             /* number of eigenvalues; all n if there are fewer */
    int subspace;                      /* columns of V at most; at least 2 k + 6; 0: 72 */
    long applications;                 /* products at most, those of the residuals apart */
    double tolerance;                  /* of |M v - lambda v| / |v|, relative to |lambda| */
    const volatile sig_atomic_t *stop; /* becomes non-zero to end early; may be NULL */
} ms_arnoldi_request;

typedef struct ms_arnoldi {
    int n; /* eigenvalues: k, one more where a pair would be cut, fewer where V holds fewer */
    /* (n) pairs re, im, by descending modulus, of a conjugate pair the positive im first */
    double *eigenvalues;
    double *inner;      /* (n) likewise those of M, from which they differ for another map */
    double *residuals;  /* (n) |M v - lambda v| / |v|, by products after the iteration */
    double *conditions; /* (n) of the eigenvalues of M within the span of V: at most those in M */
    int converged;      /* how many residuals are within the tolerance times |lambda|, or round-off */
    bool complete;      /* V spans the whole space: there are no other eigenvalues */
    int size;           /* columns of V at the end */
    double *projection; /* (size x size) V' M V, by columns */
    int subspace, restarts;
    long applications;
} ms_arnoldi;

/* The start vectors are fixed, and sums have one order, so that equal products give the same bits; LAPACK computes
 * the Schur forms of S. Memory: subspace + 4 vectors, allocated before the first product; up to 75 columns nothing is
 * allocated later, above that LAPACK's blocked QR algorithm may allocate. Returns MS_OK,
 * MS_NOT_CONVERGED (the answer is set, `converged` says how much of it is valid), MS_INTERRUPTED, MS_NO_MEMORY,
 * MS_SOLVER_FAILED (a product is not finite), or what apply returned. */
int ms_arnoldi_create(const ms_arnoldi_map *map, const ms_arnoldi_request *request, ms_arnoldi *answer);
void ms_arnoldi_destroy(ms_arnoldi *answer); /* NULL-safe members */
