/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_state_space_form.c - differential-algebraic models as ordinary differential equations, and the two methods of a reference. */
#include <math.h>
#include <string.h>

#include "event_models.h"
#include "monolithic.h"
#include "small_model.h"
#include "solution_pair.h"
#include "state_space_form.h"
#include "support.h"
#include "unit_test.h"

static ms_state_space_form *form_of(const ms_system *whole)
{
    ms_state_space_form *form = NULL;
    assert_int_equal(ms_state_space_form_create(whole, &form), MS_OK);
    return form;
}

static int slope(const ms_state_space_form *form, const double *x, double *dx)
{
    return ms_subsystem_f(ms_state_space_form_system(form), 0, &(ms_point){.x = x}, NULL, dx);
}

/* Of a pendulum of index 1: q' = v, v' = -lambda q - (0, g), lambda = (v^2 - g y)/q^2. */
static void f_is_what_the_residual_says(void **state)
{
    (void)state;
    const double g = 9.81;
    const ms_model model = SUPPORT_MODEL_OF("pendulum", &support_pendulum_model.subsystems[SUPPORT_CARTESIAN],
                                            1, NULL, 0, .stop_time = 1.0, .step_size = 0.1);
    ms_system *system = support_system_of(&model);
    ms_state_space_form *form = form_of(system);
    for (int k = 0; k < 5; k++) {
        const double angle = 0.3 + k, speed = 2.0 - k;
        double x[5] = {sin(angle), -cos(angle), speed * cos(angle), speed * sin(angle), 1e3}, dx[5];
        const double lambda = speed * speed - g * x[1];
        assert_int_equal(slope(form, x, dx), 0);
        support_near(dx[0], x[2], 1e-14);
        support_near(dx[1], x[3], 1e-14);
        support_near(dx[2], -lambda * x[0], 1e-12);
        support_near(dx[3], -lambda * x[1] - g, 1e-12);
        assert_true(dx[4] == 0.0);
        assert_int_equal(ms_state_space_form_complete(form, 0.0, x, NULL), 0);
        support_near(x[4], lambda, 1e-12);
    }
    ms_state_space_form_destroy(&form);
    ms_system_destroy(&system);
}

/* x' = -x + a, a^3 + a = x: at x = 2 is a = 1, at x = 10 is a = 2. a is written down at events. */
static int cubic_residual(const ms_point *at, const double *dx, double *r)
{
    const double a = at->x[1];
    r[0] = dx[0] + at->x[0] - a;
    r[1] = a * a * a + a - at->x[0];
    return 0;
}

static int write_down(const ms_point *at, const ms_event *event)
{
    event->z[0] = at->x[1];
    event->x[0] = 10.0;
    return 0;
}

static int cubic_indicator(const ms_point *at, double *r)
{
    r[0] = at->x[1];
    return 0;
}

static const bool second[] = {false, true};
static const double begin[] = {2.0, 0.5};
static const ms_subsystem cubic =
    SUPPORT_SUBSYSTEM("cubic", 2, 0, 0, .nz = 1, .x0 = begin, .residual = cubic_residual, .algebraic = second,
                      .n_indicators = 1, .indicators = cubic_indicator, .handle = write_down);

static void events_see_algebraic_variables_that_are_consistent(void **state)
{
    (void)state;
    const ms_model model = SUPPORT_MODEL_OF("cubic", &cubic, 1, NULL, 0, .stop_time = 1.0, .step_size = 0.1);
    ms_system *system = support_system_of(&model);
    ms_state_space_form *form = form_of(system);
    const ms_system *inner = ms_state_space_form_system(form);
    double x[] = {2.0, -7.0}, z[] = {0.0}, r = 0.0, dx[2];
    const double before[] = {2.0, -7.0};
    ms_point at = {.x = before, .z = z};
    assert_int_equal(ms_subsystem_indicators(inner, 0, &at, NULL, &r), 0);
    support_near(r, 1.0, 1e-14);
    assert_int_equal(ms_subsystem_handle(inner, 0, &at, NULL, &(ms_event){.state = true, .x = x, .z = z}), 0);
    support_near(z[0], 1.0, 1e-14);
    assert_true(x[0] == 10.0);
    assert_int_equal(slope(form, x, dx), 0);
    support_near(dx[0], -8.0, 1e-13);
    ms_state_space_form_destroy(&form);
    ms_system_destroy(&system);
}

/* a^2 = x. */
static int root_residual(const ms_point *at, const double *dx, double *r)
{
    r[0] = dx[0] - 1.0;
    r[1] = at->x[1] * at->x[1] - at->x[0];
    return 0;
}

static void points_without_solution_are_outside_the_domain(void **state)
{
    (void)state;
    const ms_subsystem root =
        SUPPORT_SUBSYSTEM("root", 2, 0, 0, .x0 = begin, .residual = root_residual, .algebraic = second);
    const ms_model model = SUPPORT_MODEL_OF("root", &root, 1, NULL, 0, .stop_time = 1.0, .step_size = 0.1);
    ms_system *system = support_system_of(&model);
    ms_state_space_form *form = form_of(system);
    double x[] = {4.0, 1.0}, dx[2];
    const double none[] = {-1.0, 1.0};
    ms_state_space_form_start(form, x);
    assert_int_equal(ms_state_space_form_complete(form, 0.0, x, NULL), 0);
    support_near(x[1], 2.0, 1e-14);
    assert_int_equal(slope(form, none, dx), 1);
    x[1] = 1.0;
    ms_state_space_form_start(form, x);
    assert_int_equal(ms_state_space_form_complete(form, 0.0, x, NULL), 0);
    support_near(x[1], 2.0, 1e-14);
    ms_state_space_form_destroy(&form);
    ms_system_destroy(&system);
}

enum { MANY = 200 };

static int few_f(const ms_point *at, double *dx)
{
    dx[0] = -at->x[0] * at->x[0];
    return 0;
}

static int many_f(const ms_point *at, double *dx)
{
    for (int j = 0; j < MANY; j++)
        dx[j] = -at->x[j] * at->x[j];
    return 0;
}

static const char *second_method(const ms_subsystem *sub, char *name)
{
    const ms_model model = SUPPORT_MODEL_OF("one", sub, 1, NULL, 0, .stop_time = 1.0, .step_size = 0.1);
    ms_system *system = support_system_of(&model);
    ms_solution_pair pair = {0};
    assert_int_equal(ms_solution_pair_create(system, &(ms_solution_use){0}, &pair, NULL), MS_OK);
    assert_string_not_equal(pair.main.instance->solver->name, pair.companion.instance->solver->name);
    strcpy(name, pair.companion.instance->solver->name);
    ms_solution_pair_destroy(&pair);
    ms_system_destroy(&system);
    return name;
}

static void both_solutions_of_nonlinear_models_are_of_different_methods(void **state)
{
    (void)state;
    char name[64];
    ms_variable names[MANY];
    for (int j = 0; j < MANY; j++)
        names[j] = (ms_variable){"x", "1"};
    const ms_subsystem many = {.name = "many", .nx = MANY, .x = names, .f = many_f},
                       few = {.name = "few", .nx = 1, .x = names, .f = few_f};
    assert_string_equal(second_method(&many, name), "arkode-erk");
    assert_string_equal(second_method(&few, name), "radau-iia-13");
    assert_string_equal(second_method(&cubic, name), "radau-iia-13");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f_is_what_the_residual_says),
        cmocka_unit_test(events_see_algebraic_variables_that_are_consistent),
        cmocka_unit_test(points_without_solution_are_outside_the_domain),
        cmocka_unit_test(both_solutions_of_nonlinear_models_are_of_different_methods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
