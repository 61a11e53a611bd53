/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_preset_oms.c - the masters of OMSimulator: each loop, written down from its source a second time (euler_units.h), and what its
 * test suite has printed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include "euler_units.h"
#include "support.h"
#include "unit_test.h"

enum { STEPS = 24, TRIALS = 4000 };

static void fixed_step_of_oms(const ms_system *system, double h, unsigned long long *seed)
{
    (void)seed;
    if (support_units_have_loop(system))
        return;
    double x[SUPPORT_UNITS_MOST];
    const ms_options options =
        support_options_of("as=oms-ma solver=euler step-size=%.17g stop-time=%.17g", h, STEPS * h);
    support_units t = support_units_of(system);
    support_units_update_inputs(&t);
    for (int n = 0; n < STEPS; n++) {
        support_units_step_all(&t, h);
        support_units_update_inputs(&t);
    }
    support_finish(system, &options, x, NULL);
    support_units_near(&t, x, "oms-ma");
}

static void oms_ma_is_the_loop_of_its_source(void **state)
{
    (void)state;
    support_units_over_systems(fixed_step_of_oms);
}

static bool ends_are_able(const ms_system *s, const bool *able, int l)
{
    bool all = able[ms_owner_of(s->u_at, s->n, l)];
    for (int w = s->row_at[l]; w < s->row_at[l + 1]; w++)
        all = all && able[ms_system_owner(s, s->wire_output[w])];
    return all;
}

/* Steps that the tool takes to the end of the run, until two of its decisions are so near to each other that round-off decides. */
static bool variable_step(support_units *t, const bool *able, double h, double tol, double end, long *steps,
                          long *rejected)
{
    const double least = 1e-12, longest = 0.3 * end;
    double time = 0.0;
    support_units_update_inputs(t);
    for (int n = 0; n < TRIALS && time < end; n++) {
        h = fmax(least, fmin(longest, h));
        const bool last = time + h * (1.0 + 1e-10) >= end;
        const double length = last ? end - time : h;
        support_units before = *t;
        double worst = 0.0, now[SUPPORT_UNITS_MOST];
        for (int i = 0; i < t->s->n; i++)
            if (able[i])
                support_units_step(t, i, length);
        support_units_get_all(t);
        ms_system_couple(t->s, t->y, now);
        for (int l = 0; l < t->s->nu; l++)
            if (ends_are_able(t->s, able, l))
                worst = fmax(worst, fabs(t->u[l] - now[l]) / (fabs(now[l]) * tol + tol));
        const double ratio = sqrt(1.0 / worst);
        if (fabs(ratio - 1.0) < 1e-9)
            return false;
        if (ratio < 1.0 && least < length) {
            *t = before;
            h = length * fmax(0.9 * ratio, 0.5);
            ++*rejected;
            continue;
        }
        for (int i = 0; i < t->s->n; i++)
            if (!able[i])
                support_units_step(t, i, length);
        time = last ? end : time + length;
        support_units_update_inputs(t);
        h = length * (0.9 * ratio > 1.5 ? 1.5 : 0.9 * ratio);
        ++*steps;
    }
    return time == end;
}

/* All of them roll back, or all but one in three, and one at least. */
static void variable_step_of_oms(const ms_system *system, double h, unsigned long long *seed)
{
    double x[SUPPORT_UNITS_MOST];
    bool able[SUPPORT_RANDOM_SYSTEM_SUBSYSTEMS];
    const double end = 5.0 * h, tol = 0.05;
    const bool all = support_random_below(seed, 2) == 0;
    ms_options options = support_options_of(
        "as=oms-mav solver=euler step-size=%.17g stop-time=%.17g max-step=%.17g rtol=%g atol=%g", h, end,
        0.3 * end, tol, tol);
    for (int i = 0; i < system->n; i++) {
        able[i] = all || i == 0 || support_random_below(seed, 3) > 0;
        if (!able[i])
            snprintf(options.mask[options.n_masks++], MS_MASK_MAX, "%s:rollback", system->sub[i].name);
    }
    support_units t = support_units_of(system);
    long steps = 0, rejected = 0;
    if (support_units_have_loop(system)) {
        ms_cosim *cosim = support_cosim(system, &options);
        ms_run_result none;
        ms_error error = {""};
        assert_int_equal(ms_run(cosim, NULL, 0, NULL, NULL, &none, &error), MS_UNSUPPORTED);
        assert_non_null(strstr(error.text, "algebraic loop"));
        ms_cosim_destroy(&cosim);
        return;
    }
    if (!variable_step(&t, able, h, tol, end, &steps, &rejected))
        return;
    const ms_run_result result = support_run(system, &options, x, NULL);
    assert_int_equal(result.reason, MS_REASON_END_TIME);
    assert_int_equal(result.macro_steps, steps);
    assert_int_equal(result.rejected_steps, rejected);
    support_units_near(&t, x, "oms-mav");
}

static void oms_mav_is_the_loop_of_its_source(void **state)
{
    (void)state;
    support_units_over_systems(variable_step_of_oms);
}

/* OMSimulator's test suite, DualMassOscillator: 10 s in steps of 1e-4 s, FMUs that step once by Euler's method. It prints these. */
static void oms_ma_prints_what_its_test_suite_prints(void **state)
{
    (void)state;
    ms_system *system = support_system("dual-mass-oscillator", "");
    const ms_options options = support_options("as=oms-ma step-size=1e-4 stop-time=10 solver=euler");
    double x[4];
    support_finish(system, &options, x, NULL);
    support_near(x[0], 0.051412690223479836, 1e-14);
    support_near(x[2], 0.031858470461315964, 1e-14);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(oms_ma_is_the_loop_of_its_source),
                                       cmocka_unit_test(oms_mav_is_the_loop_of_its_source),
                                       cmocka_unit_test(oms_ma_prints_what_its_test_suite_prints)};
    return cmocka_run_group_tests_name("masters of OMSimulator", tests, NULL, NULL);
}
