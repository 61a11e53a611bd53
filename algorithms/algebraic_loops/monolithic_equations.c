/* SPDX-License-Identifier: GPL-3.0-or-later */
/* monolithic_equations.c - equations of the monolithic model from those of its subsystems. */
#include <string.h>

#include "monolithic_parts.h"

/* Coupling ----------------------------------------------------------------------------------------------- */

/* Column j of a block M (rows x columns) into v. */
static void copy_column(const double *M, int rows, int columns, int j, double *v)
{
    for (int i = 0; i < rows; i++)
        v[i] = M[i * columns + j];
}

/* The response of x' to a change that gives subsystem i directly the column dx of x' and dy of y (in m->v):
 * dx + B L (I - D L)^-1 dy, written to column j of M (nx x columns). */
static void respond(ms_monolith *m, int columns, int j, double *M)
{
    const ms_system *s = m->system;
    const double *dx = m->v;
    double *dy = m->v + s->nx;
    ms_loop_solve(m->loop, dy);
    ms_system_couple(s, dy, m->dv);
    for (int i = 0; i < s->n; i++) {
        const int nu = s->sub[i].nu;
        for (int row = 0; row < s->sub[i].nx; row++) {
            double sum = dx[s->x_at[i] + row];
            for (int k = 0; k < nu; k++)
                sum += m->blocks[i].B[row * nu + k] * m->dv[s->u_at[i] + k];
            M[(s->x_at[i] + row) * columns + j] = sum;
        }
    }
}

/* A + B L (I - D L)^-1 C, with the factors of the loop's last linearisation. */
static void couple_states(ms_monolith *m, double *A)
{
    const ms_system *s = m->system;
    for (int i = 0; i < s->n; i++) {
        const int nx = s->sub[i].nx, ny = s->sub[i].ny;
        for (int j = 0; j < nx; j++) {
            memset(m->v, 0, sizeof(double) * (size_t)(s->nx + s->ny));
            copy_column(m->blocks[i].A, nx, nx, j, m->v + s->x_at[i]);
            copy_column(m->blocks[i].C, ny, nx, j, m->v + s->nx + s->y_at[i]);
            respond(m, s->nx, s->x_at[i] + j, A);
        }
    }
}

/* E + B L (I - D L)^-1 F. */
static void couple_external(ms_monolith *m, double *E)
{
    const ms_system *s = m->system;
    for (int i = 0; i < s->n; i++) {
        const int nw = s->sub[i].nw;
        for (int j = 0; j < nw; j++) {
            memset(m->v, 0, sizeof(double) * (size_t)(s->nx + s->ny));
            copy_column(m->blocks[i].E, s->sub[i].nx, nw, j, m->v + s->x_at[i]);
            copy_column(m->blocks[i].F, s->sub[i].ny, nw, j, m->v + s->nx + s->y_at[i]);
            respond(m, s->nw, s->w_at[i] + j, E);
        }
    }
}

void ms_monolithic_couple(ms_monolith *m)
{
    couple_states(m, m->A);
    couple_external(m, m->E);
}

/* The subsystem ------------------------------------------------------------------------------------------ */

void ms_monolithic_start(const double *p, const void *data, double *x)
{
    (void)p;
    ms_system_start(ms_monolith_of(data)->system, x);
}

double ms_monolithic_energy(const double *x, const double *p, const void *data)
{
    (void)p;
    return ms_system_energy(ms_monolith_of(data)->system, x);
}

void ms_monolithic_external(double t, const double *p, const void *data, double *w)
{
    (void)p;
    const ms_system *s = ms_monolith_of(data)->system;
    for (int i = 0; i < s->n; i++)
        if (s->sub[i].nw > 0)
            ms_subsystem_external(s, &s->sub[i], t, w + s->w_at[i]);
}

void ms_monolithic_matrices(const double *p, const void *data, const ms_blocks *blocks)
{
    (void)p;
    const ms_monolith *m = ms_monolith_of(data);
    const size_t nx = (size_t)m->system->nx, nw = (size_t)m->system->nw;
    memcpy(blocks->A, m->A, sizeof(double) * nx * nx);
    memcpy(blocks->E, m->E, sizeof(double) * nx * nw);
}

int ms_monolithic_solve(ms_monolith *m, const ms_point *at)
{
    const ms_system *s = m->system;
    if (m->loop == NULL) /* released */
        return 1;
    for (int k = 0; k < m->events.n_switches; k++)
        m->events.sides[k] = at->sides != NULL ? at->sides[k] : 0.0;
    if (s->nx > 0)
        memcpy(m->x, at->x, sizeof(double) * (size_t)s->nx);
    if (s->nz > 0)
        memcpy(m->z, at->z, sizeof(double) * (size_t)s->nz);
    const int status =
        m->solved ? ms_loop_outputs(m->loop, at->t, m->y, m->u) : ms_loop_start(m->loop, at->t, m->y, m->u);
    m->solved = status == MS_OK;
    return m->solved ? 0 : 1;
}

ms_point ms_monolithic_point(const ms_monolith *m, int i, double t)
{
    const ms_system *s = m->system;
    return (ms_point){.t = t,
                      .x = m->x + s->x_at[i],
                      .u = m->u + s->u_at[i],
                      .z = m->z + s->z_at[i],
                      .sides = m->instance[i]->sides};
}

int ms_monolithic_f(const ms_point *at, double *dx)
{
    ms_monolith *m = ms_monolith_of(at->data);
    const ms_system *s = m->system;
    int status = ms_monolithic_solve(m, at);
    for (int i = 0; i < s->n && status == 0; i++) {
        ms_point point = ms_monolithic_point(m, i, at->t);
        status = ms_subsystem_f(s, i, &point, m->instance[i]->w, dx + s->x_at[i]);
    }
    for (int j = 0; j < s->nx && m->bias != NULL; j++)
        dx[j] += m->bias[j];
    if (status != 0) /* the next initial guess must not be an invalid solution */
        m->solved = false;
    return status;
}

int ms_monolithic_jacobian(const ms_point *at, const ms_blocks *blocks)
{
    ms_monolith *m = ms_monolith_of(at->data);
    const ms_system *s = m->system;
    int status = ms_monolithic_solve(m, at);
    if (status == 0 && ms_loop_linearise(m->loop, at->t, m->u) != MS_OK)
        status = 1;
    for (int i = 0; i < s->n && status == 0; i++) {
        ms_point point = ms_monolithic_point(m, i, at->t);
        ms_instance *instance = m->instance[i];
        status = ms_subsystem_jacobian(s, i, &point, instance->w, instance->scratch, &m->blocks[i], NULL);
    }
    if (status == 0 && blocks->A != NULL)
        couple_states(m, blocks->A);
    return status;
}

/* The residual of all subsystems, x' - f where they give f. */
int ms_monolithic_residual(const ms_point *at, const double *dx, double *r)
{
    ms_monolith *m = ms_monolith_of(at->data);
    const ms_system *s = m->system;
    int status = ms_monolithic_solve(m, at);
    for (int i = 0; i < s->n && status == 0; i++) {
        const int begin = s->x_at[i], end = s->x_at[i + 1];
        ms_point point = ms_monolithic_point(m, i, at->t);
        if (s->sub[i].residual != NULL) {
            status = ms_subsystem_residual(s, i, &point, m->instance[i]->w, dx + begin, r + begin);
            continue;
        }
        status = ms_subsystem_f(s, i, &point, m->instance[i]->w, r + begin);
        for (int j = begin; j < end && status == 0; j++)
            r[j] = dx[j] - r[j];
    }
    if (status != 0)
        m->solved = false;
    return status;
}
