/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "convergence.h"

#include <math.h>
#include <string.h>

double ms_convergence_largest(int n, const double *v)
{
    double size = 0.0;
    for (int k = 0; k < n; k++)
        size = fmax(size, isnan(v[k]) ? INFINITY : fabs(v[k]));
    return size;
}

void ms_convergence_begin(ms_convergence *c, double scale)
{
    c->scale = scale;
    c->least = INFINITY;
}

bool ms_convergence_at_round_off(const ms_convergence *c)
{
    const double size = ms_convergence_largest(c->n, c->best);
    return isfinite(c->least) && size <= 1e10 * c->scale && c->least <= 1e-12 * fmax(size, c->scale);
}

/* Iterates that grow do not raise the scale. */
static bool stopped_falling(ms_convergence *c, const double *z, const double *r)
{
    const double size = ms_convergence_largest(c->n, r), before = c->least;
    if (size < before) {
        c->least = size;
        memcpy(c->best, z, sizeof(double) * (size_t)c->n);
    }
    return (size == 0.0 || size >= 0.5 * before) && ms_convergence_at_round_off(c);
}

bool ms_convergence_reached(ms_convergence *c, const double *z, const double *r)
{
    if (c->epsilon == 0.0)
        return stopped_falling(c, z, r);
    bool all = true;
    for (int k = 0; k < c->n; k++)
        all = all && fabs(r[k]) < c->epsilon * fabs(z[k]) + c->epsilon;
    return all;
}
