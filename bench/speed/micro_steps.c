/* SPDX-License-Identifier: GPL-3.0-or-later */
/* micro_steps.c - what a micro-step costs: macro-steps of the quarter car with RK4 against a plain loop.
 *
 * Jacobi with held inputs, 1 and 10 micro-steps in a macro-step of 0.1 ms:
 *
 *     engine   the code that `macrostep run --solver rk4` uses, with nothing recorded
 *     hand     this model alone: each subsystem is x'' = -k x - d x' + b0 u0 + b1 u1 + e
 *
 * Limit: the bits of a step are those of the sums of x' = A x + B u + E w one by one. Each stage waits for a chain of nine operations;
 * the hand adds the inputs beforehand and waits for five. That is a ratio of 1.8 however few instructions there are. With 1 micro-step
 * the macro-step around it takes 85 % of the instructions: 1,500 beside 250.
 *
 * Times are processor time. Both must end in the same states. */
#include <math.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include "benchmark.h"
#include "engine.h"

enum { ROUNDS = 15, STATES = 4 };

static const double STEP_SIZE = 1e-4, ROAD = 0.1;

typedef struct mass {
    double k, d, b0, b1, e;
} mass;

static const mass chassis = {15000.0 / 400.0, 1000.0 / 400.0, 15000.0 / 400.0, 1000.0 / 400.0, 0.0},
                  wheel = {165000.0 / 40.0, 1000.0 / 40.0, 15000.0 / 40.0, 1000.0 / 40.0, 150000.0 / 40.0};

typedef struct subject {
    ms_cosim *cosim;
    int micro_steps;
    long steps;
    double engine[STATES], hand[STATES];
} subject;

/* x' of a mass; force: what does not depend on x. */
static inline void derive(const mass *m, double force, double x, double v, double *dx, double *dv)
{
    *dx = v;
    *dv = force - m->k * x - m->d * v;
}

/* n steps of length h under held inputs u. */
static inline void march(const mass *m, int n, double h, const double *u, double *x)
{
    const double force = m->b0 * u[0] + m->b1 * u[1] + m->e * ROAD;
    double dx[4], dv[4];
    for (int i = 0; i < n; i++) {
        derive(m, force, x[0], x[1], &dx[0], &dv[0]);
        derive(m, force, x[0] + 0.5 * h * dx[0], x[1] + 0.5 * h * dv[0], &dx[1], &dv[1]);
        derive(m, force, x[0] + 0.5 * h * dx[1], x[1] + 0.5 * h * dv[1], &dx[2], &dv[2]);
        derive(m, force, x[0] + h * dx[2], x[1] + h * dv[2], &dx[3], &dv[3]);
        x[0] += h / 6.0 * (dx[0] + 2.0 * dx[1] + 2.0 * dx[2] + dx[3]);
        x[1] += h / 6.0 * (dv[0] + 2.0 * dv[1] + 2.0 * dv[2] + dv[3]);
    }
}

static __attribute__((noinline)) void run_by_hand(const subject *s, double *x)
{
    const double h = STEP_SIZE / s->micro_steps;
    for (long n = 0; n < s->steps; n++) {
        const double y[STATES] = {x[0], x[1], x[2], x[3]};
        march(&chassis, s->micro_steps, h, y + 2, x);
        march(&wheel, s->micro_steps, h, y, x + 2);
    }
}

static double take_hand(void *self, ms_error *error)
{
    subject *s = self;
    const double begin = ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    (void)error;
    ms_system_start(s->cosim->system, s->hand);
    run_by_hand(s, s->hand);
    return ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
}

static double take_engine(void *self, ms_error *error)
{
    subject *s = self;
    const double seconds = ms_engine_seconds(s->cosim, error);
    memcpy(s->engine, s->cosim->x, sizeof s->engine);
    return seconds;
}

static void compare(ms_benchmark *b, subject *s, double wanted)
{
    char name[64];
    snprintf(name, sizeof name, "quarter-car, rk4, micro-steps: %d", s->micro_steps);
    ms_timing engine = ms_timing_of("engine", take_engine, s, (double)s->steps, "macro-step"),
              hand = ms_timing_of("by hand", take_hand, s, (double)s->steps, "macro-step");
    if (!ms_benchmark_compare(b, name, ROUNDS, &engine, &hand, "engine / by hand", wanted))
        return;
    for (int j = 0; j < STATES; j++)
        if (!(fabs(s->engine[j] - s->hand[j]) <= 1e-10))
            ms_benchmark_fail(b, "%s: state %d is %.12g, by hand %.12g", name, j, s->engine[j], s->hand[j]);
}

static void measure_steps(ms_benchmark *b, const ms_system *system, int micro_steps, double wanted)
{
    ms_error error;
    char options[64];
    subject s = {.micro_steps = micro_steps, .steps = ms_benchmark_count(b, 100000 / micro_steps, 1000)};
    snprintf(options, sizeof options, "solver rk4 micro-steps %d", micro_steps);
    if (ms_engine_create(system, options, STEP_SIZE, (double)s.steps, &s.cosim, &error) == MS_OK)
        compare(b, &s, wanted);
    else
        ms_benchmark_fail(b, "%s", error.text);
    ms_cosim_destroy(&s.cosim);
}

static void measure(ms_benchmark *b, const ms_system *system)
{
    measure_steps(b, system, 1, 2.0);
    measure_steps(b, system, 10, 1.3);
}

int main(int argc, char **argv)
{
    return ms_benchmark_of_model("micro_steps", "quarter-car", measure, argc, argv);
}
