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

static int stretch(ms_analytic_propagation *f, int i, double h, double *psi)
{
    ms_analytic_propagation_couple(f, i, propagation_row(psi, f->system->nx, f->n), f->c);
    return ms_analytic_propagation_hold(f, i, h, f->c, f->next, psi);
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
