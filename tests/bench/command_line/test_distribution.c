/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributions of random parameters: what is read, and their quantiles against the cumulative distributions of the C library. */
#include <math.h>
#include <string.h>

#include "distribution.h"
#include "unit_test.h"

static ms_distribution distribution_of(const char *text)
{
    ms_distribution d;
    ms_error error = {0};
    assert_true(ms_distribution_is(text));
    if (ms_distribution_read("--set k", text, &d, &error) != MS_OK)
        fail_msg("%s: %s", text, error.text);
    return d;
}

static double normal_cdf(double z)
{
    return 0.5 * erfc(-z / sqrt(2.0));
}

/* The share of all draws that are less than x. */
static double cdf(const ms_distribution *d, double x)
{
    switch (d->kind) {
    case MS_DISTRIBUTION_NORMAL:
        return normal_cdf((x - d->of[0]) / d->of[1]);
    case MS_DISTRIBUTION_LOGNORMAL:
        return normal_cdf((log(x) - d->of[0]) / d->of[1]);
    case MS_DISTRIBUTION_UNIFORM:
        return (x - d->of[0]) / (d->of[1] - d->of[0]);
    default:
        return log(x / d->of[0]) / log(d->of[1] / d->of[0]);
    }
}

static void quantiles_invert_the_distribution(void **state)
{
    static const char *const texts[] = {"normal(1e4,1e3)", "normal( -2 , 0.5 )", "lognormal(9.2,0.1)",
                                        "uniform(-1,3)", "loguniform(0.01,100)"};
    static const double at[] = {1e-9, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1.0 - 1e-9};
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        const ms_distribution d = distribution_of(texts[k]);
        for (size_t i = 0; i < sizeof at / sizeof at[0]; i++)
            if (!(fabs(cdf(&d, ms_distribution_quantile(&d, at[i])) - at[i]) <= 1e-12))
                fail_msg("%s: %g is not inverted", texts[k], at[i]);
    }
}

static void what_is_given_is_read(void **state)
{
    (void)state;
    const ms_distribution d = distribution_of("lognormal(-0.5, 2e-3)");
    assert_true(d.kind == MS_DISTRIBUTION_LOGNORMAL && d.of[0] == -0.5 && d.of[1] == 2e-3);
    assert_false(ms_distribution_is("1e4"));
    assert_false(ms_distribution_is("1:2:lin:3"));
    assert_false(ms_distribution_is("(1,2)"));
}

static void what_is_wrong_is_said(void **state)
{
    static const char *const wrong[][2] = {
        {"gauss(1,2)", "gauss is not a distribution; there are normal(MEAN,SD)"},
        {"Normal(1,2)", "is not a distribution"},
        {"normal(1,0)", "the standard deviation must be greater than 0"},
        {"lognormal(1,-1)", "the standard deviation must be greater than 0"},
        {"uniform(2,1)", "the first number must be less"},
        {"uniform(1,1)", "the first number must be less"},
        {"loguniform(0,1)", "both numbers must be greater than 0"},
        {"normal(1)", "must be normal(A,B)"},
        {"normal(1,2", "must be normal(A,B)"},
        {"normal(1,2,3)", "must be normal(A,B)"},
        {"normal(1,2),3", "must be normal(A,B)"},
        {"normal(a,2)", "must be normal(A,B)"},
        {"normal(1,inf)", "must be normal(A,B)"},
        {"normal()", "must be normal(A,B)"}};
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        ms_distribution d;
        ms_error error = {0};
        if (ms_distribution_read("--set k", wrong[k][0], &d, &error) != MS_INVALID ||
            strstr(error.text, wrong[k][1]) == NULL)
            fail_msg("%s: %s", wrong[k][0], error.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(quantiles_invert_the_distribution),
                                       cmocka_unit_test(what_is_given_is_read),
                                       cmocka_unit_test(what_is_wrong_is_said)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
