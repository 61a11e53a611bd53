/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_time_events.c - --at-time-events communicate: all subsystems communicate at announced time events,
 * whatever the scheme. Orders: test_time_events_orders.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/propagation.h>
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

/* Communication times ------------------------------------------------------------------------------------ */

enum { TIMES = 4000 };

typedef struct times {
    int n;
    double t[TIMES], h[TIMES];
} times;

static int note_start(void *self, const ms_cosim *cosim, double t)
{
    (void)cosim;
    *(times *)self = (times){1, {t}, {0.0}};
    return 0;
}

static int note_step(void *self, const ms_cosim *cosim, double t, double h)
{
    times *seen = self;
    (void)cosim;
    assert_true(seen->n < TIMES);
    support_near(t, seen->t[seen->n - 1], 1e-12);
    seen->t[seen->n - 1] = t;
    seen->t[seen->n] = t + h;
    seen->h[seen->n++] = h;
    return 0;
}

/* The times [s] of a run, which reaches its end; t of a step is the last one's end, to the bit, so that they
 * are those that the run itself counts, the last one but for round-off. x (nx): states at the end; may be
 * NULL. */
static times times_of(const ms_system *system, const ms_options *options, double *x)
{
    static times seen;
    ms_cosim *cosim = support_cosim(system, options);
    const ms_observer observer = {.self = &seen, .start = note_start, .step = note_step};
    ms_run_result result;
    ms_error error = {""};
    assert_int_equal(ms_run(cosim, &observer, 1, NULL, NULL, &result, &error), MS_OK);
    if (result.reason != MS_REASON_END_TIME)
        fail_msg("%s: %s", ms_reason_name(result.reason), result.message);
    support_near(seen.t[seen.n - 1], result.end_time, 1e-12);
    if (x != NULL)
        memcpy(x, cosim->x, sizeof(double) * (size_t)system->nx);
    ms_cosim_destroy(&cosim);
    return seen;
}

/* A wave and two sources that follow it; what changes at times is `hits`, a function of z or t.
 *
 *     source   x' = u - x +- 1, y = x     at each time of its list the sign changes and x jumps
 *     wave     x'' = -x + u, y = x */
enum { LIST = 12 };
typedef struct list {
    int n;
    double t[LIST];
} list;
static list lists[2];
static bool by_mode;       /* next_time depends on z alone, which counts; else on t */
static double kick = 0.25; /* of x; 0: nothing happens at the times */

static int source_f(const ms_point *at, double *dx)
{
    dx[0] = at->u[0] - at->x[0] + ((int)at->z[0] % 2 == 0 ? 4.0 : -4.0) * kick;
    return 0;
}

static int count(const ms_point *at, const ms_event *event)
{
    event->z[0] = at->z[0] + 1.0;
    event->x[0] = at->x[0] + kick;
    return event->time ? 0 : 1;
}

static double next_of(const list *hits, double t, const double *z)
{
    int k = by_mode ? (int)z[0] : 0;
    while (k < hits->n && hits->t[k] <= t && !by_mode)
        k++;
    return k < hits->n ? hits->t[k] : INFINITY;
}

static double next_first(double t, const double *z, const double *p, const void *data)
{
    (void)p, (void)data;
    return next_of(&lists[0], t, z);
}

static double next_second(double t, const double *z, const double *p, const void *data)
{
    (void)p, (void)data;
    return next_of(&lists[1], t, z);
}

static int wave_f(const ms_point *at, double *dx)
{
    dx[0] = at->x[1];
    dx[1] = -at->x[0] + at->u[0] + at->u[1];
    return 0;
}

#define SOURCE(called, when)                                                                                 \
    SUPPORT_SUBSYSTEM(called, 1, 1, 1, .nz = 1, .f = source_f, .g = support_first_state,                     \
                      .feed_through = support_no_feed_through, .next_time = when, .handle = count)
static const ms_subsystem parts[] = {SOURCE("first", next_first), SOURCE("second", next_second),
                                     SUPPORT_SUBSYSTEM("wave", 2, 2, 1, .f = wave_f, .g = support_first_state,
                                                       .feed_through = support_no_feed_through)};
static const ms_wire wires[] = {{0, 0, 2, 0, 1.0}, {1, 0, 2, 0, 1.0}, {2, 0, 0, 0, 1.0}, {2, 1, 1, 0, 1.0}};
static const ms_model listed_model =
    SUPPORT_MODEL("listed", parts, wires, .stop_time = 1.0, .step_size = 0.25);

/* Whose macro-steps this cuts; the last three communicate just before an event as well. */
static const char *const families[] = {
    "scheme=jacobi extrapolation-order=1",
    "scheme=gauss-seidel extrapolation-order=2 smooth-coupling=c1",
    "scheme=balance balance-hat=smooth",
    "scheme=semi-implicit",
    "scheme=multirate extrapolation-order=1",
    "error-controlled=richardson rtol=1e-3 atol=1e-3",
    "error-controlled=pyfmi extrapolation-order=1 rtol=1e-3 atol=1e-3",
    "scheme=f3ornits min-step=1e-3",
    "scheme=f3ornits smooth-coupling=c1 scheduler=asynchronous min-step=1e-3",
    "scheme=ifosmondi solver-nonlinear=anderson",
    "scheme=zoh-iterative",
    "scheme=ijcsa input-degree=2",
    "scheme=waveform"};
enum { FAMILIES = sizeof families / sizeof families[0], EXPLICIT = 5, ITERATED = FAMILIES - 4 };

static times listed_times(const char *family, const char *more)
{
    ms_system *system = support_system_of(&listed_model);
    const ms_options options =
        support_options_of("%s solver=gsl-rk8pd at-time-events=communicate %s", family, more);
    const times seen = times_of(system, &options, NULL);
    ms_system_destroy(&system);
    return seen;
}

static void expect_met(const times *seen, double t, const char *family)
{
    double nearest = INFINITY;
    for (int k = 0; k < seen->n; k++)
        nearest = fmin(nearest, fabs(seen->t[k] - t));
    if (!(nearest <= 1e-15 * fmax(1.0, t)))
        fail_msg("%s: nobody communicates at %.17g, the nearest is %g away", family, t, nearest);
}

static void equal_steps_go_on_from_an_event(void **state)
{
    (void)state;
    static const double expected[] = {0.0, 0.25, 0.5, 0.6, 0.61, 0.86, 1.0};
    lists[0] = (list){2, {0.6, 5.0}};
    lists[1] = (list){1, {0.61}};
    for (int mode = 0; mode < 2; mode++)
        for (int k = 0; k < EXPLICIT; k++) {
            by_mode = mode == 1;
            const times seen = listed_times(families[k], "");
            assert_int_equal(seen.n, MS_COUNT(expected));
            support_near_all(seen.n, seen.t, expected, 1e-15);
        }
}

static int note_share(void *self, const ms_cosim *cosim, double t, double h)
{
    double *seen = self;
    const double whole = 0.25;
    const bool last = t + h >= cosim->variant.stop_time - 1e-12;
    support_near(cosim->share, last ? 1.0 : h / whole, 1e-12);
    *seen += cosim->share < 1.0;
    return 0;
}

/* What an event leaves of a macro-step, which schemes that feed something back have to know. */
static void the_share_of_a_cut_step_is_known(void **state)
{
    (void)state;
    static const char *const controls[] = {
        "scheme=jacobi", "error-controlled=richardson min-step=0.25 max-step=0.25 rtol=1 atol=1e9",
        "error-controlled=pyfmi min-step=0.25 max-step=0.25 rtol=1 atol=1e9"};
    lists[0] = (list){2, {0.2, 0.625}}; /* four fifths of a step, and a tenth and seven of one */
    lists[1] = (list){1, {0.475}};
    by_mode = false;
    for (int k = 0; k < MS_COUNT(controls); k++) {
        ms_system *system = support_system_of(&listed_model);
        const ms_options options =
            support_options_of("%s solver=gsl-rk8pd at-time-events=communicate", controls[k]);
        ms_cosim *cosim = support_cosim(system, &options);
        double seen = 0.0;
        const ms_observer observer = {.self = &seen, .step = note_share};
        ms_run_result result;
        ms_error error = {""};
        assert_int_equal(ms_run(cosim, &observer, 1, NULL, NULL, &result, &error), MS_OK);
        assert_true(seen == 3.0);
        ms_cosim_destroy(&cosim);
        ms_system_destroy(&system);
    }
}

/* Just behind and before points of the grid, by round-off and by more; of two subsystems at once; close to
 * each other; at the start and the end and beyond it. The number of macro-steps does not explode. */
static void every_family_meets_every_event(void **state)
{
    (void)state;
    static const list awkward[][2] = {
        {{4, {0.25, 0.5, 0.75, 1.0}}, {2, {0.5, 0.75}}},
        {{2, {0.25 + 1e-16, 0.5 + 4e-16}}, {2, {0.25 + 1e-13, 0.75 - 1e-13}}},
        {{3, {0.25 + 1e-11, 0.5 + 1e-9, 0.75 + 1e-6}}, {3, {0.25 - 1e-11, 0.5 - 1e-9, 0.75 - 1e-6}}},
        {{3, {0.3, 0.3 + 1e-9, 0.3 + 2e-9}}, {2, {0.3, 0.3 + 1.5e-9}}},
        {{12, {.31, .32, .33, .34, .35, .36, .37, .38, .39, .40, .41, .42}}, {3, {.315, .32, .9}}},
        {{2, {1e-17, 1e-12}}, {3, {1e-5, 1.0 - 1e-12, 1.0 - 1e-16}}},
        {{2, {1e-3, 1.0 + 1e-16}}, {2, {0.999, 1.5}}},
    };
    for (int a = 0; a < MS_COUNT(awkward); a++)
        for (int k = 0; k < FAMILIES; k++)
            for (int mode = 0; mode < 2; mode++) {
                by_mode = mode == 1;
                memcpy(lists, awkward[a], sizeof lists);
                const times seen = listed_times(families[k], "");
                for (int l = 0; l < 2; l++)
                    for (int e = 0; e < lists[l].n; e++)
                        if (lists[l].t[e] > 0.0 && lists[l].t[e] < 1.0)
                            expect_met(&seen, lists[l].t[e], families[k]);
                if (k < EXPLICIT && seen.n > 5 + 2 * (lists[0].n + lists[1].n))
                    fail_msg("%s: %d macro-steps", families[k], seen.n);
            }
}

/* Nothing is cut where an event is a point of the grid: the bits are those of `ignore`. */
static void events_on_the_grid_change_nothing(void **state)
{
    (void)state;
    ms_system *system = support_system_of(&listed_model);
    lists[0] = (list){3, {0.1, 0.3, 0.7}};
    lists[1] = (list){2, {0.1, 0.1 * 3}}; /* 0.30000000000000004 */
    by_mode = false;
    for (int k = 0; k < EXPLICIT; k++) {
        double x[2][4];
        for (int communicate = 0; communicate < 2; communicate++) {
            const ms_options options =
                support_options_of("%s solver=gsl-rk8pd step-size=0.1 at-time-events=%s", families[k],
                                   communicate ? "communicate" : "ignore");
            const times seen = times_of(system, &options, x[communicate]);
            assert_int_equal(seen.n, 11);
        }
        assert_memory_equal(x[0], x[1], sizeof x[0]);
    }
    ms_system_destroy(&system);
}

static void iterations_communicate_before_an_event_as_well(void **state)
{
    (void)state;
    lists[0] = (list){1, {0.6}};
    lists[1] = (list){0, {0.0}};
    for (int k = ITERATED; k < FAMILIES; k++) {
        const times seen = listed_times(families[k], "");
        assert_int_equal(seen.n, 7); /* 0, 1/4, 1/2, 0.6-, 0.6, 0.85, 1 */
        assert_true(seen.t[3] < 0.6 && seen.t[3] > 0.6 - 1e-12);
        support_near(seen.t[4], 0.6, 1e-15);
        support_near(seen.t[5], 0.85, 1e-15);
    }
}

/* A step that an event cut does not hold the next ones down. */
static void controlled_steps_are_as_long_behind_an_event(void **state)
{
    (void)state;
    ms_system *system = support_system_of(&listed_model);
    by_mode = false;
    kick = 0.0;
    lists[1] = (list){0, {0.0}};
    for (int k = EXPLICIT; k < ITERATED; k++) {
        lists[0] = (list){0, {0.0}};
        const ms_options options = support_options_of(
            "%s solver=gsl-rk8pd at-time-events=communicate stop-time=40 step-size=0.01", families[k]);
        const times free = times_of(system, &options, NULL);
        lists[0] = (list){1, {free.t[3 * free.n / 4] + 1e-7}};
        ms_system *breaks = support_system_of(&listed_model);
        const times cut = times_of(breaks, &options, NULL);
        expect_met(&cut, lists[0].t[0], families[k]);
        if (cut.n > free.n + 3)
            fail_msg("%s: %d macro-steps instead of %d", families[k], cut.n, free.n);
        ms_system_destroy(&breaks);
    }
    kick = 0.25;
    ms_system_destroy(&system);
}

/* Asynchronous clocks ------------------------------------------------------------------------------------ */

/* `slow` feeds `quick`, which announces 0.55 only when it has passed 0.41, while the step of `slow` from 0.3
 * to 0.6 is under way. */
static double late(double t, const double *z, const double *p, const void *data)
{
    (void)z, (void)p, (void)data;
    return t < 0.41 || t >= 0.55 ? INFINITY : 0.55;
}

static int decay_f(const ms_point *at, double *dx)
{
    dx[0] = -0.001 * at->x[0];
    return 0;
}

static const ms_subsystem apart[] = {
    SUPPORT_SUBSYSTEM("slow", 1, 0, 1, .f = decay_f, .g = support_first_state), SOURCE("quick", late)};
static const ms_wire apart_wire[] = {{1, 0, 0, 0, 1.0}};
static const ms_model asynchronous_model =
    SUPPORT_MODEL("apart", apart, apart_wire, .stop_time = 0.9, .step_size = 0.3);

static void steps_under_way_are_cut(void **state)
{
    (void)state;
    ms_system *system = support_system_of(&asynchronous_model);
    const ms_options options =
        support_options("scheme=f3ornits scheduler=asynchronous min-step=1e-4 max-step=0.3 "
                        "solver=gsl-rk8pd at-time-events=communicate");
    ms_cosim *cosim = support_cosim(system, &options);
    bool alone = false, together = false;
    assert_int_equal(ms_cosim_start(cosim), MS_OK);
    for (double t = 0.0; t < 0.9;) {
        t = cosim->scheme->next_time(cosim);
        assert_int_equal(ms_cosim_step(cosim, 0.0, 0.0), MS_OK);
        alone |= t > 0.41 && t < 0.55 && !cosim->communicates[0];
        together |= t == 0.55 && ms_cosim_all_communicate(cosim);
    }
    assert_true(alone && together);
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
}

/* Refusals, and who takes no notice ---------------------------------------------------------------------- */

static void an_imposed_step_is_refused(void **state)
{
    (void)state;
    char line[512];
    static const char *const texts[] = {
        "at-time-events=communicate mask=right:step=0.1",
        "scheme=f3ornits scheduler=asynchronous at-time-events=communicate mask=right:step=0.1",
        "scheme=zoh-iterative step-rule=fixed at-time-events=communicate mask=right:step=0.1"};
    ms_system *system = support_system("two-masses-springs-dampers", "");
    for (int k = 0; k < MS_COUNT(texts); k++) {
        const ms_options options = support_options(texts[k]);
        assert_int_equal(support_refusal(system, &options, line, sizeof line), MS_UNSUPPORTED);
        if (strstr(line, "`at-time-events` communicate") == NULL || strstr(line, "right") == NULL ||
            strstr(line, "0.1") == NULL)
            fail_msg("%s", line);
    }
    ms_system_destroy(&system);
    system = support_system("three-clocks", "");
    support_system_refuses(system, "scheme=f3ornits scheduler=asynchronous at-time-events=communicate",
                           MS_UNSUPPORTED, "meter");
    ms_system_destroy(&system);
}

/* Psi is that of whole macro-steps, the subsystem with an imposed step included. */
static void a_propagation_matrix_takes_no_notice(void **state)
{
    (void)state;
    ms_system *system = support_system("two-masses-springs-dampers", "change_time=0.03");
    static const char *const texts[] = {
        "extrapolation-order=1", "extrapolation-order=1 at-time-events=communicate",
        "extrapolation-order=1 at-time-events=communicate mask=right:step=0.1"};
    double *psi[3];
    int n = 0;
    for (int k = 0; k < 3; k++) {
        const ms_options options = support_options(texts[k]);
        ms_error error = {""};
        if (ms_propagation_probe(system, &options, 0.1, &n, &psi[k], &error) != MS_OK)
            fail_msg("%s", error.text);
        assert_memory_equal(psi[k], psi[0], sizeof(double) * (size_t)(n * n));
    }
    for (int k = 0; k < 3; k++)
        free(psi[k]);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equal_steps_go_on_from_an_event),
                                       cmocka_unit_test(the_share_of_a_cut_step_is_known),
                                       cmocka_unit_test(every_family_meets_every_event),
                                       cmocka_unit_test(events_on_the_grid_change_nothing),
                                       cmocka_unit_test(iterations_communicate_before_an_event_as_well),
                                       cmocka_unit_test(controlled_steps_are_as_long_behind_an_event),
                                       cmocka_unit_test(steps_under_way_are_cut),
                                       cmocka_unit_test(an_imposed_step_is_refused),
                                       cmocka_unit_test(a_propagation_matrix_takes_no_notice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
