/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_scheme_power.c - negotiated power: its order, what a macro-step does under the law, and where there is a
 * solution. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include "support.h"
#include "unit_test.h"

#define TIGHT " solver=gsl-rk8pd solver-rtol=1e-12 solver-atol=1e-13"
#define POWER "scheme=power extrapolation-order=1" TIGHT

/* Orders ------------------------------------------------------------------------------------------------- */

/* Least-squares slope of log error over log H from 5 runs, H = end / 2^first and halves. The places of the
 * zeros within macro-steps change from run to run, and so do the errors: two runs would not do. */
static double observed(const ms_system *system, const char *text, double end, int first)
{
    enum { RUNS = 5 };
    double reference[8], x[8], slope = 0.0, squares = 0.0;
    assert_true(system->nx <= 8);
    support_reference(system, end, reference);
    for (int k = 0; k < RUNS; k++) {
        char times[96];
        ms_options options = support_options(text);
        snprintf(times, sizeof times, "step-size=%.17g stop-time=%.17g", ldexp(end, -first - k), end);
        support_options_add(&options, times);
        support_finish(system, &options, x, NULL);
        slope -= (k - 0.5 * (RUNS - 1)) * log2(support_distance(system->nx, x, reference));
        squares += (k - 0.5 * (RUNS - 1)) * (k - 0.5 * (RUNS - 1));
    }
    return slope / squares;
}

static void expect_order_2(const char *model, const char *settings, const char *text, double end, int first)
{
    ms_system *system = support_system(model, settings);
    const double order = observed(system, text, end, first);
    if (!(fabs(order - 2.0) <= 0.12))
        fail_msg("%s %s %s has order %.3f, not 2", model, settings, text, order);
    const ms_options options = support_options(text);
    ms_cosim *cosim = support_cosim(system, &options);
    assert_int_equal(cosim->scheme->order(&cosim->variant), 2);
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
}

static void linear_extrapolation_of_power_has_order_2(void **state)
{
    (void)state;
    expect_order_2("spring-mass", "", POWER, 5.0, 7);
    expect_order_2("spring-mass", "m=2.5 c=0.7", POWER " fallback-threshold=2", 5.0, 7);
    expect_order_2("spring-mass", "",
                   "scheme=power extrapolation-order=1 solver=cvode-bdf solver-rtol=1e-11 solver-atol=1e-12",
                   5.0, 7);
}

/* With P' = 0 a macro-step misses (y y')' H^2 / (2 y) in an output: about H^2 / (2 t) in the mass that starts
 * from rest, y = -t. The sum from |y| = theta H |y'| on is (H/2) log(1/H) + O(H): the order is 1 up to a
 * logarithm. At t = 1 s the error has turned by 1 rad, and error/H grows by sin(1) log(2)/2 in s with each
 * halving of H. */
static void held_power_has_order_1_up_to_a_logarithm(void **state)
{
    (void)state;
    static const char *const thresholds[] = {"", " fallback-threshold=4"};
    ms_system *system = support_system("spring-mass", "");
    for (int n = 0; n < MS_COUNT(thresholds); n++) {
        double before = NAN;
        for (int k = 8; k <= 12; k++) {
            char text[192];
            double x[2];
            snprintf(text, sizeof text,
                     "scheme=power extrapolation-order=0 stop-time=1 step-size=%.17g%s" TIGHT, ldexp(1.0, -k),
                     thresholds[n]);
            const ms_options options = support_options(text);
            support_finish(system, &options, x, NULL);
            const double error = ldexp(fabs(x[0] - cos(1.0)), k);
            if (k > 8)
                support_near(error - before, 0.5 * log(2.0) * sin(1.0), 0.01);
            before = error;
        }
    }
    ms_system_destroy(&system);
}

static void a_chain_with_two_ports_a_subsystem_has_order_2(void **state)
{
    (void)state;
    expect_order_2("oscillator-chain", "masses=3", POWER, 5.0, 7);
    expect_order_2("oscillator-chain", "case=alternating", POWER, 3.0, 8);
}

/* One macro-step ----------------------------------------------------------------------------------------- */

/* A run of macro-steps H, with what was known before the last one. */
typedef struct walk {
    ms_system *system;
    ms_cosim *cosim;
    double t, h;
    double x[8], y[8],
        dy[8]; /* before the step; y' = C B L y, these subsystems being integrators with one state */
} walk;

static void walk_create(walk *w, const char *model, const char *settings, const char *text, double h)
{
    char more[64];
    *w = (walk){.h = h, .system = support_system(model, settings)};
    ms_options options = support_options(text);
    snprintf(more, sizeof more, "step-size=%.17g", h);
    support_options_add(&options, more);
    w->cosim = support_cosim(w->system, &options);
    assert_int_equal(ms_cosim_start(w->cosim), MS_OK);
    assert_true(w->system->nx <= 8 && w->system->ny <= 8);
}

static void walk_destroy(walk *w)
{
    ms_cosim_destroy(&w->cosim);
    ms_system_destroy(&w->system);
}

/* y' of all outputs at states x: y_j = C x_j, x_j' = sum B u, u = L y. */
static void slopes(const ms_system *s, const double *y, double *dy)
{
    double u[16];
    assert_true(s->nu <= 16);
    ms_system_couple(s, y, u);
    for (int i = 0; i < s->n; i++) {
        double dx = 0.0;
        for (int k = 0; k < s->sub[i].nu; k++)
            dx += s->blocks[i].B[k] * u[s->u_at[i] + k];
        dy[i] = s->blocks[i].C[0] * dx;
    }
}

static void walk_step(walk *w)
{
    memcpy(w->x, w->cosim->x, sizeof(double) * (size_t)w->system->nx);
    for (int i = 0; i < w->system->n; i++)
        w->y[i] = w->system->blocks[i].C[0] * w->x[i];
    slopes(w->system, w->y, w->dy);
    assert_int_equal(ms_cosim_step(w->cosim, w->t, w->h), MS_OK);
    w->t += w->h;
}

/* On spring-mass both ends obey y' = k P / y under the law with k = 1/m (mass, y = v) or k = c (spring, y =
 * F), so that
 *
 *     (y^2)' = 2 k (P_0 + P_1 tau),    y(tau)^2 = y_0^2 + 2 k P_0 tau + k P_1 tau^2.
 *
 * At the communication point k P = y y', hence k P_0 = y_0 d_0 and k P_1 = (y y')' = d_0^2 + y_0 d_1 with d_0
 * = y', d_1 = y'' of the coupled system, where the powers seen from both ends are opposite and agreeing
 * changes nothing:
 *
 *     y(tau)^2 = (y_0 + d_0 tau)^2 + y_0 d_1 tau^2. */
static void outputs_follow_their_closed_form(void **state)
{
    (void)state;
    int checked = 0;
    for (int k = 0; k < 2; k++) {
        walk w;
        walk_create(&w, "spring-mass", k == 0 ? "" : "m=2.5 c=0.7", POWER, 0.2);
        for (int n = 0; n < 60; n++) {
            double second[8];
            walk_step(&w);
            slopes(w.system, w.dy, second);
            for (int i = 0; i < 2; i++) {
                const double y = w.y[i], d = w.dy[i], h = w.h;
                const double square = (y + d * h) * (y + d * h) + y * second[i] * h * h;
                if (!w.cosim->instance[i]->law[0].active)
                    continue;
                support_near(w.cosim->y[i] * w.cosim->y[i], square, 1e-11);
                assert_true(w.cosim->y[i] * y > 0.0);
                checked++;
            }
        }
        walk_destroy(&w);
    }
    assert_true(checked > 100);
}

/* By the law at all ends the energy stays to the tolerance of the micro-solver; elsewhere it does not. */
static void the_law_keeps_the_energy(void **state)
{
    (void)state;
    static const struct {
        const char *model, *settings;
        double h;
    } runs[] = {
        {"spring-mass", "", 0.2}, {"spring-mass", "m=3 c=5", 0.1}, {"oscillator-chain", "masses=3", 0.1}};
    for (int k = 0; k < MS_COUNT(runs); k++) {
        int by_law = 0, others = 0;
        double elsewhere = 0.0;
        walk w;
        walk_create(&w, runs[k].model, runs[k].settings, POWER, runs[k].h);
        for (int n = 0; n < 200; n++) {
            bool all = true;
            const double before = ms_system_energy(w.system, w.cosim->x);
            walk_step(&w);
            for (int i = 0; i < w.system->n; i++)
                for (int m = 0; m < w.cosim->instance[i]->n_laws; m++)
                    all &= w.cosim->instance[i]->law[m].active;
            const double change = fabs(ms_system_energy(w.system, w.cosim->x) - before);
            if (all)
                support_near(change, 0.0, 1e-10);
            else
                elsewhere = fmax(elsewhere, change);
            *(all ? &by_law : &others) += 1;
        }
        assert_true(by_law > 50 && others > 20 && elsewhere > 1e-6);
        walk_destroy(&w);
    }
}

/* |y| < theta H |y'|, for each end on its own; an end that is extrapolated follows the line u + u' tau. */
static void the_step_rule_decides_end_by_end(void **state)
{
    (void)state;
    static const double thresholds[] = {1.5, 2.0, 3.0};
    for (int k = 0; k < MS_COUNT(thresholds); k++) {
        char text[160];
        int count[2] = {0, 0};
        walk w;
        snprintf(text, sizeof text, POWER " fallback-threshold=%g", thresholds[k]);
        walk_create(&w, "spring-mass", "m=2 c=3", text, 0.11);
        for (int n = 0; n < 100; n++) {
            walk_step(&w);
            for (int i = 0; i < 2; i++) {
                const bool law = w.cosim->instance[i]->law[0].active, b = w.y[i] != 0.0;
                const double B = w.system->blocks[i].B[0], u = w.y[1 - i], du = w.dy[1 - i], h = w.h;
                assert_int_equal(law, b && fabs(w.y[i]) >= thresholds[k] * h * fabs(w.dy[i]));
                if (!law)
                    support_near(w.cosim->x[i], w.x[i] + B * (u * h + 0.5 * du * h * h), 1e-12);
                count[law]++;
            }
        }
        assert_true(count[0] > 10 && count[1] > 10);
        walk_destroy(&w);
    }
}

/* Outputs under the law, see above, with y'' = -omega^2 y: y(tau)^2 = (y + y' tau)^2 - (omega y tau)^2 is
 * positive up to H if |y| >= theta H |y'| with theta >= 1/(1 - omega H); with held power y(tau)^2 = y^2 + 2 y
 * y' tau needs theta > 2. */
static void thresholds_decide_whether_there_is_a_solution(void **state)
{
    (void)state;
    ms_system *system = support_system("spring-mass", "");
    for (int order = 0; order < 2; order++)
        for (int k = 0; k < 10; k++) {
            const double h = 0.05 + 0.043 * k, least = order == 0 ? 2.0 : 1.0 / (1.0 - h);
            for (int above = 0; above < 2; above++) {
                char text[192];
                snprintf(text, sizeof text,
                         "scheme=power extrapolation-order=%d fallback-threshold=%.17g step-size=%.17g" TIGHT,
                         order, least * (above ? 1.001 : 0.8), h);
                const ms_options options = support_options(text);
                const ms_run_result result = support_run(system, &options, NULL, NULL);
                if (result.reason != (above ? MS_REASON_END_TIME : MS_REASON_SUBSYSTEM_FAILED))
                    fail_msg("%s: %s", text, ms_reason_name(result.reason));
            }
        }
    ms_system_destroy(&system);
}

/* u = P' / y' below the threshold of |y|, also where the power is held, u = P / y above it. */
static void the_pointwise_rule_takes_the_slopes(void **state)
{
    (void)state;
    for (int order = 0; order < 2; order++) {
        char text[160];
        double u[2];
        walk w;
        snprintf(text, sizeof text,
                 "scheme=power extrapolation-order=%d fallback=pointwise fallback-threshold=0.25" TIGHT,
                 order);
        walk_create(&w, "spring-mass", "m=2 c=3", text, 0.02);
        for (int n = 0; n < 5; n++)
            walk_step(&w);
        ms_instance *mass = w.cosim->instance[1];
        const double F = w.y[0], v = w.y[1], dF = w.dy[0], dv = w.dy[1], tau = 0.008;
        assert_true(mass->law[0].active);
        for (int k = -1; k <= 1; k++) {
            const double x = 0.2 * k;
            assert_int_equal(ms_instance_inputs(mass, 0, mass->t + tau, &x, u), 0);
            support_near(u[0], (dF * v + F * dv) / dv, 1e-13);
        }
        for (int k = -1; k <= 1; k += 2) {
            const double x = 0.3 * k, slope = order > 0 ? dF * v + F * dv : 0.0;
            assert_int_equal(ms_instance_inputs(mass, 0, mass->t + tau, &x, u), 0);
            support_near(u[0], (F * v + slope * tau) / x, 1e-13);
        }
        walk_destroy(&w);
    }
}

#define HELD_POINTWISE "scheme=power extrapolation-order=0 fallback=pointwise" TIGHT

/* The mass starts from rest, on a zero of its output, and all motion has to begin there. */
static void held_power_leaves_the_zeros_pointwise(void **state)
{
    (void)state;
    ms_system *system = support_system("spring-mass", "");
    support_near(observed(system, HELD_POINTWISE " fallback-threshold=0.05", 1.0, 5), 1.0, 0.12);
    ms_options options = support_options(HELD_POINTWISE " step-size=0.01 stop-time=10");
    for (int k = 0; k < 2; k++) {
        double x[2];
        support_options_add(&options, k == 0 ? "fallback-threshold=0.05" : "fallback-threshold=0.1");
        support_finish(system, &options, x, NULL);
        support_near(x[0], cos(10.0), 0.05);
        support_near(x[1], -sin(10.0), 0.05);
    }
    ms_system_destroy(&system);
}

/* |y'| = 1 at zeros: behind a band of 2 thresholds that is passed within one macro-step the power still has
 * the sign from before, and the law drives the output back into the band. */
static void held_power_does_not_pass_a_band_within_a_step(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        ms_reason reason;
    } runs[] = {{" fallback-threshold=0.01 step-size=0.01", MS_REASON_END_TIME},
                {" fallback-threshold=0.01 step-size=0.05", MS_REASON_SUBSYSTEM_FAILED},
                {" fallback-threshold=0.1 step-size=0.05", MS_REASON_END_TIME}};
    ms_system *system = support_system("spring-mass", "");
    for (int k = 0; k < MS_COUNT(runs); k++) {
        ms_options options = support_options(HELD_POINTWISE " stop-time=10");
        support_options_add(&options, runs[k].text);
        const ms_run_result result = support_run(system, &options, NULL, NULL);
        if (result.reason != runs[k].reason)
            fail_msg("%s: %s", runs[k].text, ms_reason_name(result.reason));
    }
    ms_system_destroy(&system);
}

/* One end by the parabola of its square, beside the scheme: sign and size by the roots of y^2 + 2 p t + s t^2. */
static double parabola_end(double y, double p, double s, double h)
{
    const double apart = sqrt(fmax(p * p - s * y * y, 0.0)), one = (-p - apart) / s, other = (-p + apart) / s;
    int within = 0;
    within += one > 0.0 && one <= h;
    within += other > 0.0 && other <= h;
    return within == 1
               ? 0.0
               : (within == 2 ? -1.0 : 1.0) * copysign(sqrt(fmax(y * y + 2.0 * p * h + s * h * h, 0.0)), y);
}

/* m = c = 1: v' = -F, F' = v, so that v^2 and F^2 have the slopes -2 v F and 2 v F, and P' = F^2 - v^2 up to its sign. 40 macro-steps
 * with several zeros of both; where an output starts at zero, it goes by its tangent. */
static void through_a_zero_outputs_follow_their_parabolas(void **state)
{
    (void)state;
    enum { STEPS = 40 };
    const double h = 0.2;
    ms_system *system = support_system("spring-mass", "");
    double F = 1.0, v = 0.0;
    for (int k = 1; k <= STEPS; k++) {
        const double p = v * F, s = v * v - F * F;
        const double F_end = F == 0.0 ? h * v : parabola_end(F, p, s, h);
        v = v == 0.0 ? -h * F : parabola_end(v, -p, -s, h);
        F = F_end;
        char text[192];
        double x[2];
        snprintf(text, sizeof text, POWER " fallback=through step-size=%.17g stop-time=%.17g", h, k * h);
        const ms_options options = support_options(text);
        support_finish(system, &options, x, NULL);
        support_near(fabs(x[0]), fabs(F), 1e-8);
        support_near(fabs(x[1]), fabs(v), 1e-8);
    }
    ms_system_destroy(&system);
}

static void through_a_zero_the_order_is_2(void **state)
{
    (void)state;
    ms_system *system = support_system("spring-mass", "");
    support_near(observed(system, POWER " fallback=through", 20.0, 8), 2.0, 0.12);
    support_system_refuses(system, "scheme=power extrapolation-order=0 fallback=through", MS_INVALID,
                           "`extrapolation-order` 1");
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(linear_extrapolation_of_power_has_order_2),
                                       cmocka_unit_test(held_power_has_order_1_up_to_a_logarithm),
                                       cmocka_unit_test(a_chain_with_two_ports_a_subsystem_has_order_2),
                                       cmocka_unit_test(outputs_follow_their_closed_form),
                                       cmocka_unit_test(the_law_keeps_the_energy),
                                       cmocka_unit_test(the_step_rule_decides_end_by_end),
                                       cmocka_unit_test(thresholds_decide_whether_there_is_a_solution),
                                       cmocka_unit_test(the_pointwise_rule_takes_the_slopes),
                                       cmocka_unit_test(held_power_leaves_the_zeros_pointwise),
                                       cmocka_unit_test(held_power_does_not_pass_a_band_within_a_step),
                                       cmocka_unit_test(through_a_zero_outputs_follow_their_parabolas),
                                       cmocka_unit_test(through_a_zero_the_order_is_2)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
