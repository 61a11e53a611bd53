/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_ifosmondi_counts.c - the iterated schemes ifosmondi and zoh-iterative: the problem with held
 * inputs, counts of integrations, refusals. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/simulation.h>
#include "nonlinear.h"
#include "support.h"
#include "unit_test.h"

static const char *const methods[] = {"fixed-point", "newtonls", "anderson", "ngmres", "ngmres-ls"};

enum { METHODS = MS_COUNT(methods) };

/* Held inputs -------------------------------------------------------------------------------------------- */

/* M = 1, K = 1, D = 1 under constant velocity v and position p of the plate: (v_L, x_L) by 64 Runge-Kutta
 * steps. */
static void body_step(double t, double h, double v, double p, double *x)
{
    enum { PARTS = 64 };
    const double eta = h / PARTS, node[] = {0.0, 0.5, 0.5, 1.0},
                 weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    for (int n = 0; n < PARTS; n++) {
        double k[2] = {0.0, 0.0}, next[2] = {x[0], x[1]};
        for (int stage = 0; stage < 4; stage++) {
            const double at[] = {x[0] + node[stage] * eta * k[0], x[1] + node[stage] * eta * k[1]};
            const double s = 0.5 * (t + (n + node[stage]) * eta);
            const double push = s < 1.0 ? 5.0 * exp(1.0 + 1.0 / (s * s - 1.0)) : 0.0;
            k[0] = push + (p - at[1]) + (v - at[0]);
            k[1] = at[0];
            next[0] += weight[stage] * eta * k[0];
            next[1] += weight[stage] * eta * k[1];
        }
        memcpy(x, next, sizeof next);
    }
}

/* f_C that the body answers with where the plate has been pushed with f throughout. */
static double answer_to(double f, double damping, double t, double h, const double *x, double *after)
{
    const double v = f / damping, p = x[2] + h * f / damping;
    memcpy(after, x, 2 * sizeof *x);
    body_step(t, h, v, p, after);
    after[2] = p;
    return (after[1] - p) + (after[0] - v);
}

/* The answer is affine in f: f = a + b f. */
static void held_step(double damping, double t, double h, double *x)
{
    double after[3];
    const double a = answer_to(0.0, damping, t, h, x, after), b = answer_to(1.0, damping, t, h, x, after) - a;
    answer_to(a / (1.0 - b), damping, t, h, x, after);
    memcpy(x, after, sizeof after);
}

static void zoh_iterative_solves_the_held_problem(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++)
        for (int m = c; m < METHODS; m++) {
            const double damping = c == 0 ? 4.0 : 0.64;
            ms_system *system = support_system("damping-reaction", c == 0 ? "d_d=4" : "d_d=0.64");
            const ms_options options = support_options_of(
                "scheme=zoh-iterative epsilon=1e-13 max-iterations=200 solver-nonlinear=%s "
                "step-size=0.125 stop-time=4",
                methods[m]);
            double x[3], expected[3] = {0.0};
            support_finish(system, &options, x, NULL);
            for (int n = 0; n < 32; n++)
                held_step(damping, 0.125 * n, 0.125, expected);
            support_near_all(3, x, expected, 1e-10);
            ms_system_destroy(&system);
        }
}

/* Counts ------------------------------------------------------------------------------------------------- */

/* `exact` takes one micro-step an integration, so that these are counted apart. A macro-step calls gamma
 * first, at the guess, at the end, and as often as the method does. */
static void integrations_are_calls_times_subsystems(void **state)
{
    (void)state;
    static const long each[METHODS] = {1, 0, 1, 2, 5}; /* calls an iteration; newtonls: see below */
    for (int c = 0; c < 2; c++)
        for (int m = c; m < METHODS; m++) {
            ms_system *system =
                support_system("damping-reaction", c == 0 ? "case=contractive" : "case=non-contractive");
            const ms_options options = support_options_of(
                "scheme=ifosmondi solver=exact solver-nonlinear=%s stop-time=1", methods[m]);
            ms_simulation simulation;
            assert_int_equal(
                ms_simulation_run(system, &options, &(ms_simulation_options){0}, &simulation, NULL), MS_OK);
            const ms_run_result *r = &simulation.result;
            const long calls = r->integrations / system->n;
            assert_int_equal(r->macro_steps, 100);
            assert_int_equal(r->integrations, calls * system->n);
            for (int i = 0; i < system->n; i++)
                assert_int_equal(simulation.work[i].micro_steps, calls);
            if (m == 0)
                assert_int_equal(calls, r->iterations);
            else if (each[m] > 0)
                assert_int_equal(calls, 3 * r->macro_steps + each[m] * r->iterations);
            else /* one product at least, the slope, the end of the step */
                assert_true(calls >= 3 * r->macro_steps + 3 * r->iterations);
            ms_simulation_destroy(&simulation);
            ms_system_destroy(&system);
        }
}

/* A guess that already satisfies (27) costs the first call, its check, and the last call; the fixed point
 * stands there. A plate that hardly moves makes every guess good: its outputs do not depend on the force. */
static void a_guess_that_is_accepted_costs_little(void **state)
{
    (void)state;
    ms_system *system = support_system("damping-reaction", "d_d=1e6");
    for (int m = 0; m < METHODS; m++) {
        const ms_options options = support_options_of(
            "scheme=ifosmondi epsilon=1e-3 solver-nonlinear=%s step-size=0.01 stop-time=1", methods[m]);
        const ms_run_result result = support_run(system, &options, NULL, NULL);
        assert_int_equal(result.integrations, 2 * 100 * (m == 0 ? 2 : 3));
        assert_int_equal(result.iterations, m == 0 ? 200 : 0);
    }
    ms_system_destroy(&system);
}

/* The limit ---------------------------------------------------------------------------------------------- */

/* Every method of every backend in every family that iterates, in turn; false beyond the last. */
static bool iterated_variant(int k, const ms_scheme **family, const ms_nonlinear_method **method)
{
    for (const ms_scheme *const *s = ms_schemes; *s != NULL; s++)
        for (const ms_nonlinear_method *const *m = ms_nonlinear_methods;
             *m != NULL && ms_scheme_knows(*s, MS_OPTION_SOLVER_NONLINEAR); m++)
            if (k-- == 0) {
                *family = *s;
                *method = *m;
                return true;
            }
    return false;
}

/* damping-reaction with these settings, or a system with a line for the family that needs one. */
static ms_system *system_for(const ms_scheme *family, const char *settings)
{
    return family->feedback != NULL ? support_system("lim-oscillator", "case=force-force")
                                    : support_system("damping-reaction", settings);
}

static ms_run_result run_limited(const ms_system *system, const ms_scheme *family,
                                 const ms_nonlinear_method *method, long limit, const char *more, double *x)
{
    const ms_options options =
        support_options_of("scheme=%s solver-nonlinear=%s backend=%s max-iterations=%ld %s", family->name,
                           method->name, method->backend, limit, more);
    return support_run(system, &options, x, NULL);
}

/* A macro-step that takes I iterations takes I where I are allowed, and does not end where I - 1 are. */
static void the_limit_is_what_is_counted(void **state)
{
    (void)state;
    static const char one[] = "epsilon=1e-11 step-rule=fixed step-size=0.5 stop-time=0.5";
    const ms_scheme *family;
    const ms_nonlinear_method *method;
    int k = 0;
    for (; iterated_variant(k, &family, &method); k++) {
        double x[8] = {0}, again[8] = {0};
        ms_system *system = system_for(family, "d_d=1.5625");
        const ms_run_result free = run_limited(system, family, method, 500, one, x);
        const long taken = free.iterations;
        assert_int_equal(free.reason, MS_REASON_END_TIME);
        assert_true(taken >= 1);
        const ms_run_result same = run_limited(system, family, method, taken, one, again);
        if (same.reason != MS_REASON_END_TIME || same.iterations != taken)
            fail_msg("%s, %s of %s: %ld iterations, but not where %ld are allowed", family->name,
                     method->name, method->backend, taken, taken);
        assert_int_equal(same.integrations, free.integrations);
        assert_memory_equal(x, again, sizeof x);
        if (taken > 1) {
            const ms_run_result less = run_limited(system, family, method, taken - 1, one, again);
            if (less.reason != MS_REASON_ITERATION_FAILED || less.iterations > taken - 1)
                fail_msg("%s, %s of %s: %s after %ld iterations of %ld", family->name, method->name,
                         method->backend, ms_reason_name(less.reason), less.iterations, taken - 1);
        }
        ms_system_destroy(&system);
    }
    assert_true(k > METHODS);
}

/* Whatever becomes of a run: not more than the limit an attempt. */
static void no_iteration_starts_after_the_limit(void **state)
{
    (void)state;
    static const char *const more[] = {
        "epsilon=1e-14 step-rule=fixed", "epsilon=1e-14 step-rule=paper min-step=0.02",
        "epsilon=0 step-rule=fixed", "epsilon=1e-4 step-rule=paper min-step=0.02"};
    const ms_scheme *family;
    const ms_nonlinear_method *method;
    for (int k = 0; iterated_variant(k, &family, &method); k++) {
        ms_system *system = system_for(family, "d_d=0.64 case=non-contractive");
        for (int limit = 1; limit <= 6; limit++)
            for (int c = 0; c < MS_COUNT(more); c++) {
                char text[128];
                snprintf(text, sizeof text, "step-size=0.1 stop-time=0.5 %s", more[c]);
                const ms_run_result r = run_limited(system, family, method, limit, text, NULL);
                const long attempts = r.macro_steps + r.rejected_steps + (r.reason != MS_REASON_END_TIME);
                if (r.iterations > limit * attempts)
                    fail_msg("%s, %s of %s, %s: %ld iterations in %ld attempts of at most %d", family->name,
                             method->name, method->backend, text, r.iterations, attempts, limit);
                if (method->counts_calls)
                    assert_int_equal(r.iterations, r.integrations / system->n);
            }
        ms_system_destroy(&system);
    }
}

/* Nothing is coupled: the first call is the whole macro-step. */
static void a_limit_of_one_suffices_without_coupling(void **state)
{
    (void)state;
    ms_system *system = support_system("van-der-pol", "case=mild");
    double x[2], free[2];
    ms_options options = support_options("scheme=ifosmondi solver=rk4 step-size=0.001 stop-time=0.01");
    assert_int_equal(system->nu, 0);
    support_finish(system, &options, free, NULL);
    support_options_add(&options, "max-iterations=1");
    const ms_run_result result = support_run(system, &options, x, NULL);
    assert_int_equal(result.reason, MS_REASON_END_TIME);
    assert_int_equal(result.iterations, result.macro_steps);
    assert_memory_equal(x, free, sizeof x);
    ms_system_destroy(&system);
}

/* Refusals ----------------------------------------------------------------------------------------------- */

static void missing_capabilities_are_refused(void **state)
{
    (void)state;
    ms_system *system = support_system("damping-reaction", NULL);
    support_system_refuses(system, "scheme=ifosmondi mask=plate:rollback", MS_UNSUPPORTED,
                           "plate cannot roll back");
    support_system_refuses(system, "scheme=zoh-iterative mask=body:rollback", MS_UNSUPPORTED,
                           "body cannot roll back");
    support_system_refuses(system, "scheme=ifosmondi mask=body:input-degree=2", MS_UNSUPPORTED,
                           "body takes inputs of degree 2");
    support_system_refuses(system, "scheme=ifosmondi mask=plate:output-derivatives=0", MS_UNSUPPORTED,
                           "plate gives no output derivatives");
    support_system_refuses(system, "scheme=ifosmondi solver-nonlinear=ngmres backend=kinsol", MS_UNSUPPORTED,
                           "kinsol");
    const char *const fine[] = {
        "scheme=zoh-iterative mask=body:input-degree=0 mask=plate:output-derivatives=0",
        "scheme=ifosmondi output-derivatives=differences mask=plate:output-derivatives=0",
        "scheme=ifosmondi mask=plate:input-degree=3"};
    for (int k = 0; k < MS_COUNT(fine); k++) {
        ms_options options = support_options(fine[k]);
        support_options_add(&options, "stop-time=0.5 step-size=0.1");
        support_finish(system, &options, NULL, NULL);
    }
    ms_system_destroy(&system);
}

/* Observers ---------------------------------------------------------------------------------------------- */

/* The end of a run and what subsystem 0 did, with and without observers. */
static void finish(const ms_system *system, const ms_options *options, bool seen, double *x, ms_work *work)
{
    ms_cosim *cosim = support_cosim(system, options);
    const double middle = 0.5;
    ms_run_result result;
    ms_error error;
    if (seen) {
        assert_int_equal(ms_cosim_sample(cosim, 1, &middle), MS_OK);
        assert_int_equal(ms_cosim_measure_work(cosim), MS_OK);
    }
    assert_int_equal(ms_run(cosim, NULL, 0, NULL, NULL, &result, &error), MS_OK);
    memcpy(x, cosim->x, sizeof *x * (size_t)system->nx);
    *work = cosim->instance[0]->work;
    ms_cosim_destroy(&cosim);
}

/* Samples cost methods of GSL and ARKODE steps of their own: those of the last sweep are no work of the scheme's, and others are
 * not taken. */
static void samples_are_no_work(void **state)
{
    (void)state;
    static const char *const solvers[] = {"gsl-rk8pd", "arkode-erk", "rk4", "cvode-bdf"};
    ms_system *system = support_system("double-pendulum", "");
    for (int k = 0; k < METHODS * MS_COUNT(solvers); k++) {
        const ms_options options =
            support_options_of("scheme=ifosmondi solver=%s solver-nonlinear=%s step-size=0.01 stop-time=0.1",
                               solvers[k / METHODS], methods[k % METHODS]);
        double x[2][4];
        ms_work work[2];
        for (int seen = 0; seen < 2; seen++)
            finish(system, &options, seen == 1, x[seen], &work[seen]);
        assert_memory_equal(x[0], x[1], sizeof x[0]);
        assert_memory_equal(&work[0], &work[1], sizeof work[0]);
    }
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zoh_iterative_solves_the_held_problem),
        cmocka_unit_test(integrations_are_calls_times_subsystems),
        cmocka_unit_test(a_guess_that_is_accepted_costs_little),
        cmocka_unit_test(the_limit_is_what_is_counted),
        cmocka_unit_test(no_iteration_starts_after_the_limit),
        cmocka_unit_test(a_limit_of_one_suffices_without_coupling),
        cmocka_unit_test(missing_capabilities_are_refused),
        cmocka_unit_test(samples_are_no_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
