/* SPDX-License-Identifier: GPL-3.0-or-later */
/* subsystem.c - one subsystem at a point: f, g and their partial derivatives. */
#include <float.h>
#include <string.h>

#include <macrostep/system.h>

/* y += M v, M (rows x columns). */
static void multiply_add(int rows, int columns, const double *M, const double *v, double *y)
{
    for (int i = 0; i < rows; i++) {
        double sum = y[i];
        for (int j = 0; j < columns; j++)
            sum += M[j] * v[j];
        y[i] = sum;
        M += columns;
    }
}

/* What the system knows of a point of subsystem i, which is returned, and the external inputs there. */
static const ms_subsystem *complete(const ms_system *system, int i, ms_point *at, double *w)
{
    const ms_subsystem *sub = &system->sub[i];
    at->p = ms_subsystem_parameters(system, sub);
    at->data = sub->data;
    at->w = w;
    if (sub->nw > 0)
        ms_subsystem_external(system, sub, at->t, w);
    return sub;
}

void ms_subsystem_external(const ms_system *system, const ms_subsystem *sub, double t, double *w)
{
    if (system->homogeneous) {
        memset(w, 0, sizeof(double) * (size_t)sub->nw);
        return;
    }
    sub->external(t, ms_subsystem_parameters(system, sub), sub->data, w);
    if (system->inputs == NULL)
        return;
    const int *column = system->input_column + system->w_at[sub - system->sub];
    ms_series_interpolate(system->inputs, t, sub->nw, column, w);
    if (sub->w_held != NULL)
        ms_series_hold(system->inputs, t, sub->nw, column, sub->w_held, w);
}

void ms_subsystem_external_rates(const ms_system *system, const ms_subsystem *sub, double t, double *dw,
                                 double *ddw)
{
    if (system->homogeneous || sub->external_constant) {
        memset(dw, 0, sizeof(double) * (size_t)sub->nw);
        memset(ddw, 0, sizeof(double) * (size_t)sub->nw);
        return;
    }
    sub->external_rates(t, ms_subsystem_parameters(system, sub), sub->data, dw, ddw);
    if (system->inputs == NULL)
        return;
    const int *column = system->input_column + system->w_at[sub - system->sub];
    ms_series_slopes(system->inputs, t, sub->nw, column, dw);
    for (int k = 0; k < sub->nw; k++)
        ddw[k] = column[k] >= 0 ? 0.0 : ddw[k];
}

int ms_subsystem_f(const ms_system *system, int i, ms_point *at, double *w, double *dx)
{
    const ms_subsystem *sub = complete(system, i, at, w);
    if (sub->residual != NULL || sub->stepper != NULL)
        return 1; /* x' is not a function of the point, or it is unknown */
    if (sub->matrices == NULL)
        return sub->nx > 0 ? sub->f(at, dx) : 0;
    const ms_blocks *m = &system->blocks[i];
    for (int j = 0; j < sub->nx; j++)
        dx[j] = 0.0;
    multiply_add(sub->nx, sub->nx, m->A, at->x, dx); /* x' = A x + B u + E w */
    multiply_add(sub->nx, sub->nu, m->B, at->u, dx);
    multiply_add(sub->nx, sub->nw, m->E, w, dx);
    return 0;
}

int ms_subsystem_g(const ms_system *system, int i, ms_point *at, double *w, double *y)
{
    const ms_subsystem *sub = complete(system, i, at, w);
    if (sub->stepper != NULL)
        return 1;
    if (sub->matrices == NULL)
        return sub->ny > 0 ? sub->g(at, y) : 0;
    const ms_blocks *m = &system->blocks[i];
    for (int j = 0; j < sub->ny; j++)
        y[j] = 0.0;
    multiply_add(sub->ny, sub->nx, m->C, at->x, y); /* y = C x + D u + F w */
    multiply_add(sub->ny, sub->nu, m->D, at->u, y);
    multiply_add(sub->ny, sub->nw, m->F, w, y);
    return 0;
}

int ms_subsystem_output_rates(const ms_system *system, int i, ms_point *at, double *w, const ms_rates *r)
{
    const ms_subsystem *sub = complete(system, i, at, w);
    return sub->output_rates(at, r);
}

int ms_subsystem_residual(const ms_system *system, int i, ms_point *at, double *w, const double *dx,
                          double *r)
{
    const ms_subsystem *sub = complete(system, i, at, w);
    return sub->residual(at, dx, r);
}

/* Events ------------------------------------------------------------------------------------------------- */

int ms_subsystem_indicators(const ms_system *system, int i, ms_point *at, double *w, double *r)
{
    const ms_subsystem *sub = complete(system, i, at, w);
    return sub->n_indicators > 0 ? sub->indicators(at, r) : 0;
}

int ms_subsystem_switches(const ms_system *system, int i, ms_point *at, double *w, double *r)
{
    const ms_subsystem *sub = complete(system, i, at, w);
    return sub->n_switches > 0 ? sub->switches(at, r) : 0;
}

int ms_subsystem_switch_rates(const ms_system *system, int i, ms_point *at, double *w, const double *dx,
                              const double *du, double *dr)
{
    const ms_subsystem *sub = &system->sub[i];
    double *dw = w + sub->nw, *ddw = dw + sub->nw;
    if (sub->switch_rates == NULL)
        return MS_UNSUPPORTED;
    (void)complete(system, i, at, w);
    if (sub->nw > 0 && sub->external_rates != NULL)
        ms_subsystem_external_rates(system, sub, at->t, dw, ddw);
    return sub->switch_rates(at, &(ms_rates){.dx = dx, .du = du, .dw = dw}, dr);
}

bool ms_subsystem_step_event(const ms_system *system, int i, ms_point *at, double *w)
{
    const ms_subsystem *sub = complete(system, i, at, w);
    return sub->step_event != NULL && sub->step_event(at);
}

int ms_subsystem_handle(const ms_system *system, int i, ms_point *at, double *w, const ms_event *event)
{
    const ms_subsystem *sub = complete(system, i, at, w);
    return sub->handle != NULL ? sub->handle(at, event) : 0;
}

double ms_subsystem_next_time(const ms_system *system, int i, double t, const double *z)
{
    const ms_subsystem *sub = &system->sub[i];
    const double row =
        sub->follows_series ? ms_series_next_kink(system->inputs, system->input_kink, t) : INFINITY;
    const double own = sub->next_time != NULL
                           ? sub->next_time(t, z, ms_subsystem_parameters(system, sub), sub->data)
                           : INFINITY;
    return row < own ? row : own; /* NaN stays */
}

double ms_subsystem_time_round_off(const ms_system *system, int i, double t, const double *z)
{
    const ms_subsystem *sub = &system->sub[i];
    const double least = DBL_EPSILON * fabs(t);
    return sub->time_round_off != NULL
               ? fmax(least, sub->time_round_off(t, z, ms_subsystem_parameters(system, sub), sub->data))
               : least;
}

/* Partial derivatives ------------------------------------------------------------------------------------ */

/* A block that is wanted: a copy of `from`, or zero. */
static void fill(double *block, const double *from, int rows, int columns)
{
    const size_t size = sizeof(double) * (size_t)rows * (size_t)columns;
    if (block == NULL || size == 0)
        return;
    if (from != NULL)
        memcpy(block, from, size);
    else
        memset(block, 0, size);
}

static void fill_all(const ms_subsystem *sub, const ms_blocks *from, const ms_blocks *m)
{
    fill(m->A, from->A, sub->nx, sub->nx);
    fill(m->B, from->B, sub->nx, sub->nu);
    fill(m->C, from->C, sub->ny, sub->nx);
    fill(m->D, from->D, sub->ny, sub->nu);
    fill(m->E, from->E, sub->nx, sub->nw);
    fill(m->F, from->F, sub->ny, sub->nw);
}

typedef int function(const ms_system *system, int i, ms_point *at, double *w, double *value);

/* Where a subsystem is differentiated, and scratch for it. */
typedef struct difference_point {
    const ms_system *system;
    int i; /* of the subsystem */
    ms_point *at;
    double *w, *pair;  /* external inputs; twice as many values as f or g has */
    long *evaluations; /* counts; NULL: not counted */
} difference_point;

/* value(v + step e_j) and value(v - step e_j) into the pair. */
static int evaluate_pair(const difference_point *d, function *f, int rows, double *v, double up, double down)
{
    const double value = *v;
    *v = up;
    int status = f(d->system, d->i, d->at, d->w, d->pair);
    *v = down;
    if (status == 0)
        status = f(d->system, d->i, d->at, d->w, d->pair + rows);
    *v = value;
    if (d->evaluations != NULL)
        *d->evaluations += 2;
    return status;
}

/* The scales of its variables from `at` on; NULL: 1. */
static const double *scale_from(const double *scale, int at)
{
    return scale != NULL ? scale + at : NULL;
}

/* M = df/dv (rows x columns) by central differences; v is the vector of the point that varies, scale its scales. 0 where v or f is a
 * signal (NULL: none is) that jumps. */
static int differentiate(const difference_point *d, function *f, double *v, const double *scale, int rows,
                         int columns, double *M, const ms_signal *of, const ms_signal *to)
{
    const double *above = d->pair, *below = d->pair + rows;
    if (M == NULL)
        return 0;
    for (int j = 0; j < columns; j++) {
        const double step = ms_central_step(scale, j, v[j]) *
                            (d->system->sub[d->i].single ? MS_CENTRAL_SINGLE : 1.0),
                     up = v[j] + step, down = v[j] - step;
        const bool jumps = of != NULL && of[j] != MS_SIGNAL_CONTINUOUS;
        const int status = jumps ? 0 : evaluate_pair(d, f, rows, &v[j], up, down);
        if (status != 0)
            return status;
        for (int k = 0; k < rows; k++)
            M[k * columns + j] = jumps || (to != NULL && to[k] != MS_SIGNAL_CONTINUOUS)
                                     ? 0.0
                                     : (above[k] - below[k]) / (up - down);
    }
    return 0;
}

int ms_subsystem_jacobian(const ms_system *system, int i, ms_point *at, double *w, double *scratch,
                          const ms_blocks *m, long *evaluations)
{
    const ms_subsystem *sub = &system->sub[i];
    const int nx = sub->nx, nu = sub->nu, ny = sub->ny;
    if (sub->matrices != NULL) {
        fill_all(sub, &system->blocks[i], m);
        return 0;
    }
    if (sub->jacobian != NULL) {
        fill_all(sub, &(ms_blocks){0}, m);
        (void)complete(system, i, at, w);
        return sub->jacobian(at, m);
    }
    double *x = scratch, *u = x + nx, *pair = u + nu;
    fill(x, at->x, nx, 1);
    fill(u, at->u, nu, 1);
    ms_point near = *at;
    near.x = x;
    near.u = u;
    const double *x_scale = scale_from(system->x_scale, system->x_at[i]),
                 *u_scale = scale_from(system->u_scale, system->u_at[i]);
    const difference_point d = {system, i, &near, w, pair, evaluations};
    int status = differentiate(&d, ms_subsystem_f, x, x_scale, nx, nx, m->A, NULL, NULL);
    if (status == 0)
        status = differentiate(&d, ms_subsystem_f, u, u_scale, nx, nu, m->B, sub->u_signal, NULL);
    if (status == 0)
        status = differentiate(&d, ms_subsystem_g, x, x_scale, ny, nx, m->C, NULL, sub->y_signal);
    if (status == 0)
        status = differentiate(&d, ms_subsystem_g, u, u_scale, ny, nu, m->D, sub->u_signal, sub->y_signal);
    return status;
}
