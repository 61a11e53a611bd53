/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "nonlinear_shared.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "dense.h"

int ms_nonlinear_evaluate(const ms_nonlinear_problem *problem, const double *z, double *r,
                          ms_nonlinear_counts *counts, double *norm)
{
    counts->evaluations++;
    const int status = problem->residual(problem->context, z, r);
    *norm = status == MS_OK ? ms_nonlinear_norm(problem->n, r) : INFINITY;
    if (isfinite(*norm))
        return MS_OK;
    *norm = INFINITY;
    return status != MS_OK ? status : MS_NOT_CONVERGED;
}

bool ms_nonlinear_stops(int status)
{
    return status < 0 || status == MS_INTERRUPTED;
}

int ms_nonlinear_derivative(const ms_nonlinear_problem *problem, const double *z, const double *r,
                            const double *v, double *w, double *Jv, ms_nonlinear_counts *counts)
{
    const int n = problem->n;
    const double length = ms_nonlinear_norm(n, v);
    const double h = sqrt(DBL_EPSILON) * sqrt(1.0 + ms_nonlinear_norm(n, z)) / length;
    double norm;
    if (length == 0.0) {
        memset(Jv, 0, sizeof(double) * (size_t)n);
        return MS_OK;
    }
    ms_nonlinear_step(n, z, h, v, w);
    const int status = ms_nonlinear_evaluate(problem, w, Jv, counts, &norm);
    for (int i = 0; i < n && status == MS_OK; i++)
        Jv[i] = (Jv[i] - r[i]) / h;
    return status;
}

double ms_nonlinear_norm(int n, const double *v)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += v[i] * v[i];
    return sqrt(sum);
}

double ms_nonlinear_distance(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

void ms_nonlinear_step(int n, const double *z, double h, const double *v, double *w)
{
    for (int i = 0; i < n; i++)
        w[i] = z[i] + h * v[i];
}

int ms_nonlinear_history_create(ms_nonlinear_history *history, const ms_nonlinear_setup *setup, int capacity)
{
    const size_t rows = (size_t)setup->n, columns = (size_t)capacity, entries = rows * columns;
    *history = (ms_nonlinear_history){.n = setup->n, .capacity = capacity};
    history->x = ms_structure_alloc(setup->memory,
                                    3 * entries + rows + columns + ms_dense_least_squares_work(capacity),
                                    sizeof *history->x);
    history->pivots = ms_structure_alloc(setup->memory, columns, sizeof *history->pivots);
    MS_TRY_MEMORY(history->x != NULL && history->pivots != NULL);
    history->f = history->x + entries;
    history->A = history->f + entries;
    history->b = history->A + entries;
    history->beta = history->b + rows;
    history->work = history->beta + columns;
    return MS_OK;
}

void ms_nonlinear_history_clear(ms_nonlinear_history *history)
{
    history->size = history->next = 0;
}

void ms_nonlinear_history_add(ms_nonlinear_history *history, const double *x, const double *f)
{
    const size_t at = (size_t)history->next * (size_t)history->n, size = sizeof(double) * (size_t)history->n;
    memcpy(history->x + at, x, size);
    memcpy(history->f + at, f, size);
    history->next = (history->next + 1) % history->capacity;
    if (history->size < history->capacity)
        history->size++;
}

static int least_squares(ms_nonlinear_history *history, const double *f)
{
    const int n = history->n, size = history->size;
    for (int k = 0; k < size; k++)
        for (int i = 0; i < n; i++)
            history->A[i + k * n] = history->f[i + k * n] - f[i];
    for (int i = 0; i < n; i++)
        history->b[i] = -f[i];
    return ms_dense_least_squares(n, size, history->A, history->b, DBL_EPSILON * (n > size ? n : size),
                                  history->beta, history->work, history->pivots);
}

int ms_nonlinear_history_combine(ms_nonlinear_history *history, const double *x, const double *f, double *y)
{
    const int n = history->n;
    if (history->size > 0 && least_squares(history, f) != MS_OK)
        return MS_NOT_CONVERGED;
    for (int i = 0; i < n; i++) {
        double sum = x[i];
        for (int k = 0; k < history->size; k++)
            sum += history->beta[k] * (history->x[i + k * n] - x[i]);
        y[i] = sum;
    }
    return isfinite(ms_nonlinear_norm(n, y)) ? MS_OK : MS_NOT_CONVERGED;
}

int ms_nonlinear_iterate(void *workspace, int most, ms_nonlinear_iteration *next,
                         const ms_nonlinear_problem *problem, double *z, double *r,
                         ms_nonlinear_counts *counts)
{
    double norm = ms_nonlinear_norm(problem->n, r);
    for (int k = 0; isfinite(norm); k++) {
        if (problem->converged(problem->context, z, r))
            return MS_OK;
        if (k == most)
            break;
        MS_TRY(next(workspace, problem, z, r, counts, &norm));
        counts->iterations++;
    }
    return MS_NOT_CONVERGED;
}
