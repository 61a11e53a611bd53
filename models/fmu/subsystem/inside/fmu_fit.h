/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_fit.h - fits a linear map to samples of inputs and outputs, and measures how far outputs are from one. */
#pragma once

/* M (rows x n) with out = M in in the sense of least squares, by modified Gram-Schmidt orthogonalisation, twice. in (samples x n) is
 * overwritten by an orthonormal basis; out: (samples x rows); R: room for n x n. The first `needed` columns
 * have to say something; others may be zeros, which map to nothing. Returns the first column that those before it explain to 1e-8, for which
 * there is no map, or -1. */
int ms_fmu_fit(int samples, int n, int needed, double *in, int rows, const double *out, double *R, double *M);

/* What such a map promises: sum = M v (rows), and the sizes of its terms (rows). */
void ms_fmu_promise(int rows, int n, const double *M, const double *v, double *sum, double *terms);

/* How far out - base is from that (rows each), relative to the terms; infinite where something is no number. */
double ms_fmu_distance(int rows, const double *out, const double *base, const double *sum,
                       const double *terms);
