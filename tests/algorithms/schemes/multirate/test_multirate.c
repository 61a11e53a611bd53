/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_multirate.c - sub-steps of their own: with one each the bits of jacobi and gauss-seidel; what inputs pass through; orders;
 * sub-steps that change nothing; refusals. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include "random_system.h"
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

enum { SYSTEMS = 100, STATES = 4 };

/* One sub-step each -------------------------------------------------------------------------------------- */

static void same_bits(const ms_system *system, const char *multirate, const char *other, const char *common)
{
    const ms_options one = support_options_of("scheme=multirate %s %s", multirate, common),
                     two = support_options_of("scheme=%s %s", other, common);
    double *x = calloc(2 * (size_t)(system->nx + system->ny) + 1, sizeof *x), *y = x + system->nx;
    double *x2 = y + system->ny, *y2 = x2 + system->nx;
    const ms_run_result a = support_run(system, &one, x, y), b = support_run(system, &two, x2, y2);
    assert_true(a.reason == b.reason && a.macro_steps == b.macro_steps && a.integrations == b.integrations);
    for (int j = 0; j < system->nx + system->ny; j++)
        if (x[j] != x2[j] && !(isnan(x[j]) && isnan(x2[j])))
            fail_msg("%s %s: %.17g, %.17g with %s", multirate, common, x[j], x2[j], other);
    free(x);
}

static void with_one_sub_step_it_is_jacobi_or_gauss_seidel(void **state)
{
    (void)state;
    static const char *const starts[] = {"", "start=hold", "initial-inputs=zero"};
    unsigned long long seed = 801;
    for (int n = 0; n < support_ensemble(SYSTEMS); n++) {
        support_random_system s = support_random_system_next(&seed);
        for (int k = 0; k < 9; k++) {
            char common[160];
            snprintf(common, sizeof common, "extrapolation-order=%d %s step-size=%.17g stop-time=%.17g",
                     k % 3, starts[k / 3], 0.1 * s.h, 0.73 * s.h);
            same_bits(s.system, "", "jacobi", common);
            same_bits(s.system, "substeps=1 points=macro", "jacobi", common);
            same_bits(s.system, "first=slow", "gauss-seidel", common);
            same_bits(s.system, "first=fast", "gauss-seidel", common);
        }
        support_random_system_drop(&s);
    }
}

static void the_same_of_nonlinear_subsystems(void **state)
{
    (void)state;
    ms_system *system = support_system("double-pendulum", "");
    const char *const common = "extrapolation-order=1 solver=cvode-bdf step-size=0.01 stop-time=0.2";
    same_bits(system, "", "jacobi", common);
    same_bits(system, "first=slow", "gauss-seidel", common);
    ms_system_destroy(&system);
}

/* Equal numbers of sub-steps: who has fewer comes first, or last. */
static void slow_and_fast_ones_come_in_their_order(void **state)
{
    (void)state;
    ms_system *system = support_system("lim-oscillator", "case=force-force");
    const ms_options slow =
                         support_options("scheme=multirate substeps=left=4,right=2 first=slow points=macro "
                                         "extrapolation-order=1 stop-time=1"),
                     fast =
                         support_options("scheme=multirate substeps=left=4,right=2 first=fast points=macro "
                                         "extrapolation-order=1 stop-time=1"),
                     up = support_options("scheme=gauss-seidel sequence=element,right,left "
                                          "extrapolation-order=1 stop-time=1"),
                     down = support_options("scheme=gauss-seidel sequence=left,right,element "
                                            "extrapolation-order=1 stop-time=1");
    double x[STATES], expected[STATES], other[STATES];
    support_finish(system, &slow, x, NULL);
    support_finish(system, &up, expected, NULL);
    support_finish(system, &down, other, NULL);
    assert_true(support_distance(STATES, x, expected) < 1e-11);
    assert_true(support_distance(STATES, x, other) > 1e-6);
    support_finish(system, &fast, x, NULL);
    assert_true(support_distance(STATES, x, other) < 1e-11);
    ms_system_destroy(&system);
}

/* Sub-steps begin at their own times: x' = t, which rk4 integrates without an error. */
static int clock_f(const ms_point *at, double *dx)
{
    dx[0] = at->t;
    return 0;
}

static void sub_steps_know_the_time(void **state)
{
    (void)state;
#define CLOCK(its_name)                                                                                      \
    SUPPORT_SUBSYSTEM(its_name, 1, 1, 1, .f = clock_f, .g = support_first_state,                             \
                      .feed_through = support_no_feed_through)
    static const ms_subsystem parts[] = {CLOCK("one"), CLOCK("other")};
    static const ms_model model =
        SUPPORT_MODEL("clocks", parts, support_ring, .stop_time = 2.0, .step_size = 0.25);
    static const char *const points[] = {"micro", "macro", "common"};
    ms_system *system = support_system_of(&model);
    for (int k = 0; k < MS_COUNT(points); k++) {
        const ms_options options =
            support_options_of("scheme=multirate solver=rk4 points=%s substeps=one=3,other=4", points[k]);
        double x[2];
        support_finish(system, &options, x, NULL);
        support_near(x[0], 2.0, 1e-14);
        support_near(x[1], 2.0, 1e-14);
    }
    ms_system_destroy(&system);
}

/* Curves through macro-points are the same whatever is between, for exact subsystems; not for others. */
static void sub_steps_between_macro_points_change_nothing(void **state)
{
    (void)state;
    ms_system *system = support_system("precice-oscillator", "");
    for (int order = 0; order <= 2; order++) {
        const char *const text = "scheme=multirate extrapolation-order=%d points=macro stop-time=0.5 %s";
        const ms_options plain = support_options_of(text, order, ""),
                         divided = support_options_of(text, order, "substeps=left=3,right=7"),
                         coarse = support_options_of(text, order, "solver=euler"),
                         fine = support_options_of(text, order, "solver=euler substeps=4");
        double x[STATES], expected[STATES], four[STATES];
        support_finish(system, &plain, expected, NULL);
        support_finish(system, &divided, x, NULL);
        assert_true(support_distance(STATES, x, expected) < 1e-11);
        support_finish(system, &coarse, x, NULL);
        support_finish(system, &fine, four, NULL);
        assert_true(support_distance(STATES, four, expected) < 0.5 * support_distance(STATES, x, expected));
    }
    ms_system_destroy(&system);
}

/* Curves ------------------------------------------------------------------------------------------------- */

/* The input of subsystem i at a share of the last macro-step. */
static double input_at(const ms_cosim *cosim, int i, double share)
{
    const ms_input *input = &cosim->instance[i]->input;
    double u;
    int piece = 0;
    while (piece < input->pieces - 1 && share * cosim->instance[i]->h > input->end[piece] * (1.0 + 1e-12))
        piece++;
    ms_input_evaluate(input, piece, 0, share * cosim->instance[i]->h, &u);
    return u;
}

static double output_at(const ms_cosim *cosim, int i, double share)
{
    const ms_instance *instance = cosim->instance[i];
    const double *x = share < 1.0
                          ? instance->samples + ms_cosim_sample_index(cosim, share) * instance->n_state
                          : instance->x;
    return instance->blocks->C[0] * x[0];
}

/* precice-oscillator after three macro-steps with four sub-steps on the right; y: outputs before the last one. */
static ms_cosim *three_steps(const ms_system *system, const char *text, double *y)
{
    const ms_options options =
        support_options_of("scheme=multirate substeps=right=4 step-size=0.02 %s", text);
    ms_cosim *cosim = support_cosim(system, &options);
    assert_int_equal(ms_cosim_start(cosim), MS_OK);
    for (int k = 0; k < 3; k++) {
        memcpy(y, cosim->y, sizeof *y * 2);
        y[2] = k > 0 && cosim->instance[1]->n_samples > 0 ? output_at(cosim, 1, 0.75) : 0.0;
        assert_int_equal(ms_cosim_step(cosim, 0.02 * k, 0.02), MS_OK);
    }
    return cosim;
}

static void inputs_pass_through_the_points(void **state)
{
    (void)state;
    enum { LEFT, RIGHT };
    ms_system *system = support_system("precice-oscillator", "");
    double y[3];
    /* right steps last: it sees the line, the held value, the parabola through points of the left one */
    ms_cosim *cosim = three_steps(system, "first=slow extrapolation-order=1", y);
    assert_int_equal(cosim->instance[RIGHT]->input.pieces, 4);
    for (int j = 0; j <= 4; j++)
        support_near(input_at(cosim, RIGHT, 0.25 * j),
                     y[LEFT] + 0.25 * j * (output_at(cosim, LEFT, 1.0) - y[LEFT]), 1e-11);
    ms_cosim_destroy(&cosim);
    /* left steps last: lines from one micro-point of the right one to the next */
    cosim = three_steps(system, "first=fast extrapolation-order=1", y);
    assert_int_equal(cosim->instance[LEFT]->input.pieces, 4);
    support_near(input_at(cosim, LEFT, 0.0), y[RIGHT], 1e-11);
    for (int j = 1; j <= 4; j++)
        support_near(input_at(cosim, LEFT, 0.25 * j), output_at(cosim, RIGHT, 0.25 * j), 1e-11);
    support_near(input_at(cosim, LEFT, 0.375),
                 0.5 * (output_at(cosim, RIGHT, 0.25) + output_at(cosim, RIGHT, 0.5)), 1e-11);
    ms_cosim_destroy(&cosim);
    /* nobody first: the line through the two newest micro-points of the right one */
    cosim = three_steps(system, "extrapolation-order=1", y);
    support_near(input_at(cosim, LEFT, 0.0), y[RIGHT], 1e-11);
    support_near(input_at(cosim, LEFT, 1.0), y[RIGHT] + 4.0 * (y[RIGHT] - y[2]), 1e-10);
    ms_cosim_destroy(&cosim);
    /* newest points are held */
    cosim = three_steps(system, "first=fast", y);
    for (int j = 1; j <= 4; j++)
        support_near(input_at(cosim, LEFT, 0.25 * j - 0.1), output_at(cosim, RIGHT, 0.25 * j), 1e-12);
    support_near(input_at(cosim, RIGHT, 0.6), y[LEFT], 1e-12);
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
}

/* Orders ------------------------------------------------------------------------------------------------- */

/* At 0.7 s, against the monolithic solution. */
static double error_of(const ms_system *system, const char *text, int order, int steps)
{
    const ms_options options =
        support_options_of("scheme=multirate %s extrapolation-order=%d step-size=%.17g "
                           "stop-time=0.7",
                           text, order, 0.7 / steps);
    double x[STATES], exact[STATES], largest = 0.0;
    support_finish(system, &options, x, NULL);
    support_reference(system, 0.7, exact);
    for (int j = 0; j < STATES; j++)
        largest = fmax(largest, fabs(x[j] - exact[j]));
    return largest;
}

static void orders_are_one_more_than_that_of_the_curves(void **state)
{
    (void)state;
    static const char *const firsts[] = {"parallel", "slow", "fast"}, *const points[] = {"micro", "macro"};
    static const char *const rates[] = {"right=4", "left=3,right=2", "5"};
    ms_system *system = support_system("precice-oscillator", "");
    for (int k = 0; k < 54; k++) {
        char text[120];
        const int order = k % 3;
        snprintf(text, sizeof text, "first=%s points=%s substeps=%s", firsts[k / 3 % 3], points[k / 9 % 2],
                 rates[k / 18]);
        const double slope = log2(error_of(system, text, order, 3200) / error_of(system, text, order, 6400));
        if (!(fabs(slope - order - 1) < 0.15))
            fail_msg("%s, curves of order %d: order %g", text, order, slope);
    }
    ms_system_destroy(&system);
}

/* The parts of a macro-step of a linear model map linearly: a run follows the probe. */
static void a_run_follows_the_probe(void **state)
{
    (void)state;
    enum { LARGEST = 16 };
    static const char *const texts[] = {"substeps=right=3 extrapolation-order=2",
                                        "substeps=left=2 first=fast extrapolation-order=1",
                                        "substeps=right=4 first=slow solver=euler"};
    ms_system *system = support_system("precice-oscillator", "");
    for (int k = 0; k < MS_COUNT(texts); k++) {
        const ms_options options = support_options_of("scheme=multirate step-size=0.02 %s", texts[k]);
        int n;
        double *psi = support_random_system_probe(system, &options, 0.02, &n), v[LARGEST];
        ms_cosim *cosim = support_cosim(system, &options);
        assert_true(n <= LARGEST && n == cosim->lin_size);
        assert_int_equal(ms_cosim_start(cosim), MS_OK);
        for (int step = 0; step < 4; step++) {
            memcpy(v, cosim->lin, sizeof *v * (size_t)n);
            assert_int_equal(ms_cosim_step(cosim, 0.02 * step, 0.02), MS_OK);
            for (int i = 0; i < n; i++) {
                double expected = 0.0;
                for (int j = 0; j < n; j++)
                    expected += psi[i * n + j] * v[j];
                support_near(cosim->lin[i], expected, 1e-12 * (1.0 + fabs(expected)));
            }
        }
        ms_cosim_destroy(&cosim);
        free(psi);
    }
    ms_system_destroy(&system);
}

static void formula_agrees_with_probe(void **state)
{
    (void)state;
    static const char *const rates[] = {"", "substeps=3", "substeps=4 solver=euler",
                                        "substeps=2 solver=rk4 micro-steps=2"};
    static const char *const firsts[] = {"parallel", "slow", "fast"}, *const points[] = {"micro", "macro"};
    unsigned long long seed = 802;
    for (int n = 0; n < support_ensemble(SYSTEMS); n++) {
        support_random_system s = support_random_system_next(&seed);
        for (int k = 0; k < 72; k++) {
            const ms_options options =
                support_options_of("scheme=multirate extrapolation-order=%d first=%s points=%s %s", k % 3,
                                   firsts[k / 3 % 3], points[k / 9 % 2], rates[k / 18]);
            const double gap = support_formula_gap(s.system, &options, s.h);
            if (!(gap <= 1e-11))
                fail_msg("variant %d: formula and probe differ by %g", k, gap);
        }
        support_random_system_drop(&s);
    }
}

/* Subsystems of different numbers of sub-steps. */
static void formula_agrees_with_probe_at_different_rates(void **state)
{
    (void)state;
    static const char *const rates[] = {"left=3,right=2", "right=4", "element=5,left=2"};
    ms_system *system = support_system("lim-oscillator", "case=force-force-damped");
    for (int k = 0; k < 54; k++) {
        static const char *const firsts[] = {"parallel", "slow", "fast"}, *const points[] = {"micro",
                                                                                             "macro"};
        const ms_options options =
            support_options_of("scheme=multirate extrapolation-order=%d first=%s points=%s substeps=%s",
                               k % 3, firsts[k / 3 % 3], points[k / 9 % 2], rates[k / 18]);
        ms_error error = {""};
        if (ms_propagation_check(system, &options, 0.02, &error) != MS_OK)
            fail_msg("variant %d: %s", k, error.text);
    }
    ms_system_destroy(&system);
}

/* Refusals ----------------------------------------------------------------------------------------------- */

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    const char *const oscillator = "precice-oscillator";
    support_refuses(oscillator, "scheme=multirate substeps=17",
                    "`substeps` 17: must be a whole number in [1, 16]");
    support_refuses(oscillator, "scheme=multirate substeps=left=0", "in [1, 16]");
    support_refuses(oscillator, "scheme=multirate substeps=up=2", "no subsystem up; its first is left");
    support_refuses(oscillator, "scheme=multirate extrapolation-order=1 mask=left:input-degree=0",
                    "lower `extrapolation-order`");
    support_refuses(oscillator, "scheme=multirate mask=left:step=0.004", "imposes a step of 0.004 s");
    support_refuses(oscillator, "scheme=multirate outputs=consistent", "does not have this option");
    support_refuses("woodpecker-explicit", "scheme=multirate substeps=2 solver=cvode-bdf",
                    "discrete variables");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_one_sub_step_it_is_jacobi_or_gauss_seidel),
        cmocka_unit_test(the_same_of_nonlinear_subsystems),
        cmocka_unit_test(slow_and_fast_ones_come_in_their_order),
        cmocka_unit_test(sub_steps_know_the_time),
        cmocka_unit_test(sub_steps_between_macro_points_change_nothing),
        cmocka_unit_test(inputs_pass_through_the_points),
        cmocka_unit_test(orders_are_one_more_than_that_of_the_curves),
        cmocka_unit_test(a_run_follows_the_probe),
        cmocka_unit_test(formula_agrees_with_probe),
        cmocka_unit_test(formula_agrees_with_probe_at_different_rates),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
