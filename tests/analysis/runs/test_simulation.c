/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_simulation.c - errors, trajectories and simulations. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "catalogue.h"
#include "cosim_create.h"
#include "options_set.h"
#include "scheme_registry.h"
#include "simulation.h"
#include "support.h"

static ms_options options_of(double step_size, double stop_time)
{
    ms_options options;
    char text[64];
    ms_error error = {""};
    ms_options_default(&options);
    snprintf(text, sizeof text, "%.17g", step_size);
    assert_int_equal(ms_options_set(&options, "step-size", text, &error), MS_OK);
    snprintf(text, sizeof text, "%.17g", stop_time);
    assert_int_equal(ms_options_set(&options, "stop-time", text, &error), MS_OK);
    return options;
}

static void set(ms_options *options, const char *name, const char *value)
{
    ms_error error = {""};
    if (ms_options_set(options, name, value, &error) != MS_OK)
        fail_msg("%s", error.text);
}

/* What errors.c measures, against the known solution of spring-mass. */
typedef struct witness {
    double max, end, e2, ref2, elapsed;
} witness;

static int witness_step(void *self, const ms_cosim *cosim, double t, double h)
{
    witness *w = self;
    w->end = fabs(cosim->x[0] - cos(t + h));
    w->max = fmax(w->max, w->end);
    for (int n = 0; n < cosim->n_segments; n++)
        for (int k = 0; k < 3; k++) {
            const ms_segment *segment = &cosim->segment[n];
            const double reference = cos(segment->t + ms_gauss_fractions[k] * segment->h);
            const double s = segment->samples[2 * ms_cosim_sample_index(cosim, ms_gauss_fractions[k])];
            w->e2 += ms_gauss_weights[k] * segment->h * pow(s - reference, 2);
            w->ref2 += ms_gauss_weights[k] * segment->h * pow(reference, 2);
        }
    w->elapsed += h;
    return 0;
}

static void test_errors(void **state)
{
    (void)state;
    static const char *const control[] = {"none", "richardson"};
    ms_system *system = support_system_with("spring-mass", NULL, 0);
    for (int k = 0; k < 2; k++) {
        ms_options options = options_of(0.1, 3.0);
        if (k == 1)
            set(&options, "error-controlled", control[k]);
        witness w = {0};
        const ms_observer observer = {.self = &w, .step = witness_step};
        const ms_simulation_options request = {.errors = true, .observers = &observer, .n_observers = 1};
        ms_simulation simulation;
        ms_error error = {""};
        if (ms_simulation_run(system, &options, &request, &simulation, &error) != MS_OK)
            fail_msg("%s", error.text);
        assert_true(simulation.errors_valid);
        support_near(w.elapsed, 3.0, 1e-12);
        support_near(simulation.errors.state[0].max, w.max, 1e-12);
        support_near(simulation.errors.state[0].end, w.end, 1e-12);
        support_near(simulation.errors.state[0].rmse, sqrt(w.e2 / 3.0), 1e-12);
        support_near(simulation.errors.state[0].l2, sqrt(w.e2 / w.ref2), 1e-12);
        support_near(w.ref2, 1.5 + 0.25 * sin(6.0), 1e-6); /* int cos^2 */
        const ms_state_errors *s = simulation.errors.state;
        support_near(simulation.errors.max, fmax(s[0].max, s[1].max), 0.0);
        support_near(ms_errors_norm(&simulation.errors, MS_NORM_L2), 0.5 * (s[0].l2 + s[1].l2), 0.0);
        support_near(ms_errors_norm(&simulation.errors, MS_NORM_MAX), simulation.errors.max, 0.0);
        support_near(ms_errors_norm(&simulation.errors, MS_NORM_RMSE), simulation.errors.rmse, 0.0);
        support_near(ms_errors_norm(&simulation.errors, MS_NORM_END), simulation.errors.end, 0.0);
        assert_true(simulation.errors.max > 1e-6);
        assert_true(simulation.errors.reference_error < 1e-13);
        support_near(simulation.errors.reference_scale, 1.0, 1e-2);
        ms_simulation_destroy(&simulation);
    }
    ms_system_destroy(&system);
}

/* A car on a symmetric bump does not roll: what the reference has of roll is round-off, and no scale. */
static void test_vanishing_states(void **state)
{
    (void)state;
    ms_system *system = support_system_with("full-car", NULL, 0);
    const ms_options options = options_of(0.005, 1.0);
    const ms_simulation_options request = {.errors = true};
    ms_simulation simulation;
    assert_int_equal(ms_simulation_run(system, &options, &request, &simulation, NULL), MS_OK);
    double sum = 0.0;
    for (int j = 0; j < system->nx; j++) {
        const bool rolls = j == 2 || j == 3; /* phi, omega_x */
        assert_true(rolls == isnan(simulation.errors.state[j].l2));
        sum += rolls ? 0.0 : simulation.errors.state[j].l2;
    }
    support_near(simulation.errors.l2_normalized_mean, sum / (system->nx - 2), 1e-15);
    ms_simulation_destroy(&simulation);
    ms_system_destroy(&system);
}

/* The order in which the observers are made does not matter, and a second run starts anew. */
static void test_observer_order(void **state)
{
    (void)state;
    ms_system *system = support_system_with("spring-mass", NULL, 0);
    const ms_options options = options_of(0.1, 1.0);
    double max[2][2];
    for (int first = 0; first < 2; first++) {
        ms_cosim *cosim = NULL;
        ms_errors errors;
        ms_trajectory trajectory;
        ms_observer observer[2];
        ms_error error = {""};
        assert_int_equal(ms_cosim_of_options(system, &options, &cosim, &error), MS_OK);
        if (first == 0)
            assert_int_equal(ms_errors_create(cosim, 0, NULL, &errors, &observer[0], &error), MS_OK);
        assert_int_equal(ms_trajectory_create(cosim, &trajectory, &observer[1], &error), MS_OK);
        if (first == 1)
            assert_int_equal(ms_errors_create(cosim, 0, NULL, &errors, &observer[0], &error), MS_OK);
        for (int run = 0; run < 2; run++) {
            ms_run_result result;
            assert_int_equal(ms_run(cosim, observer, 2, NULL, NULL, &result, &error), MS_OK);
            max[first][run] = errors.max + errors.rmse;
            assert_int_equal(trajectory.rows, 11);
        }
        ms_errors_destroy(&errors);
        ms_trajectory_destroy(&trajectory);
        ms_cosim_destroy(&cosim);
    }
    assert_true(max[0][0] > 0.0);
    assert_memory_equal(max[0], max[1], sizeof max[0]);
    support_near(max[0][0], max[0][1], 0.0);
    ms_system_destroy(&system);
}

static void test_trajectory(void **state)
{
    (void)state;
    ms_system *system = support_system_with("spring-mass", NULL, 0);
    const ms_options options = options_of(0.1, 30.05); /* more rows than at first, a short last step */
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
    for (int k = 0; k < 7; k++) {
        ms_trajectory_name(trajectory, k, name, sizeof name);
        assert_string_equal(name, names[k]);
    }
    ms_simulation_destroy(&simulation);
    ms_system_destroy(&system);
}

static void test_simulation(void **state)
{
    (void)state;
    ms_system *system = support_system_with("spring-mass", NULL, 0);
    ms_options options = options_of(0.1, 0.2);
    ms_simulation_options request = {.errors = false};
    ms_simulation simulation;
    ms_error error = {""};
    assert_int_equal(ms_simulation_run(system, &options, &request, &simulation, &error), MS_OK);
    /* Two steps with hold: (1, 0) -> (1, -0.1) -> (0.99, -0.2), u = (0, -1), (-0.1, -1). */
    support_near(simulation.coupling_residual, 0.1, 1e-15);
    support_near(simulation.energy.start, 0.5, 0.0);
    support_near(simulation.energy.end, 0.5 * (0.99 * 0.99 + 0.04), 1e-14);
    support_near(simulation.energy.drift, (simulation.energy.end - 0.5) / 0.5, 1e-14);
    assert_true(simulation.energy.known);
    assert_int_equal(simulation.expected_order, 1);
    assert_int_equal(simulation.work[0].micro_steps, 2);
    assert_string_equal(simulation.options->solver, "exact");
    ms_simulation_destroy(&simulation);

    request.errors = true; /* the reference keeps its energy */
    assert_int_equal(ms_simulation_run(system, &options, &request, &simulation, &error), MS_OK);
    support_near(simulation.energy.drift, (simulation.energy.end - 0.5) / 0.5, 1e-14);
    ms_simulation_destroy(&simulation);
    set(&options, "errors", "none"); /* the same run, without a reference */
    ms_simulation bare;
    assert_int_equal(ms_simulation_run(system, &options, &request, &simulation, &error), MS_OK);
    set(&options, "errors", "reference");
    assert_int_equal(ms_simulation_run(system, &options, &request, &bare, &error), MS_OK);
    assert_true(simulation.errors.reference == NULL && !simulation.errors_valid && bare.errors_valid);
    assert_true(simulation.energy.end == bare.energy.end &&
                simulation.result.end_time == bare.result.end_time);
    ms_simulation_destroy(&bare);
    ms_simulation_destroy(&simulation);
    set(&options, "scheme", "no-such-scheme");
    assert_int_equal(ms_simulation_run(system, &options, &request, &simulation, &error), MS_INVALID);
    ms_simulation_destroy(&simulation);
    ms_system_destroy(&system);

    const ms_setting strong[] = {{"d1", 3.0}, {"d2", -3.0}}; /* rho(DL) = 3 */
    system = support_system_with("linear-pair", strong, 2);
    options = options_of(0.01, 1.0);
    request.trajectory = true;
    assert_int_equal(ms_simulation_run(system, &options, &request, &simulation, &error), MS_OK);
    assert_int_equal(simulation.result.reason, MS_REASON_DIVERGED);
    assert_false(simulation.errors_valid);
    assert_false(simulation.energy.known);
    assert_int_equal(simulation.trajectory.rows,
                     simulation.result.macro_steps); /* the last step has no row */
    ms_simulation_destroy(&simulation);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_errors), cmocka_unit_test(test_vanishing_states),
                                       cmocka_unit_test(test_observer_order),
                                       cmocka_unit_test(test_trajectory), cmocka_unit_test(test_simulation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
