/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spline.h - the interpolating B-spline through samples at theta = 0, 1/m, .., 1 in [0, 1], in pieces.
 *
 * Its degree is p, or m where that is smaller. Knots by averaging: p + 1 times 0, then for j = 1 .. m - p the mean of
 * theta_j .. theta_{j + p - 1} with theta_j = j/m, and p + 1 times 1; with m = p it is the polynomial through all samples. p = 0
 * is the right-hand sample on each interval.
 *
 * What spline it is, is linear in the samples: on the piece that begins at theta = b its coefficient of (theta - b)^k is
 * sum_j w[k][j] y_j.
 *
 * Source: de Boor, A Practical Guide to Splines, ch. IX, XIII (averaged knots); the knots as preCICE takes them. */
#pragma once

enum { MS_SPLINE_DEGREE = 3, MS_SPLINE_SAMPLES = 16, MS_SPLINE_PIECES = 128 };

/* The degree of the spline through m intervals. */
static inline int ms_spline_degree(int samples, int degree)
{
    return degree < samples ? degree : samples;
}

/* Knots inside (0, 1), ascending: samples - 1 at most. Returns how many. Equal fractions have equal bits, whatever m. */
int ms_spline_breaks(int samples, int degree, double *breaks);

/* Pieces on which the splines of that degree through m samples are polynomials, for all m whose bit is set in counts: their ends,
 * ascending, the last one at 1. end: room for MS_SPLINE_PIECES, or NULL. Returns how many. */
int ms_spline_pieces(unsigned counts, int degree, double *end);

/* The weights on `pieces` pieces that end at the given ascending times, the last one at 1; each lies between two knots.
 * w (pieces x (most + 1) x (samples + 1)), most >= degree; powers above the degree get zeros. */
void ms_spline_weights(int samples, int degree, int most, int pieces, const double *end, double *w);
