/* SPDX-License-Identifier: GPL-3.0-or-later */
/* taylor.c - vectors are in pairs, which processors take at once; each entry has sums of its own, in one order. */
#include "taylor.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));
typedef int64_t mask __attribute__((vector_size(16), aligned(8), may_alias));

enum { TWO = 2 };

static const double FLOOR = 1e-8, NEGLIGIBLE = 0.1 * DBL_EPSILON;

static int lanes_of(int n)
{
    return (n + TWO - 1) / TWO * TWO;
}

size_t ms_taylor_size(int n, int degree)
{
    return (size_t)lanes_of(n) * ((size_t)n + MS_TAYLOR_TERMS + (size_t)degree + 2);
}

void ms_taylor_prepare(ms_taylor *taylor, int n, int degree, const double *A, double *memory)
{
    const int lanes = lanes_of(n);
    memset(memory, 0, sizeof *memory * ms_taylor_size(n, degree));
    *taylor = (ms_taylor){.n = n, .lanes = lanes, .columns = memory};
    taylor->series = memory + n * lanes;
    taylor->f = taylor->series + MS_TAYLOR_TERMS * lanes;
    taylor->size = taylor->f + (degree + 1) * lanes;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            taylor->columns[j * lanes + i] = A[i * n + j];
}

static inline pair magnitude(pair v)
{
    const mask sign = {INT64_MIN, INT64_MIN};
    return (pair)((mask)v & ~sign);
}

/* What follows has the number of states as an argument, so that compilers know it where it is 2 or 4. */
#define KNOWN static inline __attribute__((always_inline))

/* Entries l and l + 1 of A x. */
KNOWN pair multiply(int n, const ms_taylor *taylor, int l, const double *x)
{
    const double *column = taylor->columns + l;
    pair sum = {0.0, 0.0};
#pragma GCC unroll 4
    for (int j = 0; j < n; j++)
        sum += *(const pair *)(column + j * lanes_of(n)) * x[j];
    return sum;
}

/* Term k + 1, driven by f or not. Is it round-off of the ones before, where all of them are `least` at least? */
KNOWN bool next_term(int n, const ms_taylor *taylor, int k, const double *f, double factor, double least)
{
    const int lanes = lanes_of(n);
    const double *now = taylor->series + k * lanes;
    double *next = taylor->series + (k + 1) * lanes;
    mask small = {-1, -1};
#pragma GCC unroll 2
    for (int l = 0; l < lanes; l += TWO) {
        pair term = multiply(n, taylor, l, now), *size = (pair *)(taylor->size + l);
        if (f != NULL)
            term += *(const pair *)(f + l);
        term *= factor;
        *(pair *)(next + l) = term;
        small &= (mask)(magnitude(term) <= NEGLIGIBLE * (*size + least));
        *size += magnitude(term);
    }
    return (small[0] & small[1]) != 0;
}

/* The largest entry of all terms so far, more or less. */
static double largest(const ms_taylor *taylor)
{
    double all = 0.0;
    for (int i = 0; i < taylor->n; i++)
        all = all < taylor->size[i] ? taylor->size[i] : all;
    return all;
}

KNOWN bool expand(int n, ms_taylor *taylor, int degree, double h, const double *x)
{
    double power = 1.0;
    int small = 0, k = 0;
    memcpy(taylor->series, x, sizeof *x * (size_t)n);
    for (int i = 0; i < n; i++)
        taylor->size[i] = fabs(x[i]);
    for (; k <= degree; k++, power *= h) {
        double *f = taylor->f + k * taylor->lanes;
        for (int i = 0; i < n; i++)
            f[i] *= power;
        (void)next_term(n, taylor, k, f, h / (k + 1), 0.0);
    }
    const double least = FLOOR * largest(taylor);
    for (; k + 1 < MS_TAYLOR_TERMS && small < 2; k++)
        small = next_term(n, taylor, k, NULL, h / (k + 1), least) ? small + 1 : 0;
    taylor->terms = k + 1;
    return small == 2 && largest(taylor) < INFINITY;
}

bool ms_taylor_expand(ms_taylor *taylor, int degree, double h, const double *x)
{
    switch (taylor->n) {
    case 2:
        return expand(2, taylor, degree, h, x);
    case 4:
        return expand(4, taylor, degree, h, x);
    default:
        return expand(taylor->n, taylor, degree, h, x);
    }
}

KNOWN void sum(int n, const ms_taylor *taylor, double theta, double *x)
{
    const int lanes = lanes_of(n);
    for (int l = 0; l < n; l += TWO) {
        const double *term = taylor->series + (taylor->terms - 1) * lanes + l;
        pair value = *(const pair *)term;
        for (int k = taylor->terms - 2; k >= 0; k--) {
            term -= lanes;
            value = value * theta + *(const pair *)term;
        }
        x[l] = value[0];
        if (l + 1 < n)
            x[l + 1] = value[1];
    }
}

void ms_taylor_sum(const ms_taylor *taylor, double theta, double *x)
{
    if (taylor->n == 2)
        sum(2, taylor, theta, x);
    else
        sum(taylor->n, taylor, theta, x);
}

/* Moments ------------------------------------------------------------------------------------------------ */

#define ONE_OVER(j)                                                                                          \
    1.0 / (j), 1.0 / ((j) + 1), 1.0 / ((j) + 2), 1.0 / ((j) + 3), 1.0 / ((j) + 4), 1.0 / ((j) + 5)
static const double inverse[MS_TAYLOR_TERMS] = {0.0, ONE_OVER(1), ONE_OVER(7), ONE_OVER(13), ONE_OVER(19)};

void ms_taylor_clear_moments(ms_taylor *taylor)
{
    memset(taylor->series, 0, sizeof(double) * (size_t)(taylor->terms * taylor->lanes));
}

void ms_taylor_add_moments(ms_taylor *taylor, double left, const double *v)
{
    const int n = taylor->n, lanes = taylor->lanes, terms = taylor->terms;
    double factor[MS_TAYLOR_TERMS] = {1.0}; /* left^j/j! */
    for (int j = 1; j < terms; j++)
        factor[j] = factor[j - 1] * (left * inverse[j]);
    for (int l = 0; l < n; l += TWO) {
        const pair value = {v[l], l + 1 < n ? v[l + 1] : 0.0};
        double *moment = taylor->series + l;
        for (int j = 0; j < terms; j++, moment += lanes)
            *(pair *)moment += factor[j] * value;
    }
}

void ms_taylor_sum_moments(ms_taylor *taylor, double *r)
{
    const int n = taylor->n, lanes = taylor->lanes;
    double *sum = taylor->series + (taylor->terms - 1) * lanes; /* of the terms from here on */
    for (int j = taylor->terms - 2; j >= 0; j--, sum -= lanes)
        for (int l = 0; l < lanes; l += TWO)
            *(pair *)(sum - lanes + l) += multiply(n, taylor, l, sum);
    memcpy(r, sum, sizeof *r * (size_t)n);
}
