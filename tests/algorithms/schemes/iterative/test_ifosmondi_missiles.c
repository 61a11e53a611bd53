/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_ifosmondi_missiles.c - macro-steps without rollback: missiles and ifosmondi with estimates are the converged ifosmondi on linear
 * systems, from the first macro-step on, with one step of each subsystem; orders and defects on nonlinear ones; refusals. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/scheme_registry.h>
#include "random_system.h"
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

enum { SYSTEMS = 100, STATES_MAX = 64 };

#define CONVERGED "scheme=ifosmondi solver-nonlinear=newtonls epsilon=0 step-rule=fixed "
#define ESTIMATED CONVERGED "rollback=estimated mask=*:rollback "
#define MISSILES  "scheme=missiles mask=*:rollback "

/* Linear systems ---------------------------------------------------------------------------------------- */

/* The three ways over n macro-steps of length h, the first n = 1. */
static void check_identity(const ms_system *system, const char *more, double h, double tolerance,
                           const char *where)
{
    static const char *const ways[] = {CONVERGED, ESTIMATED, MISSILES};
    for (int n = 1; n <= 8; n += 7) {
        double x[3][STATES_MAX];
        for (int way = 0; way < 3; way++) {
            const ms_options options =
                support_options_of("%s %s step-size=%.17g stop-time=%.17g", ways[way], more, h, n * h);
            const ms_run_result result = support_run(system, &options, x[way], NULL);
            if (result.reason != MS_REASON_END_TIME)
                fail_msg("%s, %s: %s", where, options.scheme, result.message);
            if (way > 0)
                assert_int_equal(result.integrations, n * system->n);
        }
        for (int way = 1; way < 3; way++)
            if (!(support_distance(system->nx, x[way], x[0]) <= tolerance))
                fail_msg("%s, %s, %d macro-steps of %g: off by %g, more than %g", where,
                         way == 1 ? "estimated" : "missiles", n, h,
                         support_distance(system->nx, x[way], x[0]), tolerance);
    }
}

static void linear_models_end_where_converged_iterations_end(void **state)
{
    (void)state;
    static const struct {
        const char *model, *settings;
    } models[] = {{"spring-mass", ""},
                  {"mass-spring-damper", ""},
                  {"linear-pair", ""},
                  {"linear-pair", "case=unstable"},
                  {"quarter-car", ""},
                  {"moshagen-2x2", ""},
                  {"two-mass-oscillator", "case=force-force"},
                  {"lim-oscillator", ""},
                  {"lim-oscillator", "case=force-force-damped"},
                  {"damping-reaction", ""},
                  {"damping-reaction", "case=non-contractive"},
                  {"plate-chain", "plates=2"}};
    for (int k = 0; k < MS_COUNT(models); k++) {
        ms_system *system = support_system(models[k].model, models[k].settings);
        check_identity(system, "", system->step_size, 1e-12, models[k].model);
        ms_system_destroy(&system);
    }
}

static void random_systems_do_as_well(void **state)
{
    (void)state;
    unsigned long long seed = 601;
    for (int k = 0; k < support_ensemble(SYSTEMS); k++) {
        support_random_system s = support_random_system_next(&seed);
        check_identity(s.system, k % 2 == 0 ? "" : "output-derivatives=exact start=hold", 0.2 * s.h,
                       1e-11 * s.condition, "random");
        support_random_system_drop(&s);
    }
}

/* x' = -x + u + w, y = x + 2 w with w = cos 3t, and a passive partner: what is known of w beforehand counts to the last digits. */
static void forces_are_known_beforehand(void **state)
{
    (void)state;
    ms_model *model = support_model_read(
        "{\"subsystems\": [{\"name\": \"a\", \"inputs\": [\"u\"], \"outputs\": {\"y\": \"x + 2*w\"}, "
        "\"external\": {\"w\": "
        "\"cos(3*t)\"}, \"states\": {\"x\": {\"derivative\": \"-x + u + w\", \"start\": 1}}}, {\"name\": "
        "\"b\", \"A\": [[-2]], "
        "\"B\": [[1]], \"C\": [[-1.5]], \"x0\": [0.5]}], \"wires\": [[0, 1, 1], [1, 0, 1]]}");
    ms_system *system = support_system_of(model);
    double x[2] = {0.0}, y[2] = {0.0}, defect = INFINITY;
    for (int k = 0; k < 2; k++) {
        const ms_options options = support_options_of(
            "%s solver=gsl-rk8pd solver-rtol=1e-13 solver-atol=1e-13 step-size=0.02 stop-time=1",
            k == 0 ? "scheme=ifosmondi solver-nonlinear=anderson epsilon=1e-10" : MISSILES);
        const ms_run_result result = support_run(system, &options, k == 0 ? x : y, NULL);
        assert_int_equal(result.reason, MS_REASON_END_TIME);
        defect = result.estimate_defect;
    }
    assert_true(defect < 1e-10); /* of y = x + 2 w, which an exact x leaves */
    assert_true(support_distance(2, y, x) < 1e-9);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* Held inputs, too; and slopes from differences. */
static void other_iterations_can_be_estimated(void **state)
{
    (void)state;
    static const char *const members[] = {"scheme=zoh-iterative solver-nonlinear=newtonls",
                                          "scheme=ifosmondi output-derivatives=differences "
                                          "solver-nonlinear=anderson"};
    ms_system *system = support_system("mass-spring-damper", "");
    for (int k = 0; k < MS_COUNT(members); k++) {
        double x[2][STATES_MAX];
        for (int estimated = 0; estimated < 2; estimated++) {
            const ms_options options =
                support_options_of("%s epsilon=0 step-size=0.05 %s", members[k],
                                   estimated ? "rollback=estimated mask=*:rollback" : "");
            support_finish(system, &options, x[estimated], NULL);
        }
        assert_true(support_distance(system->nx, x[1], x[0]) < 1e-11);
    }
    ms_system_destroy(&system);
}

/* Nonlinear systems ------------------------------------------------------------------------------------- */

/* x1' = -x1 + sin(u1), x2' = -2 x2^3 + u2, each driven by the other; outputs are the states. */
static int first_f(const ms_point *at, double *dx)
{
    dx[0] = -at->x[0] + sin(at->u[0]);
    return 0;
}

static int second_f(const ms_point *at, double *dx)
{
    dx[0] = -2.0 * at->x[0] * at->x[0] * at->x[0] + at->u[0];
    return 0;
}

static const double half[] = {0.5};
static const ms_subsystem pair[] = {
    SUPPORT_SUBSYSTEM("first", 1, 1, 1, .x0 = support_one, .f = first_f, .g = support_first_state,
                      .feed_through = support_no_feed_through),
    SUPPORT_SUBSYSTEM("second", 1, 1, 1, .x0 = half, .f = second_f, .g = support_first_state,
                      .feed_through = support_no_feed_through)};
static const ms_model pair_model =
    SUPPORT_MODEL("pair", pair, support_ring, .stop_time = 1.0, .step_size = 0.1);

/* Error at the end, and the defect. */
static double error_of(const ms_system *system, const char *text, double h, double *defect)
{
    double x[2], exact[2];
    const ms_options options = support_options_of(
        "%s step-size=%.17g solver=gsl-rk8pd solver-rtol=1e-13 solver-atol=1e-13", text, h);
    const ms_run_result result = support_run(system, &options, x, NULL);
    assert_int_equal(result.reason, MS_REASON_END_TIME);
    *defect = result.estimate_defect;
    support_reference(system, 1.0, exact);
    return support_distance(2, x, exact);
}

static void estimates_leave_order_3_and_defects_of_h_cubed(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double order;
    } members[] = {{"scheme=missiles", 3.0},
                   {"scheme=ifosmondi solver-nonlinear=newtonls epsilon=1e-13 rollback=estimated", 3.0},
                   {"scheme=ifosmondi solver-nonlinear=newtonls epsilon=1e-13", 4.0}};
    ms_system *system = support_system_of(&pair_model);
    for (int k = 0; k < MS_COUNT(members); k++) {
        double defect[2];
        const double error = error_of(system, members[k].text, 0.025, &defect[0]),
                     half_error = error_of(system, members[k].text, 0.0125, &defect[1]);
        const ms_options options = support_options(members[k].text);
        assert_int_equal(ms_scheme_order_on(NULL, &options), (int)members[k].order);
        if (!(fabs(log2(error / half_error) - members[k].order) < 0.25))
            fail_msg("%s: order %g", members[k].text, log2(error / half_error));
        assert_true((k < 2) == isfinite(defect[0]));
        if (k < 2)
            support_near(log2(defect[0] / defect[1]), 3.0, 0.2);
    }
    ms_system_destroy(&system);
}

static void on_linear_systems_estimates_have_the_order_of_what_they_stand_for(void **state)
{
    (void)state;
    static const struct {
        const char *model;
        double step;
    } of[] = {{"quarter-car", 0.0025}, {"spring-mass", 0.1}};
    for (int k = 0; k < MS_COUNT(of); k++) {
        ms_system *system = support_system(of[k].model, "");
        double x[16], exact[16], distance[2];
        ms_options options;
        support_reference(system, 1.0, exact);
        for (int n = 0; n < 2; n++) {
            options = support_options_of("scheme=missiles stop-time=1 step-size=%g", of[k].step / (1 + n));
            support_finish(system, &options, x, NULL);
            distance[n] = support_distance(system->nx, x, exact);
        }
        assert_int_equal(ms_scheme_order_on(system, &options), 4);
        support_near(log2(distance[0] / distance[1]), 4.0, 0.15);
        ms_system_destroy(&system);
    }
    ms_system *nonlinear = support_system("coupled-pendula", "");
    const ms_options options = support_options("scheme=missiles");
    assert_int_equal(ms_scheme_order_on(nonlinear, &options), 0);
    ms_system_destroy(&nonlinear);
}

static void on_linear_systems_the_defect_is_round_off(void **state)
{
    (void)state;
    ms_system *system = support_system("mass-spring-damper", "");
    const ms_options options = support_options("scheme=missiles");
    assert_true(support_run(system, &options, NULL, NULL).estimate_defect < 1e-14);
    ms_system_destroy(&system);
}

/* Of ifosmondi they stand for its converged macro-steps, of order 4, and 3 where slopes are differences; nonlinear ones for nothing. */
static void estimates_of_ifosmondi_have_the_order_of_its_slopes(void **state)
{
    (void)state;
    static const struct {
        const char *more;
        int order;
    } of[] = {{"", 4}, {"output-derivatives=differences", 3}};
    ms_system *system = support_system("spring-mass", ""), *nonlinear = support_system("coupled-pendula", "");
    double x[2], exact[2];
    support_reference(system, 10.0, exact);
    for (int k = 0; k < MS_COUNT(of); k++) {
        double distance[2];
        ms_options options;
        for (int n = 0; n < 2; n++) {
            options = support_options_of(
                "scheme=ifosmondi solver-nonlinear=newtonls epsilon=1e-13 rollback=estimated "
                "start=hold stop-time=10 step-size=%g %s",
                0.02 / (1 + n), of[k].more);
            support_finish(system, &options, x, NULL);
            distance[n] = support_distance(2, x, exact);
        }
        support_near(log2(distance[0] / distance[1]), of[k].order, 0.25);
        assert_int_equal(ms_scheme_order_on(system, &options), of[k].order);
        assert_int_equal(ms_scheme_order_on(nonlinear, &options), 0);
    }
    ms_system_destroy(&nonlinear);
    ms_system_destroy(&system);
}

/* Refusals and failures --------------------------------------------------------------------------------- */

static void where_linearisations_are_missing_it_says_so(void **state)
{
    (void)state;
    support_refuses("quarter-car", "scheme=missiles mask=wheel:directional-derivatives",
                    "wheel gives no directional derivatives");
    support_refuses("quarter-car", "scheme=ifosmondi rollback=estimated mask=wheel:directional-derivatives",
                    "wheel gives no directional derivatives");
    support_refuses("quarter-car", "scheme=missiles mask=wheel:input-degree=2",
                    "wheel takes inputs of degree 2");
    support_refuses("quarter-car", "scheme=missiles epsilon=1e-3", "does not have this option");
    support_refuses("quarter-car", "scheme=ijcsa rollback=estimated", "does not have this option");
    support_refuses("quarter-car", "scheme=ifosmondi mask=wheel:rollback", "`rollback` estimated");
}

static void dense_equations_have_a_limit(void **state)
{
    (void)state;
    static const char *const schemes[] = {"scheme=missiles", "scheme=ijcsa", "scheme=semi-implicit"};
    ms_system *system = support_system("mass-chain", "masses=6000");
    for (int k = 0; k < MS_COUNT(schemes); k++) {
        support_system_refuses(system, schemes[k], MS_UNSUPPORTED, "solves dense equations for");
    }
    ms_system_destroy(&system);
}

/* x' = 1 up to x = 0.55, where f ends. */
static int wall_f(const ms_point *at, double *dx)
{
    dx[0] = 1.0;
    return at->x[0] > 0.55;
}

/* Who cannot roll back is not asked to try again. */
static void a_failed_step_is_final_without_rollback(void **state)
{
    (void)state;
    const ms_subsystem sub[] = {SUPPORT_SUBSYSTEM("first", 1, 1, 1, .f = wall_f, .g = support_first_state,
                                                  .feed_through = support_no_feed_through),
                                pair[1]};
    ms_model model = pair_model;
    model.subsystems = sub;
    ms_system *system = support_system_of(&model);
    for (int k = 0; k < 2; k++) {
        const ms_options options = support_options_of("scheme=ifosmondi rollback=estimated solver=rk4 %s",
                                                      k == 0 ? "" : "mask=*:rollback");
        const ms_run_result result = support_run(system, &options, NULL, NULL);
        assert_int_equal(result.reason, MS_REASON_SUBSYSTEM_FAILED);
        assert_true((k == 0) == (result.rejected_steps > 0));
    }
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_models_end_where_converged_iterations_end),
        cmocka_unit_test(random_systems_do_as_well),
        cmocka_unit_test(forces_are_known_beforehand),
        cmocka_unit_test(other_iterations_can_be_estimated),
        cmocka_unit_test(estimates_leave_order_3_and_defects_of_h_cubed),
        cmocka_unit_test(on_linear_systems_estimates_have_the_order_of_what_they_stand_for),
        cmocka_unit_test(on_linear_systems_the_defect_is_round_off),
        cmocka_unit_test(estimates_of_ifosmondi_have_the_order_of_its_slopes),
        cmocka_unit_test(where_linearisations_are_missing_it_says_so),
        cmocka_unit_test(dense_equations_have_a_limit),
        cmocka_unit_test(a_failed_step_is_final_without_rollback),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
