/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_cosim_steppers.c - subsystems that bring their own solvers: wrapped subsystems behind the same coupling give the bits that they
 * give unwrapped, with every scheme that needs nothing else, and what they cannot do is refused or degraded by name. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/reference.h>
#include <macrostep/run.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/simulation.h>
#include "monolithic.h"
#include "stepping.h"
#include "support.h"
#include "unit_test.h"

enum { SIZE = 64 };

typedef struct twin {
    ms_system *inner, *wrapped;
    support_stepping stepping;
} twin;

static void open_twin(twin *t, const char *model, int only)
{
    t->inner = support_system(model, "");
    t->stepping = (support_stepping){.inner = t->inner, .only = only, .can = support_stepping_all};
    t->wrapped = support_stepping_system(&t->stepping);
}

static void close_twin(twin *t)
{
    ms_system_destroy(&t->wrapped);
    ms_system_destroy(&t->inner);
}

/* Both end with the same reason and the same bits. */
static void compare(const twin *t, const char *text)
{
    double x[2][SIZE], y[2][SIZE];
    const ms_options options = support_options(text);
    const ms_run_result a = support_run(t->inner, &options, x[0], y[0]),
                        b = support_run(t->wrapped, &options, x[1], y[1]);
    if (a.reason != b.reason || a.macro_steps != b.macro_steps || a.rejected_steps != b.rejected_steps)
        fail_msg("%s: %s after %ld and %ld against %s after %ld and %ld: %s", text, ms_reason_name(a.reason),
                 a.macro_steps, a.rejected_steps, ms_reason_name(b.reason), b.macro_steps, b.rejected_steps,
                 b.message);
    /* `exact` takes another series where lengths change, and differences are no exact sensitivities. */
    const bool near =
        options.control.error_controlled != MS_CONTROL_NONE || options.given[MS_OPTION_SENSITIVITIES];
    const double allowed = near ? 1e-13 : 0.0;
    if (!(support_distance(t->inner->nx, x[0], x[1]) <= allowed &&
          support_distance(t->inner->ny, y[0], y[1]) <= allowed))
        fail_msg("%s %s: %.17g against %.17g", t->inner->model->name, text, x[0][0], x[1][0]);
}

/* Derivatives of second order at the start would need u' there. */
static void explicit_schemes_give_the_same_bits(void **state)
{
    (void)state;
    twin t;
    support_variant variant;
    open_twin(&t, "quarter-car", -1);
    for (int k = 0; support_variant_at(k, &variant); k++) {
        char text[256];
        if (variant.analytic && variant.order == 2 && variant.outputs != MS_OUTPUTS_INCONSISTENT)
            continue; /* y'' would need the solved u', and components know that of their inputs */
        snprintf(text, sizeof text, "%s solver=exact step-size=0.002 stop-time=0.1 start=%s", variant.text,
                 variant.order < 2 ? "derivatives" : "hold");
        compare(&t, text);
    }
    assert_true(t.stepping.steps > 0);
    assert_int_equal(t.stepping.saves, 0); /* nobody has asked to go back */
    close_twin(&t);
}

static void one_may_step_itself_and_the_other_not(void **state)
{
    (void)state;
    for (int only = 0; only < 2; only++) {
        twin t;
        open_twin(&t, "quarter-car", only);
        compare(&t, "extrapolation-order=1 stop-time=0.1");
        compare(&t, "scheme=gauss-seidel stop-time=0.1");
        close_twin(&t);
    }
}

static void schemes_that_go_back_give_the_same_bits(void **state)
{
    (void)state;
    static const char *const schemes[] = {
        "scheme=zoh-iterative step-size=0.002",
        "scheme=ifosmondi step-size=0.002",
        "scheme=ifosmondi step-size=0.01 solver-nonlinear=newtonls backend=native",
        "error-controlled=richardson rtol=1e-4 atol=1e-6",
        "error-controlled=pyfmi rtol=1e-4 atol=1e-6 extrapolation-order=1",
        "error-controlled=richardson rtol=1e-5 scheme=gauss-seidel extrapolation-order=2 start=hold",
        "scheme=ijcsa step-size=0.002 sensitivities=differences",
        "scheme=f3ornits rtol=1e-3 atol=1e-5",
        "scheme=f3ornits rtol=1e-3 atol=1e-5 smooth-coupling=c1"};
    for (int k = 0; k < MS_COUNT(schemes); k++) {
        twin t;
        char text[256];
        open_twin(&t, "quarter-car", -1);
        snprintf(text, sizeof text, "%s solver=exact stop-time=0.1", schemes[k]);
        compare(&t, text);
        if (ms_scheme_find(support_options(text).scheme)->next_time == NULL && t.stepping.restores == 0)
            fail_msg("%s: nothing was restored", schemes[k]);
        close_twin(&t);
    }
}

/* Does a run come to its end? */
static bool ends(const ms_system *system, const ms_options *options)
{
    ms_cosim *cosim = NULL;
    ms_run_result result = {.reason = MS_REASON_INCOMPATIBLE};
    if (ms_cosim_of_options(system, options, &cosim, NULL) == MS_OK)
        assert_int_equal(ms_run(cosim, NULL, 0, NULL, NULL, &result, NULL), MS_OK);
    ms_cosim_destroy(&cosim);
    return result.reason == MS_REASON_END_TIME;
}

/* Where one subsystem cannot go back, exactly the schemes that say so are refused. */
static void check_refusal(const twin *t, const ms_scheme *scheme, const ms_options *options)
{
    char line[512] = "", needs[64];
    ms_options masked = *options;
    support_options_add(&masked, "mask=wheel:rollback");
    snprintf(needs, sizeof needs, "wheel cannot roll back, which `scheme` %s needs", scheme->name);
    const bool refused = support_refusal(t->wrapped, &masked, line, sizeof line) != MS_OK;
    if (refused != scheme->rolls_back || (refused && strstr(line, needs) == NULL))
        fail_msg("%s: %s", scheme->name, line);
}

/* Of the schemes that step such subsystems those that say so go back, and no others. */
static void schemes_say_whether_they_go_back(void **state)
{
    (void)state;
    int going_back = 0, others = 0;
    for (int k = 0; ms_schemes[k] != NULL; k++) {
        const ms_scheme *scheme = ms_schemes[k];
        twin t;
        open_twin(&t, "quarter-car", -1);
        const ms_options options =
            support_options_of("scheme=%s solver=exact step-size=0.002 stop-time=0.1", scheme->name);
        if (ends(t.wrapped, &options)) {
            if (scheme->rolls_back != (t.stepping.restores > 0))
                fail_msg("%s: %d restored", scheme->name, t.stepping.restores);
            check_refusal(&t, scheme, &options);
            going_back += scheme->rolls_back;
            others += !scheme->rolls_back;
        }
        close_twin(&t);
    }
    assert_true(going_back > 3 && others > 3);
}

/* Both end in the same states but for so much. */
static void compare_near(const char *scheme, bool directional_derivatives, double allowed)
{
    twin t;
    double x[2][SIZE];
    open_twin(&t, "linear-pair", -1);
    t.stepping.can.directional_derivatives = directional_derivatives;
    const ms_options options = support_options_of("solver=exact stop-time=0.2 %s", scheme);
    support_finish(t.inner, &options, x[0], NULL);
    support_finish(t.wrapped, &options, x[1], NULL);
    if (!(support_distance(t.inner->nx, x[0], x[1]) < allowed))
        fail_msg("%s: %.17g, %.17g", scheme, x[0][0], x[1][0]);
    close_twin(&t);
}

/* With feed-through the start solves another system of equations, whose solution differs by round-off. */
static void feed_through_is_corrected_and_solved(void **state)
{
    (void)state;
    static const char *const schemes[] = {"outputs=inconsistent", "outputs=corrected", "outputs=consistent",
                                          "outputs=corrected extrapolation-order=1 derivatives=analytic"};
    for (int k = 0; k < MS_COUNT(schemes); k++)
        compare_near(schemes[k], true, 1e-11);
}

/* Where a component gives no directional derivatives, but outputs for other inputs, these stand for them: of a linear one the
 * differences are D but for their round-off. */
static void feed_through_by_differences(void **state)
{
    (void)state;
    static const char *const schemes[] = {"outputs=consistent", "outputs=consistent scheme=gauss-seidel",
                                          "scheme=ifosmondi solver-nonlinear=newtonls backend=native"};
    for (int k = 0; k < MS_COUNT(schemes); k++)
        compare_near(schemes[k], false, 1e-8);
}

static void what_is_missing_is_refused_by_name(void **state)
{
    (void)state;
    twin t;
    open_twin(&t, "quarter-car", 1);
    t.stepping.can = (ms_capabilities){0};
    support_system_refuses(t.wrapped, "extrapolation-order=1", MS_UNSUPPORTED,
                           "subsystem wheel takes inputs of degree 0");
    support_system_refuses(t.wrapped, "outputs=corrected", MS_UNSUPPORTED,
                           "wheel gives no directional derivatives");
    support_system_refuses(t.wrapped, "outputs=consistent", MS_UNSUPPORTED,
                           "wheel cannot re-evaluate outputs");
    support_system_refuses(t.wrapped, "scheme=zoh-iterative", MS_UNSUPPORTED, "wheel");
    support_system_refuses(t.wrapped, "scheme=ifosmondi", MS_UNSUPPORTED, "wheel");
    support_system_refuses(t.wrapped, "scheme=ijcsa", MS_UNSUPPORTED, "wheel cannot roll back");
    support_system_refuses(t.wrapped, "scheme=balance", MS_UNSUPPORTED,
                           "integrals of outputs are required, but wheel is a made-up stepper");
    t.stepping.can.step = 0.002;
    support_system_refuses(t.wrapped, "step-size=0.001", MS_UNSUPPORTED,
                           "subsystem wheel imposes a step of 0.002 s");
    t.stepping.can = support_stepping_all;
    support_system_refuses(t.wrapped, "scheme=ijcsa sensitivities=directional", MS_UNSUPPORTED,
                           "wheel brings its own solver");
    support_system_refuses(t.wrapped, "mask=wheel:rollback scheme=zoh-iterative", MS_UNSUPPORTED, "wheel");
    support_system_refuses(t.wrapped, "mask=wheel:input-degree=1 extrapolation-order=2", MS_UNSUPPORTED,
                           "subsystem wheel takes inputs of degree 1");
    close_twin(&t);

    open_twin(&t, "spring-mass", -1);
    support_system_refuses(t.wrapped, "scheme=power", MS_UNSUPPORTED,
                           "scheme power computes inputs from outputs");
    close_twin(&t);
}

static void a_start_without_derivatives_is_held_and_says_so(void **state)
{
    (void)state;
    twin t;
    double x[2][SIZE];
    open_twin(&t, "quarter-car", -1);
    t.stepping.can.output_derivatives = 0;
    t.stepping.remark = "what is taken from it is said here";
    const ms_options open = support_options("extrapolation-order=1 solver=exact stop-time=0.1"),
                     held = support_options("extrapolation-order=1 solver=exact stop-time=0.1 start=hold");
    ms_cosim *cosim = support_cosim(t.wrapped, &open);
    assert_int_equal(cosim->n_degraded, 3);
    assert_string_equal(cosim->degraded[0], "chassis: what is taken from it is said here");
    assert_string_equal(cosim->degraded[2],
                        "chassis: no output derivatives of order 1 at the start: start hold");
    ms_cosim_destroy(&cosim);
    support_finish(t.inner, &held, x[0], NULL);
    support_finish(t.wrapped, &open, x[1], NULL);
    assert_memory_equal(x[0], x[1], sizeof(double) * (size_t)t.inner->nx);
    close_twin(&t);
}

static void a_step_that_fails_ends_the_run_in_its_words(void **state)
{
    (void)state;
    twin t;
    open_twin(&t, "quarter-car", 1);
    t.stepping.fails_at = 0.0505;
    const ms_options options = support_options("step-size=0.01 solver=exact");
    const ms_run_result result = support_run(t.wrapped, &options, NULL, NULL);
    assert_int_equal(result.reason, MS_REASON_SUBSYSTEM_FAILED);
    assert_int_equal(result.macro_steps, 5);
    assert_string_equal(result.message,
                        "subsystem wheel, a made-up stepper, failed between 0.05 s and 0.06 s: I "
                        "do not feel like it");
    close_twin(&t);
}

/* More states than are kept: the oldest is lost, and says so. */
static void a_state_that_is_not_kept_any_more_is_not_gone_back_to(void **state)
{
    (void)state;
    twin t;
    open_twin(&t, "quarter-car", -1);
    const ms_options options = support_options("solver=exact step-size=0.01");
    ms_cosim *cosim = support_cosim(t.wrapped, &options);
    const size_t size = ms_cosim_state_size(cosim);
    double *saved = calloc((MS_COMPONENT_SNAPSHOTS + 1) * size, sizeof *saved), x[2][4];
    assert_non_null(saved);
    assert_int_equal(ms_cosim_start(cosim), MS_OK);
    for (int n = 0; n <= MS_COMPONENT_SNAPSHOTS; n++) {
        ms_cosim_save(cosim, saved + (size_t)n * size);
        assert_int_equal(ms_cosim_step(cosim, 0.01 * n, 0.01), MS_OK);
        if (n == 1)
            memcpy(x[0], cosim->x, sizeof x[0]);
    }
    ms_cosim_restore(cosim, saved + size);
    assert_int_equal(ms_cosim_step(cosim, 0.01, 0.01), MS_OK);
    memcpy(x[1], cosim->x, sizeof x[1]);
    assert_memory_equal(x[0], x[1], sizeof x[0]);
    ms_cosim_restore(cosim, saved);
    assert_int_equal(ms_cosim_step(cosim, 0.0, 0.01), MS_SOLVER_FAILED);
    assert_non_null(strstr(cosim->error.text, "was not kept"));
    assert_int_equal(ms_cosim_start(cosim), MS_OK); /* a new start is none of these */
    assert_int_equal(ms_cosim_step(cosim, 0.0, 0.01), MS_OK);
    free(saved);
    ms_cosim_destroy(&cosim);
    close_twin(&t);
}

static void there_are_no_errors_without_a_monolithic_form(void **state)
{
    (void)state;
    twin t;
    ms_simulation simulation;
    ms_error error = {""};
    ms_system *whole;
    open_twin(&t, "quarter-car", 0);
    const ms_options options = support_options("step-size=0.01");
    assert_int_equal(
        ms_simulation_run(t.wrapped, &options, &(ms_simulation_options){.errors = true}, &simulation, &error),
        MS_OK);
    assert_int_equal(simulation.result.reason, MS_REASON_END_TIME);
    assert_string_equal(simulation.options->solver, "exact");
    assert_false(simulation.errors_valid);
    assert_true(simulation.without_reference);
    assert_int_equal(simulation.n_degraded, 1);
    assert_non_null(strstr(simulation.degraded[0], "chassis is a made-up stepper"));
    assert_int_equal(simulation.work[0].micro_steps, 100);
    ms_simulation_destroy(&simulation);
    assert_int_equal(ms_monolithic_create(t.wrapped, &whole, &error), MS_UNSUPPORTED);
    assert_non_null(strstr(error.text, "a monolithic form needs the equations"));
    close_twin(&t);
}

static void threads_have_components_of_their_own(void **state)
{
    (void)state;
    twin t;
    double x[2][SIZE];
    open_twin(&t, "mass-chain", -1);
    const ms_options serial = support_options("solver=exact stop-time=0.5"),
                     parallel = support_options("solver=exact stop-time=0.5 execution=parallel");
    support_finish(t.wrapped, &serial, x[0], NULL);
    assert_int_equal(t.stepping.components, t.wrapped->n);
    support_finish(t.wrapped, &parallel, x[1], NULL);
    assert_memory_equal(x[0], x[1], sizeof(double) * (size_t)t.wrapped->nx);
    close_twin(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(explicit_schemes_give_the_same_bits),
        cmocka_unit_test(one_may_step_itself_and_the_other_not),
        cmocka_unit_test(schemes_that_go_back_give_the_same_bits),
        cmocka_unit_test(schemes_say_whether_they_go_back),
        cmocka_unit_test(feed_through_is_corrected_and_solved),
        cmocka_unit_test(feed_through_by_differences),
        cmocka_unit_test(what_is_missing_is_refused_by_name),
        cmocka_unit_test(a_start_without_derivatives_is_held_and_says_so),
        cmocka_unit_test(a_step_that_fails_ends_the_run_in_its_words),
        cmocka_unit_test(a_state_that_is_not_kept_any_more_is_not_gone_back_to),
        cmocka_unit_test(there_are_no_errors_without_a_monolithic_form),
        cmocka_unit_test(threads_have_components_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
