/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "nonlinear_secants.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "nonlinear_shared.h"

enum { PASSES = 4 };
static const double enough = 0.7; /* of a column that a pass of Gram-Schmidt leaves */

size_t ms_nonlinear_secants_memory(int n, int capacity)
{
    return 1 + (size_t)capacity * (2 * (size_t)n + 1);
}

int ms_nonlinear_secants_create(ms_nonlinear_secants *s, const ms_nonlinear_setup *setup, int capacity)
{
    const ms_nonlinear_options *options = setup->options;
    const int n = setup->n;
    const size_t columns = (size_t)capacity;
    *s = (ms_nonlinear_secants){
        .n = n, .capacity = capacity, .filter = options->filter, .limit = options->filter_limit};
    s->Q = ms_structure_alloc(setup->memory, columns * ((size_t)n + columns), sizeof *s->Q);
    s->R = s->Q != NULL ? s->Q + columns * (size_t)n : NULL;
    return s->Q != NULL ? MS_OK : MS_NO_MEMORY;
}

void ms_nonlinear_secants_begin(ms_nonlinear_secants *s, double *memory)
{
    s->size = memory;
    s->born = memory + 1;
    s->V = s->born + s->capacity;
    s->W = s->V + (size_t)s->n * (size_t)s->capacity;
}

/* Columns [from, size) to [to, ..). */
static void move(ms_nonlinear_secants *s, int from, int to, int count)
{
    const size_t n = (size_t)s->n, a = (size_t)from, b = (size_t)to, m = (size_t)count;
    memmove(s->V + b * n, s->V + a * n, sizeof(double) * n * m);
    memmove(s->W + b * n, s->W + a * n, sizeof(double) * n * m);
    memmove(s->born + b, s->born + a, sizeof(double) * m);
}

bool ms_nonlinear_secants_add(ms_nonlinear_secants *s, double step, const double *r, const double *r_old,
                              const double *x, const double *x_old)
{
    const int size = (int)*s->size, kept = size < s->capacity ? size : s->capacity - 1;
    const double length = ms_nonlinear_distance(s->n, r, r_old);
    if (s->capacity == 0 || length == 0.0 || !isfinite(length))
        return false;
    move(s, 0, 1, kept);
    for (int i = 0; i < s->n; i++) {
        s->V[i] = r[i] - r_old[i];
        s->W[i] = x[i] - x_old[i];
    }
    s->born[0] = step;
    *s->size = kept + 1;
    return true;
}

void ms_nonlinear_secants_keep(ms_nonlinear_secants *s, int windows)
{
    int seen = 0, j = 0;
    for (; j < (int)*s->size; j++) {
        seen += j == 0 || s->born[j] != s->born[j - 1];
        if (seen > windows)
            break;
    }
    *s->size = j;
}

static void drop(ms_nonlinear_secants *s, int j)
{
    move(s, j + 1, j, (int)*s->size - j - 1);
    *s->size -= 1.0;
}

/* q without its part along the first `columns` of Q, which is added to R's column. */
static void project(const ms_nonlinear_secants *s, int columns, double *q, double *R)
{
    for (int j = 0; j < columns; j++) {
        const double *p = s->Q + (size_t)j * (size_t)s->n;
        double product = 0.0;
        for (int i = 0; i < s->n; i++)
            product += p[i] * q[i];
        R[j] += product;
        ms_nonlinear_step(s->n, q, -product, p, q);
    }
}

/* Column j of Q and R; *length of the weighted column. Returns the length of its remainder. */
static double orthogonalise(const ms_nonlinear_secants *s, const ms_nonlinear_weights *weights, int j,
                            double *length)
{
    double *q = s->Q + (size_t)j * (size_t)s->n, *R = s->R + (size_t)j * (size_t)s->capacity;
    const double *v = s->V + (size_t)j * (size_t)s->n;
    memset(R, 0, sizeof(double) * (size_t)s->capacity);
    for (int i = 0; i < s->n; i++)
        q[i] = ms_nonlinear_weight(weights, i) * v[i];
    double left = *length = ms_nonlinear_norm(s->n, q);
    for (int pass = 0; pass < PASSES && j > 0; pass++) {
        const double before = left;
        project(s, j, q, R);
        left = ms_nonlinear_norm(s->n, q);
        if (left > enough * before)
            break;
    }
    for (int i = 0; i < s->n; i++)
        q[i] /= left;
    R[j] = left;
    return left;
}

static bool is_dependent(const ms_nonlinear_secants *s, int j, double left, double length)
{
    const bool as_it_comes = s->filter == MS_FILTER_QR2 || s->filter == MS_FILTER_QR3;
    return !(left > 10.0 * s->n * DBL_EPSILON * length) || (j > 0 && as_it_comes && left < s->limit * length);
}

static void factor_all(ms_nonlinear_secants *s, const ms_nonlinear_weights *weights)
{
    for (int j = 0; j < (int)*s->size;) {
        double length;
        const double left = orthogonalise(s, weights, j, &length);
        if (is_dependent(s, j, left, length))
            drop(s, j);
        else
            j++;
    }
}

/* The column that qr1 or qr1-absolute drops next, or -1. */
static int weakest(const ms_nonlinear_secants *s)
{
    double square = 1.0;
    if (s->filter != MS_FILTER_QR1 && s->filter != MS_FILTER_QR1_ABSOLUTE)
        return -1;
    if (s->filter == MS_FILTER_QR1) {
        square = 0.0;
        for (int j = 0; j < (int)*s->size; j++)
            for (int i = 0; i <= j; i++)
                square += s->R[i + j * s->capacity] * s->R[i + j * s->capacity];
    }
    for (int j = 1; j < (int)*s->size; j++)
        if (fabs(s->R[j + j * s->capacity]) < s->limit * sqrt(square))
            return j;
    return -1;
}

int ms_nonlinear_secants_factor(ms_nonlinear_secants *s, const ms_nonlinear_weights *weights)
{
    factor_all(s, weights);
    for (int j = weakest(s); j >= 0; j = weakest(s)) {
        drop(s, j);
        factor_all(s, weights);
    }
    return (int)*s->size;
}

void ms_nonlinear_secants_coordinates(const ms_nonlinear_secants *s, const ms_nonlinear_weights *weights,
                                      const double *r, double *c)
{
    const int size = (int)*s->size;
    for (int j = 0; j < size; j++) {
        c[j] = 0.0;
        for (int i = 0; i < s->n; i++)
            c[j] += s->Q[i + j * s->n] * ms_nonlinear_weight(weights, i) * r[i];
    }
    for (int j = size - 1; j >= 0; j--) { /* R c = Q' S r */
        c[j] /= s->R[j + j * s->capacity];
        for (int i = 0; i < j; i++)
            c[i] -= s->R[i + j * s->capacity] * c[j];
    }
}
