/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_andersson2016_9_3_3.c - section 9.3.3 of Andersson (2016): the synthetic data, and the verdicts of its
 * figures and tables. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "andersson2016_9_3_3.h"
#include "figure_run.h"
#include "support.h"
#include "unit_test.h"

static ms_tank_data data_of(bool smooth)
{
    ms_tank_data data;
    ms_error error = {{0}};
    if (ms_tank_data_create(smooth, &data, &error) != MS_OK)
        fail_msg("%s", error.text);
    return data;
}

/* Data --------------------------------------------------------------------------------------------------- */

/* The voltages stand in the file once a second, and jump between two of them. */
static void voltages(void **state)
{
    (void)state;
    static const int both[] = {0, 1};
    ms_tank_data data = data_of(false);
    double w[2];
    assert_int_equal(data.inputs->rows, MS_TANK_ROWS);
    for (int row = 0; row < MS_TANK_ROWS; row++) {
        assert_true(data.inputs->time[row] == row);
        for (int k = 0; k < 2; k++)
            assert_true(data.inputs->value[2 * row + k] >= 4.0 && data.inputs->value[2 * row + k] <= 7.0);
    }
    ms_series_interpolate(data.inputs, 4.5, 2, both, w); /* from 5.2 V at 4 s to 6.5 V at 5 s */
    support_near(w[0], 5.85, 1e-14);
    support_near(w[1], 5.2, 0.0);
    for (int i = 0; i < MS_TANKS; i++) {
        const int pump = i == 0 || i == 3 ? 0 : 1;
        double u;
        ms_subsystem_external(data.truth, &data.truth->sub[i], 9.0, &u);
        support_near(u, pump == 0 ? 6.5 : 4.2, 0.0);
    }
    ms_tank_data_destroy(&data);
    data = data_of(true);
    assert_null(data.inputs);
    ms_tank_data_destroy(&data);
}

/* Normal, of the stated standard deviation, the same for a seed. */
static void noise(void **state)
{
    (void)state;
    enum { COUNT = MS_TANK_ROWS * MS_TANKS, SEEDS = 20 };
    ms_tank_data data = data_of(false);
    double first[COUNT], sum = 0.0, square = 0.0;
    int beyond = 0;
    memcpy(first, data.measured->value, sizeof first);
    for (int seed = 1; seed <= SEEDS; seed++) {
        assert_int_equal(ms_tank_data_noise(&data, (unsigned long)seed, NULL), MS_OK);
        for (int k = 0; k < COUNT; k++) {
            const double z = (data.measured->value[k] - data.clean->value[k]) / MS_TANK_NOISE;
            sum += z;
            square += z * z;
            beyond += fabs(z) > 1.959964;
        }
    }
    const double n = COUNT * SEEDS;
    support_near(sum / n, 0.0, 4.0 / sqrt(n));
    support_near(square / n, 1.0, 4.0 * sqrt(2.0 / n));
    support_near(beyond / n, 0.05, 4.0 * sqrt(0.05 * 0.95 / n));
    assert_true(memcmp(first, data.measured->value, sizeof first) != 0);
    assert_int_equal(ms_tank_data_noise(&data, MS_TANK_SEED, NULL), MS_OK);
    assert_memory_equal(first, data.measured->value, sizeof first);
    ms_tank_data_destroy(&data);
}

/* Figures ------------------------------------------------------------------------------------------------ */

/* Sets with 4, 4 and 2 of 4 intervals around the truth: 10 of 12, a variance of 4/3 between sets. */
static void shares_vary_from_set_to_set(void **state)
{
    (void)state;
    static const int inside[] = {4, 4, 2};
    ms_tank_data data = data_of(true);
    ms_tank_coverage coverage = {0};
    for (int set = 0; set < MS_COUNT(inside); set++) {
        ms_estimated p[MS_TANKS];
        const ms_estimate estimate = {.n = MS_TANKS, .parameter = p};
        for (int i = 0; i < MS_TANKS; i++) {
            const double truth = data.truth->p[data.parameter[i]], value = 1.01 * truth;
            const double half = (i < inside[set] ? 0.02 : 0.005) * truth;
            p[i] = (ms_estimated){.parameter = data.parameter[i],
                                  .value = value,
                                  .standard_error = 0.5 * half,
                                  .lower = value - half,
                                  .upper = value + half};
        }
        ms_tank_coverage_add(&data, &estimate, &coverage);
    }
    support_near(ms_tank_coverage_share(&coverage), 10.0 / 12.0, 1e-15);
    support_near(ms_tank_coverage_deviation(&coverage), sqrt(4.0 / 3.0 / 3.0) / 4.0, 1e-15);
    support_near(ms_tank_coverage_error(&coverage), 0.01, 1e-15);
    support_near(ms_tank_coverage_standard(&coverage), sqrt((10.0 * 1e-4 + 2.0 * 6.25e-6) / 12.0), 1e-15);
    ms_tank_data_destroy(&data);
}

static void figures_and_tables(void **state)
{
    (void)state;
    static const support_figure_verdict pumps[] = {{"voltages", "not-determined"}};
    static const support_figure_verdict levels[] = {{"do not give the synthetic levels", "reproduced"},
                                                    {"measured levels", "not-determined"}};
    static const support_figure_verdict areas[] = {{"a1", "not-determined"},
                                                   {"a2", "not-determined"},
                                                   {"a3", "not-determined"},
                                                   {"a4", "not-determined"}};
    support_figure_expect_verdicts("andersson2016:fig9.18", 1, 1, pumps);
    support_figure_expect_verdicts("andersson2016:fig9.19", 2, 2, levels);
    support_figure_expect_verdicts("andersson2016:fig9.20", 2, 1, levels + 1);
    json_t *echo = support_figure_answer("andersson2016:table9.5"); /* what goes in is no result */
    assert_int_equal(json_array_size(json_object_get(echo, "checks")), 0);
    assert_string_equal(json_string_value(json_object_get(echo, "status")), "drawn");
    json_decref(echo);
    support_figure_expect_verdicts("andersson2016:table9.6", 6, 4, areas);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(voltages), cmocka_unit_test(noise),
                                       cmocka_unit_test(shares_vary_from_set_to_set),
                                       cmocka_unit_test(figures_and_tables)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
