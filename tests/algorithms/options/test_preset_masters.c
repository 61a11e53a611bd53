/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_preset_masters.c - masters of other tools: each tool's loop, written down from its source a second time, in the order in which
 * it sets and gets values of units (euler_units.h). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include "euler_units.h"
#include "integers.h"
#include "support.h"
#include "unit_test.h"

enum { STEPS = 24, TRIALS = 4000 };

/* libcosim ----------------------------------------------------------------------------------------------- */

static void decimation_of_libcosim(const ms_system *s, double h, unsigned long long *seed)
{
    static const int choices[] = {1, 1, 2, 3, 4};
    int decimation[SUPPORT_RANDOM_SYSTEM_SUBSYSTEMS], period = 1;
    char substeps[128] = "";
    double x[SUPPORT_UNITS_MOST], carried[3 * SUPPORT_UNITS_MOST];
    support_units t = support_units_of(s);
    for (int i = 0; i < s->n; i++) {
        decimation[i] = choices[support_random_below(seed, MS_COUNT(choices))];
        period = ms_least_common_multiple(period, decimation[i]);
    }
    for (int i = 0; i < s->n; i++)
        snprintf(substeps + strlen(substeps), sizeof substeps - strlen(substeps), "%s%s=%d", i > 0 ? "," : "",
                 s->sub[i].name, period / decimation[i]);
    for (int pass = 0; pass < s->n; pass++) {
        support_units_get_all(&t);
        support_units_set_all(&t);
    }
    for (int w = 0; w < s->row_at[s->nu]; w++)
        carried[w] = t.y[s->wire_output[w]];
    for (int counter = 0; counter < 2 * period;) {
        for (int i = 0; i < s->n; i++)
            if (counter % decimation[i] == 0) {
                support_units_step(&t, i, h * decimation[i]);
                support_units_get(&t, i);
            }
        counter++;
        for (int l = 0; l < s->nu; l++) {
            const int target = ms_owner_of(s->u_at, s->n, l);
            t.u[l] = 0.0;
            for (int w = s->row_at[l]; w < s->row_at[l + 1]; w++) {
                const int source = ms_system_owner(s, s->wire_output[w]);
                if (counter % ms_least_common_multiple(decimation[source], decimation[target]) == 0)
                    carried[w] = t.y[s->wire_output[w]];
                t.u[l] += s->wire_gain[w] * carried[w];
            }
        }
    }
    const ms_options options =
        support_options_of("as=libcosim solver=euler step-size=%.17g stop-time=%.17g substeps=%s", h * period,
                           2 * h * period, substeps);
    support_finish(s, &options, x, NULL);
    support_units_near(&t, x, substeps);
}

static void libcosim_is_the_loop_of_its_source(void **state)
{
    (void)state;
    support_units_over_systems(decimation_of_libcosim);
}

/* The propagation matrix by formula and by the probe, every subsystem with a number of sub-steps of its own. */
static void formula_of_common_points(const ms_system *s, double h, unsigned long long *seed)
{
    static const char *const solvers[] = {"exact", "euler", "rk4 micro-steps=2"};
    char substeps[128] = "";
    for (int i = 0; i < s->n; i++)
        snprintf(substeps + strlen(substeps), sizeof substeps - strlen(substeps), "%s%s=%d", i > 0 ? "," : "",
                 s->sub[i].name, 1 + support_random_below(seed, 6));
    for (int k = 0; k < MS_COUNT(solvers); k++) {
        const ms_options options =
            support_options_of("as=libcosim substeps=%s solver=%s", substeps, solvers[k]);
        const double gap = support_formula_gap(s, &options, h);
        if (!(gap <= 1e-11))
            fail_msg("%s: formula and probe differ by %g", substeps, gap);
    }
}

static void common_points_have_a_formula(void **state)
{
    (void)state;
    support_units_over_systems(formula_of_common_points);
}

/* Of two subsystems with one wire each way a slow one alone says when they meet; without decimation it is jacobi. */
static void decimation_of_two_is_macro_points(void **state)
{
    (void)state;
    ms_system *system = support_system("quarter-car", "");
    double x[4], expected[4];
    const ms_options common = support_options("as=libcosim substeps=wheel=4 stop-time=0.2"),
                     macro = support_options("scheme=multirate points=macro substeps=wheel=4 stop-time=0.2"),
                     plain = support_options("as=libcosim stop-time=0.2"),
                     jacobi = support_options("scheme=jacobi stop-time=0.2");
    support_finish(system, &common, x, NULL);
    support_finish(system, &macro, expected, NULL);
    assert_memory_equal(x, expected, sizeof x);
    support_finish(system, &plain, x, NULL);
    support_finish(system, &jacobi, expected, NULL);
    assert_memory_equal(x, expected, sizeof x);
    ms_system_destroy(&system);
}

/* maestro ------------------------------------------------------------------------------------------------ */

static bool is_close(double old, double new, double rtol, double atol)
{
    return fabs(old - new) <= atol + rtol * fabs(new);
}

static void stabilisation_of_maestro(const ms_system *s, double h, unsigned long long *seed)
{
    const double rtol = support_random_below(seed, 2) == 0 ? 1e-2 : 0.5, atol = 1e-3 * rtol;
    const int passes = 1 + support_random_below(seed, 6);
    double x[SUPPORT_UNITS_MOST];
    bool carried[SUPPORT_UNITS_MOST] = {false};
    support_units t = support_units_of(s);
    long steps = 0;
    for (int w = 0; w < s->row_at[s->nu]; w++)
        carried[s->wire_output[w]] = true;
    if (support_units_have_loop(s))
        return;
    support_units_update_inputs(&t);
    for (int n = 0; n < STEPS; n++) {
        const support_units before = t;
        bool converged = false;
        for (int left = passes; !converged && left > 0; left--) {
            support_units old = t;
            memcpy(t.x, before.x, sizeof t.x);
            support_units_step_all(&t, h);
            steps += s->n;
            support_units_get_all(&t);
            ms_system_couple(s, t.y, old.u);
            converged = true;
            for (int j = 0; j < s->ny; j++)
                converged = converged && (!carried[j] || is_close(old.y[j], t.y[j], rtol, atol));
            for (int l = 0; l < s->nu; l++)
                converged = converged && is_close(t.u[l], old.u[l], rtol, atol);
            if (!converged)
                memcpy(t.u, old.u, sizeof t.u);
        }
        support_units_set_all(&t);
    }
    const ms_options options = support_options_of(
        "as=maestro solver=euler step-size=%.17g stop-time=%.17g rtol=%g atol=%g max-iterations=%d", h,
        STEPS * h, rtol, atol, passes);
    const ms_run_result result = support_run(s, &options, x, NULL);
    assert_int_equal(result.reason, MS_REASON_END_TIME);
    assert_int_equal(result.integrations, steps);
    support_units_near(&t, x, "maestro");
}

static void maestro_is_the_loop_of_its_source(void **state)
{
    (void)state;
    support_units_over_systems(stabilisation_of_maestro);
}

/* A tolerance that all pass is jacobi; passes without end lead where zoh-iterative does. */
static void stabilised_between_jacobi_and_the_fixed_point(void **state)
{
    (void)state;
    ms_system *system = support_system("quarter-car", "");
    double x[4], expected[4];
    const ms_options loose = support_options("as=maestro atol=1e9 stop-time=0.2"),
                     once = support_options("as=maestro max-iterations=1 stop-time=0.2"),
                     jacobi = support_options("scheme=jacobi stop-time=0.2"),
                     tight =
                         support_options("as=maestro rtol=1e-15 atol=1e-15 max-iterations=60 stop-time=0.2"),
                     fixed_point = support_options("scheme=zoh-iterative epsilon=0 stop-time=0.2");
    support_finish(system, &jacobi, expected, NULL);
    support_finish(system, &loose, x, NULL);
    assert_memory_equal(x, expected, sizeof x);
    support_finish(system, &once, x, NULL);
    assert_memory_equal(x, expected, sizeof x);
    support_finish(system, &fixed_point, expected, NULL);
    support_finish(system, &tight, x, NULL);
    assert_true(support_distance(4, x, expected) < 1e-12);
    ms_system_destroy(&system);
}

/* y = t moves by h, far beyond atol, but the input that it feeds by a gain of 1/1000 does not: a second pass is made. */
static void an_output_counts_however_small_its_gain(void **state)
{
    (void)state;
    ms_model *model = support_model_read(
        "{\"subsystems\": [{\"name\": \"a\", \"A\": [[0]], \"B\": [[1]], \"C\": [[1]]}, "
        "{\"name\": \"b\", \"states\": {\"x\": {\"derivative\": \"1\"}}, \"outputs\": {\"y\": \"x\"}}], "
        "\"wires\": [[0, 1, 0.001]]}");
    ms_system *system = support_system_of(model);
    const ms_options options = support_options(
        "as=maestro solver=rk4 step-size=0.1 stop-time=0.1 rtol=1e-9 atol=0.01 max-iterations=5");
    assert_int_equal(support_run(system, &options, NULL, NULL).integrations, 2 * system->n);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* FMPy --------------------------------------------------------------------------------------------------- */

typedef struct rows {
    double t[STEPS + 1], y[STEPS + 1][SUPPORT_UNITS_MOST];
    int n;
} rows;

static int watch(void *self, const ms_cosim *cosim, double t, double h)
{
    rows *r = self;
    r->t[r->n] = t + h;
    memcpy(r->y[r->n++], ms_run_outputs(cosim), sizeof(double) * (size_t)cosim->system->ny);
    return 0;
}

/* Connectors begin with 0, so that the first step is one without inputs; the row at n H has the outputs at (n + 1) H. */
static void rows_of_fmpy(const ms_system *s, double h, unsigned long long *seed)
{
    (void)seed;
    support_units t = support_units_of(s);
    rows tool = {0}, here = {0};
    for (int n = 0; n < STEPS; n++) {
        support_units_step_all(&t, h);
        support_units_get_all(&t);
        tool.t[tool.n] = n * h;
        memcpy(tool.y[tool.n++], t.y, sizeof t.y);
        support_units_set_all(&t);
    }
    const ms_options options =
        support_options_of("as=fmpy solver=euler step-size=%.17g stop-time=%.17g", h, STEPS * h);
    ms_cosim *cosim = support_cosim(s, &options);
    const ms_observer observer = {.self = &here, .step = watch};
    ms_run_result result;
    assert_int_equal(ms_run(cosim, &observer, 1, NULL, NULL, &result, NULL), MS_OK);
    assert_int_equal(here.n, tool.n);
    for (int n = 0; n < here.n; n++) {
        support_near(here.t[n], tool.t[n] + h, 1e-9 * h);
        assert_true(support_distance(s->ny, here.y[n], tool.y[n]) < 1e-11);
    }
    ms_cosim_destroy(&cosim);
}

static void fmpy_is_the_loop_of_its_source(void **state)
{
    (void)state;
    support_units_over_systems(rows_of_fmpy);
}

/* PyFMI -------------------------------------------------------------------------------------------------- */

/* err = sqrt(1/N sum |y - Y| / (atol + rtol |y|)), y after two halves, Y after the whole; accepted below 1.1; the next is 0.9/sqrt(err)
 * times as long, 0.2 to 6. */
static bool error_control(support_units *t, double h, double tol, double end, long *steps, long *rejected)
{
    double time = 0.0;
    support_units_update_inputs(t);
    for (int n = 0; n < TRIALS && time < end; n++) {
        const bool last = time + h * (1.0 + 1e-10) >= end;
        const double length = last ? end - time : h;
        const support_units before = *t;
        double whole[SUPPORT_UNITS_MOST], error = 0.0;
        support_units_step_all(t, length);
        support_units_get_all(t);
        memcpy(whole, t->y, sizeof whole);
        *t = before;
        for (int half = 0; half < 2; half++) {
            support_units_step_all(t, 0.5 * length);
            support_units_get_all(t);
            support_units_set_all(t);
        }
        for (int j = 0; j < t->s->ny; j++)
            error += fabs(t->y[j] - whole[j]) / (tol + tol * fabs(t->y[j]));
        error = sqrt(error / t->s->ny);
        if (fabs(error - 1.1) < 1e-9)
            return false;
        const double factor = error > 0.0 ? fmin(6.0, fmax(0.2, 0.9 / sqrt(error))) : 6.0;
        h = length * factor;
        if (error < 1.1) {
            time = last ? end : time + length;
            ++*steps;
        } else {
            *t = before;
            ++*rejected;
        }
    }
    return time == end;
}

static void error_control_of_pyfmi(const ms_system *s, double h, unsigned long long *seed)
{
    (void)seed;
    const double end = 10.0 * h, tol = 0.02;
    double x[SUPPORT_UNITS_MOST];
    support_units t = support_units_of(s);
    long steps = 0, rejected = 0;
    if (support_units_have_loop(s) || s->ny == 0 || !error_control(&t, h, tol, end, &steps, &rejected))
        return;
    const ms_options options = support_options_of(
        "as=pyfmi solver=euler step-size=%.17g stop-time=%.17g rtol=%g atol=%g", h, end, tol, tol);
    const ms_run_result result = support_run(s, &options, x, NULL);
    assert_int_equal(result.reason, MS_REASON_END_TIME);
    assert_int_equal(result.macro_steps, steps);
    assert_int_equal(result.rejected_steps, rejected);
    support_units_near(&t, x, "pyfmi");
}

static void pyfmi_is_the_loop_of_its_source(void **state)
{
    (void)state;
    support_units_over_systems(error_control_of_pyfmi);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(libcosim_is_the_loop_of_its_source),
                                       cmocka_unit_test(common_points_have_a_formula),
                                       cmocka_unit_test(decimation_of_two_is_macro_points),
                                       cmocka_unit_test(maestro_is_the_loop_of_its_source),
                                       cmocka_unit_test(stabilised_between_jacobi_and_the_fixed_point),
                                       cmocka_unit_test(an_output_counts_however_small_its_gain),
                                       cmocka_unit_test(fmpy_is_the_loop_of_its_source),
                                       cmocka_unit_test(pyfmi_is_the_loop_of_its_source)};
    return cmocka_run_group_tests_name("masters of other tools", tests, NULL, NULL);
}
