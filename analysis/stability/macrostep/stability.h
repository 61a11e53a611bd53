/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stability.h - spectral radii as fields for region.h: over step size and parameters of a model, and over the
 * eigenvalue of D L.
 *
 * Both keep pointers to their arguments, which must outlive them. */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/linearisation_jacobian.h>
#include <macrostep/modelled.h>
#include <macrostep/region.h>

MS_C_LINKAGE_BEGIN

/* What a coordinate is; k >= 0: parameter k of the model. */
enum { MS_AXIS_NONE = -3, MS_AXIS_STEP_SIZE = -2 };

/* rho(Psi(H)) of a scheme on a model, a nonlinear one linearised at a point that is sought anew for all
 * values of parameters; coordinates are the step size and parameters, the rest stays as it is. */
typedef struct ms_stability {
    const ms_model *model;
    const char *case_name;      /* NULL: the first */
    const ms_setting *settings; /* (n_settings), none of them a coordinate */
    int n_settings;
    const ms_options *options;
    ms_linearisation_point linearised_at; /* of a nonlinear model; all zero: the start, at 0 s */
    int axis[2];                          /* of x and y */
    double step_size;                     /* [s] where no axis is it; 0: the limit H -> 0 */
    const volatile sig_atomic_t *stop;    /* OPTIONAL: ends the way to the point */
    /* The radius is divided by e^{aH}, that of the exact solution, a the largest real part of the eigenvalues of the coupled
     * model: what the order star compares (Wanner, Hairer, Norsett 1978). */
    bool order_star;
    double partials_error; /* after evaluations: the largest ms_system.partials_error of a linearisation */
} ms_stability;

/* By the formula of propagation.h, or otherwise by its probe (which has no limit H -> 0: NaN). NaN
 * also if e^{AH} is not finite, between whole numbers of a parameter that must be one, and if for
 * values of parameters that are coordinates the algebraic loop has no solution or there is no such point.
 * Errors: those of ms_system_create, ms_linearisation_point_state, ms_linearisation_system,
 * ms_propagation_exists and of the probe. */
ms_field ms_stability_field(ms_stability *stability);

/* Can the point (x, y) be evaluated, and do formula and probe agree there (ms_propagation_check)? The errors
 * are those of the field, and MS_DISAGREE. *by_formula (may be NULL): or by the probe? */
int ms_stability_check(ms_stability *stability, double x, double y, bool *by_formula, ms_error *error);

/* The limit H -> 0 of a Jacobi scheme for one eigenvalue lambda = x + i y of D L: the states are constant and with
 * exact solves y = lambda y decouples, so that the memory m of the scheme maps by a small complex matrix, whose
 * spectral radius this is (Andersson 6.39-6.45). With v the weights of the extrapolation at T_n + H (polynomial.h),
 * in scaled derivatives H y', H^2 y'':
 *
 *     constant                     [lambda]
 *     order k, past values         first row lambda v, then a shift; v = (2, -1), (3, -3, 1), and as printed
 *                                  in (6.30) (5/2, -2, 1/2)
 *     order k, derivatives         lambda times the Taylor shift: all eigenvalues are lambda
 *     smoothed (c0, c1)            the same with the left limit (and slope) at T_n as further memory
 *     consistent, corrected        0, undefined at lambda = 1
 *     iterated until converged     the same (ifosmondi, zoh-iterative, missiles, ijcsa, semi-implicit)
 *
 * The radius excludes the eigenvalues 1 of the states. MS_UNSUPPORTED if there is none: options that it does not
 * model, and Gauss-Seidel, whose limit depends on which subsystems feed which, not only on the eigenvalues of D L. */
typedef struct ms_limit {
    const ms_options *options;
    bool swapped; /* lambda = y + i x */
} ms_limit;

/* The options that it models; those with values shape it. */
extern const ms_modelled ms_stability_limit_models[];

/* open() refuses the same. */
int ms_stability_limit_check(const ms_options *options, ms_error *error);
ms_field ms_stability_limit_field(ms_limit *limit);

MS_C_LINKAGE_END
