/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/error_scale.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include <macrostep/choices.h>

static int allocate(int n, int by, ms_error_scale *scale, ms_error *error)
{
    *scale = (ms_error_scale){.by = by, .n = n};
    double *block = calloc((by == MS_SCALE_RANGE ? 3 : 1) * (size_t)n + 1, sizeof *block);
    MS_TRY_MEMORY_FOR(block != NULL, error, "the scales of %d errors", n);
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
                   "`error-scale` nominal: state %.80s.%.80s of model %.80s has no nominal value; use range",
                   sub, name, system->model->name);
}

/* The nominal value of state j of the system. */
static int take_nominal(const ms_system *system, int j, double *of, ms_error *error)
{
    int i = 0;
    while (j >= system->x_at[i] + system->sub[i].nx)
        i++;
    const ms_subsystem *sub = &system->sub[i];
    const int own = j - system->x_at[i];
    *of = sub->x_nominal != NULL ? sub->x_nominal[own] : 0.0;
    return *of > 0.0 ? MS_OK : no_nominal(system, sub->name, sub->x[own].name, error);
}

int ms_error_scale_create(const ms_system *system, int by, ms_error_scale *scale, ms_error *error)
{
    int status = allocate(system->nx, by, scale, error);
    for (int j = 0; j < system->nx && by == MS_SCALE_NOMINAL && status == MS_OK; j++)
        status = take_nominal(system, j, &scale->of[j], error);
    if (status != MS_OK)
        ms_error_scale_destroy(scale);
    return status;
}

int ms_error_scale_of_columns(const ms_system *system, int n, const int *variable, int by,
                              ms_error_scale *scale, ms_error *error)
{
    bool states = false;
    for (int k = 0; k < n; k++)
        states = states || variable[k] < system->nx;
    if (!states)
        return ms_error_scale_of_variables(n, "inputs and outputs", by, scale, error);
    int status = allocate(n, by, scale, error);
    for (int k = 0; k < n && by == MS_SCALE_NOMINAL && status == MS_OK; k++)
        if (variable[k] < system->nx)
            status = take_nominal(system, variable[k], &scale->of[k], error);
        else
            scale->of[k] = NAN;
    if (status != MS_OK)
        ms_error_scale_destroy(scale);
    return status;
}

int ms_error_scale_of_variables(int n, const char *what, int by, ms_error_scale *scale, ms_error *error)
{
    if (by == MS_SCALE_NOMINAL)
        return ms_fail(error, MS_INVALID,
                       "`error-scale` nominal: %s have no nominal values, only states have them; use range",
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
