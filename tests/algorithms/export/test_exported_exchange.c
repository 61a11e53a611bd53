/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_exported_exchange.c - exported FMUs for model exchange, of both versions of FMI, have the derivatives, outputs, indicators
 * and events of the built-in subsystems. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "built_in.h"
#include "support.h"
#include "unit_test.h"

static void check_exchange(const ms_fmu_export *what, const ms_exported *e)
{
    support_binary b;
    const ms_subsystem *sub = e->sub;
    const int i = e->index, nx = sub->nx, ny = sub->ny;
    support_binary_open(&b, what);
    if (!b.description->flags[MS_FMU_MODEL_EXCHANGE].present) {
        assert_false(support_binary_instantiate(&b, NULL, true));
        assert_non_null(strstr(b.said, "no model exchange"));
        support_binary_close(&b);
        return;
    }
    support_built_in is = support_built_in_create(e->system, i, &what->solver);
    double u[SUPPORT_BINARY_DEGREE + 1][SUPPORT_BINARY_INPUTS] = {{0}}, next = NAN;
    double *x = is.instance->x, *value = support_zeros(nx + ny + sub->n_indicators),
           *expected = support_zeros(nx + ny + sub->n_indicators), *w = support_zeros(sub->nw);
    assert_true(support_binary_instantiate(&b, NULL, true));
    support_choose_inputs(&is, 0, 1.0, u);
    assert_int_equal(support_binary_start(&b, 0.0, u[0]), 0);
    assert_int_equal(support_binary_events(&b, false, &next), 0);
    assert_true(next == ms_subsystem_next_time(e->system, i, 0.0, is.instance->z));
    for (int n = 0; n < 4; n++) {
        const double t = 1e-3 * n;
        ms_point at = {.t = t, .x = x, .u = u[0], .z = is.instance->z};
        support_choose_inputs(&is, n, 1.0, u);
        assert_int_equal(support_binary_set_point(&b, t, nx, x), 0);
        assert_int_equal(support_binary_set(&b, b.n, b.reference, u[0]), 0);
        assert_int_equal(ms_subsystem_f(e->system, i, &at, w, expected),
                         support_binary_derivatives(&b, nx, value));
        support_same_bits(&b, "derivative", t, nx, value, expected);
        unsigned out[SUPPORT_BINARY_INPUTS];
        support_references(e, MS_EXPORTED_OUTPUT, out);
        assert_int_equal(ms_subsystem_g(e->system, i, &at, w, expected),
                         support_binary_get(&b, ny, out, value));
        support_same_bits(&b, "output", t, ny, value, expected);
        if (sub->n_indicators > 0) {
            assert_int_equal(ms_subsystem_indicators(e->system, i, &at, w, expected), 0);
            assert_int_equal(support_binary_indicators(&b, sub->n_indicators, value), 0);
            support_same_bits(&b, "indicator", t, sub->n_indicators, value, expected);
        }
        for (int k = 0; k < nx; k++)
            x[k] += 1e-4 * (1.0 + 0.1 * k);
    }
    free(value);
    free(expected);
    free(w);
    support_built_in_destroy(&is);
    support_binary_close(&b);
}

static void test_exchange(void **state)
{
    (void)state;
    support_export_all(check_exchange);
}

/* The bell, by Euler's method: wherever an indicator has changed its sign the handlers of both are called. */
static void check_bell(int fmi)
{
    ms_system *system = support_system("bell", NULL);
    for (int i = 0; i < system->n; i++) {
        const ms_subsystem *sub = &system->sub[i];
        ms_fmu_export what = support_export_of(system, sub->name, fmi, "cvode-bdf");
        support_built_in is = support_built_in_create(system, i, &what.solver);
        double u[SUPPORT_BINARY_INPUTS] = {0}, dx[SUPPORT_BINARY_INPUTS], r[SUPPORT_BINARY_INPUTS],
               before[SUPPORT_BINARY_INPUTS], next = INFINITY;
        double *x = is.instance->x, *z = is.instance->z, w[SUPPORT_BINARY_INPUTS], x0[SUPPORT_BINARY_INPUTS],
               z0[SUPPORT_BINARY_INPUTS];
        int crossed[SUPPORT_BINARY_INPUTS], events = 0;
        support_binary b;
        support_binary_open(&b, &what);
        assert_true(support_binary_instantiate(&b, NULL, true));
        assert_int_equal(support_binary_start(&b, 0.0, u), 0);
        assert_int_equal(support_binary_events(&b, false, &next), 0);
        ms_point at = {.x = x, .u = u, .z = z};
        assert_int_equal(ms_subsystem_indicators(system, i, &at, w, before), 0);
        for (int n = 1; n <= 20000 && events < 4; n++) {
            bool any = false, time;
            at = (ms_point){.t = (n - 1) * 1e-3, .x = x, .u = u, .z = z};
            assert_int_equal(ms_subsystem_f(system, i, &at, w, dx), 0);
            assert_int_equal(support_binary_derivatives(&b, sub->nx, x0), 0);
            if (n > 1)
                support_same_bits(&b, "derivative", at.t, sub->nx, x0, dx);
            for (int k = 0; k < sub->nx; k++)
                x[k] += 1e-3 * dx[k];
            at.t = n * 1e-3;
            time = at.t >= next;
            assert_int_equal(support_binary_set_point(&b, at.t, sub->nx, x), 0);
            assert_int_equal(ms_subsystem_indicators(system, i, &at, w, r), 0);
            for (int k = 0; k < sub->n_indicators; k++) {
                crossed[k] = (before[k] < 0.0 && r[k] >= 0.0) - (before[k] > 0.0 && r[k] <= 0.0);
                any = any || crossed[k] != 0;
                if (r[k] != 0.0)
                    before[k] = r[k];
            }
            if (!any && !time)
                continue;
            events++;
            memcpy(x0, x, sizeof *x * (size_t)sub->nx);
            memcpy(z0, z, sizeof *z * (size_t)sub->nz);
            ms_point then = {.t = time ? next : at.t, .x = x0, .u = u, .z = z0};
            const ms_event event = {.state = any, .crossed = crossed, .time = time, .x = x, .z = z};
            assert_int_equal(ms_subsystem_handle(system, i, &then, w, &event), 0);
            assert_int_equal(support_binary_events(&b, true, &next), 0);
            assert_int_equal(support_binary_states(&b, sub->nx, x0), 0);
            support_same_bits(&b, "state behind an event", at.t, sub->nx, x0, x);
            at.x = x;
            assert_int_equal(ms_subsystem_indicators(system, i, &at, w, before), 0);
        }
        assert_true(events > 0 || !ms_subsystem_jumps(sub));
        support_built_in_destroy(&is);
        support_binary_close(&b);
    }
    ms_system_destroy(&system);
}

static void test_events(void **state)
{
    (void)state;
    check_bell(2);
    check_bell(3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exchange), cmocka_unit_test(test_events)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
