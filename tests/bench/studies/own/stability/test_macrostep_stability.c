/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_macrostep_stability.c - spectral radii over the step size: against a formula, and more step sizes than there is room for are
 * refused. */
#include <math.h>
#include <string.h>

#include "figure_run.h"
#include "measurement.h"
#include "support.h"
#include "unit_test.h"

extern const ms_measurement ms_measurement_stability_line, ms_measurement_growth,
    ms_measurement_stability_map;

enum { MOST = 256 };

static double at(const json_t *answer, const char *key, size_t k)
{
    return json_number_value(json_array_get(json_object_get(answer, key), k));
}

/* Held inputs on an oscillator of 1 rad/s: rho = sqrt(1 + H^2), it grows with every step. */
static int draw_line(ms_drawing *drawing, ms_error *error)
{
    json_t *answer = json_object();
    assert_int_equal(
        ms_measurement_stability_line.measure(drawing, "257 0.1 0.2 0 stability spring-mass", answer, error),
        MS_INVALID);
    assert_non_null(strstr(error->text, "257"));
    assert_null(json_object_get(answer, "rho"));
    assert_int_equal(ms_measurement_stability_line.measure(drawing, "256 0.1 0.2 0.3 stability spring-mass",
                                                           answer, error),
                     MS_OK);
    assert_int_equal(json_array_size(json_object_get(answer, "rho")), MOST);
    for (size_t k = 0; k < MOST; k++) {
        support_near(at(answer, "step", k), 0.1 * pow(2.0, (double)k / (MOST - 1)), 1e-15);
        support_near(at(answer, "rho", k), hypot(1.0, at(answer, "step", k)), 1e-13);
    }
    support_near(json_number_value(json_object_get(answer, "marked")), hypot(1.0, 0.3), 1e-13);
    support_near(json_number_value(json_object_get(answer, "critical")), 0.0, 0.0);
    json_decref(answer);
    return MS_OK;
}

static int draw_growth(ms_drawing *drawing, ms_error *error)
{
    json_t *answer = json_object();
    assert_int_equal(ms_measurement_growth.measure(drawing, "4096 0.1 stability spring-mass", answer, error),
                     MS_OK);
    assert_true(json_is_true(json_object_get(answer, "settled")));
    support_near(json_number_value(json_object_get(answer, "off")), 0.0, 1e-6);
    json_decref(answer);
    return MS_OK;
}

/* The nodes of a coarse map lie on the sides that the traced curves say, and the point outside is the last. */
static int draw_map(ms_drawing *drawing, ms_error *error)
{
    json_t *answer = json_object();
    assert_int_equal(ms_measurement_stability_map.measure(
                         drawing, "5 65 4 1 stability two-mass-oscillator --scheme jacobi", answer, error),
                     MS_OK);
    assert_int_equal(json_array_size(json_object_get(answer, "stable")), 65 * 65);
    assert_int_equal(json_array_size(json_object_get(answer, "rho")), 5 * 5);
    support_near(json_number_value(json_object_get(answer, "other_side")), 0.0, 0.0);
    assert_true(json_number_value(json_object_get(answer, "curves")) >= 1.0);
    const size_t last = json_array_size(json_object_get(answer, "curve_step")) - 1;
    support_near(at(answer, "curve_step", last), 100.0, 0.0);
    for (size_t j = 0; j < 5; j++)
        for (size_t i = 0; i < 5; i++)
            assert_int_equal(
                json_is_true(json_array_get(json_object_get(answer, "stable"), 16 * (65 * j + i))),
                at(answer, "rho", 5 * j + i) <= 1.0 + 1e-10);
    json_decref(answer);
    return MS_OK;
}

static void test_line(void **state)
{
    (void)state;
    support_figure_run(draw_line);
}

static void test_growth(void **state)
{
    (void)state;
    support_figure_run(draw_growth);
}

static void test_map(void **state)
{
    (void)state;
    support_figure_run(draw_map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_line), cmocka_unit_test(test_growth),
                                       cmocka_unit_test(test_map)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
