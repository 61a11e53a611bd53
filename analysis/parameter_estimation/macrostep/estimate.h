/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate.h - least squares: parameters of a model from measurements of its states and outputs.
 *
 * The sum of squares over all rows and columns of r = (y(p) - measurement) / sigma is minimised, sigma
 * a scale for each column, y the simulated output. Monolithic or co-simulated ones: simulated_output.h.
 *
 * Methods: Nelder and Mead's simplex (GSL's nmsimplex2, with a second start from the first answer), and
 * Levenberg-Marquardt as a trust-region method (GSL's lm with More's scaling), with Jacobians by central
 * differences. Parameters are scaled by their start values. A trial point outside the range of a parameter,
 * and one whose run does not reach its end, are rejected: a sum of squares above all others for the simplex,
 * residuals far above those of the start for the trust region. A parameter that the trust region pushes
 * against its bound is held there while the others go on, and is let go where the gradient points inwards
 * again.
 *
 * Quality: covariance s^2 (J^T J)^-1, s^2 = sum r^2 / (rows columns - parameters), intervals by Student's t.
 *
 * Sources: Andersson (2016), 9.1.4, 9.3.3; Nelder, Mead (1965); More (1978); Bates, Watts (1988), ch. 2. */
#pragma once

#include <signal.h>

#include <macrostep/c_linkage.h>
#include <macrostep/options.h>
#include <macrostep/system.h>

MS_C_LINKAGE_BEGIN

typedef enum ms_estimate_method { MS_ESTIMATE_TRUST_REGION, MS_ESTIMATE_NELDER_MEAD } ms_estimate_method;

typedef enum ms_estimate_reason {
    MS_ESTIMATE_CONVERGED,       /* the last step, or the simplex, is smaller than the tolerance */
    MS_ESTIMATE_NO_PROGRESS,     /* no smaller sum of squares is found along any direction: round-off, or
                                    tolerances of solvers */
    MS_ESTIMATE_MAX_SIMULATIONS, /* the allowed simulations are used up */
    MS_ESTIMATE_INTERRUPTED
} ms_estimate_reason;

const char *ms_estimate_reason_name(ms_estimate_reason reason); /* "converged", "no-progress", .. */
const char *ms_estimate_method_name(ms_estimate_method method); /* "trust-region", "nelder-mead" */

enum { MS_ESTIMATE_PARAMETERS_MAX = 64 };

typedef struct ms_estimate_options {
    /* model, case and values of all parameters; the start values of those estimated */
    const ms_system *system;
    const ms_series *measurements; /* SUB.x.NAME, SUB.y.NAME */
    const ms_series *inputs;       /* OPTIONAL: see ms_system_bind_inputs */
    int n;                         /* parameters to estimate */
    const int *parameter;          /* (n) their indices */
    const double *sigma; /* (columns of measurements) a scale for each; NULL, or NaN of one: the largest
                            absolute value of the column (1 where that is 0) */
    bool cosimulated;
    ms_options options; /* see simulated_output.h */
    ms_estimate_method method;
    double tolerance;     /* relative, of the parameters; 0: 1e-8 (trust region), 1e-6 (simplex) */
    long max_simulations; /* 0: 5000 */
    const volatile sig_atomic_t *stop; /* OPTIONAL */
} ms_estimate_options;

typedef struct ms_estimated {
    int parameter; /* index */
    double start, value;
    double standard_error; /* NaN: not identifiable, at a bound, or as many parameters as measurements */
    double lower, upper;   /* of the 95 % confidence interval; NaN likewise */
    bool at_bound;         /* the sum of squares falls beyond the range of the parameter */
    bool identifiable; /* false: together with others like it, it can change and no measured column does */
} ms_estimated;

typedef struct ms_estimate_column {
    char *name; /* of the measurements; borrowed */
    double sigma;
    double rmse_start,
        rmse; /* root mean square of simulated output - measurement, in the unit of the column */
} ms_estimate_column;

typedef struct ms_estimate {
    int n;
    ms_estimated *parameter; /* (n) */
    double *correlation;     /* (n x n); NaN for what is not identifiable or at a bound */
    int columns;
    ms_estimate_column *column; /* (columns) */
    long rows;
    double *measured, *fitted; /* (rows x columns) */
    double sum_start, sum;     /* of r^2 */
    long degrees_of_freedom;
    double deviation;                     /* s; NaN: no degrees of freedom */
    double condition;                     /* of J with columns of length 1; INFINITY: singular */
    bool identifiable;                    /* all parameters are */
    long iterations, simulations, failed; /* failed: runs that did not reach their end */
    ms_estimate_reason reason;
} ms_estimate;

/* Errors: those of ms_simulated_output_create, ms_simulated_output_run (at the start), MS_INVALID (fewer
 * measurements than parameters, a whole-number parameter, one that is named twice, a start outside its range,
 * sigma not above 0, the run with the start values does not reach its end), MS_NO_MEMORY. Nothing is left to
 * destroy then. */
int ms_estimate_run(const ms_estimate_options *request, ms_estimate *estimate, ms_error *error);
void ms_estimate_destroy(ms_estimate *estimate);

/* By names and numbers alone, of a system that needs no functions: parameters, columns, times. */
int ms_estimate_check(const ms_estimate_options *request, ms_error *error);

MS_C_LINKAGE_END
