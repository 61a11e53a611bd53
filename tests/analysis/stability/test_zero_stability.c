/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_zero_stability.c - the spectral radius in the limit H -> 0 of two subsystems that feed through to each other by d and -d, so that D L has
 * the eigenvalues +-i d. Inputs extrapolated by u_{n+1} = sum w_k u_{n-k} have mu^{k+1} = i d (w_0 mu^k + .. + w_k):
 *
 *     order 0     |mu| = d
 *     order 1     mu = i d +- sqrt(-d^2 - i d) */
#include <complex.h>
#include <math.h>
#include <stdio.h>

#include "support.h"
#include "unit_test.h"
#include "zero_stability.h"

static const double d = 0.6;

static double of_order_1(void)
{
    const double complex root = csqrt(-d * d - I * d);
    return fmax(cabs(I * d + root), cabs(I * d - root));
}

static const char matrices[] =
    "{\"subsystems\": [{\"name\": \"a\", \"A\": [[-1]], \"B\": [[1]], \"C\": [[1]], \"D\": [[0.6]], \"x0\": "
    "[1]},"
    "{\"name\": \"b\", \"A\": [[-2]], \"B\": [[1]], \"C\": [[1]], \"D\": [[-0.6]], \"x0\": [1]}],"
    "\"wires\": [{\"from\": \"a.y1\", \"to\": \"b.u1\"}, {\"from\": \"b.y1\", \"to\": \"a.u1\"}],"
    "\"end\": 1, \"step_size\": 0.05}";

static const char equations[] =
    "{\"subsystems\": [{\"name\": \"a\", \"inputs\": [\"u\"], \"outputs\": {\"y\": \"sin(x) + 0.6*u\"},"
    "\"states\": {\"x\": {\"derivative\": \"-x^3 + u\", \"start\": 1}}},"
    "{\"name\": \"b\", \"inputs\": [\"u\"], \"outputs\": {\"y\": \"x - 0.6*u\"},"
    "\"states\": {\"x\": {\"derivative\": \"-2*sin(x) + u\", \"start\": 1}}}],"
    "\"wires\": [{\"from\": \"a.y\", \"to\": \"b.u\"}, {\"from\": \"b.y\", \"to\": \"a.u\"}],"
    "\"end\": 1, \"step_size\": 0.05}";

static double radius_of(const char *json, const char *text)
{
    ms_model *model = support_model_read(json);
    ms_system *system = support_system_of(model);
    const ms_options options = support_options(text);
    ms_error error = {""};
    double radius = NAN;
    if (ms_zero_stability_radius(system, &options, 100, &radius, &error) != MS_OK)
        fail_msg("%s", error.text);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
    return radius;
}

static void radii_are_those_of_the_closed_form(void **state)
{
    (void)state;
    static const char *const systems[] = {matrices, equations};
    for (int k = 0; k < MS_COUNT(systems); k++) {
        support_near(radius_of(systems[k], ""), 1.0, 1e-6); /* the states: 0.6 is less */
        support_near(radius_of(systems[k], "extrapolation-order=1"), of_order_1(), 1e-5);
        support_near(radius_of(systems[k], "extrapolation-order=1 solver=cvode-bdf"), of_order_1(), 1e-5);
        support_near(radius_of(systems[k], "extrapolation-order=1 outputs=corrected"), 1.0, 1e-6);
        support_near(radius_of(systems[k], "scheme=ifosmondi"), 1.0, 1e-6);
        /* there is no formula: one sub-step is jacobi */
        support_near(radius_of(systems[k], "scheme=multirate extrapolation-order=1"), of_order_1(), 1e-5);
    }
    assert_true(ms_zero_stability_lost(of_order_1()));
    assert_false(ms_zero_stability_lost(1.0) || ms_zero_stability_lost(NAN));
}

static void where_there_is_none_it_says_so(void **state)
{
    (void)state;
    assert_true(isnan(radius_of(matrices, "error-controlled=richardson")));
    assert_true(isnan(radius_of(matrices, "scheme=stabilised"))); /* is not linear */
    ms_system *large = support_system("mass-chain", "");
    const ms_options options = support_options("");
    double radius = 0.0;
    assert_int_equal(ms_zero_stability_radius(large, &options, 1, &radius, NULL), MS_OK);
    assert_true(isnan(radius));
    ms_system_destroy(&large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(radii_are_those_of_the_closed_form),
                                       cmocka_unit_test(where_there_is_none_it_says_so)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
