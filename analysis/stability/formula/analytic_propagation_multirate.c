/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analytic_propagation_multirate.c - the propagation matrix of `multirate`: subsystems one after the other, each from the rows of its
 * inputs.
 *
 * The memory is v = (x, y_0, .., y_k), outputs at the newest k + 1 points of their subsystem: H/m apart, or H (macro-points).
 * On each stretch of its input between two sub-steps of its own or two points of a subsystem that has stepped, x+ = E x + sum_k G_k c_k
 * (step_map.h) with theta from 0 to 1 there. Coefficients are those of the polynomial through points z_0, z_1, .. at distances of one
 * from each other, s counted from the first in units of that distance, by Newton's divided differences:
 *
 *     z_0,      z_0 + s (z_0 - z_1),      ... + s (s + 1)/2 (z_0 - 2 z_1 + z_2)
 *
 * extrapolated from T_n with z_0 = y_0, interpolated with z_0 the newer of the two points around and s from -1 to 0. The end of a
 * sub-step is a point: y = C x + D u, with the left limit of u. */
#include <string.h>

#include <macrostep/options.h>
#include "analytic_propagation_parts.h"
#include "spline.h"

enum { POINTS = 3 };

struct propagation_multirate {
    bool in_sequence;
    int *substeps, *points; /* (n) each */
    int *values_at;         /* where the points of a subsystem begin (n + 1) */
    double *values;         /* outputs at points (values_at[n] x n) */
    double *x, *next;       /* states of one subsystem (nx x n) */
    double *c, *u; /* coefficients of its inputs (COEFFICIENTS nu x n), and inputs at the end (nu x n) */
};

typedef struct propagation_multirate multirate;

/* Creation -------------------------------------------------------------------------------------------- */

/* Slow first or fast first; equal ones in their given order. */
static void arrange(ms_analytic_propagation *f, ms_first first)
{
    const int n = f->system->n, *m = f->multirate->substeps;
    for (int i = 0; i < n; i++) {
        f->rank[i] = 0;
        for (int k = 0; k < n; k++) {
            const bool sooner = first == MS_FIRST_FAST ? m[k] > m[i] : m[k] < m[i];
            f->rank[i] += sooner || (k < i && m[k] == m[i]);
        }
        f->sequence[f->rank[i]] = i;
    }
}

int ms_analytic_propagation_multirate_create(ms_analytic_propagation *f, const ms_variant *v,
                                             const ms_options *options, ms_error *error)
{
    const ms_system *s = f->system;
    if (v->scheme->form != MS_FORM_MULTIRATE || v->multirate.points == MS_POINTS_COMMON)
        return MS_OK;
    multirate *it = ms_structure_alloc(&f->owned, 1, sizeof *it);
    f->multirate = it;
    if (it == NULL ||
        (it->substeps = ms_structure_alloc(&f->owned, 3 * (size_t)s->n + 1, sizeof *it->substeps)) == NULL)
        return MS_NO_MEMORY;
    it->in_sequence = v->multirate.first != MS_FIRST_PARALLEL;
    it->points = it->substeps + s->n;
    it->values_at = it->points + s->n;
    f->degree = v->extrapolation.order;
    f->n = s->nx + (f->degree + 1) * s->ny;
    int status =
        ms_variant_counts(s, "substeps", options->multirate.substeps, MS_SPLINE_SAMPLES, it->substeps, error);
    MS_THEN(status,
            ms_variant_counts(s, "substeps",
                              v->multirate.points == MS_POINTS_MICRO ? options->multirate.substeps : "",
                              MS_SPLINE_SAMPLES, it->points, error));
    if (status != MS_OK)
        return status;
    for (int i = 0; i < s->n; i++)
        it->values_at[i + 1] = it->values_at[i] + it->points[i] * s->sub[i].ny;
    const size_t n = (size_t)f->n, nx = (size_t)s->nx, nu = (size_t)s->nu;
    it->values = ms_structure_alloc(
        &f->owned, ((size_t)it->values_at[s->n] + 2 * nx + (COEFFICIENTS + 1) * nu) * n, sizeof *it->values);
    MS_TRY_MEMORY(it->values);
    it->x = propagation_row(it->values, it->values_at[s->n], f->n);
    it->next = it->x + nx * n;
    it->c = it->next + nx * n;
    it->u = it->c + COEFFICIENTS * nu * n;
    return MS_OK;
}

void ms_analytic_propagation_multirate_arrange(ms_analytic_propagation *f, const ms_variant *v)
{
    if (f->multirate != NULL)
        arrange(f, v->multirate.first);
}

/* Inputs ---------------------------------------------------------------------------------------------- */

/* Adds factor times an output of subsystem i at its point j = m, .., 1 of this macro-step, 0, -1, .. before. */
static void add_point(const ms_analytic_propagation *f, int i, int output, int j, double factor, double *row)
{
    const ms_system *s = f->system;
    const multirate *it = f->multirate;
    if (j <= 0) {
        row[s->nx - j * s->ny + output] += factor;
        return;
    }
    const int at = it->values_at[i] + (j - 1) * s->sub[i].ny + output - s->y_at[i];
    propagation_add(f->n, factor, propagation_row(it->values, at, f->n), row);
}

/* Weights of z_0, z_1, z_2 at powers of theta, s = from + length theta. */
static void newton(int degree, double from, double length, double w[POINTS][POINTS])
{
    static const double differences[POINTS][POINTS] = {{1.0, 0.0, 0.0}, {1.0, -1.0, 0.0}, {1.0, -2.0, 1.0}};
    const double powers[POINTS][POINTS] = {
        {1.0, 0.0, 0.0},
        {from, length, 0.0},
        {0.5 * from * (from + 1.0), length * (from + 0.5), 0.5 * length * length}};
    memset(w, 0, sizeof(double[POINTS][POINTS]));
    for (int d = 0; d <= degree; d++)
        for (int k = 0; k < POINTS; k++)
            for (int z = 0; z < POINTS; z++)
                w[k][z] += powers[d][k] * differences[d][z];
}

/* What input l of the reader i gets through a wire on a stretch, in macro-steps. */
static void add_wire(const ms_analytic_propagation *f, int i, int l, int wire, double begin, double length)
{
    const multirate *it = f->multirate;
    const int output = f->system->wire_output[wire], owner = f->system->owner[output],
              nu = f->system->sub[i].nu;
    const int m = it->points[owner];
    const bool stepped = it->in_sequence && f->rank[owner] < f->rank[i];
    int newest = 0;
    while (stepped && newest < m && (double)newest / m <= begin + 0.5 * length)
        newest++;
    double w[POINTS][POINTS];
    newton(f->degree, m * begin - newest, m * length, w);
    for (int k = 0; k <= f->degree; k++)
        for (int z = 0; z <= f->degree; z++)
            add_point(f, owner, output, newest - z, f->system->wire_gain[wire] * w[k][z],
                      propagation_row(it->c, k * nu + l, f->n));
}

static void couple(const ms_analytic_propagation *f, int i, double begin, double length)
{
    const ms_system *s = f->system;
    const multirate *it = f->multirate;
    const int nu = s->sub[i].nu, n = f->n;
    memset(it->c, 0, sizeof(double) * (size_t)((f->degree + 1) * nu) * (size_t)n);
    memset(it->u, 0, sizeof(double) * (size_t)nu * (size_t)n);
    for (int l = 0; l < nu; l++)
        for (int w = s->row_at[s->u_at[i] + l]; w < s->row_at[s->u_at[i] + l + 1]; w++)
            add_wire(f, i, l, w, begin, length);
    for (int k = 0; k <= f->degree; k++)
        propagation_add(nu * n, 1.0, propagation_row(it->c, k * nu, n), it->u);
}

/* A macro-step ---------------------------------------------------------------------------------------- */

/* Ends of the stretches of subsystem i. */
static int list_ends(const ms_analytic_propagation *f, int i, double *end)
{
    const ms_system *s = f->system;
    const multirate *it = f->multirate;
    unsigned counts = 1U << it->substeps[i];
    for (int w = s->row_at[s->u_at[i]]; w < s->row_at[s->u_at[i + 1]]; w++) {
        const int owner = f->system->owner[s->wire_output[w]];
        if (it->in_sequence && f->rank[owner] < f->rank[i])
            counts |= 1U << it->points[owner];
    }
    return ms_spline_pieces(counts, 1, end);
}

static int follow(const ms_analytic_propagation *f, int i, double h, double *psi)
{
    const ms_system *s = f->system;
    multirate *it = f->multirate;
    const int nx = s->sub[i].nx, nu = s->sub[i].nu, ny = s->sub[i].ny, n = f->n;
    double end[MS_SPLINE_PIECES], begin = 0.0, *y = propagation_row(it->values, it->values_at[i], n);
    const int stretches = list_ends(f, i, end);
    int status = MS_OK, j = 1;
    memset(it->x, 0, sizeof(double) * (size_t)nx * (size_t)n);
    for (int a = 0; a < nx; a++)
        propagation_row(it->x, a, n)[s->x_at[i] + a] = 1.0;
    for (int q = 0; q < stretches && status == MS_OK; begin = end[q++]) {
        couple(f, i, begin, end[q] - begin);
        status = ms_analytic_propagation_march(f, i, (end[q] - begin) * h, n, it->c, &it->x, &it->next);
        if (end[q] != (double)j / it->points[i])
            continue;
        memset(y, 0, sizeof(double) * (size_t)ny * (size_t)n);
        ms_analytic_propagation_add_product(ny, nx, n, 1.0, s->blocks[i].C, it->x, y);
        ms_analytic_propagation_add_product(ny, nu, n, 1.0, s->blocks[i].D, it->u, y);
        y = propagation_row(y, ny, n);
        j++;
    }
    memcpy(propagation_row(psi, s->x_at[i], n), it->x, sizeof(double) * (size_t)nx * (size_t)n);
    return status;
}

int ms_analytic_propagation_multirate_evaluate(ms_analytic_propagation *f, double h, double *psi)
{
    const ms_system *s = f->system;
    const multirate *it = f->multirate;
    int status = MS_OK;
    memset(psi, 0, sizeof(double) * (size_t)f->n * (size_t)f->n);
    for (int k = 0; k < s->n && status == MS_OK; k++)
        status = follow(f, f->sequence[k], h, psi);
    for (int z = 0; z <= f->degree && status == MS_OK; z++)
        for (int i = 0; i < s->n; i++)
            for (int output = s->y_at[i]; output < s->y_at[i + 1]; output++)
                add_point(f, i, output, it->points[i] - z, 1.0,
                          propagation_row(psi, s->nx + z * s->ny + output, f->n));
    return status;
}
