/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_van_der_pol.c - van-der-pol against its printed form and the literature's series of its period and
 * amplitude. */
#include <gsl/gsl_sf_airy.h>
#include <math.h>
#include <stdio.h>

#include "integration.h"
#include "support.h"
#include "unit_test.h"

static const double pi = 3.14159265358979323846;

/* (9.1) in its own order, x1 = x', x2 = x, with the input of Example 9.1.4. */
static void printed(double t, const double x[2], double dx[2])
{
    dx[0] = 20.0 * ((1.0 - x[1] * x[1]) * x[0] - x[1]) + 100.0 * sin(30.0 * t);
    dx[1] = x[0];
}

static void printed_step(double t, double h, double x[2])
{
    double k[4][2], y[2];
    const double at[4] = {0.0, 0.5, 0.5, 1.0};
    for (int s = 0; s < 4; s++) {
        for (int j = 0; j < 2; j++)
            y[j] = s == 0 ? x[j] : x[j] + at[s] * h * k[s - 1][j];
        printed(t + at[s] * h, y, k[s]);
    }
    for (int j = 0; j < 2; j++)
        x[j] += h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
}

static void test_van_der_pol_orders(void **state)
{
    (void)state;
    ms_system *system = support_system("van-der-pol", "case=forced");
    ms_integration run =
        support_integration(system, "solver=cvode-adams solver-rtol=1e-11 solver-atol=1e-11", 100, false);
    double x[2] = {-0.6, 2.0};
    assert_int_equal(run.trajectory.rows, 101);
    for (int n = 0; n < 100; n++) {
        const double *row = ms_run_series_row(&run.trajectory, n);
        support_near(row[2], x[1], 1e-7);
        support_near(row[3], x[0], 1e-6);
        support_near(row[4], 100.0 * sin(30.0 * row[0]), 1e-12);
        for (int k = 0; k < 400; k++)
            printed_step(0.02 * n + 5e-5 * k, 5e-5, x);
    }
    ms_integration_destroy(&run);
    ms_system_destroy(&system);
}

/* Time between the last two upward zeros of x, and the largest |x| between them. */
static double period(double mu, double stop, double *amplitude)
{
    char options[160];
    const ms_setting setting = {"mu", mu};
    ms_system *system = support_system_with("van-der-pol", &setting, 1);
    snprintf(options, sizeof options, "solver=arkode-dirk solver-rtol=1e-11 solver-atol=1e-11 stop-time=%g",
             stop);
    ms_integration run = support_integration(system, options, 400000, false);
    double last = NAN, before = NAN, high = 0.0;
    *amplitude = 0.0;
    assert_int_equal(run.reason, MS_REASON_END_TIME);
    for (long n = 1; n < run.trajectory.rows; n++) {
        const double *a = ms_run_series_row(&run.trajectory, n - 1),
                     *b = ms_run_series_row(&run.trajectory, n);
        high = fmax(high, fabs(b[2]));
        if (a[2] < 0.0 && b[2] >= 0.0) {
            *amplitude = high;
            high = 0.0;
            before = last;
            last = a[0] - a[2] * (b[0] - a[0]) / (b[2] - a[2]);
        }
    }
    ms_integration_destroy(&run);
    ms_system_destroy(&system);
    return last - before;
}

/* Andersen and Geer, SIAM J. Appl. Math. 42 (1982): power series of frequency and amplitude in the stiffness.
 * */
static void test_van_der_pol_mild_period(void **state)
{
    (void)state;
    const double e2 = 0.25; /* mu = m^2 */
    const double frequency = 1.0 + e2 * (-1.0 / 16.0 + e2 * (17.0 / 3072.0 + e2 * 35.0 / 884736.0));
    double amplitude;
    support_near(period(e2, 200.0, &amplitude), 2.0 * pi / (frequency * sqrt(e2)), 2e-5);
    support_near(amplitude, 2.0 + e2 / 96.0 - 1033.0 * e2 * e2 / 552960.0, 2e-6);
}

/* Dorodnicyn (1947): T = (3 - 2 ln 2) m + 3 alpha m^(-1/3) + O(ln(m) / m), a = 2 + alpha/3 m^(-4/3) +
 * O(ln(m) / m^2), alpha the first zero of Airy's function. */
static void test_van_der_pol_stiff_period(void **state)
{
    (void)state;
    const double mu[2] = {2000.0, 32000.0}, alpha = -gsl_sf_airy_zero_Ai(1);
    double rest[2] = {NAN, NAN}, amplitude;
    for (int k = 0; k < 2; k++) {
        const double m = sqrt(mu[k]), expected = (3.0 - 2.0 * log(2.0)) * m + 3.0 * alpha / cbrt(m);
        rest[k] = (m * period(mu[k], 5.0, &amplitude) - expected) * m / log(m);
        support_near(amplitude, 2.0 + alpha / 3.0 * pow(m, -4.0 / 3.0), log(m) / (m * m));
        support_near(rest[k], 0.0, 2.0);
    }
    support_near(rest[1], rest[0], 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_van_der_pol_orders),
        cmocka_unit_test(test_van_der_pol_mild_period),
        cmocka_unit_test(test_van_der_pol_stiff_period),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
