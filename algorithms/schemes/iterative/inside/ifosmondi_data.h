/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ifosmondi_data.h - shared by the files of ifosmondi: scheme_ifosmondi.c has the formulas and takes macro-steps,
 * ifosmondi_callback.c computes inputs from unknowns and evaluates gamma, ifosmondi_setup.c has checks and memory. Private to these
 * files. */
#pragma once

#include "iteration.h"

/* output_estimate.c: outputs at the end of a macro-step by estimate, without a step: for subsystems that integrate once and cannot roll
 * back (COSTARICA), and as equations that are linear in the inputs at the end (MISSILES).
 *
 * With A, B, C, D of a subsystem at (T_n, x_n, u_n), f(s) and g(s) at (T_n + s, x_n, u_n), and u(s) = sum_k c_k s^k:
 *
 *     dx  = int_0^h e^{A (h - s)} (f(s) + B (u(s) - u_n)) ds
 *     y^  = g(h) + C dx + D (u(h) - u_n)        y^' = g'(h) + C (f(h) + A dx + B (u(h) - u_n)) + D u'(h)
 *
 * Where external inputs vary, f(s) is interpolated at six times of the macro-step, with nothing known of jumps inside. On linear
 * subsystems that is what an exact step gives, to round-off, or to h^7 where external inputs vary. After Eguillon, Lacabanne and
 * Tromeur-Dervout, COSTARICA and MISSILES.
 *
 * Needs: directional derivatives, x' = f, external inputs known beforehand. */

typedef struct ms_output_estimate ms_output_estimate;

/* It goes with the co-simulation. For inputs of that degree, up to HERMITE_DEGREE, and where it is asked for (HERMITE_DEGREE) their equations. Errors:
 * MS_UNSUPPORTED (a subsystem that it does not fit, by name, or too many equations), MS_NO_MEMORY. */
int ms_output_estimate_create(ms_cosim *cosim, int degree, bool equations, ms_output_estimate **estimate,
                              ms_error *error);

/* Linearises at T_n = t, where the co-simulation is with inputs u (nu). Allocates nothing. Returns MS_OK
 * or MS_SOLVER_FAILED with the line in cosim->error. */
int ms_output_estimate_begin(ms_cosim *cosim, ms_output_estimate *estimate, double t, double h,
                             const double *u);

/* y^ into cosim->y_raw and, where dy (ny) is not NULL, y^' for the inputs that instances have. */
void ms_output_estimate_outputs(ms_cosim *cosim, const ms_output_estimate *estimate, double *dy);

/* Equations of values and slopes z = (u, u') at the end under Hermite's inputs (first: the parabolas of a first macro-step): y^ and
 * y^' are affine in z, with the matrix S of their coefficients. factor: the factors of I - L S. solve: r = (I - L S)^-1 r (2 nu).
 * Allocate nothing. factor returns MS_OK or MS_NO_SOLUTION. */
int ms_output_estimate_factor(const ms_cosim *cosim, ms_output_estimate *estimate, bool first);
void ms_output_estimate_solve(const ms_cosim *cosim, const ms_output_estimate *estimate, double *r);

typedef struct ifosmondi_data {
    bool smooth;                  /* ifosmondi */
    int full;                     /* 2 nu or nu: values and slopes of all inputs */
    int *unknown;                 /* positions of the iteration's unknowns in (full) */
    int *datum;                   /* of each unknown */
    bool *fed;                    /* (nu) Gauss-Seidel: inputs that only earlier subsystems feed */
    int *sequence, *rank;         /* (subsystems) Gauss-Seidel; NULL: Jacobi */
    double *given;                /* (full) values and slopes of the inputs of the last call */
    double *image;                /* (full) L y, L y' of that call */
    double *left;                 /* values and slopes at the start of the macro-step (full), in lin */
    double *steps;                /* accepted macro-steps, in aux */
    double *dy;                   /* (ny) */
    double *before;               /* state of the co-simulation at T_n */
    double t, h;                  /* of the macro-step */
    ms_iteration iteration;       /* its method is NULL if the equations are solved directly */
    ms_output_estimate *estimate; /* instead of rollback; NULL: none */
    double *estimated;            /* outputs of the last one (ny) */
} ifosmondi_data;

/* Callback ----------------------------------------------------------------------------------------------- */

/* All subsystems over the macro-step under the inputs of z (NULL: the first call); `image`, which may be z, becomes the entries of
 * (L y, L y') for the unknowns. */
int ms_ifosmondi_call(ms_cosim *cosim, ifosmondi_data *data, const double *z, double *image);

/* gamma for the methods. A subsystem that cannot be integrated under z leaves gamma without a value there. */
int ms_ifosmondi_residual(void *context, const double *z, double *r);

/* A step of all subsystems under the inputs that they have; dy NULL: without output derivatives. */
int ms_ifosmondi_advance(ms_cosim *cosim, const ifosmondi_data *data, double *dy);

/* Setup -------------------------------------------------------------------------------------------------- */

bool ms_ifosmondi_is_estimated(const ms_variant *variant); /* without rollback? */

void ms_ifosmondi_memory(const ms_cosim *cosim, int *lin, int *aux);
int ms_ifosmondi_create(ms_cosim *cosim, ms_error *error);

/* hermite_inputs.c: one input over a macro-step of length h by values and slopes at its ends: coefficients c by powers of the time
 * since its start (Eguillon et al. 2021). */

enum { HERMITE_DEGREE = 3 };

/* The cubic with value a, slope b at 0 and value u, slope v at h (22). */
void ms_hermite_cubic(double a, double b, double u, double v, double h, double c[HERMITE_DEGREE + 1]);

/* The parabola with value a at 0 and value u, slope v at h. */
void ms_hermite_parabola(double a, double u, double v, double h, double c[HERMITE_DEGREE + 1]);

/* The parabola with value a, slope b at 0 and value a again at h (20). */
void ms_hermite_first_guess(double a, double b, double h, double c[HERMITE_DEGREE + 1]);
