/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_trajectory.c - the rows of a run and their names, also beside another observer. */
#include <math.h>

#include <macrostep/cosim_create.h>
#include <macrostep/simulation.h>
#include "support.h"
#include "unit_test.h"

static void rows_are_those_of_the_macro_steps(void **state)
{
    (void)state;
    ms_system *system = support_system("spring-mass", "");
    const ms_options options =
        support_options("step-size=0.1 stop-time=30.05"); /* more rows than at first, a short last step */
    const ms_simulation_options request = {.trajectory = true};
    ms_simulation simulation;
    ms_error error = {""};
    char name[64];
    assert_int_equal(ms_simulation_run(system, &options, &request, &simulation, &error), MS_OK);
    assert_false(simulation.errors_valid);
    const ms_trajectory *trajectory = &simulation.trajectory;
    assert_int_equal(trajectory->rows, 302);
    assert_int_equal(trajectory->columns, 7);
    for (long n = 0; n < trajectory->rows; n++) {
        const double *row = ms_trajectory_row(trajectory, n);
        support_near(row[0], n < 301 ? 0.1 * (double)n : 30.05, 0.0);
        support_near(row[3], row[6], 0.0); /* hold: u = L y(T_n) */
        support_near(row[4], row[5], 0.0);
        support_near(row[5], -row[1], 1e-15);
        support_near(row[6], row[2], 1e-15);
        if (n > 0) /* s' = u */
            support_near(row[1], row[1 - 7] + (row[0] - row[-7]) * row[3 - 7], 1e-13);
    }
    static const char *const names[] = {"time",     "spring.x.s", "mass.x.v", "spring.u.v",
                                        "mass.u.F", "spring.y.F", "mass.y.v"};
    static const char *const units[] = {"s", "m", "m/s", "m/s", "N", "N", "m/s"};
    for (int k = 0; k < 7; k++) {
        ms_trajectory_name(trajectory, k, name, sizeof name);
        assert_string_equal(name, names[k]);
        assert_string_equal(ms_trajectory_unit(trajectory, k), units[k]);
    }
    ms_simulation_destroy(&simulation);
    ms_system_destroy(&system);
}

/* The order in which the observers are made does not matter, and a second run starts anew. */
static void order_of_observers_does_not_matter(void **state)
{
    (void)state;
    ms_system *system = support_system("spring-mass", "");
    const ms_options options = support_options("step-size=0.1 stop-time=1");
    double max[2][2];
    for (int first = 0; first < 2; first++) {
        ms_cosim *cosim = support_cosim(system, &options);
        ms_error_norms errors;
        ms_trajectory trajectory;
        ms_observer observer[2];
        ms_error error = {""};
        if (first == 0)
            assert_int_equal(ms_error_norms_create(cosim, 0, NULL, &errors, &observer[0], &error), MS_OK);
        assert_int_equal(ms_trajectory_create(cosim, &trajectory, &observer[1], &error), MS_OK);
        if (first == 1)
            assert_int_equal(ms_error_norms_create(cosim, 0, NULL, &errors, &observer[0], &error), MS_OK);
        for (int run = 0; run < 2; run++) {
            ms_run_result result;
            assert_int_equal(ms_run(cosim, observer, 2, NULL, NULL, &result, &error), MS_OK);
            max[first][run] = errors.max + errors.rmse;
            assert_int_equal(trajectory.rows, 11);
        }
        ms_error_norms_destroy(&errors);
        ms_trajectory_destroy(&trajectory);
        ms_cosim_destroy(&cosim);
    }
    assert_true(max[0][0] > 0.0);
    assert_memory_equal(max[0], max[1], sizeof max[0]);
    support_near(max[0][0], max[0][1], 0.0);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_those_of_the_macro_steps),
                                       cmocka_unit_test(order_of_observers_does_not_matter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
