/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_analytic_propagation_zeros.c - what nothing leads to is zero in the matrices by formula, and not nearly so. */
#include <math.h>
#include <stdlib.h>

#include "random_system.h"
#include "support.h"
#include "unit_test.h"

enum { SYSTEMS = 40 };

/* Inputs without wires, subsystems that nobody reads, one half of a block triangular system. */
static void entries_are_zero_or_they_are_not(void **state)
{
    (void)state;
    static const char *const texts[] = {"scheme=jacobi extrapolation-order=2",
                                        "scheme=jacobi smooth-coupling=c1 extrapolation-order=1",
                                        "scheme=gauss-seidel extrapolation-order=1",
                                        "scheme=strang",
                                        "scheme=multirate extrapolation-order=1",
                                        "scheme=multirate points=common",
                                        "scheme=multirate points=common substeps=*=2"};
    unsigned long long seed = 17;
    int zeros = 0;
    for (int trial = 0; trial < SYSTEMS; trial++) {
        support_random_system s = support_random_system_next(&seed);
        for (int k = 0; k < MS_COUNT(texts); k++) {
            const ms_options options = support_options(texts[k]);
            ms_analytic_propagation *formula = NULL;
            ms_error error = {""};
            if (ms_analytic_propagation_create(s.system, &options, &formula, &error) != MS_OK)
                continue; /* strang: not with feed-through */
            const int n = ms_analytic_propagation_dimension(formula);
            double *psi = malloc(sizeof *psi * (size_t)(n * n));
            assert_non_null(psi);
            assert_int_equal(ms_analytic_propagation_evaluate(formula, s.h, psi), MS_OK);
            for (int e = 0; e < n * n; e++) {
                zeros += psi[e] == 0.0;
                if (psi[e] != 0.0 && fabs(psi[e]) < 1e-100)
                    fail_msg("%s: the entry %d of %d x %d is %g", texts[k], e, n, n, psi[e]);
            }
            free(psi);
            ms_analytic_propagation_destroy(&formula);
        }
        support_random_system_drop(&s);
    }
    assert_true(zeros > SYSTEMS * MS_COUNT(texts));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_zero_or_they_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
