/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nonlinear_samples.h - problems gamma(z) = 0 with known roots, and what a method makes of them. Failures end
 * the cmocka test. */
#pragma once

#include "nonlinear.h"

enum { SUPPORT_SAMPLE_LARGEST = 20 };

/* gamma(z) = (I - J) e + curvature sin(e)^2, e = z - root, or something else by `kind`. */
typedef struct support_nonlinear_sample {
    enum {
        SUPPORT_SAMPLE_SMOOTH,
        SUPPORT_SAMPLE_NO_ROOT,
        SUPPORT_SAMPLE_CONSTANT,
        SUPPORT_SAMPLE_DOUBLE_ROOT,
        SUPPORT_SAMPLE_LOGARITHM,
        SUPPORT_SAMPLE_NOT_FINITE
    } kind;
    int n;
    double J[SUPPORT_SAMPLE_LARGEST * SUPPORT_SAMPLE_LARGEST], root[SUPPORT_SAMPLE_LARGEST],
        guess[SUPPORT_SAMPLE_LARGEST];
    double curvature, tolerance; /* relative and absolute, entry by entry; 0: never converged */
    long calls, fails_at;        /* call number fails_at (from 1) and those after it return `status` */
    int status;
    long calls_unasked; /* since converged was asked last */
} support_nonlinear_sample;

/* J = radius Q C Q' with the cyclic shift C and a reflection Q: all eigenvalues have this modulus, |J|_2 too,
 * and GMRES needs all of its n steps. */
support_nonlinear_sample support_sample_of(int n, double radius, double curvature, double tolerance);

/* The problem of Eguillon et al. (2021), (33): eigenvalues 0, +-i sqrt(1/D), each double. */
support_nonlinear_sample support_sample_of_damper(double D, double curvature, double tolerance,
                                                  double distance);

/* Of ms_nonlinear_problem, the context a sample. */
int support_sample_residual(void *context, const double *z, double *r);
bool support_sample_converged(void *context, const double *z, const double *r);

typedef struct support_nonlinear_outcome {
    int status;
    long calls, calls_unasked; /* unasked: after the last point that converged was asked about */
    ms_nonlinear_counts counts;
    double z[SUPPORT_SAMPLE_LARGEST], r[SUPPORT_SAMPLE_LARGEST];
} support_nonlinear_outcome;

void *support_sample_workspace(const ms_nonlinear_method *method, int n, int max_iterations,
                               ms_structure *memory);

/* From the guess. Evaluations that the method counts must be those that were made. */
support_nonlinear_outcome support_sample_solve_in(const ms_nonlinear_method *method, void *workspace,
                                                  const support_nonlinear_sample *s);
support_nonlinear_outcome support_sample_solve(const ms_nonlinear_method *method,
                                               const support_nonlinear_sample *s, int max_iterations);

/* It must be a solution by its rule, and r gamma(z) to the bit. */
void support_sample_check(const ms_nonlinear_method *method, const support_nonlinear_sample *s,
                          const support_nonlinear_outcome *o);

#define SUPPORT_FOR_ALL_METHODS(m)                                                                           \
    for (const ms_nonlinear_method *const *m##_at = ms_nonlinear_methods, *m; (m = *m##_at) != NULL; m##_at++)
