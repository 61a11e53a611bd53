/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_prober.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const double ms_fmu_still[MS_FMU_ORDERS + 1] = {0.0}, ms_fmu_held[MS_FMU_ORDERS + 1] = {1.0},
                                          ms_fmu_other[MS_FMU_ORDERS + 1] = {-2.0};

void ms_fmu_prober_tell(ms_fmu_prober *p, ms_fmu_trait trait, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(p->found->why[trait], sizeof p->found->why[trait], format, arguments);
    va_end(arguments);
}

/* Components --------------------------------------------------------------------------------------------- */

/* A call that does not come back costs the time that it may take, so that few of them end the probe. */
static bool is_spent(ms_fmu_prober *p)
{
    enum { LATE_CALLS = 2 };
    p->late = p->late || ms_fmu_late_calls(p->fmu) >= LATE_CALLS;
    return p->spent = p->spent || p->late;
}

int ms_fmu_prober_open(ms_fmu_prober *p, int i, double shift)
{
    const int nu = p->at->nu;
    if (is_spent(p))
        return MS_FMU_DISCARD;
    ms_fmu_component_destroy(&p->s.component);
    int status = ms_fmu_component_create(p->fmu, &p->setup, &p->s.component, p->error);
    p->refused = p->refused || status == MS_NO_MEMORY;
    if (status != MS_OK)
        return status;
    if (nu > 0)
        memcpy(p->c, p->u0, sizeof *p->c * (size_t)nu);
    if (i >= 0)
        p->c[i] += shift;
    status = ms_fmu_component_initialise(p->s.component, &p->at->u, p->c);
    if (status != MS_OK)
        ms_fail(p->error, MS_INVALID, "%s: the FMU does not start: %.300s", ms_fmu_path(p->fmu),
                ms_fmu_component_said(p->s.component));
    return status == MS_OK ? MS_OK : MS_INVALID;
}

int ms_fmu_prober_look(ms_fmu_prober *p, double *v)
{
    return ms_fmu_read(p->s.component, &p->at->all, v);
}

double ms_fmu_prober_move(const ms_fmu_prober *p, int i)
{
    const double nominal = p->d->variables[p->d->inputs[i]].nominal, scale = nominal > 0.0 ? nominal : 1.0;
    if (!ms_fmu_type_is_real(p->d->variables[p->d->inputs[i]].type))
        return 0.0;
    return p->part * 0.1 * (1.0 + 0.125 * i) * fmax(scale, fabs(p->u0[i]));
}

void ms_fmu_prober_inputs(ms_fmu_prober *p, const double *weight, double begin)
{
    const int nu = p->at->nu;
    for (int k = 0; k <= MS_FMU_ORDERS; k++)
        for (int i = 0; i < nu; i++) {
            double sum = 0.0, binomial = 1.0;                                /* of (m over k) begin^(m - k) */
            const int highest = i < p->at->n_continuous ? MS_FMU_ORDERS : 0; /* discrete ones are held */
            for (int m = k; m <= highest; m++) {
                sum += weight[m] * binomial * pow(begin, m - k);
                binomial *= (double)(m + 1) / (m + 1 - k);
            }
            p->c[k * nu + i] = ms_fmu_prober_move(p, i) * sum / pow(p->h, k) + (k == 0 ? p->u0[i] : 0.0);
        }
}

int ms_fmu_prober_step(ms_fmu_prober *p, double t, double h, int degree)
{
    p->spent = p->spent || p->steps == p->most;
    if (is_spent(p))
        return MS_FMU_DISCARD;
    p->steps++;
    const ms_stepper_step of = {p->setup.start_time + t, h, p->at->nu, degree, p->c};
    return ms_fmu_stepping_step(&p->s, &of);
}

int ms_fmu_prober_go(ms_fmu_prober *p, int ahead, const double *weight, int degree, int parts, double *v)
{
    const double before[MS_FMU_ORDERS + 1] = {weight[0]};
    int status = ms_fmu_prober_open(p, -1, 0.0);
    ms_fmu_prober_inputs(p, before, 0.0);
    for (int k = 0; k < ahead && status == MS_OK; k++)
        status = ms_fmu_prober_step(p, k * p->h, p->h, 0);
    for (int k = 0; k < parts && status == MS_OK; k++) {
        ms_fmu_prober_inputs(p, weight, (double)k / parts);
        status = ms_fmu_prober_step(p, ahead * p->h + k * p->h / parts, p->h / parts, degree);
    }
    return status == MS_OK ? ms_fmu_prober_look(p, v) : status;
}

int ms_fmu_prober_walk(ms_fmu_prober *p, int steps, double *v)
{
    return ms_fmu_prober_go(p, steps, ms_fmu_held, 0, 0, v);
}

bool ms_fmu_prober_is_smooth(const ms_fmu_prober *p, int j)
{
    return j >= p->at->ny || ms_fmu_type_is_real(p->d->variables[p->at->y_of[j]].type);
}

double ms_fmu_prober_apart(const ms_fmu_prober *p, const double *v, const double *w)
{
    double most = 0.0;
    for (int j = 0; j < p->nv; j++) {
        if (!ms_fmu_prober_is_smooth(p, j))
            continue;
        if (v[j] == w[j] || (isnan(v[j]) && isnan(w[j])))
            continue;
        const double d = fabs(v[j] - w[j]) / (1.0 + fabs(w[j]));
        most = isnan(d) ? INFINITY : fmax(most, d);
    }
    return most;
}

bool ms_fmu_prober_same(const ms_fmu_prober *p, const double *v, const double *w)
{
    return p->nv == 0 || memcmp(v, w, sizeof *v * (size_t)p->nv) == 0;
}

/* Where it works ----------------------------------------------------------------------------------------- */

/* From the start over `steps` steps under these inputs; returns how many of its values are numbers then, -1 if it fails. */
static int numbers_after(ms_fmu_prober *p, const double *weight, int steps)
{
    int n = 0;
    if (ms_fmu_prober_go(p, steps, weight, 0, 0, p->v[0]) != MS_OK)
        return -1;
    for (int j = 0; j < p->nv; j++)
        n += isfinite(p->v[0][j]) ? 1 : 0;
    return n;
}

static bool find_domain(ms_fmu_prober *p)
{
    enum { STEPS = 4, MOVES = 10, FINER = 16 };
    const double longest = p->h;
    for (int k = 0; k < (p->flags->variable_step ? STEPS : 1); k++, p->h /= FINER) {
        p->part = 1.0;
        const int numbers = numbers_after(p, ms_fmu_still, 3);
        for (int m = 0; m < MOVES && numbers >= 0; m++, p->part /= FINER)
            if (numbers_after(p, ms_fmu_held, 3) >= numbers && numbers_after(p, ms_fmu_other, 2) >= numbers)
                return true;
    }
    p->h = longest;
    return false;
}

/* Some go on from their first step only where they are told that no state will be restored, and some where they are told that one
 * may be. */
bool ms_fmu_prober_find_domain(ms_fmu_prober *p)
{
    p->s.keep = !p->flags->get_and_set_state;
    if (find_domain(p))
        return true;
    p->s.keep = !p->s.keep;
    return find_domain(p);
}
