/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linearisation_jacobian.h - matrices of a coupled system at a point of its states: feed-through, monolithic
 * Jacobian, and the linear system of the Jacobian blocks; and which point that is. */
#pragma once

#include <signal.h>

#include <macrostep/c_linkage.h>
#include <macrostep/choices.h>
#include <macrostep/system.h>

MS_C_LINKAGE_BEGIN

/* The start: states x (nx) and the inputs u (nu) with u = L g(x, u). Where the loop has no solution u is zero
 * and the status MS_NO_SOLUTION. */
int ms_linearisation_start(const ms_system *system, double *x, double *u, ms_error *error);

/* DL (ny x ny) = D L with D = dg/du at (x, u). Errors: MS_NO_MEMORY, MS_SOLVER_FAILED (outside the
 * domain). */
int ms_linearisation_loop(const ms_system *system, double t, const double *x, const double *u, double *DL,
                          ms_error *error);

/* A (nx x nx): the Jacobian of the coupled system at x, with its loop solved. Errors: MS_NO_SOLUTION,
 * MS_NO_MEMORY, MS_SOLVER_FAILED. */
int ms_linearisation_monolithic(const ms_system *system, double t, const double *x, double *A,
                                ms_error *error);

/* The inputs u = L y (nu) with y = g(t, x, L y) at the states x and discrete variables z (nz; NULL: as at the
 * start) and, where du (nu, zero) is not NULL and a subsystem reads them, their derivatives. Errors:
 * MS_NO_SOLUTION, MS_NO_MEMORY, those of ms_cosim_create. */
int ms_linearisation_inputs(const ms_system *system, double t, const double *x, const double *z, double *u,
                            double *du, ms_error *error);

/* MS_UNSUPPORTED where a model has events, between which alone it could be linear, or is
 * differential-algebraic, without the x' = f whose matrices these are. */
int ms_linearisation_supported(const ms_system *system, ms_error *error);

/* The linear system of small deviations from the states x (nx) at time t: the blocks A, B, C, D of each
 * subsystem there, with the algebraic loop solved; same names, wires, parameters, step size and end.
 * External inputs, discrete variables and energies are left out, deviations start at zero. It refers to
 * names of `system`, which must outlive it; its partials_error says how far the matrices are off by differences, where a subsystem has
 * nothing else (ms_linearisation_has_differences); destroyed by ms_system_destroy. Errors: MS_NO_SOLUTION, MS_SOLVER_FAILED (outside the domain),
 * MS_UNSUPPORTED (ms_linearisation_supported, outputs that depend on u'), MS_NO_MEMORY. */
int ms_linearisation_system(const ms_system *system, double t, const double *x, ms_system **linear,
                            ms_error *error);

/* Does a subsystem give neither matrices nor partial derivatives? */
bool ms_linearisation_has_differences(const ms_system *system);

/* An equilibrium of the coupled system at the external inputs of time t: x (nx) holds the guess before and
 * the states after, by short, damped Newton steps of least norm. Errors: MS_NO_SOLUTION (none found),
 * MS_NO_MEMORY. */
int ms_linearisation_equilibrium(const ms_system *system, double t, double *x, ms_error *error);

/* Where a nonlinear system is linearised. */
typedef enum ms_linearisation_point_kind {
    MS_LINEARISE_AT_START,
    MS_LINEARISE_AT_TIME,
    MS_LINEARISE_AT_EQUILIBRIUM
} ms_linearisation_point_kind;

typedef struct ms_linearisation_point {
    ms_linearisation_point_kind kind;
    double begin; /* of the run [s] */
    double t;     /* of the point [s] */
} ms_linearisation_point;

/* From the text of --at, "start", "equilibrium" or a time within the run of the options; NULL: the start. No
 * text goes with a linear system, whose matrices are the same everywhere. Errors: MS_INVALID. */
int ms_linearisation_point_read(const char *text, const ms_system *system, const ms_options *options,
                                ms_linearisation_point *linearised_at, ms_error *error);

/* The states x (nx) and discrete variables z (nz) at that point: at a time those of the reference, elsewhere
 * z as at the start. z may be NULL: then a model with events is refused. stop (may be NULL) ends the way
 * there. Errors: MS_UNSUPPORTED (ms_linearisation_supported), MS_SOLVER_FAILED (the reference ends before),
 * MS_NO_SOLUTION (no equilibrium found), MS_INTERRUPTED, MS_NO_MEMORY. */
int ms_linearisation_point_state(const ms_system *system, const ms_linearisation_point *linearised_at,
                                 const volatile sig_atomic_t *stop, double *x, double *z, ms_error *error);

/* Largest modulus of n eigenvalues (re, im). */
double ms_spectral_radius(int n, const double *eigenvalues);

MS_C_LINKAGE_END
