/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analytic_propagation_split.c - the propagation matrix of scheme strang: with v = (x, y) and the rows Q of all states and
 * outputs in it, each stretch of length h of a subsystem is
 *
 *     x <- E x + G_0 L y,     y <- C x + D L y  of that subsystem, L y as it was before,
 *
 * with E and G_0 of step_map.h. Psi is the product of the stretches, in their order. */
#include <string.h>

#include <macrostep/system.h>
#include "analytic_propagation_parts.h"

/* Does a wire go between subsystems i and k? */
static bool connects(const ms_system *s, int i, int k)
{
    for (int l = 0; l < s->nu; l++)
        for (int w = s->row_at[l]; w < s->row_at[l + 1]; w++) {
            const int from = ms_system_owner(s, s->wire_output[w]);
            const bool to_k = l >= s->u_at[k] && l < s->u_at[k + 1],
                       to_i = l >= s->u_at[i] && l < s->u_at[i + 1];
            if ((from == i && to_k) || (from == k && to_i))
                return true;
        }
    return false;
}

int ms_analytic_propagation_split_twice(const ms_analytic_propagation *f)
{
    const ms_system *s = f->system;
    for (int twice = s->n - 1; twice > 0; twice--)
        for (int k = twice - 1; k < s->n; k++)
            if (connects(s, f->sequence[twice - 1], f->sequence[k]))
                return twice;
    return 0;
}

/* u = L y of subsystem i, into f->c. */
static void couple(const ms_analytic_propagation *f, int i, const double *y)
{
    const ms_system *s = f->system;
    const int n = f->n, nu = s->sub[i].nu;
    memset(f->c, 0, sizeof(double) * (size_t)nu * (size_t)n);
    for (int l = 0; l < nu; l++)
        for (int w = s->row_at[s->u_at[i] + l]; w < s->row_at[s->u_at[i] + l + 1]; w++)
            ms_analytic_propagation_add_product(1, 1, n, s->wire_gain[w], (const double[]){1.0},
                                                y + (size_t)s->wire_output[w] * (size_t)n,
                                                propagation_row(f->c, l, n));
}

static int stretch(ms_analytic_propagation *f, int i, double h, double *psi)
{
    const ms_system *s = f->system;
    const ms_blocks *m = &s->blocks[i];
    const int n = f->n, nx = s->sub[i].nx, nu = s->sub[i].nu, ny = s->sub[i].ny;
    double *x = propagation_row(psi, s->x_at[i], n), *y = propagation_row(psi, s->nx + s->y_at[i], n);
    const size_t bytes = sizeof(double) * (size_t)n;
    couple(f, i, propagation_row(psi, s->nx, n));
    if (h > 0.0) {
        MS_TRY(ms_analytic_propagation_subsystem(f, i, h));
        memset(f->next, 0, (size_t)nx * bytes);
        ms_analytic_propagation_add_product(nx, nx, n, 1.0, f->E, x, f->next);
        ms_analytic_propagation_add_product(nx, nu, n, 1.0, f->G, f->c, f->next);
        memcpy(x, f->next, (size_t)nx * bytes);
    }
    memset(y, 0, (size_t)ny * bytes);
    ms_analytic_propagation_add_product(ny, nx, n, 1.0, m->C, x, y);
    ms_analytic_propagation_add_product(ny, nu, n, 1.0, m->D, f->c, y);
    return MS_OK;
}

int ms_analytic_propagation_split_evaluate(ms_analytic_propagation *f, double h, double *psi)
{
    const int n = f->n, subsystems = f->system->n;
    int status = MS_OK;
    memset(psi, 0, sizeof(double) * (size_t)n * (size_t)n);
    for (int j = 0; j < n; j++)
        propagation_row(psi, j, n)[j] = 1.0;
    for (int k = 0; k < f->twice && status == MS_OK; k++)
        status = stretch(f, f->sequence[k], 0.5 * h, psi);
    for (int k = f->twice; k < subsystems && status == MS_OK; k++)
        status = stretch(f, f->sequence[k], h, psi);
    for (int k = f->twice - 1; k >= 0 && status == MS_OK; k--)
        status = stretch(f, f->sequence[k], 0.5 * h, psi);
    return status;
}
