/* SPDX-License-Identifier: GPL-3.0-or-later */
/* series_errors.h - the errors of a time series, written by any tool, against the reference.
 *
 * Nothing is known of the series between its points. So max is over them and end the last one, and the integrals of
 *
 *     rmse = sqrt((1/T) int e^2 dt),    l2 = sqrt(int e^2 dt / int ref^2 dt)
 *
 * are those of the trapezoidal rule on its points, T from the first to the last one. error_norms.h, which observes a run, defines max
 * and end in the same way, and has better integrals. Outputs and inputs are compared with y = g(t, x, L y) and u = L y at the states
 * of the reference; inputs of a series may be values held by a scheme. If the reference is no longer accurate (error_norms.h), errors
 * are those up to that time. */
#pragma once

#include <signal.h>

#include <macrostep/error_norms.h>
#include "series_variables.h"

typedef struct ms_series_energy {
    bool known;        /* every subsystem declares its energy, and all states are columns */
    double start, end; /* at the first and the last point [J] */
    double drift; /* the largest |E - E_reference| over points, relative to |E| at the first (absolute where
                          that is 0) */
} ms_series_energy;

typedef struct ms_series_errors {
    const ms_system *system; /* both borrowed */
    const ms_series *series;
    ms_series_variables variables;
    /* (variables.n): rmse and l2 are NaN of a single point, l2 as well where the reference is within its own error
     * of zero */
    ms_state_errors *each;
    ms_variable_kind over;  /* states if there are columns of any, otherwise outputs, otherwise inputs, */
    int compared, of;       /* number of columns, and of the system's variables */
    ms_state_errors total;  /* of these: the largest ones; l2 is the mean over those whose l2 is a number */
    double largest_step;    /* between points [s]; NaN: there is one point */
    double reference_error; /* of the reference itself, largest so far */
    /* the reference is not accurate after that point [s] (error_norms.h); NaN: it is at all points */
    double known_until;
    double reference_scale; /* the largest reference value of the variables in `total` */
    ms_error_scale scale;   /* (variables.n) scales of errors, except l2 */
    ms_series_energy energy;
} ms_series_errors;

/* From start_time on, where the system is at its start values. scaling: ms_error_scaling. shared: of which the reference reads where it fits;
 * may be NULL. stop: becomes non-zero to interrupt; may be NULL. Errors: MS_INVALID with file and line (those of
 * ms_series_variables_find and ms_error_scale_of_columns, a time before the start, or one that neither external inputs nor the reference reach),
 * MS_INTERRUPTED, MS_NO_SOLUTION, MS_UNSUPPORTED (the coupling equations, where inputs or outputs are compared),
 * MS_NO_MEMORY; nothing is left to destroy then. */
int ms_series_errors_measure(const ms_system *system, const ms_series *series, double start_time, int scaling,
                             ms_shared_reference *shared, const volatile sig_atomic_t *stop,
                             ms_series_errors *errors, ms_error *error);
/* By names and times alone, of a system that needs no functions: the errors in columns and times that ms_series_errors_measure would have. */
int ms_series_errors_check(const ms_system *system, const ms_series *series, double start_time,
                           ms_error *error);
void ms_series_errors_destroy(ms_series_errors *errors);
