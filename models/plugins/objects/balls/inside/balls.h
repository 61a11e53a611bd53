/* SPDX-License-Identifier: GPL-3.0-or-later */
/* balls.h - shared by the files of macrostep-balls.so. FLINT 3 includes Arb. */
#pragma once

#include "plugin_balls.h"

#ifdef MS_HAVE_ARB
#if __has_include(<flint/acb_mat.h>)
#include <flint/acb_mat.h>
#include <flint/arb_mat.h>
#include <flint/arb_poly.h>
#else
#include <acb_mat.h>
#include <arb_mat.h>
#include <arb_poly.h>
#endif

struct ms_balls {
    acb_mat_t m;
};

/* As plugin_balls.h says. */
int ms_balls_create(int rows, int columns, ms_balls **matrix);
void ms_balls_destroy(ms_balls **matrix);
void ms_balls_set(ms_balls *matrix, int row, int column, double value);
double ms_balls_middle(const ms_balls *matrix, int row, int column);
double ms_balls_modulus(const ms_balls *matrix, int row, int column);
int ms_balls_is_zero(const ms_balls *matrix, int row, int column);
void ms_balls_select(const ms_balls *from, const int *index, ms_balls *to);
void ms_balls_clear(ms_balls *matrix, int row, int rows);
void ms_balls_copy(const ms_balls *from, int from_row, int rows, ms_balls *to, int to_row);
void ms_balls_add_row(double a, double b, const ms_balls *from, int from_row, ms_balls *to, int to_row,
                      long bits);
void ms_balls_add_product(const ms_balls *M, const ms_balls *from, int from_row, ms_balls *to, int to_row,
                          long bits);
void ms_balls_scale(const ms_balls *h, const ms_balls *M, ms_balls *to, long bits);
int ms_balls_invert(const ms_balls *M, ms_balls *inverse, long bits);
void ms_balls_at(double value, ms_balls *h);
void ms_balls_at_node(const ms_balls_panel *panel, int k, ms_balls *h, long bits);
void ms_balls_at_circle(const ms_balls_panel *panel, int k, ms_balls *h, long bits);
void ms_balls_at_disc(const ms_balls_panel *panel, ms_balls *h, long bits);
int ms_balls_step_map(const ms_balls *A, const ms_balls *B, const ms_balls *h, const ms_runge_kutta *method,
                      int steps, int degree, ms_balls *E, ms_balls *const *G, long bits);
void ms_balls_terms(ms_balls *const *sample, const ms_balls *disc, const ms_balls *inverse, const ms_balls *T,
                    double *moduli, long bits);
void ms_balls_bounds(int n, const double *moduli, const double *scale, ms_balls *most);
int ms_balls_inside(const ms_balls *psi, double radius, long bits);
void ms_balls_functions(const ms_balls *psi, ms_balls *values, int column, long bits);
double ms_balls_least(const ms_balls *values, int function, int column);
ms_balls_proof ms_balls_nonzero(const ms_balls *values, const ms_balls_panel *panel, int states,
                                const ms_balls *most, long bits);

/* The middle and half the length of a panel, exactly. */
void ms_balls_panel_middle(const ms_balls_panel *panel, arb_t middle, arb_t half);

/* det(z I - M), with 1 before z^n; M is lost. */
void ms_balls_characteristic(arb_mat_t M, arb_poly_t to, long bits);

/* cos(m pi/(2 n)) */
void ms_balls_cosine(long m, int n, arb_t value, long bits);
#endif
