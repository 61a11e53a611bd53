/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve_linear.c - a linear subsystem. Over a step inputs are polynomials, and the solution is its Taylor series
 *
 *     x(t + s) = sum_k T_k,     T_0 = x,     T_(k+1) = s / (k + 1) (A T_k + B u^(k) s^k / k!),
 *
 * of TERMS terms over parts s of the step with |A| s <= 1 (maximum norm), so that what is left out lies below round-off. */
#include <math.h>
#include <string.h>

#include "source_model.h"

enum { TERMS = 22, PARTS_MAX = 1000000 };

/* y = M x, M (rows x columns); or y += M x. */
static void multiply(int rows, int columns, const double *M, const double *x, int add, double *y)
{
    for (int i = 0; i < rows; i++) {
        double sum = add ? y[i] : 0.0;
        for (int j = 0; j < columns; j++)
            sum += M[i * columns + j] * x[j];
        y[i] = sum;
    }
}

static double norm_of(const ms_source_model *m)
{
    double largest = 0.0;
    for (int i = 0; i < m->nx; i++) {
        double sum = 0.0;
        for (int j = 0; j < m->nx; j++)
            sum += fabs(m->A[i * m->nx + j]);
        largest = fmax(largest, sum);
    }
    return largest;
}

int ms_source_work(const ms_source_model *m)
{
    return 2 * m->nx + m->nu;
}

void ms_source_derivatives(const ms_source *s, double *dx)
{
    const ms_source_model *m = s->m;
    for (int i = 0; i < m->nx; i++)
        dx[i] = m->f[i];
    multiply(m->nx, m->nx, m->A, s->x, 1, dx);
    multiply(m->nx, m->nu, m->B, s->u, 1, dx);
}

void ms_source_outputs(const ms_source *s, double *y)
{
    const ms_source_model *m = s->m;
    for (int i = 0; i < m->ny; i++)
        y[i] = m->g[i];
    multiply(m->ny, m->nx, m->C, s->x, 1, y);
    multiply(m->ny, m->nu, m->D, s->u, 1, y);
}

void ms_source_product(const ms_source *s, const double *of_x, const double *of_u, double *dx, double *dy)
{
    const ms_source_model *m = s->m;
    multiply(m->nx, m->nx, m->A, of_x, 0, dx);
    multiply(m->nx, m->nu, m->B, of_u, 1, dx);
    multiply(m->ny, m->nx, m->C, of_x, 0, dy);
    multiply(m->ny, m->nu, m->D, of_u, 1, dy);
}

/* y' = C x' + D u', y'' = C (A x' + B u') + D u''. */
void ms_source_output_derivative(const ms_source *s, int order, double *y)
{
    const ms_source_model *m = s->m;
    double *dx = s->work, *ddx = dx + m->nx;
    ms_source_derivatives(s, dx);
    if (order == 2) {
        multiply(m->nx, m->nx, m->A, dx, 0, ddx);
        multiply(m->nx, m->nu, m->B, s->u + m->nu, 1, ddx);
    }
    multiply(m->ny, m->nx, m->C, order == 1 ? dx : ddx, 0, y);
    multiply(m->ny, m->nu, m->D, s->u + order * m->nu, 1, y);
}

/* Adds T_1, T_2, .. to x over a part of length h that begins `since` after the start of the step. */
static void advance(const ms_source *s, double since, double h)
{
    const ms_source_model *m = s->m;
    double *term = s->work, *next = term + m->nx, *input = next + m->nx;
    double scale = 1.0; /* h^k / k! */
    memcpy(term, s->x, sizeof(double) * (size_t)m->nx);
    for (int k = 0; k < TERMS; k++) {
        multiply(m->nx, m->nx, m->A, term, 0, next);
        if (k <= s->degree) {
            ms_source_inputs(s, k, since, input);
            for (int i = 0; i < m->nu; i++)
                input[i] *= scale;
            multiply(m->nx, m->nu, m->B, input, 1, next);
        }
        for (int i = 0; i < m->nx; i++) {
            term[i] = h / (k + 1) * (next[i] + (k == 0 ? m->f[i] : 0.0));
            s->x[i] += term[i];
        }
        scale *= h / (k + 1);
    }
}

int ms_source_advance(ms_source *s, double h, ms_error *error)
{
    const double parts = fmax(1.0, ceil(norm_of(s->m) * h));
    if (!(parts <= PARTS_MAX))
        return ms_fail(error, MS_STEP_REJECTED, "a step of %g s has more than %d parts", h, (int)PARTS_MAX);
    for (int k = 0; k < (int)parts; k++)
        advance(s, k * (h / parts), h / parts);
    return MS_OK;
}
