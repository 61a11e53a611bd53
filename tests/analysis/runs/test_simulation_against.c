/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_simulation_against.c - errors of a run against another model, a time series, and itself in finer steps. */
#include <math.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/simulation.h>
#include "stepping.h"
#include "support.h"
#include "unit_test.h"

static int measure(const ms_system *system, const char *text, const ms_against *against,
                   ms_simulation *simulation, ms_error *error)
{
    const ms_options options = support_options(text);
    const ms_simulation_options request = {.errors = true, .against = against};
    return ms_simulation_run(system, &options, &request, simulation, error);
}

static void measured(const ms_system *system, const char *text, const ms_against *against,
                     ms_simulation *simulation)
{
    ms_error error = {""};
    if (measure(system, text, against, simulation, &error) != MS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(simulation->result.reason, MS_REASON_END_TIME);
}

/* The same model is the same reference: equal errors at communication points. */
static void a_model_is_its_own_reference(void **state)
{
    (void)state;
    ms_system *system = support_system("quarter-car", "kc=20000");
    const ms_against against = {.name = "quarter-car", .model = system->model};
    ms_simulation own, other;
    measured(system, "extrapolation-order=1 stop-time=0.5", NULL, &own);
    measured(system, "extrapolation-order=1 stop-time=0.5", &against, &other);
    assert_true(other.errors_valid && !other.of_outputs);
    for (int j = 0; j < system->nx; j++) {
        assert_true(other.errors.state[j].max == own.errors.state[j].max);
        assert_true(other.errors.state[j].end == own.errors.state[j].end);
        support_near(other.errors.state[j].rmse, own.errors.state[j].rmse, 2e-2 * own.errors.state[j].rmse);
    }
    assert_true(other.errors.max == own.errors.max &&
                other.errors.reference_error == own.errors.reference_error);
    ms_simulation_destroy(&own);
    ms_simulation_destroy(&other);
    ms_system_destroy(&system);
}

/* Which is the difference to a run of its own, whose error is stated to be larger than it is. */
static void finer_steps_are_a_sixteenth(void **state)
{
    (void)state;
    ms_system *system = support_system("quarter-car", "");
    const ms_against against = {.name = "finer", .finer = true};
    ms_simulation simulation;
    double coarse[4], fine[4], exact[4], missed = 0.0;
    const ms_options H = support_options("step-size=0.01"), h = support_options("step-size=0.000625");
    support_finish(system, &H, coarse, NULL);
    support_finish(system, &h, fine, NULL);
    support_reference(system, 1.0, exact);
    measured(system, "step-size=0.01", &against, &simulation);
    for (int j = 0; j < 4; j++) {
        assert_true(simulation.errors.state[j].end == fabs(coarse[j] - fine[j]));
        missed = fmax(missed, fabs(fine[j] - exact[j]));
    }
    assert_true(simulation.errors.reference_error > missed);
    assert_true(simulation.errors.reference_error < simulation.errors.max / 8.0);
    ms_simulation_destroy(&simulation);
    ms_system_destroy(&system);
}

/* y = 0 and no states: the errors are the outputs themselves, and the others have none. */
static void a_series_is_compared_by_name(void **state)
{
    (void)state;
    static const char *const names[] = {"wheel.y.x", "elsewhere"};
    ms_system *system = support_system("quarter-car", "");
    ms_series *series;
    double y[4];
    assert_int_equal(ms_series_create(2, names, 2, &series, NULL), MS_OK);
    series->time[1] = 1.0;
    const ms_against against = {.name = "zero.csv", .series = series};
    const ms_options options = support_options("step-size=0.01");
    support_finish(system, &options, NULL, y);
    ms_simulation simulation;
    measured(system, "step-size=0.01", &against, &simulation);
    assert_true(simulation.of_outputs);
    assert_true(simulation.errors.state[2].end == fabs(y[2]));
    assert_true(simulation.errors.end == fabs(y[2]));
    assert_true(isnan(simulation.errors.state[3].end) && isnan(simulation.errors.reference_error));
    assert_true(isnan(simulation.errors.l2_normalized_mean)); /* the reference is zero */
    ms_simulation_destroy(&simulation);

    ms_error error = {""};
    series->time[1] = 0.5;
    assert_int_equal(measure(system, "step-size=0.01", &against, &simulation, &error), MS_INVALID);
    assert_non_null(strstr(error.text, "its times are [0, 0.5], and the run goes from 0 to 1 s"));
    ms_series_destroy(&series);
    ms_system_destroy(&system);
}

/* Which is what finer steps are for. */
static void without_a_monolithic_form_there_are_errors(void **state)
{
    (void)state;
    ms_system *inner = support_system("quarter-car", "");
    support_stepping stepping = {.inner = inner, .only = -1, .can = support_stepping_all};
    ms_system *wrapped = support_stepping_system(&stepping);
    const ms_against finer = {.name = "finer", .finer = true},
                     model = {.name = "quarter-car", .model = inner->model};
    ms_simulation of_inner, of_wrapped;
    const char *text = "solver=exact step-size=0.01";
    measured(inner, text, &finer, &of_inner);
    measured(wrapped, text, &finer, &of_wrapped);
    assert_false(of_wrapped.without_reference);
    assert_int_equal(of_wrapped.n_degraded, 0);
    assert_true(of_inner.errors.max == of_wrapped.errors.max &&
                of_inner.errors.rmse == of_wrapped.errors.rmse);
    ms_simulation_destroy(&of_inner);
    ms_simulation_destroy(&of_wrapped);
    measured(inner, text, NULL, &of_inner);
    measured(wrapped, text, &model, &of_wrapped);
    assert_true(of_inner.errors.max == of_wrapped.errors.max && of_inner.errors.end == of_wrapped.errors.end);
    ms_simulation_destroy(&of_inner);
    ms_simulation_destroy(&of_wrapped);
    ms_system_destroy(&wrapped);
    ms_system_destroy(&inner);
}

/* The chassis is there and the wheel is not: two of four states, and the first without a counterpart has a name. */
static void parts_of_the_states_are_counted(void **state)
{
    (void)state;
    static const char *const names[] = {"chassis.x", "chassis.v"};
    ms_system *system = support_system("quarter-car", "");
    ms_series *series;
    assert_int_equal(ms_series_create(2, names, 2, &series, NULL), MS_OK);
    series->time[1] = 1.0;
    const ms_against against = {.name = "half.csv", .series = series},
                     whole = {.name = "finer", .finer = true};
    ms_simulation simulation;
    measured(system, "step-size=0.01", &against, &simulation);
    assert_int_equal(simulation.errors.compared, 2);
    assert_int_equal(simulation.errors.nx, 4);
    assert_string_equal(simulation.note,
                        "errors are those of 2 of 4 states: wheel.x.x is the first that has no "
                        "counterpart in half.csv");
    ms_simulation_destroy(&simulation);
    measured(system, "step-size=0.01", &whole, &simulation);
    assert_int_equal(simulation.errors.compared, 4);
    assert_string_equal(simulation.note, "");
    ms_simulation_destroy(&simulation);
    ms_series_destroy(&series);
    ms_system_destroy(&system);
}

static void what_cannot_be_compared_is_refused(void **state)
{
    (void)state;
    ms_system *system = support_system("quarter-car", "");
    const ms_against finer = {.name = "finer", .finer = true},
                     other = {.name = "van-der-pol", .model = ms_catalogue_find("van-der-pol")};
    ms_simulation simulation;
    ms_error error = {""};
    assert_int_equal(measure(system, "error-controlled=richardson", &finer, &simulation, &error), MS_INVALID);
    assert_non_null(strstr(error.text, "only equal macro-steps have a sixteenth"));
    assert_int_equal(measure(system, "scheme=f3ornits", &finer, &simulation, &error), MS_INVALID);
    assert_int_equal(measure(system, "", &other, &simulation, &error), MS_INVALID);
    assert_non_null(strstr(error.text, "neither a state nor an output of model quarter-car"));
    assert_int_equal(measure(system, "mask=wheel:step=0.001", &finer, &simulation, &error), MS_UNSUPPORTED);
    assert_non_null(strstr(error.text, "imposes a step"));
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_is_its_own_reference),
        cmocka_unit_test(finer_steps_are_a_sixteenth),
        cmocka_unit_test(a_series_is_compared_by_name),
        cmocka_unit_test(without_a_monolithic_form_there_are_errors),
        cmocka_unit_test(parts_of_the_states_are_counted),
        cmocka_unit_test(what_cannot_be_compared_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
