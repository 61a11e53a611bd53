/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_preset_masters.c - masters of other tools: each tool's loop, written down from its source a
 * second time, in the order in which it sets and gets values of units that step by Euler's method; what a tool has printed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/scheme_registry.h>
#include "integers.h"
#include "preset.h"
#include "random_system.h"
#include "support.h"
#include "unit_test.h"

enum { SYSTEMS = 60, STEPS = 24, MOST = SUPPORT_RANDOM_SYSTEM_TOTAL };

/* Units as a tool sees them ------------------------------------------------------------------------------ */

/* All units of a linear system: values are set and got, and each steps by Euler's method. */
typedef struct units {
    const ms_system *s;
    double x[MOST], u[MOST]; /* states, and the inputs that have been set */
    double y[MOST];          /* what has been got last */
} units;

static units units_of(const ms_system *s)
{
    units t = {.s = s};
    ms_system_start(s, t.x);
    return t;
}

static double row(int n, const double *M, const double *v)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++)
        sum += M[k] * v[k];
    return sum;
}

/* y = C x + D u of unit i, with the inputs that it has. */
static void get(units *t, int i)
{
    const ms_system *s = t->s;
    const ms_subsystem *sub = &s->sub[i];
    for (int j = 0; j < sub->ny; j++)
        t->y[s->y_at[i] + j] = row(sub->nx, s->blocks[i].C + j * sub->nx, t->x + s->x_at[i]) +
                               row(sub->nu, s->blocks[i].D + j * sub->nu, t->u + s->u_at[i]);
}

static void get_all(units *t)
{
    for (int i = 0; i < t->s->n; i++)
        get(t, i);
}

static void set_all(units *t)
{
    ms_system_couple(t->s, t->y, t->u);
}

static void do_step(units *t, int i, double h)
{
    const ms_system *s = t->s;
    const ms_subsystem *sub = &s->sub[i];
    double slope[MOST];
    for (int j = 0; j < sub->nx; j++)
        slope[j] = row(sub->nx, s->blocks[i].A + j * sub->nx, t->x + s->x_at[i]) +
                   row(sub->nu, s->blocks[i].B + j * sub->nu, t->u + s->u_at[i]);
    for (int j = 0; j < sub->nx; j++)
        t->x[s->x_at[i] + j] += h * slope[j];
}

static void do_all(units *t, double h)
{
    for (int i = 0; i < t->s->n; i++)
        do_step(t, i, h);
}

/* Inputs := outputs as often as the longest chain of feed-through needs; there is no loop. */
static void update_inputs(units *t)
{
    for (int k = 0; k <= t->s->ny; k++) {
        get_all(t);
        set_all(t);
    }
}

/* Is D L nilpotent? */
static bool has_loop(const ms_system *s)
{
    double DL[MOST * MOST], v[MOST], next[MOST];
    bool loop = false;
    support_random_system_loop(s, DL);
    for (int k = 0; k < s->ny * s->ny; k++)
        DL[k] = fabs(DL[k]);
    for (int j = 0; j < s->ny; j++)
        v[j] = 1.0;
    for (int k = 0; k <= s->ny; k++) {
        for (int j = 0; j < s->ny; j++)
            next[j] = row(s->ny, DL + j * s->ny, v);
        memcpy(v, next, sizeof v);
    }
    for (int j = 0; j < s->ny; j++)
        loop = loop || v[j] != 0.0;
    return loop;
}

static void near_units(const units *t, const double *x, const char *what)
{
    const double distance = support_distance(t->s->nx, x, t->x);
    if (!(distance < 1e-11))
        fail_msg("%s: %g apart", what, distance);
}

/* Systems until `n` of them have been seen; those with loops alone, without, or both. */
static void over_random_systems(void (*check)(const ms_system *system, double h, unsigned long long *seed))
{
    unsigned long long seed = 92;
    for (int n = 0; n < support_ensemble(SYSTEMS); n++) {
        support_random_system r = support_random_system_next(&seed);
        check(r.system, 0.1 * r.h, &seed);
        support_random_system_drop(&r);
    }
}

/* OMSimulator -------------------------------------------------------------------------------------------- */

static void fixed_step_of_oms(const ms_system *system, double h, unsigned long long *seed)
{
    (void)seed;
    if (has_loop(system))
        return;
    double x[MOST];
    const ms_options options =
        support_options_of("as=oms-ma solver=euler step-size=%.17g stop-time=%.17g", h, STEPS * h);
    units t = units_of(system);
    update_inputs(&t);
    for (int n = 0; n < STEPS; n++) {
        do_all(&t, h);
        update_inputs(&t);
    }
    support_finish(system, &options, x, NULL);
    near_units(&t, x, "oms-ma");
}

static void oms_ma_is_the_loop_of_its_source(void **state)
{
    (void)state;
    over_random_systems(fixed_step_of_oms);
}

enum { TRIALS = 4000 };

static bool ends_are_able(const ms_system *s, const bool *able, int l)
{
    bool all = able[ms_owner_of(s->u_at, s->n, l)];
    for (int w = s->row_at[l]; w < s->row_at[l + 1]; w++)
        all = all && able[ms_system_owner(s, s->wire_output[w])];
    return all;
}

/* Steps that the tool takes to the end of the run, until two of its decisions are so near to each other that round-off decides. */
static bool variable_step(units *t, const bool *able, double h, double tol, double end, long *steps,
                          long *rejected)
{
    const double least = 1e-12, longest = 0.3 * end;
    double time = 0.0;
    update_inputs(t);
    for (int n = 0; n < TRIALS && time < end; n++) {
        h = fmax(least, fmin(longest, h));
        const bool last = time + h * (1.0 + 1e-10) >= end;
        const double length = last ? end - time : h;
        units before = *t;
        double worst = 0.0, now[MOST];
        for (int i = 0; i < t->s->n; i++)
            if (able[i])
                do_step(t, i, length);
        get_all(t);
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
                do_step(t, i, length);
        time = last ? end : time + length;
        update_inputs(t);
        h = length * (0.9 * ratio > 1.5 ? 1.5 : 0.9 * ratio);
        ++*steps;
    }
    return time == end;
}

/* All of them roll back, or all but one in three, and one at least. */
static void variable_step_of_oms(const ms_system *system, double h, unsigned long long *seed)
{
    double x[MOST];
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
    units t = units_of(system);
    long steps = 0, rejected = 0;
    if (has_loop(system)) {
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
    near_units(&t, x, "oms-mav");
}

static void oms_mav_is_the_loop_of_its_source(void **state)
{
    (void)state;
    over_random_systems(variable_step_of_oms);
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

/* libcosim ----------------------------------------------------------------------------------------------- */

static void decimation_of_libcosim(const ms_system *s, double h, unsigned long long *seed)
{
    static const int choices[] = {1, 1, 2, 3, 4};
    int decimation[SUPPORT_RANDOM_SYSTEM_SUBSYSTEMS], period = 1;
    char substeps[128] = "";
    double x[MOST], carried[3 * MOST];
    units t = units_of(s);
    for (int i = 0; i < s->n; i++) {
        decimation[i] = choices[support_random_below(seed, MS_COUNT(choices))];
        period = ms_least_common_multiple(period, decimation[i]);
    }
    for (int i = 0; i < s->n; i++)
        snprintf(substeps + strlen(substeps), sizeof substeps - strlen(substeps), "%s%s=%d", i > 0 ? "," : "",
                 s->sub[i].name, period / decimation[i]);
    for (int pass = 0; pass < s->n; pass++) {
        get_all(&t);
        set_all(&t);
    }
    for (int w = 0; w < s->row_at[s->nu]; w++)
        carried[w] = t.y[s->wire_output[w]];
    for (int counter = 0; counter < 2 * period;) {
        for (int i = 0; i < s->n; i++)
            if (counter % decimation[i] == 0) {
                do_step(&t, i, h * decimation[i]);
                get(&t, i);
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
    near_units(&t, x, substeps);
}

static void libcosim_is_the_loop_of_its_source(void **state)
{
    (void)state;
    over_random_systems(decimation_of_libcosim);
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
    over_random_systems(formula_of_common_points);
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
    double x[MOST];
    bool carried[MOST] = {false};
    units t = units_of(s);
    long steps = 0;
    for (int w = 0; w < s->row_at[s->nu]; w++)
        carried[s->wire_output[w]] = true;
    if (has_loop(s))
        return;
    update_inputs(&t);
    for (int n = 0; n < STEPS; n++) {
        const units before = t;
        bool converged = false;
        for (int left = passes; !converged && left > 0; left--) {
            units old = t;
            memcpy(t.x, before.x, sizeof t.x);
            do_all(&t, h);
            steps += s->n;
            get_all(&t);
            ms_system_couple(s, t.y, old.u);
            converged = true;
            for (int j = 0; j < s->ny; j++)
                converged = converged && (!carried[j] || is_close(old.y[j], t.y[j], rtol, atol));
            for (int l = 0; l < s->nu; l++)
                converged = converged && is_close(t.u[l], old.u[l], rtol, atol);
            if (!converged)
                memcpy(t.u, old.u, sizeof t.u);
        }
        set_all(&t);
    }
    const ms_options options = support_options_of(
        "as=maestro solver=euler step-size=%.17g stop-time=%.17g rtol=%g atol=%g max-iterations=%d", h,
        STEPS * h, rtol, atol, passes);
    const ms_run_result result = support_run(s, &options, x, NULL);
    assert_int_equal(result.reason, MS_REASON_END_TIME);
    assert_int_equal(result.integrations, steps);
    near_units(&t, x, "maestro");
}

static void maestro_is_the_loop_of_its_source(void **state)
{
    (void)state;
    over_random_systems(stabilisation_of_maestro);
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

/* FMPy --------------------------------------------------------------------------------------------------- */

typedef struct rows {
    double t[STEPS + 1], y[STEPS + 1][MOST];
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
    units t = units_of(s);
    rows tool = {0}, here = {0};
    for (int n = 0; n < STEPS; n++) {
        do_all(&t, h);
        get_all(&t);
        tool.t[tool.n] = n * h;
        memcpy(tool.y[tool.n++], t.y, sizeof t.y);
        set_all(&t);
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
    over_random_systems(rows_of_fmpy);
}

/* PyFMI -------------------------------------------------------------------------------------------------- */

/* err = sqrt(1/N sum |y - Y| / (atol + rtol |y|)), y after two halves, Y after the whole; accepted below 1.1; the next is 0.9/sqrt(err)
 * times as long, 0.2 to 6. */
static bool error_control(units *t, double h, double tol, double end, long *steps, long *rejected)
{
    double time = 0.0;
    update_inputs(t);
    for (int n = 0; n < TRIALS && time < end; n++) {
        const bool last = time + h * (1.0 + 1e-10) >= end;
        const double length = last ? end - time : h;
        const units before = *t;
        double whole[MOST], error = 0.0;
        do_all(t, length);
        get_all(t);
        memcpy(whole, t->y, sizeof whole);
        *t = before;
        for (int half = 0; half < 2; half++) {
            do_all(t, 0.5 * length);
            get_all(t);
            set_all(t);
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
    double x[MOST];
    units t = units_of(s);
    long steps = 0, rejected = 0;
    if (has_loop(s) || s->ny == 0 || !error_control(&t, h, tol, end, &steps, &rejected))
        return;
    const ms_options options = support_options_of(
        "as=pyfmi solver=euler step-size=%.17g stop-time=%.17g rtol=%g atol=%g", h, end, tol, tol);
    const ms_run_result result = support_run(s, &options, x, NULL);
    assert_int_equal(result.reason, MS_REASON_END_TIME);
    assert_int_equal(result.macro_steps, steps);
    assert_int_equal(result.rejected_steps, rejected);
    near_units(&t, x, "pyfmi");
}

static void pyfmi_is_the_loop_of_its_source(void **state)
{
    (void)state;
    over_random_systems(error_control_of_pyfmi);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(oms_ma_is_the_loop_of_its_source),
                                       cmocka_unit_test(oms_mav_is_the_loop_of_its_source),
                                       cmocka_unit_test(oms_ma_prints_what_its_test_suite_prints),
                                       cmocka_unit_test(libcosim_is_the_loop_of_its_source),
                                       cmocka_unit_test(common_points_have_a_formula),
                                       cmocka_unit_test(decimation_of_two_is_macro_points),
                                       cmocka_unit_test(maestro_is_the_loop_of_its_source),
                                       cmocka_unit_test(stabilised_between_jacobi_and_the_fixed_point),
                                       cmocka_unit_test(fmpy_is_the_loop_of_its_source),
                                       cmocka_unit_test(pyfmi_is_the_loop_of_its_source)};
    return cmocka_run_group_tests_name("test_masters", tests, NULL, NULL);
}
