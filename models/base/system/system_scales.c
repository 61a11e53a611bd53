/* SPDX-License-Identifier: GPL-3.0-or-later */
/* system_scales.c - scales of states and inputs for the steps of differences. */
#include <math.h>

#include "system_parts.h"

static double nominal_of(const double *nominal, int k)
{
    return nominal != NULL && isfinite(nominal[k]) && nominal[k] > 0.0 ? nominal[k] : 0.0;
}

/* Nominal values over start values (n; NULL: zero) into scale, which may be start itself. Returns the largest start value of those, or
 * `least`. */
static double collect(int n, const double *nominal, const double *start, double *scale, double least)
{
    for (int k = 0; k < n; k++) {
        const double given = nominal_of(nominal, k), value = start != NULL ? fabs(start[k]) : 0.0;
        const double size = isfinite(value) ? value : 0.0;
        least = fmax(least, fmax(given, size));
        scale[k] = given > 0.0 ? given : size;
    }
    return least;
}

static void fill_rest(int n, double rest, double *scale)
{
    for (int k = 0; k < n; k++)
        if (scale[k] == 0.0)
            scale[k] = rest;
}

int ms_system_find_scales(ms_system *system, ms_error *error)
{
    double *x = ms_structure_alloc(&system->structure, (size_t)(system->nx + system->nu) + 1, sizeof *x);
    MS_TRY_MEMORY_FOR(x != NULL, error, "model %s", system->model->name);
    double *u = x + system->nx;
    ms_system_start(system, x);
    for (int i = 0; i < system->n; i++) {
        const ms_subsystem *sub = &system->sub[i];
        double *of_x = x + system->x_at[i], *of_u = u + system->u_at[i];
        double largest = collect(sub->nx, sub->x_nominal, of_x, of_x, 0.0);
        largest = collect(sub->nu, sub->u_nominal, sub->u0, of_u, largest);
        const double rest = largest > 0.0 && largest < 1.0 ? largest : 1.0;
        fill_rest(sub->nx, rest, of_x);
        fill_rest(sub->nu, rest, of_u);
    }
    system->x_scale = x;
    system->u_scale = u;
    return MS_OK;
}
