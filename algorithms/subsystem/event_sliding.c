/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_sliding.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matrix.h"
#include "micro_step.h"

int ms_sliding_create(ms_instance *instance)
{
    ms_events *events = instance->events;
    const ms_subsystem *sub = instance->sub;
    if (events->n_sides == 0 || sub->switch_rates == NULL || sub->residual != NULL)
        return MS_OK;
    const size_t n = (size_t)events->n_sides, nx = (size_t)instance->n_state, ny = (size_t)sub->ny;
    ms_sliding *s = calloc(1, sizeof *s);
    events->sliding = s;
    MS_TRY_MEMORY(s);
    s->dx = calloc(MS_FIELDS_MAX * (nx + ny + n) + 3 * nx + 4 * n, sizeof *s->dx);
    s->surface = calloc(3 * n, sizeof *s->surface);
    s->tried = calloc(n, sizeof *s->tried);
    MS_TRY_MEMORY(s->dx != NULL && s->surface != NULL && s->tried != NULL);
    s->y = s->dx + MS_FIELDS_MAX * nx;
    s->rate = s->y + MS_FIELDS_MAX * ny;
    s->at = s->rate + MS_FIELDS_MAX * n;
    s->near = s->at + nx;
    s->normal = s->near + nx;
    s->s = s->normal + nx;
    s->gradient = s->s + n;
    s->behind = s->surface + n;
    s->group = s->behind + n;
    for (size_t k = 0; k < n; k++)
        s->surface[k] = -1;
    return MS_OK;
}

void ms_sliding_destroy(ms_events *events)
{
    if (events->sliding != NULL) {
        MS_FREE(events->sliding->dx, events->sliding->surface, events->sliding->tried);
    }
    free(events->sliding);
}

/* The field ------------------------------------------------------------------------------------------------ */

/* Takes the front side of all surfaces except `of` (-1: of all). */
static void take_sides(ms_events *events, int of)
{
    const ms_sliding *s = events->sliding;
    for (int k = 0; k < events->n_sides; k++)
        if (s->surface[k] >= 0)
            events->sides[k] = s->surface[k] == of ? s->behind[k] : -s->behind[k];
}

int ms_sliding_rates(ms_instance *instance, int piece, double t, const double *x, const double *dx,
                     double *rate)
{
    ms_point at;
    t = ms_events_time(instance->events, t);
    if (ms_micro_point(instance, piece, t, x, &at) != 0)
        return 1;
    at.sides = instance->events->sides;
    ms_input_evaluate(&instance->input, piece, 1, t - instance->t, instance->du);
    return ms_subsystem_switch_rates(instance->system, instance->index, &at, instance->w, dx, instance->du,
                                     rate);
}

/* f and the integrands in front of all surfaces and behind each one, with the rates of the switches along them. */
static int fields_at(ms_instance *instance, int piece, double t, const double *x)
{
    ms_sliding *s = instance->events->sliding;
    int status = 0;
    for (int of = -1; of < s->n && status == 0; of++) {
        double *dx = s->dx + (of + 1) * instance->n_state,
               *rate = s->rate + (of + 1) * instance->events->n_sides;
        take_sides(instance->events, of);
        status = ms_instance_rhs(instance, piece, t, x, dx);
        if (status == 0)
            status = ms_sliding_rates(instance, piece, t, x, dx, rate);
    }
    return status;
}

/* The alphas for which the functions of all surfaces stay constant; if there are none, the mean of the fields. */
static void solve(ms_instance *instance)
{
    ms_sliding *s = instance->events->sliding;
    const int n_sides = instance->events->n_sides, n = s->n;
    for (int i = 0; i < n; i++) {
        const double *rate = s->rate + s->leader[i];
        for (int j = 0; j < n; j++)
            s->lu[i * n + j] = rate[(j + 1) * n_sides] - rate[0];
        s->alpha[i] = -rate[0];
    }
    s->solved = n == 0 || ms_matrix_factor(n, s->lu, s->pivots) == MS_OK;
    if (s->solved)
        ms_matrix_solve(n, s->lu, s->pivots, s->alpha);
    for (int i = 0; i < n && !s->solved; i++)
        s->alpha[i] = 1.0 / (n + 1);
}

int ms_sliding_fields(ms_instance *instance, int piece, double t, const double *x)
{
    const ms_vector_field *field = instance->field;
    instance->field = NULL; /* evaluated as if nothing slid */
    const int status = fields_at(instance, piece, t, x);
    instance->field = field;
    if (status == 0)
        solve(instance);
    return status;
}

/* Its function's rate changes with its alpha by 1/z_i, where M z = e_i. */
bool ms_sliding_attracts(const ms_sliding *s, int i)
{
    double z[MS_SURFACES_MAX] = {0.0};
    if (!s->solved)
        return false;
    z[i] = 1.0;
    ms_matrix_solve(s->n, s->lu, s->pivots, z);
    return z[i] * s->behind[s->leader[i]] < 0.0;
}

void ms_sliding_sum(const ms_sliding *s, int size, const double *rows, int n, double *sum)
{
    for (int j = 0; j < n; j++) {
        double terms = fabs(rows[j]);
        sum[j] = rows[j];
        for (int i = 0; i < s->n; i++) {
            const double more = s->alpha[i] * (rows[(i + 1) * size + j] - rows[j]);
            sum[j] += more;
            terms += fabs(more);
        }
        if (fabs(sum[j]) <= 2.0 * DBL_EPSILON * terms)
            sum[j] = 0.0;
    }
}

static int sliding_rhs(ms_instance *instance, int piece, double t, const double *x, int n, double *dx)
{
    const ms_sliding *s = instance->events->sliding;
    const int status = ms_sliding_fields(instance, piece, t, x);
    if (status == 0)
        ms_sliding_sum(s, instance->n_state, s->dx, n, dx);
    return status;
}

static int sliding_outputs(ms_instance *instance, int piece, double t, const double *x, double *y)
{
    ms_sliding *s = instance->events->sliding;
    const ms_vector_field *field = instance->field;
    int status = ms_sliding_fields(instance, piece, t, x);
    instance->field = NULL;
    for (int of = -1; of < s->n && status == 0; of++) {
        take_sides(instance->events, of);
        status = ms_micro_outputs(instance, piece, t, x, s->y + (of + 1) * instance->sub->ny);
    }
    instance->field = field;
    if (status == 0)
        ms_sliding_sum(s, instance->sub->ny, s->y, instance->sub->ny, y);
    return status;
}

/* By differences. */
static int sliding_jacobian(ms_instance *instance, int piece, double t, const double *x, double *A)
{
    ms_sliding *s = instance->events->sliding;
    const int nx = instance->sub->nx;
    const double *scale = instance->system->x_scale;
    int status = 0;
    memcpy(s->at, x, sizeof *s->at * (size_t)nx);
    for (int j = 0; j < nx && status == 0; j++) {
        const double step =
            ms_central_step(scale != NULL ? scale + instance->system->x_at[instance->index] : NULL, j, x[j]);
        for (int up = 0; up < 2 && status == 0; up++) {
            s->at[j] = x[j] + (up ? step : -step);
            status = sliding_rhs(instance, piece, t, s->at, nx, s->near);
            for (int i = 0; i < nx; i++)
                A[i * nx + j] = up ? (s->near[i] - A[i * nx + j]) / (2.0 * step) : s->near[i];
        }
        s->at[j] = x[j];
    }
    return status;
}

const ms_vector_field ms_sliding_field = {
    .rhs = sliding_rhs, .outputs = sliding_outputs, .jacobian = sliding_jacobian};

int ms_sliding_functions(ms_instance *instance, int piece, double t, const double *x, double *r)
{
    const ms_sliding *s = instance->events->sliding;
    const int status = ms_sliding_fields(instance, piece, t, x);
    for (int k = 0; k < instance->events->n_sides; k++)
        r[k] = s->surface[k] >= 0 ? 1.0 : r[k];
    for (int i = 0; i < s->n; i++)
        r[s->leader[i]] = ms_sliding_attracts(s, i) ? s->alpha[i] * (1.0 - s->alpha[i]) : -1.0;
    return status;
}
