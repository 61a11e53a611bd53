/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_exact_maps.c - what `exact` keeps of earlier steps never shows in a later one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver_fixture.h"
#include "support.h"
#include "unit_test.h"

enum { LENGTHS = 600, MOST = 8 }; /* more lengths than are kept */

static const ms_solver_options plain = {.rtol = 1e-8, .atol = 1e-8, .micro_steps = 1};
static const ms_solver_options with_integrals = {
    .rtol = 1e-8, .atol = 1e-8, .micro_steps = 1, .integrals = true};

static const ms_solver *exact(void)
{
    return ms_solver_find("exact");
}

/* Halved steps, whose bits differ in the exponent alone, then others; each with two degrees. */
static double length_of(int step)
{
    const int k = step / 2;
    return k < 60 ? ldexp(1.0, -k) : 1e-4 * (1.0 + k / 7.0);
}

/* The state after a step from the start values. */
static void step_from_start(support_solver_fixture *fixture, const double *start, int k, double *x)
{
    memcpy(fixture->x, start, sizeof(double) * MOST);
    support_fixture_feed(fixture, length_of(k), k % 5);
    support_fixture_advance(fixture, 0.0, length_of(k));
    memcpy(x, fixture->x, sizeof(double) * MOST);
}

/* One instance takes all lengths forwards and backwards, and some of them often; each result is that of an instance
 * that has done nothing else. */
static void check(const ms_model *of, int subsystem, const ms_solver_options *options)
{
    static double alone[LENGTHS][MOST];
    support_solver_fixture *busy = support_fixture_of(of, subsystem, exact(), options);
    double start[MOST], x[MOST];
    memcpy(start, busy->x, sizeof start);
    for (int k = 0; k < LENGTHS; k++) {
        support_solver_fixture *fresh = support_fixture_of(of, subsystem, exact(), options);
        step_from_start(fresh, start, k, alone[k]);
        support_fixture_drop(fresh);
    }
    for (int n = 0; n < 4 * LENGTHS; n++) {
        const int k = n < LENGTHS       ? n
                      : n < 2 * LENGTHS ? 2 * LENGTHS - 1 - n
                                        : (n * 37 + n / 3) % (n % 2 ? 40 : LENGTHS);
        step_from_start(busy, start, k, x);
        assert_memory_equal(x, alone[k], sizeof x);
    }
    support_fixture_drop(busy);
}

static void test_kept_maps_do_not_show(void **state)
{
    (void)state;
    check(&support_solver_model, SUPPORT_LINEAR, &plain);
    check(&support_integrals_model, SUPPORT_LINE, &plain);
}

static void test_kept_maps_of_integrals_do_not_show(void **state)
{
    (void)state;
    check(&support_integrals_model, SUPPORT_FIXED, &with_integrals);
    check(&support_integrals_model, SUPPORT_STATELESS, &with_integrals);
}

/* The quadrature of external inputs that vary asks for many lengths. */
static void test_kept_maps_of_quadratures_do_not_show(void **state)
{
    (void)state;
    check(&support_integrals_model, SUPPORT_FULL, &with_integrals);
}

/* Where lengths change samples come from a series: they are those of maps to round-off, and the end has the bits that it
 * has without samples; where all comes from it the end is that of the map to round-off. */
static void series_agree_with_maps(void **state)
{
    (void)state;
    enum { SAMPLES = 3 };
    static const double fractions[SAMPLES] = {0.113, 0.5, 0.887};
    static const struct {
        const ms_model *of;
        int subsystem;
    } cases[] = {{&support_solver_model, SUPPORT_LINEAR}, {&support_integrals_model, SUPPORT_LINE}};
    for (int c = 0; c < MS_COUNT(cases); c++) {
        support_solver_fixture *fixture[3], *bare, *changing; /* the last two without samples */
        ms_solver_options options = plain;
        double start[MOST], x[3][MOST], end[MOST], end_of_changing[MOST];
        for (int use = MS_SERIES_NEVER; use <= MS_SERIES_ALL; use++) {
            options.series = (ms_series_use)use;
            fixture[use] = support_fixture_of(cases[c].of, cases[c].subsystem, exact(), &options);
            support_sample(fixture[use]->instance, SAMPLES, fractions);
        }
        bare = support_fixture_of(cases[c].of, cases[c].subsystem, exact(), &plain);
        options.series = MS_SERIES_SAMPLES;
        changing = support_fixture_of(cases[c].of, cases[c].subsystem, exact(), &options);
        memcpy(start, bare->x, sizeof start);
        for (int k = 0; k < LENGTHS; k++) {
            const int samples = SAMPLES * bare->instance->n_state;
            step_from_start(bare, start, k, end);
            step_from_start(changing, start, k, end_of_changing);
            for (int use = MS_SERIES_NEVER; use <= MS_SERIES_ALL; use++)
                step_from_start(fixture[use], start, k, x[use]);
            assert_memory_equal(x[MS_SERIES_NEVER], end, sizeof end);
            assert_memory_equal(x[MS_SERIES_SAMPLES], end_of_changing, sizeof end);
            support_near_all(bare->instance->n_state, x[MS_SERIES_SAMPLES], end, 1e-14);
            support_near_all(bare->instance->n_state, x[MS_SERIES_ALL], end, 1e-14);
            for (int use = MS_SERIES_SAMPLES; use <= MS_SERIES_ALL; use++)
                support_near_all(samples, fixture[use]->instance->samples,
                                 fixture[MS_SERIES_NEVER]->instance->samples, 1e-14);
        }
        for (int use = MS_SERIES_NEVER; use <= MS_SERIES_ALL; use++)
            support_fixture_drop(fixture[use]);
        support_fixture_drop(bare);
        support_fixture_drop(changing);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kept_maps_do_not_show),
        cmocka_unit_test(test_kept_maps_of_integrals_do_not_show),
        cmocka_unit_test(test_kept_maps_of_quadratures_do_not_show),
        cmocka_unit_test(series_agree_with_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
