/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "error_scale.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "choices.h"

static int allocate(int n, int by, ms_error_scale *scale, ms_error *error)
{
    *scale = (ms_error_scale){.by = by, .n = n};
    double *block = calloc(3 * (size_t)n + 1, sizeof *block);
    if (block == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the scales of %d errors", n);
    scale->of = block;
    if (by == MS_SCALE_RANGE) {
        scale->low = block + n;
        scale->high = block + 2 * n;
    }
    for (int j = 0; j < n; j++)
        scale->of[j] = 1.0;
    return MS_OK;
}

static int no_nominal(const ms_system *system, const char *sub, const char *name, ms_error *error)
{
    return ms_fail(error, MS_INVALID,
                   "`error-scale` nominal: state %.80s.%.80s of model %.80s has no nominal value; take range",
                   sub, name, system->model->name);
}

int ms_error_scale_create(const ms_system *system, int by, ms_error_scale *scale, ms_error *error)
{
    int status = allocate(system->nx, by, scale, error);
    for (int i = 0; i < system->n && by == MS_SCALE_NOMINAL; i++)
        for (int j = 0; j < system->sub[i].nx && status == MS_OK; j++) {
            const ms_subsystem *sub = &system->sub[i];
            const double nominal = sub->x_nominal != NULL ? sub->x_nominal[j] : 0.0;
            if (nominal > 0.0)
                scale->of[system->x_at[i] + j] = nominal;
            else
                status = no_nominal(system, sub->name, sub->x[j].name, error);
        }
    if (status != MS_OK)
        ms_error_scale_destroy(scale);
    return status;
}

int ms_error_scale_of_variables(int n, const char *what, int by, ms_error_scale *scale, ms_error *error)
{
    if (by == MS_SCALE_NOMINAL)
        return ms_fail(error, MS_INVALID,
                       "`error-scale` nominal: %s have no nominal values, states alone have; take range",
                       what);
    return allocate(n, by, scale, error);
}

void ms_error_scale_destroy(ms_error_scale *scale)
{
    free(scale->of);
    *scale = (ms_error_scale){0};
}

void ms_error_scale_start(ms_error_scale *scale)
{
    for (int j = 0; j < scale->n && scale->low != NULL; j++) {
        scale->low[j] = INFINITY;
        scale->high[j] = -INFINITY;
    }
}

void ms_error_scale_conclude(ms_error_scale *scale, double own_error)
{
    for (int j = 0; j < scale->n && scale->low != NULL; j++) {
        const double range = scale->high[j] - scale->low[j],
                     largest = fmax(fabs(scale->low[j]), fabs(scale->high[j])),
                     nothing =
                         fmax(2.0 * own_error, 4.0 * DBL_EPSILON * largest); /* fmax: own_error may be NaN */
        scale->of[j] = range > nothing ? range : NAN;
    }
}

double ms_error_scale_unit(const ms_error_scale *scale)
{
    double least = NAN;
    if (scale->by == MS_SCALE_NONE)
        return 1.0;
    for (int j = 0; j < scale->n; j++)
        least = fmin(least, scale->of[j]);
    return 1.0 / least;
}
