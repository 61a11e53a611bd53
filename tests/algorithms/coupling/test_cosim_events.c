/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_cosim_events.c - events inside subsystems of a co-simulation: when they are handled, what
 * communicates of them, that steps can be undone. impact_exact.c has the closed form. test_cosim_events_limits.c
 * and test_schemes_events.c go on from here. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_state.h>
#include "events.h"
#include "impact_exact.h"
#include "support.h"
#include "unit_test.h"

/* When -------------------------------------------------------------------------------------------------- */

typedef struct seen {
    int n;
    double t[SUPPORT_IMPACT_EVENTS_MAX];
    int events[2]; /* of the last macro-step with any */
} seen;

static int see(void *self, const ms_cosim *cosim, double t, double h)
{
    seen *s = self;
    bool any = false;
    for (int i = 0; i < cosim->system->n; i++)
        if (ms_events_handled(cosim->instance[i]) > 0) {
            assert_true(s->n < SUPPORT_IMPACT_EVENTS_MAX);
            s->t[s->n++] = cosim->instance[i]->events->last;
            assert_true(s->t[s->n - 1] > t && s->t[s->n - 1] <= t + h);
            any = true;
        }
    for (int i = 0; any && i < 2; i++)
        s->events[i] = ms_events_handled(cosim->instance[i]);
    return 0;
}

static seen monitor(const ms_system *system, const ms_options *options)
{
    seen s = {0};
    ms_cosim *cosim = support_cosim(system, options);
    const ms_observer observer = {.self = &s, .step = see};
    ms_run_result result;
    ms_error error = {""};
    assert_int_equal(ms_run(cosim, &observer, 1, NULL, NULL, &result, &error), MS_OK);
    assert_int_equal(result.reason, MS_REASON_END_TIME);
    ms_cosim_destroy(&cosim);
    return s;
}

/* The monolithic form, assembled from the model, against the equations. */
static void the_reference_has_the_closed_form(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "case=impact", "case=switch",    "case=contact d2=0", "case=time",
        "case=both",   "case=none d2=0", "case=impact d2=0",  "case=impact d2=0 exchange=1 e=0.4"};
    for (int k = 0; k < MS_COUNT(settings); k++) {
        ms_system *system = support_system("impact-oscillator", settings[k]);
        const support_impact_solution exact = support_impact_exact(system, 0.9);
        double x[5];
        support_reference(system, 0.9, x);
        if (support_distance(4, x, exact.x) > 1e-10)
            fail_msg("%s: %g", settings[k], support_distance(4, x, exact.x));
        if (system->nx > 4)
            support_near(x[4], exact.x[2] - exact.x[0], 1e-10); /* q */
        ms_system_destroy(&system);
    }
}

/* The coupling's error before the event has order 3, and moves the event by as much. */
static void an_event_is_handled_at_its_time(void **state)
{
    (void)state;
    static const char *const cases[] = {"impact", "switch", "contact", "time"};
    static const char *const solvers[] = {"cvode-bdf", "cvode-adams", "arkode-erk"};
    for (int c = 0; c < MS_COUNT(cases); c++) {
        char settings[64];
        snprintf(settings, sizeof settings, "case=%s", cases[c]);
        ms_system *system = support_system("impact-oscillator", settings);
        const support_impact_solution exact = support_impact_exact(system, system->stop_time);
        assert_int_equal(exact.n_events, 1);
        for (int k = 0; k < MS_COUNT(solvers); k++) {
            double late[2];
            for (int fine = 0; fine < 2; fine++) {
                char text[96];
                snprintf(text, sizeof text, "extrapolation-order=2 solver=%s", solvers[k]);
                const ms_options options = support_impact_options(text, fine ? 0.002 : 0.004);
                const seen s = monitor(system, &options);
                assert_int_equal(s.n, 1);
                late[fine] = fabs(s.t[0] - exact.event[0]);
            }
            if (strcmp(cases[c], "time") == 0)
                assert_true(late[0] < 1e-15 && late[1] < 1e-15);
            else
                assert_true(late[0] < 1e-4 && late[1] < late[0] / 5.0 + 1e-9);
        }
        ms_system_destroy(&system);
    }
}

static void both_subsystems_have_events_in_one_step(void **state)
{
    (void)state;
    ms_system *system = support_system("impact-oscillator", "case=both");
    const ms_options options =
        support_impact_options("extrapolation-order=2 outputs=consistent solver=arkode-erk", 0.02);
    const support_impact_solution exact = support_impact_exact(system, system->stop_time);
    assert_int_equal(exact.n_events, 2);
    assert_true(exact.event[0] > 0.50 && exact.event[1] < 0.52);
    const seen s = monitor(system, &options);
    assert_int_equal(s.n, 2);
    assert_int_equal(s.events[SUPPORT_IMPACT_OSCILLATOR], 1);
    assert_int_equal(s.events[SUPPORT_IMPACT_LOAD], 1);
    support_near(s.t[SUPPORT_IMPACT_OSCILLATOR], exact.event[1], 1e-3);
    support_near(s.t[SUPPORT_IMPACT_LOAD], exact.event[0], 1e-3);
    ms_system_destroy(&system);
}

/* At T_{n+1} itself: handled once, in the step that ends there, whichever way T_{n+1} is rounded. */
static void an_event_at_a_communication_point(void **state)
{
    (void)state;
    static const double steps[] = {0.1, 0.05, 0.01, 1.0 / 128.0};
    for (int k = 0; k < MS_COUNT(steps); k++)
        for (int n = 1; n * steps[k] < 0.75; n++) {
            const double h = steps[k];
            ms_system *system = support_system_with(
                "impact-oscillator", (const ms_setting[]){{"event", 3.0}, {"event_time", n * h}}, 2);
            const ms_options options = support_impact_options("solver=arkode-erk", h);
            ms_cosim *cosim = support_impact_run(system, &options, n - 1);
            const ms_instance *oscillator = cosim->instance[SUPPORT_IMPACT_OSCILLATOR];
            if (oscillator->z[0] != 1.0 || ms_events_handled(oscillator) != 1)
                fail_msg("step %g: the event at %.17g was not handled", h, n * h);
            assert_int_equal(ms_cosim_step(cosim, n * h, h), MS_OK);
            assert_int_equal(ms_events_handled(oscillator), 0);
            assert_int_equal(oscillator->work.events, 1);
            ms_cosim_destroy(&cosim);
            ms_system_destroy(&system);
        }
}

/* What communicates ------------------------------------------------------------------------------------- */

static void outputs_are_right_limits(void **state)
{
    (void)state;
    static const char *const schemes[] = {
        "extrapolation-order=1", "scheme=gauss-seidel extrapolation-order=1",
        "extrapolation-order=1 outputs=consistent", "scheme=balance", "scheme=ifosmondi"};
    ms_system *system = support_system("impact-oscillator", "case=impact");
    const double e = 0.8, h = 0.01;
    const int n = support_impact_step(support_impact_exact(system, 0.8).event[0], h);
    for (int k = 0; k < MS_COUNT(schemes); k++) {
        const ms_options options = support_impact_options(schemes[k], h);
        ms_cosim *cosim = support_impact_run(system, &options, n - 1);
        const double before = cosim->y[SUPPORT_IMPACT_V];
        assert_int_equal(ms_events_handled(cosim->instance[SUPPORT_IMPACT_OSCILLATOR]), 0);
        assert_int_equal(ms_cosim_step(cosim, n * h, h), MS_OK);
        assert_int_equal(ms_events_handled(cosim->instance[SUPPORT_IMPACT_OSCILLATOR]), 1);
        assert_int_equal(ms_events_handled(cosim->instance[SUPPORT_IMPACT_LOAD]), 0);
        assert_true(cosim->y_raw[SUPPORT_IMPACT_X] == cosim->x[SUPPORT_IMPACT_X] &&
                    cosim->y_raw[SUPPORT_IMPACT_V] == cosim->x[SUPPORT_IMPACT_V]);
        assert_true(cosim->y[SUPPORT_IMPACT_V] == cosim->x[SUPPORT_IMPACT_V]);
        support_near(cosim->y[SUPPORT_IMPACT_V], -e * before, 0.2); /* |v'| h is below 0.1 */
        ms_cosim_destroy(&cosim);
    }
    ms_system_destroy(&system);
}

/* int v1 dt over the step with the impact is what x1 has gained: v1 jumps, x1 does not. */
static void integrals_go_across_an_event(void **state)
{
    (void)state;
    static const char *const solvers[] = {"cvode-bdf", "arkode-erk"};
    ms_system *system = support_system("impact-oscillator", "case=impact");
    const double h = 0.02;
    const int n = support_impact_step(support_impact_exact(system, 0.8).event[0], h);
    for (int k = 0; k < MS_COUNT(solvers); k++) {
        char text[64];
        snprintf(text, sizeof text, "scheme=balance solver=%s", solvers[k]);
        const ms_options options = support_impact_options(text, h);
        ms_cosim *cosim = support_impact_run(system, &options, n - 1);
        const double x = cosim->x[SUPPORT_IMPACT_X], v = cosim->x[SUPPORT_IMPACT_V];
        assert_int_equal(ms_cosim_step(cosim, n * h, h), MS_OK);
        assert_int_equal(ms_events_handled(cosim->instance[SUPPORT_IMPACT_OSCILLATOR]), 1);
        const double gained =
            ms_instance_integrals(cosim->instance[SUPPORT_IMPACT_OSCILLATOR])[SUPPORT_IMPACT_V];
        support_near(gained, cosim->x[SUPPORT_IMPACT_X] - x, 1e-9);
        assert_true(fabs(gained - h * v) > 1e-2); /* as if there were no impact */
        ms_cosim_destroy(&cosim);
    }
    ms_system_destroy(&system);
}

/* Energies: what an undamped system loses is (1 - e^2) m v^2 / 2 of the impact. */
static void an_impact_takes_its_energy(void **state)
{
    (void)state;
    ms_system *system = support_system("impact-oscillator", "case=impact exchange=1 d1=0 d2=0 d3=0");
    const support_impact_solution exact = support_impact_exact(system, 0.8);
    ms_system *unhindered = support_system("impact-oscillator", "case=none d1=0 d2=0 d3=0");
    const double v = support_impact_exact(unhindered, exact.event[0]).x[SUPPORT_IMPACT_V],
                 lost = 0.5 * (1.0 - 0.8 * 0.8) * v * v;
    const double *e = exact.x, q = e[2] - e[0];
    const double end =
        0.5 * (e[1] * e[1] + 10.0 * e[0] * e[0] + 2.0 * e[3] * e[3] + 5.0 * e[2] * e[2] + 4.0 * q * q);
    double start[8], x[8], missed[2];
    ms_system_start(system, start);
    support_near(ms_system_energy(system, start), 7.0, 1e-12); /* (c1 + c2) / 2 */
    support_near(end, 7.0 - lost, 1e-9);
    for (int fine = 0; fine < 2; fine++) {
        const ms_options options =
            support_impact_options("extrapolation-order=2 solver=arkode-erk", fine ? 2e-4 : 2e-3);
        support_finish(system, &options, x, NULL);
        missed[fine] = fabs(ms_system_energy(system, x) - (7.0 - lost));
    }
    assert_true(missed[0] < 0.02 && missed[1] < 0.3 * missed[0]); /* v1 is exchanged: order 1 */
    ms_system_destroy(&unhindered);
    ms_system_destroy(&system);
}

/* Undone and repeated ----------------------------------------------------------------------------------- */

static void a_step_with_an_event_can_be_undone(void **state)
{
    (void)state;
    static const char *const schemes[] = {
        "extrapolation-order=2",
        "extrapolation-order=2 at-events=drop",
        "extrapolation-order=2 at-events=drop start=hold",
        "extrapolation-order=1 derivatives=analytic at-events=drop outputs=corrected",
        "scheme=gauss-seidel extrapolation-order=1 smooth-coupling=c1 at-events=drop",
        "scheme=balance extrapolation-order=1 at-events=drop",
        "scheme=ifosmondi",
        "scheme=zoh-iterative",
        "scheme=ijcsa",
        "scheme=semi-implicit",
        "scheme=waveform",
        "scheme=multirate extrapolation-order=2"};
    static const char *const solvers[] = {"cvode-bdf", "arkode-erk"};
    ms_system *system = support_system("impact-oscillator", "case=both");
    const double h = 0.02;
    const int n = support_impact_step(0.51, h);
    for (int k = 0; k < 2 * MS_COUNT(schemes); k++) {
        char text[128];
        snprintf(text, sizeof text, "%s solver=%s", schemes[k / 2], solvers[k % 2]);
        const ms_options options = support_impact_options(text, h);
        ms_cosim *cosim = support_impact_run(system, &options, n - 1);
        double *saved = support_state(cosim);
        support_steps(cosim, n, n + 3, h); /* two more: what was decided at the event is part of the state */
        double *after = support_state(cosim);
        ms_cosim_restore(cosim, saved);
        assert_int_equal(ms_cosim_step(cosim, n * h, 0.3 * h), MS_OK); /* another step that ends before it */
        assert_int_equal(ms_events_handled(cosim->instance[SUPPORT_IMPACT_OSCILLATOR]), 0);
        ms_cosim_restore(cosim, saved);
        assert_int_equal(ms_cosim_step(cosim, n * h, h), MS_OK);
        assert_int_equal(ms_events_handled(cosim->instance[SUPPORT_IMPACT_OSCILLATOR]), 1);
        support_steps(cosim, n + 1, n + 3, h);
        support_has_state(cosim, after, text);
        free(after);
        free(saved);
        ms_cosim_destroy(&cosim);
    }
    ms_system_destroy(&system);
}

/* Full and half steps and rejected ones go across the event again and again; it happens once. */
static void step_control_goes_back_across_an_event(void **state)
{
    (void)state;
    ms_system *system = support_system("impact-oscillator", "case=both");
    const support_impact_solution exact = support_impact_exact(system, system->stop_time);
    double before = INFINITY;
    for (int k = 0; k < 3; k++) {
        char text[128];
        snprintf(text, sizeof text,
                 "extrapolation-order=1 error-controlled=richardson rtol=1e-%d atol=1e-%d step-size=0.01%s",
                 2 + 2 * k, 2 + 2 * k, k > 0 ? " at-events=drop" : "");
        const ms_options options = support_options(text);
        ms_cosim *cosim = support_cosim(system, &options);
        ms_run_result result;
        ms_error error = {""};
        assert_int_equal(ms_run(cosim, NULL, 0, NULL, NULL, &result, &error), MS_OK);
        assert_int_equal(result.reason, MS_REASON_END_TIME);
        for (int i = 0; i < 2; i++) {
            assert_true(cosim->instance[i]->z[0] == 1.0);     /* impacts of the solution */
            assert_true(cosim->instance[i]->work.events > 1); /* and those of attempts */
        }
        const double error_now = support_distance(4, cosim->x, exact.x);
        assert_true(error_now < before);
        before = error_now;
        ms_cosim_destroy(&cosim);
    }
    assert_true(before < 1e-3);
    ms_system_destroy(&system);
}

/* The converged solution does not depend on who iterates. */
static void iterations_agree_on_a_step_with_an_event(void **state)
{
    (void)state;
    ms_system *system = support_system("impact-oscillator", "case=impact");
    double fixed_point[4], newton[4];
    ms_options options =
        support_impact_options("scheme=ifosmondi epsilon=1e-10 solver-nonlinear=fixed-point", 0.02);
    support_finish(system, &options, fixed_point, NULL);
    options = support_impact_options("scheme=ifosmondi epsilon=1e-10 solver-nonlinear=newtonls", 0.02);
    support_finish(system, &options, newton, NULL);
    assert_true(support_distance(4, fixed_point, newton) < 1e-7);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_has_the_closed_form),
        cmocka_unit_test(an_event_is_handled_at_its_time),
        cmocka_unit_test(both_subsystems_have_events_in_one_step),
        cmocka_unit_test(an_event_at_a_communication_point),
        cmocka_unit_test(outputs_are_right_limits),
        cmocka_unit_test(integrals_go_across_an_event),
        cmocka_unit_test(an_impact_takes_its_energy),
        cmocka_unit_test(a_step_with_an_event_can_be_undone),
        cmocka_unit_test(step_control_goes_back_across_an_event),
        cmocka_unit_test(iterations_agree_on_a_step_with_an_event),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
