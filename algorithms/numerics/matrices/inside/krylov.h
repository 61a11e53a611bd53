/* SPDX-License-Identifier: GPL-3.0-or-later */
/* krylov.h - orthonormal columns V (n x m, by columns) and what Arnoldi's method does to them. Sums have one order. */
#ifndef MS_KRYLOV_H
#define MS_KRYLOV_H

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

#endif
