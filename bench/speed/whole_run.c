/* SPDX-License-Identifier: GPL-3.0-or-later */
/* whole_run.c - the cost of `macrostep run` beyond its macro-steps.
 *
 *     engine       macro-steps alone, without observers
 *     bare         with coupling residual and energy, as with --errors none
 *     errors       and errors against a reference of this run only
 *     shared       the same against an existing reference, as in rows of compare and converge
 *
 * Times are processor time, including the setup of the run. */
#include <math.h>

#include <macrostep/catalogue.h>
#include <macrostep/cosim_create.h>
#include <macrostep/options.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/simulation.h>
#include "benchmark.h"
#include "engine.h"
#include "shared_reference.h"

enum { STEPS = 100000, FEW_STEPS = 200, ROUNDS = 15 };

typedef struct subject {
    const ms_system *system;
    ms_options options;
    ms_shared_reference *reference;
} subject;

static double seconds(void)
{
    return ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

static double take_engine(void *self, ms_error *error)
{
    const subject *s = self;
    const double begin = seconds();
    ms_cosim *cosim = NULL;
    ms_run_result result;
    int status = ms_cosim_of_options(s->system, &s->options, &cosim, error);
    MS_THEN(status, ms_run(cosim, NULL, 0, NULL, NULL, &result, error));
    ms_cosim_destroy(&cosim);
    return status == MS_OK ? seconds() - begin : NAN;
}

static double take_simulation(const subject *s, bool errors, ms_shared_reference *reference, ms_error *error)
{
    const ms_simulation_options request = {.errors = errors, .reference = reference};
    const double begin = seconds();
    ms_simulation simulation;
    if (ms_simulation_run(s->system, &s->options, &request, &simulation, error) != MS_OK)
        return NAN;
    ms_simulation_destroy(&simulation);
    return seconds() - begin;
}

static double take_bare(void *self, ms_error *error)
{
    return take_simulation(self, false, NULL, error);
}

static double take_errors(void *self, ms_error *error)
{
    return take_simulation(self, true, NULL, error);
}

static double take_shared(void *self, ms_error *error)
{
    return take_simulation(self, true, ((subject *)self)->reference, error);
}

/* judged: the row of which something is wanted. */
static void compare(ms_benchmark *b, const char *name, subject *s, double steps, bool judged)
{
    ms_error error;
    ms_timing engine = ms_timing_of("engine", take_engine, s, steps, "macro-step"),
              bare = ms_timing_of("bare", take_bare, s, steps, "macro-step"),
              errors = ms_timing_of("errors", take_errors, s, steps, "macro-step"),
              shared = ms_timing_of("shared", take_shared, s, steps, "macro-step");
    ms_timing *const timings[] = {&engine, &bare, &errors, &shared};
    const ms_wanted wanted = judged ? MS_WANTED_AT_MOST : MS_WANTED_NOTHING;
    const ms_ratio ratios[] = {
        {"run --errors none / engine", &bare, &engine, .wanted = wanted, .bound = 1.1},
        {"run / engine", &errors, &engine, .wanted = wanted, .bound = 3.0},
        {"run, shared reference / engine", &shared, &engine, .wanted = MS_WANTED_NOTHING}};
    (void)take_shared(s, &error); /* makes the pieces of the reference */
    ms_benchmark_measure(b, name, ROUNDS, MS_COUNT(timings), timings, MS_COUNT(ratios), ratios);
}

static void measure(ms_benchmark *b, const char *model, double h, bool judged)
{
    ms_error error;
    ms_system *system = NULL;
    subject s = {0};
    char name[64];
    const double steps = ms_benchmark_count(b, STEPS, FEW_STEPS);
    int status = ms_engine_options("", h, steps, &s.options, &error);
    MS_THEN(status, ms_system_create(ms_catalogue_find(model), NULL, NULL, 0, &system, &error));
    s.system = system;
    MS_THEN(status, ms_shared_reference_create(system, 0.0, MS_SHARED_REFERENCE_BYTES, &s.reference, &error));
    snprintf(name, sizeof name, "%s, H = %g s", model, h);
    if (status == MS_OK)
        compare(b, name, &s, steps, judged);
    else
        ms_benchmark_fail(b, "%s: %s", name, error.text);
    ms_shared_reference_destroy(&s.reference);
    ms_system_destroy(&system);
}

int main(int argc, char **argv)
{
    ms_benchmark b;
    if (!ms_benchmark_begin(&b, "whole_run", &argc, argv))
        return (int)b.exit;
    measure(&b, "quarter-car", 1e-4, true);
    measure(&b, "mass-spring-damper", 1e-3, false);
    measure(&b, "spring-mass", 1e-2, false);
    return ms_benchmark_end(&b);
}
