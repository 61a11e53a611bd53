/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analytic_propagation_sampled.c - the propagation matrix of a waveform iteration that has converged: subsystems agree on samples
 * Y of their outputs inside the macro-step, so that one dense system gives it.
 *
 * The memory is v = (x, y). Between two of the times at which a spline has a knot or the subsystem is sampled, d apart, its input
 * is a polynomial in theta, 0 to 1 there, whose coefficients c_k are linear in y and Y (spline.h). With E and G_k of step_map.h
 *
 *     x(t + d) = E x(t) + sum_k G_k c_k,      Y_j = C x(t_j) + D u(t_j)
 *
 * from one time to the next, as rows over (v, Y), with the left limit of u. That makes Y = P v + Q Y, and x+ = R v + S Y:
 *
 *     Y = (I - Q)^-1 P v,      y+ = the last of the samples,      x+ = (R + S (I - Q)^-1 P) v.
 *
 * Subsystems are solved exactly: only then does it not matter that they are stopped at their samples. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/options.h>
#include "analytic_propagation_parts.h"
#include "matrix.h"
#include "spline.h"

enum { TIMES_MAX = 192 };

struct propagation_sampled {
    int degree;                        /* of the splines, as it is chosen */
    int total, columns;                /* samples of all; n + total */
    int *samples;                      /* of a subsystem (n) */
    int *values_at;                    /* where they begin (n + 1) */
    int *pivots;                       /* (total) */
    double *x, *next;                  /* states of one subsystem (nx x columns) */
    double *c;                         /* coefficients of its inputs: (degree + 1) nu rows */
    double *u;                         /* inputs at a sample (nu x columns) */
    double *ends;                      /* states of all at the end (nx x columns) */
    double *Y;                         /* samples of all (total x columns) */
    double *M, *column;                /* I - Q (total x total), (total) */
    double *of[MS_SPLINE_SAMPLES + 1]; /* weights of splines through m samples */
};

typedef struct propagation_sampled sampled;

/* Creation -------------------------------------------------------------------------------------------- */

static int count(ms_analytic_propagation *f, sampled *it, const ms_options *options, ms_error *error)
{
    const ms_system *s = f->system;
    it->samples = ms_structure_alloc(&f->owned, 2 * (size_t)s->n + 1, sizeof *it->samples);
    MS_TRY_MEMORY(it->samples);
    it->values_at = it->samples + s->n;
    const int status =
        ms_variant_counts(s, "samples", options->multirate.samples, MS_SPLINE_SAMPLES, it->samples, error);
    for (int i = 0; i < s->n && status == MS_OK; i++) {
        it->values_at[i + 1] = it->values_at[i] + it->samples[i] * s->sub[i].ny;
        const int degree = ms_spline_degree(it->samples[i], it->degree);
        f->degree = degree > f->degree ? degree : f->degree;
    }
    it->total = it->values_at[s->n];
    f->n = s->nx + s->ny;
    it->columns = f->n + it->total;
    return status;
}

int ms_analytic_propagation_sampled_create(ms_analytic_propagation *f, const ms_variant *v,
                                           const ms_options *options, ms_error *error)
{
    const ms_system *s = f->system;
    if (v->scheme->form != MS_FORM_SAMPLED)
        return MS_OK;
    sampled *it = ms_structure_alloc(&f->owned, 1, sizeof *it);
    f->sampled = it;
    MS_TRY_MEMORY(it);
    it->degree = v->multirate.spline_degree;
    MS_TRY(count(f, it, options, error));
    const size_t nx = (size_t)s->nx, nu = (size_t)s->nu, total = (size_t)it->total;
    const size_t rows = 3 * nx + (COEFFICIENTS + 1) * nu + total;
    const size_t weights = (size_t)TIMES_MAX * COEFFICIENTS * (MS_SPLINE_SAMPLES + 1);
    it->x = ms_structure_alloc(&f->owned,
                               rows * (size_t)it->columns + total * (total + 1) + weights * MS_SPLINE_SAMPLES,
                               sizeof *it->x);
    it->pivots = ms_structure_alloc(&f->owned, total, sizeof *it->pivots);
    MS_TRY_MEMORY(it->x != NULL && it->pivots != NULL);
    it->next = it->x + nx * (size_t)it->columns;
    it->ends = it->next + nx * (size_t)it->columns;
    it->c = it->ends + nx * (size_t)it->columns;
    it->u = it->c + COEFFICIENTS * nu * (size_t)it->columns;
    it->Y = it->u + nu * (size_t)it->columns;
    it->M = it->Y + total * (size_t)it->columns;
    it->column = it->M + total * total;
    for (size_t m = 1; m <= MS_SPLINE_SAMPLES; m++)
        it->of[m] = it->column + total + (m - 1) * weights;
    return MS_OK;
}

/* One subsystem --------------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    const double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* Knots of what subsystem i reads, and its samples: ascending, each once, 1 last. Sets the weights between them. */
static int list_times(const ms_analytic_propagation *f, int i, double *times)
{
    const ms_system *s = f->system;
    const sampled *it = f->sampled;
    bool read[MS_SPLINE_SAMPLES + 1] = {false};
    double all[TIMES_MAX];
    int n = 0, kept = 0;
    for (int j = 1; j <= it->samples[i]; j++)
        all[n++] = (double)j / it->samples[i];
    for (int wire = s->row_at[s->u_at[i]]; wire < s->row_at[s->u_at[i + 1]]; wire++) {
        const int m = it->samples[f->system->owner[s->wire_output[wire]]];
        if (!read[m])
            n += ms_spline_breaks(m, it->degree, all + n);
        read[m] = true;
    }
    qsort(all, (size_t)n, sizeof *all, ascending);
    for (int k = 0; k < n; k++)
        if (k == 0 || all[k] != times[kept - 1])
            times[kept++] = all[k];
    for (int m = 1; m <= MS_SPLINE_SAMPLES; m++)
        if (read[m])
            ms_spline_weights(m, it->degree, f->degree, kept, times, it->of[m]);
    return kept;
}

/* The coefficients of its inputs on the stretch q, theta from 0 to 1 there, and their sum: u at the end. */
static void couple(const ms_analytic_propagation *f, int i, int q, double length)
{
    const ms_system *s = f->system;
    const sampled *it = f->sampled;
    const int nu = s->sub[i].nu;
    double power = 1.0;
    memset(it->c, 0, sizeof(double) * (size_t)((f->degree + 1) * nu) * (size_t)it->columns);
    memset(it->u, 0, sizeof(double) * (size_t)nu * (size_t)it->columns);
    for (int k = 0; k <= f->degree; k++, power *= length)
        for (int l = 0; l < nu; l++) {
            double *row = propagation_row(it->c, k * nu + l, it->columns);
            for (int wire = s->row_at[s->u_at[i] + l]; wire < s->row_at[s->u_at[i] + l + 1]; wire++) {
                const int output = s->wire_output[wire], owner = f->system->owner[output],
                          m = it->samples[owner];
                const double *w = it->of[m] + (q * (f->degree + 1) + k) * (m + 1);
                const double gain = s->wire_gain[wire] * power;
                row[s->nx + output] += gain * w[0];
                for (int j = 1; j <= m; j++)
                    row[f->n + it->values_at[owner] + (j - 1) * s->sub[owner].ny + output - s->y_at[owner]] +=
                        gain * w[j];
            }
            propagation_add(it->columns, 1.0, row, propagation_row(it->u, l, it->columns));
        }
}

static int follow(const ms_analytic_propagation *f, int i, double h)
{
    const ms_system *s = f->system;
    sampled *it = f->sampled;
    const int nx = s->sub[i].nx, nu = s->sub[i].nu, ny = s->sub[i].ny, columns = it->columns;
    double times[TIMES_MAX], begin = 0.0, *y = propagation_row(it->Y, it->values_at[i], columns);
    const int stretches = list_times(f, i, times);
    int status = MS_OK, j = 1;
    memset(it->x, 0, sizeof(double) * (size_t)nx * (size_t)columns);
    for (int a = 0; a < nx; a++)
        propagation_row(it->x, a, columns)[s->x_at[i] + a] = 1.0;
    for (int q = 0; q < stretches && status == MS_OK; begin = times[q++]) {
        couple(f, i, q, times[q] - begin);
        status =
            ms_analytic_propagation_march(f, i, (times[q] - begin) * h, columns, it->c, &it->x, &it->next);
        if (times[q] != (double)j / it->samples[i])
            continue;
        ms_analytic_propagation_add_product(ny, nx, columns, 1.0, s->blocks[i].C, it->x, y);
        ms_analytic_propagation_add_product(ny, nu, columns, 1.0, s->blocks[i].D, it->u, y);
        y = propagation_row(y, ny, columns);
        j++;
    }
    memcpy(propagation_row(it->ends, s->x_at[i], columns), it->x,
           sizeof(double) * (size_t)nx * (size_t)columns);
    return status;
}

/* All together ---------------------------------------------------------------------------------------- */

/* Y as rows over v, in the first n columns. */
static int solve(const ms_analytic_propagation *f)
{
    const sampled *it = f->sampled;
    const int total = it->total, n = f->n;
    for (int j = 0; j < total; j++)
        for (int k = 0; k < total; k++)
            it->M[j * total + k] = (j == k) - propagation_row(it->Y, j, it->columns)[n + k];
    if (ms_matrix_factor(total, it->M, it->pivots) != MS_OK)
        return MS_NO_SOLUTION;
    for (int c = 0; c < n; c++) {
        for (int j = 0; j < total; j++)
            it->column[j] = propagation_row(it->Y, j, it->columns)[c];
        ms_matrix_solve(total, it->M, it->pivots, it->column);
        for (int j = 0; j < total; j++)
            propagation_row(it->Y, j, it->columns)[c] = it->column[j];
    }
    return MS_OK;
}

int ms_analytic_propagation_sampled_evaluate(ms_analytic_propagation *f, double h, double *psi)
{
    const ms_system *s = f->system;
    const sampled *it = f->sampled;
    const int n = f->n, columns = it->columns;
    memset(it->Y, 0, sizeof(double) * (size_t)it->total * (size_t)columns);
    int status = MS_OK;
    for (int i = 0; i < s->n && status == MS_OK; i++)
        status = follow(f, i, h);
    MS_THEN(status, solve(f));
    for (int a = 0; a < s->nx && status == MS_OK; a++) {
        const double *row = propagation_row(it->ends, a, columns);
        memcpy(propagation_row(psi, a, n), row, sizeof(double) * (size_t)n);
        for (int j = 0; j < it->total; j++)
            propagation_add(n, row[n + j], propagation_row(it->Y, j, columns), propagation_row(psi, a, n));
    }
    for (int i = 0; i < s->n && status == MS_OK; i++)
        for (int j = 0; j < s->sub[i].ny; j++)
            memcpy(propagation_row(psi, s->nx + s->y_at[i] + j, n),
                   propagation_row(it->Y, it->values_at[i + 1] - s->sub[i].ny + j, columns),
                   sizeof(double) * (size_t)n);
    return status;
}

double ms_analytic_propagation_sampled_inverse(const ms_analytic_propagation *f)
{
    const sampled *it = f->sampled;
    double norm = 0.0;
    for (int c = 0; c < it->total; c++) {
        memset(it->column, 0, sizeof(double) * (size_t)it->total);
        it->column[c] = 1.0;
        ms_matrix_solve(it->total, it->M, it->pivots, it->column);
        for (int j = 0; j < it->total; j++)
            norm = hypot(norm, it->column[j]);
    }
    return norm;
}
