/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_explicit_random.c - properties of the explicit family on random linear systems of 2 to 5 subsystems. The seed is fixed. */
#include <math.h>
#include <stdio.h>

#include "random_system.h"
#include "support.h"
#include "unit_test.h"

enum { SYSTEMS = 200, SUBSYSTEMS = SUPPORT_RANDOM_SYSTEM_SUBSYSTEMS, STATES = SUPPORT_RANDOM_SYSTEM_TOTAL };

/* Of entries of order 1, so that errors at t = 1 are small. */
static const support_random_shape shape = {.subsystems = {2, SUBSYSTEMS},
                                           .states = {0, SUPPORT_RANDOM_SYSTEM_SIZE},
                                           .step = 0.0625,
                                           .stiffness = 0.1,
                                           .feed_through = 0.4,
                                           .missing = 0.3};

/* Final states and outputs of a variant with given outputs; both within STATES. */
static void final(const ms_system *system, const char *text, const char *more, double *x, double *y)
{
    ms_options options = support_options(text);
    support_options_add(&options, more);
    support_finish(system, &options, x, y);
}

static void every_variant_steps_and_corrected_is_consistent(void **state)
{
    (void)state;
    unsigned long long seed = 31;
    for (int n = 0; n < support_ensemble(SYSTEMS); n++) {
        support_random_system s = support_random_system_of(&shape, &seed);
        support_variant variant;
        for (int k = 0; support_variant_at(k, &variant); k++) {
            double x[STATES], y[STATES], x_corrected[STATES], y_corrected[STATES];
            final(s.system, variant.text, "stop-time=0.5", x, y);
            for (int j = 0; j < s.system->nx; j++)
                assert_true(isfinite(x[j]));
            if (variant.outputs != MS_OUTPUTS_CONSISTENT || variant.analytic)
                continue;
            final(s.system, variant.text, "stop-time=0.5 outputs=corrected", x_corrected, y_corrected);
            const double off = fmax(support_distance(s.system->nx, x_corrected, x),
                                    support_distance(s.system->ny, y_corrected, y));
            if (!(off <= 1e-10))
                fail_msg("system %d, %s: corrected is off by %g", n, variant.text, off);
        }
        support_random_system_drop(&s);
    }
}

static void variants_converge_to_the_monolithic_solution(void **state)
{
    (void)state;
    unsigned long long seed = 32;
    for (int n = 0; n < support_ensemble(SYSTEMS); n++) {
        support_random_system s = support_random_system_of(&shape, &seed);
        double reference[STATES], x[STATES];
        support_variant variant;
        support_reference(s.system, 1.0, reference);
        for (int k = n % 7; support_variant_at(k, &variant); k += 7) {
            if (variant.outputs == MS_OUTPUTS_INCONSISTENT)
                continue;
            double error[2];
            for (int fine = 0; fine < 2; fine++) {
                final(s.system, variant.text,
                      fine ? "stop-time=1 step-size=0.00390625" : "stop-time=1 step-size=0.015625", x, NULL);
                error[fine] = support_distance(s.system->nx, x, reference);
            }
            /* a quarter of the step: at least 2.5 times less, where neither is round-off */
            if (!(error[1] <= fmax(0.4 * error[0], 1e-12) && error[1] < 0.1))
                fail_msg("system %d, %s: error %g after %g", n, variant.text, error[1], error[0]);
        }
        support_random_system_drop(&s);
    }
}

static void subsystems_stand_in_any_order(void **state)
{
    (void)state;
    unsigned long long seed = 33;
    for (int n = 0; n < support_ensemble(SYSTEMS); n++) {
        support_random_system s = support_random_system_of(&shape, &seed);
        const int count = s.system->n;
        int order[SUBSYSTEMS];
        for (int i = 0; i < count; i++)
            order[i] = count - 1 - i;
        ms_system *reversed = support_permuted(s.system, order);
        support_variant variant;
        for (int k = 0; support_variant_at(k, &variant) && !variant.gauss_seidel; k += 2) {
            double x[STATES], x_reversed[STATES];
            final(s.system, variant.text, "stop-time=0.25", x, NULL);
            final(reversed, variant.text, "stop-time=0.25", x_reversed, NULL);
            for (int i = 0; i < count; i++) {
                const int at = s.system->x_at[i], there = reversed->x_at[count - 1 - i];
                if (!(support_distance(s.system->sub[i].nx, x + at, x_reversed + there) <= 1e-10))
                    fail_msg("system %d, %s: the order of subsystems matters", n, variant.text);
            }
        }
        ms_system_destroy(&reversed);
        support_random_system_drop(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_variant_steps_and_corrected_is_consistent),
                                       cmocka_unit_test(variants_converge_to_the_monolithic_solution),
                                       cmocka_unit_test(subsystems_stand_in_any_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
