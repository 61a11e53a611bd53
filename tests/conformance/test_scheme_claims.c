/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_scheme_claims.c - the observed order of convergence of every family, with each value of each of its options, against the
 * order that it claims on that system. Errors are maxima over all communication points, so an order that is lost at the start
 * shows. */
#include <math.h>
#include <stdio.h>

#include "scheme_families.h"
#include "scheme_registry.h"
#include "simulation.h"
#include "solver_fixture.h"
#include "support.h"
#include "unit_test.h"

static int compared;

/* What is to be as good as exact beside the macro-steps. */
static ms_options precise(const ms_scheme *scheme, const char *text)
{
    ms_options options = support_options(text);
    support_options_add(&options, "solver-rtol=1e-13 solver-atol=1e-13");
    if (scheme->laws)
        snprintf(options.solver, sizeof options.solver, "%s",
                 support_reference_solver(ms_solvers[0], false)->name);
    if (ms_scheme_knows(scheme, MS_OPTION_EPSILON))
        support_options_add(&options, "epsilon=1e-13 max-iterations=200 step-rule=fixed");
    return options;
}

/* The largest error of a run with macro-steps of length H up to `end`; NaN: it gave up. *floor: below which it means nothing. */
static double error_of(const ms_system *system, const ms_options *options, double end, double H,
                       double *floor)
{
    char times[96];
    ms_options timed = *options;
    ms_simulation run = {0};
    ms_error error = {""};
    snprintf(times, sizeof times, "stop-time=%.17g step-size=%.17g", end, H);
    support_options_add(&timed, times);
    if (ms_simulation_run(system, &timed, &(ms_simulation_options){.errors = true}, &run, &error) != MS_OK)
        fail_msg("%s", error.text);
    const double largest = run.errors_valid ? run.errors.max : NAN;
    *floor = 50.0 * run.errors.reference_error + 1e-13 * (1.0 + run.errors.reference_scale);
    ms_simulation_destroy(&run);
    return largest;
}

/* Do macro-steps have a given length, which no option but those that they depend on was chosen for? */
static bool concerns(const ms_options *options)
{
    bool same = options->error_controlled != MS_CONTROL_NONE;
    for (int k = 0; k < MS_OPTIONS; k++)
        same = same || (options->given[k] && ms_option_table[k].same_step);
    return !same;
}

/* From the slopes of three runs, whose own deviation is about proportional to H; errors far above round-off. NaN: one of them gave
 * up. */
static double observed(const ms_system *system, const ms_options *options, int claimed, const char *text)
{
    double e[3], floor = 0.0;
    const double end =
        system->step_size; /* nothing crosses zero so soon, where negotiated power loses its order */
    for (int k = 0; k < 3; k++)
        e[k] = error_of(system, options, end, ldexp(end, claimed < 6 ? claimed - 6 - k : -k), &floor);
    if (e[2] <= floor)
        fail_msg("%s %s: the error %g is at the floor %g", system->model->name, text, e[2], floor);
    const double coarse = log2(e[0] / e[1]), fine = log2(e[1] / e[2]);
    return 2.0 * fine - coarse;
}

static void check(const ms_system *system, const ms_scheme *scheme, const char *text)
{
    const ms_options chosen = support_options(text), options = precise(scheme, text);
    const int claimed = ms_scheme_order_on(system, &options);
    if (claimed == 0 || !system->linear || !concerns(&chosen))
        return;
    const double order = observed(system, &options, claimed, text),
                 logarithm = 0.3; /* orders are claimed but for factors of log(1/H) */
    const bool gave_up = isnan(order) && scheme->retries && chosen.given[MS_OPTION_SOLVER_NONLINEAR];
    if (!gave_up && !(fabs(order - claimed) <= logarithm))
        fail_msg("%s %s has order %.2f, claims %d", system->model->name, text, order, claimed);
    compared += !gave_up;
}

static void every_family_has_the_order_that_it_claims(void **state)
{
    (void)state;
    support_families("", check);
    assert_true(compared > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_family_has_the_order_that_it_claims)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
