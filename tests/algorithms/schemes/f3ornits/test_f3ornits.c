/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_f3ornits.c - F3ORNITS: its polynomials against GSL's, its order function, bounds and clocks. */
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_poly.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include "f3ornits.h"
#include "f3ornits_parts.h"
#include "support.h"
#include "unit_test.h"

/* Uneven times, newest first. */
static void random_points(unsigned long long *seed, double t[MS_F3_POINTS], double y[MS_F3_POINTS])
{
    t[0] = 3.0 + support_random(seed);
    for (int r = 0; r < MS_F3_POINTS; r++) {
        if (r > 0)
            t[r] = t[r - 1] - 0.05 - fabs(support_random(seed));
        y[r] = 10.0 * support_random(seed);
    }
}

static void extrapolation_is_divided_differences(void **state)
{
    (void)state;
    unsigned long long seed = 1;
    for (int trial = 0; trial < 200; trial++) {
        double t[MS_F3_POINTS], y[MS_F3_POINTS], c[3], dd[3];
        random_points(&seed, t, y);
        for (int q = 0; q <= 2; q++) {
            ms_f3_extrapolation(q, t, y, c);
            gsl_poly_dd_init(dd, t, y, (size_t)q + 1);
            for (int k = 0; k < 4; k++) {
                const double at = t[0] + 0.25 * k;
                const double expected = gsl_poly_dd_eval(dd, t, (size_t)q + 1, at);
                support_near(ms_f3_value(c, at - t[0]), expected, 1e-9 * (1.0 + fabs(expected)));
            }
        }
    }
}

/* The constraint p(t_0) = y_0 leaves sum_k c_k s^k = y - y_0, k = 1 .. q, for the q + 1 points before. */
static void constrained_least_squares_are_those_of_gsl(void **state)
{
    (void)state;
    unsigned long long seed = 2;
    for (int trial = 0; trial < 200; trial++)
        for (size_t q = 1; q <= 2; q++) {
            double t[MS_F3_POINTS], y[MS_F3_POINTS], c[3], chisq;
            random_points(&seed, t, y);
            gsl_matrix *X = gsl_matrix_alloc(q + 1, q), *covariance = gsl_matrix_alloc(q, q);
            gsl_vector *d = gsl_vector_alloc(q + 1), *fit = gsl_vector_alloc(q);
            gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(q + 1, q);
            for (size_t r = 1; r <= q + 1; r++) {
                gsl_vector_set(d, r - 1, y[r] - y[0]);
                for (size_t k = 1; k <= q; k++)
                    gsl_matrix_set(X, r - 1, k - 1, pow(t[r] - t[0], (double)k));
            }
            gsl_multifit_linear(X, d, fit, covariance, &chisq, work);
            ms_f3_least_squares((int)q, t, y, c);
            support_near(c[0], y[0], 0.0);
            for (size_t k = 1; k <= 2; k++) {
                const double expected = k <= q ? gsl_vector_get(fit, k - 1) : 0.0;
                support_near(c[k], expected, 1e-8 * (1.0 + fabs(expected)));
            }
            gsl_multifit_linear_free(work);
            gsl_vector_free(fit);
            gsl_vector_free(d);
            gsl_matrix_free(covariance);
            gsl_matrix_free(X);
        }
}

static void degree_0_is_the_same_in_both_modes(void **state)
{
    (void)state;
    const double t[] = {1.0, 0.7, 0.5, 0.1}, y[] = {3.0, -1.0, 2.0, 8.0};
    double a[3], b[3];
    ms_f3_extrapolation(0, t, y, a);
    ms_f3_least_squares(0, t, y, b);
    assert_memory_equal(a, b, sizeof a);
}

static void the_order_function_finds_the_degree(void **state)
{
    (void)state;
    unsigned long long seed = 3;
    for (int trial = 0; trial < 300; trial++)
        for (int degree = 0; degree <= 2; degree++) {
            double t[MS_F3_POINTS], y[MS_F3_POINTS], c[3], errors[3];
            random_points(&seed, t, y);
            for (int k = 0; k < 3; k++)
                c[k] = k > degree ? 0.0 : 2.0 + support_random(&seed);
            for (int r = 0; r < MS_F3_POINTS; r++)
                y[r] = ms_f3_value(c, t[r] - 3.0);
            assert_int_equal(ms_f3_degree(2, t, y, errors), degree);
            assert_int_equal(ms_f3_degree(0, t, y, errors), 0);
        }
}

static void the_order_function_on_signals(void **state)
{
    (void)state;
    double errors[3];
    const double t[] = {0.3, 0.2, 0.1, 0.0};
    static const double jump[][4] = {{1.0, 0.0, 0.0, 0.0}, {1.0, 1.0, 0.0, 0.0}, {1.0, 1.0, 1.0, 0.0}};
    for (int k = 0; k < MS_COUNT(jump); k++) /* as it comes and passes: all degrees miss alike, then 0 is
                                                best */
        assert_int_equal(ms_f3_degree(2, t, jump[k], errors), 0);
    support_near(errors[2], 1.0, 1e-12);
    for (int k = -4; k < 4; k++) { /* a sine that crosses zero */
        const double phase = 0.05 * k;
        double y[4];
        for (int r = 0; r < 4; r++)
            y[r] = sin(0.5 * (t[r] - 0.15) + phase);
        assert_true(ms_f3_degree(2, t, y, errors) >= 1);
    }
}

/* (36) by hand: nu = 0.5, steps 1, 2, 1 for the values 0, 4, 1, 2.
 *     m = 1: alpha = 0, max 4, min 0;   m = 2: alpha = 4, shrink 0.5 * 0.5 * 2 * 4 = 2: max 2, min min(1, 2)
 *     = 1; m = 3: alpha = 1, shrink 0.5 * 0.5 * 1 * 1 = 0.25: max max(2, 1.75) = 2, min min(2, 1.25) =
 *     1.25 */
static void damped_bounds_by_hand(void **state)
{
    (void)state;
    ms_f3_extremes e;
    ms_f3_extremes_start(&e, 0.0);
    ms_f3_extremes_update(&e, 4.0, 0.5, 1.0);
    support_near(e.damped_max, 4.0, 0.0);
    support_near(e.damped_min, 0.0, 0.0);
    ms_f3_extremes_update(&e, 1.0, 0.5, 2.0);
    support_near(e.damped_max, 2.0, 0.0);
    support_near(e.damped_min, 1.0, 0.0);
    ms_f3_extremes_update(&e, 2.0, 0.5, 1.0);
    support_near(e.damped_max, 2.0, 0.0);
    support_near(e.damped_min, 1.25, 0.0);
    support_near(e.max, 4.0, 0.0);
    support_near(e.min, 0.0, 0.0);
    support_near(ms_f3_error(-0.5, 2.0, &e, MS_F3_MAGNITUDE, 0.1, 0.05), 0.5 / 0.25, 1e-15);
    support_near(ms_f3_error(0.5, -2.0, &e, MS_F3_MAGNITUDE, 0.1, 0.05), 0.5 / 0.25, 1e-15);
    support_near(ms_f3_error(0.5, 2.0, &e, MS_F3_AMPLITUDE, 0.1, 0.05), 0.5 / 0.45, 1e-15);
    support_near(ms_f3_error(0.5, 2.0, &e, MS_F3_DAMPED_AMPLITUDE, 0.1, 0.05), 0.5 / 0.125, 1e-15);
    support_near(ms_f3_ratio(0.125, 2), 2.0, 1e-15);
}

/* int s^m (p - q) ds = 0 over the step, m = 0 .. degree of q, by a Gauss rule of degree 5. */
static void a_degraded_input_keeps_its_moments(void **state)
{
    (void)state;
    static const double node[] = {0.11270166537925831, 0.5, 0.88729833462074169}, weight[] = {5.0, 8.0, 5.0};
    const double p[3] = {1.5, -2.0, 0.75}, h = 0.7;
    for (int degree = 0; degree <= 4; degree++) {
        double q[3];
        memcpy(q, p, sizeof q);
        ms_f3_degrade(degree, h, q);
        for (int m = 0; m <= 2; m++) {
            double moment = 0.0;
            for (int k = 0; k < 3; k++)
                moment +=
                    weight[k] * pow(node[k], m) * (ms_f3_value(p, h * node[k]) - ms_f3_value(q, h * node[k]));
            if (m <= degree)
                support_near(moment, 0.0, 1e-13);
            if (m > degree)
                assert_true(fabs(moment) > 1e-3);
        }
    }
}

/* Runs --------------------------------------------------------------------------------------------------- */

/* Value and slope of every input stay continuous, and at the end of a step they are those of the estimate. */
static void smooth_inputs_meet_the_four_conditions(void **state)
{
    (void)state;
    const double h = 0.05;
    ms_system *system = support_system("spring-mass", "");
    const ms_options options = support_options(
        "scheme=f3ornits smooth-coupling=c1 step-size=0.05 min-step=0.05 max-step=0.05 stop-time=2");
    ms_cosim *cosim = support_cosim(system, &options);
    assert_int_equal(ms_cosim_start(cosim), MS_OK);
    const f3_data *data = cosim->scheme_data;
    double left[2] = {0.0}, slope[2] = {0.0};
    for (int n = 0; n < 40; n++) {
        double estimate[2][2];
        for (int l = 0; l < 2; l++) { /* one wire each, gain 1 */
            const double *p = data->output[system->wire_output[system->row_at[l]]].c;
            estimate[l][0] = ms_f3_value(p, h);
            estimate[l][1] = p[1] + 2.0 * h * p[2];
        }
        assert_int_equal(ms_cosim_step(cosim, n * h, h), MS_OK);
        for (int l = 0; l < 2; l++) {
            double u, du;
            const ms_input *input = &cosim->instance[l]->input;
            ms_input_evaluate(input, 0, 0, 0.0, &u);
            ms_input_evaluate(input, 0, 1, 0.0, &du);
            if (n > 0) {
                support_near(u, left[l], 1e-14);
                support_near(du, slope[l], 1e-13);
            }
            ms_input_left(input, &left[l]);
            ms_input_left_derivative(input, 1, &slope[l]);
            support_near(left[l], estimate[l][0], 1e-14);
            support_near(slope[l], estimate[l][1], 1e-12);
        }
    }
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
}

typedef struct clocks {
    long communications[2];
    double last[2];
    double apart; /* the largest difference of a communication time from n H */
    double H[2];
} clocks;

static int clocks_step(void *self, const ms_cosim *cosim, double t, double h)
{
    clocks *c = self;
    (void)t, (void)h;
    const f3_data *data = cosim->scheme_data;
    for (int i = 0; i < 2; i++)
        if (cosim->communicates[i]) {
            c->communications[i]++;
            c->last[i] = data->clock[i].reached;
            c->apart = fmax(c->apart, fabs(c->last[i] - (double)c->communications[i] * c->H[i]));
        }
    return 0;
}

static void imposed_steps_need_not_be_multiples(void **state)
{
    (void)state;
    ms_system *system = support_system("spring-mass", "");
    const ms_options options = support_options("scheme=f3ornits scheduler=asynchronous mask=spring:step=0.05 "
                                               "mask=mass:step=0.08 stop-time=20");
    ms_cosim *cosim = support_cosim(system, &options);
    clocks c = {.H = {0.05, 0.08}};
    const ms_observer observer = {.self = &c, .step = clocks_step};
    ms_run_result result;
    ms_error error;
    assert_int_equal(ms_run(cosim, &observer, 1, NULL, NULL, &result, &error), MS_OK);
    assert_int_equal(result.reason, MS_REASON_END_TIME);
    assert_int_equal(c.communications[0], 400);
    assert_int_equal(c.communications[1], 250);
    assert_int_equal(result.macro_steps, 400 + 250 - 50); /* every 0.4 s together */
    assert_true(c.last[0] == 20.0 && c.last[1] == 20.0 && result.end_time == 20.0);
    assert_true(c.apart <= 1e-13);
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
}

/* Whatever moves together gives the same bits under both schedulers. */
static void equal_steps_give_equal_bits(void **state)
{
    (void)state;
    static const char *const models[] = {"spring-mass", "mass-spring-damper", "oscillator-chain"};
    static const char *const steps[] = {"min-step=0.02 max-step=0.02 step-size=0.02", "mask=*:step=0.02"};
    for (int m = 0; m < MS_COUNT(models); m++)
        for (int k = 0; k < MS_COUNT(steps); k++) {
            ms_system *system = support_system(models[m], "");
            double x[2][64];
            for (int apart = 0; apart < 2; apart++) {
                char text[160];
                snprintf(text, sizeof text, "scheme=f3ornits smooth-coupling=c1 stop-time=3 scheduler=%s %s",
                         apart ? "asynchronous" : "synchronous", steps[k]);
                const ms_options options = support_options(text);
                support_finish(system, &options, x[apart], NULL);
            }
            assert_memory_equal(x[0], x[1], sizeof(double) * (size_t)system->nx);
            ms_system_destroy(&system);
        }
}

/* Five communications behind the `first` ones, again from what was saved. */
static void take_again(const ms_system *system, int first, const char *text)
{
    const ms_options options = support_options(text);
    ms_cosim *cosim = support_cosim(system, &options);
    assert_int_equal(ms_cosim_start(cosim), MS_OK);
    support_steps(cosim, 0, first, 0.0);
    double *before = support_state(cosim);
    support_steps(cosim, 0, 5, 0.0);
    double *once = support_state(cosim);
    support_steps(cosim, 0, 5, 0.0);
    ms_cosim_restore(cosim, before);
    support_steps(cosim, 0, 5, 0.0);
    support_has_state(cosim, once, text);
    free(once);
    free(before);
    ms_cosim_destroy(&cosim);
}

static void a_step_taken_again_gives_the_same_bits(void **state)
{
    (void)state;
    ms_system *system = support_system("spring-mass", "");
    take_again(
        system, 37,
        "scheme=f3ornits scheduler=asynchronous calibration=cls smooth-coupling=c1 mask=spring:step=0.05 "
        "step-size=0.02 stop-time=5 error-normalization=damped-amplitude");
    ms_system_destroy(&system);
    system = support_system("two-masses-springs-dampers", "case=jump change_time=0.205"); /* comes twice */
    take_again(system, 18,
               "scheme=f3ornits calibration=cls smooth-coupling=c1 step-size=0.01 max-step=0.01 stop-time=5 "
               "at-time-events=communicate at-events=drop");
    ms_system_destroy(&system);
}

/* Of estimates with equal steps: 3, whichever calibration. */
static void equal_steps_have_order_3(void **state)
{
    (void)state;
    ms_system *system = support_system("spring-mass", "");
    for (int cls = 0; cls < 2; cls++) {
        double x[2], reference[2], error[2];
        support_reference(system, 2.0, reference);
        for (int k = 0; k < 2; k++) {
            char text[160];
            const double h = 0.01 / (k + 1);
            snprintf(text, sizeof text,
                     "scheme=f3ornits calibration=%s step-size=%g min-step=%g max-step=%g stop-time=2",
                     cls ? "cls" : "extrapolation", h, h, h);
            const ms_options options = support_options(text);
            support_finish(system, &options, x, NULL);
            error[k] = hypot(x[0] - reference[0], x[1] - reference[1]);
        }
        const double order = log2(error[0] / error[1]);
        if (!(order > 1.7))
            fail_msg("order %.2f", order);
    }
    ms_system_destroy(&system);
}

/* As soon as it could be judged: after n steps those up to n - 1. */
static void a_given_degree_is_kept(void **state)
{
    (void)state;
    ms_system *system = support_system("spring-mass", "");
    for (int degree = 0; degree <= 2; degree++) {
        char text[160];
        snprintf(text, sizeof text, "scheme=f3ornits estimate-degree=%d step-size=0.1 stop-time=2", degree);
        const ms_options options = support_options(text);
        ms_cosim *cosim = support_cosim(system, &options);
        assert_int_equal(ms_cosim_start(cosim), MS_OK);
        const f3_data *data = cosim->scheme_data;
        for (int n = 1; n <= 15; n++) {
            assert_int_equal(ms_cosim_step(cosim, 0.0, 0.0), MS_OK);
            for (int j = 0; j < system->ny; j++)
                assert_int_equal((int)data->output[j].order, n > degree ? degree : n - 1);
        }
        ms_cosim_destroy(&cosim);
    }
    ms_system_destroy(&system);
}

static void without_any_freedom_it_holds_inputs(void **state)
{
    (void)state;
    double x[2][2];
    ms_system *system = support_system("spring-mass", "");
    const ms_options options[] = {
        support_options("scheme=f3ornits estimate-degree=0 step-size=0.01 max-step=0.01 stop-time=2"),
        support_options("scheme=jacobi step-size=0.01 stop-time=2")};
    for (int k = 0; k < 2; k++)
        support_finish(system, &options[k], x[k], NULL);
    for (int i = 0; i < 2; i++)
        support_near(x[0][i], x[1][i], 1e-12);
    ms_system_destroy(&system);
}

static void capabilities_degrade_it(void **state)
{
    (void)state;
    ms_system *system = support_system("spring-mass", "");
    double previous = 0.0;
    for (int degree = 3; degree >= 0; degree--) {
        char text[160];
        double x[2], reference[2];
        snprintf(text, sizeof text,
                 "scheme=f3ornits smooth-coupling=c1 mask=mass:input-degree=%d rtol=1e-4 "
                 "atol=1e-6 step-size=0.01 stop-time=5",
                 degree);
        const ms_options options = support_options(text);
        ms_cosim *cosim = support_cosim(system, &options);
        assert_int_equal(cosim->n_degraded, degree == 3 ? 0 : degree == 2 ? 1 : 2);
        if (degree < 2)
            assert_non_null(strstr(cosim->degraded[0], "mass"));
        ms_cosim_destroy(&cosim);
        support_finish(system, &options, x, NULL);
        support_reference(system, 5.0, reference);
        previous = fmax(previous, support_distance(2, x, reference));
        assert_true(previous < 1e-2);
    }
    ms_system_destroy(&system);
}

/* y = g(x, L y) at every communication, which outputs as they come are not. */
static void consistent_outputs_are_consistent(void **state)
{
    (void)state;
    ms_system *system = support_system("mass-spring-damper", "");
    for (int consistent = 0; consistent < 2; consistent++) {
        char text[160];
        snprintf(text, sizeof text, "scheme=f3ornits outputs=%s step-size=0.01 stop-time=3",
                 consistent ? "consistent" : "inconsistent");
        const ms_options options = support_options(text);
        ms_cosim *cosim = support_cosim(system, &options);
        double largest = 0.0, u[16] = {0.0}, y[16] = {0.0};
        assert_int_equal(ms_cosim_start(cosim), MS_OK);
        for (int n = 0; n < 100; n++) {
            assert_int_equal(ms_cosim_step(cosim, 0.0, 0.0), MS_OK);
            const f3_data *data = cosim->scheme_data;
            ms_system_couple(system, cosim->y, u);
            for (int i = 0; i < system->n; i++)
                ms_instance_outputs(cosim->instance[i], data->clock[i].reached, u + system->u_at[i], NULL,
                                    y + system->y_at[i]);
            for (int j = 0; j < system->ny; j++)
                largest = fmax(largest, fabs(y[j] - cosim->y[j]));
        }
        assert_true(consistent ? largest <= 1e-12 : largest > 1e-6);
        ms_cosim_destroy(&cosim);
    }
    ms_system_destroy(&system);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"smooth-coupling=c0",
                                        "smooth-subsystems=mass",
                                        "smooth-coupling=c1 smooth-subsystems=nobody",
                                        "min-step=1 max-step=0.5",
                                        "mask=spring:step=0.05 mask=mass:step=0.08 stop-time=20",
                                        "mask=spring:step=0.07 stop-time=20 scheduler=asynchronous",
                                        "outputs=corrected",
                                        "outputs=consistent scheduler=asynchronous",
                                        "extrapolation-order=1",
                                        "error-controlled=richardson"};
    static const char *const named[] = {"c0",
                                        "smooth-subsystems",
                                        "nobody",
                                        "min-step",
                                        "asynchronous",
                                        "stop-time",
                                        "outputs",
                                        "outputs",
                                        "extrapolation-order",
                                        "error-controlled"};
    ms_system *system = support_system("spring-mass", "");
    for (int k = 0; k < MS_COUNT(texts); k++) {
        char text[160], line[512];
        snprintf(text, sizeof text, "scheme=f3ornits %s", texts[k]);
        const ms_options options = support_options(text);
        assert_true(support_refusal(system, &options, line, sizeof line) < 0);
        support_says(line, named[k]);
    }
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extrapolation_is_divided_differences),
        cmocka_unit_test(constrained_least_squares_are_those_of_gsl),
        cmocka_unit_test(degree_0_is_the_same_in_both_modes),
        cmocka_unit_test(the_order_function_finds_the_degree),
        cmocka_unit_test(the_order_function_on_signals),
        cmocka_unit_test(damped_bounds_by_hand),
        cmocka_unit_test(a_degraded_input_keeps_its_moments),
        cmocka_unit_test(smooth_inputs_meet_the_four_conditions),
        cmocka_unit_test(imposed_steps_need_not_be_multiples),
        cmocka_unit_test(equal_steps_give_equal_bits),
        cmocka_unit_test(a_step_taken_again_gives_the_same_bits),
        cmocka_unit_test(equal_steps_have_order_3),
        cmocka_unit_test(a_given_degree_is_kept),
        cmocka_unit_test(without_any_freedom_it_holds_inputs),
        cmocka_unit_test(capabilities_degrade_it),
        cmocka_unit_test(consistent_outputs_are_consistent),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
