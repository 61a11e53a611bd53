/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reductions.h"

#include <gsl/gsl_sort_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/convergence_order.h>
#include "study_work.h"

struct ms_reduction {
    const char *name;
    int least, most; /* arguments */
    bool shared;     /* with another number of arguments it is a function of single rows */
    /* Exactly one of the two is set. Columns have n rows. */
    double (*number)(size_t n, const ms_number_column *of);
    int (*column)(size_t n, const ms_number_column *of, int arguments, ms_number_column *result,
                  ms_error *error);
    double (*fit)(const ms_convergence_order *order);
};

/* One column ----------------------------------------------------------------------------------------------- */

static double largest(size_t n, const ms_number_column *of)
{
    double value = n > 0 ? ms_number_column_at(of, 0) : NAN;
    for (size_t k = 1; k < n; k++)
        value = isnan(value) || ms_number_column_at(of, k) <= value ? value : ms_number_column_at(of, k);
    return value;
}

static double smallest(size_t n, const ms_number_column *of)
{
    double value = n > 0 ? ms_number_column_at(of, 0) : NAN;
    for (size_t k = 1; k < n; k++)
        value = isnan(value) || ms_number_column_at(of, k) >= value ? value : ms_number_column_at(of, k);
    return value;
}

static double least_at(size_t n, const ms_number_column *of)
{
    size_t place = n;
    for (size_t k = 0; k < n; k++)
        if (!isnan(ms_number_column_at(of, k)) &&
            (place == n || ms_number_column_at(of, k) < ms_number_column_at(of, place)))
            place = k;
    return place < n ? (double)(place + 1) : NAN;
}

static double sum(size_t n, const ms_number_column *of)
{
    double value = n > 0 ? 0.0 : NAN;
    for (size_t k = 0; k < n; k++)
        value += ms_number_column_at(of, k);
    return value;
}

static double mean(size_t n, const ms_number_column *of)
{
    return sum(n, of) / (double)n;
}

static double first(size_t n, const ms_number_column *of)
{
    return n > 0 ? ms_number_column_at(of, 0) : NAN;
}

static double last(size_t n, const ms_number_column *of)
{
    return n > 0 ? ms_number_column_at(of, n - 1) : NAN;
}

/* Linear interpolation between the sorted rows. */
static double quantile_of(size_t n, const ms_number_column *of, double part)
{
    if (n == 0 || of->single || isnan(sum(n, of)) || !(part >= 0.0 && part <= 1.0))
        return part >= 0.0 && part <= 1.0 ? sum(n, of) : NAN;
    gsl_sort(of->value, 1, n);
    const double at = part * ((double)n - 1.0), below = floor(at);
    const double *x = of->value + (size_t)below;
    return below + 1.0 < (double)n ? x[0] + (at - below) * (x[1] - x[0]) : x[0];
}

static double median(size_t n, const ms_number_column *of)
{
    return quantile_of(n, of, 0.5);
}

static double quantile(size_t n, const ms_number_column *of)
{
    return quantile_of(of[0].single ? 1 : n, of, ms_number_column_at(&of[1], 0));
}

static bool holds(const ms_number_column *of, size_t k)
{
    const double value = ms_number_column_at(of, k);
    return value != 0.0 && !isnan(value);
}

static double count(size_t n, const ms_number_column *of)
{
    size_t held = 0;
    for (size_t k = 0; k < n; k++)
        held += holds(of, k);
    return (double)held;
}

static double rows_of(size_t n, const ms_number_column *of)
{
    (void)of;
    return (double)n;
}

static double all(size_t n, const ms_number_column *of)
{
    return count(n, of) == (double)n;
}

static double any(size_t n, const ms_number_column *of)
{
    return count(n, of) > 0.0;
}

static double slope(size_t n, const ms_number_column *of)
{
    double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (size_t k = 0; k < n; k++) {
        x += log(ms_number_column_at(&of[0], k)) / (double)n;
        y += log(ms_number_column_at(&of[1], k)) / (double)n;
    }
    for (size_t k = 0; k < n; k++) {
        const double dx = log(ms_number_column_at(&of[0], k)) - x;
        xx += dx * dx;
        xy += dx * (log(ms_number_column_at(&of[1], k)) - y);
    }
    return xy / xx;
}

static double work_at(size_t n, const ms_number_column *of)
{
    const bool runs = of[0].n == n && of[1].n == n;
    return runs && n > 0 ? ms_work_at(n, of[0].value, of[1].value, ms_number_column_at(&of[2], 0)) : NAN;
}

/* Columns of columns -------------------------------------------------------------------------------------- */

static int previous(size_t n, const ms_number_column *of, int arguments, ms_number_column *result,
                    ms_error *error)
{
    (void)arguments;
    const int status = ms_number_column_create(n, false, result, error);
    for (size_t k = 0; k < n && status == MS_OK; k++)
        result->value[k] = k > 0 ? ms_number_column_at(of, k - 1) : NAN;
    return status;
}

static int where(size_t n, const ms_number_column *of, int arguments, ms_number_column *result,
                 ms_error *error)
{
    (void)arguments;
    const int status = ms_number_column_create(n, false, result, error);
    result->n = 0;
    for (size_t k = 0; k < n && status == MS_OK; k++)
        if (holds(&of[1], k))
            result->value[result->n++] = ms_number_column_at(&of[0], k);
    return status;
}

/* Orders -------------------------------------------------------------------------------------------------- */

static int fit(size_t n, const ms_number_column *of, int arguments, ms_convergence_row **rows,
               ms_convergence_order *order, ms_error *error)
{
    *rows = calloc(n + 1, sizeof **rows);
    MS_TRY_MEMORY_FOR(*rows != NULL, error, "the figure");
    for (size_t k = 0; k < n; k++)
        (*rows)[k] = (ms_convergence_row){.step_size = ms_number_column_at(&of[0], k),
                                          .error = ms_number_column_at(&of[1], k),
                                          .floor = arguments > 2 ? ms_number_column_at(&of[2], k) : 0.0};
    *order = ms_convergence_fit((int)n, *rows);
    return MS_OK;
}

static int used(size_t n, const ms_number_column *of, int arguments, ms_number_column *result,
                ms_error *error)
{
    ms_convergence_row *rows;
    ms_convergence_order order;
    int status = fit(n, of, arguments, &rows, &order, error);
    MS_THEN(status, ms_number_column_create(n, false, result, error));
    for (size_t k = 0; k < n && status == MS_OK; k++)
        result->value[k] = rows[k].note == MS_CONVERGENCE_USED;
    free(rows);
    return status;
}

static double order_of(const ms_convergence_order *order)
{
    return order->order;
}

static double order_from(const ms_convergence_order *order)
{
    return order->first;
}

static double order_to(const ms_convergence_order *order)
{
    return order->last;
}

/* The list ------------------------------------------------------------------------------------------------ */

static const ms_reduction reductions[] = {
    {"max", 1, 1, true, .number = largest}, {"min", 1, 1, true, .number = smallest},
    {"sum", 1, 1, .number = sum},           {"mean", 1, 1, .number = mean},
    {"first", 1, 1, .number = first},       {"last", 1, 1, .number = last},
    {"count", 1, 1, .number = count},       {"rows", 1, 1, .number = rows_of},
    {"all", 1, 1, .number = all},           {"any", 1, 1, .number = any},
    {"slope", 2, 2, .number = slope},       {"previous", 1, 1, .column = previous},
    {"where", 2, 2, .column = where},       {"used", 2, 3, .column = used},
    {"order", 2, 3, .fit = order_of},       {"order_from", 2, 3, .fit = order_from},
    {"order_to", 2, 3, .fit = order_to},    {"work_at", 3, 3, .number = work_at},
    {"least_at", 1, 1, .number = least_at}, {"median", 1, 1, .number = median},
    {"quantile", 2, 2, .number = quantile},
};

static bool is_called(const ms_reduction *reduction, const char *name, size_t length)
{
    return strlen(reduction->name) == length && strncmp(reduction->name, name, length) == 0;
}

const ms_reduction *ms_reduction_find(const char *name, size_t length, int n)
{
    for (size_t k = 0; k < sizeof reductions / sizeof *reductions; k++)
        if (is_called(&reductions[k], name, length) && n >= reductions[k].least && n <= reductions[k].most)
            return &reductions[k];
    return NULL;
}

bool ms_reduction_known(const char *name, size_t length)
{
    for (size_t k = 0; k < sizeof reductions / sizeof *reductions; k++)
        if (is_called(&reductions[k], name, length) && !reductions[k].shared)
            return true;
    return false;
}

int ms_reduction_apply(const ms_reduction *reduction, int n, const ms_number_column *arguments,
                       ms_number_column *result, ms_error *error)
{
    size_t rows;
    bool single;
    *result = (ms_number_column){0};
    MS_TRY(ms_number_columns_rows((size_t)n, arguments, &rows, &single, error));
    if (reduction->number != NULL)
        return ms_number_column_single(reduction->number(rows, arguments), result, error);
    if (reduction->column != NULL)
        return reduction->column(rows, arguments, n, result, error);
    ms_convergence_row *of_rows;
    ms_convergence_order order;
    int status = fit(rows, arguments, n, &of_rows, &order, error);
    free(of_rows);
    return status == MS_OK ? ms_number_column_single(reduction->fit(&order), result, error) : status;
}
