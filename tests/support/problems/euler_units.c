/* SPDX-License-Identifier: GPL-3.0-or-later */
/* euler_units.c - units that step by Euler's method, by the equations themselves. */
#include <math.h>
#include <string.h>

#include "euler_units.h"
#include "support.h"
#include "unit_test.h"

enum { SYSTEMS = 60 };

support_units support_units_of(const ms_system *s)
{
    support_units t = {.s = s};
    ms_system_start(s, t.x);
    return t;
}

static double row(int n, const double *M, const double *v)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++)
        sum += M[k] * v[k];
    return sum;
}

void support_units_get(support_units *t, int i)
{
    const ms_system *s = t->s;
    const ms_subsystem *sub = &s->sub[i];
    for (int j = 0; j < sub->ny; j++)
        t->y[s->y_at[i] + j] = row(sub->nx, s->blocks[i].C + j * sub->nx, t->x + s->x_at[i]) +
                               row(sub->nu, s->blocks[i].D + j * sub->nu, t->u + s->u_at[i]);
}

void support_units_get_all(support_units *t)
{
    for (int i = 0; i < t->s->n; i++)
        support_units_get(t, i);
}

void support_units_set_all(support_units *t)
{
    ms_system_couple(t->s, t->y, t->u);
}

void support_units_step(support_units *t, int i, double h)
{
    const ms_system *s = t->s;
    const ms_subsystem *sub = &s->sub[i];
    double slope[SUPPORT_UNITS_MOST];
    for (int j = 0; j < sub->nx; j++)
        slope[j] = row(sub->nx, s->blocks[i].A + j * sub->nx, t->x + s->x_at[i]) +
                   row(sub->nu, s->blocks[i].B + j * sub->nu, t->u + s->u_at[i]);
    for (int j = 0; j < sub->nx; j++)
        t->x[s->x_at[i] + j] += h * slope[j];
}

void support_units_step_all(support_units *t, double h)
{
    for (int i = 0; i < t->s->n; i++)
        support_units_step(t, i, h);
}

void support_units_update_inputs(support_units *t)
{
    for (int k = 0; k <= t->s->ny; k++) {
        support_units_get_all(t);
        support_units_set_all(t);
    }
}

bool support_units_have_loop(const ms_system *s)
{
    double DL[SUPPORT_UNITS_MOST * SUPPORT_UNITS_MOST], v[SUPPORT_UNITS_MOST], next[SUPPORT_UNITS_MOST];
    bool loop = false;
    support_random_system_loop(s, DL);
    for (int k = 0; k < s->ny * s->ny; k++)
        DL[k] = fabs(DL[k]);
    for (int j = 0; j < s->ny; j++)
        v[j] = 1.0;
    for (int k = 0; k <= s->ny; k++) {
        for (int j = 0; j < s->ny; j++)
            next[j] = row(s->ny, DL + j * s->ny, v);
        memcpy(v, next, sizeof v);
    }
    for (int j = 0; j < s->ny; j++)
        loop = loop || v[j] != 0.0;
    return loop;
}

void support_units_near(const support_units *t, const double *x, const char *what)
{
    const double distance = support_distance(t->s->nx, x, t->x);
    if (!(distance < 1e-11))
        fail_msg("%s: %g apart", what, distance);
}

void support_units_over_systems(void (*check)(const ms_system *system, double h, unsigned long long *seed))
{
    unsigned long long seed = 92;
    for (int n = 0; n < support_ensemble(SYSTEMS); n++) {
        support_random_system r = support_random_system_next(&seed);
        check(r.system, 0.1 * r.h, &seed);
        support_random_system_drop(&r);
    }
}
