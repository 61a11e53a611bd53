/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coupled.h - what the tests of models share: systems by name, evaluation of all subsystems, and the coupled
 * system with its loop solved, written apart from the library's. Failures end the cmocka test. */
#pragma once

#include <macrostep/linearisation.h>
#include <macrostep/system.h>

enum { SUPPORT_COUPLED_SIZE = 64, SUPPORT_COUPLED_POINTS = 5 };

/* Numbers between -2 and 2, the same in every run. */
void support_random_vector(double *v, int n);

/* Fails unless |a - b| <= tolerance (1 + |a| + |b|). */
void support_near_relative(double a, double b, double tolerance, const char *what, const char *where);

/* A system of the catalogue. */
ms_system *support_system_of_case(const char *model, const char *case_name, const ms_setting *settings,
                                  int n);

/* Solves M z = b in place by Gaussian elimination with pivoting; M (n x n) is overwritten. */
void support_solve(int n, double *M, double *b);

/* The point of subsystem i, for x and u of the whole system. */
ms_point support_point(const ms_system *system, int i, const double *x, const double *u);

/* Random x and u in the domain of the equations of all subsystems. */
void support_random_point(const ms_system *system, double *x, double *u);

/* f or g of all subsystems: x' (nx) or y (ny). */
void support_evaluate(const ms_system *system, bool outputs, const double *x, const double *u, double *value);

/* D L at (x, u), ny x ny. */
void support_loop_matrix(const ms_system *system, const double *x, const double *u, double *DL);

/* The states of precice-oscillator at t, in closed form. */
void support_precice_oscillator(double t, double x[4]);

/* The linearisation of the whole at t = 0 and x, owned by the caller. */
ms_linearised *support_linearised(const ms_system *system, const double *x,
                                  const ms_linearisation_options *options);

/* x' of the coupled system, with y = g(x, L y) solved by Newton's method. */
void support_monolithic(const ms_system *system, const double *x, double *dx);
