/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_andersson2016_6_1.c - growth in the limit H -> 0 of Andersson's section 6.1 against closed forms. */
#include <complex.h>
#include <math.h>
#include <stdio.h>

#include "andersson2016_6_1.h"
#include "support.h"
#include "unit_test.h"

/* (6.41): the larger modulus of lambda +- sqrt(lambda^2 - lambda). */
static double linear_growth(double complex lambda)
{
    const double complex root = csqrt(lambda * lambda - lambda);
    return fmax(cabs(lambda + root), cabs(lambda - root));
}

/* The eigenvalues of D L are +-lambda: the growth is that of the worse one. */
static void test_constant_and_linear(void **state)
{
    (void)state;
    for (int n = 1; n < 40; n++) {
        const double rho = 0.05 * n;
        const double complex imaginary = I * rho;
        support_near(ms_pair_growth(&ms_extrapolations[CONSTANT], 0.25 * rho, -4.0 * rho), rho, 1e-12);
        support_near(ms_pair_growth(&ms_extrapolations[CONSTANT], 2.0 * rho, 0.5 * rho), rho, 1e-12);
        support_near(ms_pair_growth(&ms_extrapolations[LINEAR], 0.25 * rho, -4.0 * rho),
                     fmax(linear_growth(imaginary), linear_growth(-imaginary)), 1e-12);
        support_near(ms_pair_growth(&ms_extrapolations[LINEAR], 2.0 * rho, 0.5 * rho),
                     fmax(linear_growth(rho), linear_growth(-rho)), 1e-12);
    }
}

/* Every growth solves mu^m = lambda sum_k w_k mu^{m-1-k} with |lambda| = rho, and on the boundary |mu| =
 * 1: for real lambda at mu = -1; for imaginary ones lambda = mu^3 / (3 mu^2 - 3 mu + 1) and its like have
 * no real part. */
static void test_bounds(void **state)
{
    (void)state;
    support_near(ms_pair_critical_rho(&ms_extrapolations[CONSTANT], true), 1.0, 1e-9);
    support_near(ms_pair_critical_rho(&ms_extrapolations[CONSTANT], false), 1.0, 1e-9);
    support_near(ms_pair_critical_rho(&ms_extrapolations[LINEAR], false), 1.0 / 3.0, 1e-9);
    support_near(ms_pair_critical_rho(&ms_extrapolations[PARABOLA], false), 1.0 / 7.0, 1e-9);
    support_near(ms_pair_critical_rho(&ms_extrapolations[QUADRATIC_AS_PRINTED], false), 1.0 / 5.0, 1e-9);
    /* 2 cos(theta) = cos(2 theta): cos(theta) = (1 - sqrt 3) / 2, |lambda| = 1 / |2 mu - 1| */
    support_near(ms_pair_critical_rho(&ms_extrapolations[LINEAR], true), 1.0 / sqrt(3.0 + 2.0 * sqrt(3.0)),
                 1e-9);
    for (int k = PARABOLA; k <= QUADRATIC_AS_PRINTED; k++) {
        const double rho = ms_pair_critical_rho(&ms_extrapolations[k], true);
        const double *w = ms_extrapolations[k].w;
        double nearest = INFINITY;
        for (int n = 0; n <= 100000; n++) {
            const double complex mu = cexp(I * acos(-1.0) * n / 100000.0);
            const double complex lambda = mu * mu * mu / (w[0] * mu * mu + w[1] * mu + w[2]);
            nearest = fmin(nearest, cabs(lambda - I * rho));
        }
        support_near(nearest, 0.0, 1e-4);
    }
}

/* Weights reproduce what they extrapolate: constants, lines, and the parabola quadratics. */
static void test_weights(void **state)
{
    (void)state;
    for (int k = CONSTANT; k < EXTRAPOLATIONS; k++) {
        double moment[3] = {0.0, 0.0, 0.0};
        for (int j = 0; j < ms_extrapolations[k].n; j++)
            for (int power = 0; power < 3; power++)
                moment[power] += ms_extrapolations[k].w[j] * pow(-j, power);
        support_near(moment[0], 1.0, 1e-15);
        if (k >= LINEAR)
            support_near(moment[1], 1.0, 1e-15);
        support_near(moment[2],
                     k == PARABOLA               ? 1.0
                     : k == QUADRATIC_AS_PRINTED ? 0.0
                     : k == LINEAR               ? -1.0
                                                 : 0.0,
                     1e-14);
    }
}

static void test_pair(void **state)
{
    (void)state;
    const double x[2] = {0.7, -0.2};
    double y[2];
    ms_pair_outputs(0.3, -1.7, x, y);
    support_near(y[0], x[0] + 0.3 * y[1], 1e-15);
    support_near(y[1], -5.0 * x[1] - 1.7 * y[0], 1e-15);
    support_near(ms_pair_psi_radius(0.3, -2.7, 0.0), 1.0, 1e-12);
    support_near(ms_pair_psi_radius(0.5, -8.0, 0.0), 2.0, 1e-12);
    support_near(log(ms_pair_psi_radius(0.25, -4.0, 1e-5)) / 1e-5, (15.0 * 0.25 + 4.0) / 4.0, 1e-3);
    support_near(log(ms_pair_psi_radius(1.0, -1.0, 1e-5)) / 1e-5, 4.0, 1e-3);
    assert_true(isnan(ms_extrapolation_growth(&ms_extrapolations[CONSTANT], 100, NULL)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constant_and_linear),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
