/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_growth.c - the observed growth of a scheme's memory against known spectral radii. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "growth.h"
#include "map_powers.h"
#include "support.h"
#include "unit_test.h"

static const ms_growth_options request = {.shortest = 512, .longest = 1 << 18, .tolerance = 1e-5, .seed = 7};

/* By macro-steps alone, and with powers of the probed map: the latter. */
static ms_growth observe_from(long shortest, ms_system *system, const char *text, double h)
{
    const ms_options options = support_options(text);
    ms_growth growth, leaping;
    ms_growth_options leaps = request;
    ms_error error = {0};
    system->homogeneous = true;
    leaps.stepped = 256;
    leaps.shortest = shortest;
    if (ms_growth_observe(system, &options, h, &request, &growth, &error) != MS_OK ||
        ms_growth_observe(system, &options, h, &leaps, &leaping, &error) != MS_OK)
        fail_msg("%s: %s", text, error.text);
    ms_system_destroy(&system);
    assert_true(!growth.powers && leaping.powers);
    if (!growth.settled || !(fabs(growth.factor - leaping.factor) <= 1e-5 * growth.factor))
        fail_msg("growth %.17g (settled: %d) is %.17g with powers", growth.factor, growth.settled,
                 leaping.factor);
    return leaping;
}

static ms_growth observe(ms_system *system, const char *text, double h)
{
    return observe_from(request.shortest, system, text, h);
}

static void near(ms_growth growth, double rho)
{
    if (!growth.settled || !(fabs(growth.factor - rho) <= 1e-5 * rho))
        fail_msg("growth %.17g (settled: %d, last change %g, %ld macro-steps) is not %.17g", growth.factor,
                 growth.settled, growth.change, growth.steps, rho);
}

/* s' = v, v' = -c s / m with the other one held over H: as Jacobi explicit Euler, I + [0, H; -w^2 H, 0] with
 * rho^2 = 1 + (w H)^2; as Gauss-Seidel with held inputs symplectic Euler, whose eigenvalues lie on the unit
 * circle up to w H = 2. */
static void test_spring_mass(void **state)
{
    (void)state;
    const double w = 2.0;
    for (int k = 0; k < 7; k++) {
        const double h = ldexp(0.4, -k);
        near(observe(support_system("spring-mass", "c=4 m=1"), "extrapolation-order=0", h),
             sqrt(1.0 + w * h * w * h));
        near(
            observe(support_system("spring-mass", "c=4 m=1"), "extrapolation-order=0 scheme=gauss-seidel", h),
            1.0);
    }
}

/* x' = u, y = x each, u_1 = -y_2, u_2 = y_1, inputs held: I + H J, rho^2 = 1 + H^2. */
static const char rotation[] = "{\"subsystems\": ["
                               "{\"A\": [[0]], \"B\": [[1]], \"C\": [[1]], \"x0\": [1]},"
                               "{\"A\": [[0]], \"B\": [[1]], \"C\": [[1]]}],"
                               "\"wires\": [[0, 1, -1], [1, 0, 1]]}";

static void test_rotation(void **state)
{
    (void)state;
    ms_model *model = support_model_read(rotation);
    for (int k = 0; k < 8; k++) {
        const double h = ldexp(1.0, -k);
        near(observe(support_system_of(model), "extrapolation-order=0", h), sqrt(1.0 + h * h));
    }
    ms_model_destroy(&model);
}

/* Static subsystems: y = D u, rho(Psi) = rho(D L) with outputs as they come; corrected, everything vanishes
 * at once. */
static void test_static(void **state)
{
    (void)state;
    ms_model *model = support_model_read("{\"subsystems\": ["
                                         "{\"A\": [], \"B\": [], \"C\": [[]], \"D\": [[2]]},"
                                         "{\"A\": [], \"B\": [], \"C\": [[]], \"D\": [[0.125]]}],"
                                         "\"wires\": [[0, 1, 1], [1, 0, 1]]}");
    near(observe(support_system_of(model), "extrapolation-order=0", 0.1), 0.5);
    const ms_growth growth =
        observe(support_system_of(model), "extrapolation-order=0 outputs=corrected", 0.1);
    assert_true(growth.settled && growth.factor == 0.0);
    ms_model_destroy(&model);
}

/* Growth and decay far beyond the range of a double over the run. */
static void test_range(void **state)
{
    (void)state;
    ms_model *model = support_model_read("{\"subsystems\": ["
                                         "{\"A\": [], \"B\": [], \"C\": [[]], \"D\": [[1e5]]},"
                                         "{\"A\": [], \"B\": [], \"C\": [[]], \"D\": [[1e5]]}],"
                                         "\"wires\": [[0, 1, 1], [1, 0, 1]]}");
    near(observe(support_system_of(model), "extrapolation-order=0", 0.1), 1e5);
    ms_model_destroy(&model);
}

/* A rotation by a hundredth of a radian in a macro-step: windows of at most 64 of them see part of a turn, and their factors differ. */
static void test_unsettled(void **state)
{
    (void)state;
    ms_model *model = support_model_read(rotation);
    ms_system *system = support_system_of(model);
    const ms_options options = support_options("extrapolation-order=0");
    const ms_growth_options hasty = {.shortest = 16, .longest = 64, .tolerance = 1e-5, .seed = 7};
    ms_growth growth;
    ms_error error;
    system->homogeneous = true;
    assert_int_equal(ms_growth_observe(system, &options, 0.01, &hasty, &growth, &error), MS_OK);
    assert_true(growth.change > hasty.tolerance && growth.steps == 64);
    assert_false(growth.settled);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

static void test_homogeneous_only(void **state)
{
    (void)state;
    ms_system *system = support_system("quarter-car", "");
    const ms_options options = support_options("");
    ms_growth growth;
    ms_error error;
    assert_int_equal(ms_growth_observe(system, &options, 0.01, &request, &growth, &error), MS_UNSUPPORTED);
    ms_system_destroy(&system);
}

/* Two uncoupled states that decay at rates with a gap of 2e-6 a macro-step: no window of 2^18 macro-steps tells them
 * apart to 1e-8; and one that grows by 1 + 1e-6 beside one that does not. */
static void test_nearly_equal(void **state)
{
    (void)state;
    static const char *const text[] = {"{\"subsystems\": [{\"A\": [[-2e-4, 0], [0, 0]], \"B\": [[0], [0]],"
                                       "\"C\": [[1, 1]], \"x0\": [1, 1]}], \"L\": [[0]]}",
                                       "{\"subsystems\": [{\"A\": [[1e-4, 0], [0, 0]], \"B\": [[0], [0]],"
                                       "\"C\": [[1, 1]], \"x0\": [1, 1]}], \"L\": [[0]]}"};
    const double rho[] = {1.0, exp(1e-6)};
    for (int k = 0; k < 2; k++) {
        ms_model *model = support_model_read(text[k]);
        const ms_growth growth =
            observe_from(1 << 20, support_system_of(model), "extrapolation-order=0", 0.01);
        if (!(fabs(growth.factor - rho[k]) <= 1e-8))
            fail_msg("growth %.17g over %ld macro-steps is not %.17g", growth.factor, growth.steps, rho[k]);
        ms_model_destroy(&model);
    }
}

/* Powers are those of the matrix, and only what it makes of a memory is confirmed. */
static void test_powers(void **state)
{
    (void)state;
    const double turn[] = {0.0, -2.0, 2.0, 0.0}, before[] = {1.0, 3.0};
    double *psi = malloc(sizeof turn), v[] = {1.0, 3.0};
    ms_map_powers powers;
    assert_non_null(psi);
    memcpy(psi, turn, sizeof turn);
    assert_int_equal(ms_map_powers_create(2, psi, &powers), MS_OK);
    assert_true(ms_map_powers_confirm(&powers, before, (const double[]){-6.0, 2.0}));
    assert_false(ms_map_powers_confirm(&powers, before, (const double[]){-6.0, 2.00001}));
    assert_false(ms_map_powers_confirm(&powers, before, (const double[]){-6.0, NAN}));
    for (int k = 0; k < 3; k++)
        ms_map_powers_square(&powers); /* to 2^8 times the unit matrix */
    ms_map_powers_apply(&powers, v);
    assert_int_equal(powers.stride, 8);
    for (int j = 0; j < 2; j++)
        assert_true(v[j] * exp2(powers.exponent) == 256.0 * before[j]);
    ms_map_powers_destroy(&powers);
}

static const char *name_of(ms_dominance dominance)
{
    static const char *const names[] = {"single", "clustered", "defective"};
    return names[dominance];
}

/* Dominance ---------------------------------------------------------------------------------------------- */

static void standing(int n, const double *psi, ms_dominance expected, double gap_expected)
{
    ms_spectrum spectrum;
    ms_dominance dominance;
    ms_error error;
    double gap;
    assert_int_equal(ms_spectrum_create(n, psi, &spectrum, &error), MS_OK);
    assert_int_equal(ms_growth_dominance(n, psi, &spectrum, &dominance, &gap, &error), MS_OK);
    ms_spectrum_destroy(&spectrum);
    if (dominance != expected || !(fabs(gap - gap_expected) <= 1e-8))
        fail_msg("%s with gap %.17g, not %s with %.17g", name_of(dominance), gap, name_of(expected),
                 gap_expected);
}

static void test_dominance(void **state)
{
    (void)state;
    standing(2, (const double[]){2.0, 1.0, 0.0, 1.0}, MS_DOMINANCE_SINGLE, 0.5);
    standing(2, (const double[]){0.0, -2.0, 2.0, 0.0}, MS_DOMINANCE_SINGLE, 1.0);
    standing(2, (const double[]){2.0, 0.0, 0.0, 2.0}, MS_DOMINANCE_SINGLE, 1.0);
    standing(2, (const double[]){2.0, 0.0, 0.0, -2.0}, MS_DOMINANCE_CLUSTERED, 0.0);
    standing(2, (const double[]){2.0, 1.0, 0.0, 2.0}, MS_DOMINANCE_DEFECTIVE, 1.0);
    standing(
        4, (const double[]){0.0, -1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0},
        MS_DOMINANCE_DEFECTIVE, 1.0);
    standing(1, (const double[]){0.0}, MS_DOMINANCE_SINGLE, 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spring_mass), cmocka_unit_test(test_rotation),
        cmocka_unit_test(test_static),      cmocka_unit_test(test_range),
        cmocka_unit_test(test_unsettled),   cmocka_unit_test(test_homogeneous_only),
        cmocka_unit_test(test_dominance),   cmocka_unit_test(test_nearly_equal),
        cmocka_unit_test(test_powers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
