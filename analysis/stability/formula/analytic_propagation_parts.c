/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic_propagation_parts.h"

#include <string.h>

int ms_analytic_propagation_subsystem(const ms_analytic_propagation *f, int i, double h)
{
    const ms_system *s = f->system;
    const ms_step_map map = {.nx = s->sub[i].nx,
                             .nu = s->sub[i].nu,
                             .degree = f->degree,
                             .A = s->blocks[i].A,
                             .B = s->blocks[i].B,
                             .E = f->E,
                             .G = f->G,
                             .S = f->S,
                             .T = f->T};
    return ms_step_map_fill(&map, h, f->method, f->micro_steps, f->map_work);
}

int ms_analytic_propagation_march(const ms_analytic_propagation *f, int i, double h, int n, const double *c,
                                  double **x, double **next)
{
    const int nx = f->system->sub[i].nx, nu = f->system->sub[i].nu;
    if (h == 0.0)
        return MS_OK;
    const int status = ms_analytic_propagation_subsystem(f, i, h);
    double *sum = *next;
    memset(sum, 0, sizeof *sum * (size_t)nx * (size_t)n);
    ms_analytic_propagation_add_product(nx, nx, n, 1.0, f->E, *x, sum);
    for (int k = 0; k <= f->degree; k++)
        ms_analytic_propagation_add_product(nx, nu, n, 1.0, f->G + k * nx * nu,
                                            c + (size_t)(k * nu) * (size_t)n, sum);
    *next = *x;
    *x = sum;
    return status;
}

void ms_analytic_propagation_couple(const ms_analytic_propagation *f, int i, const double *from, double *to)
{
    const ms_system *s = f->system;
    const int n = f->n, first = s->u_at[i];
    memset(to, 0, sizeof *to * (size_t)s->sub[i].nu * (size_t)n);
    for (int l = 0; l < s->sub[i].nu; l++)
        for (int w = s->row_at[first + l]; w < s->row_at[first + l + 1]; w++)
            propagation_add(n, s->wire_gain[w], from + (size_t)s->wire_output[w] * (size_t)n,
                            propagation_row(to, l, n));
}

int ms_analytic_propagation_hold(const ms_analytic_propagation *f, int i, double h, const double *u,
                                 double *next, double *psi)
{
    const ms_system *s = f->system;
    const int n = f->n, nx = s->sub[i].nx, nu = s->sub[i].nu, ny = s->sub[i].ny;
    double *x = propagation_row(psi, s->x_at[i], n), *y = propagation_row(psi, s->nx + s->y_at[i], n);
    const size_t bytes = sizeof(double) * (size_t)n;
    if (h > 0.0) {
        MS_TRY(ms_analytic_propagation_subsystem(f, i, h));
        memset(next, 0, (size_t)nx * bytes);
        ms_analytic_propagation_add_product(nx, nx, n, 1.0, f->E, x, next);
        ms_analytic_propagation_add_product(nx, nu, n, 1.0, f->G, u, next);
        memcpy(x, next, (size_t)nx * bytes);
    }
    memset(y, 0, (size_t)ny * bytes);
    ms_analytic_propagation_add_product(ny, nx, n, 1.0, s->blocks[i].C, x, y);
    ms_analytic_propagation_add_product(ny, nu, n, 1.0, s->blocks[i].D, u, y);
    return MS_OK;
}

static int add_scale(int column, int count, double factor, propagation_scale *scale)
{
    *scale = (propagation_scale){column, count, factor};
    return column >= 0;
}

int ms_analytic_propagation_scales(const ms_analytic_propagation *f, double h,
                                   propagation_scale scale[SCALES_MAX])
{
    const ms_system *s = f->system;
    int n = 0;
    if (f->iterated != NULL)
        return add_scale(f->slope_column, s->nu, h, scale);
    if (f->sampled != NULL || f->multirate != NULL || f->common != NULL || f->delayed != NULL)
        return 0;
    if (f->analytic) {
        n += add_scale(f->column[PAST][Y1], s->ny, h, &scale[n]);
        n += add_scale(f->order > 1 ? f->column[PAST][Y2] : -1, s->ny, h * h, &scale[n]);
    }
    for (int kind = 0; kind < KINDS; kind++)
        n += add_scale(f->column[kind][SLOPE], s->ny, h, &scale[n]);
    for (int m = 0; m < f->errors; m++)
        n += add_scale(f->error_column + m * s->ny, s->ny, 1.0 / h, &scale[n]);
    return n;
}

void ms_analytic_propagation_unscale(const ms_analytic_propagation *f, double h, double *psi)
{
    const int n = f->n;
    propagation_scale scale[SCALES_MAX];
    const int scales = h != 0.0 ? ms_analytic_propagation_scales(f, h, scale) : 0;
    for (int k = 0; k < scales; k++) {
        const int begin = scale[k].column, end = begin + scale[k].count;
        for (int j = begin; j < end; j++)
            for (int c = 0; c < n; c++)
                propagation_row(psi, j, n)[c] /= scale[k].factor;
        for (int r = 0; r < n; r++)
            for (int j = begin; j < end; j++)
                propagation_row(psi, r, n)[j] *= scale[k].factor;
    }
}
