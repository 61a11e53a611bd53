/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_port_work.c - the work through a port where inputs have pieces, external inputs kinks, and the subsystem events.
 *
 * Under a force u that is held the work on a mass is u times its path, int u v dt = u (x1 - x0), whatever else moves it: over pieces
 * u_j held it is sum_j u_j (x_{j+1} - x_j).
 *
 *     hopper   x' = v, v' = u - 9.81; v becomes -v where x falls through zero
 *     pushed   x' = v, v' = u + w, w a square wave that jumps at 0.125, 0.25, ..
 *     driven   x' = v, v' = u + w, w from a series */
#include <math.h>
#include <string.h>

#include <macrostep/instance_step.h>
#include <macrostep/series.h>
#include "port_work.h"
#include "small_model.h"

#include "solver_fixture.h"
#include "support.h"
#include "unit_test.h"

enum { HOPPER, PUSHED, DRIVEN, HAND };

static int hopper_f(const ms_point *at, double *dx)
{
    dx[0] = at->x[1];
    dx[1] = at->u[0] - 9.81;
    return 0;
}

static int speed(const ms_point *at, double *y)
{
    y[0] = at->x[1];
    return 0;
}

static int height(const ms_point *at, double *r)
{
    r[0] = at->x[0];
    return 0;
}

static int bounce(const ms_point *at, const ms_event *event)
{
    if (event->crossed[0] < 0)
        event->x[1] = -at->x[1];
    return 0;
}

static void mass_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    m->A[1] = 1.0;
    m->B[1] = m->E[1] = 1.0;
    m->C[1] = 1.0;
}

static const double half_period = 0.125; /* without round-off */

static void square_wave(double t, const double *p, const void *data, double *w)
{
    (void)p, (void)data;
    w[0] = (long)floor(t / half_period) % 2 == 0 ? 40.0 : -25.0;
}

static double next_jump(double t, const double *z, const double *p, const void *data)
{
    (void)z, (void)p, (void)data;
    double due = half_period * (floor(t / half_period) + 1.0);
    return due > t ? due : due + half_period;
}

static void nothing(double t, const double *p, const void *data, double *w)
{
    (void)t, (void)p, (void)data;
    w[0] = 0.0;
}

static int hold(const ms_point *at, double *y)
{
    (void)at;
    y[0] = y[1] = y[2] = 1.0;
    return 0;
}

static const double start[] = {0.3, 0.5};
static const ms_port foot[] = {{"foot", 0, 0, 1.0}},
                     hand[] = {{"a", 0, 0, -1.0}, {"b", 1, 1, -1.0}, {"c", 2, 2, -1.0}};
static const ms_subsystem subsystems[] = {
    [HOPPER] = SUPPORT_SUBSYSTEM("hopper", 2, 1, 1, .x0 = start, .f = hopper_f, .g = speed, .n_indicators = 1,
                                 .indicators = height, .handle = bounce, .ports = foot, .n_ports = 1),
    [PUSHED] =
        SUPPORT_SUBSYSTEM("pushed", 2, 1, 1, .nw = 1, .x0 = start, .matrices = mass_matrices,
                          .external = square_wave, .next_time = next_jump, .ports = foot, .n_ports = 1),
    [DRIVEN] = SUPPORT_SUBSYSTEM("driven", 2, 1, 1, .nw = 1, .x0 = start, .matrices = mass_matrices,
                                 .external = nothing, .ports = foot, .n_ports = 1),
    [HAND] =
        SUPPORT_SUBSYSTEM("hand", 0, 3, 3, .f = support_no_states, .g = hold, .ports = hand, .n_ports = 3)};
static const ms_wire wires[] = {{HOPPER, 0, HAND, 0, 1.0}, {PUSHED, 0, HAND, 1, 1.0},
                                {DRIVEN, 0, HAND, 2, 1.0}, {HAND, 0, HOPPER, 0, 1.0},
                                {HAND, 1, PUSHED, 0, 1.0}, {HAND, 2, DRIVEN, 0, 1.0}};
static const ms_model model = SUPPORT_MODEL("masses", subsystems, wires, .stop_time = 1.0, .step_size = 0.1);

/* Pieces of random lengths of a macro-step of length h, forces held on each. */
static void feed(ms_instance *instance, double h, int pieces, unsigned long long *seed)
{
    ms_input *input = &instance->input;
    double sum = 0.0;
    input->degree = 0;
    input->pieces = pieces;
    for (int j = 0; j < pieces; j++) {
        sum += 1.05 + support_random(seed);
        input->end[j] = sum;
        ms_input_coefficients(input, j, 0)[0] = 12.0 * support_random(seed);
    }
    for (int j = 0; j < pieces; j++)
        input->end[j] = j + 1 < pieces ? input->end[j] / sum * h : h;
}

static double force_times_path(const ms_instance *instance)
{
    double sum = 0.0;
    for (int j = 0; j < instance->input.pieces; j++) {
        const double *from = instance->x_start + j * instance->n_state,
                     *to = j + 1 < instance->input.pieces ? from + instance->n_state : instance->x;
        sum += ms_input_coefficients(&instance->input, j, 0)[0] * (to[0] - from[0]);
    }
    return sum;
}

/* Macro-steps of random lengths: x has a part of second order between kinks, and every method of that order its integral. */
static void check(support_solver_fixture *fixture, const ms_solver *solver, double tolerance)
{
    ms_instance *instance = fixture->instance;
    unsigned long long seed = 3;
    double t = 0.0;
    const double samples[] = {0.2, 0.5, 0.933};
    assert_int_equal(ms_instance_observe(instance, MS_COUNT(samples), samples, true), MS_OK);
    for (int n = 0; n < 24; n++) {
        const double h = 0.2 + 0.15 * support_random(&seed);
        feed(instance, h, 1 + n % MS_INPUT_PIECES, &seed);
        if (ms_instance_step(instance, t, h) != MS_OK)
            fail_msg("%s, %s", instance->sub->name, solver->name);
        const double right = force_times_path(instance), found = ms_port_work_values(instance)[0];
        if (!(fabs(found - right) <= tolerance))
            fail_msg("%s, %s, %d pieces: work %.17g instead of %.17g", instance->sub->name, solver->name,
                     instance->input.pieces, found, right);
        t += h;
    }
}

/* Methods that carry slopes over an event leave x' = v there. */
static bool fits(const ms_solver *solver, int subsystem)
{
    return solver->order != 1 && solver->state_memory == 0 && support_solver_slope(solver) > 0.5 &&
           (subsystem == PUSHED || solver->events);
}

static void work_is_force_times_path(void **state)
{
    (void)state;
    const ms_solver_options options = {.rtol = 1e-11, .atol = 1e-12, .micro_steps = 3};
    long events = 0;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    for (int k = HOPPER; k <= PUSHED; k++)
        if (fits(solver, k)) {
            support_solver_fixture *fixture = support_fixture_of(&model, k, solver, &options);
            check(fixture, solver, 1e-6);
            events += fixture->instance->work.events;
            support_fixture_drop(fixture);
        }
    assert_true(events > 100);
}

/* Rows at random times, many of them in a macro-step. */
static void rows_of_external_inputs_are_kinks(void **state)
{
    (void)state;
    const ms_solver_options options = {.micro_steps = 1};
    const char *const name = "driven.w.w1";
    unsigned long long seed = 5;
    ms_series *series = NULL;
    assert_int_equal(ms_series_create(1, &name, 200, &series, NULL), MS_OK);
    for (int k = 0; k < 200; k++) {
        series->time[k] = k == 0 ? 0.0 : series->time[k - 1] + 0.04 * (1.01 + support_random(&seed));
        series->value[k] = 30.0 * support_random(&seed);
    }
    support_solver_fixture *fixture = support_fixture_of(&model, DRIVEN, ms_solver_find("exact"), &options);
    assert_int_equal(ms_system_bind_inputs(fixture->system, series, NULL), MS_OK);
    check(fixture, ms_solver_find("exact"), 1e-12);
    support_fixture_drop(fixture);
    ms_series_destroy(&series);
}

/* The states, and what the run has cost, are the same with and without. */
static void work_changes_no_run(void **state)
{
    (void)state;
    const ms_solver_options options = {.rtol = 1e-9, .atol = 1e-9, .micro_steps = 3};
    const double sample = 0.3;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    for (int k = HOPPER; k <= PUSHED; k++)
        if (fits(solver, k)) {
            support_solver_fixture *fixture[2];
            for (int with = 0; with < 2; with++) {
                unsigned long long seed = 7;
                fixture[with] = support_fixture_of(&model, k, solver, &options);
                ms_instance *instance = fixture[with]->instance;
                assert_int_equal(ms_instance_observe(instance, 1, &sample, with == 1), MS_OK);
                for (int n = 0; n < 8; n++) {
                    feed(instance, 0.25, 1 + n % MS_INPUT_PIECES, &seed);
                    if (ms_instance_step(instance, 0.25 * n, 0.25) != MS_OK)
                        fail_msg("%s: %s", solver->name, ms_instance_failure(instance));
                }
            }
            assert_memory_equal(fixture[0]->x, fixture[1]->x, 2 * sizeof(double));
            assert_memory_equal(fixture[0]->instance->samples, fixture[1]->instance->samples,
                                2 * sizeof(double));
            assert_int_equal(fixture[0]->instance->work.micro_steps, fixture[1]->instance->work.micro_steps);
            support_fixture_drop(fixture[0]);
            support_fixture_drop(fixture[1]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(work_is_force_times_path),
                                       cmocka_unit_test(rows_of_external_inputs_are_kinks),
                                       cmocka_unit_test(work_changes_no_run)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
