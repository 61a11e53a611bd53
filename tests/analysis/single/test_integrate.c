/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_integrate.c - integrations of single models: statistics that add up, output points, events, reasons.
 * */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <macrostep/solver_registry.h>
#include "integration.h"
#include "support.h"
#include "unit_test.h"

static const char *const adaptive[] = {"cvode-bdf",   "cvode-adams", "arkode-erk",
                                       "arkode-dirk", "gsl-rk8pd",   "gsl-msadams"};

/* Micro-steps follow on each other from start to end, and each is counted once. */
static void check_history(const ms_integration *run)
{
    double t = run->options.start_time, smallest = INFINITY, largest = 0.0;
    assert_int_equal(run->history.rows, run->work.micro_steps);
    for (long n = 0; n < run->history.rows; n++) {
        const double *row = ms_run_series_row(&run->history, n);
        support_near(row[0] - row[1], t, 1e-12 * fmax(1.0, fabs(t)));
        assert_true(row[2] >= run->lowest_order && row[2] <= run->highest_order);
        t = row[0];
        smallest = fmin(smallest, row[1]);
        largest = fmax(largest, row[1]);
    }
    support_near(t, run->options.stop_time, 1e-12 * fabs(run->options.stop_time));
    support_near(largest, run->largest_step, 0.0);
    assert_true(smallest <= run->smallest_step);
}

/* Every output point once, in order, at its time; events on both sides. */
static void check_outputs(const ms_integration *run)
{
    const double t0 = run->options.start_time, t1 = run->options.stop_time;
    long outputs = 0, left = 0, right = 0;
    for (long n = 0; n < run->trajectory.rows; n++) {
        const double *row = ms_run_series_row(&run->trajectory, n);
        assert_true(n == 0 || row[0] >= ms_run_series_row(&run->trajectory, n - 1)[0]);
        if (row[1] == MS_ROW_OUTPUT) {
            support_near(row[0], t0 + (double)outputs * (t1 - t0) / run->output_points, 1e-13 * t1);
            outputs++;
        }
        left += row[1] == MS_ROW_LEFT;
        right += row[1] == MS_ROW_RIGHT;
    }
    assert_int_equal(outputs, run->output_points + 1);
    assert_int_equal(left, run->events.rows);
    assert_int_equal(right, run->events.rows);
}

static void test_statistics(void **state)
{
    (void)state;
    static const char *const models[] = {"van-der-pol", "bell", "woodpecker-explicit", "double-pendulum",
                                         "example-6.3.1"};
    for (size_t m = 0; m < sizeof models / sizeof models[0]; m++) {
        ms_system *system = support_system(models[m], NULL);
        for (size_t k = 0; k < sizeof adaptive / sizeof adaptive[0]; k++) {
            char options[128];
            snprintf(options, sizeof options, "solver=%s solver-rtol=1e-6 solver-atol=1e-8 start-time=0",
                     adaptive[k]);
            ms_integration run = support_integration(system, options, 77, false);
            assert_int_equal(run.reason, MS_REASON_END_TIME);
            assert_string_equal(run.message, "");
            check_history(&run);
            check_outputs(&run);
            assert_true(run.work.rhs_evaluations >= run.work.micro_steps);
            assert_true(run.state_events + run.time_events + run.step_events >= run.events.rows);
            assert_int_equal(run.work.events, run.events.rows);
            ms_integration_destroy(&run);
        }
        ms_system_destroy(&system);
    }
}

/* More output points change neither steps nor values: they come from dense output. */
static void test_outputs_do_not_act_back(void **state)
{
    (void)state;
    ms_system *system = support_system("bell", NULL);
    for (size_t k = 0; k < sizeof adaptive / sizeof adaptive[0]; k++) {
        char options[64];
        snprintf(options, sizeof options, "solver=%s", adaptive[k]);
        ms_integration few = support_integration(system, options, 10, false),
                       many = support_integration(system, options, 1000, false),
                       steps = support_integration(system, options, 0, false);
        assert_int_equal(few.work.micro_steps, many.work.micro_steps);
        assert_int_equal(few.work.rhs_evaluations, steps.work.rhs_evaluations);
        assert_int_equal(few.events.rows, many.events.rows);
        assert_memory_equal(few.events.row, many.events.row,
                            sizeof(double) * (size_t)(few.events.rows * few.events.columns));
        const double *a = ms_run_series_row(&few.trajectory, few.trajectory.rows - 1),
                     *b = ms_run_series_row(&many.trajectory, many.trajectory.rows - 1),
                     *c = ms_run_series_row(&steps.trajectory, steps.trajectory.rows - 1);
        assert_memory_equal(a, b, sizeof(double) * (size_t)few.trajectory.columns);
        assert_memory_equal(a, c, sizeof(double) * (size_t)few.trajectory.columns);
        ms_integration_destroy(&few);
        ms_integration_destroy(&many);
        ms_integration_destroy(&steps);
    }
    ms_system_destroy(&system);
}

/* Errors fall with the tolerance, those of fixed steps with their order. */
static void test_errors(void **state)
{
    (void)state;
    ms_system *system = support_system("van-der-pol", "case=mild");
    for (size_t k = 0; k < sizeof adaptive / sizeof adaptive[0]; k++) {
        double error[2];
        for (int j = 0; j < 2; j++) {
            char options[96];
            snprintf(options, sizeof options, "solver=%s solver-rtol=%g solver-atol=%g", adaptive[k],
                     j == 0 ? 1e-4 : 1e-8, j == 0 ? 1e-4 : 1e-8);
            ms_integration run = support_integration(system, options, 200, true);
            assert_true(run.errors_valid && run.reference_error < 1e-9);
            assert_true(run.max > 0.0 && run.rmse <= run.max && run.end <= run.max);
            error[j] = run.rmse;
            ms_integration_destroy(&run);
        }
        if (!(error[1] < 1e-2 * error[0] && error[1] < 1e-4))
            fail_msg("%s: %g, %g", adaptive[k], error[0], error[1]);
    }
    static const struct {
        const char *solver;
        double order;
    } fixed[] = {{"euler", 1.0}, {"rk4", 4.0}};
    for (int k = 0; k < 2; k++) {
        double error[2];
        for (int j = 0; j < 2; j++) {
            char options[96];
            snprintf(options, sizeof options, "solver=%s step-size=%g", fixed[k].solver,
                     j == 0 ? 1e-3 : 5e-4);
            ms_integration run = support_integration(system, options, 200, true);
            assert_true(run.errors_valid);
            assert_int_equal(run.work.micro_steps, j == 0 ? 2000 : 4000);
            check_history(&run);
            check_outputs(&run);
            error[j] = run.end;
            ms_integration_destroy(&run);
        }
        support_near(log2(error[0] / error[1]), fixed[k].order, 0.25);
    }
    ms_system_destroy(&system);
}

/* A coupled linear model as a whole, by `exact` and others. */
static void test_coupled(void **state)
{
    (void)state;
    static const char *const solvers[] = {"exact", "cvode-bdf", "arkode-dirk", "rk4"};
    ms_system *system = support_system("mass-spring-damper", NULL);
    double x[4];
    support_reference(system, 2.0, x);
    for (size_t k = 0; k < sizeof solvers / sizeof solvers[0]; k++) {
        char options[96], name[64];
        snprintf(options, sizeof options, "solver=%s solver-rtol=1e-8 solver-atol=1e-8 stop-time=2",
                 solvers[k]);
        if (ms_solver_find(solvers[k])->order > 0)
            snprintf(options, sizeof options, "solver=%s step-size=0.001 stop-time=2", solvers[k]);
        ms_integration run = support_integration(system, options, 50, true);
        const double *last = ms_run_series_row(&run.trajectory, run.trajectory.rows - 1);
        assert_true(run.errors_valid && run.end_time == 2.0);
        assert_true(support_distance(4, last + 2, x) < 1e-6);
        support_near(run.end,
                     fmax(fmax(fabs(last[2] - x[0]), fabs(last[3] - x[1])),
                          fmax(fabs(last[4] - x[2]), fabs(last[5] - x[3]))),
                     1e-12);
        check_outputs(&run);
        ms_integration_trajectory_name(&run, 5, name, sizeof name);
        assert_string_equal(name, "right.x.v");
        ms_integration_destroy(&run);
    }
    ms_system_destroy(&system);
}

/* Errors of each state over the output points behind the start, as the reference makes them. */
static void test_error_measures(void **state)
{
    (void)state;
    enum { OUTPUTS = 4 };
    ms_system *system = support_system("mass-spring-damper", NULL);
    ms_integration run = support_integration(system, "solver=rk4 step-size=0.1 stop-time=2", OUTPUTS, true);
    double max[4] = {0.0}, square[4] = {0.0}, end[4], largest = 0.0;
    for (int n = 1; n <= OUTPUTS; n++) {
        double x[4];
        support_reference(system, 0.5 * n, x);
        for (int j = 0; j < 4; j++) {
            end[j] = fabs(ms_run_series_row(&run.trajectory, n)[2 + j] - x[j]);
            max[j] = fmax(max[j], end[j]);
            square[j] += end[j] * end[j] / OUTPUTS;
        }
    }
    for (int j = 0; j < 4; j++) {
        support_near(run.error[j].max, max[j], 1e-12);
        support_near(run.error[j].rmse, sqrt(square[j]), 1e-12);
        support_near(run.error[j].end, end[j], 1e-12);
        largest = fmax(largest, run.error[j].rmse);
    }
    assert_true(run.rmse == largest && largest > 1e-6);
    ms_integration_destroy(&run);
    ms_system_destroy(&system);
}

/* Runs that fail are results. */
static void test_reasons(void **state)
{
    (void)state;
    ms_system *system = support_system("van-der-pol", NULL);
    ms_integration run = support_integration(system, "solver=euler step-size=0.01", 100, true);
    assert_int_equal(run.reason, MS_REASON_DIVERGED);
    assert_false(run.errors_valid);
    assert_true(isnan(run.max) && run.end_time < 2.0 && run.message[0] != '\0');
    ms_integration_destroy(&run);

    static const sig_atomic_t stop = 1;
    ms_options options = support_options("solver=cvode-bdf");
    ms_error error = {""};
    const ms_integrate_options request = {.errors = true, .stop = &stop};
    assert_int_equal(ms_integrate(system, &options, 10, &request, &run, &error), MS_OK);
    assert_int_equal(run.reason, MS_REASON_INTERRUPTED);
    assert_true(run.work.micro_steps <= 1);
    ms_integration_destroy(&run);
    options = support_options("solver=rk4");
    assert_int_equal(ms_integrate(system, &options, 10, &request, &run, &error), MS_OK);
    assert_int_equal(run.reason, MS_REASON_INTERRUPTED);
    ms_integration_destroy(&run);
    ms_system_destroy(&system);
}

/* x' = 3 x, x(0) = 1: each solver, the exact one too, ends where exp(3 t) is beyond the limit, 2e12, not much later. */
static void what_grows_diverges_with_every_solver(void **state)
{
    (void)state;
    static const char *const solvers[] = {"exact",     "rk4",    "radau-iia", "radau-iia-13",
                                          "cvode-bdf", "dop853", "ida",       "gsl-bsimp"};
    ms_model *model = support_model_read(
        "{\"subsystems\": [{\"name\": \"a\", \"A\": [[3]], \"B\": [[0]], \"C\": [[1]], \"x0\": [1]}], \"L\": [[0]], \"step_size\": 0.1}");
    ms_system *system = support_system_of(model);
    const double beyond = log(2e12) / 3.0;
    for (int k = 0; k < MS_COUNT(solvers); k++) {
        char options[100];
        snprintf(options, sizeof options, "solver=%s stop-time=20", solvers[k]);
        ms_integration run = support_integration(system, options, 100, true);
        assert_int_equal(run.reason, MS_REASON_DIVERGED);
        support_says(run.message, "a state grew beyond 2.0e+12 at ");
        assert_true(run.end_time > beyond - 1e-3 && run.end_time < beyond + 2.0);
        ms_integration_destroy(&run);
    }
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

static void refuse(const ms_system *system, const char *text, int points, int status, const char *line)
{
    const ms_options options = support_options(text);
    ms_integration run;
    ms_error error = {""};
    assert_int_equal(ms_integrate(system, &options, points, &(ms_integrate_options){0}, &run, &error),
                     status);
    support_says(error.text, line);
}

static void test_refusals(void **state)
{
    (void)state;
    ms_system *system = support_system("van-der-pol", NULL);
    refuse(system, "solver=cvode", 10, MS_INVALID, "nearest is cvode-bdf");
    refuse(system, "solver=exact", 10, MS_UNSUPPORTED, "linear");
    refuse(system, "stop-time=-1", 10, MS_INVALID, "`stop-time`");
    refuse(system, "solver=cvode-bdf step-size=0.1", 10, MS_INVALID, "`step-size`");
    refuse(system, "solver=euler step-size=3", 10, MS_INVALID, "`step-size`");
    refuse(system, "solver=euler step-size=1e-9", 10, MS_INVALID, "at least");
    refuse(system, "solver=euler", -1, MS_INVALID, "`output_points`");
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statistics),     cmocka_unit_test(test_outputs_do_not_act_back),
        cmocka_unit_test(test_errors),         cmocka_unit_test(test_coupled),
        cmocka_unit_test(test_error_measures), cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_refusals),       cmocka_unit_test(what_grows_diverges_with_every_solver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
