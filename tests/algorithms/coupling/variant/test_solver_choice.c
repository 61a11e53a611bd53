/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_solver_choice.c - subsystems with micro-solvers of their own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim.h>
#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/scheme_registry.h>
#include "stepping.h"
#include "support.h"
#include "unit_test.h"

enum { SIZE = 64 };

static void same(const ms_system *system, const char *one, const char *other)
{
    double x[2][SIZE], y[2][SIZE];
    const ms_options a = support_options(one), b = support_options(other);
    support_finish(system, &a, x[0], y[0]);
    support_finish(system, &b, x[1], y[1]);
    if (memcmp(x[0], x[1], sizeof(double) * (size_t)system->nx) != 0)
        fail_msg("%s against %s: off by %g", one, other, support_distance(system->nx, x[0], x[1]));
}

/* However a choice is said, and on however many threads. */
static void one_choice_has_the_same_bits(void **state)
{
    (void)state;
    ms_system *system = support_system("quarter-car", "");
    const char *one = system->sub[0].name, *two = system->sub[1].name;
    static const char *const schemes[] = {"scheme=jacobi extrapolation-order=1", "scheme=balance",
                                          "scheme=waveform samples=2 spline-degree=2", "scheme=ifosmondi",
                                          "error-controlled=richardson"};
    for (int k = 0; k < (int)MS_COUNT(schemes); k++) {
        char text[4][256];
        snprintf(text[0], sizeof text[0], "%s stop-time=0.3 solver=rk4", schemes[k]);
        snprintf(text[1], sizeof text[1], "%s stop-time=0.3 solver-of=%s=rk4,%s=rk4", schemes[k], two, one);
        snprintf(text[2], sizeof text[2], "%s stop-time=0.3 solver=generalised-alpha solver-of=%s=rk4",
                 schemes[k], two);
        snprintf(text[3], sizeof text[3],
                 "%s stop-time=0.3 solver-of=%s=rk4,%s=generalised-alpha execution=parallel", schemes[k], two,
                 one);
        same(system, text[0], text[1]);
        same(system, text[2], text[3]);
    }
    ms_system_destroy(&system);
}

/* Over a macro-step with held inputs a subsystem knows nothing of the others and their solvers. */
static void each_subsystem_has_its_own(void **state)
{
    (void)state;
    ms_system *system = support_system("quarter-car", "");
    const char *one = system->sub[0].name, *two = system->sub[1].name;
    double mixed[SIZE], first[SIZE], second[SIZE];
    const ms_options of_both = support_options_of(
                         "solver-of=%s=generalised-alpha,%s=rk4 step-size=0.01 stop-time=0.01", one, two),
                     of_first = support_options("solver=generalised-alpha step-size=0.01 stop-time=0.01"),
                     of_second = support_options("solver=rk4 step-size=0.01 stop-time=0.01");
    support_finish(system, &of_both, mixed, NULL);
    support_finish(system, &of_first, first, NULL);
    support_finish(system, &of_second, second, NULL);
    const size_t at = (size_t)system->x_at[1], nx = (size_t)system->nx;
    assert_memory_equal(mixed, first, sizeof(double) * at);
    assert_memory_equal(mixed + at, second + at, sizeof(double) * (nx - at));
    assert_memory_not_equal(first, second, sizeof(double) * nx);
    ms_system_destroy(&system);
}

/* Memories of different sizes are restored each to its owner: a run that repeats its macro-steps takes no notice. */
static void rejected_steps_leave_nothing(void **state)
{
    (void)state;
    ms_system *system = support_system("quarter-car", "");
    const ms_options options =
        support_options_of("solver-of=%s=generalised-alpha,%s=gsl-rkf45 step-size=0.01 extrapolation-order=1",
                           system->sub[0].name, system->sub[1].name);
    ms_cosim *cosim = support_cosim(system, &options);
    assert_int_equal(ms_cosim_start(cosim), MS_OK);
    for (int n = 0; n < 5; n++) {
        double *before = support_state(cosim);
        support_steps(cosim, n, n + 1, 0.01);
        double *after = support_state(cosim);
        ms_cosim_restore(cosim, before);
        support_steps(cosim, n, n + 1, 0.01);
        support_has_state(cosim, after, "again");
        free(after);
        free(before);
    }
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
}

/* The claim is that of the lowest order, and what does not map linearly spoils it for all. */
static void claims_are_those_of_the_weakest(void **state)
{
    (void)state;
    ms_system *system = support_system("quarter-car", "");
    const char *one = system->sub[0].name, *two = system->sub[1].name;
    static const char *const waveform = "scheme=waveform samples=4 spline-degree=3";
    ms_options options = support_options_of("%s solver-of=%s=rk4,%s=radau-iia", waveform, one, two);
    assert_int_equal(ms_scheme_order_on(NULL, &options), 4);
    options = support_options_of("%s solver=rk4 solver-of=%s=trapezoidal", waveform, two);
    assert_int_equal(ms_scheme_order_on(NULL, &options), 2);
    options = support_options_of("%s solver=euler solver-of=%s=trapezoidal", waveform, two);
    assert_int_equal(ms_scheme_order_on(NULL, &options), 1);
    options = support_options_of("solver=rk4 solver-of=%s=trapezoidal", two);
    ms_cosim *cosim = support_cosim(system, &options);
    assert_true(cosim->solver->linear_map);
    ms_cosim_destroy(&cosim);
    options = support_options_of("solver=rk4 solver-of=%s=gsl-rk2", two);
    cosim = support_cosim(system, &options);
    assert_false(cosim->solver->linear_map);
    assert_string_equal(cosim->solver->name, "gsl-rk2");
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
}

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    ms_system *system = support_system("precice-oscillator", "");
    support_system_refuses(system, "solver-of=left", MS_INVALID, "left: needs a solver, as left=rk4");
    support_system_refuses(system, "solver-of=left=", MS_INVALID, "left: needs a solver");
    support_system_refuses(system, "solver-of=left=rk5", MS_INVALID,
                           "`solver-of` rk5: unknown; the nearest is rk4");
    support_system_refuses(system, "solver-of=middle=rk4", MS_INVALID,
                           "no subsystem middle; its first is left");
    support_system_refuses(system, "solver-of=left=rk4,right=rk4,left=rk4", MS_INVALID,
                           "subsystem left is given twice");
    support_system_refuses(system, "solver-of=left=rk4 execution=mpi", MS_UNSUPPORTED,
                           "with `execution` mpi all subsystems have one");
    support_stepping stepping = {.inner = system, .only = 1, .can = support_stepping_all};
    ms_system *wrapped = support_stepping_system(&stepping);
    support_system_refuses(wrapped, "solver-of=right=rk4", MS_UNSUPPORTED,
                           "right=rk4: the subsystem brings its own solver");
    ms_system_destroy(&wrapped);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_choice_has_the_same_bits), cmocka_unit_test(each_subsystem_has_its_own),
        cmocka_unit_test(rejected_steps_leave_nothing), cmocka_unit_test(claims_are_those_of_the_weakest),
        cmocka_unit_test(what_is_wrong_is_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
