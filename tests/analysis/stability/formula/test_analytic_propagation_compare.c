/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_analytic_propagation_compare.c - a probe may be off by 1e-8 times the condition, relative to the larger of 1 and its size, and no more. */
#include <math.h>
#include <stdlib.h>

#include "random_system.h"
#include "support.h"
#include "unit_test.h"

enum { SYSTEMS = 40 };

/* Held inputs: no slopes in the memory, so that all entries are of one scale. */
static void the_bound_is_that_of_the_condition(void **state)
{
    (void)state;
    const ms_options options = support_options("extrapolation-order=0");
    unsigned long long seed = 23;
    int large = 0;
    for (int trial = 0; trial < SYSTEMS; trial++) {
        support_random_system s = support_random_system_next(&seed);
        ms_analytic_propagation *formula = NULL;
        ms_error error = {""};
        assert_int_equal(ms_analytic_propagation_create(s.system, &options, &formula, &error), MS_OK);
        const int n = ms_analytic_propagation_dimension(formula);
        double *psi = malloc(2 * sizeof *psi * (size_t)(n * n)), *probe = psi + n * n, condition, norm;
        assert_non_null(psi);
        assert_int_equal(ms_analytic_propagation_evaluate(formula, s.h, psi), MS_OK);
        assert_int_equal(ms_analytic_propagation_condition(formula, s.h, psi, &condition), MS_OK);
        assert_true(condition >= 1.0);
        norm = support_random_system_frobenius((size_t)n, psi);
        large += norm > 1.5;
        for (int k = 0; k < 2; k++) { /* one entry is off */
            for (int e = 0; e < n * n; e++)
                probe[e] = psi[e];
            probe[trial % (n * n)] += (k == 0 ? 0.9e-8 : 1.1e-8) * condition * fmax(1.0, norm);
            assert_int_equal(ms_analytic_propagation_compare(formula, s.h, psi, n, probe, &error),
                             k == 0 ? MS_OK : MS_DISAGREE);
        }
        assert_int_equal(ms_analytic_propagation_compare(formula, s.h, psi, n + 1, probe, &error),
                         MS_DISAGREE);
        free(psi);
        ms_analytic_propagation_destroy(&formula);
        support_random_system_drop(&s);
    }
    assert_true(large > SYSTEMS / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bound_is_that_of_the_condition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
