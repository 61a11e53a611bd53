/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_run.c - runs: where they end and why, what observers see, step size control. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include "micro_step.h"
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

/* What an observer saw. Hooks fail after `patience` calls of their own kind; 0: never. */
typedef struct journal {
    long starts, steps, attempts, rejected, ends;
    double begin, end, shortest, longest, reached;
    bool gaps; /* a step did not begin where the one before ended */
    ms_reason reason;
    long patience_start, patience_step, patience_attempt;
    volatile sig_atomic_t stop;
    long stop_after; /* steps until stop is set; 0: never */
} journal;

static int log_start(void *self, const ms_cosim *cosim, double t)
{
    (void)cosim;
    journal *l = self;
    l->begin = l->end = t;
    l->shortest = INFINITY;
    return ++l->starts == l->patience_start;
}

static int log_step(void *self, const ms_cosim *cosim, double t, double h)
{
    (void)cosim;
    journal *l = self;
    l->gaps |= fabs(t - l->end) > 1e-13 * (1.0 + fabs(t));
    l->end = t + h;
    l->shortest = fmin(l->shortest, h);
    l->longest = fmax(l->longest, h);
    l->steps++;
    if (l->steps == l->stop_after)
        l->stop = 1;
    return l->steps == l->patience_step;
}

static int log_attempt(void *self, double t, double h, double estimate, bool accepted)
{
    (void)t, (void)estimate;
    journal *l = self;
    assert_true(h > 0.0);
    l->attempts++;
    l->rejected += !accepted;
    return l->attempts == l->patience_attempt;
}

static void log_end(void *self, const ms_cosim *cosim, double t, ms_reason reason)
{
    (void)cosim;
    journal *l = self;
    l->ends++;
    l->reached = t;
    l->reason = reason;
}

static ms_run_result run_logged(const ms_system *system, const char *text, journal *l)
{
    const ms_options options = support_options(text);
    ms_cosim *cosim = support_cosim(system, &options);
    const ms_observer observer = {
        .self = l, .start = log_start, .step = log_step, .attempt = log_attempt, .end = log_end};
    ms_run_result result;
    ms_error error = {""};
    if (ms_run(cosim, &observer, 1, NULL, &l->stop, &result, &error) != MS_OK)
        fail_msg("%s", error.text);
    ms_cosim_destroy(&cosim);
    assert_int_equal(l->ends, 1);
    assert_int_equal(l->reason, result.reason);
    assert_true(l->reached == result.end_time);
    return result;
}

static void check_reason(const ms_run_result *result, ms_reason reason)
{
    if (result->reason != reason)
        fail_msg("%s instead of %s: %s", ms_reason_name(result->reason), ms_reason_name(reason),
                 result->message);
    assert_int_equal(result->message[0] == '\0', reason == MS_REASON_END_TIME);
}

static void reasons_have_the_names_of_the_contract(void **state)
{
    (void)state;
    static const char *const names[] = {
        "end-time",   "diverged",    "step-size-underflow", "iteration-failed", "subsystem-failed",
        "work-limit", "no-solution", "interrupted",         "terminated",       "incompatible"};
    for (int k = 0; k < MS_COUNT(names); k++)
        assert_string_equal(ms_reason_name((ms_reason)k), names[k]);
}

static void runs_end_exactly_at_the_stop_time(void **state)
{
    (void)state;
    static const struct {
        const char *times;
        double begin, end, H;
        long steps;
    } runs[] = {{"stop-time=1 step-size=0.1", 0.0, 1.0, 0.1, 10},
                {"stop-time=0.3 step-size=0.1", 0.0, 0.3, 0.1, 3},
                {"stop-time=1 step-size=0.3", 0.0, 1.0, 0.3, 4}, /* the last one shorter */
                {"stop-time=0.7 step-size=0.1", 0.0, 0.7, 0.1, 7},
                {"stop-time=0.75 step-size=0.1", 0.0, 0.75, 0.1, 8},
                {"start-time=-1.1 stop-time=2.2 step-size=0.011", -1.1, 2.2, 0.011, 300},
                {"start-time=1e6 stop-time=1000001 step-size=0.01", 1e6, 1e6 + 1.0, 0.01, 100},
                {"stop-time=0.01 step-size=0.01", 0.0, 0.01, 0.01, 1},
                {"stop-time=1 step-size=0.000099999", 0.0, 1.0, 0.000099999, 10001}};
    ms_system *system = support_system("mass-spring-damper", "");
    for (int k = 0; k < MS_COUNT(runs); k++) {
        char text[160];
        journal l = {0};
        snprintf(text, sizeof text, "outputs=corrected %s", runs[k].times);
        const ms_run_result result = run_logged(system, text, &l);
        check_reason(&result, MS_REASON_END_TIME);
        assert_true(result.end_time == runs[k].end && l.begin == runs[k].begin);
        assert_int_equal(result.macro_steps, runs[k].steps);
        assert_int_equal(l.steps, runs[k].steps);
        assert_true(l.longest == runs[k].H || runs[k].steps == 1);
        assert_true(!l.gaps && l.shortest > 0.0 && fabs(l.end - runs[k].end) <= 1e-13 * (1.0 + fabs(l.end)));
        assert_int_equal(result.integrations, 2 * runs[k].steps);
    }
    ms_system_destroy(&system);
}

static void controlled_runs_end_exactly_at_the_stop_time(void **state)
{
    (void)state;
    ms_system *system = support_system("mass-spring-damper", "");
    static const char *const runs[] = {"stop-time=1", "stop-time=0.7 step-size=0.1",
                                       "start-time=-1 stop-time=0.3"};
    for (int k = 0; k < MS_COUNT(runs); k++) {
        char text[160];
        journal l = {0};
        snprintf(text, sizeof text, "outputs=corrected extrapolation-order=1 error-controlled rtol=1e-4 %s",
                 runs[k]);
        const ms_options options = support_options(runs[k]);
        const ms_run_result result = run_logged(system, text, &l);
        check_reason(&result, MS_REASON_END_TIME);
        assert_true(result.end_time == options.stop_time && !l.gaps);
        assert_int_equal(l.attempts, result.macro_steps + result.rejected_steps);
        assert_int_equal(l.rejected, result.rejected_steps);
        assert_int_equal(result.integrations,
                         2 * 3 * l.attempts); /* a full and two half steps of two subsystems */
    }
    ms_system_destroy(&system);
}

static void the_largest_step_is_kept(void **state)
{
    (void)state;
    journal l = {0};
    ms_system *system = support_system("mass-spring-damper", "");
    const ms_run_result result = run_logged(
        system, "outputs=corrected error-controlled rtol=0.1 atol=0.1 max-step=0.03125 stop-time=1", &l);
    check_reason(&result, MS_REASON_END_TIME);
    assert_true(l.longest <= 0.03125 * (1.0 + 1e-9));
    ms_system_destroy(&system);
}

/* Figure 6.1: rho(D L) = 1.1. */
static void divergence_is_a_named_reason(void **state)
{
    (void)state;
    ms_system *system = support_system("linear-pair", "case=unstable");
    ms_options options = support_options("stop-time=10 step-size=0.01");
    ms_run_result result = support_run(system, &options, NULL, NULL);
    check_reason(&result, MS_REASON_DIVERGED);
    assert_true(result.end_time < 10.0 && result.macro_steps > 0);
    support_options_add(&options, "outputs=corrected");
    result = support_run(system, &options, NULL, NULL);
    check_reason(&result, MS_REASON_END_TIME);
    ms_system_destroy(&system);
}

/* x' = x^2 + u^2, y = x: a pole at finite time, before which the micro-solver fails. */
static int pole_f(const ms_point *at, double *dx)
{
    dx[0] = at->x[0] * at->x[0] + 0.01 * at->u[0] * at->u[0];
    return 0;
}

/* x' = 1/4, y = x + u^2: with u = y real solutions exist for x <= 1/4 only. */
static int rise_f(const ms_point *at, double *dx)
{
    (void)at;
    dx[0] = 0.25;
    return 0;
}

static int square_g(const ms_point *at, double *y)
{
    y[0] = at->x[0] + at->u[0] * at->u[0];
    return 0;
}

static const double three_tenths[] = {0.3};

#define SCALAR(right_hand_side, output, start, pattern)                                                      \
    SUPPORT_SUBSYSTEM(#right_hand_side, 1, 1, 1, .x0 = start, .f = right_hand_side, .g = output,             \
                      .feed_through = pattern)
#define PASS        SUPPORT_SUBSYSTEM("pass", 0, 1, 1, .g = support_pass)
#define PAIR(array) SUPPORT_MODEL(#array, array, support_ring, .stop_time = 2.0, .step_size = 0.01)

static const ms_subsystem poles[] = {
    SCALAR(pole_f, support_first_state, support_one, support_no_feed_through),
    SCALAR(pole_f, support_first_state, support_one, support_no_feed_through)};
static const ms_subsystem walls[] = {
    SCALAR(support_wall, support_first_state, NULL, support_no_feed_through),
    SCALAR(rise_f, support_first_state, support_one, support_no_feed_through)};
static const ms_subsystem squares[] = {SCALAR(rise_f, square_g, NULL, NULL), PASS};
static const ms_subsystem lost[] = {SCALAR(rise_f, square_g, three_tenths, NULL), PASS};
static const ms_model pole_model = PAIR(poles), wall_model = PAIR(walls), square_model = PAIR(squares),
                      lost_model = PAIR(lost);

static void explosions_of_a_subsystem_are_divergence(void **state)
{
    (void)state;
    static const char *const solvers[] = {"cvode-bdf", "cvode-adams", "arkode-erk", "gsl-rk8pd", "rk4"};
    ms_system *system = support_system_of(&pole_model);
    for (int k = 0; k < MS_COUNT(solvers); k++) {
        char text[64];
        snprintf(text, sizeof text, "step-size=0.05 solver=%s", solvers[k]);
        const ms_options options = support_options(text);
        const ms_run_result result = support_run(system, &options, NULL, NULL);
        check_reason(&result, MS_REASON_DIVERGED);
        assert_true(result.end_time > 0.8 && result.end_time < 1.1);
    }
    ms_system_destroy(&system);
}

/* The micro-steps of a subsystem in one macro-step, the most: while values are within 1e6 times their scale, and
 * in macro-steps that begin beyond it. */
typedef struct effort {
    double scale;
    bool exploding;
    long done[4], within, beyond;
} effort;

static double largest_of(const ms_cosim *cosim)
{
    const ms_system *s = cosim->system;
    double largest = 0.0;
    for (int j = 0; j < s->nx + s->ny; j++) /* y follows x in memory */
        largest = fmax(largest, fabs(cosim->x[j]));
    for (int j = 0; j < s->nu; j++)
        largest = fmax(largest, fabs(cosim->u_left[j]));
    return largest;
}

static int effort_start(void *self, const ms_cosim *cosim, double t)
{
    (void)t;
    *(effort *)self = (effort){.scale = 1.0 + largest_of(cosim)};
    return 0;
}

static int effort_step(void *self, const ms_cosim *cosim, double t, double h)
{
    (void)t, (void)h;
    effort *e = self;
    long *most = e->exploding ? &e->beyond : &e->within;
    for (int i = 0; i < cosim->system->n; i++) {
        const long done = cosim->instance[i]->work.micro_steps;
        *most = done - e->done[i] > *most ? done - e->done[i] : *most;
        e->done[i] = done;
    }
    e->exploding = largest_of(cosim) > 1e6 * e->scale;
    return 0;
}

/* A failure beyond 1e6 times the scale is divergence, so that there few micro-steps are enough. */
static void subsystems_try_less_where_values_explode(void **state)
{
    (void)state;
    ms_system *system = support_system("double-pendulum", "");
    const ms_options options =
        support_options("scheme=jacobi extrapolation-order=1 smooth-coupling=c1 solver=cvode-bdf");
    ms_cosim *cosim = support_cosim(system, &options);
    effort e = {0};
    const ms_observer observer = {.self = &e, .start = effort_start, .step = effort_step};
    ms_run_result result;
    for (int k = 0; k < 2; k++) { /* again with the same co-simulation */
        assert_int_equal(ms_run(cosim, &observer, 1, NULL, NULL, &result, NULL), MS_OK);
        check_reason(&result, MS_REASON_DIVERGED);
        assert_true(e.exploding && e.within > MS_MICRO_STEPS_EXPLODING);
        assert_true(e.beyond <= MS_MICRO_STEPS_EXPLODING);
    }
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
}

static void a_subsystem_that_cannot_go_on_has_failed(void **state)
{
    (void)state;
    ms_system *system = support_system_of(&wall_model);
    const ms_options options = support_options("solver=rk4");
    ms_run_result result = support_run(system, &options, NULL, NULL);
    check_reason(&result, MS_REASON_SUBSYSTEM_FAILED);
    assert_true(fabs(result.end_time - 0.5) < 0.02);
    assert_non_null(strstr(result.message, "support_wall"));
    assert_non_null(strstr(result.message, "rk4"));
    journal l = {0}; /* with error control, shorter steps are tried first */
    result = run_logged(system, "solver=rk4 error-controlled", &l);
    check_reason(&result, MS_REASON_STEP_SIZE_UNDERFLOW);
    assert_true(fabs(result.end_time - 0.5) < 1e-6);
    ms_system_destroy(&system);
}

static void a_loop_that_loses_its_solution_ends_the_run(void **state)
{
    (void)state;
    ms_system *system = support_system_of(&square_model);
    const ms_options options = support_options("outputs=consistent solver=rk4");
    ms_run_result result = support_run(system, &options, NULL, NULL);
    check_reason(&result, MS_REASON_NO_SOLUTION);
    assert_true(fabs(result.end_time - 1.0) < 0.02);
    ms_system_destroy(&system);

    system = support_system_of(&lost_model);
    result = support_run(system, &options, NULL, NULL);
    check_reason(&result, MS_REASON_NO_SOLUTION);
    assert_true(result.macro_steps == 0 && result.end_time == 0.0);
    ms_system_destroy(&system);
}

static void runs_can_be_interrupted(void **state)
{
    (void)state;
    ms_system *system = support_system("quarter-car", "");
    static const char *const texts[] = {"step-size=0.01", "error-controlled rtol=1e-3 atol=1e-3"};
    for (int k = 0; k < 2; k++) {
        journal by_flag = {.stop_after = 7}, by_hook = {.patience_step = 5}, at_once = {.patience_start = 1};
        ms_run_result result = run_logged(system, texts[k], &by_flag);
        check_reason(&result, MS_REASON_INTERRUPTED);
        assert_int_equal(result.macro_steps, 7);
        result = run_logged(system, texts[k], &by_hook);
        check_reason(&result, MS_REASON_INTERRUPTED);
        assert_int_equal(result.macro_steps, 5);
        result = run_logged(system, texts[k], &at_once);
        check_reason(&result, MS_REASON_INTERRUPTED);
        assert_int_equal(result.macro_steps, 0);
    }
    journal by_attempt = {.patience_attempt = 3};
    const ms_run_result result = run_logged(system, texts[1], &by_attempt);
    check_reason(&result, MS_REASON_INTERRUPTED);
    assert_int_equal(by_attempt.attempts, 3);
    ms_system_destroy(&system);
}

/* A run whose limit is its number of steps is whole; with one less it ends before. */
static void work_has_a_limit(void **state)
{
    (void)state;
    ms_system *system = support_system("quarter-car", "");
    static const char *const texts[] = {"step-size=0.01",
                                        "error-controlled rtol=1e-4 outputs=corrected extrapolation-order=1"};
    for (int k = 0; k < MS_COUNT(texts); k++) {
        char text[160];
        journal whole = {0}, just = {0}, less = {0};
        ms_run_result result = run_logged(system, texts[k], &whole);
        const long work = result.macro_steps + result.rejected_steps;
        assert_true(k == 0 || result.rejected_steps > 0);
        snprintf(text, sizeof text, "%s max-steps=%ld", texts[k], work);
        result = run_logged(system, text, &just);
        check_reason(&result, MS_REASON_END_TIME);
        snprintf(text, sizeof text, "%s max-steps=%ld", texts[k], work - 1);
        result = run_logged(system, text, &less);
        check_reason(&result, MS_REASON_WORK_LIMIT);
        assert_int_equal(result.macro_steps + result.rejected_steps, work - 1);
        assert_true(result.end_time < whole.end && result.end_time == less.end);
    }
    ms_system_destroy(&system);
}

static void richardson_follows_its_tolerance(void **state)
{
    (void)state;
    ms_system *system = support_system("mass-spring-damper", "");
    for (int order = 0; order <= 2; order++) {
        double reference[4], before = INFINITY;
        support_reference(system, 2.0, reference);
        for (int k = 2; k <= 4 + order; k++) {
            char text[160];
            double x[4];
            snprintf(
                text, sizeof text,
                "outputs=consistent error-controlled=richardson extrapolation-order=%d rtol=1e-%d atol=1e-%d "
                "stop-time=2 step-size=0.01",
                order, k, k);
            const ms_options options = support_options(text);
            support_finish(system, &options, x, NULL);
            const double error = support_distance(4, x, reference);
            if (!(error < 0.7 * before && error < 100.0 * pow(10.0, -k)))
                fail_msg("%s: error %g after %g", text, error, before);
            before = error;
        }
    }
    ms_system_destroy(&system);
}

/* Table 9.4 of Andersson (2016): 300 and 4, 92 and 1, 71 and 5. First derivatives by differences, second ones exact, have five of the six;
 * 102 is of an independent program. */
static void pyfmis_controller_takes_the_printed_steps(void **state)
{
    (void)state;
    static const int steps[] = {300, 102, 71}, rejected[] = {4, 1, 5};
    ms_system *system = support_system("quarter-car", "");
    for (int order = 0; order <= 2; order++) {
        char text[200];
        snprintf(text, sizeof text,
                 "error-controlled=pyfmi rtol=1e-4 atol=1e-4 step-size=0.001 start=hold derivatives=analytic "
                 "output-derivatives=mixed extrapolation-order=%d",
                 order);
        const ms_options options = support_options(text);
        const ms_run_result result = support_run(system, &options, NULL, NULL);
        check_reason(&result, MS_REASON_END_TIME);
        assert_int_equal(result.macro_steps, steps[order]);
        assert_int_equal(result.rejected_steps, rejected[order]);
    }
    ms_system_destroy(&system);
}

static void an_impossible_tolerance_is_step_size_underflow(void **state)
{
    (void)state;
    ms_system *system = support_system("mass-spring-damper", "");
    static const char *const texts[] = {"error-controlled rtol=1e-300 atol=1e-300",
                                        "error-controlled=pyfmi rtol=1e-300 atol=1e-300",
                                        "error-controlled rtol=1e-6 atol=1e-6 min-step=0.01 step-size=0.1"};
    for (int k = 0; k < MS_COUNT(texts); k++) {
        journal l = {0};
        const ms_run_result result = run_logged(system, texts[k], &l);
        check_reason(&result, MS_REASON_STEP_SIZE_UNDERFLOW);
        assert_true(result.rejected_steps > 0 && result.rejected_steps < 100);
    }
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reasons_have_the_names_of_the_contract),
                                       cmocka_unit_test(runs_end_exactly_at_the_stop_time),
                                       cmocka_unit_test(controlled_runs_end_exactly_at_the_stop_time),
                                       cmocka_unit_test(the_largest_step_is_kept),
                                       cmocka_unit_test(divergence_is_a_named_reason),
                                       cmocka_unit_test(explosions_of_a_subsystem_are_divergence),
                                       cmocka_unit_test(subsystems_try_less_where_values_explode),
                                       cmocka_unit_test(a_subsystem_that_cannot_go_on_has_failed),
                                       cmocka_unit_test(a_loop_that_loses_its_solution_ends_the_run),
                                       cmocka_unit_test(runs_can_be_interrupted),
                                       cmocka_unit_test(work_has_a_limit),
                                       cmocka_unit_test(richardson_follows_its_tolerance),
                                       cmocka_unit_test(pyfmis_controller_takes_the_printed_steps),
                                       cmocka_unit_test(an_impossible_tolerance_is_step_size_underflow)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
