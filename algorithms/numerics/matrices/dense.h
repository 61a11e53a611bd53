/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense.h - small dense matrices by rows: products, LU factors, least squares, in code of our own.
 *
 * A library chooses its kernels by the processor, and with them the order of its sums. These have one order, without
 * fused multiply-add, so that results have the same bits on every machine. matrix.h uses them up to
 * MS_DENSE_SIZE_MAX, and LAPACK above; they work for any size. */
#pragma once

#include <stddef.h>

/* Measured in 2026: products are faster than OpenBLAS's up to order 10 or so; at this order they take
 * as long as its SSE3 kernels and four times as long as its AVX2 ones, and caches begin to matter. */
enum { MS_DENSE_SIZE_MAX = 192 };

/* C = A B for A (n x k), B (k x m). C is neither of them. */
void ms_dense_product(int n, int k, int m, const double *A, const double *B, double *C);

/* Z = sum_{k<5} c_k M_k + d D over matrices of `size` entries, the M_k contiguous. Z is none of them. */
void ms_dense_combine(int size, const double c[5], double d, const double *M, const double *D, double *Z);

/* P A = L U for A (n x n, overwritten) with partial pivoting; pivots (n): the row that came to each place.
 * Returns MS_OK or MS_NO_SOLUTION (a pivot is zero or not a number). */
int ms_dense_factor(int n, double *A, int *pivots);

/* Solves A X = B in place for B (n x m), with those factors. */
void ms_dense_solve(int n, int m, const double *LU, const int *pivots, double *B);

/* x of least norm among those that minimise |A x - b|, for A (rows x columns, stored by columns, overwritten) and b
 * (rows, overwritten), by QR with column pivoting and, where the rank is not full, a second QR from the other
 * side (a complete orthogonal decomposition; Golub and Van Loan, Matrix Computations, 5.5.2). The rank counts the
 * diagonal entries of R above `tolerance` times the first. work: ms_dense_least_squares_work(columns) doubles;
 * pivots (columns). Returns MS_OK or MS_NO_SOLUTION (not finite). */
int ms_dense_least_squares(int rows, int columns, double *A, double *b, double tolerance, double *x,
                           double *work, int *pivots);
size_t ms_dense_least_squares_work(int columns);

/* Eigenvalues of A (n x n, overwritten, n up to MS_DENSE_EIGENVALUES_MAX) into re, im (n each), pairs with the positive
 * im first, in no other order, without allocation; see dense_eigenvalues.c. steps: of the QR
 * algorithm at most; one or two an eigenvalue are usual, MS_DENSE_QR_STEPS suffice for all that is known.
 *
 * They are those of A + E with |E| of some n eps |A|, so that a simple eigenvalue is off by that times its condition
 * (1 over the cosine between its left and right eigenvector), and one of a Jordan block of order k by the k-th root.
 * Zero eigenvalues that equal or vanishing rows and columns show are exactly 0. Returns MS_OK, MS_SOLVER_FAILED (not
 * finite) or MS_NOT_CONVERGED. */
enum { MS_DENSE_EIGENVALUES_MAX = 64, MS_DENSE_QR_STEPS = 2000 };
int ms_dense_eigenvalues(int n, int steps, double *A, double *re, double *im);
