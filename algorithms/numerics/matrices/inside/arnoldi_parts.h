/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arnoldi_parts.h - what Arnoldi's method is made of. */
#pragma once

#include <lapacke.h>

/* krylov.c: orthonormal columns V (n x m, by columns) and what Arnoldi's method does to them. Sums have one order. */

/* |v| without overflow; NaN where v is not finite. */
double ms_krylov_norm(int n, const double *v);

/* v by the divisor, entry by entry: its inverse may not be a finite number. */
void ms_krylov_divide(int n, double divisor, double *v);

/* w - V V' w into w, twice (Gram-Schmidt in blocks), V' w into h (m); again: workspace of m. Returns |w| afterwards. */
double ms_krylov_orthogonalise(int n, int m, const double *V, double *w, double *h, double *again);

/* The first k columns of V Q into V, for Q (m x m, by columns). work: m doubles times MS_KRYLOV_ROWS. */
enum { MS_KRYLOV_ROWS = 128 };
void ms_krylov_rotate(int n, int m, int k, const double *Q, double *V, double *work);

/* V y for y (m) into x. */
void ms_krylov_combine(int n, int m, const double *V, const double *y, double *x);

/* schur_form.c: real Schur form S = Q T Q' of a small matrix, with eigenvalues brought to its head: LAPACK's dgees,
 * dtrevc, dtrsen and dtrsna on memory of our own. Matrices stand by columns. */

typedef struct ms_schur_form {
    int most, n;          /* order: at most, now */
    double *T, *Q;        /* (n x n) */
    double *re, *im;      /* (n) as they are in T, pairs with the positive im first */
    double *right, *left; /* (n x n) eigenvectors of S; of a pair the real part, then the imaginary one */
    double *inverse;      /* (n) 1 / condition of the eigenvalues */
    double *work;
    lapack_int *select, *integers;
} ms_schur_form;

/* Returns MS_OK or MS_NO_MEMORY. */
int ms_schur_form_create(int most, ms_schur_form *form);
void ms_schur_form_destroy(ms_schur_form *form);

/* Of S (n x n, columns `stride` apart, kept, finite). Returns MS_OK or MS_NOT_CONVERGED. */
int ms_schur_form_decompose(ms_schur_form *form, int n, const double *S, int stride);

/* Eigenvectors of S, not scaled. */
void ms_schur_form_vectors(ms_schur_form *form);

/* 1 over the condition of each eigenvalue: the cosine between its left and right eigenvector. Overwrites vectors by
 * those of T. */
void ms_schur_form_conditions(ms_schur_form *form);

/* Brings eigenvalues k with chosen[k] to the head of T, of a pair both. Returns how many are there: one more where
 * a pair would be cut. What cannot be told apart from the next eigenvalue may stay behind. */
int ms_schur_form_order(ms_schur_form *form, const int *chosen);
