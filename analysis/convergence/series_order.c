/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "series_order.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* As converge has it: an error within this multiple of the reference's own is doubtful, and one below a tenth of it means
 * nothing, because the estimate is that of a companion ten times as loose. */
static const double TRUSTED = 50.0, OF_COMPANION = 0.1;

/* Up to this part two step sizes are the same one. */
static const double SAME = 1e-9;

static double end_time(const ms_series_errors *errors)
{
    return errors->series->time[errors->series->rows - 1];
}

/* Are the errors of both over the same variables? */
static bool have_same_variables(const ms_series_errors *a, const ms_series_errors *b)
{
    const ms_system *system = a->system;
    const int n = system->nx + system->nu + system->ny;
    if (a->over != b->over)
        return false;
    for (int j = 0; j < n; j++)
        if (ms_series_variable_kind(system, j) == a->over &&
            ms_series_variables_have(&a->variables, j) != ms_series_variables_have(&b->variables, j))
            return false;
    return true;
}

/* Why two results cannot be rows of one order; NULL: they can. */
static const char *why_apart(const ms_series_errors *a, const ms_series_errors *b)
{
    const double step = a->largest_step, other = b->largest_step, longer = fmax(step, other);
    if (isnan(step) || isnan(other))
        return "an order requires files of at least two points";
    if (fabs(step - other) <= SAME * longer)
        return "an order requires files whose largest time steps all differ";
    if (fabs(end_time(a) - end_time(b)) > longer)
        return "an order requires files that end at the same time, to within a step";
    return have_same_variables(a, b) ? NULL : "an order requires files with the same variables";
}

/* Why there is no order over all of them; NULL: there may be one. */
static const char *why_no_order(int n, const ms_series_errors *errors)
{
    const char *why = n > 1 ? NULL : "an order requires two files";
    for (int k = 1; k < n && why == NULL; k++)
        for (int j = 0; j < k && why == NULL; j++)
            why = why_apart(&errors[j], &errors[k]);
    return why;
}

static ms_convergence_row row_of(const ms_series_errors *e, int norm)
{
    const double unit = norm != MS_NORM_L2         ? ms_error_scale_unit(&e->scale)
                        : e->reference_scale > 0.0 ? 1.0 / e->reference_scale
                                                   : 0.0;
    const double uncertain = unit * fmax(e->reference_error, DBL_EPSILON * e->reference_scale);
    return (ms_convergence_row){.step_size = e->largest_step,
                                .error = ms_state_errors_norm(&e->total, norm),
                                .floor = OF_COMPANION * uncertain,
                                .doubtful = TRUSTED * uncertain,
                                .slope = NAN};
}

static int descending(const void *a, const void *b)
{
    const ms_series_errors *const *left = a, *const *right = b;
    const double x = (*left)->largest_step, y = (*right)->largest_step;
    return (x < y) - (x > y);
}

/* Fits the order over all files; row[k] (n) becomes that of file k. */
static int fit(int n, const ms_series_errors *errors, int norm, ms_convergence_row *row,
               ms_convergence_order *order)
{
    const ms_series_errors **sorted = calloc((size_t)n, sizeof(const ms_series_errors *));
    ms_convergence_row *rows = calloc((size_t)n, sizeof *rows);
    const int status = sorted != NULL && rows != NULL ? MS_OK : MS_NO_MEMORY;
    for (int k = 0; k < n && status == MS_OK; k++)
        sorted[k] = &errors[k];
    if (status == MS_OK)
        qsort(sorted, (size_t)n, sizeof(const ms_series_errors *), descending);
    for (int k = 0; k < n && status == MS_OK; k++)
        rows[k] = row_of(sorted[k], norm);
    if (status == MS_OK)
        *order = ms_convergence_fit(n, rows);
    for (int k = 0; k < n && status == MS_OK; k++)
        row[sorted[k] - errors] = rows[k];
    MS_FREE(sorted, rows);
    return status;
}

static const char *why_none(int n, const ms_convergence_row *row)
{
    bool zero = true;
    for (int k = 0; k < n; k++) {
        if (row[k].note == MS_CONVERGENCE_RISING)
            return "errors rise as steps become shorter, so that there is no order";
        zero = zero && row[k].note == MS_CONVERGENCE_ZERO;
    }
    return zero ? "all errors are zero, so that there is no order"
                : "an order requires two errors above the error of the reference";
}

int ms_series_order(int n, const ms_series_errors *errors, int norm, ms_convergence_row *row,
                    ms_convergence_order *order, const char **why)
{
    int status = MS_OK;
    *order = (ms_convergence_order){NAN, NAN, NAN};
    *why = why_no_order(n, errors);
    for (int k = 0; k < n; k++)
        row[k] = row_of(&errors[k], norm);
    if (*why == NULL)
        status = fit(n, errors, norm, row, order);
    if (*why == NULL && isnan(order->order))
        *why = why_none(n, row);
    return status;
}
