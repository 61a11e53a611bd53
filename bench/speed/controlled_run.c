/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controlled_run.c - macro-steps of changing lengths against a hand-written loop.
 *
 * The quarter car with Jacobi, extrapolation of order 0, 1 and 2 from past values, exact solves and PyFMI's step control
 * (step_richardson.c): an attempt is one step of length H and two of H/2 from the same point.
 *
 *     engine   the code that `macrostep run` uses, with no one looking on
 *     run      with coupling residual, as with --errors none, from its creation on
 *     errors   and errors against the reference
 *     hand     this model alone, all sizes known: each subsystem has a pair of complex eigenvalues and stands in the
 *              coordinate of one of its eigenvectors, where a step is e^z and phi-functions of z = lambda h
 *
 * All are timed in turn within one run, and ratios are medians over the rounds. The loops must take the same attempts,
 * and end in the same states to 1e-10. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "catalogue.h"
#include "cosim.h"
#include "options.h"
#include "run.h"
#include "scheme_registry.h"
#include "simulation.h"
#include "timing.h"

enum { ROUNDS = 25, KINDS = 4, ORDERS = 3, TERMS = 18 };
enum { ENGINE, RUN, ERRORS, HAND };

static const char *const kinds[KINDS] = {"engine", "run", "errors", "hand"};
static const double RTOL = 1e-6, ATOL = 1e-6, STOP = 1.0, ROAD = 0.1;

/* x' = A x + B u + E w of order 2, in the coordinate xi of one eigenvector v: x = 2 Re(v xi). */
typedef struct oscillator {
    double complex lambda, v[2], w[2], B[2], E; /* w: the left eigenvector; B, E times w */
} oscillator;

/* e^z and phi_1 .. phi_3 at z = lambda h. */
typedef struct propagator {
    double h;
    double complex phi[ORDERS + 1];
} propagator;

typedef struct point {
    double x[4];         /* chassis, then wheel; outputs are the states */
    double y[ORDERS][4]; /* at the last three communication points */
    double h1, h2;       /* between these [s] */
} point;

typedef struct tally {
    long accepted, rejected;
} tally;

/* x'' = -k x - d x' + b0 u0 + b1 u1 + e w */
static oscillator make_oscillator(double k, double d, double b0, double b1, double e)
{
    const double complex lambda = -0.5 * d + I * sqrt(k - 0.25 * d * d), from = lambda - conj(lambda);
    oscillator o = {.lambda = lambda, .v = {1.0, lambda}, .w = {-conj(lambda) / from, 1.0 / from}};
    o.B[0] = o.w[1] * b0;
    o.B[1] = o.w[1] * b1;
    o.E = o.w[1] * e;
    return o;
}

/* phi_order+1 by its series where z is small, and the others below it; else e^z and the others above it. */
static propagator make_propagator(const oscillator *o, int order, double h)
{
    static const double factorial[] = {1.0, 1.0, 2.0, 6.0};
    const double complex z = o->lambda * h;
    const int top = order + 1;
    propagator p = {.h = h};
    if (cabs(z) > 1.0) {
        p.phi[0] = cexp(z);
        for (int k = 1; k <= top; k++)
            p.phi[k] = (p.phi[k - 1] - 1.0 / factorial[k - 1]) / z;
        return p;
    }
    double complex sum = 1.0;
    for (int j = TERMS; j >= 1; j--)
        sum = 1.0 + sum * z * (1.0 / (j + top));
    p.phi[top] = sum / factorial[top];
    for (int k = top - 1; k >= 0; k--)
        p.phi[k] = z * p.phi[k + 1] + 1.0 / factorial[k];
    return p;
}

/* x at the end of a step under u = sum_k c_k tau^k and the constant w. */
static void move(const oscillator *o, const propagator *p, int order, double c[ORDERS][4], int input,
                 double w, double *x)
{
    double factor = p->h;
    double complex xi = p->phi[0] * (o->w[0] * x[0] + o->w[1] * x[1]) + p->h * p->phi[1] * o->E * w;
    for (int k = 0; k <= order; k++) {
        xi += factor * p->phi[k + 1] * (o->B[0] * c[k][input] + o->B[1] * c[k][input + 1]);
        factor *= (k + 1) * p->h;
    }
    x[0] = 2.0 * creal(o->v[0] * xi);
    x[1] = 2.0 * creal(o->v[1] * xi);
}

/* Newton's form through the last outputs. */
static void extrapolate(const point *at, int order, double c[ORDERS][4])
{
    for (int j = 0; j < 4; j++) {
        c[0][j] = at->y[0][j];
        if (order == 0)
            continue;
        const double d1 = (at->y[0][j] - at->y[1][j]) / at->h1;
        c[1][j] = d1;
        if (order == 1)
            continue;
        const double d2 = (d1 - (at->y[1][j] - at->y[2][j]) / at->h2) / (at->h1 + at->h2);
        c[1][j] += d2 * at->h1;
        c[2][j] = d2;
    }
}

static void step(const oscillator o[2], const propagator p[2], int order, point *at)
{
    double c[ORDERS][4];
    extrapolate(at, order, c);
    move(&o[0], &p[0], order, c, 2, 0.0, at->x);
    move(&o[1], &p[1], order, c, 0, ROAD, at->x + 2);
    memcpy(at->y[2], at->y[1], sizeof at->y[2]);
    memcpy(at->y[1], at->y[0], sizeof at->y[1]);
    memcpy(at->y[0], at->x, sizeof at->y[0]);
    at->h2 = at->h1;
    at->h1 = p[0].h;
}

static void make_propagators(const oscillator o[2], int order, double h, propagator p[2])
{
    p[0] = make_propagator(&o[0], order, h);
    p[1] = make_propagator(&o[1], order, h);
}

/* PyFMI's estimate of the difference of both solutions. */
static double estimate(const double *y, const double *full)
{
    double sum = 0.0;
    for (int j = 0; j < 4; j++)
        sum += fabs(y[j] - full[j]) / (ATOL + RTOL * fabs(y[j]));
    return sqrt(sum / 4);
}

static __attribute__((noinline)) tally run_by_hand(const oscillator o[2], int order, double h, point *at)
{
    tally count = {0, 0};
    double t = 0.0;
    while (t < STOP) {
        const bool last = t + h * (1.0 + 1e-10) >= STOP;
        const double length = last ? STOP - t : h;
        propagator whole[2], half[2];
        point full = *at, halves = *at;
        make_propagators(o, order, length, whole);
        step(o, whole, order, &full);
        make_propagators(o, order, 0.5 * length, half);
        step(o, half, order, &halves);
        step(o, half, order, &halves);
        const double error = estimate(halves.x, full.x);
        h = length * fmin(6.0, fmax(0.2, 0.9 / sqrt(error)));
        if (error <= 1.1) {
            *at = halves;
            t = last ? STOP : t + length;
            count.accepted++;
        } else {
            count.rejected++;
        }
    }
    return count;
}

static double difference(const double *a, const double *b)
{
    double largest = 0.0;
    for (int i = 0; i < 4; i++)
        largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

/* Processor time: other programs on a busy machine would count for the longer ones. */
static double seconds(void)
{
    return ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

static double time_hand(int order, point *at, tally *count)
{
    const double mc = 400.0, mw = 40.0, kc = 15000.0, kw = 150000.0, dc = 1000.0, begin = seconds();
    const oscillator o[2] = {make_oscillator(kc / mc, dc / mc, kc / mc, dc / mc, 0.0),
                             make_oscillator((kc + kw) / mw, dc / mw, kc / mw, dc / mw, kw / mw)};
    *count = run_by_hand(o, order, 1e-3, at);
    return seconds() - begin;
}

static double time_engine(ms_cosim *cosim, ms_run_result *result)
{
    const double begin = seconds();
    ms_run(cosim, NULL, 0, NULL, NULL, result, NULL);
    return seconds() - begin;
}

static double time_simulation(const ms_system *system, const ms_options *options, bool errors)
{
    const ms_simulation_options request = {.errors = errors};
    const double begin = seconds();
    ms_simulation simulation;
    if (ms_simulation_run(system, options, &request, &simulation, NULL) != MS_OK)
        return NAN;
    ms_simulation_destroy(&simulation);
    return seconds() - begin;
}

/* States and outputs as the engine starts with them. */
static point start_of(ms_cosim *cosim, int order)
{
    point at = {.h1 = cosim->variant.step_size, .h2 = cosim->variant.step_size};
    ms_cosim_start(cosim);
    memcpy(at.x, cosim->lin, sizeof at.x);
    memcpy(at.y, cosim->lin + 4, sizeof at.y[0] * (size_t)(order + 1));
    return at;
}

static bool time_rounds(const ms_system *system, ms_cosim *cosim, const ms_options *options,
                        double times[KINDS][ROUNDS], long *attempts)
{
    const int order = options->extrapolation_order;
    const point start = start_of(cosim, order);
    double largest = 0.0;
    bool same = true;
    for (int r = 0; r < ROUNDS; r++) {
        ms_run_result result;
        tally count;
        point at = start;
        times[ENGINE][r] = time_engine(cosim, &result);
        times[RUN][r] = time_simulation(system, options, false);
        times[ERRORS][r] = time_simulation(system, options, true);
        times[HAND][r] = time_hand(order, &at, &count);
        same = same && count.accepted == result.macro_steps && count.rejected == result.rejected_steps;
        largest = fmax(largest, difference(at.x, cosim->x));
        *attempts = result.macro_steps + result.rejected_steps;
    }
    printf("order %d  %6ld attempts%s, difference %.1e", order, *attempts, same ? "" : " (BY HAND OTHERS)",
           largest);
    return same && largest <= 1e-10;
}

static void show(double times[KINDS][ROUNDS], long attempts)
{
    for (int k = 0; k < KINDS; k++) {
        double ratio[ROUNDS];
        for (int r = 0; r < ROUNDS; r++)
            ratio[r] = times[k][r] / times[HAND][r];
        printf("  %s %.2f us (%.2f)", kinds[k], 1e6 * ms_median(ROUNDS, times[k]) / (double)attempts,
               ms_median(ROUNDS, ratio));
    }
    printf(" an attempt\n");
}

static bool measure(const ms_system *system, int order)
{
    ms_error error = {""};
    ms_options options;
    ms_cosim *cosim = NULL;
    double times[KINDS][ROUNDS];
    long attempts = 0;
    ms_options_default(&options);
    options.error_controlled = MS_CONTROL_PYFMI;
    options.extrapolation_order = order;
    options.rtol = RTOL;
    options.atol = ATOL;
    options.stop_time = STOP;
    options.given[MS_OPTION_STOP_TIME] = true;
    bool good = ms_cosim_of_options(system, &options, &cosim, &error) == MS_OK;
    if (good) {
        good = time_rounds(system, cosim, &options, times, &attempts);
        show(times, attempts);
    }
    fputs(error.text, stderr);
    ms_cosim_destroy(&cosim);
    return good;
}

int main(void)
{
    ms_system *system = NULL;
    bool good = ms_system_create(ms_catalogue_find("quarter-car"), NULL, NULL, 0, &system, NULL) == MS_OK;
    for (int order = 0; order < ORDERS && good; order++)
        good = measure(system, order);
    ms_system_destroy(&system);
    return good ? 0 : 1;
}
