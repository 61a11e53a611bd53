/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "linear_series.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "matrix.h"
#include "monolithic.h"

/* Of more states than this the matrix is taken by its entries. */
enum { SPARSE_STATES = 64 };

/* Terms; sums that are made at a time. */
enum { TERMS = 25, SUMS = 4 };

/* Creation ----------------------------------------------------------------------------------------------- */

/* x' at x = 0. Is it known? */
static bool fill_constant(ms_linear_series *s)
{
    const ms_system *whole = s->pair->whole;
    s->constant = calloc((size_t)whole->nx + 1, sizeof *s->constant);
    double *rest = calloc((size_t)whole->nx + 1, sizeof *rest);
    ms_point at = {.x = rest, .z = s->pair->main.z};
    const bool known = s->constant != NULL && rest != NULL &&
                       ms_subsystem_f(whole, 0, &at, s->pair->main.instance->w, s->constant) == 0;
    free(rest);
    return known;
}

bool ms_linear_series_create(const ms_system *system, ms_solution_pair *pair, ms_linear_series *s)
{
    *s = (ms_linear_series){.pair = pair};
    if (system->nx > SPARSE_STATES)
        s->A = ms_monolithic_sparse(system);
    return (pair->whole->linear && s->A == NULL) || fill_constant(s);
}

void ms_linear_series_destroy(ms_linear_series *s)
{
    MS_FREE(s->term, s->constant);
    ms_sparse_destroy(&s->A);
}

void ms_linear_series_start(ms_linear_series *s)
{
    s->served[0] = s->served[1] = (ms_served_terms){0.0, TERMS};
    if (s->term == NULL)
        s->term = malloc(sizeof *s->term * TERMS * (size_t)(s->pair->whole->nx + 1));
    if (s->term != NULL && s->A != NULL && !s->pair->whole->linear) /* nothing else is evaluated */
        ms_monolithic_release(s->pair->whole);
}

void ms_linear_series_leave(ms_linear_series *s)
{
    free(s->term);
    s->term = NULL;
}

/* Terms -------------------------------------------------------------------------------------------------- */

/* A v, by the dense matrix or, of a large system with loops, from its subsystems: x' = A x + b. Returns what f returns. */
static int multiply(const ms_linear_series *s, double t, const double *v, double *Av)
{
    const ms_system *whole = s->pair->whole;
    if (whole->linear) {
        ms_matrix_multiply(whole->nx, whole->nx, whole->blocks[0].A, v, Av);
        return 0;
    }
    ms_point at = {.t = t, .x = v, .z = s->pair->main.z};
    const int status = ms_subsystem_f(whole, 0, &at, s->pair->main.instance->w, Av);
    for (int j = 0; j < whole->nx; j++)
        Av[j] -= s->constant[j];
    return status;
}

/* v += b. */
static void add_constant(const ms_linear_series *s, double t, double *v)
{
    const ms_system *whole = s->pair->whole;
    const int nw = whole->sub[0].nw;
    for (int j = 0; j < whole->nx && s->constant != NULL; j++)
        v[j] += s->constant[j];
    if (s->constant == NULL && nw > 0) {
        double *w = s->pair->main.instance->w;
        ms_subsystem_external(whole, &whole->sub[0], t, w);
        ms_matrix_add(whole->nx, nw, whole->blocks[0].E, w, v);
    }
}

/* n terms c_k h^k of the series of x at t, c_k+1 = (A c_k + [k = 0] b)/(k + 1). Returns what f returns. */
static int fill(const ms_linear_series *s, int n, const double *x, double t, double h)
{
    const int nx = s->pair->whole->nx;
    int status = 0;
    memcpy(s->term, x, sizeof *x * (size_t)nx);
    if (s->A != NULL) {
        ms_sparse_series(s->A, n - 1, h, s->constant, s->term);
        return 0;
    }
    for (int k = 0; k + 1 < n && status == 0; k++) {
        double *next = s->term + (size_t)(k + 1) * (size_t)nx;
        const double factor = h / (k + 1);
        status = multiply(s, t, next - nx, next);
        if (k == 0)
            add_constant(s, t, next);
        for (int j = 0; j < nx; j++)
            next[j] *= factor;
    }
    return status;
}

/* The largest of terms from first to last - 1 of state j (absolute values). */
static inline double largest_term(const ms_linear_series *s, int j, int first, int last)
{
    const size_t nx = (size_t)s->pair->whole->nx;
    double largest = 0.0;
    for (int k = first; k < last; k++)
        largest = ms_larger(largest, fabs(s->term[(size_t)k * nx + (size_t)j]));
    return largest;
}

/* Are the last two of n terms below round-off of the largest one, in each state? Mostly that is one of the first. */
static bool holds(const ms_linear_series *s, int n, double smallest)
{
    enum { FIRST = 2 };
    const int nx = s->pair->whole->nx;
    const double *last = s->term + (size_t)(n - 1) * (size_t)nx, *before = last - nx;
    for (int j = 0; j < nx; j++) {
        const double end = ms_larger(fabs(last[j]), fabs(before[j]));
        double largest = ms_larger(smallest, largest_term(s, j, 0, FIRST));
        if (!(end <= 0.1 * DBL_EPSILON * largest))
            largest = ms_larger(largest, largest_term(s, j, FIRST, n));
        if (!(end <= 0.1 * DBL_EPSILON * largest && largest < INFINITY))
            return false;
    }
    return true;
}

/* Sums --------------------------------------------------------------------------------------------------- */

/* Of n terms at SUMS fractions of h. */
static inline void sum_terms(int n, const ms_wide *term, const double *fraction, ms_wide *sum)
{
    ms_wide s0 = term[n - 1], s1 = s0, s2 = s0, s3 = s0;
    for (int i = n - 2; i >= 0; i--) {
        s0 = s0 * fraction[0] + term[i];
        s1 = s1 * fraction[1] + term[i];
        s2 = s2 * fraction[2] + term[i];
        s3 = s3 * fraction[3] + term[i];
    }
    sum[0] = s0;
    sum[1] = s1;
    sum[2] = s2;
    sum[3] = s3;
}

/* Where the instance has samples, and at h, into x. */
static void sum_series(const ms_linear_series *s, int terms, const ms_instance *instance, double *x)
{
    const int nx = s->pair->whole->nx, n = instance->n_samples;
    double fraction[MS_SAMPLES_MAX + SUMS] = {0.0};
    for (int k = 0; k <= n; k++)
        fraction[k] = k < n ? instance->sample_at[k] : 1.0;
    for (int j = 0; j < nx; j += MS_WIDE) {
        ms_wide term[TERMS], sum[MS_SAMPLES_MAX + SUMS];
        ms_wide_gather(terms, nx, s->term, j, term);
        for (int k = 0; k <= n; k += SUMS)
            sum_terms(terms, term, fraction + k, sum + k);
        for (int k = 0; k < n; k++)
            ms_wide_scatter(nx, sum[k], j, instance->samples + (size_t)k * (size_t)nx);
        ms_wide_scatter(nx, sum[n], j, x);
    }
}

/* Steps -------------------------------------------------------------------------------------------------- */

/* The number of terms where they hold over h, else 0. */
static int expand(const ms_linear_series *s, int n, const double *x, double t, double h, double smallest)
{
    return fill(s, n, x, t, h) == 0 && holds(s, n, smallest) ? n : 0;
}

/* Of many states it has no more terms than served over a length like this one. */
bool ms_linear_series_step(ms_linear_series *s, const ms_solution *of, double t, double h, double smallest)
{
    enum { FEWEST = 4 };
    ms_served_terms *served = &s->served[of == &s->pair->companion];
    const bool known = s->A != NULL && h <= (1.0 + 1e-9) * served->length;
    int n = expand(s, known ? served->n : TERMS, of->x, t, h, smallest);
    if (n == 0 && known)
        n = expand(s, TERMS, of->x, t, h, smallest);
    if (n == 0)
        return false;
    *served = (ms_served_terms){h, n};
    while (s->A != NULL && served->n > FEWEST && holds(s, served->n - 1, smallest))
        served->n--;
    sum_series(s, n, of->instance, of->x);
    return true;
}
