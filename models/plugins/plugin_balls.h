/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin_balls.h - functions of macrostep-balls.so: matrices of complex balls by Arb (FLINT), and proofs with them
 * about the eigenvalues of a matrix that is an entire function of the macro-step H.
 *
 * A ball holds all numbers within a radius of its midpoint; the result of an operation on balls holds the results for
 * all numbers in them (F. Johansson, Arb: efficient arbitrary-precision midpoint-radius interval arithmetic, IEEE
 * Trans. Comput. 66, 2017). Midpoints have `bits` bits. Without memory FLINT ends the process. */
#pragma once

#include "plugin.h"
#include "runge_kutta.h"

/* A matrix of complex balls. */
typedef struct ms_balls ms_balls;

/* The functions of Psi, with eigenvalues l_1 .. l_n, that all differ from 0 as long as no eigenvalue reaches the unit
 * circle: a real one or a conjugate pair that does takes one of them through 0. */
enum {
    MS_BALLS_ONE,       /* prod_i (1 - l_i) */
    MS_BALLS_MINUS_ONE, /* prod_i (1 + l_i) */
    MS_BALLS_PAIRS,     /* prod_{i<j} (1 - l_i l_j) */
    MS_BALLS_FUNCTIONS
};

/* Step sizes [begin, end], begin < end, seen from the circle about their middle that is `wide` times as large, wide > 1. */
typedef struct ms_balls_panel {
    double begin, end, wide;
    int nodes; /* Chebyshev points of the first kind on it */
} ms_balls_panel;

/* Points of the upper half of a circle, from one end to the other; terms of a function on it; the disc from which it is seen in its
 * turn has 2^FARTHER times its radius. */
enum { MS_BALLS_SAMPLES = 17, MS_BALLS_TERMS = MS_BALLS_SAMPLES, MS_BALLS_FARTHER = 2 };

typedef enum ms_balls_proof {
    MS_BALLS_PROVED,
    MS_BALLS_COARSE, /* more bits may help */
    MS_BALLS_WIDE    /* a smaller panel, or more nodes, may help */
} ms_balls_proof;

typedef struct ms_plugin_balls {
    ms_plugin plugin;

    /* All REQUIRED. All zero at first. create: MS_OK or MS_NO_MEMORY. */
    int (*create)(int rows, int columns, ms_balls **matrix);
    void (*destroy)(ms_balls **matrix); /* NULL-safe */

    void (*set)(ms_balls *matrix, int row, int column, double value); /* exactly */
    double (*middle)(const ms_balls *matrix, int row, int column);    /* of the real part, rounded */
    double (*modulus)(const ms_balls *matrix, int row, int column);   /* the largest in a ball, rounded up */
    int (*is_zero)(const ms_balls *matrix, int row, int column);      /* and nothing else */
    void (*select)(const ms_balls *from, const int *index, ms_balls *to); /* rows and columns index of from */
    void (*clear)(ms_balls *matrix, int row, int rows);
    void (*copy)(const ms_balls *from, int from_row, int rows, ms_balls *to, int to_row);

    /* One row: to += a b from. */
    void (*add_row)(double a, double b, const ms_balls *from, int from_row, ms_balls *to, int to_row,
                    long bits);
    /* Rows of M, as many as it has columns: to += M from. */
    void (*add_product)(const ms_balls *M, const ms_balls *from, int from_row, ms_balls *to, int to_row,
                        long bits);
    void (*scale)(const ms_balls *h, const ms_balls *M, ms_balls *to, long bits); /* to = h M, h (1 x 1) */
    /* MS_OK, or MS_NO_SOLUTION where it may be singular. */
    int (*invert)(const ms_balls *M, ms_balls *inverse, long bits);

    /* h (1 x 1): a number; node k of a panel; point k of its circle; the disc from which that is seen. */
    void (*at)(double value, ms_balls *h);
    void (*at_node)(const ms_balls_panel *panel, int k, ms_balls *h, long bits);
    void (*at_circle)(const ms_balls_panel *panel, int k, ms_balls *h, long bits);
    void (*at_disc)(const ms_balls_panel *panel, ms_balls *h, long bits);

    /* One linear subsystem over one macro-step as in step_map.h: E (nx x nx), G[k] (nx x nu), k = 0 .. degree; solved
     * by `steps` steps of a method, or exactly (NULL). h may hold 0. */
    int (*step_map)(const ms_balls *A, const ms_balls *B, const ms_balls *h, const ms_runge_kutta *method,
                    int steps, int degree, ms_balls *E, ms_balls *const *G, long bits);

    /* moduli (MS_BALLS_TERMS x n x n) so that |inverse psi T|_ij is at most sum_k q^k moduli_kij on the circle of a panel and,
     * q <= 1, on one q times as large. sample (MS_BALLS_SAMPLES of n x n): psi at the points of the circle, disc: over the disc. */
    void (*terms)(ms_balls *const *sample, const ms_balls *disc, const ms_balls *inverse, const ms_balls *T,
                  double *moduli, long bits);

    /* Bounds of the moduli of the functions of all matrices with |psi_ij| <= moduli_ij (n x n), into most (MS_BALLS_FUNCTIONS x 1);
     * scale (n): powers of 2 from 2^-500 to 2^500, so that rows and columns of moduli_ij scale_j/scale_i have similar norms. */
    void (*bounds)(int n, const double *moduli, const double *scale, ms_balls *most);

    /* How many eigenvalues of a real psi lie within |z| < radius, none on that circle (Schur, Cohn); -1: not known. */
    int (*inside)(const ms_balls *psi, double radius, long bits);

    /* The functions of a real psi, into column `column` of values (MS_BALLS_FUNCTIONS x columns). */
    void (*functions)(const ms_balls *psi, ms_balls *values, int column, long bits);
    /* log2 of the least modulus in a ball, -INFINITY where it holds 0. */
    double (*least)(const ms_balls *values, int function, int column);

    /* Is none of the functions zero on the panel (at 0: besides the zero whose order is the number `states` of
     * eigenvalues 1 + O(H))? values: the functions at its nodes, most: bounds on its circle. */
    ms_balls_proof (*nonzero)(const ms_balls *values, const ms_balls_panel *panel, int states,
                              const ms_balls *most, long bits);
} ms_plugin_balls;
