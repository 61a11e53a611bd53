/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_explicit_identities.c - variants that must agree with each other, to round-off or to the bit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include "support.h"
#include "unit_test.h"

enum { STATES = 64, MACRO_STEPS = 50 };

typedef struct subject {
    const char *model, *settings;
    double H;
} subject;

static const subject subjects[] = {{"linear-pair", "case=stable-linear", 0.02},
                                   {"linear-pair", "d1=4 d2=-3", 0.02},
                                   {"mass-spring-damper", "", 0.05},
                                   {"quarter-car", "", 0.002},
                                   {"mass-chain", "masses=7", 0.05}};

/* States and outputs after MACRO_STEPS steps; x has room for STATES of each. */
static void final(const ms_system *system, const char *text, double H, double *x, double *y)
{
    char times[96];
    ms_options options = support_options(text);
    snprintf(times, sizeof times, "step-size=%.17g stop-time=%.17g", H, MACRO_STEPS * H);
    support_options_add(&options, times);
    assert_true(system->nx <= STATES && system->ny <= STATES);
    support_finish(system, &options, x, y);
}

/* The text of a variant with other outputs. */
static void with_outputs(const support_variant *variant, const char *outputs, char *text, size_t size)
{
    snprintf(text, size, "%s", variant->text);
    snprintf(text + strlen(text), size - strlen(text), " outputs=%s", outputs);
}

/* Section 6.2: in the linear case, Algorithm 5 is the consistent approach. */
static void corrected_is_consistent_on_linear_models_from_past_values(void **state)
{
    (void)state;
    support_variant variant;
    for (int s = 0; s < MS_COUNT(subjects); s++) {
        ms_system *system = support_system(subjects[s].model, subjects[s].settings);
        for (int k = 0; support_variant_at(k, &variant); k++) {
            double x[STATES], y[STATES], x_corrected[STATES], y_corrected[STATES];
            char text[256];
            if (variant.analytic || variant.outputs != MS_OUTPUTS_CONSISTENT)
                continue;
            final(system, variant.text, subjects[s].H, x, y);
            with_outputs(&variant, "corrected", text, sizeof text);
            final(system, text, subjects[s].H, x_corrected, y_corrected);
            const double off = fmax(support_distance(system->nx, x_corrected, x),
                                    support_distance(system->ny, y_corrected, y));
            if (!(off <= 1e-12))
                fail_msg("%s %s: corrected is off by %g", subjects[s].model, variant.text, off);
        }
        ms_system_destroy(&system);
    }
}

/* f is taken at extrapolated instead of solved inputs, so the slopes differ by what the extrapolation
 * misses. */
static void with_analytic_derivatives_corrected_only_approaches_consistent(void **state)
{
    (void)state;
    ms_system *system = support_system("linear-pair", "case=stable");
    for (int order = 1; order <= 2; order++) {
        double off[3];
        for (int k = 0; k < 3; k++) {
            double x[2][STATES];
            for (int o = 0; o < 2; o++) {
                char text[160];
                snprintf(
                    text, sizeof text,
                    "extrapolation-order=%d derivatives=analytic outputs=%s step-size=%.17g stop-time=0.5",
                    order, o == 0 ? "consistent" : "corrected", ldexp(1.0, -8 - k));
                const ms_options options = support_options(text);
                support_finish(system, &options, x[o], NULL);
            }
            off[k] = support_distance(system->nx, x[0], x[1]);
            assert_true(off[k] > 1e-12);
        }
        /* An error of order H^(order+1) in x' at T_n enters y' and so the states once more times H / 2, at
         * every one of 1/H steps: order + 2 in all. */
        const double slope = 2.0 * log2(off[1] / off[2]) - log2(off[0] / off[1]);
        if (!(fabs(slope - (order + 2)) < 0.15))
            fail_msg("order %d: the difference falls with order %.2f", order, slope);
    }
    ms_system_destroy(&system);
}

static void without_feed_through_all_outputs_are_the_same(void **state)
{
    (void)state;
    support_variant variant;
    for (int s = 3; s < MS_COUNT(subjects); s++) {
        ms_system *system = support_system(subjects[s].model, subjects[s].settings);
        for (int k = 0; support_variant_at(k, &variant); k++) {
            double x[STATES], y[STATES], x_other[STATES], y_other[STATES];
            char text[256];
            if (variant.outputs != MS_OUTPUTS_INCONSISTENT ||
                variant.analytic) /* D = 0: (6.7) and (6.17) are one */
                continue;
            final(system, variant.text, subjects[s].H, x, y);
            for (int o = 0; o < 2; o++) {
                with_outputs(&variant, o == 0 ? "consistent" : "corrected", text, sizeof text);
                final(system, text, subjects[s].H, x_other, y_other);
                assert_memory_equal(x, x_other, sizeof(double) * (size_t)system->nx);
                assert_memory_equal(y, y_other, sizeof(double) * (size_t)system->ny);
            }
        }
        ms_system_destroy(&system);
    }
}

/* Permutation -------------------------------------------------------------------------------------------- */

/* A random order of n subsystems. */
static void shuffle(int n, int *order, unsigned long long *seed)
{
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int i = n - 1; i > 0; i--) {
        const int j = (int)((support_random(seed) + 1.0) * 0.5 * (i + 1)), swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
}

/* x of the permuted system in the order of the first. */
static void put_back(const ms_system *system, const ms_system *permuted, const int *order, const double *x,
                     double *back)
{
    for (int i = 0; i < system->n; i++)
        memcpy(back + system->x_at[order[i]], x + permuted->x_at[i],
               sizeof(double) * (size_t)permuted->sub[i].nx);
}

static void compare_orders(const ms_system *system, const char *text, double H, double tolerance,
                           unsigned long long *seed)
{
    double x[STATES], y[STATES], x_other[STATES], y_other[STATES], back[STATES];
    int order[STATES];
    final(system, text, H, x, y);
    for (int trial = 0; trial < 4; trial++) {
        shuffle(system->n, order, seed);
        ms_system *permuted = support_permuted(system, order);
        final(permuted, text, H, x_other, y_other);
        put_back(system, permuted, order, x_other, back);
        if (tolerance == 0.0)
            assert_memory_equal(back, x, sizeof(double) * (size_t)system->nx);
        else if (!(support_distance(system->nx, back, x) <= tolerance))
            fail_msg("%s: another order of subsystems is off by %g", text,
                     support_distance(system->nx, back, x));
        ms_system_destroy(&permuted);
    }
}

static void jacobi_does_not_depend_on_the_order_of_subsystems(void **state)
{
    (void)state;
    unsigned long long seed = 11;
    support_variant variant;
    for (int s = 2; s < MS_COUNT(subjects); s++) {
        ms_system *system = support_system(subjects[s].model, subjects[s].settings);
        for (int k = 0; support_variant_at(k, &variant) && !variant.gauss_seidel; k++)
            compare_orders(system, variant.text, subjects[s].H,
                           variant.outputs == MS_OUTPUTS_INCONSISTENT ? 0.0 : 1e-12, &seed);
        ms_system_destroy(&system);
    }
}

/* Gauss-Seidel with --sequence is Gauss-Seidel on the permuted model. */
static void the_order_option_is_the_order_of_the_sweep(void **state)
{
    (void)state;
    ms_system *system = support_system("mass-chain", "masses=7");
    const int order[] = {6, 2, 0, 4, 5, 1, 3};
    ms_system *permuted = support_permuted(system, order);
    support_variant variant;
    for (int k = 45; support_variant_at(k, &variant); k++) {
        double x[STATES], y[STATES], back[STATES], x_other[STATES];
        char text[256];
        assert_true(variant.gauss_seidel);
        snprintf(text, sizeof text, "%s sequence=mass7,mass3,mass1,mass5,mass6,mass2,mass4", variant.text);
        final(system, text, 0.05, x, y);
        final(permuted, variant.text, 0.05, x_other, y);
        put_back(system, permuted, order, x_other, back);
        if (variant.outputs == MS_OUTPUTS_INCONSISTENT)
            assert_memory_equal(back, x, sizeof(double) * (size_t)system->nx);
        else
            assert_true(support_distance(system->nx, back, x) <= 1e-12);
        final(system, variant.text, 0.05, x_other, y);
        assert_true(support_distance(system->nx, x_other, x) > 1e-9); /* and the order matters */
    }
    ms_system_destroy(&permuted);
    ms_system_destroy(&system);
}

/* A chain 1 -> 2 of one direction: in its order Gauss-Seidel feeds subsystem 2 with what Jacobi has a step
 * later. */
static void a_last_subsystem_sees_the_interpolant_of_the_first(void **state)
{
    (void)state;
    ms_system *system = support_system("moshagen-2x2", "case=one-directional");
    double exact[2], forward[2], backward[2], jacobi[2];
    support_reference(system, 2.0, exact);
    const ms_options to =
        support_options("scheme=gauss-seidel sequence=s1,s2 extrapolation-order=1 step-size=0.05");
    const ms_options fro =
        support_options("scheme=gauss-seidel sequence=s2,s1 extrapolation-order=1 step-size=0.05");
    const ms_options both = support_options("extrapolation-order=1 step-size=0.05");
    support_finish(system, &to, forward, NULL);
    support_finish(system, &fro, backward, NULL);
    support_finish(system, &both, jacobi, NULL);
    assert_true(support_distance(1, forward, exact) < 1e-13); /* s1 has no input that counts */
    assert_memory_equal(backward, jacobi, sizeof jacobi);     /* s2 sees nothing new */
    assert_true(fabs(forward[1] - exact[1]) < 0.3 * fabs(jacobi[1] - exact[1])); /* -1/12 against 5/12 */
    ms_system_destroy(&system);
}

/* Uneven steps ------------------------------------------------------------------------------------------- */

/* States of `follower` and `source` after uneven steps, where the source's output is a polynomial of the
 * given degree, y = 1 + t + t^2 + .., that the follower integrates. Returns the distance to the exact
 * states. */
static double follow(const char *variant, int degree)
{
    static const double step[] = {0.1, 0.03, 0.2, 0.07, 0.07, 0.07, 0.3, 0.011};
    char text[512];
    snprintf(text, sizeof text,
             "{\"subsystems\": [{\"name\": \"source\", \"A\": [[0,1,0,0],[0,0,1,0],[0,0,0,1],[0,0,0,0]], "
             "\"B\": [[0],[0],[0],[0]], \"C\": [[1,0,0,0]], \"x0\": [1,%d,%d,%d]}, "
             "{\"name\": \"follower\", \"A\": [[0]], \"B\": [[1]], \"C\": [[1]]}], "
             "\"L\": [[0,1],[1,0]], \"end\": 2, \"step_size\": 0.1}",
             degree > 0 ? 1 : 0, degree > 1 ? 2 : 0, degree > 2 ? 6 : 0);
    ms_model *model = support_model_read(text);
    ms_system *system = support_system_of(model);
    const ms_options options = support_options(variant);
    ms_cosim *cosim = support_cosim(system, &options);
    double t = 0.0, exact[5];
    assert_int_equal(ms_cosim_start(cosim), MS_OK);
    for (int n = 0; n < 3 * MS_COUNT(step); n++) {
        const double h = step[n % MS_COUNT(step)];
        assert_int_equal(ms_cosim_step(cosim, t, h), MS_OK);
        t += h;
    }
    support_reference(system, t, exact);
    const double off = support_distance(5, cosim->x, exact);
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
    return off;
}

static void polynomials_of_the_order_are_followed_exactly_over_uneven_steps(void **state)
{
    (void)state;
    support_variant variant;
    for (int k = 0; support_variant_at(k, &variant); k++) {
        const double same = follow(variant.text, variant.order),
                     higher = follow(variant.text, variant.order + 1);
        if (!(same <= 1e-12))
            fail_msg("%s: off by %g for polynomials of degree %d", variant.text, same, variant.order);
        if (!variant.gauss_seidel && !(higher > 1e-6)) /* or the test would see nothing */
            fail_msg("%s: off by %g only for polynomials of degree %d", variant.text, higher,
                     variant.order + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corrected_is_consistent_on_linear_models_from_past_values),
        cmocka_unit_test(with_analytic_derivatives_corrected_only_approaches_consistent),
        cmocka_unit_test(without_feed_through_all_outputs_are_the_same),
        cmocka_unit_test(jacobi_does_not_depend_on_the_order_of_subsystems),
        cmocka_unit_test(the_order_option_is_the_order_of_the_sweep),
        cmocka_unit_test(a_last_subsystem_sees_the_interpolant_of_the_first),
        cmocka_unit_test(polynomials_of_the_order_are_followed_exactly_over_uneven_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
