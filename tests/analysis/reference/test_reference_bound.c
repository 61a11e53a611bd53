/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_reference_bound.c - the stated error of a reference is a bound: problems with closed forms, evaluated with long double. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/reference.h>
#include "support.h"
#include "unit_test.h"

enum { POINTS = 50, STATES = 4 };

/* x (STATES) at t for the parameters of a problem. */
typedef void truth(long double t, const double *p, long double *x);

typedef struct problem {
    const char *format; /* of the subsystem, with its numbers */
    int n;              /* states */
    double end;
    truth *exact;
    double p[3];
    double largest; /* what the bound may be, over the largest value */
} problem;

/* Closed forms --------------------------------------------------------------------------------------------- */

static void exponential(long double t, const double *p, long double *x)
{
    x[0] = expl(p[0] * t);
}

/* x' = p0 x + y, y' = p0 y. */
static void defective(long double t, const double *p, long double *x)
{
    x[0] = (1.0L + t) * expl(p[0] * t);
    x[1] = expl(p[0] * t);
}

/* x' = -x + p0 y, y' = -2 y. */
static void triangular(long double t, const double *p, long double *x)
{
    x[1] = expl(-2.0L * t);
    x[0] = expl(-t) + p[0] * (expl(-t) - expl(-2.0L * t));
}

static void oscillator(long double t, const double *p, long double *x)
{
    x[0] = cosl(p[0] * t);
    x[1] = -p[0] * sinl(p[0] * t);
}

/* x'' + w^2 x = cos(w t), at rest. */
static void resonance(long double t, const double *p, long double *x)
{
    const long double w = p[0];
    x[0] = t * sinl(w * t) / (2.0L * w);
    x[1] = sinl(w * t) / (2.0L * w) + 0.5L * t * cosl(w * t);
}

static void cosine(long double t, const double *p, long double *x)
{
    (void)p;
    x[0] = cosl(t);
}

static void logistic(long double t, const double *p, long double *x)
{
    x[0] = 1.0L / (1.0L + 9.0L * expl(-p[0] * t));
}

static void tangent(long double t, const double *p, long double *x)
{
    (void)p;
    x[0] = tanl(t);
}

static void modulated(long double t, const double *p, long double *x)
{
    x[0] = expl(p[0] * sinl(t));
}

static void reciprocal(long double t, const double *p, long double *x)
{
    x[0] = 1.0L / (1.0L + p[0] * t);
}

/* The pendulum from the bottom with just the energy to reach the top: unstable. */
static void separatrix(long double t, const double *p, long double *x)
{
    (void)p;
    x[0] = 4.0L * atanl(expl(t)) - acosl(-1.0L);
    x[1] = 2.0L / coshl(t);
}

/* Kepler's problem with eccentricity p0, from the pericentre. */
static void kepler(long double t, const double *p, long double *x)
{
    const long double e = p[0];
    long double a = t;
    for (int k = 0; k < 100; k++)
        a -= (a - e * sinl(a) - t) / (1.0L - e * cosl(a));
    const long double r = 1.0L - e * cosl(a), b = sqrtl(1.0L - e * e);
    x[0] = cosl(a) - e;
    x[1] = b * sinl(a);
    x[2] = -sinl(a) / r;
    x[3] = b * cosl(a) / r;
}

/* x' = y, y' = -l (y + sin t) - cos t: y = -sin t, with x its integral. */
static void singular(long double t, const double *p, long double *x)
{
    (void)p;
    x[0] = cosl(t);
    x[1] = -sinl(t);
}

/* x' = -l (x - y^2), y' = -y. */
static void slow_manifold(long double t, const double *p, long double *x)
{
    const long double l = p[0];
    x[1] = expl(-t);
    x[0] = l / (l - 2.0L) * expl(-2.0L * t) - 2.0L / (l - 2.0L) * expl(-l * t);
}

/* x'' = -p0 x on one side, -16 p0 x on the other one. */
static void two_springs(long double t, const double *p, long double *x)
{
    const long double w = sqrtl(p[0]), half = acosl(-1.0L) / w;
    const long double s = fmodl(t + 0.5L * half, 1.25L * half); /* since it rose through zero */
    const bool above = s < half;
    x[0] = above ? sinl(w * s) : -0.25L * sinl(4.0L * w * (s - half));
    x[1] = above ? w * cosl(w * s) : -w * cosl(4.0L * w * (s - half));
}

/* Problems ------------------------------------------------------------------------------------------------- */

static const char scalar[] = "\"states\": {\"x\": {\"derivative\": \"@*x\", \"start\": 1}}",
                  scalar_matrix[] = "\"A\": [[@]], \"x0\": [1]",
                  growing[] = "\"states\": {\"x\": {\"derivative\": \"@*x + 0*sin(x)\", \"start\": 1}}",
                  jordan[] = "\"states\": {\"x\": {\"derivative\": \"@*x + y\", \"start\": 1}, \"y\": "
                             "{\"derivative\": \"@*y\", \"start\": 1}}",
                  jordan_matrix[] = "\"A\": [[@, 1], [0, @]], \"x0\": [1, 1]",
                  shear[] = "\"states\": {\"x\": {\"derivative\": \"-x + @*y\", \"start\": 1}, \"y\": "
                            "{\"derivative\": \"-2*y\", \"start\": 1}}",
                  shear_matrix[] = "\"A\": [[-1, @], [0, -2]], \"x0\": [1, 1]",
                  spring[] = "\"states\": {\"x\": {\"derivative\": \"v\", \"start\": 1}, \"v\": "
                             "{\"derivative\": \"-@*@*x\"}}",
                  spring_matrix[] = "\"A\": [[0, 1], [#, 0]], \"x0\": [1, 0]",
                  driven[] = "\"states\": {\"x\": {\"derivative\": \"v\"}, \"v\": {\"derivative\": "
                             "\"-@*@*x + cos(@*t)\"}}",
                  driven_matrix[] = "\"A\": [[0, 1], [#, 0]], "
                                    "\"E\": [[0], [1]], \"external\": {\"w\": "
                                    "\"cos(@*t)\"}",
                  prothero[] = "\"states\": {\"x\": {\"derivative\": \"-@*(x - cos(t)) - sin(t)\", "
                               "\"start\": 1}}",
                  sigmoid[] = "\"states\": {\"x\": {\"derivative\": \"@*x*(1 - x)\", \"start\": 0.1}}",
                  riccati[] = "\"states\": {\"x\": {\"derivative\": \"1 + x*x\"}}",
                  wave[] = "\"states\": {\"x\": {\"derivative\": \"@*cos(t)*x\", \"start\": 1}}",
                  bernoulli[] = "\"states\": {\"x\": {\"derivative\": \"-@*x*x\", \"start\": 1}}",
                  pendulum[] = "\"states\": {\"x\": {\"derivative\": \"v\"}, \"v\": {\"derivative\": "
                               "\"-sin(x)\", \"start\": 2}}",
                  orbit[] = "\"states\": {\"x\": {\"derivative\": \"u\", \"start\": #}, \"y\": "
                            "{\"derivative\": \"v\"}, \"u\": {\"derivative\": \"-x/(x*x + y*y)^1.5\"}, "
                            "\"v\": {\"derivative\": \"-y/(x*x + y*y)^1.5\", \"start\": &}}",
                  layer[] = "\"states\": {\"x\": {\"derivative\": \"y\", \"start\": 1}, \"y\": "
                            "{\"derivative\": \"-@*(y + sin(t)) - cos(t)\"}}",
                  manifold[] = "\"states\": {\"x\": {\"derivative\": \"-@*(x - y*y)\", \"start\": 1}, "
                               "\"y\": {\"derivative\": \"-y\", \"start\": 1}}",
                  springs[] = "\"states\": {\"x\": {\"derivative\": \"v\", \"start\": 1}, \"v\": "
                              "{\"derivative\": \"x > 0 ? -@*x : -16*@*x\"}}";

/* The largest value of a state is no part of the table: bounds are compared with that of the run. */
static const problem problems[] = {
    {scalar, 1, 6, exponential, {5.0}, 1e-12},
    {growing, 1, 6, exponential, {5.0}, 1e-12},
    {scalar, 1, 10, exponential, {-1.0}, 1e-12},
    {scalar, 1, 1, exponential, {40.0}, 1e-10},
    {growing, 1, 10, exponential, {-1e4}, 1e-12},
    {growing, 1, 10, exponential, {-1e7}, 1e-12},
    {scalar_matrix, 1, 6, exponential, {5.0}, 1e-12},
    {scalar_matrix, 1, 10, exponential, {-1.0}, 1e-12},
    {scalar_matrix, 1, 10, exponential, {-1e6}, 1e-12},
    {scalar_matrix, 1, 1, exponential, {40.0}, 1e-10},
    {jordan, 2, 6, defective, {5.0}, 1e-12},
    {jordan, 2, 20, defective, {-0.5}, 1e-12},
    {jordan_matrix, 2, 6, defective, {5.0}, 1e-12},
    {jordan_matrix, 2, 1000, defective, {0.0}, 1e-10},
    {jordan_matrix, 2, 20, defective, {-0.5}, 1e-12},
    {jordan_matrix, 2, 5, defective, {-1e5}, 1e-12},
    {shear, 2, 5, triangular, {1e6}, 1e-12},
    {shear_matrix, 2, 5, triangular, {1e6}, 1e-12},
    {shear_matrix, 2, 5, triangular, {1e9}, 1e-12},
    {spring, 2, 100, oscillator, {1.0}, 1e-10},
    {spring, 2, 10, oscillator, {100.0}, 1e-9},
    {spring_matrix, 2, 100, oscillator, {1.0}, 1e-10},
    {spring_matrix, 2, 1000, oscillator, {3.0}, 1e-10},
    {spring_matrix, 2, 10, oscillator, {100.0}, 1e-8},
    {driven, 2, 100, resonance, {1.0}, 1e-10},
    {driven, 2, 100, resonance, {7.0}, 1e-10},
    {driven_matrix, 2, 100, resonance, {1.0}, 1e-10},
    {driven_matrix, 2, 200, resonance, {7.0}, 1e-10},
    {prothero, 1, 10, cosine, {1.0}, 1e-12},
    {prothero, 1, 10, cosine, {1e3}, 1e-11},
    {prothero, 1, 10, cosine, {1e6}, 1e-10},
    {prothero, 1, 10, cosine, {1e9}, 1e-9},
    {sigmoid, 1, 10, logistic, {1.0}, 1e-12},
    {sigmoid, 1, 5, logistic, {10.0}, 1e-12},
    {sigmoid, 1, 10, logistic, {1e4}, 1e-10},
    {riccati, 1, 1.5, tangent, {0}, 1e-10},
    {riccati, 1, 1.57, tangent, {0}, 1e-9},
    {wave, 1, 50, modulated, {1.0}, 1e-10},
    {wave, 1, 50, modulated, {20.0}, 1e-5},
    {bernoulli, 1, 100, reciprocal, {1.0}, 1e-12},
    {bernoulli, 1, 100, reciprocal, {1e5}, 1e-12},
    {pendulum, 2, 10, separatrix, {0}, 1e-8},
    {pendulum, 2, 16, separatrix, {0}, 1e-5},
    {orbit, 4, 50, kepler, {0.1}, 1e-10},
    {orbit, 4, 50, kepler, {0.9}, 1e-8},
    {orbit, 4, 200, kepler, {0.5}, 1e-8},
    {layer, 2, 10, singular, {1e5}, 1e-10},
    {layer, 2, 10, singular, {10.0}, 1e-12},
    {manifold, 2, 10, slow_manifold, {1e6}, 1e-10},
    {manifold, 2, 10, slow_manifold, {50.0}, 1e-12},
    {springs, 2, 7.3, two_springs, {1e1}, 1e-10},
    {springs, 2, 100, two_springs, {1.3}, 1e-10},
};

/* The format with numbers in it: @ is p0, # is -p0^2 or where the orbit starts, & its speed there. */
static void write_subsystem(const problem *p, char *text, size_t size)
{
    const double e = p->p[0];
    const bool orbits = p->exact == kepler;
    size_t length = 0;
    for (const char *at = p->format; *at != '\0'; at++) {
        const double number = *at == '@'   ? e
                              : *at == '#' ? (orbits ? 1.0 - e : -e * e)
                                           : sqrt((1.0 + e) / (1.0 - e));
        const bool plain = strchr("@#&", *at) == NULL;
        length += (size_t)(plain ? snprintf(text + length, size - length, "%c", *at)
                                 : snprintf(text + length, size - length, "%.17g", number));
        assert_true(length < size);
    }
}

static ms_model *model_of(const problem *p)
{
    static const char *const blocks[] = {", \"B\": [[0]], \"C\": [[1]]",
                                         ", \"B\": [[0], [0]], \"C\": [[1, 0]]"};
    static const char wire[] = "{\"from\": \"p.y1\", \"to\": \"p.u1\"}"; /* of no effect */
    const bool matrices = strstr(p->format, "\"A\"") != NULL;
    char sub[600], json[900];
    write_subsystem(p, sub, sizeof sub);
    snprintf(
        json, sizeof json,
        "{\"subsystems\": [{\"name\": \"p\", %s%s}], \"wires\": [%s], \"end\": %.17g, \"step_size\": %.17g}",
        sub, matrices ? blocks[p->n - 1] : "", matrices ? wire : "", p->end, p->end / 200);
    return support_model_read(json);
}

/* What is read at points of the run: the largest error and value of a state so far. */
typedef struct reading {
    double error, largest;
} reading;

static void compare(const problem *p, double t, const double *x, reading *r)
{
    long double exact[STATES];
    p->exact(t, p->p, exact);
    for (int j = 0; j < p->n; j++) {
        r->error = fmax(r->error, (double)fabsl(x[j] - exact[j]));
        r->largest = fmax(r->largest, (double)fabsl(exact[j]));
    }
}

/* Stated over true, or 0 where the true error is round-off. */
static double check(const problem *p, double step)
{
    ms_model *model = model_of(p);
    ms_system *system = support_system_of(model);
    ms_reference *reference;
    reading r = {0};
    double t = 0.0;
    assert_int_equal(ms_reference_create(system, 0, NULL, &reference, NULL), MS_OK);
    compare(p, 0.0, ms_reference_state(reference), &r);
    for (int k = 1; t < p->end; k++) {
        const double next = fmin(k * step, p->end);
        const double h =
            next < p->end ? step : next - t; /* as those of a run, which differ by round-off of t */
        if (ms_reference_step(reference, t, h) != MS_OK)
            fail_msg("%s (%g): the reference ends at %g", p->format, p->p[0], t);
        t = next;
        compare(p, t, ms_reference_state(reference), &r);
        const double stated = ms_reference_error(reference);
        if (!(r.error <= stated + 2.0 * DBL_EPSILON * r.largest))
            fail_msg("%s (%g), step %g, at %g: stated %g, true %g", p->format, p->p[0], step, t, stated,
                     r.error);
    }
    const double stated = ms_reference_error(reference);
    if (!(stated <= p->largest * r.largest))
        fail_msg("%s (%g): stated %g of %g", p->format, p->p[0], stated, r.largest);
    ms_reference_destroy(&reference);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
    return stated / fmax(r.error, DBL_EPSILON * r.largest);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Never below the true error; in the median at most 100 times it. */
static void test_bound(void **state)
{
    (void)state;
    static const double parts[] = {POINTS, 317.0, 5.0};
    double ratio[MS_COUNT(parts) * MS_COUNT(problems)];
    int n = 0;
    for (int k = 0; k < MS_COUNT(problems); k++)
        for (int j = 0; j < MS_COUNT(parts); j++)
            ratio[n++] = check(&problems[k], problems[k].end / parts[j]);
    qsort(ratio, (size_t)n, sizeof *ratio, ascending);
    print_message("stated/true: least %.3g, median %.3g, most %.3g of %d\n", ratio[0], ratio[n / 2],
                  ratio[n - 1], n);
    assert_true(ratio[n / 2] <= 100.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
