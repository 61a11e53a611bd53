/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_exported_sources.c - the source form of exported FMUs, compiled as C11 with libm alone, agrees with the built-in subsystems: linear
 * ones, and those by equations, each of whose expressions is the same in C. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/instance_step.h>
#include "built_in.h"
#include "equations_source.h"
#include "folder.h"
#include "support.h"
#include "unit_test.h"

/* The source form: another solver and another way to the same values. */
static void check_sources(const ms_system *system, int index, int fmi, const char *solver, double tolerance)
{
    ms_fmu_export what = support_export_of(system, system->sub[index].name, fmi, solver);
    support_built_in is = support_built_in_create(system, index, &what.solver);
    ms_exported e = {0};
    unsigned state[SUPPORT_BINARY_INPUTS], out[SUPPORT_BINARY_INPUTS];
    double u[SUPPORT_BINARY_DEGREE + 1][SUPPORT_BINARY_INPUTS] = {{0}}, x[SUPPORT_BINARY_INPUTS],
                                     dy[SUPPORT_BINARY_INPUTS], left[2][SUPPORT_BINARY_INPUTS];
    const double h = is.instance->can.step != 0.0 ? is.instance->can.step : 0.03;
    const int most = is.instance->can.input_degree < 2 ? is.instance->can.input_degree : 2;
    const int nx = is.sub->nx, ny = is.sub->ny;
    support_binary b;
    what.sources = true;
    what.solver.rtol = what.solver.atol = 1e-10;
    assert_int_equal(ms_exported_create(system, what.subsystem, &e, NULL), MS_OK);
    support_references(&e, MS_EXPORTED_STATE, state);
    support_references(&e, MS_EXPORTED_OUTPUT, out);
    support_binary_open(&b, &what);
    support_binary_compile(&b);
    assert_false(support_binary_instantiate(&b, "{no}", false));
    assert_true(support_binary_instantiate(&b, NULL, false));
    support_choose_inputs(&is, 0, h, u);
    assert_int_equal(support_binary_start(&b, 0.0, u[0]), 0);
    for (int n = 0; n < 9; n++) {
        const int degree = n % (most + 1);
        support_choose_inputs(&is, n, h, u);
        assert_int_equal(support_binary_feed(&b, n * h, degree, u), 0);
        support_feed_built_in(&is, h, degree, u);
        assert_int_equal(ms_instance_step(is.instance, n * h, h), MS_OK);
        assert_int_equal(support_binary_step(&b, n * h, h), 0);
        assert_int_equal(support_binary_get(&b, nx, state, x), 0);
        assert_true(support_distance(nx, x, is.instance->x) < tolerance);
        ms_input_left(&is.instance->input, left[0]);
        ms_input_left_derivative(&is.instance->input, 1, left[1]);
        assert_int_equal(ms_instance_outputs(is.instance, n * h + h, left[0], left[1], is.y), 0);
        assert_int_equal(support_binary_get(&b, ny, out, x), 0);
        assert_true(support_distance(ny, x, is.y) < tolerance);
        assert_int_equal(ms_instance_output_derivative(is.instance, n * h + h, left[0], left[1], dy), MS_OK);
        assert_int_equal(support_binary_output_derivatives(&b, ny, out, 1, x), 0);
        assert_true(support_distance(ny, x, dy) < 100.0 * tolerance);
    }
    const int order = b.description->flags[MS_FMU_CO_SIMULATION].max_output_derivative;
    assert_int_equal(order, is.instance->blocks != NULL && !ms_equations_are(is.sub) ? 2 : 1);
    if (ny > 0)
        assert_int_not_equal(support_binary_output_derivatives(&b, ny, out, order + 1, x), 0);
    support_binary_close(&b);
    ms_exported_destroy(&e);
    support_built_in_destroy(&is);
}

static void test_sources(void **state)
{
    (void)state;
    static const char *const models[] = {"quarter-car", "linear-pair", "three-clocks"};
    for (int m = 0; m < 3; m++) {
        ms_system *system = support_system(models[m], NULL);
        for (int i = 0; i < system->n; i++)
            check_sources(system, i, 2 + (m + i) % 2, "exact", 1e-11);
        ms_system_destroy(&system);
    }
}

/* Equations ---------------------------------------------------------------------------------------------- */

static void test_equations(void **state)
{
    (void)state;
    ms_model *model = support_model_read(
        "{\"parameters\": {\"m\": 2, \"k\": 3, \"mu\": 1.5},\n"
        "\"subsystems\": [\n"
        "{\"name\": \"pendulum\", \"inputs\": [\"F\", \"G\"], \"external\": {\"road\": \"0.1*sin(2*t)\"},\n"
        " \"states\": {\"a\": {\"derivative\": \"v\", \"start\": 0.5}, \"v\": {\"derivative\": \"(F - "
        "k*sin(a) - "
        "road)/m - 0.1*v*abs(v)\"}},\n"
        " \"outputs\": {\"a\": \"a\", \"power\": \"F*v + 0.5*G^2\"}},\n"
        "{\"name\": \"oscillator\", \"inputs\": [\"u\"], \"outputs\": {\"x\": \"x\", \"y\": \"exp(-x^2) - "
        "u\"},\n"
        " \"states\": {\"x\": {\"derivative\": \"y\", \"start\": 1}, \"y\": {\"derivative\": \"mu*(1 - "
        "x^2)*y - x + "
        "u\"}}},\n"
        "{\"name\": \"static\", \"inputs\": [\"u\"], \"outputs\": {\"y\": \"tanh(u)*cos(t)\"}},\n"
        "{\"name\": \"line\", \"inputs\": [\"u\"], \"outputs\": {\"y\": \"k*x - u\"}, \"states\": {\"x\": "
        "{\"derivative\": \"u - m*x\"}}}],\n"
        "\"wires\": []}");
    ms_system *system = support_system_of(model);
    for (int i = 0; i < system->n; i++)
        for (int fmi = 2; fmi <= 3; fmi++)
            check_sources(system, i, fmi, "cvode-adams", 1e-7);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* The same bits by the program and by what the C compiler makes of what is written. */
static void test_expressions(void **state)
{
    static const char *const text[] = {"1/2*a",
                                       "-a^2",
                                       "2^-b",
                                       "2^b^0.5",
                                       "a-b-c",
                                       "a/b/c",
                                       "a - -b + +c",
                                       "-2*-a",
                                       "3/4 + 1e-3 - 1E+2*b + .5 + 2.",
                                       "a < b",
                                       "(a < b)/(1 + (b >= c))/2",
                                       "a != b && b <= c || a == 7",
                                       "(a > 0 || b > 5) == 1",
                                       "a > b ? 1/3 : 2/3",
                                       "a < 0 ? 1 : b < 0 ? 2 : 3",
                                       "a < 0 ? b < 0 ? 1 : 2 : c > 0 ? 4/3 : 5",
                                       "(a < b ? a : b)^2",
                                       "min(a, b)",
                                       "min(a, b, c, -a*b)",
                                       "max(a*b, (b + c)*2, min(b, c))",
                                       "sign(a)*sign(-b) + sign(a - a)",
                                       "abs(-a)*sqrt(b)",
                                       "sin(a)*cos(b)*tan(c)",
                                       "asin(a/10) + acos(b/10) + atan(c)",
                                       "atan2(a, -b)",
                                       "sinh(a) + cosh(b) + tanh(c)",
                                       "exp(-a)*log(b) + log10(b) + log2(c)",
                                       "pi*a^2/4 + x1e - 2",
                                       "sum(a, b, c) + avg(a, b) + mod(a, b) + if(a > b, c, 0)",
                                       "a^3 + b^4 + abs(c)^0.3 + 1/-2",
                                       "!(a < b) + fmod(c, b) + fma(a, b, c) + ldexp(a, 3)",
                                       "floor(a) + ceil(b) + round(c) + rint(a) + trunc(b) + logb(c)",
                                       "erf(a) + tgamma(b + 1) + hypot(a, c) + cbrt(c) + fdim(a, b)",
                                       "x1e-3",
                                       "((((a))))",
                                       "k*x + t"};
    enum { N = MS_COUNT(text) };
    char json[5000], name[16];
    size_t at =
        (size_t)snprintf(json, sizeof json,
                         "{\"parameters\": {\"k\": 1.25, \"x1e\": 0.3}, \"subsystems\": [{\"name\": \"s\", "
                         "\"inputs\": [\"a\", \"b\", \"c\"], \"states\": {\"x\": {\"derivative\": \"-x\", "
                         "\"start\": 2}}, \"outputs\": {");
    (void)state;
    for (int k = 0; k < N; k++)
        at +=
            (size_t)snprintf(json + at, sizeof json - at, "%s\"y%d\": \"%s\"", k > 0 ? ", " : "", k, text[k]);
    snprintf(json + at, sizeof json - at, "}}], \"wires\": []}");
    ms_model *model = support_model_read(json);
    ms_system *system = support_system_of(model);
    ms_fmu_export what = support_export_of(system, "s", 3, "cvode-adams");
    what.sources = true;
    ms_exported e = {0};
    unsigned out[SUPPORT_BINARY_INPUTS], in[SUPPORT_BINARY_INPUTS];
    static const double inputs[][3] = {
        {0.7, 1.3, 2.9}, {-1.5, 0.25, 0.25}, {3.0, 4.5, -0.5 + 1.0}, {-0.1, 6.0, 0.1}};
    support_binary b;
    assert_int_equal(ms_exported_create(system, what.subsystem, &e, NULL), MS_OK);
    support_references(&e, MS_EXPORTED_OUTPUT, out);
    support_references(&e, MS_EXPORTED_INPUT, in);
    support_binary_open(&b, &what);
    support_binary_compile(&b);
    assert_true(support_binary_instantiate(&b, NULL, false));
    assert_int_equal(support_binary_start(&b, 0.0, inputs[0]), 0);
    for (int i = 0; i < MS_COUNT(inputs); i++) {
        double y[N], expected[N];
        const double x = 2.0;
        const ms_point point = {.x = &x, .u = inputs[i], .p = system->p, .data = system->sub[0].data};
        assert_int_equal(support_binary_set(&b, 3, in, inputs[i]), 0);
        assert_int_equal(support_binary_get(&b, N, out, y), 0);
        assert_int_equal(system->sub[0].g(&point, expected), 0);
        for (int k = 0; k < N; k++)
            if (y[k] != expected[k]) {
                snprintf(name, sizeof name, "%d", i);
                fail_msg("%s at inputs %s: %.17g, but %.17g is expected", text[k], name, y[k], expected[k]);
            }
    }
    support_binary_close(&b);
    ms_exported_destroy(&e);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* What has no source form says why. */
static void test_lacking(void **state)
{
    static const struct {
        const char *subsystem, *why;
    } lacks[] = {
        {"\"inputs\": [\"u\"], \"states\": {\"x\": {\"derivative\": \"u\"}}, \"outputs\": {\"y\": \"x\"}, "
         "\"events\": [{\"when\": "
         "\"x - 1\", \"then\": {\"x\": \"0\"}}]",
         "it has events"},
        {"\"model\": \"van-der-pol\", \"subsystem\": \"oscillator\"", "it is nonlinear"},
    };
    (void)state;
    for (int k = 0; k < MS_COUNT(lacks); k++) {
        char json[600], folder[256];
        ms_fmu_exported made;
        ms_error error = {""};
        snprintf(json, sizeof json, "{\"subsystems\": [{\"name\": \"s\", %s}], \"wires\": []}",
                 lacks[k].subsystem);
        ms_model *model = support_model_read(json);
        ms_system *of = support_system_of(model);
        ms_fmu_export what = support_export_of(of, "s", 2, "cvode-bdf");
        what.sources = true;
        support_folder_new(folder, sizeof folder);
        assert_int_equal(ms_fmu_export_folder(&what, folder, &made, &error), MS_OK);
        if (made.no_sources == NULL || strstr(made.no_sources, lacks[k].why) == NULL)
            fail_msg("%d: %s", k, made.no_sources != NULL ? made.no_sources : "none");
        support_shell("rm -r %s", folder);
        ms_system_destroy(&of);
        ms_model_destroy(&model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sources), cmocka_unit_test(test_equations),
                                       cmocka_unit_test(test_expressions), cmocka_unit_test(test_lacking)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
