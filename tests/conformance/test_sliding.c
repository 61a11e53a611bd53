/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_sliding.c - solutions that slide along switches, against closed forms, by every micro-solver in macro-steps and by every solver
 * of `integrate`: they stay on the surface, leave it where they have to, and cost about what a smooth solution costs. */
#include <math.h>
#include <string.h>

#include <macrostep/instance_step.h>
#include <macrostep/integrate.h>
#include "allocations.h"
#include "event_fixture.h"
#include "support.h"
#include "unit_test.h"

#define MODEL(states)                                                                                        \
    "{\"subsystems\": [{\"name\": \"a\", \"inputs\": {\"u\": {}}, \"outputs\": {\"y\": \"0.5*sign(v)\"}, "   \
    "\"states\": {" states "}}], \"wires\": []}"
#define STATE(name, start, derivative)                                                                       \
    "\"" name "\": {\"start\": " start ", \"derivative\": \"" derivative "\"}"

/* Evaluations of f for each micro-step, and micro-steps of a macro-step beyond those of equal length. */
enum { STATES_MOST = 2, STEPS = 20, EVALUATIONS_MOST = 2000, MICRO_STEPS_MOST = 1000 };
static const double END = 2.0;

/* Solutions at t ------------------------------------------------------------------------------------------ */

static void falls(double t, double *x)
{
    x[0] = fmax(0.5 - t, 0.0);
}

/* A force of t against a friction of 1/2, from v = 1/10: sticks where v = 1/10 - t/2 + t^2/2 is zero. */
static void sticks(double t, double *x)
{
    const double stick = 0.5 - sqrt(0.05), s = fmin(t, stick), f = fmax(t - 0.5, 0.0);
    x[0] = t < stick ? 0.1 - 0.5 * s + 0.5 * s * s : 0.5 * f * f;
    x[1] = 0.1 * s - 0.25 * s * s + s * s * s / 6.0 + f * f * f / 6.0;
}

/* Two of them, at rest from the start: one moves from 0.5 s on, the other one from 1.4 s on. */
static void rest(double t, double *x)
{
    const double one = fmax(t - 0.5, 0.0), other = fmax(t - 1.4, 0.0);
    x[0] = 0.5 * one * one;
    x[1] = -0.25 * other * other;
}

/* Two of them with friction between them, too: three surfaces, of which two say all. One is pushed, and moves where it overcomes both. */
static void rest_together(double t, double *x)
{
    const double one = fmax(t - 0.5, 0.0);
    x[0] = 0.5 * one * one;
    x[1] = 0.0;
}

/* Meet at 2/3 s, and go on together. */
static void meet(double t, double *x)
{
    const double apart = fmin(t, 2.0 / 3.0), together = fmax(t - 2.0 / 3.0, 0.0);
    x[0] = 1.0 - 0.5 * apart + 0.25 * together;
    x[1] = apart + 0.25 * together;
}

/* From outside to the circle, and round it. */
static void rounds(double t, double *x)
{
    const double r = fmax(exp(1.0 - 2.0 * t), 1.0);
    x[0] = r * cos(t);
    x[1] = -r * sin(t);
}

/* The friction fades, and at 1 s there is none. */
static void fades(double t, double *x)
{
    const double slip = 0.5, f = fmax(t - slip, 0.0), late = fmax(t - 1.0, 0.0);
    x[0] = t < 1.0 ? 0.5 * f * f : 0.125 + 0.5 * late;
}

typedef struct problem {
    const char *text;
    int n, slides;
    void (*at)(double t, double *x);
} problem;

static const problem problems[] = {
    {MODEL(STATE("v", "0.5", "v > 0 ? -1 : 1")), 1, 1, falls},
    {MODEL(STATE("v", "0.1", "t - 0.5*sign(v)") ", " STATE("x", "0", "v")), 2, 1, sticks},
    {MODEL(STATE("v", "0", "t - 0.5*sign(v)") ", " STATE("w", "0", "0.2 - 0.5*t - 0.5*sign(w)")), 2, 2, rest},
    {MODEL(STATE("v", "0", "t - 0.2*sign(v) - 0.3*sign(v - w)") ", " STATE("w", "0",
                                                                           "-0.5*sign(w) - 0.3*sign(w - v)")),
     2, 2, rest_together},
    {MODEL(STATE("v", "1", "0.5 - sign(v - w)") ", " STATE("w", "0", "-sign(w - v)")), 2, 1, meet},
    {MODEL(STATE("v", "2.718281828459045",
                 "w - 2*v*sign(v^2 + w^2 - 1)") ", " STATE("w", "0", "-v - 2*w*sign(v^2 + w^2 - 1)")),
     2, 1, rounds},
    {MODEL(STATE("v", "0", "0.5 - max(1 - t, 0)*sign(v)")), 1, 1, fades},
};

#define FOR_ALL_PROBLEMS(p) for (const problem *p = problems; p < problems + MS_COUNT(problems); p++)

static bool takes_it(const ms_solver *solver)
{
    return solver->events && !solver->linear_only;
}

static void check(const problem *p, const char *solver, double t, const double *x, double tolerance)
{
    double right[STATES_MOST];
    p->at(t, right);
    for (int k = 0; k < p->n; k++)
        if (!(fabs(x[k] - right[k]) <= tolerance))
            fail_msg("%s, %s: state %d at %g s is %.17g, not %.17g (tolerance %g)", p->text, solver, k, t,
                     x[k], right[k], tolerance);
}

/* What errors of the method take off a curved surface comes back to it, and two of three surfaces may be others later. */
static void check_slides(const problem *p, const ms_solver *solver, long slides)
{
    if (p->at == rounds || p->at == rest_together ? slides < p->slides : slides != p->slides)
        fail_msg("%s, %s: slides %ld times, not %d", p->text, solver->name, slides, p->slides);
}

/* What a solver has done in n macro-steps is bounded. */
static void check_work(const ms_solver *solver, int n, const ms_work *before, const ms_work *work)
{
    const long steps = work->micro_steps - before->micro_steps;
    const long most =
        n * (MICRO_STEPS_MOST + (solver->adaptive ? 0 : support_event_options(solver)->micro_steps));
    const long evaluations = work->rhs_evaluations - before->rhs_evaluations;
    if (steps > most || evaluations > EVALUATIONS_MOST * (steps + MICRO_STEPS_MOST))
        fail_msg("%s: %ld micro-steps, %ld evaluations", solver->name, steps, evaluations);
}

static void in_macro_steps(void **state)
{
    (void)state;
    FOR_ALL_PROBLEMS(p)
    SUPPORT_FOR_ALL_SOLVERS(solver)
    if (takes_it(solver)) {
        ms_model *model = support_model_read(p->text);
        support_solver_fixture *fixture = support_fixture_of(model, 0, solver, support_event_options(solver));
        const double h = END / STEPS;
        for (int n = 0; n < STEPS; n++) {
            const ms_work before = fixture->instance->work;
            support_fixture_feed(fixture, h, 0);
            support_fixture_advance(fixture, n * h, h);
            check(p, solver->name, (n + 1) * h, fixture->x, support_event_tolerance(solver));
            check_work(solver, 1, &before, &fixture->instance->work);
        }
        check_slides(p, solver, fixture->instance->work.slides);
        support_fixture_drop(fixture);
        ms_model_destroy(&model);
    }
}

static void in_integrations(void **state)
{
    (void)state;
    FOR_ALL_PROBLEMS(p)
    SUPPORT_FOR_ALL_SOLVERS(solver)
    if (takes_it(solver)) {
        ms_model *model = support_model_read(p->text);
        ms_system *system = support_system_of(model);
        const ms_solver_options *of = support_event_options(solver);
        const ms_options options =
            support_options_of("stop-time=%g solver=%s solver-rtol=%g solver-atol=%g%s", END, solver->name,
                               of->rtol, of->atol, solver->adaptive ? "" : " step-size=0.001953125");
        ms_integration run;
        ms_error error = {""};
        if (ms_integrate(system, &options, STEPS, &(ms_integrate_options){0}, &run, &error) != MS_OK)
            fail_msg("%s: %s", solver->name, error.text);
        assert_int_equal(run.trajectory.rows, STEPS + 1);
        for (long n = 0; n < run.trajectory.rows; n++) {
            const double *row = ms_run_series_row(&run.trajectory, n);
            check(p, solver->name, row[0], row + 2, support_event_tolerance(solver));
        }
        check_slides(p, solver, run.work.slides);
        check_work(solver, STEPS, &(ms_work){0}, &run.work);
        ms_integration_destroy(&run);
        ms_system_destroy(&system);
        ms_model_destroy(&model);
    }
}

/* What sticks is at rest, to the bit, and what slides stays on its surface by round-off. */
static void surfaces_are_kept(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    if (takes_it(solver)) {
        for (int k = 0; k < 2; k++) {
            const problem *p = k == 0 ? &problems[1] : &problems[4];
            ms_model *model = support_model_read(p->text);
            support_solver_fixture *fixture =
                support_fixture_of(model, 0, solver, support_event_options(solver));
            for (int n = 0; n < 4; n++) {
                support_fixture_feed(fixture, 0.25, 0);
                support_fixture_advance(fixture, 0.25 * n, 0.25);
                if (k == 0 && n == 1)
                    assert_true(fixture->x[0] == 0.0);
            }
            if (k == 1)
                support_near(fixture->x[0], fixture->x[1], 1e-15);
            support_fixture_drop(fixture);
            ms_model_destroy(&model);
        }
    }
}

/* A force that jumps from 0.2 to 1 inside a macro-step, and then to 0.3: slips, and comes to rest. The friction that integrals of
 * outputs have is the force, while it sticks. */
static void it_follows_the_input(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    if (takes_it(solver)) {
        const double tolerance = support_event_tolerance(solver);
        ms_solver_options options = *support_event_options(solver);
        options.integrals = true;
        ms_model *model = support_model_read(MODEL(STATE("v", "0", "u - 0.5*sign(v)")));
        support_solver_fixture *fixture = support_fixture_of(model, 0, solver, &options);
        support_fixture_feed_jump(fixture, 0.5, 1.0, 0.2, 1.0);
        support_fixture_advance(fixture, 0.0, 1.0);
        support_near(fixture->x[0], 0.25, tolerance);
        support_near(ms_instance_integrals(fixture->instance)[0], 0.5 * 0.2 + 0.5 * 0.5, tolerance);
        support_fixture_feed_jump(fixture, 1.0, 2.0, 0.3, 0.4);
        support_fixture_advance(fixture, 1.0, 2.0);
        support_near(fixture->x[0], 0.0, tolerance);
        support_near(ms_instance_integrals(fixture->instance)[0], 0.25 + 1.0 * 0.3 + 1.0 * 0.4, tolerance);
        support_fixture_drop(fixture);
        ms_model_destroy(&model);
    }
}

/* A macro-step in the midst of a slide that is repeated has the same bits, and allocates nothing. */
static void a_repeated_macro_step_is_the_same(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    if (takes_it(solver)) {
        ms_model *model = support_model_read(problems[1].text);
        support_solver_fixture *fixture = support_fixture_of(model, 0, solver, support_event_options(solver)),
                               saved;
        double x[2][2];
        long allocations = 0;
        support_fixture_feed(fixture, 0.4, 0);
        support_fixture_advance(fixture, 0.0, 0.4);
        memcpy(&saved, fixture, sizeof saved);
        for (int k = 0; k < 2; k++) {
            memcpy(fixture->x, saved.x, sizeof saved.x);
            memcpy(fixture->z, saved.z, sizeof saved.z);
            memcpy(fixture->memory, saved.memory, sizeof saved.memory);
            support_fixture_feed(fixture, 0.4, 0);
            ms_allocations_count(true);
            support_fixture_advance(fixture, 0.4, 0.4);
            allocations += ms_allocations_count(false);
            memcpy(x[k], fixture->x, sizeof x[k]);
        }
        assert_memory_equal(x[0], x[1], sizeof x[0]);
        assert_true(allocations == 0 || solver->allocates);
        support_fixture_drop(fixture);
        ms_model_destroy(&model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_macro_steps), cmocka_unit_test(in_integrations),
                                       cmocka_unit_test(surfaces_are_kept),
                                       cmocka_unit_test(it_follows_the_input),
                                       cmocka_unit_test(a_repeated_macro_step_is_the_same)};
    ms_allocations_install();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
