/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic_propagation_parts.h"

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
