/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_explicit_balance.c - balance correction: what it is equal to, what it gains, what it balances. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/scheme_registry.h>
#include "cosim_segments.h"
#include "support.h"
#include "unit_test.h"

static const char *const hats[] = {"box", "triangle", "smooth"};

/* States (2) of spring-mass or moshagen-2x2 after a run. */
static void final(const ms_system *system, const char *text, double H, int macro_steps, double *x)
{
    char times[96];
    ms_options options = support_options(text);
    snprintf(times, sizeof times, "step-size=%.17g stop-time=%.17g", H, macro_steps * H);
    support_options_add(&options, times);
    support_finish(system, &options, x, NULL);
}

static void with_hat(char text[128], const char *options, const char *hat)
{
    snprintf(text, 128, "scheme=balance %s balance-hat=%s", options, hat);
}

/* On integrators the state after a macro-step depends on the integral of the input alone, and the output y = C x on its first
 * moment: a hat of integral 1 whose mean is H/2 feeds e = int y - H y_n back, and y_n + e_{n-1}/H is, in the integral and in the
 * first moment that reaches the outputs, what the line through y_{n-1} and y_n is. */
static void constant_extrapolation_on_integrators_becomes_linear(void **state)
{
    (void)state;
    static const char *const settings[] = {"", "m=2.5 c=0.7"};
    for (int s = 0; s < MS_COUNT(settings); s++) {
        ms_system *system = support_system("spring-mass", settings[s]);
        for (int steps = 1; steps <= 400; steps += steps < 10 ? 1 : 130) {
            double linear[2], x[2];
            final(system, "extrapolation-order=1 start=hold", 0.1, steps, linear);
            for (int k = 0; k < MS_COUNT(hats); k++) {
                char text[128];
                with_hat(text, "extrapolation-order=0", hats[k]);
                final(system, text, 0.1, steps, x);
                if (!(support_distance(2, x, linear) <= 1e-12))
                    fail_msg("%s hat, %d macro-steps: off by %g", hats[k], steps,
                             support_distance(2, x, linear));
            }
        }
        ms_system_destroy(&system);
    }
}

/* With a diagonal the moments do matter. */
static void with_a_diagonal_it_does_not(void **state)
{
    (void)state;
    ms_system *system = support_system("moshagen-2x2", "a11=-1 a12=1 a21=-1 a22=-0.5");
    double linear[2], x[3][2];
    final(system, "extrapolation-order=1 start=hold", 0.1, 200, linear);
    for (int k = 0; k < 3; k++) {
        char text[128];
        with_hat(text, "extrapolation-order=0", hats[k]);
        final(system, text, 0.1, 20, x[k]);
        final(system, "extrapolation-order=1 start=hold", 0.1, 20, linear);
        assert_true(support_distance(2, x[k], linear) > 1e-6);
    }
    assert_true(support_distance(2, x[0], x[1]) > 1e-9);
    assert_true(support_distance(2, x[0], x[2]) > 1e-9);
    assert_true(support_distance(2, x[1], x[2]) > 1e-9);
    ms_system_destroy(&system);
}

/* Order from the errors at the end for H and H/2. */
static double observed(const ms_system *system, const char *text, double H, int macro_steps)
{
    double x[2], reference[2], error[2];
    support_reference(system, macro_steps * H, reference);
    for (int k = 0; k < 2; k++) {
        final(system, text, H / (k + 1), macro_steps * (k + 1), x);
        error[k] = hypot(x[0] - reference[0], x[1] - reference[1]);
    }
    return log2(error[0] / error[1]);
}

static void check_order(const ms_system *system, const char *text, int claimed)
{
    const ms_options options = support_options(text);
    ms_variant variant;
    assert_int_equal(ms_variant_of_options(&options, &variant, NULL), MS_OK);
    assert_int_equal(variant.scheme->order(&variant), claimed);
    const double order = observed(system, text, 0.01, 200);
    if (!(fabs(order - claimed) <= 0.1))
        fail_msg("%s: order %.2f, claimed %d", text, order, claimed);
}

static void the_raw_error_gains_an_order_and_the_used_one_does_not(void **state)
{
    (void)state;
    static const char *const models[] = {"spring-mass", "moshagen-2x2"};
    static const char *const settings[] = {"", "case=mutual a11=-1 a22=-0.5"};
    for (int s = 0; s < MS_COUNT(models); s++) {
        ms_system *system = support_system(models[s], settings[s]);
        for (int k = 0; k < MS_COUNT(hats); k++)
            for (int order = 0; order <= 1; order++) {
                char base[96], text[128];
                snprintf(base, sizeof base, "extrapolation-order=%d derivatives=analytic outputs=consistent",
                         order);
                with_hat(text, base, hats[k]);
                check_order(system, text, order + 2);
                snprintf(base, sizeof base, "extrapolation-order=%d balance-error=used", order);
                with_hat(text, base, hats[k]);
                check_order(system, text, order + 1);
                snprintf(base, sizeof base, "extrapolation-order=%d balance-steps=3", order);
                with_hat(text, base, hats[k]);
                check_order(system, text, order + 2);
            }
        ms_system_destroy(&system);
    }
}

/* The spring integrates its input: s - s_0 is what it received, and int v what the mass sent. The difference is what is
 * still to be fed back: (N - m)/N of e_{n-m}. */
static void nothing_is_lost(void **state)
{
    (void)state;
    for (int steps = 1; steps <= 3; steps += 2)
        for (int k = 0; k < MS_COUNT(hats); k++) {
            char text[128];
            snprintf(text, sizeof text,
                     "scheme=balance balance-hat=%s balance-steps=%d step-size=0.2 stop-time=20", hats[k],
                     steps);
            ms_system *system = support_system("spring-mass", "m=2");
            const ms_options options = support_options(text);
            ms_cosim *cosim = support_cosim(system, &options);
            assert_int_equal(ms_cosim_start(cosim), MS_OK);
            const double *errors = cosim->scheme_lin + system->ny; /* behind the outputs of order 0 */
            double sent = 0.0, open = 0.0;
            for (int n = 0; n < 100; n++) {
                assert_int_equal(ms_cosim_step(cosim, 0.2 * n, 0.2), MS_OK);
                sent += ms_instance_integrals(cosim->instance[1])[0];
            }
            for (int m = 0; m < steps; m++)
                open += errors[m * system->ny + 1] * (steps - m) / steps;
            assert_true(fabs(open) > 1e-4);
            support_near(cosim->x[0] - 1.0 + open, sent, 1e-12);
            ms_cosim_destroy(&cosim);
            ms_system_destroy(&system);
        }
}

/* Integrals (2) over the last macro-step of the inputs, and of what they stand for, u = L y, by three Gauss points:
 * the integrands are held or smooth. Both models have no feed-through and one output a subsystem. */
static void integrals(const ms_cosim *cosim, double H, double *used, double *wanted)
{
    static const double at[] = {0.11270166537925831, 0.5, 0.88729833462074169}, weight[] = {5.0, 8.0, 5.0};
    const ms_system *s = cosim->system;
    const ms_segment *segment = &cosim->segment[0];
    assert_true(s->n == 2 && s->nx == 2 && s->ny == 2 && s->nu == 2 && cosim->n_segments == 1);
    memset(used, 0, 2 * sizeof *used);
    memset(wanted, 0, 2 * sizeof *wanted);
    for (int k = 0; k < 3; k++) {
        const int sample = ms_cosim_sample_index(cosim, at[k]);
        double y[2], u[2];
        for (int i = 0; i < 2; i++)
            y[i] = s->blocks[i].C[0] * segment->samples[2 * sample + i];
        ms_system_couple(s, y, u);
        for (int j = 0; j < 2; j++) {
            used[j] += weight[k] / 18.0 * H * segment->inputs[2 * sample + j];
            wanted[j] += weight[k] / 18.0 * H * u[j];
        }
    }
}

/* (13) counts E = int u - int ubar, with the correction inside ubar. From the inputs of a run alone: `raw` feeds back
 * what has accumulated of it, `used` the newest one. */
static void check_reading_of_13(const char *model, const char *settings, bool raw)
{
    enum { STEPS = 60 };
    static const double at[] = {0.11270166537925831, 0.5, 0.88729833462074169}, H = 0.2;
    ms_system *system = support_system(model, settings);
    const ms_options options =
        support_options_of("scheme=balance balance-error=%s step-size=0.2", raw ? "raw" : "used");
    ms_cosim *cosim = support_cosim(system, &options);
    double accumulated[2] = {0.0}, newest[2] = {0.0}, apart = 0.0;
    assert_int_equal(ms_cosim_sample(cosim, MS_COUNT(at), at), MS_OK);
    assert_int_equal(ms_cosim_start(cosim), MS_OK);
    for (int n = 0; n < STEPS; n++) {
        double held[2], used[2], wanted[2];
        ms_system_couple(system, cosim->y, held);
        assert_int_equal(ms_cosim_step(cosim, H * n, H), MS_OK);
        ms_cosim_record_segment(cosim, 0, H * n, H);
        integrals(cosim, H, used, wanted);
        for (int j = 0; j < 2; j++) {
            const double fed_back = used[j] - H * held[j];
            support_near(fed_back, raw ? accumulated[j] : newest[j], 1e-10);
            apart = fmax(apart, fabs(accumulated[j] - newest[j]));
            newest[j] = wanted[j] - used[j];
            accumulated[j] += newest[j];
        }
    }
    assert_true(apart > 1e-3);
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
}

static void the_raw_error_is_what_has_accumulated_of_13(void **state)
{
    (void)state;
    for (int raw = 0; raw < 2; raw++) {
        check_reading_of_13("spring-mass", "m=2.5 c=0.7", raw);
        check_reading_of_13("moshagen-2x2", "case=mutual a11=-1 a22=-0.5", raw);
    }
}

static void a_step_taken_again_gives_the_same_bits(void **state)
{
    (void)state;
    static const char *const members[] = {"extrapolation-order=2 smooth-coupling=c1 balance-steps=3",
                                          "extrapolation-order=1 derivatives=analytic outputs=corrected",
                                          "smooth-coupling=c0 balance-error=used balance-steps=8"};
    ms_system *system = support_system("mass-spring-damper", "");
    for (int k = 0; k < MS_COUNT(hats); k++) {
        char text[128];
        with_hat(text, members[k], hats[k]);
        const ms_options options = support_options(text);
        ms_cosim *cosim = support_cosim(system, &options);
        assert_int_equal(ms_cosim_start(cosim), MS_OK);
        support_steps(cosim, 0, 4, 0.05);
        double *before = support_state(cosim);
        support_steps(cosim, 4, 5, 0.05);
        double *once = support_state(cosim);
        assert_int_equal(ms_cosim_step(cosim, 0.25, 0.1), MS_OK);
        ms_cosim_restore(cosim, before);
        support_steps(cosim, 4, 5, 0.05);
        support_has_state(cosim, once, text);
        free(once);
        free(before);
        ms_cosim_destroy(&cosim);
    }
    ms_system_destroy(&system);
}

/* The order of the subsystems is a name for the same thing, and so are wires into one input (quarter-car). */
static void permuted_subsystems_give_the_same_states(void **state)
{
    (void)state;
    static const int order[] = {1, 0};
    ms_system *system = support_system("quarter-car", "");
    ms_system *permuted = support_permuted(system, order);
    for (int k = 0; k < MS_COUNT(hats); k++) {
        double x[4], y[4];
        char text[128];
        with_hat(text, "extrapolation-order=1 smooth-coupling=c0", hats[k]);
        final(system, text, 0.005, 200, x);
        final(permuted, text, 0.005, 200, y);
        for (int j = 0; j < 4; j++)
            support_near(y[(j + 2) % 4], x[j], 1e-12);
    }
    ms_system_destroy(&permuted);
    ms_system_destroy(&system);
}

static void it_goes_with_step_control(void **state)
{
    (void)state;
    ms_system *system = support_system("spring-mass", "");
    ms_options options =
        support_options("scheme=balance extrapolation-order=1 error-controlled rtol=1e-6 atol=1e-8 "
                        "balance-hat=smooth step-size=0.001 stop-time=2");
    double x[2], reference[2];
    support_finish(system, &options, x, NULL);
    support_reference(system, 2.0, reference);
    assert_true(support_distance(2, x, reference) <= 1e-4);
    ms_system_destroy(&system);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    ms_system *system = support_system("spring-mass", "");
    support_system_refuses(system, "scheme=balance sequence=mass,spring", MS_INVALID, "`sequence`");
    support_system_refuses(system, "scheme=jacobi balance-hat=box", MS_INVALID, "");
    support_system_refuses(system, "scheme=gauss-seidel balance-error=raw", MS_INVALID, "");
    support_system_refuses(system, "scheme=balance balance-hat=smooth mask=*:input-degree=3", MS_UNSUPPORTED,
                           "`balance-hat` box");
    double x[2];
    final(system, "scheme=balance mask=*:input-degree=0", 0.1, 10, x);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constant_extrapolation_on_integrators_becomes_linear),
        cmocka_unit_test(with_a_diagonal_it_does_not),
        cmocka_unit_test(the_raw_error_gains_an_order_and_the_used_one_does_not),
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(the_raw_error_is_what_has_accumulated_of_13),
        cmocka_unit_test(a_step_taken_again_gives_the_same_bits),
        cmocka_unit_test(permuted_subsystems_give_the_same_states),
        cmocka_unit_test(it_goes_with_step_control),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
