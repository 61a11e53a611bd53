/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_schemes_events.c - what schemes make of events inside subsystems: histories kept and dropped,
 * subsystems in another order or on clocks of their own, and what is left of each scheme's order. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_state.h>
#include "events.h"
#include "impact_exact.h"
#include "support.h"
#include "unit_test.h"

/* The history ------------------------------------------------------------------------------------------- */

static double input_slope(const ms_cosim *cosim, int i, int l)
{
    return ms_input_coefficients(&cosim->instance[i]->input, 0, 1)[l];
}

static double input_bend(const ms_cosim *cosim, int i, int l)
{
    return ms_input_coefficients(&cosim->instance[i]->input, 0, 2)[l];
}

/* v1' of the oscillator from its equations. */
static double acceleration(const ms_cosim *cosim, double f)
{
    return f - 10.0 * cosim->x[SUPPORT_IMPACT_X] - 0.1 * cosim->x[SUPPORT_IMPACT_V];
}

/* Inputs of the load (v1) and of the oscillator (f) in the macro-steps behind the event, order 1. */
static void a_history_is_kept_or_dropped(void **state)
{
    (void)state;
    ms_system *system = support_system("impact-oscillator", "case=impact");
    const double h = 0.01;
    const int n = support_impact_step(support_impact_exact(system, 0.8).event[0], h);
    static const char *const texts[] = {"", "at-events=drop", "at-events=drop start=hold"};
    for (int k = 0; k < MS_COUNT(texts); k++) {
        char text[96];
        snprintf(text, sizeof text, "extrapolation-order=1 solver=arkode-erk %s", texts[k]);
        const ms_options options = support_impact_options(text, h);
        ms_cosim *cosim = support_impact_run(system, &options, n - 1);
        const double v = cosim->y[SUPPORT_IMPACT_V];
        assert_int_equal(ms_cosim_step(cosim, n * h, h), MS_OK);
        const double v_next = cosim->y[SUPPORT_IMPACT_V], f = cosim->y[2], f_left = cosim->u_left[0];
        const double a = acceleration(cosim, f_left);
        assert_int_equal(ms_cosim_step(cosim, (n + 1) * h, h), MS_OK);
        const double secant = (v_next - v) / h;
        support_near(input_slope(cosim, SUPPORT_IMPACT_LOAD, 1),
                     k == 0   ? secant
                     : k == 1 ? a
                              : 0.0,
                     1e-6 * fabs(secant));
        /* f did not know of the jump at T_{n+1}, where it was read with v1 from before, and does now. */
        const double f_next = cosim->y[2], f_secant = (f_next - f) / h;
        const double *x = cosim->x;
        const double q_slope =
            x[3] - input_slope(cosim, SUPPORT_IMPACT_LOAD, 0); /* of the inputs that it was read with */
        const double v2_slope = -(5.0 * x[2] + 0.1 * x[3] + f_next) / 2.0;
        const double f_slope = 4.0 * q_slope + 0.5 * (v2_slope - input_slope(cosim, SUPPORT_IMPACT_LOAD, 1));
        assert_int_equal(ms_cosim_step(cosim, (n + 2) * h, h), MS_OK);
        support_near(input_slope(cosim, SUPPORT_IMPACT_OSCILLATOR, 0),
                     k == 0   ? f_secant
                     : k == 1 ? f_slope
                              : 0.0,
                     1e-6 * (1.0 + fabs(f_secant)));
        assert_true(fabs(f_secant) > 2.0 * fabs(f_slope)); /* they can be told apart */
        ms_cosim_destroy(&cosim);
    }
    ms_system_destroy(&system);
}

/* Where outputs are solved f jumps with v1, in the same macro-step; and where Gauss-Seidel takes the load
 * later. */
static void feed_through_jumps_at_once(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool at_once;
        bool later; /* the load steps first, and has its newest line then */
    } runs[] = {{"outputs=inconsistent", false, false},
                {"outputs=consistent", true, false},
                {"outputs=corrected", true, false},
                {"scheme=gauss-seidel sequence=oscillator,load", true, false},
                {"scheme=gauss-seidel sequence=load,oscillator", false, true}};
    ms_system *system = support_system("impact-oscillator", "case=impact");
    const double h = 0.01;
    const int n = support_impact_step(support_impact_exact(system, 0.8).event[0], h);
    for (int k = 0; k < MS_COUNT(runs); k++) {
        char text[128];
        snprintf(text, sizeof text, "extrapolation-order=1 solver=arkode-erk at-events=drop start=hold %s",
                 runs[k].text);
        const ms_options options = support_impact_options(text, h);
        ms_cosim *cosim = support_impact_run(system, &options, n + 1);
        if (!runs[k].later && (input_slope(cosim, SUPPORT_IMPACT_OSCILLATOR, 0) == 0.0) != runs[k].at_once)
            fail_msg("%s: slope %g", text, input_slope(cosim, SUPPORT_IMPACT_OSCILLATOR, 0));
        assert_true(cosim->scheme->sequential || input_slope(cosim, SUPPORT_IMPACT_LOAD, 1) == 0.0);
        ms_cosim_destroy(&cosim);
    }
    ms_system_destroy(&system);
}

/* Order 2 with --start hold: a constant, the line, the parabola. */
static void the_order_rises_again(void **state)
{
    (void)state;
    ms_system *system = support_system("impact-oscillator", "case=impact");
    const double h = 0.01;
    const int n = support_impact_step(support_impact_exact(system, 0.8).event[0], h);
    const ms_options options =
        support_impact_options("extrapolation-order=2 solver=arkode-erk at-events=drop start=hold", h);
    ms_cosim *cosim = support_impact_run(system, &options, n);
    double v[3];
    v[0] = cosim->y[SUPPORT_IMPACT_V];
    assert_int_equal(ms_cosim_step(cosim, (n + 1) * h, h), MS_OK);
    support_near(input_slope(cosim, SUPPORT_IMPACT_LOAD, 1), 0.0, 1e-10);
    support_near(input_bend(cosim, SUPPORT_IMPACT_LOAD, 1), 0.0, 1e-8);
    v[1] = cosim->y[SUPPORT_IMPACT_V];
    assert_int_equal(ms_cosim_step(cosim, (n + 2) * h, h), MS_OK);
    support_near(input_slope(cosim, SUPPORT_IMPACT_LOAD, 1), (v[1] - v[0]) / h, 1e-9);
    support_near(input_bend(cosim, SUPPORT_IMPACT_LOAD, 1), 0.0, 1e-7);
    v[2] = cosim->y[SUPPORT_IMPACT_V];
    assert_int_equal(ms_cosim_step(cosim, (n + 3) * h, h), MS_OK);
    support_near(input_bend(cosim, SUPPORT_IMPACT_LOAD, 1), (v[2] - 2.0 * v[1] + v[0]) / (2.0 * h * h), 1e-7);
    assert_true(fabs(input_bend(cosim, SUPPORT_IMPACT_LOAD, 1)) > 0.1);
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
}

/* f3ornits: degree 0 in the step behind the event, and no smoothing into it. */
static void estimates_begin_anew(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool drops, smooth;
    } runs[] = {{"", false, false},
                {"at-events=drop", true, false},
                {"smooth-coupling=c1", false, true},
                {"smooth-coupling=c1 at-events=drop", true, true}};
    ms_system *system = support_system("impact-oscillator", "case=impact");
    const double h = 0.01, event = support_impact_exact(system, 0.8).event[0];
    for (int k = 0; k < MS_COUNT(runs); k++) {
        char text[160];
        snprintf(text, sizeof text, "scheme=f3ornits max-step=0.01 min-step=0.01 solver=arkode-erk %s",
                 runs[k].text);
        const ms_options options = support_impact_options(text, h);
        ms_cosim *cosim = support_impact_run(system, &options, support_impact_step(event, h));
        assert_int_equal(ms_events_handled(cosim->instance[SUPPORT_IMPACT_OSCILLATOR]), 1);
        const double v = cosim->y[SUPPORT_IMPACT_V], left = cosim->u_left[2]; /* inputs: f, x1, v1 */
        assert_true(fabs(left - v) > 0.1);
        assert_int_equal(ms_cosim_step(cosim, 0.0, 0.0), MS_OK); /* the scheme keeps the time */
        const double *u = ms_input_coefficients(&cosim->instance[SUPPORT_IMPACT_LOAD]->input, 0, 0);
        assert_true(u[1] == (runs[k].smooth && !runs[k].drops ? left : v));
        assert_true((input_slope(cosim, SUPPORT_IMPACT_LOAD, 1) == 0.0) == runs[k].drops);
        ms_cosim_destroy(&cosim);
    }
    ms_system_destroy(&system);
}

/* Without events there is nothing to drop: the same bits, for every variant. */
static void drop_changes_nothing_without_events(void **state)
{
    (void)state;
    ms_system *system = support_system("impact-oscillator", "case=none");
    support_variant variant;
    for (int k = 0; support_variant_at(k, &variant); k++) {
        double keep[4], drop[4];
        ms_options options = support_impact_options(variant.text, 0.05);
        support_finish(system, &options, keep, NULL);
        support_options_add(&options, "at-events=drop");
        support_finish(system, &options, drop, NULL);
        if (memcmp(keep, drop, sizeof keep) != 0)
            fail_msg("%s: drop changes a run without events", variant.text);
    }
    ms_system_destroy(&system);
}

static void drop_is_refused_without_derivatives(void **state)
{
    (void)state;
    const char *const drop = "extrapolation-order=1 at-events=drop mask=load:output-derivatives=0";
    ms_system *system = support_system("impact-oscillator", "case=impact");
    support_system_refuses(system, drop, MS_UNSUPPORTED, "load");
    support_system_refuses(system, drop, MS_UNSUPPORTED, "`start` hold");
    const ms_options options = support_options_of("%s start=hold", drop);
    support_finish(system, &options, NULL, NULL);
    support_system_refuses(system, "scheme=ifosmondi at-events=drop", MS_INVALID, "`at-events`");
    ms_system_destroy(&system);
}

/* Subsystems in another order, and clocks of their own -------------------------------------------------- */

static void the_order_of_subsystems_does_not_matter(void **state)
{
    (void)state;
    static const char *const schemes[] = {
        "extrapolation-order=2 at-events=drop",
        "scheme=balance at-events=drop",
        "extrapolation-order=1 outputs=consistent at-events=drop",
        "scheme=gauss-seidel extrapolation-order=1 sequence=load,oscillator at-events=drop",
        "scheme=f3ornits at-events=drop",
        "scheme=ifosmondi"};
    ms_system *system = support_system("impact-oscillator", "case=both");
    ms_system *permuted =
        support_permuted(system, (const int[]){SUPPORT_IMPACT_LOAD, SUPPORT_IMPACT_OSCILLATOR});
    for (int k = 0; k < MS_COUNT(schemes); k++) {
        double x[4], swapped[4];
        const ms_options options = support_impact_options(schemes[k], 0.01);
        support_finish(system, &options, x, NULL);
        support_finish(permuted, &options, swapped, NULL);
        const double back[4] = {swapped[2], swapped[3], swapped[0], swapped[1]};
        if (support_distance(4, x, back) > 1e-8)
            fail_msg("%s: %g", schemes[k], support_distance(4, x, back));
    }
    ms_system_destroy(&permuted);
    ms_system_destroy(&system);
}

#define ASYNCHRONOUS "scheme=f3ornits scheduler=asynchronous "

static void events_on_clocks_of_their_own(void **state)
{
    (void)state;
    static const char *const schemes[] = {
        ASYNCHRONOUS "max-step=0.01", ASYNCHRONOUS "max-step=0.01 at-events=drop",
        ASYNCHRONOUS "at-events=drop smooth-coupling=c1 mask=oscillator:step=0.005 max-step=0.02",
        ASYNCHRONOUS "mask=load:step=0.005 max-step=0.01"};
    ms_system *system = support_system("impact-oscillator", "case=both");
    const support_impact_solution exact = support_impact_exact(system, system->stop_time);
    for (int k = 0; k < MS_COUNT(schemes); k++) {
        const ms_options options = support_impact_options(schemes[k], 0.005);
        ms_cosim *cosim = support_cosim(system, &options);
        ms_run_result result;
        ms_error error = {""};
        assert_int_equal(ms_run(cosim, NULL, 0, NULL, NULL, &result, &error), MS_OK);
        assert_int_equal(result.reason, MS_REASON_END_TIME);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(cosim->instance[i]->work.events, 1);
            assert_true(cosim->instance[i]->z[0] == 1.0);
            support_near(cosim->instance[i]->events->last, exact.event[1 - i], 2e-3);
        }
        assert_true(support_distance(4, cosim->x, exact.x) < 0.03);
        ms_cosim_destroy(&cosim);
    }
    ms_system_destroy(&system);
}

/* Orders ------------------------------------------------------------------------------------------------ */

/* The root mean square of the errors at the end with N, .., N + 7 macro-steps: the event lies at another
 * place of its macro-step in each. */
static double mean_error(const ms_system *system, const char *scheme, const double *exact, int N)
{
    enum { OFFSETS = 8 };
    double sum = 0.0;
    for (int k = 0; k < OFFSETS; k++) {
        double x[5], worst = 0.0; /* five states with exchange=1 */
        const ms_options options = support_impact_options(scheme, system->stop_time / (N + k));
        support_finish(system, &options, x, NULL);
        for (int j = 0; j < 4; j++)
            worst = fmax(worst, fabs(x[j] - exact[j]));
        sum += worst * worst;
    }
    return sqrt(sum / OFFSETS);
}

/* Derivative j of the coupling variables is the first that jumps: order min(p, j + 1) is left of p, with a
 * balance that pays back what was missed min(p, j + 2). */
static void an_event_limits_the_order(void **state)
{
    (void)state;
    static const struct {
        const char *settings;
        int jumps; /* j; 9: no event */
    } cases[] = {{"case=none d2=0.5", 9},
                 {"case=impact d2=0.5", 0},
                 {"case=impact d2=0", 1},
                 {"case=time d2=0.5 force=50", 1},
                 {"case=switch d2=0", 2}};
    static const struct {
        const char *options;
        int order;
        bool balance;
    } schemes[] = {{"extrapolation-order=0", 1, false},
                   {"extrapolation-order=1", 2, false},
                   {"extrapolation-order=1 derivatives=analytic", 2, false},
                   {"extrapolation-order=1 at-events=drop", 2, false},
                   {"extrapolation-order=1 smooth-coupling=c0 at-events=drop", 2, false},
                   {"extrapolation-order=2 at-events=drop", 3, false},
                   {"scheme=gauss-seidel extrapolation-order=1", 2, false},
                   {"scheme=balance extrapolation-order=1", 3, true}};
    for (int c = 0; c < MS_COUNT(cases); c++) {
        ms_system *system = support_system("impact-oscillator", cases[c].settings);
        const support_impact_solution exact = support_impact_exact(system, system->stop_time);
        for (int k = 0; k < MS_COUNT(schemes); k++) {
            char text[160];
            snprintf(text, sizeof text, "%s solver=arkode-erk solver-rtol=1e-12 solver-atol=1e-12",
                     schemes[k].options);
            const int left = cases[c].jumps + (schemes[k].balance ? 2 : 1);
            const int expected = left < schemes[k].order ? left : schemes[k].order;
            const double coarse = mean_error(system, text, exact.x, 128),
                         fine = mean_error(system, text, exact.x, 256);
            const double order = log2(coarse / fine);
            if (!(fabs(order - expected) <= 0.4))
                fail_msg("%s, %s: order %.2f instead of %d", cases[c].settings, schemes[k].options, order,
                         expected);
        }
        ms_system_destroy(&system);
    }
}

/* Negotiated power across an impact, which changes the sign of the output that the law divides by: order
 * 1. */
static void power_goes_on_behind_an_impact(void **state)
{
    (void)state;
    ms_system *system = support_system("impact-oscillator", "case=impact d2=0 exchange=1");
    const support_impact_solution exact = support_impact_exact(system, system->stop_time);
    for (int order = 0; order < 2; order++) {
        char text[96];
        snprintf(text, sizeof text, "scheme=power extrapolation-order=%d solver=arkode-erk", order);
        const double coarse = mean_error(system, text, exact.x, 100),
                     fine = mean_error(system, text, exact.x, 400);
        if (!(fine < 0.1 && fine < 0.4 * coarse))
            fail_msg("order %d: errors %g, %g", order, coarse, fine);
    }
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_history_is_kept_or_dropped),
        cmocka_unit_test(feed_through_jumps_at_once),
        cmocka_unit_test(the_order_rises_again),
        cmocka_unit_test(estimates_begin_anew),
        cmocka_unit_test(drop_changes_nothing_without_events),
        cmocka_unit_test(drop_is_refused_without_derivatives),
        cmocka_unit_test(the_order_of_subsystems_does_not_matter),
        cmocka_unit_test(events_on_clocks_of_their_own),
        cmocka_unit_test(an_event_limits_the_order),
        cmocka_unit_test(power_goes_on_behind_an_impact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
