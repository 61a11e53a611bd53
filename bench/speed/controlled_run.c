/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controlled_run.c - macro-steps of changing lengths against a hand-written loop.
 *
 * The quarter car with Jacobi, extrapolation of order 0, 1 and 2 from past values, exact solves and PyFMI's step control
 * (step_richardson.c): an attempt is one step of length H and two of H/2 from the same point.
 *
 *     engine   the code that `macrostep run` uses, with no one looking on
 *     run      with coupling residual, as with --errors none, from its creation on
 *     errors   and errors against the reference
 *     hand     this model alone, all sizes known: each subsystem has a pair of complex eigenvalues and is in the
 *              coordinate of one of its eigenvectors, where a step is e^z and phi-functions of z = lambda h
 *
 * Times are processor time. The loops must take the same attempts, and end in the same states to 1e-10. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/options.h>
#include <macrostep/run.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/simulation.h>
#include "benchmark.h"

enum { ROUNDS = 25, ORDERS = 3, TERMS = 18 };

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

/* Timings ------------------------------------------------------------------------------------------------- */

typedef struct subject {
    const ms_system *system;
    const ms_options *options;
    ms_cosim *cosim;
    point start, end; /* of the loop by hand */
    tally hand;
    ms_run_result engine;
} subject;

static double seconds(void)
{
    return ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

static double take_hand(void *self, ms_error *error)
{
    subject *s = self;
    const double mc = 400.0, mw = 40.0, kc = 15000.0, kw = 150000.0, dc = 1000.0, begin = seconds();
    const oscillator o[2] = {make_oscillator(kc / mc, dc / mc, kc / mc, dc / mc, 0.0),
                             make_oscillator((kc + kw) / mw, dc / mw, kc / mw, dc / mw, kw / mw)};
    (void)error;
    s->end = s->start;
    s->hand = run_by_hand(o, s->options->extrapolation.order, 1e-3, &s->end);
    return seconds() - begin;
}

static double take_engine(void *self, ms_error *error)
{
    subject *s = self;
    const double begin = seconds();
    if (ms_run(s->cosim, NULL, 0, NULL, NULL, &s->engine, error) != MS_OK)
        return NAN;
    return seconds() - begin;
}

static double take_simulation(const subject *s, bool errors, ms_error *error)
{
    const ms_simulation_options request = {.errors = errors};
    const double begin = seconds();
    ms_simulation simulation;
    if (ms_simulation_run(s->system, s->options, &request, &simulation, error) != MS_OK)
        return NAN;
    ms_simulation_destroy(&simulation);
    return seconds() - begin;
}

static double take_run(void *self, ms_error *error)
{
    return take_simulation(self, false, error);
}

static double take_errors(void *self, ms_error *error)
{
    return take_simulation(self, true, error);
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

static void check(ms_benchmark *b, const char *name, const subject *s)
{
    const double apart = difference(s->end.x, s->cosim->x);
    if (s->hand.accepted != s->engine.macro_steps || s->hand.rejected != s->engine.rejected_steps)
        ms_benchmark_fail(b, "%s: by hand %ld attempts are accepted and %ld rejected, not %ld and %ld", name,
                          s->hand.accepted, s->hand.rejected, (long)s->engine.macro_steps,
                          (long)s->engine.rejected_steps);
    if (!(apart <= 1e-10))
        ms_benchmark_fail(b, "%s: the loop by hand ends %.1e away from the engine", name, apart);
}

static void compare(ms_benchmark *b, const char *name, subject *s)
{
    (void)take_hand(s, NULL); /* tells the number of attempts */
    const double attempts = (double)(s->hand.accepted + s->hand.rejected);
    ms_timing engine = ms_timing_of("engine", take_engine, s, attempts, "attempt"),
              run = ms_timing_of("run", take_run, s, attempts, "attempt"),
              errors = ms_timing_of("with errors", take_errors, s, attempts, "attempt"),
              hand = ms_timing_of("by hand", take_hand, s, attempts, "attempt");
    ms_timing *const timings[] = {&engine, &run, &errors, &hand};
    const ms_ratio ratios[] = {
        {"engine / by hand", &engine, &hand, .wanted = MS_WANTED_AT_MOST, .bound = 3.0},
        {"run --errors none / by hand", &run, &hand, .wanted = MS_WANTED_AT_MOST, .bound = 3.0},
        {"run / by hand", &errors, &hand, .wanted = MS_WANTED_NOTHING}};
    if (ms_benchmark_measure(b, name, ROUNDS, MS_COUNT(timings), timings, MS_COUNT(ratios), ratios))
        check(b, name, s);
}

static void measure_order(ms_benchmark *b, const ms_system *system, int order)
{
    ms_error error;
    ms_options options;
    subject s = {.system = system, .options = &options};
    char name[64];
    ms_options_default(&options);
    options.control.error_controlled = MS_CONTROL_PYFMI;
    options.extrapolation.order = order;
    options.control.rtol = RTOL;
    options.control.atol = ATOL;
    options.stop_time = STOP;
    options.given[MS_OPTION_STOP_TIME] = true;
    snprintf(name, sizeof name, "quarter-car, PyFMI's control, order %d", order);
    if (ms_cosim_of_options(system, &options, &s.cosim, &error) == MS_OK) {
        s.start = start_of(s.cosim, order);
        compare(b, name, &s);
    } else {
        ms_benchmark_fail(b, "%s", error.text);
    }
    ms_cosim_destroy(&s.cosim);
}

static void measure(ms_benchmark *b, const ms_system *system)
{
    for (int order = 0; order < ORDERS; order++)
        measure_order(b, system, order);
}

int main(int argc, char **argv)
{
    return ms_benchmark_of_model("controlled_run", "quarter-car", measure, argc, argv);
}
