/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "state_space_form.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "newton_dense.h"

/* What a subsystem's functions are given. */
typedef struct handle {
    ms_state_space_form *form;
} handle;

struct ms_state_space_form {
    const ms_system *whole;
    ms_system system; /* the same except for its subsystem */
    ms_subsystem sub;
    handle data;
    ms_newton_dense *newton;
    ms_point at;         /* where 0 = F is solved; its x is .. */
    double *x, *dx;      /* .. this (nx); x'_a is 0 */
    double *v;           /* (nx): x'_d and x_a, the last solution */
    double *probe;       /* (nx): v of a difference, */
    double *up, *down;   /* and its residuals (nx) */
    double *w, *changed; /* (nw); (nx) x behind an event */
};

static ms_state_space_form *form_of(const void *data)
{
    return ((const handle *)data)->form;
}

/* 0 = F ------------------------------------------------------------------------------------------------- */

static int residual(void *user, const double *v, double *r)
{
    ms_state_space_form *form = user;
    const bool *algebraic = form->whole->sub[0].algebraic;
    for (int j = 0; j < form->whole->nx; j++)
        *(algebraic[j] ? &form->x[j] : &form->dx[j]) = v[j];
    return ms_subsystem_residual(form->whole, 0, &form->at, form->w, form->dx, r);
}

/* dF/dv by central differences. */
static int matrix(void *user, const double *v, double *M)
{
    ms_state_space_form *form = user;
    const int n = form->whole->nx;
    double *probe = form->probe;
    memcpy(probe, v, sizeof *probe * (size_t)n);
    for (int k = 0; k < n; k++) {
        const double step = cbrt(DBL_EPSILON) * fmax(1.0, fabs(v[k]));
        probe[k] = v[k] + step;
        int status = residual(form, probe, form->up);
        probe[k] = v[k] - step;
        if (status == 0)
            status = residual(form, probe, form->down);
        if (status != 0)
            return status;
        probe[k] = v[k];
        for (int i = 0; i < n; i++)
            M[i * n + k] = (form->up[i] - form->down[i]) / (2.0 * step);
    }
    return 0;
}

/* Solves at a point, whose x_a are not looked at. Returns 0, with form->x complete and x'_d in form->v, or 1. */
static int solve(ms_state_space_form *form, const ms_point *at)
{
    const size_t bytes = sizeof(double) * (size_t)form->whole->nx;
    form->at = (ms_point){.t = at->t, .x = form->x, .z = at->z, .sides = at->sides};
    memcpy(form->x, at->x, bytes);
    if (ms_newton_dense_solve(form->newton, form->v) == MS_OK)
        return 0;
    memset(form->v, 0, bytes); /* a failed iterate is not an initial guess for the next one */
    return 1;
}

/* The subsystem's functions ------------------------------------------------------------------------------ */

static int f(const ms_point *at, double *dx)
{
    ms_state_space_form *form = form_of(at->data);
    const int status = solve(form, at);
    for (int j = 0; j < form->whole->nx; j++)
        dx[j] = form->whole->sub[0].algebraic[j] ? 0.0 : form->v[j];
    return status;
}

static int indicators(const ms_point *at, double *r)
{
    ms_state_space_form *form = form_of(at->data);
    return solve(form, at) != 0 ? 1 : ms_subsystem_indicators(form->whole, 0, &form->at, form->w, r);
}

static int switches(const ms_point *at, double *r)
{
    ms_state_space_form *form = form_of(at->data);
    return solve(form, at) != 0 ? 1 : ms_subsystem_switches(form->whole, 0, &form->at, form->w, r);
}

static bool step_event(const ms_point *at)
{
    ms_state_space_form *form = form_of(at->data);
    return solve(form, at) == 0 && ms_subsystem_step_event(form->whole, 0, &form->at, form->w);
}

/* The handler finds algebraic variables that are consistent; those that it leaves are a guess. */
static int handle_event(const ms_point *at, const ms_event *event)
{
    ms_state_space_form *form = form_of(at->data);
    const bool *algebraic = form->whole->sub[0].algebraic;
    ms_event inner = *event;
    if (solve(form, at) != 0)
        return 1;
    inner.x = form->changed;
    memcpy(inner.x, form->x, sizeof *inner.x * (size_t)form->whole->nx);
    const int status = ms_subsystem_handle(form->whole, 0, &form->at, form->w, &inner);
    for (int j = 0; j < form->whole->nx && status == 0; j++)
        *(algebraic[j] ? &form->v[j] : &event->x[j]) = inner.x[j];
    return status;
}

static double next_time(double t, const double *z, const double *p, const void *data)
{
    (void)p;
    return ms_subsystem_next_time(form_of(data)->whole, 0, t, z);
}

static double time_round_off(double t, const double *z, const double *p, const void *data)
{
    (void)p;
    return ms_subsystem_time_round_off(form_of(data)->whole, 0, t, z);
}

/* Creation ----------------------------------------------------------------------------------------------- */

static void describe(ms_state_space_form *form)
{
    const ms_subsystem *whole = &form->whole->sub[0];
    form->data.form = form;
    form->sub = (ms_subsystem){.name = whole->name,
                               .nx = whole->nx,
                               .nz = whole->nz,
                               .x = whole->x,
                               .z = whole->z,
                               .z0 = whole->z0,
                               .f = f,
                               .n_indicators = whole->n_indicators,
                               .indicators = indicators,
                               .n_switches = whole->n_switches,
                               .switches = switches,
                               .next_time = ms_subsystem_has_times(whole) ? next_time : NULL,
                               .time_round_off = time_round_off,
                               .times_are_breakpoints = whole->times_are_breakpoints,
                               .step_event = whole->step_event != NULL ? step_event : NULL,
                               .asks_by_rule = whole->asks_by_rule,
                               .handle = whole->handle != NULL ? handle_event : NULL,
                               .data = &form->data};
    form->system = *form->whole;
    form->system.sub = &form->sub;
    form->system.nw = 0;
}

static int allocate(ms_state_space_form *form)
{
    const size_t nx = (size_t)form->whole->nx, nw = (size_t)form->whole->nw;
    double *at = form->x = calloc(7 * nx + nw + 1, sizeof *at);
    MS_TRY_MEMORY(at);
    form->dx = at += nx;
    form->v = at += nx;
    form->probe = at += nx;
    form->up = at += nx;
    form->down = at += nx;
    form->changed = at += nx;
    form->w = at + nx;
    return ms_newton_dense_create(&(ms_newton_dense_problem){(int)nx, residual, matrix, form}, &form->newton);
}

int ms_state_space_form_create(const ms_system *whole, ms_state_space_form **out)
{
    ms_state_space_form *form = *out = calloc(1, sizeof *form);
    MS_TRY_MEMORY(form);
    form->whole = whole;
    describe(form);
    const int status = allocate(form);
    if (status != MS_OK)
        ms_state_space_form_destroy(out);
    return status;
}

void ms_state_space_form_destroy(ms_state_space_form **out)
{
    if (*out == NULL)
        return;
    ms_newton_dense_destroy(&(*out)->newton);
    MS_FREE((*out)->x, *out);
    *out = NULL;
}

const ms_system *ms_state_space_form_system(const ms_state_space_form *form)
{
    return &form->system;
}

void ms_state_space_form_start(ms_state_space_form *form, const double *x)
{
    for (int j = 0; j < form->whole->nx; j++)
        form->v[j] = form->whole->sub[0].algebraic[j] ? x[j] : 0.0;
}

int ms_state_space_form_complete(ms_state_space_form *form, double t, double *x, const double *z)
{
    const int status = solve(form, &(ms_point){.t = t, .x = x, .z = z});
    if (status == 0)
        memcpy(x, form->x, sizeof *x * (size_t)form->whole->nx);
    return status;
}
