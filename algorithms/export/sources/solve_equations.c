/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve_equations.c - a subsystem by equations, with the explicit Runge-Kutta method of order 5 of Dormand and Prince (1980), whose
 * embedded method of order 4 chooses micro-steps: the error of each is at most atol + rtol |x| in every state. It does not cross the end of
 * a macro-step. Partial derivatives are central differences. Stiff equations take many micro-steps and are given up after MICRO_STEPS:
 * the binaries of the export have implicit methods. */
#include <math.h>
#include <string.h>

#include "source_model.h"

enum { STAGES = 7, MICRO_STEPS = 100000 };

static const double node[STAGES] = {0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0};
static const double weight[STAGES][STAGES - 1] = {
    {0.0},
    {1.0 / 5.0},
    {3.0 / 40.0, 9.0 / 40.0},
    {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
    {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
    {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
    {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0}};
/* Order 5 minus order 4. */
static const double defect[STAGES] = {71.0 / 57600.0,      0.0,          -71.0 / 16695.0, 71.0 / 1920.0,
                                      -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0};

int ms_source_work(const ms_source_model *m)
{
    return (STAGES + 1) * m->nx + 3 * m->nx + 2 * m->nu + 2 * m->ny;
}

void ms_source_derivatives(const ms_source *s, double *dx)
{
    s->m->derivatives(s->t, s->m->p, s->x, s->u, dx);
}

void ms_source_outputs(const ms_source *s, double *y)
{
    s->m->outputs(s->t, s->m->p, s->x, s->u, y);
}

/* Derivatives along a line ------------------------------------------------------------------------------- */

static double largest(int n, const double *v, double least)
{
    for (int i = 0; i < n; i++)
        least = fmax(least, fabs(v[i]));
    return least;
}

/* Half the distance between two points: small compared with the length of the start vector. */
static double distance(const ms_source *s, double of_t, const double *of_x, const double *of_u)
{
    static const double cube_root = 6.0554544523933429e-06; /* of the round-off unit 2^-52 */
    const ms_source_model *m = s->m;
    const double length = largest(m->nu, of_u, largest(m->nx, of_x, fabs(of_t)));
    return length > 0.0 ? cube_root * largest(m->nu, s->u, largest(m->nx, s->x, 1.0)) / length : 0.0;
}

/* dx, dy (NULL: not wanted) along (of_t, of_x, of_u). */
static void differentiate(const ms_source *s, double of_t, const double *of_x, const double *of_u, double *dx,
                          double *dy)
{
    const ms_source_model *m = s->m;
    const double e = distance(s, of_t, of_x, of_u);
    double *x = s->work, *u = x + m->nx, *f = u + m->nu, *g = f + m->nx;
    for (int side = -1; side <= 1; side += 2) {
        const double t = s->t + side * e * of_t;
        for (int i = 0; i < m->nx; i++)
            x[i] = s->x[i] + side * e * of_x[i];
        for (int i = 0; i < m->nu; i++)
            u[i] = s->u[i] + side * e * of_u[i];
        if (dx != NULL)
            m->derivatives(t, m->p, x, u, side < 0 ? f : dx);
        m->outputs(t, m->p, x, u, side < 0 ? g : dy);
    }
    for (int i = 0; dx != NULL && i < m->nx; i++)
        dx[i] = e > 0.0 ? (dx[i] - f[i]) / (2.0 * e) : 0.0;
    for (int i = 0; i < m->ny; i++)
        dy[i] = e > 0.0 ? (dy[i] - g[i]) / (2.0 * e) : 0.0;
}

void ms_source_product(const ms_source *s, const double *of_x, const double *of_u, double *dx, double *dy)
{
    differentiate(s, 0.0, of_x, of_u, dx, dy);
}

/* y' is that along (1, x', u'). */
void ms_source_output_derivative(const ms_source *s, int order, double *y)
{
    const ms_source_model *m = s->m;
    double *dx = s->work + 2 * m->nx + m->nu + m->ny;
    (void)order; /* there is the first one alone */
    ms_source_derivatives(s, dx);
    differentiate(s, 1.0, dx, s->u + m->nu, NULL, y);
}

/* Steps -------------------------------------------------------------------------------------------------- */

/* The micro-step of length h from x, `since` after the start: next (nx). Returns the error relative to the tolerance; k[0] is known. */
static double try_step(const ms_source *s, const double *x, double since, double h, double *next)
{
    const ms_source_model *m = s->m;
    double *k = s->work, *u = k + (STAGES + 2) * m->nx, error = 0.0;
    for (int stage = 1; stage < STAGES; stage++) {
        for (int i = 0; i < m->nx; i++) {
            next[i] = x[i];
            for (int j = 0; j < stage; j++)
                next[i] += h * weight[stage][j] * k[j * m->nx + i];
        }
        ms_source_inputs(s, 0, since + node[stage] * h, u);
        m->derivatives(s->t + since + node[stage] * h, m->p, next, u, k + stage * m->nx);
    }
    for (int i = 0; i < m->nx; i++) {
        double sum = 0.0;
        for (int stage = 0; stage < STAGES; stage++)
            sum += defect[stage] * k[stage * m->nx + i];
        const double part = fabs(h * sum) / (m->atol + m->rtol * fmax(fabs(x[i]), fabs(next[i])));
        error = part <= error ? error : part; /* what is no number goes through */
    }
    return error;
}

/* Factor of the step size after such an error. */
static double factor(double error)
{
    return error > 0.0 ? fmin(5.0, fmax(0.2, 0.9 * pow(error, -0.2))) : 5.0;
}

int ms_source_advance(ms_source *s, double h, ms_error *error)
{
    const ms_source_model *m = s->m;
    double *k = s->work, *next = k + STAGES * m->nx, *u = next + 2 * m->nx;
    double since = 0.0, micro = s->micro_step > 0.0 ? s->micro_step : h / 10.0;
    ms_source_inputs(s, 0, 0.0, u);
    if (m->nx > 0)
        m->derivatives(s->t, m->p, s->x, u, k);
    for (int n = 0; n < MICRO_STEPS && m->nx > 0; n++) {
        const int last = micro >= (h - since) * (1.0 - 1e-12);
        const double length = last ? h - since : micro, size = try_step(s, s->x, since, length, next);
        const double change = size == size ? factor(size) : 0.2;
        if (!(size <= 1.0)) {
            micro = length * fmin(change, 0.9);
            if (since + micro == since)
                break;
            continue;
        }
        memcpy(s->x, next, sizeof *next * (size_t)m->nx);
        memcpy(k, k + (STAGES - 1) * m->nx, sizeof *k * (size_t)m->nx); /* first same as last */
        s->micro_step = last && change >= 1.0 ? fmax(micro, length * change) : length * change;
        if (last)
            return MS_OK;
        since += length;
        micro = s->micro_step;
    }
    return m->nx == 0
               ? MS_OK
               : ms_fail(error, MS_STEP_REJECTED,
                         "a step of %g s at %.17g s takes too many micro-steps of an explicit method, or is "
                         "not defined",
                         h, s->t);
}
