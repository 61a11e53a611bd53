/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "extended_exponential.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit_test.h"

enum { TERMS = 28 };

typedef support_twofold number;

/* a + b, where |a| >= |b| or a is 0. */
static number fast_sum(double a, double b)
{
    const double sum = a + b;
    return (number){sum, b - (sum - a)};
}

static number exact_sum(double a, double b)
{
    const double sum = a + b, part = sum - a;
    return (number){sum, (a - (sum - part)) + (b - part)};
}

/* The leading half of the digits. */
static double leading(double a)
{
    const double shifted = 134217729.0 * a; /* 2^27 + 1 */
    return shifted - (shifted - a);
}

support_twofold support_twofold_product(double a, double b)
{
    const double product = a * b, a1 = leading(a), a2 = a - a1, b1 = leading(b), b2 = b - b1;
    return (number){product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

static number add(number a, number b)
{
    const number sum = exact_sum(a.high, b.high);
    return fast_sum(sum.high, sum.low + (a.low + b.low));
}

static number times(number a, number b)
{
    const number product = support_twofold_product(a.high, b.high);
    return fast_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

static number divided(number a, double by)
{
    const double quotient = a.high / by;
    const number back = support_twofold_product(quotient, by);
    return fast_sum(quotient, ((a.high - back.high) - back.low + a.low) / by);
}

static void multiply(int n, const number *A, const number *B, number *C)
{
    memset(C, 0, sizeof *C * (size_t)(n * n));
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n && A[i * n + k].high != 0.0; j++)
                C[i * n + j] = add(C[i * n + j], times(A[i * n + k], B[k * n + j]));
}

static void add_identity(int n, number *E)
{
    for (int i = 0; i < n; i++)
        E[i * (n + 1)] = add(E[i * (n + 1)], (number){1.0, 0.0});
}

/* The number of halvings that bring the sum of all absolute values below 1/2. */
static int halvings(int size, const number *A)
{
    double sum = 0.0;
    int exponent = 0;
    for (int i = 0; i < size; i++)
        sum += fabs(A[i].high);
    frexp(sum, &exponent);
    return exponent < -1 ? 0 : exponent + 1;
}

void support_exponential_twofold(int n, const support_twofold *A, support_twofold *E)
{
    const int size = n * n, squarings = halvings(size, A);
    number *z = malloc(sizeof *z * 2 * (size_t)(size + 1)), *next = z + size;
    assert_non_null(z);
    for (int i = 0; i < size; i++)
        z[i] = (number){ldexp(A[i].high, -squarings), ldexp(A[i].low, -squarings)};
    memset(E, 0, sizeof *E * (size_t)size);
    for (int k = TERMS; k >= 1; k--) { /* E = z/k (I + E) */
        add_identity(n, E);
        multiply(n, z, E, next);
        for (int i = 0; i < size; i++)
            E[i] = divided(next[i], k);
    }
    add_identity(n, E);
    for (int k = 0; k < squarings; k++) {
        multiply(n, E, E, next);
        memcpy(E, next, sizeof *E * (size_t)size);
    }
    free(z);
}

void support_exponential(int n, const double *A, double t, double *E)
{
    const int size = n * n;
    number *At = malloc(sizeof *At * 2 * (size_t)(size + 1)), *X = At + size;
    assert_non_null(At);
    for (int i = 0; i < size; i++)
        At[i] = support_twofold_product(A[i], t);
    support_exponential_twofold(n, At, X);
    for (int i = 0; i < size; i++)
        E[i] = X[i].high;
    free(At);
}

void support_propagate(int n, const double *A, double t, double *x)
{
    enum { MOST = 8 };
    double E[MOST * MOST], start[MOST];
    assert_in_range(n, 1, MOST);
    support_exponential(n, A, t, E);
    memcpy(start, x, sizeof *x * (size_t)n);
    for (int i = 0; i < n; i++) {
        x[i] = 0.0;
        for (int j = 0; j < n; j++)
            x[i] += E[i * n + j] * start[j];
    }
}
