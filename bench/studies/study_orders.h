/* SPDX-License-Identifier: GPL-3.0-or-later */
/* study_orders.h - errors over the step size, and the orders of convergence that they show.
 *
 *     ms_order_series series;
 *     status = ms_order_measure(drawing, 8, 0.2, &series, error, "converge spring-mass --scheme balance");
 *     ... series.order[MS_SERIES_LARGEST].order ... */
#ifndef MS_STUDY_ORDERS_H
#define MS_STUDY_ORDERS_H

#include <macrostep/convergence_order.h>
#include "study.h"

/* Errors of the first states, the largest of all states over the run, and the largest at its end. */
enum { MS_SERIES_STATES = 4, MS_SERIES_LARGEST = MS_SERIES_STATES, MS_SERIES_END, MS_SERIES_ERRORS };
enum { MS_SERIES_MAX = 12 };

typedef struct ms_order_series {
    int n;                                                   /* step sizes, each half of the one before */
    ms_convergence_row row[MS_SERIES_ERRORS][MS_SERIES_MAX]; /* NaN: the run did not reach its end */
    ms_convergence_order order[MS_SERIES_ERRORS];            /* fitted */
} ms_order_series;

/* Runs the command (any that takes a model and options of a run; listed once) with n step sizes from `largest`
 * [s] on. Errors: MS_INVALID (n is more than MS_SERIES_MAX), those of ms_study_bind and ms_study_repeat. */
int ms_order_measure(ms_drawing *drawing, int n, double largest, ms_order_series *series, ms_error *error,
                     const char *command, ...) __attribute__((format(printf, 6, 7)));

/* Rows of the n leading numbers, then step size and error of one kind; then a break. */
void ms_order_curve(ms_data *data, int n, const double *first, const ms_order_series *series, int kind);

/* The power p of h in two errors, e1/e2 = (h1/h2)^p. */
double ms_observed_order(double e1, double e2, double h1, double h2);

#endif
