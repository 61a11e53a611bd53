/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_interface_jacobian_sensitivities.c - ijcsa and semi-implicit: inputs before the start, orders, all kinds of sensitivities, and
 * what is refused. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/scheme_registry.h>
#include "random_system.h"
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

enum { SYSTEMS = 100, DEGREES = 4, STATES = 4, STATES_MAX = 64 };

/* Orders ------------------------------------------------------------------------------------------------ */

/* Positions and velocities of lim-oscillator: both normal modes, apart from the program. */
static void exact_oscillator(double t, double *x)
{
    const double mean = 605.0, half = sqrt(495.0 * 495.0 + 100.0 * 100.0);
    memset(x, 0, sizeof(double) * STATES);
    for (int k = 0; k < 2; k++) {
        const double square = mean + (k == 0 ? -half : half), w = sqrt(square);
        const double shape[2] = {100.0, 110.0 - square};
        const double part = 100.0 * (shape[0] - shape[1]) / (shape[0] * shape[0] + shape[1] * shape[1]);
        for (int i = 0; i < 2; i++) {
            x[2 * i] += part * shape[i] * sin(w * t) / w;
            x[2 * i + 1] += part * shape[i] * cos(w * t);
        }
    }
}

/* The largest error of the inputs -h and -2 h before the start, relative to the largest speed. */
static double history_error(double h)
{
    ms_system *system = support_system("lim-oscillator", "");
    const ms_options options = support_options_of("scheme=ijcsa input-degree=3 step-size=%.17g", h);
    ms_cosim *cosim = support_cosim(system, &options);
    double error = 0.0;
    assert_int_equal(ms_cosim_start(cosim), MS_OK);
    for (int j = 1; j <= 2; j++) {
        double x[STATES];
        const double *u = cosim->scheme_lin + system->ny + j * system->nu;
        exact_oscillator(-j * h, x);
        const double expected[3] = {x[2], x[3], 100.0 * (x[2] - x[0])};
        for (int l = 0; l < 3; l++)
            error = fmax(error, fabs(u[l] - expected[l]) / 100.0);
    }
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
    return error;
}

/* Taylor's polynomial of degree 2. */
static void inputs_before_the_start_are_those_of_its_derivatives(void **state)
{
    (void)state;
    const double order = log2(history_error(1e-4) / history_error(0.5e-4));
    support_near(order, 3.0, 0.1);
}

/* Of equal macro-steps they are the same: made once, a column for each input, and once more where the last one is shorter. */
static void exact_sensitivities_are_made_once(void **state)
{
    (void)state;
    ms_system *system = support_system("lim-oscillator", "");
    const char *const ends[] = {"stop-time=1", "stop-time=1.005"};
    for (int k = 0; k < 2; k++) {
        const ms_options options = support_options_of("scheme=semi-implicit step-size=0.01 %s", ends[k]);
        const ms_run_result result = support_run(system, &options, NULL, NULL);
        assert_int_equal(result.macro_steps, 100 + k);
        assert_int_equal(result.sensitivities, (1 + k) * system->nu);
        assert_int_equal(result.sweeps, 2 * result.macro_steps);
        assert_int_equal(result.integrations, 4 * result.macro_steps + result.sensitivities);
    }
    ms_system_destroy(&system);
}

/* The error of the states of mass-spring-damper at t = 1, where inputs have all derivatives from the start on. */
static double error_of(const char *text, double h)
{
    ms_system *system = support_system("mass-spring-damper", "");
    const ms_options options = support_options_of("%s step-size=%.17g stop-time=1", text, h);
    double x[STATES], exact[STATES];
    support_finish(system, &options, x, NULL);
    support_reference(system, 1.0, exact);
    ms_system_destroy(&system);
    return support_distance(STATES, x, exact);
}

static void the_order_is_the_degree_and_one(void **state)
{
    (void)state;
    for (int degree = 0; degree < DEGREES; degree++)
        for (int hold = 0; hold < 2; hold++) {
            char text[128];
            snprintf(text, sizeof text, "scheme=semi-implicit input-degree=%d start=%s", degree,
                     hold ? "hold" : "derivatives");
            const double h = degree == 0 ? 1.0 / 1024.0 : 1.0 / 128.0;
            const double order = log2(error_of(text, h) / error_of(text, 0.5 * h));
            const ms_options options = support_options(text);
            assert_int_equal(ms_scheme_order_on(NULL, &options), hold && degree == 3 ? 3 : degree + 1);
            if (!(fabs(order - ms_scheme_order_on(NULL, &options)) < 0.2))
                fail_msg("%s: order %g", text, order);
        }
}

/* Nonlinear systems ------------------------------------------------------------------------------------- */

/* The largest difference of the states from those of another run. */
static double difference(const ms_system *system, const char *one, const char *other, long *sensitivities)
{
    double x[STATES_MAX], y[STATES_MAX];
    ms_options options = support_options(one);
    const ms_run_result result = support_run(system, &options, x, NULL);
    assert_int_equal(result.reason, MS_REASON_END_TIME);
    *sensitivities = result.sensitivities;
    options = support_options(other);
    support_finish(system, &options, y, NULL);
    return support_distance(system->nx, x, y);
}

#define PENDULUM "solver=rk4 micro-steps=2 step-size=0.005 stop-time=0.5 "

/* Converged inputs know nothing of how the Jacobian was found. */
static void all_sensitivities_lead_to_one_solution(void **state)
{
    (void)state;
    static const char *const members[] = {"sensitivities=differences",
                                          "sensitivities=directional update=slow",
                                          "sensitivities=differences update=slow"};
    ms_system *system = support_system("double-pendulum", "");
    long fresh, kept;
    for (int degree = 0; degree < DEGREES; degree++)
        for (int k = 0; k < MS_COUNT(members); k++) {
            char one[200], other[200];
            snprintf(one, sizeof one, PENDULUM "scheme=ijcsa epsilon=1e-11 input-degree=%d %s", degree,
                     members[k]);
            snprintf(other, sizeof other,
                     PENDULUM "scheme=ijcsa epsilon=1e-11 input-degree=%d sensitivities=directional", degree);
            assert_true(difference(system, one, other, &kept) < 1e-8);
            assert_true(difference(system, other, one, &fresh) < 1e-8);
            if (k > 0 && !(kept < fresh))
                fail_msg("degree %d: %ld columns are kept, %ld made anew", degree, kept, fresh);
        }
    ms_system_destroy(&system);
}

/* One Newton step keeps the order, and comes the closer to the converged solution the shorter the macro-step. */
static void semi_implicit_keeps_the_order_on_a_nonlinear_model(void **state)
{
    (void)state;
    static const char *const ways[] = {"directional", "differences"};
    ms_system *system = support_system("double-pendulum", "");
    for (int way = 0; way < 2; way++)
        for (int degree = 0; degree < DEGREES; degree++) {
            double x[3][STATES_MAX], error[2];
            for (int k = 0; k < 3; k++) {
                const ms_options options = support_options_of(
                    "scheme=semi-implicit solver=rk4 micro-steps=%d input-degree=%d sensitivities=%s "
                    "step-size=%g stop-time=0.4",
                    2 << (2 - k), degree, ways[way], ldexp(0.01, -k));
                support_finish(system, &options, x[k], NULL);
            }
            for (int k = 0; k < 2; k++)
                error[k] = support_distance(system->nx, x[k], x[k + 1]);
            const double order = log2(error[0] / error[1]);
            if (!(fabs(order - (degree + 1)) < 0.3))
                fail_msg("degree %d, %s: order %g", degree, ways[way], order);
        }
    ms_system_destroy(&system);
}

/* On a linear system the three ways find the same S, so that one Newton step shows what differs. */
static void sensitivities_agree_on_linear_systems(void **state)
{
    (void)state;
    unsigned long long seed = 503;
    for (int k = 0; k < support_ensemble(SYSTEMS); k++) {
        support_random_system s = support_random_system_next(&seed);
        for (int degree = 0; degree < DEGREES; degree++) {
            double x[3][STATES_MAX];
            static const char *const ways[] = {"exact", "directional", "differences"};
            for (int way = 0; way < 3; way++) {
                const ms_options options =
                    support_options_of("scheme=semi-implicit input-degree=%d sensitivities=%s start=hold "
                                       "step-size=%.17g stop-time=%.17g",
                                       degree, ways[way], s.h, 3.0 * s.h);
                support_finish(s.system, &options, x[way], NULL);
            }
            const double directional = support_distance(s.system->nx, x[1], x[0]),
                         differences = support_distance(s.system->nx, x[2], x[0]);
            if (!(directional < 1e-12 * s.condition && differences < 1e-7 * s.condition))
                fail_msg("degree %d: off by %g and %g (condition %g)", degree, directional, differences,
                         s.condition);
        }
        support_random_system_drop(&s);
    }
}

/* Where inputs are so small that every prediction is good enough, outputs still lead them: the largest speed is 1e-6. */
static void predictions_do_not_drift(void **state)
{
    (void)state;
    ms_system *system = support_system("lim-oscillator", "v1=1e-6 v2=-1e-6");
    for (int degree = 1; degree < DEGREES; degree++) {
        const ms_options options = support_options_of(
            "scheme=ijcsa input-degree=%d epsilon=1e-2 step-size=0.001 stop-time=1", degree);
        double x[STATES], exact[STATES];
        const ms_run_result result = support_run(system, &options, x, NULL);
        assert_int_equal(result.sweeps, result.macro_steps);
        exact_oscillator(1.0, exact);
        for (int j = 0; j < STATES; j++)
            support_near(1e8 * x[j], exact[j], 3.0);
    }
    ms_system_destroy(&system);
}

/* Refusals and failures --------------------------------------------------------------------------------- */

static void what_subsystems_cannot_do_is_refused_by_name(void **state)
{
    (void)state;
    support_refuses("quarter-car", "scheme=ijcsa mask=wheel:rollback", "wheel cannot roll back");
    support_refuses("quarter-car", "scheme=semi-implicit input-degree=2 mask=wheel:input-degree=1",
                    "wheel takes inputs of degree 1");
    support_refuses("quarter-car",
                    "scheme=ijcsa sensitivities=directional mask=wheel:directional-derivatives",
                    "wheel gives no directional derivatives");
    support_refuses("double-pendulum", "scheme=ijcsa sensitivities=exact", "is nonlinear");
    support_refuses("quarter-car", "scheme=ijcsa mask=wheel:step=0.001", "imposes a step");
    support_refuses("quarter-car", "scheme=semi-implicit epsilon=1e-3", "does not have this option");
    support_refuses("quarter-car", "scheme=ijcsa extrapolation-order=1", "does not have this option");
}

/* Where derivatives are masked away differences take their place, unless told otherwise. */
static void without_derivatives_differences_serve(void **state)
{
    (void)state;
    ms_system *system = support_system("double-pendulum", "");
    const struct {
        const char *mask;
        ms_sensitivity chosen;
    } cases[] = {{"", MS_SENSITIVITY_DIRECTIONAL},
                 {"mask=*:directional-derivatives", MS_SENSITIVITY_DIFFERENCES}};
    for (int k = 0; k < MS_COUNT(cases); k++) {
        const ms_options options = support_options_of("scheme=ijcsa solver=rk4 %s", cases[k].mask);
        ms_cosim *cosim = support_cosim(system, &options);
        assert_int_equal(cosim->variant.iteration.sensitivities, cases[k].chosen);
        assert_int_equal(cosim->options->iteration.sensitivities, (int)cases[k].chosen);
        ms_cosim_destroy(&cosim);
    }
    ms_system_destroy(&system);
}

/* x1+ = x1 + h g x2+ and x2+ = x2 + h g x1+ have no unique solution at h g = 1. */
static void a_singular_interface_is_said(void **state)
{
    (void)state;
    ms_model *model = support_model_read(
        "{\"subsystems\": [{\"A\": [[0]], \"B\": [[1]], \"C\": [[1]], \"x0\": [1]}, {\"A\": [[0]], "
        "\"B\": [[1]], \"C\": [[1]]}], \"L\": [[0, 2], [2, 0]], \"end\": 1, \"step_size\": 0.5}");
    ms_system *system = support_system_of(model);
    ms_options options = support_options("scheme=ijcsa input-degree=0 step-rule=fixed");
    ms_run_result result = support_run(system, &options, NULL, NULL);
    assert_int_equal(result.reason, MS_REASON_ITERATION_FAILED);
    assert_non_null(strstr(result.message, "I - L S is singular"));
    options = support_options("scheme=semi-implicit input-degree=0");
    result = support_run(system, &options, NULL, NULL);
    assert_int_equal(result.reason, MS_REASON_NO_SOLUTION);
    options = support_options("scheme=ijcsa input-degree=0"); /* a shorter macro-step has one */
    assert_int_equal(support_run(system, &options, NULL, NULL).reason, MS_REASON_END_TIME);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

static void no_iteration_starts_after_the_last(void **state)
{
    (void)state;
    ms_system *system = support_system("double-pendulum", "");
    const ms_options options = support_options("scheme=ijcsa input-degree=0 epsilon=1e-12 max-iterations=1 "
                                               "step-rule=fixed solver=rk4 step-size=0.05");
    const ms_run_result result = support_run(system, &options, NULL, NULL);
    assert_int_equal(result.reason, MS_REASON_ITERATION_FAILED);
    assert_int_equal(result.iterations, 1);
    assert_int_equal(result.sweeps, 2);
    assert_non_null(strstr(result.message, "`max-iterations` 1"));
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_before_the_start_are_those_of_its_derivatives),
        cmocka_unit_test(exact_sensitivities_are_made_once),
        cmocka_unit_test(the_order_is_the_degree_and_one),
        cmocka_unit_test(all_sensitivities_lead_to_one_solution),
        cmocka_unit_test(semi_implicit_keeps_the_order_on_a_nonlinear_model),
        cmocka_unit_test(sensitivities_agree_on_linear_systems),
        cmocka_unit_test(predictions_do_not_drift),
        cmocka_unit_test(what_subsystems_cannot_do_is_refused_by_name),
        cmocka_unit_test(without_derivatives_differences_serve),
        cmocka_unit_test(a_singular_interface_is_said),
        cmocka_unit_test(no_iteration_starts_after_the_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
