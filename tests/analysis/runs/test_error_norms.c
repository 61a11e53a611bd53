/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_error_norms.c - errors of a run over time: rmse and l2 against dense quadrature of their own, composite Gauss points,
 * twelve panels in each macro-step, with the closed solution where there is one; all norms against the solution of
 * spring-mass. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/simulation.h>
#include "support.h"
#include "unit_test.h"

enum { PANELS = 12, POINTS = 3 * PANELS, STATES_MAX = 16 };

static const double node[] = {0.11270166537925831, 0.5, 0.88729833462074169}, weight[] = {5.0, 8.0, 5.0};

/* Integrals of e^2 and ref^2 of each state over a run. closed: spring-mass with m = c = 1 from (1, 0);
 * otherwise the reference, for runs whose subsystems meet. */
typedef struct dense {
    double at[POINTS], e2[STATES_MAX], ref2[STATES_MAX];
    bool closed;
    ms_reference *reference;
} dense;

static void add_sample(dense *d, const ms_segment *segment, int k, const double *x, const double *reference,
                       int j)
{
    const double w = weight[k % 3] / 18.0 / PANELS * segment->h, e = x[j] - reference[j];
    d->e2[j] += w * e * e;
    d->ref2[j] += w * reference[j] * reference[j];
}

static void add_segment(dense *d, const ms_cosim *cosim, const ms_segment *segment)
{
    const ms_system *s = cosim->system;
    if (!d->closed)
        assert_int_equal(ms_reference_step(d->reference, segment->t, segment->h), MS_OK);
    for (int k = 0; k < POINTS; k++) {
        const double t = segment->t + d->at[k] * segment->h, closed[] = {cos(t), -sin(t)};
        const double *reference = d->closed ? closed : ms_reference_sample(d->reference, k);
        const double *x = segment->samples + ms_cosim_sample_index(cosim, d->at[k]) * s->nx;
        for (int j = s->x_at[segment->first]; j < s->x_at[segment->last]; j++)
            add_sample(d, segment, k, x, reference, j);
    }
}

static int dense_step(void *self, const ms_cosim *cosim, double t, double h)
{
    (void)t, (void)h;
    for (int k = 0; k < cosim->n_segments; k++)
        add_segment(self, cosim, &cosim->segment[k]);
    return 0;
}

/* The dense integrals of a run. */
static void integrate(const ms_system *system, const ms_options *options, bool closed, dense *d)
{
    const ms_observer observer = {.self = d, .step = dense_step};
    ms_cosim *cosim = support_cosim(system, options);
    ms_run_result result;
    *d = (dense){.closed = closed};
    assert_true(system->nx <= STATES_MAX);
    for (int panel = 0; panel < PANELS; panel++)
        for (int k = 0; k < 3; k++)
            d->at[3 * panel + k] = (panel + node[k]) / PANELS;
    assert_int_equal(ms_cosim_sample(cosim, POINTS, d->at), MS_OK);
    assert_int_equal(ms_reference_create(system, POINTS, d->at, &d->reference, NULL), MS_OK);
    assert_int_equal(ms_run(cosim, &observer, 1, NULL, NULL, &result, NULL), MS_OK);
    assert_int_equal(result.reason, MS_REASON_END_TIME);
    ms_reference_destroy(&d->reference);
    ms_cosim_destroy(&cosim);
}

static void expect_part(const char *text, const char *what, double value, double expected)
{
    if (!(fabs(value / expected - 1.0) <= 1e-6))
        fail_msg("%s: %s is %.12g, not %.12g: off by %.1e", text, what, value, expected,
                 value / expected - 1.0);
}

/* What a simulation reports is the dense quadrature, to 1e-6. */
static void check(const char *model, const char *settings, const char *text, bool closed)
{
    dense d;
    ms_system *system = support_system(model, settings);
    const ms_options options = support_options(text);
    const ms_simulation_options request = {.errors = true};
    ms_simulation simulation;
    ms_error error = {""};
    integrate(system, &options, closed, &d);
    if (ms_simulation_run(system, &options, &request, &simulation, &error) != MS_OK)
        fail_msg("%s %s: %s", model, text, error.text);
    const double elapsed = simulation.result.end_time - simulation.options->start_time;
    double rmse = 0.0, sum = 0.0;
    assert_true(simulation.errors_valid && simulation.errors.resolved);
    for (int j = 0; j < system->nx; j++) {
        if (simulation.errors.state[j].rmse > 1e-12) { /* else it is round-off */
            expect_part(text, "rmse", simulation.errors.state[j].rmse, sqrt(d.e2[j] / elapsed));
            expect_part(text, "l2", simulation.errors.state[j].l2, sqrt(d.e2[j] / d.ref2[j]));
        }
        rmse = fmax(rmse, simulation.errors.state[j].rmse);
        sum += simulation.errors.state[j].l2;
    }
    support_near(simulation.errors.rmse, rmse, 0.0);
    support_near(simulation.errors.l2_normalized_mean, sum / system->nx, 1e-15 * sum);
    ms_simulation_destroy(&simulation);
    ms_system_destroy(&system);
}

/* Against cos t and -sin t, up to steps of four radians. */
static void integrals_over_long_steps_agree_with_the_closed_solution(void **state)
{
    (void)state;
    check("spring-mass", "", "step-size=0.2 stop-time=10", true);
    check("spring-mass", "", "step-size=1 stop-time=10", true);
    check("spring-mass", "", "step-size=4 stop-time=20", true);
    check("spring-mass", "", "extrapolation-order=1 outputs=corrected step-size=1.5 stop-time=6", true);
    check("spring-mass", "", "error-controlled rtol=1e-2 atol=1e-2 step-size=0.5 stop-time=10", true);
    check("spring-mass", "", "scheme=f3ornits scheduler=asynchronous step-size=1 max-step=2 stop-time=20",
          true);
}

/* Modes that are fast beside the macro-step: the IFOSMONDI case with 1 s, a buoy of 8 rad/s read each 0.25
 * s. */
static void integrals_of_fast_modes_agree_with_the_reference(void **state)
{
    (void)state;
    check("damping-reaction", "", "scheme=ifosmondi step-size=1", false);
    check("mass-spring-damper", "", "step-size=0.425", false);
    check("three-clocks", "", "step-size=0.25", false);
    check("quarter-car", "", "step-size=0.02 extrapolation-order=1", false);
    check("example-6.3.1", "", "step-size=0.1", false);
    check("linear-pair", "", "step-size=0.2", false);
}

/* The run that is measured stays the one that was asked for: its states, counts and errors at communication
 * points. */
static void what_is_sampled_again_is_no_other_run(void **state)
{
    (void)state;
    ms_system *system = support_system("mass-spring-damper", "");
    const ms_options options = support_options("step-size=0.425");
    const ms_simulation_options plain = {.trajectory = true}, errors = {.trajectory = true, .errors = true};
    ms_simulation one, two;
    assert_int_equal(ms_simulation_run(system, &options, &plain, &one, NULL), MS_OK);
    assert_int_equal(ms_simulation_run(system, &options, &errors, &two, NULL), MS_OK);
    assert_true(two.errors.level > 0);
    assert_int_equal(one.trajectory.rows, two.trajectory.rows);
    for (long n = 0; n < one.trajectory.rows; n++)
        assert_memory_equal(ms_trajectory_row(&one.trajectory, n), ms_trajectory_row(&two.trajectory, n),
                            sizeof(double) * (size_t)one.trajectory.columns);
    assert_int_equal(one.result.macro_steps, two.result.macro_steps);
    assert_int_equal(one.result.integrations, two.result.integrations);
    for (int i = 0; i < system->n; i++)
        assert_memory_equal(&one.work[i], &two.work[i], sizeof one.work[i]);
    ms_simulation_destroy(&one);
    ms_simulation_destroy(&two);
    ms_system_destroy(&system);
}

/* A jump inside a macro-step is beyond the finest level: the simulation ends and says so. */
static void jumps_end_on_the_finest_level(void **state)
{
    (void)state;
    ms_system *system = support_system("bell", "");
    const ms_options options = support_options("step-size=0.2 solver-rtol=1e-5 solver-atol=1e-5");
    const ms_simulation_options request = {.errors = true};
    ms_simulation simulation;
    assert_int_equal(ms_simulation_run(system, &options, &request, &simulation, NULL), MS_OK);
    assert_true(simulation.errors_valid && !simulation.errors.resolved);
    assert_int_equal(simulation.errors.level, MS_ERROR_LEVELS - 1);
    assert_true(simulation.errors.rmse > 0.0 && isfinite(simulation.errors.rmse));
    ms_simulation_destroy(&simulation);
    ms_system_destroy(&system);
}

/* What error_norms.c measures, against the known solution of spring-mass. */
typedef struct norm_record {
    double max, end, e2, ref2, elapsed;
} norm_record;

static int norm_record_step(void *self, const ms_cosim *cosim, double t, double h)
{
    norm_record *w = self;
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

static void errors_are_those_that_an_observer_sees(void **state)
{
    (void)state;
    ms_system *system = support_system("spring-mass", "");
    for (int k = 0; k < 2; k++) {
        const ms_options options =
            support_options_of("step-size=0.1 stop-time=3 %s", k == 1 ? "error-controlled=richardson" : "");
        norm_record w = {0};
        const ms_observer observer = {.self = &w, .step = norm_record_step};
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
        support_near(ms_error_norms_of(&simulation.errors, MS_NORM_L2), 0.5 * (s[0].l2 + s[1].l2), 0.0);
        support_near(ms_error_norms_of(&simulation.errors, MS_NORM_MAX), simulation.errors.max, 0.0);
        support_near(ms_error_norms_of(&simulation.errors, MS_NORM_RMSE), simulation.errors.rmse, 0.0);
        support_near(ms_error_norms_of(&simulation.errors, MS_NORM_END), simulation.errors.end, 0.0);
        assert_true(simulation.errors.max > 1e-6);
        assert_true(simulation.errors.reference_error < 1e-13);
        support_near(simulation.errors.reference_scale, 1.0, 1e-2);
        ms_simulation_destroy(&simulation);
    }
    ms_system_destroy(&system);
}

/* A car on a symmetric bump does not roll: what the reference has of roll is round-off, and no scale. */
static void states_that_vanish_have_no_relative_error(void **state)
{
    (void)state;
    ms_system *system = support_system("full-car", "");
    const ms_options options = support_options("step-size=0.005 stop-time=1");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integrals_over_long_steps_agree_with_the_closed_solution),
        cmocka_unit_test(integrals_of_fast_modes_agree_with_the_reference),
        cmocka_unit_test(what_is_sampled_again_is_no_other_run),
        cmocka_unit_test(jumps_end_on_the_finest_level),
        cmocka_unit_test(errors_are_those_that_an_observer_sees),
        cmocka_unit_test(states_that_vanish_have_no_relative_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
