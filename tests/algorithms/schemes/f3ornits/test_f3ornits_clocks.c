/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_f3ornits_clocks.c - who feeds and who reads whom, and clocks whose steps are imposed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include "f3ornits_parts.h"
#include "random_system.h"
#include "support.h"
#include "unit_test.h"

/* Wires from subsystem i to subsystem k. */
static int wires(const ms_system *s, int i, int k)
{
    int n = 0;
    for (int l = s->u_at[k]; l < s->u_at[k + 1]; l++)
        for (int w = s->row_at[l]; w < s->row_at[l + 1]; w++)
            n += s->wire_output[w] >= s->y_at[i] && s->wire_output[w] < s->y_at[i + 1];
    return n;
}

static int count(const int *at, const int *list, int i, int k)
{
    int n = 0;
    for (int e = at[i]; e < at[i + 1]; e++)
        n += list[e] == k;
    return n;
}

/* As many entries as wires. */
static void neighbours_are_those_of_the_wires(void **state)
{
    (void)state;
    unsigned long long seed = 5;
    const ms_options options = support_options("scheme=f3ornits scheduler=asynchronous");
    for (int trial = 0; trial < support_ensemble(100); trial++) {
        support_random_system r = support_random_system_next(&seed);
        const ms_system *s = r.system;
        ms_cosim *cosim = support_cosim(s, &options);
        const f3_data *data = cosim->scheme_data;
        assert_int_equal(data->feeder_at[0], 0);
        assert_int_equal(data->reader_at[0], 0);
        assert_int_equal(data->feeder_at[s->n], s->row_at[s->nu]);
        assert_int_equal(data->reader_at[s->n], s->row_at[s->nu]);
        for (int i = 0; i < s->n; i++)
            for (int k = 0; k < s->n; k++) {
                assert_int_equal(count(data->reader_at, data->reader, i, k), wires(s, i, k));
                assert_int_equal(count(data->feeder_at, data->feeder, k, i), wires(s, i, k));
            }
        ms_cosim_destroy(&cosim);
        support_random_system_drop(&r);
    }
}

/* 2 and 3 thousandths: each clock stands at multiples of its own step whatever the other does. */
static void imposed_steps_are_kept(void **state)
{
    (void)state;
    static const double step[] = {0.002, 0.003};
    ms_system *system = support_system("quarter-car", "");
    const ms_options options =
        support_options("scheme=f3ornits scheduler=asynchronous mask=chassis:step=0.002 "
                        "mask=wheel:step=0.003 stop-time=0.6");
    ms_cosim *cosim = support_cosim(system, &options);
    const f3_data *data = cosim->scheme_data;
    assert_int_equal(ms_cosim_start(cosim), MS_OK);
    for (double t = 0.0; t < 0.0595;) {
        for (int i = 0; i < 2; i++) /* the next multiple */
            support_near(data->clock[i].next, step[i] * (floor(t / step[i] + 1e-6) + 1.0), 1e-12);
        t = cosim->scheme->next_time(cosim);
        assert_int_equal(ms_cosim_step(cosim, 0.0, 0.0), MS_OK);
    }
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
}

/* The wheel wants to step h, the chassis has to step k h: k steps of the wheel to one of the chassis, whatever round-off makes of k. */
static void steps_that_fit_are_not_divided_further(void **state)
{
    (void)state;
    enum { STEPS = 40 };
    ms_system *system = support_system("quarter-car", "");
    for (int h = 1; h < 20; h++)
        for (int k = 2; k < 6; k++) {
            const double step = 1e-3 * h;
            const ms_options options =
                support_options_of("scheme=f3ornits scheduler=asynchronous mask=chassis:step=%.17g "
                                   "step-size=%.17g min-step=%.17g "
                                   "max-step=%.17g stop-time=%.17g",
                                   k * step, step, step, step, STEPS * k * step);
            const ms_run_result result = support_run(system, &options, NULL, NULL);
            assert_int_equal(result.reason, MS_REASON_END_TIME);
            assert_int_equal(result.integrations, STEPS * (1 + k));
        }
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_are_those_of_the_wires),
        cmocka_unit_test(imposed_steps_are_kept),
        cmocka_unit_test(steps_that_fit_are_not_divided_further),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
