/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_open_loop.c - a subsystem driven alone: its inputs, its tight solution, and runs of every kind. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cvode_polynomial.h"
#include "drawing.h"
#include "open_loop.h"
#include "support.h"
#include "unit_test.h"

enum { RIGHT = 1 };

static ms_open_loop *drive(const ms_system *system, int subsystem, int segments, ms_open_loop_inputs inputs,
                           double stop)
{
    ms_open_loop *open_loop;
    ms_error error = {""};
    if (ms_open_loop_create(&(ms_open_loop_problem){system, subsystem, segments, inputs, 0.0, stop, NULL},
                            &open_loop, &error) != MS_OK)
        fail_msg("%s", error.text);
    return open_loop;
}

static ms_open_loop_result run(const ms_open_loop *open_loop, const char *text,
                               const ms_open_loop_options *request)
{
    const ms_options options = support_options(text);
    ms_open_loop_result result;
    ms_error error = {""};
    if (ms_open_loop_run(open_loop, &options, request, &result, &error) != MS_OK)
        fail_msg("%s", error.text);
    return result;
}

/* The right mass is driven by position and velocity of the left one, whose acceleration is (6.84). */
static void test_inputs(void **state)
{
    (void)state;
    ms_system *system = support_system("mass-spring-damper", "x1=0.7 v1=-2 x2=-0.4 v2=3");
    ms_open_loop *right = drive(system, RIGHT, 8, MS_OPEN_LOOP_LINEAR, 1.0),
                 *held = drive(system, RIGHT, 8, MS_OPEN_LOOP_CONSTANT, 1.0),
                 *line = drive(system, RIGHT, 8, MS_OPEN_LOOP_INTERPOLATED, 1.0);
    for (int i = 0; i <= 8; i++) {
        double x[4];
        support_near(right->time[i], i / 8.0, 1e-15);
        if (i > 0)
            support_reference(system, right->time[i], x);
        else
            ms_system_start(system, x);
        const double acceleration = -(10.0 + 25.0) * x[0] - (1.0 + 0.1) * x[1] + 25.0 * x[2] + 0.1 * x[3];
        for (int j = 0; j < 2; j++) {
            support_near(right->value[2 * i + j], x[j], 1e-12);
            support_near(held->value[2 * i + j], x[j], 1e-12);
            support_near(right->coupled[2 * i + j], x[2 + j], 1e-12);
        }
        if (i == 8)
            break;
        support_near(right->slope[2 * i], x[1], 1e-12);
        support_near(right->slope[2 * i + 1], acceleration, 1e-11);
        support_near(held->slope[2 * i], 0.0, 0.0);
        for (int j = 0; j < 2; j++)
            support_near(line->value[2 * i + j] + line->slope[2 * i + j] / 8.0, line->value[2 * (i + 1) + j],
                         1e-13);
    }
    ms_open_loop_destroy(&right);
    ms_open_loop_destroy(&held);
    ms_open_loop_destroy(&line);
    assert_null(line);
    ms_system_destroy(&system);
}

/* Outputs that depend on time: the car is driven by the force of its controller, a trapezoid before 10 s.
 * Slopes that do: tank1 is fed by tank3, into which a pump flows whose voltage changes. */
static void test_time(void **state)
{
    (void)state;
    ms_system *system = support_system("controlled-car", NULL);
    ms_open_loop *d = drive(system, 0, 16, MS_OPEN_LOOP_LINEAR, 8.0);
    for (int i = 0; i < 16; i++) {
        support_near(d->value[i], fmin(2000.0, 1000.0 * d->time[i]), 1e-9);
        support_near(d->slope[i], d->time[i] < 2.0 ? 1000.0 : 0.0, 1e-3);
    }
    ms_open_loop_destroy(&d);
    ms_system_destroy(&system);

    system = support_system("quadruple-tank", NULL);
    d = drive(system, 0, 600, MS_OPEN_LOOP_LINEAR, 60.0);
    assert_true(d->tight_error < 1e-11 && d->coupled_error < 1e-11);
    double largest = 0.0;
    for (int i = 0; i < 600; i++)
        largest = fmax(largest, fabs(d->slope[i]));
    for (int i = 1; i < 600; i++)
        support_near(d->slope[i] / largest,
                     (d->value[i + 1] - d->value[i - 1]) / (d->time[i + 1] - d->time[i - 1]) / largest, 1e-3);
    ms_open_loop_destroy(&d);
    ms_system_destroy(&system);
}

/* Largest distance of the driven solution to the coupled one. */
static double sampling_error(const ms_open_loop *d)
{
    return support_distance((d->segments + 1) * d->nx, d->tight, d->coupled);
}

/* The open-loop problem tends to the coupled one with order 1 for held inputs, else 2. */
static void test_sampling_order(void **state)
{
    (void)state;
    static const char *const models[] = {"mass-spring-damper", "coupled-pendula"};
    for (int k = 0; k < MS_COUNT(models); k++) {
        ms_system *system = support_system(models[k], k == 0 ? "" : "case=soft");
        for (int inputs = MS_OPEN_LOOP_CONSTANT; inputs <= MS_OPEN_LOOP_INTERPOLATED; inputs++) {
            double error[2];
            for (int n = 0; n < 2; n++) {
                ms_open_loop *d = drive(system, 0, 100 << n, (ms_open_loop_inputs)inputs, 1.0);
                assert_true(d->coupled_error < 1e-11 && d->tight_error < 1e-11);
                assert_true(k == 0 || d->tight_error > 0.0);
                error[n] = sampling_error(d);
                ms_open_loop_destroy(&d);
            }
            support_near(log2(error[0] / error[1]), inputs == MS_OPEN_LOOP_CONSTANT ? 1.0 : 2.0, 0.1);
        }
        ms_system_destroy(&system);
    }
}

/* Every micro-solver solves the open-loop problem, not the coupled one, whatever it does where inputs
 * change. */
static void test_solvers(void **state)
{
    (void)state;
    static const char *const options[] = {
        "solver=exact",
        "solver=gsl-rk8pd solver-rtol=1e-12 solver-atol=1e-13",
        "solver=rk4 micro-steps=200",
        "solver-rtol=1e-11 solver-atol=1e-12",
        "solver-rtol=1e-11 solver-atol=1e-12 input-change=proceed",
        "solver-rtol=1e-11 solver-atol=1e-12 input-change=correct-1",
        "solver-rtol=1e-11 solver-atol=1e-12 input-change=correct-2",
        "solver=cvode-adams solver-rtol=1e-11 solver-atol=1e-12 input-change=correct-2",
    };
    ms_system *system = support_system("mass-spring-damper", NULL);
    for (int inputs = MS_OPEN_LOOP_CONSTANT; inputs <= MS_OPEN_LOOP_INTERPOLATED; inputs++) {
        ms_open_loop *d = drive(system, RIGHT, 7, (ms_open_loop_inputs)inputs, 1.0);
        for (int k = 0; k < MS_COUNT(options); k++) {
            ms_open_loop_result r = run(d, options[k], NULL);
            assert_int_equal(r.reason, MS_REASON_END_TIME);
            assert_true(r.end_time == 1.0 && r.message[0] == '\0' && r.step == NULL);
            assert_true(r.own_largest.max < (k < 3 ? 1e-9 : 1e-7) && r.own_largest.end <= r.own_largest.max);
            assert_true(r.coupled_largest.max > 1e-3);
            assert_true(r.own_largest.max == fmax(r.own[0].max, r.own[1].max));
            for (int j = 0; j < 2; j++) {
                double max = 0.0;
                for (int i = 0; i <= 7; i++)
                    max = fmax(max, fabs(r.x[2 * i + j] - d->tight[2 * i + j]));
                assert_true(r.own[j].max == max && r.own[j].end == fabs(r.x[14 + j] - d->tight[14 + j]));
            }
            assert_true(memcmp(r.x, d->coupled, 2 * sizeof(double)) == 0);
            assert_true(r.work.micro_steps > 0 || k == 0);
            ms_open_loop_result_destroy(&r);
        }
        ms_open_loop_destroy(&d);
    }
    ms_system_destroy(&system);
}

/* The record holds every micro-step once; orders begin anew where the solver restarts, and only there. */
static void test_steps(void **state)
{
    (void)state;
    ms_system *system = support_system("mass-spring-damper", NULL);
    ms_open_loop *d = drive(system, RIGHT, 5, MS_OPEN_LOOP_LINEAR, 2.0);
    static const char *const modes[] = {"input-change=restart", "input-change=correct-2"};
    for (int m = 0; m < 2; m++) {
        ms_open_loop_result r = run(d, modes[m], &(ms_open_loop_options){.steps = true});
        int segment = 0;
        assert_int_equal(r.n_steps, r.work.micro_steps);
        assert_true(r.step[0].from == 0.0 && r.step[r.n_steps - 1].to == 2.0);
        for (long k = 0; k < r.n_steps; k++) {
            assert_true(r.step[k].to > r.step[k].from && r.step[k].order >= 1 && r.step[k].order <= 5);
            assert_true(k == 0 || r.step[k].from == r.step[k - 1].to);
            if (fabs(r.step[k].from - d->time[segment]) > 1e-12)
                continue;
            assert_true((r.step[k].order == 1) == (segment == 0 || m == 0));
            segment++;
        }
        assert_int_equal(segment, 5);
        ms_open_loop_result_destroy(&r);
    }
    ms_open_loop_destroy(&d);
    ms_system_destroy(&system);
}

/* Table 7.2 of Andersson (2016): restart, proceed, correct-1, correct-2, within 10 %. Round-off decides how
 * many steps they are: over nine starts that differ by it the range holds the print. */
static void test_table_7_2(void **state)
{
    (void)state;
    static const double printed[] = {598.0, 876.0, 584.0, 343.0};
    static const char *const modes[] = {
        "solver-rtol=1e-6 solver-atol=1e-8 input-change=restart",
        "solver-rtol=1e-6 solver-atol=1e-8 input-change=proceed",
        "solver-rtol=1e-6 solver-atol=1e-8 input-change=correct-1",
        "solver-rtol=1e-6 solver-atol=1e-8 input-change=correct-2",
    };
    double steps[4][MS_ENSEMBLE];
    ms_system *system = support_system("mass-spring-damper", NULL);
    for (int k = 0; k < MS_ENSEMBLE; k++) {
        system->start_eps = k - MS_ENSEMBLE_MIDDLE;
        ms_open_loop *d = drive(system, RIGHT, 19, MS_OPEN_LOOP_LINEAR, 2.0);
        for (int m = 0; m < 4; m++) {
            ms_open_loop_result r = run(d, modes[m], NULL);
            steps[m][k] = (double)r.work.micro_steps;
            ms_open_loop_result_destroy(&r);
        }
        ms_open_loop_destroy(&d);
    }
    for (int m = 0; m < 4; m++) {
        double low, high;
        if (ms_ensemble_verdict(printed[m], steps[m], 0.1 * printed[m], &low, &high) != MS_REPRODUCED)
            fail_msg("%s: %g to %g steps, printed %g", modes[m], low, high, printed[m]);
        assert_true(high - low < 0.25 * printed[m]);
    }
    ms_system_destroy(&system);
}

/* What begin() sees of the polynomial from which CVODE predicts. */
typedef struct polynomial_check {
    int segments;
    const ms_open_loop *open_loop;
} polynomial_check;

static void check_polynomial(void *self, ms_instance *instance, int segment)
{
    polynomial_check *check = self;
    double derivative[2 * (MS_CVODE_ORDER_MAX + 1)], dx[2];
    int order;
    const int status = ms_cvode_polynomial(instance, &order, derivative);
    check->segments++;
    if (segment == 0) {
        assert_int_equal(status, MS_SOLVER_FAILED);
        return;
    }
    assert_int_equal(status, MS_OK);
    assert_true(order >= 1 && order <= 5);
    assert_true(memcmp(derivative, instance->x, sizeof dx) == 0);
    /* x' is that under the input of the segment before, at its end. */
    const ms_open_loop *d = check->open_loop;
    const double h = d->time[segment] - d->time[segment - 1];
    double u[2], w[1];
    for (int j = 0; j < 2; j++)
        u[j] = d->value[2 * (segment - 1) + j] + h * d->slope[2 * (segment - 1) + j];
    ms_point at = {.t = d->time[segment], .x = instance->x, .u = u};
    assert_int_equal(ms_subsystem_f(d->system, d->subsystem, &at, w, dx), 0);
    for (int j = 0; j < 2; j++)
        support_near(derivative[2 + j], dx[j], 1e-5 * (1.0 + fabs(dx[j])));
}

static void check_unsupported(void *self, ms_instance *instance, int segment)
{
    double derivative[2 * (MS_CVODE_ORDER_MAX + 1)];
    int order = 1;
    (void)self, (void)segment;
    assert_int_equal(ms_cvode_polynomial(instance, &order, derivative), MS_UNSUPPORTED);
    assert_int_equal(order, 0);
}

static void test_polynomial(void **state)
{
    (void)state;
    ms_system *system = support_system("mass-spring-damper", NULL);
    ms_open_loop *d = drive(system, RIGHT, 6, MS_OPEN_LOOP_LINEAR, 1.0);
    polynomial_check check = {.open_loop = d};
    ms_open_loop_result r = run(d, "input-change=correct-2 solver-rtol=1e-8 solver-atol=1e-9",
                                &(ms_open_loop_options){.begin = check_polynomial, .self = &check});
    assert_int_equal(check.segments, 6);
    ms_open_loop_result_destroy(&r);
    r = run(d, "solver=gsl-rk8pd", &(ms_open_loop_options){.begin = check_unsupported});
    ms_open_loop_result_destroy(&r);
    ms_open_loop_destroy(&d);
    ms_system_destroy(&system);
}

/* Euler's method with steps far beyond its stability. */
static void test_divergence(void **state)
{
    (void)state;
    ms_system *system = support_system("mass-spring-damper", "k3=1e7");
    ms_open_loop *d = drive(system, RIGHT, 40, MS_OPEN_LOOP_CONSTANT, 4.0);
    ms_open_loop_result r = run(d, "solver=euler", NULL);
    assert_int_equal(r.reason, MS_REASON_DIVERGED);
    assert_true(r.end_time < 4.0 && r.message[0] != '\0');
    int reached = 0;
    while (d->time[reached] != r.end_time)
        reached++;
    assert_true(fmax(fabs(r.x[2 * reached]), fabs(r.x[2 * reached + 1])) < 1e15);
    assert_false(fmax(fabs(r.x[2 * reached + 2]), fabs(r.x[2 * reached + 3])) < 1e12);
    assert_true(isnan(r.own_largest.max) && isnan(r.coupled_largest.end) && isnan(r.own[1].max));
    ms_open_loop_result_destroy(&r);
    ms_open_loop_result_destroy(&r);
    volatile sig_atomic_t stop = 1;
    r = run(d, "", &(ms_open_loop_options){.stop = &stop});
    assert_int_equal(r.reason, MS_REASON_INTERRUPTED);
    ms_open_loop_result_destroy(&r);
    ms_open_loop_destroy(&d);
    ms_system_destroy(&system);
}

static bool is_over;

static bool says_over(const void *data)
{
    (void)data;
    return is_over;
}

static int does_nothing(const ms_point *at, double *dx)
{
    (void)at, (void)dx;
    return is_over ? MS_SOLVER_FAILED : MS_OK;
}

static void ends(void *self, ms_instance *instance, int segment)
{
    (void)self, (void)instance;
    is_over = segment == 2;
}

/* A subsystem that asks for the end of the simulation in the third segment. */
static void test_termination(void **state)
{
    (void)state;
    ms_system *system = support_system("double-pendulum", NULL);
    ms_open_loop *d = drive(system, 0, 4, MS_OPEN_LOOP_LINEAR, 0.25);
    ms_system altered = *system;
    ms_subsystem sub[] = {system->sub[0], system->sub[1]};
    sub[0].f = does_nothing;
    sub[0].ended = says_over;
    altered.sub = sub;
    d->system = &altered;
    ms_open_loop_result r = run(d, "solver=rk4", &(ms_open_loop_options){.begin = ends});
    assert_int_equal(r.reason, MS_REASON_TERMINATED);
    assert_string_equal(r.message, "the subsystem asks for the end of the simulation after 0.125 s");
    support_near(r.end_time, 0.125, 0.0);
    ms_open_loop_result_destroy(&r);
    ms_open_loop_destroy(&d);
    ms_system_destroy(&system);
}

static void refuse(const char *model, int subsystem, int segments, ms_open_loop_inputs inputs, double stop,
                   int status, const char *words)
{
    ms_system *system = support_system(model, NULL);
    ms_open_loop *open_loop;
    ms_error error = {""};
    assert_int_equal(
        ms_open_loop_create(&(ms_open_loop_problem){system, subsystem, segments, inputs, 0.0, stop, NULL},
                            &open_loop, &error),
        status);
    assert_null(open_loop);
    support_says(error.text, words);
    ms_system_destroy(&system);
}

static void test_refusals(void **state)
{
    (void)state;
    refuse("mass-spring-damper", 2, 10, MS_OPEN_LOOP_LINEAR, 1.0, MS_INVALID, "has 2");
    refuse("mass-spring-damper", 0, 0, MS_OPEN_LOOP_LINEAR, 1.0, MS_INVALID, "`segments` 0");
    refuse("mass-spring-damper", 0, 5, MS_OPEN_LOOP_LINEAR, 0.0, MS_INVALID, "`stop-time` 0");
    refuse("mass-spring-damper", 0, 5, MS_OPEN_LOOP_LINEAR, NAN, MS_INVALID, "`stop-time`");
    refuse("three-clocks", 1, 10, MS_OPEN_LOOP_LINEAR, 1.0, MS_UNSUPPORTED, "degree 0, not 1");
    refuse("three-clocks", 2, 10, MS_OPEN_LOOP_CONSTANT, 1.0, MS_UNSUPPORTED, "every 0.25 s");
    refuse("bell", 0, 10, MS_OPEN_LOOP_CONSTANT, 1.0, MS_UNSUPPORTED, "discrete variables");

    ms_system *system = support_system("three-clocks", NULL);
    ms_open_loop *d = drive(system, 1, 10, MS_OPEN_LOOP_CONSTANT, 1.0),
                 *meter = drive(system, 2, 4, MS_OPEN_LOOP_LINEAR, 1.0),
                 *free = drive(system, 0, 3, MS_OPEN_LOOP_LINEAR, 1.0);
    const ms_options unknown = support_options("solver=cvode-bfd");
    ms_open_loop_result r;
    ms_error error = {""};
    assert_int_equal(ms_open_loop_run(d, &unknown, NULL, &r, &error), MS_INVALID);
    assert_non_null(strstr(error.text, "the nearest is cvode-bdf"));
    assert_null(r.x);
    r = run(free, "", NULL); /* of a subsystem without inputs the open-loop problem is the coupled one */
    support_near(r.own_largest.max, r.coupled_largest.max, 1e-12);
    ms_open_loop_result_destroy(&r);
    ms_open_loop_destroy(&d);
    ms_open_loop_destroy(&meter);
    ms_open_loop_destroy(&free);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inputs),         cmocka_unit_test(test_time),
        cmocka_unit_test(test_sampling_order), cmocka_unit_test(test_solvers),
        cmocka_unit_test(test_steps),          cmocka_unit_test(test_table_7_2),
        cmocka_unit_test(test_polynomial),     cmocka_unit_test(test_divergence),
        cmocka_unit_test(test_termination),    cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests_name("open loop", tests, NULL, NULL);
}
