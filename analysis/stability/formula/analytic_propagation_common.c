/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analytic_propagation_common.c - the propagation matrix of `multirate` with `points` common. With v = (x, y), Q the rows of all
 * states and outputs in it, and S those of the last value on each wire, a sub-step of length h of subsystem i is
 *
 *     x <- E x + G_0 u,     y <- C x + D u,     u = the sum over its wires of gain S_w,
 *
 * with E and G_0 of step_map.h. A wire between m_i and m_j sub-steps is updated, S_w <- y of its output, at each 1/gcd(m_i, m_j)
 * of the macro-step. Times are counted in units of 1/M, M a common multiple of all m_i. */
#include <string.h>

#include <macrostep/options.h>
#include "analytic_propagation_parts.h"
#include "integers.h"
#include "spline.h"

struct propagation_common {
    int *substeps;     /* (n) */
    int multiple;      /* of all of them */
    double *S, *u, *x; /* wires, nu_i, nx_i rows */
};

typedef struct propagation_common common;

int ms_analytic_propagation_common_create(ms_analytic_propagation *f, const ms_variant *v,
                                          const ms_options *options, ms_error *error)
{
    const ms_system *s = f->system;
    if (v->scheme->form != MS_FORM_MULTIRATE || v->multirate.points != MS_POINTS_COMMON)
        return MS_OK;
    if (v->extrapolation.order > 0 || v->multirate.first != MS_FIRST_PARALLEL)
        return ms_fail(error, MS_UNSUPPORTED,
                       "`points` common: requires `extrapolation-order` 0 and `first` parallel");
    common *it = ms_structure_alloc(&f->owned, 1, sizeof *it);
    f->common = it;
    f->n = s->nx + s->ny;
    const size_t n = (size_t)f->n, rows = (size_t)(s->row_at[s->nu] + s->nu + s->nx);
    if (it != NULL) {
        it->substeps = ms_structure_alloc(&f->owned, (size_t)s->n, sizeof *it->substeps);
        it->S = ms_structure_alloc(&f->owned, rows * n, sizeof *it->S);
    }
    MS_TRY_MEMORY(it != NULL && it->substeps != NULL && it->S != NULL);
    it->u = propagation_row(it->S, s->row_at[s->nu], f->n);
    it->x = propagation_row(it->u, s->nu, f->n);
    it->multiple = 1;
    const int status =
        ms_variant_counts(s, "substeps", options->multirate.substeps, MS_SPLINE_SAMPLES, it->substeps, error);
    for (int i = 0; i < s->n && status == MS_OK; i++)
        it->multiple = ms_least_common_multiple(it->multiple, it->substeps[i]);
    return status;
}

/* The wires that move at `at` units. */
static void transfer(const ms_analytic_propagation *f, int at, const double *psi)
{
    const ms_system *s = f->system;
    const common *it = f->common;
    const size_t bytes = sizeof(double) * (size_t)f->n;
    for (int i = 0; i < s->n; i++)
        for (int w = s->row_at[s->u_at[i]]; w < s->row_at[s->u_at[i + 1]]; w++) {
            const int output = s->wire_output[w],
                      shared =
                          ms_greatest_common_divisor(it->substeps[i], it->substeps[f->system->owner[output]]);
            if (at * shared % it->multiple == 0)
                memcpy(propagation_row(it->S, w, f->n), psi + (size_t)(s->nx + output) * (size_t)f->n, bytes);
        }
}

static int sub_step(const ms_analytic_propagation *f, int i, double h, double *psi)
{
    const ms_system *s = f->system;
    const common *it = f->common;
    const int n = f->n, nu = s->sub[i].nu;
    memset(it->u, 0, sizeof *it->u * (size_t)nu * (size_t)n);
    for (int l = 0; l < nu; l++)
        for (int w = s->row_at[s->u_at[i] + l]; w < s->row_at[s->u_at[i] + l + 1]; w++)
            propagation_add(n, s->wire_gain[w], propagation_row(it->S, w, n), propagation_row(it->u, l, n));
    return ms_analytic_propagation_hold(f, i, h, it->u, it->x, psi);
}

int ms_analytic_propagation_common_evaluate(ms_analytic_propagation *f, double h, double *psi)
{
    const common *it = f->common;
    int status = MS_OK;
    memset(psi, 0, sizeof(double) * (size_t)f->n * (size_t)f->n);
    for (int j = 0; j < f->n; j++)
        propagation_row(psi, j, f->n)[j] = 1.0;
    for (int at = 0; at < it->multiple && status == MS_OK; at++) {
        transfer(f, at, psi);
        for (int i = 0; i < f->system->n && status == MS_OK; i++)
            if (at * it->substeps[i] % it->multiple == 0)
                status = sub_step(f, i, h / it->substeps[i], psi);
    }
    return status;
}
