/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_convergence_order.c - order fits on made-up errors. */
#include <math.h>
#include <stdio.h>

#include <macrostep/convergence_order.h>
#include "support.h"
#include "unit_test.h"

typedef double error_law(double h);

static double clean(double h)
{
    return 3.0 * pow(h, 2.0);
}

static double pre_asymptotic(double h) /* order 1 from afar, 2 near */
{
    return 0.02 * h + 5.0 * h * h + 40.0 * pow(h, 4.0);
}

static double rounded(double h)
{
    return 0.5 * pow(h, 3.0) + 2e-12 * (1.0 + 0.5 * sin(1000.0 / h));
}

static double vanishing(double h) /* to be cut off by the floor */
{
    return h < 1e-2 ? 0.0 : h;
}

static double
alternating(double h) /* order 2 on average, as where a corner lies now here, now there within a step */
{
    const int k = (int)lround(-log2(h));
    return h * h * (k % 2 == 0 ? 1.0 : 1.6);
}

static ms_convergence_order fit(error_law *law, int n, double floor, ms_convergence_row *rows)
{
    for (int k = 0; k < n; k++) {
        const double h = 0.5 * pow(0.5, k);
        rows[k] = (ms_convergence_row){.step_size = h, .error = law(h), .floor = floor};
    }
    return ms_convergence_fit(n, rows);
}

static void test_order_fit(void **state)
{
    (void)state;
    ms_convergence_row rows[20];
    ms_convergence_order order = fit(clean, 8, 0.0, rows);
    support_near(order.order, 2.0, 1e-12);
    support_near(order.first, 0.5, 0.0);
    support_near(order.last, 0.5 / 128.0, 0.0);
    assert_true(isnan(rows[0].slope));
    support_near(rows[1].slope, 2.0, 1e-12);
    for (int k = 0; k < 8; k++)
        assert_int_equal(rows[k].note, MS_CONVERGENCE_USED);

    order = fit(pre_asymptotic, 18, 0.0, rows); /* ends in order 1 */
    support_near(order.order, 1.0, 0.08);
    assert_int_equal(rows[0].note, MS_CONVERGENCE_PRE_ASYMPTOTIC);
    assert_int_equal(rows[5].note, MS_CONVERGENCE_PRE_ASYMPTOTIC);
    assert_int_equal(rows[17].note, MS_CONVERGENCE_USED);

    order = fit(rounded, 18, 50.0 * 3e-12, rows);
    support_near(order.order, 3.0, 0.02);
    assert_int_equal(rows[17].note, MS_CONVERGENCE_FLOOR);
    assert_true(isnan(rows[17].slope));
    assert_int_equal(rows[0].note, MS_CONVERGENCE_USED);

    order = fit(rounded, 14, 1e-12, rows); /* too low a floor: the last slopes are spoilt */
    support_near(order.order, 3.0, 0.05);
    assert_int_equal(rows[13].note, MS_CONVERGENCE_FLOOR);

    order = fit(alternating, 8, 0.0, rows); /* no slope says more than another one */
    assert_true(isnan(order.order) && isnan(order.first));
    assert_int_equal(rows[7].note, MS_CONVERGENCE_PRE_ASYMPTOTIC);

    order = fit(vanishing, 10, 0.0, rows);
    support_near(order.order, 1.0, 1e-12);
    assert_int_equal(rows[9].note, MS_CONVERGENCE_ZERO);
}

static void test_order_fit_failures(void **state)
{
    (void)state;
    ms_convergence_row rows[8];
    fit(clean, 8, 0.0, rows);
    rows[0].error = NAN;
    rows[4].error = INFINITY;
    ms_convergence_order order = ms_convergence_fit(8, rows);
    support_near(order.order, 2.0, 1e-12);
    assert_int_equal(rows[0].note, MS_CONVERGENCE_FAILED);
    assert_int_equal(rows[4].note, MS_CONVERGENCE_FAILED);
    assert_true(isnan(rows[1].slope));
    support_near(rows[5].slope, 2.0, 1e-12); /* over the gap */

    order = ms_convergence_fit(1, rows + 1);
    assert_true(isnan(order.order));
    order = ms_convergence_fit(0, rows);
    assert_true(isnan(order.order) && isnan(order.first));
    order = ms_convergence_fit(2, rows + 1);
    support_near(order.order, 2.0, 1e-12);
    rows[2].step_size = rows[1].step_size; /* no slope between equal steps */
    order = ms_convergence_fit(2, rows + 1);
    assert_true(isnan(order.order));
    for (int k = 0; k < 8; k++)
        rows[k].error = NAN;
    order = ms_convergence_fit(8, rows);
    assert_true(isnan(order.order));
    assert_string_equal(ms_convergence_note_name(MS_CONVERGENCE_USED), "");
    assert_string_equal(ms_convergence_note_name(MS_CONVERGENCE_FAILED), "failed");
}

/* Order 4 down to what an iteration leaves, and order 2 there. */
static double iterated(double h)
{
    return pow(h, 4.0) + 1e-6 * h * h;
}

/* Order 3, and what each of 1 / h micro-solver restarts adds. */
static double restarted(double h)
{
    return pow(h, 3.0) + 1e-9 / h;
}

static ms_convergence_order fit_doubtful(error_law *law, int n, double doubtful, double stalling,
                                         double expected, ms_convergence_row *rows)
{
    for (int k = 0; k < n; k++) {
        const double h = 0.25 * pow(0.5, k);
        rows[k] = (ms_convergence_row){
            .step_size = h, .error = law(h), .doubtful = doubtful, .stalling = stalling / h};
    }
    return ms_convergence_fit_expected(n, rows, expected);
}

/* What is doubtful counts while it falls as expected, or as before; the first that does not ends it. */
static void test_doubtful_rows(void **state)
{
    (void)state;
    ms_convergence_row rows[16];
    ms_convergence_order order = fit_doubtful(iterated, 16, 1e-4, 0.0, 4.0, rows);
    support_near(order.order, 4.0, 0.05);
    assert_int_equal(rows[0].note, MS_CONVERGENCE_USED);
    assert_int_equal(rows[5].note,
                     MS_CONVERGENCE_USED); /* below what is doubtful, and h^4 still 60 times the rest */
    for (int k = 9; k < 16; k++)
        assert_int_equal(rows[k].note, MS_CONVERGENCE_FLOOR);
    order = fit_doubtful(iterated, 16, 1e-4, 0.0, NAN, rows);
    support_near(order.order, 4.0, 0.05);
    assert_int_equal(rows[15].note, MS_CONVERGENCE_FLOOR);

    for (int n = 1; n < 10; n++) { /* nothing to hold on to: order 2 where 4 is expected, or nothing */
        order = fit_doubtful(clean, n, 10.0, 0.0, 4.0, rows);
        assert_true(isnan(order.order) && isnan(order.first));
        order = fit_doubtful(clean, n, 10.0, 0.0, NAN, rows);
        assert_true(isnan(order.order));
        for (int k = 0; k < n; k++)
            assert_int_equal(rows[k].note, MS_CONVERGENCE_FLOOR);
    }
    order = fit_doubtful(clean, 8, 10.0, 0.0, 2.0, rows);
    support_near(order.order, 2.0, 1e-12);
    support_near(order.first, 0.25, 0.0);
    order = fit_doubtful(clean, 8, 0.02, 0.0, 4.0,
                         rows); /* two slopes stand above: what is claimed is not needed */
    support_near(order.order, 2.0, 1e-12);
    support_near(order.last, 0.25 / 128.0, 0.0);
}

static void test_stalling_rows(void **state)
{
    (void)state;
    ms_convergence_row rows[12];
    ms_convergence_order order = fit_doubtful(restarted, 12, 0.0, 1e-7, 3.0, rows);
    support_near(order.order, 3.0, 0.1);
    assert_int_equal(rows[0].note, MS_CONVERGENCE_USED);
    for (int k = 7; k < 12; k++)
        assert_int_equal(rows[k].note, MS_CONVERGENCE_FLOOR);
    assert_true(isnan(fit_doubtful(restarted, 12, 0.0, 0.0, 3.0, rows).order)); /* it would be -1 */
    assert_int_equal(rows[11].note, MS_CONVERGENCE_RISING);
    support_near(fit_doubtful(clean, 8, 0.0, 1.0, 3.0, rows).order, 2.0,
                 1e-12); /* another order than claimed stands */
}

/* Errors that rise have no order: those of a scheme that amplifies by 1.4 a macro-step, and those of one that has diverged. */
static double amplified(double h)
{
    return 1e-3 * pow(1.4, 1.0 / h);
}

/* One step size, twice or once: no order, and no range that it would hold in. */
static void one_step_size_has_no_range(void **state)
{
    (void)state;
    ms_convergence_row rows[] = {{.step_size = 0.1, .error = 1e-2}, {.step_size = 0.1, .error = 1e-2}};
    for (int n = 1; n <= 2; n++) {
        const ms_convergence_order order = ms_convergence_fit(n, rows);
        assert_true(isnan(order.order) && isnan(order.first) && isnan(order.last));
    }
}

static void rising_errors_have_no_order(void **state)
{
    (void)state;
    ms_convergence_row rows[8];
    ms_convergence_order order = fit(amplified, 6, 0.0, rows);
    assert_true(isnan(order.order) && isnan(order.first) && isnan(order.last));
    assert_int_equal(rows[5].note, MS_CONVERGENCE_RISING);
    assert_true(rows[5].slope < -5.0);

    fit(clean, 4, 0.0, rows);
    rows[3].error = INFINITY;
    order = ms_convergence_fit(4, rows);
    assert_true(isnan(order.order));
    assert_int_equal(rows[2].note, MS_CONVERGENCE_RISING);
    assert_int_equal(rows[3].note, MS_CONVERGENCE_FAILED);
    rows[3].error = NAN; /* of another reason */
    support_near(ms_convergence_fit(4, rows).order, 2.0, 1e-12);

    fit(clean, 4, 0.0, rows);
    rows[0].error = INFINITY; /* too long a step */
    support_near(ms_convergence_fit(4, rows).order, 2.0, 1e-12);
    assert_string_equal(ms_convergence_note_name(MS_CONVERGENCE_RISING), "rising");
    assert_string_equal(ms_convergence_note_name(MS_CONVERGENCE_UNSTABLE), "unstable");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order_fit),
                                       cmocka_unit_test(test_order_fit_failures),
                                       cmocka_unit_test(test_doubtful_rows),
                                       cmocka_unit_test(test_stalling_rows),
                                       cmocka_unit_test(one_step_size_has_no_range),
                                       cmocka_unit_test(rising_errors_have_no_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
