/* SPDX-License-Identifier: GPL-3.0-or-later */
/* co_simulation_loop.c - the engine against the loop that one would write first: two subsystems as C functions, inputs held
 * over a macro-step, the classical Runge-Kutta method with M micro-steps in it.
 *
 * The quarter car, Jacobi, order 0, `--solver rk4`. Times are processor time; both must end in the same states. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/cosim.h>
#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/options.h>
#include <macrostep/options_set.h>
#include <macrostep/run.h>
#include <macrostep/scheme_registry.h>
#include "benchmark.h"

enum { STEPS = 100000, FEW_STEPS = 500, ROUNDS = 15 };

static const double STEP_SIZE = 1e-3, ROAD = 0.1;
static const double mc = 400.0, mw = 40.0, kc = 15000.0, kw = 150000.0, dc = 1000.0;

/* The other's position and velocity are the inputs. */
static inline void chassis(const double *x, const double *u, double *dx)
{
    dx[0] = x[1];
    dx[1] = (kc * (u[0] - x[0]) + dc * (u[1] - x[1])) / mc;
}

static inline void wheel(const double *x, const double *u, double *dx)
{
    dx[0] = x[1];
    dx[1] = (kc * (u[0] - x[0]) + dc * (u[1] - x[1]) + kw * (ROAD - x[0])) / mw;
}

typedef void right_hand_side(const double *x, const double *u, double *dx);

static inline void rk4(right_hand_side *f, double h, int steps, const double *u, double *x)
{
    for (int n = 0; n < steps; n++) {
        double k1[2], k2[2], k3[2], k4[2];
        f(x, u, k1);
        f((double[]){x[0] + 0.5 * h * k1[0], x[1] + 0.5 * h * k1[1]}, u, k2);
        f((double[]){x[0] + 0.5 * h * k2[0], x[1] + 0.5 * h * k2[1]}, u, k3);
        f((double[]){x[0] + h * k3[0], x[1] + h * k3[1]}, u, k4);
        for (int i = 0; i < 2; i++)
            x[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    }
}

/* x: chassis, wheel. */
static __attribute__((noinline)) void run_by_hand(long steps, int micro, double *x)
{
    for (long n = 0; n < steps; n++) {
        const double held[4] = {x[0], x[1], x[2], x[3]};
        rk4(chassis, STEP_SIZE / micro, micro, held + 2, x);
        rk4(wheel, STEP_SIZE / micro, micro, held, x + 2);
    }
}

/* Timings ------------------------------------------------------------------------------------------------- */

typedef struct subject {
    ms_cosim *cosim;
    long steps;
    int micro;
    double start[4], x[4];
} subject;

static double take_engine(void *self, ms_error *error)
{
    const subject *s = self;
    ms_run_result result;
    const double begin = ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    if (ms_run(s->cosim, NULL, 0, NULL, NULL, &result, error) != MS_OK)
        return NAN;
    return ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
}

static double take_hand(void *self, ms_error *error)
{
    subject *s = self;
    (void)error;
    memcpy(s->x, s->start, sizeof s->x);
    const double begin = ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    run_by_hand(s->steps, s->micro, s->x);
    return ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
}

static int create(const ms_system *system, subject *s, ms_error *error)
{
    ms_options options;
    ms_options_default(&options);
    int status = ms_options_set(&options, "solver", "rk4", error);
    options.micro_steps = s->micro;
    options.step_size = STEP_SIZE;
    options.stop_time = STEP_SIZE * (double)s->steps;
    options.given[MS_OPTION_STOP_TIME] = true;
    if (status == MS_OK)
        status = ms_cosim_of_options(system, &options, &s->cosim, error);
    if (status != MS_OK)
        return status;
    ms_cosim_start(s->cosim);
    memcpy(s->start, ms_run_states(s->cosim), sizeof s->start);
    return MS_OK;
}

static void compare(ms_benchmark *b, subject *s)
{
    const double steps = (double)s->steps;
    ms_timing engine = {.name = "engine", .take = take_engine, .self = s, .per = steps, .unit = "macro-step"},
              hand = {.name = "by hand", .take = take_hand, .self = s, .per = steps, .unit = "macro-step"};
    ms_timing *const timings[] = {&engine, &hand};
    const ms_ratio ratio = {"engine / by hand", &engine, &hand, .wanted = MS_WANTED_NOTHING};
    char name[64];
    snprintf(name, sizeof name, "quarter-car, rk4, %d micro-steps", s->micro);
    if (!ms_benchmark_measure(b, name, ROUNDS, 2, timings, 1, &ratio))
        return;
    for (int i = 0; i < 4; i++)
        if (!(fabs(ms_run_states(s->cosim)[i] - s->x[i]) <= 1e-10))
            ms_benchmark_fail(b, "%s: state %d is %.12g, by hand %.12g", name, i, ms_run_states(s->cosim)[i],
                              s->x[i]);
}

static void measure(ms_benchmark *b, const ms_system *system, int micro)
{
    ms_error error;
    subject s = {.steps = ms_benchmark_count(b, STEPS / micro, FEW_STEPS), .micro = micro};
    if (create(system, &s, &error) == MS_OK)
        compare(b, &s);
    else
        ms_benchmark_fail(b, "%s", error.text);
    ms_cosim_destroy(&s.cosim);
}

int main(int argc, char **argv)
{
    ms_benchmark b;
    ms_error error;
    ms_system *system = NULL;
    if (!ms_benchmark_begin(&b, "co_simulation_loop", &argc, argv))
        return (int)b.exit;
    if (ms_system_create(ms_catalogue_find("quarter-car"), NULL, NULL, 0, &system, &error) != MS_OK)
        ms_benchmark_fail(&b, "%s", error.text);
    for (int micro = 1; micro <= 10 && system != NULL; micro *= 10)
        measure(&b, system, micro);
    ms_system_destroy(&system);
    return ms_benchmark_end(&b);
}
