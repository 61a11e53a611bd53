/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_scheme_restore.c - save, step, restore, step gives the same bits: every variant, every micro-solver
 * that can be saved, on linear and nonlinear models; and those that cannot say so. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/solver_registry.h>
#include "nonlinear_samples.h"
#include "scheme_check.h"
#include "scheme_families.h"
#include "support.h"
#include "unit_test.h"

static bool gives_up; /* may a step (support_families_stepped)? */

/* Restores before what has just been stepped, and after a detour of other lengths. */
static void check(const ms_system *system, const char *text, double H)
{
    const ms_options options = support_options(text);
    ms_finding finding = {MS_CHECK_NOT_ASKED, ""};
    ms_error error = {""};
    if (ms_check_restore(system, &options, H, gives_up, &finding, &error) != MS_OK)
        fail_msg("%s %s: %s", system->model->name, text, error.text);
    if (finding.verdict != MS_CHECK_HOLDS)
        fail_msg("%s %s: %s", system->model->name, text, finding.text);
}

#define FOR_ALL(solver)                                                                                      \
    for (const ms_solver *const *at_##solver = ms_solvers, *solver; (solver = *at_##solver) != NULL;         \
         at_##solver++)

static void check_members(const ms_system *system, const char *more, double H, bool linear)
{
    support_variant variant;
    FOR_ALL(solver)
    for (int k = 0; support_variant_at(k, &variant); k++) {
        char text[320];
        if ((solver->linear_only && !linear) || (!linear && variant.analytic && variant.order == 2))
            continue;
        snprintf(text, sizeof text, "%s solver=%s %s", variant.text, solver->name, more);
        check(system, text, H);
    }
}

static void a_restored_step_has_the_same_bits_on_linear_models(void **state)
{
    (void)state;
    ms_system *system = support_system("mass-spring-damper", "");
    check_members(system, "solver-rtol=1e-6 solver-atol=1e-6 micro-steps=3", 0.05, true);
    ms_system_destroy(&system);
    system = support_system("quarter-car", "");
    check_members(system, "output-derivatives=differences solver-rtol=1e-5 solver-atol=1e-5", 0.002, true);
    check_members(
        system, "output-derivatives=differences solver-rtol=1e-5 solver-atol=1e-5 at-time-events=communicate",
        0.002, true);
    ms_system_destroy(&system);
}

static void a_restored_step_has_the_same_bits_on_nonlinear_models(void **state)
{
    (void)state;
    ms_system *system = support_system("example-6.3.1", "");
    check_members(system, "solver-rtol=1e-6 solver-atol=1e-6", 0.02, false);
    check_members(system, "solver-rtol=1e-5 solver-atol=1e-5 output-derivatives=differences start=hold", 0.02,
                  false);
    ms_system_destroy(&system);
    system = support_system("double-pendulum", "");
    check(system, "outputs=consistent extrapolation-order=1 derivatives=analytic", 0.01);
    check(system, "outputs=corrected extrapolation-order=2 smooth-coupling=c1 scheme=gauss-seidel", 0.01);
    check(system, "extrapolation-order=2 smooth-coupling=c1 at-time-events=communicate", 0.01);
    ms_system_destroy(&system);
}

static void check_family(const ms_system *system, const ms_scheme *scheme, const char *text)
{
    gives_up = scheme->retries;
    check(system, text, 0.002);
    gives_up = false;
}

static void a_restored_step_has_the_same_bits_in_every_family(void **state)
{
    (void)state;
    support_families("solver=rk4", check_family);
    support_families("", check_family);
}

static void a_restored_step_has_the_same_bits_where_sensitivities_are_remembered(void **state)
{
    (void)state;
    static const char *const members[] = {
        "scheme=ijcsa input-degree=%d epsilon=1e-10",
        "scheme=ijcsa input-degree=%d update=slow sensitivities=differences epsilon=1e-8",
        "scheme=ijcsa input-degree=%d update=slow sensitivities=directional start=hold",
        "scheme=semi-implicit input-degree=%d sensitivities=directional"};
    ms_system *linear = support_system("mass-spring-damper", ""),
              *nonlinear = support_system("double-pendulum", "");
    for (int k = 0; k < MS_COUNT(members); k++)
        for (int degree = 0; degree <= 3; degree++) {
            char text[160];
            snprintf(text, sizeof text, members[k], degree);
            check(linear, text, 0.05);
            snprintf(text + strlen(text), sizeof text - strlen(text), " solver=rk4");
            if (k > 0)
                check(nonlinear, text, 0.01);
        }
    check(linear, "scheme=waveform samples=3 spline-degree=2 solver-nonlinear=iqn-ils epsilon=1e-9", 0.05);
    check(linear, "scheme=waveform samples=3 solver-nonlinear=iqn-imvj reduced-grid=off epsilon=1e-9", 0.05);
    check(linear, "scheme=multirate substeps=4 extrapolation-order=2", 0.05);
    check(nonlinear, "scheme=multirate substeps=2 first=slow extrapolation-order=1 solver=rk4", 0.01);
    check(linear, "scheme=waveform samples=3 spline-degree=2 epsilon=1e-9", 0.05);
    check(nonlinear, "scheme=waveform samples=2 sweep=gauss-seidel solver-nonlinear=newtonls solver=rk4",
          0.01);
    check(linear, "scheme=stabilised rtol=1e-3 max-iterations=4", 0.05);
    check(nonlinear, "scheme=stabilised solver=rk4", 0.01);
    check(linear, "scheme=multirate substeps=left=3,right=2 points=common", 0.05);
    check(nonlinear, "scheme=multirate substeps=2 points=common initial-inputs=passes solver=rk4", 0.01);
    check(linear, "scheme=missiles", 0.05);
    check(nonlinear, "scheme=missiles solver=rk4", 0.01);
    check(nonlinear, "scheme=ifosmondi solver-nonlinear=newtonls rollback=estimated solver=rk4", 0.01);
    ms_system *lines = support_system("lim-oscillator", "case=force-force");
    check(lines, "scheme=tlm", 0.01);
    check(lines, "scheme=tlm delay=0.027 wave-damping=0.3 wave-start=zero-wave solver=rk4", 0.01);
    check(lines, "scheme=tlm solver=cvode-bdf", 0.01);
    check(lines, "scheme=robin epsilon=1e-9", 0.01);
    check(lines, "scheme=robin solver-nonlinear=iqn-imvj solver=rk4", 0.01);
    ms_system_destroy(&lines);
    ms_system_destroy(&linear);
    ms_system_destroy(&nonlinear);
}

/* What a method keeps, in both ways of taking the subsystems. */
static void check_method(const ms_nonlinear_method *method, const char *more)
{
    ms_system *linear = support_system("stiff-damper", ""),
              *nonlinear = support_system("double-pendulum", "");
    for (int k = 0; k < 4; k++) {
        char text[192];
        snprintf(text, sizeof text,
                 "scheme=%s epsilon=1e-6 sweep=%s max-iterations=500 solver-nonlinear=%s backend=%s %s",
                 k % 2 == 0 ? "zoh-iterative" : "ifosmondi", k / 2 == 0 ? "jacobi" : "gauss-seidel",
                 method->name, method->backend, more);
        check(linear, text, 0.002);
        snprintf(text + strlen(text), sizeof text - strlen(text), " solver=rk4");
        check(nonlinear, text, 0.01);
    }
    ms_system_destroy(&linear);
    ms_system_destroy(&nonlinear);
}

static void a_restored_step_has_the_same_bits_where_accelerators_remember(void **state)
{
    (void)state;
    int methods = 0;
    SUPPORT_FOR_ALL_METHODS(m)
    {
        if (m->memory == NULL)
            continue;
        check_method(m, "");
        if ((m->takes & MS_TAKES_REUSE) != 0) {
            check_method(m, "reuse=0");
            check_method(m, "reuse=2 filter=qr1");
        }
        methods++;
    }
    assert_true(methods > 0);
}

static void multistep_solvers_that_proceed_cannot_roll_back_and_say_so(void **state)
{
    (void)state;
    ms_system *system = support_system("mass-spring-damper", "");
    FOR_ALL(solver)
    {
        char text[160], line[512];
        snprintf(text, sizeof text, "solver=%s input-change=proceed", solver->name);
        const ms_options options = support_options(text);
        ms_cosim *cosim = support_cosim(system, &options);
        const char *who = NULL;
        assert_int_equal(ms_cosim_can_roll_back(cosim, &who), !solver->multistep);
        assert_int_equal(ms_cosim_can_roll_back(cosim, NULL), !solver->multistep);
        if (solver->multistep)
            assert_string_equal(who, "left");

        ms_options controlled = options;
        support_options_add(&controlled, "error-controlled=richardson rtol=1e-2 atol=1e-2 stop-time=0.5");
        ms_cosim *with_control;
        ms_run_result result;
        ms_error error = {""};
        int status = ms_cosim_of_options(system, &controlled, &with_control, &error);
        if (status == MS_OK)
            status = ms_run(with_control, NULL, 0, NULL, NULL, &result, &error);
        ms_cosim_destroy(&with_control);
        snprintf(line, sizeof line, "%s", error.text);
        assert_int_equal(status, solver->multistep ? MS_UNSUPPORTED : MS_OK);
        if (solver->multistep && (strstr(line, "left") == NULL || strstr(line, "roll back") == NULL ||
                                  strstr(line, "`error-controlled`") == NULL))
            fail_msg("%s: %s", solver->name, line);
        ms_cosim_destroy(&cosim);
    }
    ms_system_destroy(&system);
}

static void a_mask_on_rollback_is_seen(void **state)
{
    (void)state;
    ms_system *system = support_system("mass-spring-damper", "");
    const ms_options options = support_options("mask=right:rollback");
    ms_cosim *cosim = support_cosim(system, &options);
    const char *who = NULL;
    assert_false(ms_cosim_can_roll_back(cosim, &who));
    assert_string_equal(who, "right");
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_restored_step_has_the_same_bits_on_linear_models),
        cmocka_unit_test(a_restored_step_has_the_same_bits_on_nonlinear_models),
        cmocka_unit_test(a_restored_step_has_the_same_bits_in_every_family),
        cmocka_unit_test(a_restored_step_has_the_same_bits_where_sensitivities_are_remembered),
        cmocka_unit_test(a_restored_step_has_the_same_bits_where_accelerators_remember),
        cmocka_unit_test(multistep_solvers_that_proceed_cannot_roll_back_and_say_so),
        cmocka_unit_test(a_mask_on_rollback_is_seen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
