/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fmu_co_simulation.c - subsystems that have been exported as FMUs and are loaded back give the bits of the built-in ones, with
 * every scheme that FMUs carry, and its propagation matrix; the probe finds that our flags are true. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <macrostep/linearisation_jacobian.h>
#include <macrostep/propagation.h>
#include <macrostep/solver_registry.h>
#include "fmu_co_simulation.h"
#include "fmu_export.h"
#include "fmu_probe.h"
#include "support.h"
#include "unit_test.h"

enum { MOST = 8, SIZE = 64 };

/* A system and the same of FMUs. */
typedef struct twin {
    ms_system *inner, *of_fmus;
    ms_fmu *fmu[MOST];
    ms_fmu_probing probing;
} twin;

static int build(const double *p, ms_structure *s, ms_error *error)
{
    (void)p;
    const twin *t = s->model->data;
    const ms_system *inner = t->inner;
    support_build_like(inner, s);
    int status = MS_OK;
    for (int i = 0; i < inner->n && status == MS_OK; i++) {
        const ms_fmu_choice choice = {.name = inner->sub[i].name, .probing = t->probing};
        status = ms_fmu_co_simulation(t->fmu[i], &choice, s, &s->subsystems[i], error);
    }
    return status;
}

static void open_twin(twin *t, const char *model, int fmi, ms_fmu_probing probing)
{
    char folder[256], path[320];
    ms_error error = {""};
    *t = (twin){.inner = support_system(model, ""), .probing = probing};
    support_temporary(folder, sizeof folder);
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < t->inner->n; i++) {
        ms_fmu_exported exported;
        const ms_fmu_export what = {
            .system = t->inner,
            .subsystem = t->inner->sub[i].name,
            .fmi = fmi,
            .solver = {.solver = ms_solver_find("exact"), .rtol = 1e-10, .atol = 1e-10, .micro_steps = 1}};
        snprintf(path, sizeof path, "%s/%d.fmu", folder, i);
        if (ms_fmu_export_write(&what, path, &exported, &error) != MS_OK ||
            ms_fmu_open(path, MS_FMU_CO_SIMULATION, NULL, &t->fmu[i], &error) != MS_OK)
            fail_msg("%s", error.text);
        remove(path);
    }
    rmdir(folder);
    ms_model of_fmus = *t->inner->model;
    of_fmus.build = build;
    of_fmus.data = t;
    if (ms_system_create(&of_fmus, NULL, NULL, 0, &t->of_fmus, &error) != MS_OK)
        fail_msg("%s", error.text);
    t->of_fmus->model = t->of_fmus->structure.model = t->inner->model;
}

static void close_twin(twin *t)
{
    const int n = t->inner->n;
    ms_system_destroy(&t->of_fmus);
    ms_system_destroy(&t->inner);
    for (int i = 0; i < n; i++)
        ms_fmu_close(&t->fmu[i]);
}

static void compare(const twin *t, const char *text, double allowed)
{
    double x[2][SIZE], y[2][SIZE];
    const ms_options options = support_options(text);
    const ms_run_result a = support_run(t->inner, &options, x[0], y[0]),
                        b = support_run(t->of_fmus, &options, x[1], y[1]);
    if (a.reason != b.reason || a.macro_steps != b.macro_steps || a.rejected_steps != b.rejected_steps)
        fail_msg("%s: %s after %ld and %ld against %s after %ld and %ld: %s", text, ms_reason_name(a.reason),
                 a.macro_steps, a.rejected_steps, ms_reason_name(b.reason), b.macro_steps, b.rejected_steps,
                 b.message);
    if (!(support_distance(t->inner->nx, x[0], x[1]) <= allowed) ||
        !(support_distance(t->inner->ny, y[0], y[1]) <= allowed))
        fail_msg("%s %s: %.17g against %.17g", t->inner->model->name, text, x[0][0], x[1][0]);
}

/* Held, linear and quadratic inputs. */
static void explicit_schemes_give_the_same_bits(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        twin t;
        const double fitted = fmi == 3 ? 1e-14 : 0.0; /* polynomials through values at internal times */
        open_twin(&t, "quarter-car", fmi, MS_FMU_PROBE_ON);
        compare(&t, "solver=exact stop-time=0.1", 0.0);
        compare(&t, "solver=exact stop-time=0.1 scheme=gauss-seidel", 0.0);
        compare(&t, "solver=exact stop-time=0.1 extrapolation-order=1", fitted);
        compare(&t, "solver=exact stop-time=0.1 extrapolation-order=1 smooth-coupling=c0", fitted);
        compare(&t, "solver=exact stop-time=0.1 extrapolation-order=1 derivatives=analytic", fitted);
        compare(&t, "solver=exact stop-time=0.1 extrapolation-order=2 start=hold", fitted);
        compare(&t, "solver=exact stop-time=0.1 extrapolation-order=2 start=hold scheme=gauss-seidel",
                fitted);
        close_twin(&t);
    }
}

static void schemes_that_go_back_give_the_same_bits(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        twin t;
        open_twin(&t, "quarter-car", fmi, MS_FMU_PROBE_ON);
        compare(&t, "solver=exact stop-time=0.1 step-size=0.002 scheme=zoh-iterative", 0.0);
        if (fmi == 2)
            compare(&t, "solver=exact stop-time=0.1 step-size=0.002 scheme=ifosmondi", 1e-14);
        compare(&t, "solver=exact stop-time=0.1 error-controlled=richardson rtol=1e-4 atol=1e-6", 1e-12);
        compare(&t,
                "solver=exact stop-time=0.1 error-controlled=pyfmi rtol=1e-4 atol=1e-6 extrapolation-order=1",
                1e-12);
        compare(&t, "solver=exact stop-time=0.1 scheme=f3ornits rtol=1e-3 atol=1e-5", 1e-12);
        close_twin(&t);
    }
}

static void feed_through_is_corrected(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        twin t;
        open_twin(&t, "linear-pair", fmi, MS_FMU_PROBE_ON);
        compare(&t, "solver=exact stop-time=0.2", 1e-11);
        compare(&t, "solver=exact stop-time=0.2 outputs=corrected", 1e-11);
        compare(&t, "solver=exact stop-time=0.2 outputs=corrected extrapolation-order=1", 1e-11);
        close_twin(&t);
    }
}

/* Small deviations of the FMUs from their start. */
static ms_system *deviations(const twin *t)
{
    double x[SIZE];
    ms_system *linear = NULL;
    ms_error error = {""};
    const ms_linearisation_point at_start = {0};
    if (ms_linearisation_point_state(t->of_fmus, &at_start, NULL, x, NULL, &error) != MS_OK ||
        ms_linearisation_system(t->of_fmus, 0.0, x, &linear, &error) != MS_OK)
        fail_msg("%s", error.text);
    return linear;
}

/* The spectral radius from the equations of the model, by formula where there is one, and from experiments with FMUs of it: with inputs
 * of all degrees, with and without output derivatives, feed-through, states that are restored, and outputs that are, or are not, those
 * of the last step. */
static void compare_propagation(const char *model, int fmi, ms_fmu_probing probing, const char *const *runs,
                                int n)
{
    twin t;
    open_twin(&t, model, fmi, probing);
    ms_system *linear = deviations(&t);
    assert_true(linear->linear);
    for (int k = 0; k < 2 * n; k++) {
        const ms_options options = support_options_of("solver=exact %s", runs[k / 2]);
        const double h = t.inner->step_size * (k % 2 == 0 ? 1.0 : 5.0),
                     expected = ms_propagation_radius(t.inner, &options, h, 1000),
                     found = ms_propagation_radius(linear, &options, h, 1000);
        assert_true(expected > 0.0);
        if (!(fabs(found - expected) <= 1e-9 * expected))
            fail_msg("%s FMI %d: %s: %.17g against %.17g", model, fmi, runs[k / 2], found, expected);
    }
    ms_system_destroy(&linear);
    close_twin(&t);
}

static void propagation_is_that_of_the_model(void **state)
{
    (void)state;
    static const char *const models[] = {"quarter-car", "linear-pair", "two-mass-oscillator", "full-car"};
    static const char *const runs[] = {"",
                                       "scheme=gauss-seidel",
                                       "extrapolation-order=2 start=hold",
                                       "extrapolation-order=1",
                                       "extrapolation-order=1 derivatives=analytic",
                                       "extrapolation-order=1 smooth-coupling=c0",
                                       "scheme=zoh-iterative",
                                       "scheme=nepce",
                                       "outputs=corrected"};
    enum { OF_LAST_STEP = 3 }; /* the first ones take no others anyway */
    for (int k = 0; k < 2 * MS_COUNT(models); k++) {
        if (!support_in_ensemble(k / 2, MS_COUNT(models)))
            continue;
        compare_propagation(models[k / 2], 2 + k % 2, MS_FMU_PROBE_ON, runs, MS_COUNT(runs));
        compare_propagation(models[k / 2], 2 + k % 2, MS_FMU_PROBE_OFF, runs, OF_LAST_STEP);
    }
}

static void our_flags_are_true(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        twin t;
        open_twin(&t, "quarter-car", fmi, MS_FMU_PROBE_OFF);
        for (int i = 0; i < t.inner->n; i++) {
            ms_fmu_abilities probe;
            ms_fmu_abilities declared;
            ms_error error = {""};
            if (ms_fmu_probe_run(t.fmu[i], &(ms_fmu_setup){0}, MS_FMU_PROBE_STEPS, &probe, &error) != MS_OK)
                fail_msg("%s", error.text);
            ms_fmu_abilities_declared(ms_fmu_describe(t.fmu[i]), MS_FMU_CO_SIMULATION, &declared);
            for (int k = 0; k < MS_FMU_TRAITS; k++)
                if (k != MS_FMU_REEVALUATE && probe.why[k][0] != '\0')
                    fail_msg("FMI %d: %s: %s", fmi, ms_fmu_trait_name[k], probe.why[k]);
            assert_true(probe.can.rollback && probe.can.directional_derivatives && probe.deterministic &&
                        probe.serialisation);
            assert_int_equal(probe.can.input_degree, declared.can.input_degree);
            assert_int_equal(probe.can.output_derivatives, declared.can.output_derivatives);
            assert_true(probe.can.step == 0.0 && isnan(probe.hidden_step) && !probe.keep);
        }
        close_twin(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(explicit_schemes_give_the_same_bits),
        cmocka_unit_test(schemes_that_go_back_give_the_same_bits),
        cmocka_unit_test(feed_through_is_corrected),
        cmocka_unit_test(propagation_is_that_of_the_model),
        cmocka_unit_test(our_flags_are_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
