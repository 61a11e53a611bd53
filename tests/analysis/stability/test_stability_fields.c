/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_stability_fields.c - spectral radii as fields: the limit H -> 0 over lambda against the formula of a
 * model with these eigenvalues, maps of models against single evaluations, nonlinear ones at their places,
 * and what cannot be. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/analytic_propagation.h>
#include <macrostep/catalogue.h>
#include <macrostep/propagation.h>
#include <macrostep/reference.h>
#include <macrostep/spectrum.h>
#include <macrostep/stability.h>
#include "backward_error.h"
#include "support.h"
#include "unit_test.h"

static double value_at(const ms_field *field, double x, double y)
{
    void *context = NULL;
    double value = NAN;
    ms_error error = {""};
    int status = field->open(field->self, &context, &error);
    if (status == MS_OK)
        status = field->value(context, x, y, &value, &error);
    if (status != MS_OK)
        fail_msg("%s", error.text);
    field->close(&context);
    assert_null(context);
    return value;
}

static double formula_radius(const char *settings, const char *text, double h)
{
    ms_system *system = support_system("linear-pair", settings);
    ms_options options = support_options(text);
    ms_analytic_propagation *formula;
    ms_error error = {""};
    if (ms_analytic_propagation_create(system, &options, &formula, &error) != MS_OK)
        fail_msg("%s", error.text);
    const int n = ms_analytic_propagation_dimension(formula);
    double *psi = calloc((size_t)(n * n), sizeof *psi),
           *work = calloc((size_t)ms_spectrum_work(n), sizeof *work);
    assert_int_equal(ms_analytic_propagation_evaluate(formula, h, psi), MS_OK);
    const double radius = ms_spectrum_radius(n, psi, work);
    free(psi);
    free(work);
    ms_analytic_propagation_destroy(&formula);
    ms_system_destroy(&system);
    return radius;
}

/* Radii of the formula's matrices on a grid against LAPACK's: to 1e-12, where the eigenvalues' condition allows it. */
static int compare_radii(const char *case_name, const char *text)
{
    const ms_model *model = ms_catalogue_find("two-mass-oscillator");
    const ms_options options = support_options(text);
    int sharp = 0;
    for (int k = 0; k < 121; k++) {
        const int row = k / 11;
        const ms_setting ratio = {"mass_ratio", 0.01 * pow(1e4, row / 10.0)};
        const double h = 0.01 * pow(1e3, k % 11 / 10.0);
        double psi[20 * 20], work[20 * 20 + 6 * 20 + 1], lower, lapack, upper;
        ms_system *system;
        ms_analytic_propagation *formula;
        assert_int_equal(ms_system_create(model, case_name, &ratio, 1, &system, NULL), MS_OK);
        assert_int_equal(ms_analytic_propagation_create(system, &options, &formula, NULL), MS_OK);
        const int n = ms_analytic_propagation_dimension(formula);
        assert_true(n <= 20 && ms_spectrum_work(n) <= MS_COUNT(work));
        assert_int_equal(ms_analytic_propagation_evaluate(formula, h, psi), MS_OK);
        support_radius_bounds(n, psi, &lower, &lapack, &upper);
        const double own = ms_spectrum_radius(n, psi, work);
        if (!(own >= lower && own <= upper))
            fail_msg("%s, %s, ratio %g, H %g: radius %.17g, LAPACK's is %.17g", case_name, text, ratio.value,
                     h, own, lapack);
        if (upper - lower <= 1e-12 * lapack)
            support_near(own, lapack, 1e-12 * lapack);
        sharp += upper - lower <= 1e-12 * lapack;
        ms_analytic_propagation_destroy(&formula);
        ms_system_destroy(&system);
    }
    return sharp;
}

static void radii_of_two_masses(void **state)
{
    (void)state;
    static const char *const cases[] = {"displacement-displacement", "force-displacement", "force-force"};
    static const char *const members[] = {"extrapolation-order=0",
                                          "extrapolation-order=1",
                                          "extrapolation-order=2",
                                          "extrapolation-order=1 outputs=consistent",
                                          "extrapolation-order=2 outputs=consistent",
                                          "extrapolation-order=1 scheme=gauss-seidel",
                                          "extrapolation-order=2 scheme=gauss-seidel",
                                          "extrapolation-order=2 derivatives=analytic",
                                          "extrapolation-order=1 scheme=balance"};
    int sharp = 0;
    for (int c = 0; c < MS_COUNT(cases); c++)
        for (int m = 0; m < MS_COUNT(members); m++)
            sharp += compare_radii(cases[c], members[m]);
    print_message("radii to 1e-12: %d of %d\n", sharp, 121 * MS_COUNT(cases) * MS_COUNT(members));
    assert_true(2 * sharp > 121 * MS_COUNT(cases) * MS_COUNT(members));
}

/* D L of linear-pair has the eigenvalues +-sqrt(d1 d2), and its states add the eigenvalue 1. */
static void compare_limit(const char *text, double d1, double d2)
{
    char settings[96];
    ms_options options = support_options(text);
    ms_limit limit = {&options, false}, turned = {&options, true};
    const ms_field field = ms_stability_limit_field(&limit), other = ms_stability_limit_field(&turned);
    const double root = sqrt(fabs(d1 * d2)), re = d1 * d2 > 0.0 ? root : 0.0, im = d1 * d2 > 0.0 ? 0.0 : root;
    const double plus = value_at(&field, re, im), minus = value_at(&field, -re, -im);
    const double expected = fmax(1.0, fmax(plus, minus));
    snprintf(settings, sizeof settings, "d1=%.17g d2=%.17g", d1, d2);
    const double radius = formula_radius(settings, text, 0.0);
    if (!(fabs(radius - expected) <=
          1e-5 * expected)) /* defective eigenvalues: half, or a third of the digits */
        fail_msg("%s, %s: %.17g by formula, %.17g by the limit", text, settings, radius, expected);
    assert_true(value_at(&other, im, re) == plus);
}

static void test_limit(void **state)
{
    (void)state;
    static const double d[][2] = {{0.9, -0.9}, {1.5, 1.2}, {-0.3, 0.4}, {2.0, -3.0}, {0.2, 0.3}};
    support_variant variant;
    char text[256];
    int compared = 0;
    for (int k = 0; support_variant_at(k, &variant); k++)
        for (int i = 0; i < 5 && !variant.gauss_seidel; i++, compared++)
            compare_limit(variant.text, d[i][0], d[i][1]);
    for (int i = 0; i < 5; i++) {
        compare_limit("extrapolation-order=2 as-printed=quadratic", d[i][0], d[i][1]);
        for (int order = 0; order <= 2; order++) {
            snprintf(text, sizeof text, "extrapolation-order=%d smooth-coupling=c0 as-printed=smoothing",
                     order);
            compare_limit(text, d[i][0], d[i][1]);
        }
    }
    print_message("%d pairs of members and loop gains\n", compared);
}

static void test_limit_differences(void **state)
{
    (void)state;
    static const double d[][2] = {{0.9, -0.9}, {1.5, 1.2}, {2.0, -3.0}};
    for (int i = 0; i < 3; i++)
        for (int order = 1; order <= 2; order++) {
            char text[160];
            snprintf(text, sizeof text,
                     "extrapolation-order=%d derivatives=analytic output-derivatives=differences", order);
            compare_limit(text, d[i][0], d[i][1]);
        }
}

static void test_known_limits(void **state)
{
    (void)state;
    ms_options options = support_options("extrapolation-order=1");
    ms_limit limit = {&options, false};
    const ms_field field = ms_stability_limit_field(&limit);
    assert_true(fabs(value_at(&field, -1.0 / 3.0, 0.0) - 1.0) < 1e-14);
    assert_true(fabs(value_at(&field, 0.25, 0.0) - 0.5) < 1e-14); /* |z|^2 = lambda between 0 and 1 */
    options = support_options("extrapolation-order=2");
    assert_true(fabs(value_at(&field, -1.0 / 7.0, 0.0) - 1.0) < 1e-14);
    options = support_options("extrapolation-order=2 as-printed=quadratic");
    assert_true(fabs(value_at(&field, -0.2, 0.0) - 1.0) < 1e-14);
    options = support_options("extrapolation-order=2 outputs=consistent");
    assert_true(value_at(&field, -7.0, 3.0) == 0.0);
    assert_true(isnan(value_at(&field, 1.0, 0.0)));
    ms_error error;
    options = support_options("scheme=gauss-seidel");
    assert_int_equal(ms_stability_limit_check(&options, &error), MS_UNSUPPORTED);
    options = support_options("error-controlled=richardson");
    assert_int_equal(ms_stability_limit_check(&options, &error), MS_UNSUPPORTED);
}

/* A map over a parameter and the step size, in an order that binds again and again, against fresh systems. */
static void test_model(void **state)
{
    (void)state;
    ms_options options = support_options("extrapolation-order=1");
    const ms_model *model = ms_catalogue_find("linear-pair");
    ms_stability stability = {.model = model,
                              .settings = &(ms_setting){"d2", -0.5},
                              .n_settings = 1,
                              .options = &options,
                              .axis = {ms_model_parameter(model, "d1"), MS_AXIS_STEP_SIZE}};
    const ms_field field = ms_stability_field(&stability);
    const double d1[] = {-0.5, 0.0, 0.5, 1.5}, h[] = {0.0, 0.01, 0.3};
    const ms_region_grid grid = {4, 3, d1, h};
    double value[12];
    assert_int_equal(ms_region_map(&field, &grid, &(ms_effort){.threads = 2}, value, NULL), MS_OK);
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 4; i++) {
            char settings[64];
            snprintf(settings, sizeof settings, "d1=%g d2=-0.5", d1[i]);
            assert_true(value[j * 4 + i] == formula_radius(settings, "extrapolation-order=1", h[j]));
        }
    stability.axis[1] = ms_model_parameter(model, "d2"); /* 2 * 0.5 = 1: no solution */
    stability.n_settings = 0;
    stability.step_size = 0.01;
    assert_true(isnan(value_at(&field, 2.0, 0.5)));
    assert_true(isfinite(value_at(&field, 2.0, 0.4)));
    stability.axis[0] = MS_AXIS_STEP_SIZE; /* one system without a solution is no map */
    stability.axis[1] = MS_AXIS_NONE;
    stability.settings = (ms_setting[]){{"d1", 2.0}, {"d2", 0.5}};
    stability.n_settings = 2;
    assert_int_equal(ms_stability_check(&stability, 0.01, 0.0, NULL, NULL), MS_NO_SOLUTION);
}

/* Sizes of a chain as a coordinate, and a micro-solver as it is probed. */
static void test_sizes_and_probe(void **state)
{
    (void)state;
    ms_options options = support_options("");
    ms_stability stability = {.model = ms_catalogue_find("mass-chain"), .options = &options};
    const int length = ms_model_parameter(stability.model, "masses");
    ms_error error = {""};
    bool by_formula;
    assert_true(length >= 0);
    stability.axis[0] = length;
    stability.axis[1] = MS_AXIS_STEP_SIZE;
    const ms_field field = ms_stability_field(&stability);
    const double n[] = {2, 3, 4, 6}, h[] = {0.01, 0.1};
    double value[8];
    assert_int_equal(ms_region_map(&field, &(ms_region_grid){4, 2, n, h}, NULL, value, NULL), MS_OK);
    for (int k = 0; k < 8; k++)
        assert_true(value[k] == value_at(&field, n[k % 4], h[k / 4]));
    assert_int_equal(ms_stability_check(&stability, 2.5, 0.1, NULL, &error), MS_INVALID);
    assert_true(isnan(value_at(&field, 2.5, 0.1))); /* a boundary passes between the nodes */

    const ms_model *pair = ms_catalogue_find("linear-pair");
    stability = (ms_stability){.model = pair, .options = &options, .axis = {MS_AXIS_STEP_SIZE, MS_AXIS_NONE}};
    options = support_options("solver=rk4");
    assert_int_equal(ms_stability_check(&stability, 0.01, 0.0, &by_formula, &error), MS_OK);
    const double fine = value_at(&field, 1e-3, 0.0);
    options = support_options("");
    assert_int_equal(ms_stability_check(&stability, 0.01, 0.0, &by_formula, &error), MS_OK);
    assert_true(by_formula);
    assert_true(fabs(value_at(&field, 1e-3, 0.0) - fine) < 1e-9);
    options = support_options("solver=cvode-bdf");
    assert_int_equal(ms_stability_check(&stability, 0.01, 0.0, NULL, &error), MS_UNSUPPORTED);
    options = support_options("error-controlled=richardson");
    assert_int_equal(ms_stability_check(&stability, 0.01, 0.0, NULL, &error), MS_UNSUPPORTED);
    options = support_options("");
    stability.model = ms_catalogue_find("double-pendulum"); /* linearised at its start */
    assert_int_equal(ms_stability_check(&stability, 0.01, 0.0, NULL, &error), MS_OK);
    assert_true(isfinite(value_at(&field, 0.01, 0.0)));
}

/* A swing about the state of rest below, in which the loop gain changes. */
static const char swing[] = "alpha1=-0.5 alpha2=0.05";

static void test_read_point(void **state)
{
    (void)state;
    ms_system *system = support_system("double-pendulum", swing), *linear = support_system("linear-pair", "");
    ms_options options = support_options("start-time=1");
    ms_linearisation_point linearised_at;
    static const char *const wrong[] = {"0.9", "6.1", "x", "2x", "", "nan", "Start"};
    for (int k = 0; k < MS_COUNT(wrong); k++)
        assert_int_equal(ms_linearisation_point_read(wrong[k], system, &options, &linearised_at, NULL),
                         MS_INVALID);
    assert_int_equal(ms_linearisation_point_read(NULL, system, &options, &linearised_at, NULL), MS_OK);
    assert_true(linearised_at.kind == MS_LINEARISE_AT_START && linearised_at.t == 1.0);
    assert_int_equal(ms_linearisation_point_read("6", system, &options, &linearised_at, NULL),
                     MS_OK); /* a run of 5 s */
    assert_true(linearised_at.kind == MS_LINEARISE_AT_TIME && linearised_at.begin == 1.0 &&
                linearised_at.t == 6.0);
    assert_int_equal(ms_linearisation_point_read("equilibrium", system, &options, &linearised_at, NULL),
                     MS_OK);
    assert_true(linearised_at.kind == MS_LINEARISE_AT_EQUILIBRIUM && linearised_at.t == 1.0);
    assert_int_equal(ms_linearisation_point_read(NULL, linear, &options, &linearised_at, NULL), MS_OK);
    assert_int_equal(ms_linearisation_point_read("start", linear, &options, &linearised_at, NULL),
                     MS_INVALID);
    options = support_options("stop-time=-1");
    assert_int_equal(ms_linearisation_point_read(NULL, system, &options, &linearised_at, NULL), MS_INVALID);
    ms_system_destroy(&system);
    ms_system_destroy(&linear);
}

/* The radius at states that the caller has found. */
static double radius_at(const ms_system *system, const ms_options *options, double t, const double *x,
                        double h)
{
    ms_system *linear = NULL;
    assert_int_equal(ms_linearisation_system(system, t, x, &linear, NULL), MS_OK);
    const double radius = ms_propagation_radius(linear, options, h, 100);
    ms_system_destroy(&linear);
    return radius;
}

/* Along the reference in one step, where ms_linearisation_point_state takes many. */
static void test_places(void **state)
{
    (void)state;
    ms_system *system = support_system("double-pendulum", swing);
    ms_options options = support_options("extrapolation-order=1");
    ms_setting settings[] = {{"alpha1", -0.5}, {"alpha2", 0.05}};
    ms_stability stability = {.model = ms_catalogue_find("double-pendulum"),
                              .settings = settings,
                              .n_settings = 2,
                              .options = &options,
                              .axis = {MS_AXIS_STEP_SIZE, MS_AXIS_NONE}};
    const ms_field field = ms_stability_field(&stability);
    ms_reference *reference = NULL;
    volatile sig_atomic_t stop = 1;
    double x[4];
    assert_int_equal(system->nx, 4);
    assert_int_equal(ms_reference_create(system, 0, NULL, &reference, NULL), MS_OK);
    assert_int_equal(ms_reference_step(reference, 0.0, 0.7), MS_OK);
    const double start = value_at(&field, 0.02, 0.0);
    stability.linearised_at = (ms_linearisation_point){MS_LINEARISE_AT_TIME, 0.0, 0.7};
    const double later = value_at(&field, 0.02, 0.0);
    assert_true(fabs(later - start) > 1e-3);
    assert_true(fabs(later - radius_at(system, &options, 0.7, ms_reference_state(reference), 0.02)) < 1e-10);
    assert_int_equal(ms_linearisation_point_state(system, &stability.linearised_at, &stop, x, NULL, NULL),
                     MS_INTERRUPTED);
    stability.linearised_at.t = 0.0;
    assert_true(value_at(&field, 0.02, 0.0) == start);

    stability.linearised_at = (ms_linearisation_point){MS_LINEARISE_AT_EQUILIBRIUM, 0.0, 0.0};
    assert_int_equal(ms_linearisation_point_state(system, &stability.linearised_at, &stop, x, NULL, NULL),
                     MS_OK);
    for (int k = 0; k < 4; k++)
        assert_true(fabs(x[k]) < 1e-9);
    assert_true(value_at(&field, 0.02, 0.0) == radius_at(system, &options, 0.0, x, 0.02));
    ms_reference_destroy(&reference);
    ms_system_destroy(&system);
}

/* A place is sought anew for all values of parameters. */
static void test_places_of_parameters(void **state)
{
    (void)state;
    ms_options options = support_options("");
    ms_stability stability = {.model = ms_catalogue_find("double-pendulum"),
                              .options = &options,
                              .linearised_at = {MS_LINEARISE_AT_TIME, 0.0, 0.4},
                              .step_size = 0.02};
    const double alpha[] = {-1.0, -0.5}, mass[] = {1.0, 3.0};
    double value[4];
    stability.axis[0] = ms_model_parameter(stability.model, "alpha1");
    stability.axis[1] = ms_model_parameter(stability.model, "m1");
    const ms_field field = ms_stability_field(&stability);
    assert_int_equal(ms_region_map(&field, &(ms_region_grid){2, 2, alpha, mass}, NULL, value, NULL), MS_OK);
    for (int k = 0; k < 4; k++) {
        const ms_setting settings[] = {{"alpha1", alpha[k % 2]}, {"m1", mass[k / 2]}};
        ms_system *system = support_system_with("double-pendulum", settings, 2);
        ms_reference *reference = NULL;
        assert_int_equal(ms_reference_create(system, 0, NULL, &reference, NULL), MS_OK);
        assert_int_equal(ms_reference_step(reference, 0.0, 0.4), MS_OK);
        assert_true(fabs(value[k] - radius_at(system, &options, 0.4, ms_reference_state(reference), 0.02)) <
                    1e-10);
        ms_reference_destroy(&reference);
        ms_system_destroy(&system);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(radii_of_two_masses),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_limit_differences),
        cmocka_unit_test(test_known_limits),
        cmocka_unit_test(test_model),
        cmocka_unit_test(test_sizes_and_probe),
        cmocka_unit_test(test_read_point),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_places_of_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
