/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nonlinear_secants.h - pairs of differences (v, w) of residuals and images, the newest first, with filters that drop nearly
 * dependent ones, and the QR factors of the rest.
 *
 * S V = Q R, S the preconditioner's weights, by modified Gram-Schmidt in the order of the columns, repeated (4 times at most)
 * while a pass leaves 0.7 of a column or less. With the limit x a filter drops
 *
 *     qr1             |R_ii| < x |R|_F, the first such i, and factors anew until there is none
 *     qr1-absolute    |R_ii| < x, the same way
 *     qr2             a column if its part orthogonal to its predecessors is shorter than x times the column
 *     qr3             the same if some |R_ii| < x |v_i|; as all columns are factored again each time, this equals qr2
 *
 * The newest column is kept. A column that depends on its predecessors to round-off is always dropped, even with `none`.
 *
 * Source: Haelterman et al. (2016), filters; Degroote et al. (2009); preCICE, QRFactorization. */
#pragma once

#include "nonlinear_weights.h"

typedef struct ms_nonlinear_secants {
    int n, capacity;
    int filter; /* ms_filter */
    double limit;
    double *Q, *R; /* (n x capacity), (capacity x capacity), by columns */
    double *V, *W; /* (n x capacity) by columns, in the method's memory, */
    double *born;  /* (capacity) number of the macro-step of each column, */
    double *size;  /* and how many there are */
} ms_nonlinear_secants;

/* Doubles that are kept over macro-steps. */
size_t ms_nonlinear_secants_memory(int n, int capacity);

/* Returns MS_OK or MS_NO_MEMORY; destroy is safe after both. */
int ms_nonlinear_secants_create(ms_nonlinear_secants *secants, const ms_nonlinear_setup *setup, int capacity);

/* The columns are stored in that memory. */
void ms_nonlinear_secants_begin(ms_nonlinear_secants *secants, double *memory);

/* Adds (r - r_old, x - x_old), (n) each, of macro-step `step` as the newest pair; the oldest is dropped if there is no room. Nothing is added
 * if r has not changed. Returns whether there is a new pair. */
bool ms_nonlinear_secants_add(ms_nonlinear_secants *secants, double step, const double *r,
                              const double *r_old, const double *x, const double *x_old);

/* Keeps the columns of the `windows` newest macro-steps that left some. */
void ms_nonlinear_secants_keep(ms_nonlinear_secants *secants, int windows);

/* Drops columns and factors the others; how many are left. */
int ms_nonlinear_secants_factor(ms_nonlinear_secants *secants, const ms_nonlinear_weights *weights);

/* With the factors: c (columns) = V^+ r in the weighted norm, for r (n). */
void ms_nonlinear_secants_coordinates(const ms_nonlinear_secants *secants,
                                      const ms_nonlinear_weights *weights, const double *r, double *c);
