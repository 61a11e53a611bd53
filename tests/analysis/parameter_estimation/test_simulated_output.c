/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_simulated_output.c - states and outputs at given times, of the monolithic form and of
 * co-simulations. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/integrate.h>
#include <macrostep/scheme_registry.h>
#include "simulated_output.h"
#include "support.h"
#include "unit_test.h"

enum { ROWS_MAX = 64, COLUMNS_MAX = 8 };

typedef struct table {
    int rows, columns;
    double time[ROWS_MAX], value[ROWS_MAX * COLUMNS_MAX];
} table;

/* The response at `rows` times, the first at the start and the last at `end`; irregular: none of those
 * between is a multiple of anything. */
static table respond(const ms_system *system, const char *options, bool cosimulated, int columns,
                     const char *const *names, int rows, double end, bool irregular)
{
    ms_series *series = NULL;
    ms_simulated_output simulated;
    ms_error error = {{0}};
    table t = {.rows = rows, .columns = columns};
    const ms_options o = support_options(options);
    assert_int_equal(ms_series_create(columns, names, rows, &series, &error), MS_OK);
    for (int k = 0; k < rows; k++) {
        const double s = (double)k / (rows - 1);
        t.time[k] = series->time[k] = end * (irregular ? s * (1.0 + 0.3 * s * (1.0 - s)) : s);
    }
    if (ms_simulated_output_create(system, series, &o, cosimulated, &simulated, &error) != MS_OK ||
        ms_simulated_output_run(&simulated, system, NULL, t.value, &error) != MS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(simulated.columns, columns);
    ms_simulated_output_destroy(&simulated);
    ms_series_destroy(&series);
    return t;
}

static double distance(const table *a, const table *b)
{
    return support_distance(a->rows * a->columns, a->value, b->value);
}

/* Monolithic form ---------------------------------------------------------------------------------------- */

static void whole_is_the_reference(void **state)
{
    (void)state;
    ms_system *system = support_system("mass-spring-damper", NULL);
    const char *names[4];
    char text[4][64];
    for (int j = 0; j < system->nx; j++) {
        const int i = j < system->x_at[1] ? 0 : 1;
        snprintf(text[j], sizeof text[j], "%s.x.%s", system->sub[i].name,
                 system->sub[i].x[j - system->x_at[i]].name);
        names[j] = text[j];
    }
    const table t = respond(system, "", false, system->nx, names, 12, 7.0, true);
    for (int row = 0; row < t.rows; row++) {
        double x[4];
        if (row == 0)
            ms_system_start(system, x);
        else
            support_reference(system, t.time[row], x);
        assert_true(support_distance(system->nx, t.value + row * t.columns, x) < 1e-12);
    }
    ms_system_destroy(&system);
}

/* v_C = (K (x_L - x_D) + D_SD v_L) / (D_SD + D_D), with the loop solved. */
static void outputs_in_a_loop(void **state)
{
    (void)state;
    static const char *const names[] = {"body.x.x_L",  "body.x.v_L",  "plate.x.x_D",
                                        "plate.y.v_C", "plate.y.x_C", "body.y.f_C"};
    ms_system *system = support_system("damping-reaction", "d_d=0.64 k_sd=2 d_sd=1.5");
    const table t = respond(system, "", false, 6, names, 9, 10.0, true);
    double largest = 0.0;
    for (int row = 0; row < t.rows; row++) {
        const double *v = t.value + row * 6;
        const double v_C = (2.0 * (v[0] - v[2]) + 1.5 * v[1]) / (1.5 + 0.64);
        support_near(v[3], v_C, 1e-13);
        support_near(v[4], v[2], 1e-13);
        support_near(v[5], 0.64 * v_C, 1e-13);
        largest = fmax(largest, fabs(v_C));
    }
    assert_true(largest > 0.1);
    ms_system_destroy(&system);
}

/* Models with events and algebraic variables, against one integration without stops at the times. */
static void events_are_those_of_an_integration(void **state)
{
    (void)state;
    static const struct {
        const char *model;
        double end;
    } models[] = {{"bell", 1.0}, {"impact-oscillator", 5.0}, {"woodpecker", 0.1}};
    for (int k = 0; k < MS_COUNT(models); k++) {
        ms_system *system = support_system(models[k].model, NULL);
        const char *names[COLUMNS_MAX];
        char text[COLUMNS_MAX][128], tight[128];
        ms_integration run;
        ms_error error = {{0}};
        snprintf(tight, sizeof tight, "solver=%s solver-rtol=1e-9 solver-atol=1e-10 stop-time=%g",
                 ms_cosim_default_solver(system, NULL), models[k].end);
        const ms_options options = support_options(tight);
        if (ms_integrate(system, &options, 20, &(ms_integrate_options){0}, &run, &error) != MS_OK)
            fail_msg("%s", error.text);
        assert_true(run.events.rows > 0 && system->nx <= COLUMNS_MAX);
        for (int j = 0; j < system->nx; j++) {
            ms_integration_trajectory_name(&run, 2 + j, text[j], sizeof text[j]);
            names[j] = text[j];
        }
        const table t = respond(system, "solver-rtol=1e-9 solver-atol=1e-10", false, system->nx, names, 21,
                                models[k].end, false);
        int row = 0;
        for (long n = 0; n < run.trajectory.rows; n++) {
            const double *expected = ms_run_series_row(&run.trajectory, n);
            if (expected[1] != MS_ROW_OUTPUT)
                continue;
            for (int j = 0; j < system->nx; j++)
                support_near(t.value[row * t.columns + j], expected[2 + j],
                             1e-6 * (1.0 + fabs(expected[2 + j])));
            row++;
        }
        assert_int_equal(row, 21);
        ms_integration_destroy(&run);
        ms_system_destroy(&system);
    }
}

/* x' = a, 0 = a + x, y = a: differential-algebraic, with an output. */
static int decay_residual(const ms_point *at, const double *dx, double *r)
{
    r[0] = dx[0] - at->x[1];
    r[1] = at->x[1] + at->x[0];
    return 0;
}

static int decay_g(const ms_point *at, double *y)
{
    y[0] = at->x[1];
    return 0;
}

static void outputs_of_algebraic_variables(void **state)
{
    (void)state;
    static const ms_variable names[] = {{"x", "1"}, {"a", "1"}}, output[] = {{"y", "1"}};
    static const bool algebraic[] = {false, true};
    static const double start[] = {1.0, -1.0};
    static const ms_subsystem subsystem[] = {{.name = "decay",
                                              .nx = 2,
                                              .ny = 1,
                                              .x = names,
                                              .y = output,
                                              .x0 = start,
                                              .residual = decay_residual,
                                              .algebraic = algebraic,
                                              .g = decay_g}};
    static const ms_case cases[] = {{.name = "only", .summary = "-", .source = "-"}};
    static const ms_model model = {.name = "decay",
                                   .summary = "-",
                                   .source = "-",
                                   .cases = cases,
                                   .n_cases = 1,
                                   .subsystems = subsystem,
                                   .n_subsystems = MS_COUNT(subsystem),
                                   .stop_time = 1.0,
                                   .step_size = 0.1};
    static const char *const columns[] = {"decay.x.x", "decay.y.y"};
    ms_system *system = support_system_of(&model);
    const table t = respond(system, "solver-rtol=1e-9 solver-atol=1e-11", false, 2, columns, 5, 1.0, true);
    for (int row = 0; row < t.rows; row++) {
        support_near(t.value[2 * row], exp(-t.time[row]), 1e-7);
        support_near(t.value[2 * row + 1], -exp(-t.time[row]), 1e-7);
    }
    ms_system_destroy(&system);
}

static const char *solver_of(const char *model, const char *options, bool cosimulated)
{
    ms_system *system = support_system(model, NULL);
    ms_simulated_output simulated = {.options = support_options(options)};
    simulated.scheme = cosimulated ? ms_scheme_find(simulated.options.scheme) : NULL;
    const char *name = ms_simulated_output_solver(&simulated, system);
    ms_system_destroy(&system);
    return name;
}

static void solvers_where_none_is_named(void **state)
{
    (void)state;
    assert_string_equal(solver_of("spring-mass", "", false), "exact");
    assert_string_equal(solver_of("spring-mass", "scheme=jacobi", true), "exact");
    assert_string_equal(solver_of("spring-mass", "scheme=power", true), "automatic");
    assert_string_equal(solver_of("spring-mass", "scheme=power", false), "exact");
    assert_string_equal(solver_of("bell", "", false), "automatic");
    assert_string_equal(solver_of("woodpecker", "", false), "ida");
}

/* Co-simulations ----------------------------------------------------------------------------------------- */

static const char *const tanks[] = {"tank1.x.x1", "tank2.x.x2", "tank3.x.x3",
                                    "tank4.x.x4", "tank1.y.q",  "tank3.y.q"};

static double run_off(double a, double x)
{
    return a * sqrt(2.0 * 9.81 * x);
}

/* Every scheme comes to the monolithic response, whether its macro-steps meet the times or not. */
static void cosimulations_come_to_the_whole(void **state)
{
    (void)state;
    static const struct {
        const char *options;
        double tolerance;
    } schemes[] = {
        {"scheme=jacobi step-size=0.01", 3e-6},
        {"scheme=jacobi extrapolation-order=2 step-size=0.25", 1e-6},
        {"scheme=gauss-seidel extrapolation-order=1 step-size=0.25", 1e-5},
        {"scheme=jacobi extrapolation-order=1 error-controlled=richardson rtol=1e-7 atol=1e-8 step-size=0.1",
         1e-6},
        {"scheme=f3ornits rtol=1e-5 atol=1e-6 step-size=0.1", 1e-4},
        {"scheme=f3ornits scheduler=asynchronous rtol=1e-5 atol=1e-6 step-size=0.1", 1e-4},
        {"scheme=ifosmondi epsilon=1e-8 step-size=0.5", 1e-5},
    };
    ms_system *system = support_system("quadruple-tank", "a1=2.7e-6");
    for (int irregular = 0; irregular < 2; irregular++) {
        const table whole = respond(system, "solver=gsl-rk8pd", false, 6, tanks, 21, 20.0, irregular != 0);
        for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
            const table t = respond(system, schemes[k].options, true, 6, tanks, 21, 20.0, irregular != 0);
            if (!(distance(&t, &whole) < schemes[k].tolerance))
                fail_msg("%s: %g", schemes[k].options, distance(&t, &whole));
            for (int row = 0; row < t.rows; row++) {
                const double *v = t.value + (ptrdiff_t)row * 6;
                support_near(v[4] / run_off(2.7e-6, v[0]), 1.0, 1e-8);
                support_near(v[5] / run_off(3e-6, v[2]), 1.0, 1e-8);
            }
        }
    }
    ms_system_destroy(&system);
}

/* tank3 and tank4 have no coupling inputs: macro-steps of any length give the same states, at communication
 * points and inside. */
static void states_inside_a_macro_step(void **state)
{
    (void)state;
    ms_system *system = support_system("quadruple-tank", NULL);
    const char *const one[] = {"tank3.x.x3", "tank4.x.x4"};
    const table fine = respond(system, "solver=gsl-rk8pd step-size=0.5", true, 2, one, 41, 20.0, false);
    const table coarse = respond(system, "solver=gsl-rk8pd step-size=4", true, 2, one, 41, 20.0, false);
    const table odd = respond(system, "solver=gsl-rk8pd step-size=3", true, 2, one, 41, 20.0, false);
    assert_true(distance(&coarse, &fine) < 1e-9);
    assert_true(distance(&odd, &fine) < 1e-9);
    assert_true(distance(&coarse, &fine) > 0.0);
    ms_system_destroy(&system);
}

/* Refusals ----------------------------------------------------------------------------------------------- */

static void refused(const ms_system *system, int columns, const char *const *names, const double *time,
                    int rows, const char *options, const char *what)
{
    ms_series *series = NULL;
    ms_simulated_output simulated;
    ms_error error = {{0}};
    const ms_options o = support_options(options);
    assert_int_equal(ms_series_create(columns, names, rows, &series, NULL), MS_OK);
    for (int k = 0; k < rows; k++)
        series->time[k] = time[k];
    assert_int_equal(ms_simulated_output_create(system, series, &o, false, &simulated, &error), MS_INVALID);
    support_says(error.text, what);
    ms_series_destroy(&series);
}

static void what_does_not_fit(void **state)
{
    (void)state;
    ms_system *system = support_system("quadruple-tank", NULL);
    static const double time[] = {0.0, 1.0, 2.0};
    refused(system, 1, (const char *const[]){"tank1.x.x2"}, time, 3, "",
            "line 0: column tank1.x.x2 names no state or output of model quadruple-tank; the nearest is");
    refused(system, 1, (const char *const[]){"tank1.w.u1"}, time, 3, "", "names no state or output");
    refused(system, 1, (const char *const[]){"tank1.u.q_in"}, time, 3, "", "no column SUBSYSTEM.x.NAME");
    refused(system, 1, tanks, time, 3, "start-time=0.5", "line 1: time 0 is before the start at 0.5 s");
    refused(system, 1, tanks, time, 1, "", "line 1: no time after the start at 0 s");
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_is_the_reference),
        cmocka_unit_test(outputs_in_a_loop),
        cmocka_unit_test(events_are_those_of_an_integration),
        cmocka_unit_test(outputs_of_algebraic_variables),
        cmocka_unit_test(solvers_where_none_is_named),
        cmocka_unit_test(cosimulations_come_to_the_whole),
        cmocka_unit_test(states_inside_a_macro_step),
        cmocka_unit_test(what_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
