/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_scheme_strang.c - there and back over halves: by hand, the propagation matrix over random systems, energy, orders, groups, what
 * observers see, refusals. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <macrostep/scheme_registry.h>
#include <macrostep/simulation.h>
#include "random_system.h"
#include "support.h"
#include "unit_test.h"

enum { SYSTEMS = 40 };

static const char *const solvers[] = {"exact", "euler", "rk4"};

/* spring s' = v, mass v' = -s: with held inputs each stretch is one addition. */
static void oscillator_is_the_leapfrog(void **state)
{
    (void)state;
    ms_system *system = support_system("spring-mass", "");
    const double h = 0.1;
    for (int mass_twice = 0; mass_twice < 2; mass_twice++) {
        double s = 1.0, v = 0.0, x[2];
        for (int n = 0; n < 100; n++)
            for (int part = 0; part < 3; part++) {
                if ((part == 1) == mass_twice)
                    s += (part == 1 ? h : 0.5 * h) * v;
                else
                    v -= (part == 1 ? h : 0.5 * h) * s;
            }
        const ms_options options = support_options_of("scheme=strang step-size=0.1 stop-time=10 sequence=%s",
                                                      mass_twice ? "mass,spring" : "spring,mass");
        support_finish(system, &options, x, NULL);
        support_near(x[0], s, 1e-13);
        support_near(x[1], v, 1e-13);
    }
    ms_system_destroy(&system);
}

static void formula_is_the_probed_matrix(void **state)
{
    (void)state;
    unsigned long long seed = 4;
    for (int n = 0; n < support_ensemble(SYSTEMS); n++) {
        support_random_system r = support_random_system_next(&seed);
        for (int k = 0; k < 2 * MS_COUNT(solvers); k++) {
            const ms_options options =
                support_options_of("scheme=strang solver=%s micro-steps=%d %s%s", solvers[k / 2], 1 + k,
                                   k % 2 == 1 ? "order=" : "", k % 2 == 1 ? r.reversed : "");
            if (!(support_formula_gap(r.system, &options, r.h) <= 1e-12))
                fail_msg("system %d, %s, order %d", n, solvers[k / 2], k % 2);
        }
        support_random_system_drop(&r);
    }
}

/* Without damping and feed-through the matrix has no eigenvalue off the unit circle below the largest stable step. */
static void energy_does_not_drift(void **state)
{
    (void)state;
    ms_system *of[] = {support_system("spring-mass", ""),
                       support_system("lim-oscillator", "case=state-state")};
    const double step[] = {0.1, 0.5, 1.9, 1e-3, 1e-2, 3e-2};
    for (int k = 0; k < MS_COUNT(step); k++) {
        const ms_options options = support_options("scheme=strang");
        support_near(ms_propagation_radius(of[k / 3], &options, step[k], 100), 1.0, 1e-12);
    }
    ms_system_destroy(&of[0]);
    ms_system_destroy(&of[1]);
}

static void orders_are_those_claimed(void **state)
{
    (void)state;
    static const struct {
        const char *model, *settings;
        int order;
    } of[] = {
        {"spring-mass", "", 2}, {"lim-oscillator", "case=state-state", 2}, {"lim-oscillator", "", 1},
        {"quarter-car", "", 2}, {"quarter-car", "case=bonded", 1},         {"mass-chain", "masses=4", 2},
        {"stiff-damper", "", 1}};
    for (int k = 0; k < MS_COUNT(of); k++) {
        ms_system *system = support_system(of[k].model, of[k].settings);
        double x[64], exact[64], distance[2];
        ms_options options;
        support_reference(system, 1.0, exact);
        for (int half = 0; half < 2; half++) {
            options = support_options_of("scheme=strang stop-time=1 step-size=%g", half ? 0.00025 : 0.0005);
            support_finish(system, &options, x, NULL);
            distance[half] = support_distance(system->nx, x, exact);
        }
        assert_int_equal(ms_scheme_order_on(system, &options), of[k].order);
        if (!(fabs(log2(distance[0] / distance[1]) - of[k].order) < 0.1))
            fail_msg("%s %s: order %g", of[k].model, of[k].settings, log2(distance[0] / distance[1]));
        ms_system_destroy(&system);
    }
}

static ms_simulation simulate(const ms_system *system, const char *text)
{
    const ms_options options = support_options(text);
    ms_simulation run = {0};
    ms_error error = {""};
    if (ms_simulation_run(system, &options, &(ms_simulation_options){.errors = true}, &run, &error) != MS_OK)
        fail_msg("%s", error.text);
    return run;
}

/* Who is at the end and unconnected steps once: both masses, or the element between them. */
static void groups_step_together(void **state)
{
    (void)state;
    ms_system *system = support_system("lim-oscillator", "case=force-force");
    static const struct {
        const char *order;
        long integrations;
    } of[] = {{"left,right,element", 5}, {"element,left,right", 4}, {"left,element,right", 5}};
    for (int k = 0; k < MS_COUNT(of); k++) {
        char text[128];
        snprintf(text, sizeof text, "scheme=strang step-size=0.01 stop-time=0.1 sequence=%s", of[k].order);
        ms_simulation run = simulate(system, text);
        assert_int_equal(run.result.integrations, 10 * of[k].integrations);
        ms_simulation_destroy(&run);
    }
    ms_system_destroy(&system);
}

/* The work on all stretches, halves and wholes, is what the subsystems gain. */
static void ledger_closes(void **state)
{
    (void)state;
    ms_system *system = support_system("spring-mass", "");
    static const char *const orders[] = {"spring,mass", "mass,spring"};
    for (int k = 0; k < 2; k++) {
        char text[128];
        snprintf(text, sizeof text, "scheme=strang step-size=0.3 stop-time=10 sequence=%s", orders[k]);
        ms_simulation run = simulate(system, text);
        support_near(run.energy.residual, run.energy.end - run.energy.start, 1e-12);
        assert_true(run.errors.max > 1e-3 && run.errors.max < 0.1);
        assert_true(run.errors.rmse < run.errors.max && run.errors.rmse > 0.1 * run.errors.max);
        ms_simulation_destroy(&run);
    }
    ms_system_destroy(&system);
}

static void an_imposed_step_is_refused(void **state)
{
    (void)state;
    ms_system *system = support_system("spring-mass", "");
    support_system_refuses(system, "scheme=strang mask=mass:step=0.2", MS_UNSUPPORTED,
                           "mass imposes a step of 0.2 s");
    support_system_refuses(system, "scheme=strang extrapolation-order=1", MS_INVALID, "");
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oscillator_is_the_leapfrog), cmocka_unit_test(formula_is_the_probed_matrix),
        cmocka_unit_test(energy_does_not_drift),      cmocka_unit_test(orders_are_those_claimed),
        cmocka_unit_test(groups_step_together),       cmocka_unit_test(ledger_closes),
        cmocka_unit_test(an_imposed_step_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
