/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "variables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matrix.h"

/* size from v, and the scales of states and inputs. */
static void fill_sizes(ms_variables *of)
{
    const ms_system *s = of->system;
    const int nx = of->sub->nx, known = nx + of->sub->nu;
    double least = 1.0;
    for (int j = 0; j < of->n; j++) {
        double scale = least;
        if (j < known && s->x_scale != NULL)
            scale = j < nx ? s->x_scale[s->x_at[of->index] + j] : s->u_scale[s->u_at[of->index] + j - nx];
        least = fmin(least, scale);
        of->size[j] = j < known || of->v[j] == 0.0 ? fmax(scale, fabs(of->v[j])) : fabs(of->v[j]);
    }
}

int ms_variables_create(const ms_system *system, int i, const ms_point *at, ms_variables **variables)
{
    const ms_subsystem *sub = &system->sub[i];
    const size_t nx = (size_t)sub->nx, nu = (size_t)sub->nu, nw = (size_t)sub->nw;
    ms_variables *of = malloc(sizeof *of);
    double *v = calloc(2 * (nx + nu + nw) + 1, sizeof *v);
    *variables = of;
    if (of == NULL || v == NULL) {
        MS_FREE(of, v);
        *variables = NULL;
        return MS_NO_MEMORY;
    }
    *of = (ms_variables){.system = system,
                         .sub = sub,
                         .index = i,
                         .n = sub->nx + sub->nu + sub->nw,
                         .t = at->t,
                         .du = at->du,
                         .z = at->z,
                         .v = v,
                         .size = v + nx + nu + nw};
    if (nx > 0)
        memcpy(v, at->x, sizeof *v * nx);
    if (nu > 0)
        memcpy(v + nx, at->u, sizeof *v * nu);
    if (nw > 0)
        ms_subsystem_external(system, sub, at->t, v + nx + nu);
    fill_sizes(of);
    return MS_OK;
}

void ms_variables_destroy(ms_variables **variables)
{
    if (variables == NULL || *variables == NULL)
        return;
    MS_FREE((*variables)->v, *variables);
    *variables = NULL;
}

static ms_point point_at(const ms_variables *of, const double *v)
{
    return (ms_point){.t = of->t,
                      .x = v,
                      .u = v + of->sub->nx,
                      .du = of->du,
                      .w = v + of->sub->nx + of->sub->nu,
                      .z = of->z,
                      .p = ms_subsystem_parameters(of->system, of->sub),
                      .data = of->sub->data};
}

/* X x + U u + W w for blocks of that many rows. */
static void combine(const ms_subsystem *sub, int rows, const double *X, const double *U, const double *W,
                    const ms_point *at, double *value)
{
    ms_matrix_multiply(rows, sub->nx, X, at->x, value);
    ms_matrix_add(rows, sub->nu, U, at->u, value);
    ms_matrix_add(rows, sub->nw, W, at->w, value);
}

int ms_variables_f(void *self, const double *v, double *dx)
{
    const ms_variables *of = self;
    const ms_point at = point_at(of, v);
    const ms_blocks *m = &of->system->blocks[of->index];
    if (of->sub->matrices == NULL)
        return of->sub->nx > 0 ? of->sub->f(&at, dx) : 0;
    combine(of->sub, of->sub->nx, m->A, m->B, m->E, &at, dx);
    return 0;
}

int ms_variables_g(void *self, const double *v, double *y)
{
    const ms_variables *of = self;
    const ms_point at = point_at(of, v);
    const ms_blocks *m = &of->system->blocks[of->index];
    if (of->sub->matrices == NULL)
        return of->sub->ny > 0 ? of->sub->g(&at, y) : 0;
    combine(of->sub, of->sub->ny, m->C, m->D, m->F, &at, y);
    return 0;
}
