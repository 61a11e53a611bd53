/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_error_norms_horizon.c - errors where the reference loses its own solution.
 *
 *     position q' = v,    momentum v' = q - q^3,    q(0) = sqrt 2, v(0) = 0:    q = sqrt 2 / cosh t
 *
 * The solution comes to rest on a saddle, where what is wrong grows like e^t: a reference of double precision, whose error cannot be
 * below 1e-16 or so, knows it to a hundredth up to about ln(1.4e-2 / 1e-16) = 33 s, and some seconds behind that it has fallen to
 * one side. */
#include <math.h>
#include <string.h>

#include <macrostep/series.h>
#include <macrostep/simulation.h>
#include "series_errors.h"
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

static int position_f(const ms_point *at, double *dx)
{
    dx[0] = at->u[0];
    return 0;
}

static int momentum_f(const ms_point *at, double *dx)
{
    dx[0] = at->u[0] - at->u[0] * at->u[0] * at->u[0];
    return 0;
}

static const double top[] = {1.4142135623730951};
static const ms_subsystem subsystems[] = {
    SUPPORT_SUBSYSTEM("position", 1, 1, 1, .x0 = top, .f = position_f, .g = support_first_state),
    SUPPORT_SUBSYSTEM("momentum", 1, 1, 1, .f = momentum_f, .g = support_first_state)};
static const ms_model model =
    SUPPORT_MODEL("saddle", subsystems, support_ring, .stop_time = 50.0, .step_size = 0.02);

static double solution(double t)
{
    return top[0] / cosh(t);
}

static ms_simulation simulate(const ms_system *system, const char *text, const ms_against *against)
{
    const ms_options options = support_options(text);
    const ms_simulation_options request = {.errors = true, .against = against, .trajectory = true};
    ms_simulation simulation;
    ms_error error = {""};
    if (ms_simulation_run(system, &options, &request, &simulation, &error) != MS_OK)
        fail_msg("%s", error.text);
    if (simulation.result.reason != MS_REASON_END_TIME)
        fail_msg("%s: %s at %g s", text, simulation.result.message, simulation.result.end_time);
    return simulation;
}

static void check(const ms_simulation *simulation)
{
    const ms_error_norms *errors = &simulation->errors;
    const ms_trajectory *run = &simulation->trajectory;
    double largest = 0.0, end = NAN;
    assert_true(simulation->errors_valid);
    if (!(errors->known_until > 15.0 && errors->known_until < 38.0))
        fail_msg("the reference says that it knows the solution up to %g s", errors->known_until);
    for (long r = 0; r < run->rows && ms_trajectory_row(run, r)[0] <= errors->known_until + 1e-9; r++) {
        const double *row = ms_trajectory_row(run, r);
        end = fabs(row[1] - solution(row[0]));
        largest = fmax(largest, end);
    }
    support_near(errors->state[0].end, end, 2.0 * MS_REFERENCE_USABLE * top[0]);
    support_near(errors->state[0].max, largest, 2.0 * MS_REFERENCE_USABLE * top[0]);
    assert_true(errors->reference_error <= MS_REFERENCE_USABLE * top[0] * 1.5);
    assert_non_null(strstr(simulation->note, "errors are those up to "));
}

static void errors_are_those_up_to_the_horizon(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "scheme=gauss-seidel extrapolation-order=2 solver=rk4",
        "scheme=multirate substeps=position=1,momentum=2 extrapolation-order=2 solver=rk4",
        "scheme=f3ornits scheduler=asynchronous solver=rk4 rtol=1e-4 atol=1e-6"};
    ms_system *system = support_system_of(&model);
    const ms_against itself = {.name = "saddle", .model = &model};
    for (size_t k = 0; k < MS_COUNT(texts); k++) {
        ms_simulation simulation = simulate(system, texts[k], NULL);
        check(&simulation);
        ms_simulation_destroy(&simulation);
    }
    ms_simulation simulation = simulate(system, texts[0], &itself);
    check(&simulation);
    ms_simulation_destroy(&simulation);
    ms_system_destroy(&system);
}

static void a_reference_that_is_known_says_nothing(void **state)
{
    (void)state;
    ms_system *system = support_system_of(&model);
    ms_simulation simulation = simulate(system, "solver=rk4 extrapolation-order=2 stop-time=8", NULL);
    assert_true(isnan(simulation.errors.known_until));
    assert_string_equal(simulation.note, "");
    ms_simulation_destroy(&simulation);
    ms_system_destroy(&system);
}

/* A model with events is followed from point to point of the run, of which there may be many for each of the case's own. */
static void a_reference_lasts_for_as_many_steps_as_the_run(void **state)
{
    (void)state;
    ms_system *system = support_system("bell", NULL);
    ms_simulation simulation = simulate(system, "step-size=0.0005 stop-time=4", NULL);
    assert_true(simulation.errors_valid);
    assert_true(isnan(simulation.errors.known_until));
    assert_string_equal(simulation.note, "");
    ms_simulation_destroy(&simulation);
    ms_system_destroy(&system);
}

/* The solution itself, as a tool may have written it, has no more errors than the reference may be wrong by. */
static void a_series_is_judged_up_to_the_horizon(void **state)
{
    (void)state;
    enum { ROWS = 501 };
    const char *const name = "position.x1";
    ms_system *system = support_system_of(&model);
    ms_series *series;
    ms_series_errors errors;
    ms_error error = {""};
    assert_int_equal(ms_series_create(1, &name, ROWS, &series, NULL), MS_OK);
    for (int r = 0; r < ROWS; r++) {
        series->time[r] = 0.1 * r;
        series->value[r] = solution(series->time[r]);
    }
    if (ms_series_errors_measure(system, series, 0.0, MS_SCALE_NONE, NULL, NULL, &errors, &error) != MS_OK)
        fail_msg("%s", error.text);
    assert_true(errors.known_until > 15.0 && errors.known_until < 38.0);
    assert_true(errors.total.max <= 2.0 * MS_REFERENCE_USABLE * top[0]);
    assert_int_equal(errors.compared, 1);
    assert_int_equal(errors.of, 2);
    ms_series_errors_destroy(&errors);
    ms_series_destroy(&series);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(errors_are_those_up_to_the_horizon),
                                       cmocka_unit_test(a_reference_that_is_known_says_nothing),
                                       cmocka_unit_test(a_reference_lasts_for_as_many_steps_as_the_run),
                                       cmocka_unit_test(a_series_is_judged_up_to_the_horizon)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
