/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_step_map.c - one subsystem over one macro-step: what has a closed form, and what is no number. */
#include <math.h>

#include <macrostep/solver_registry.h>
#include <macrostep/status.h>
#include "step_map.h"
#include "support.h"
#include "unit_test.h"

enum { WORK = 4000 };
static double work[WORK];

/* x' = -x + u tau^k: E = 1/e, G_k = int_0^1 e^(s - 1) s^k ds = 1 - k G_{k-1}; means m = u's mean - change of x. */
static void one_state_has_a_closed_form(void **state)
{
    (void)state;
    const double A = -1.0, B = 1.0;
    double E, G[MS_STEP_MAP_DEGREE + 1], S, T[MS_STEP_MAP_DEGREE + 1];
    const ms_step_map map = {
        .nx = 1, .nu = 1, .degree = MS_STEP_MAP_DEGREE, .A = &A, .B = &B, .E = &E, .G = G, .S = &S, .T = T};
    assert_true(ms_step_map_work(1, 1) <= WORK);
    assert_int_equal(ms_step_map_fill(&map, 1.0, NULL, 1, work), MS_OK);
    support_near(E, exp(-1.0), 1e-15);
    support_near(S, 1.0 - exp(-1.0), 1e-15);
    for (int k = 0; k <= MS_STEP_MAP_DEGREE; k++) {
        support_near(G[k], k == 0 ? 1.0 - exp(-1.0) : 1.0 - k * G[k - 1], 1e-14);
        support_near(T[k], 1.0 / (k + 1) - G[k], 1e-14); /* x' = -x + s^k, from 0 */
    }
}

/* x' = v, v' = -k x - d v + u over h, by the roots r of r^2 + d r + k = 0, real and apart: x of E and of a constant u. Units in
 * which positions are huge beside velocities, or a fast mode that settles at once, leave the slow one as it is. */
static void damped_out(double k, double d, double h)
{
    const double A[] = {0.0, 1.0, -k, -d}, B[] = {0.0, 1.0};
    double E[4], G[2];
    const ms_step_map map = {.nx = 2, .nu = 1, .degree = 0, .A = A, .B = B, .E = E, .G = G};
    const double fast = -0.5 * (d + sqrt(d * d - 4.0 * k)), slow = k / fast, apart = slow - fast;
    const double s = exp(slow * h), f = exp(fast * h);
    assert_int_equal(ms_step_map_fill(&map, h, NULL, 1, work), MS_OK);
    support_near(E[0], (slow * f - fast * s) / apart, 1e-14);
    support_near(E[1] * apart, s - f, 1e-14);
    support_near(E[2] / k * apart, f - s, 1e-14);
    support_near(E[3], (slow * s - fast * f) / apart, 1e-14);
    support_near(G[0] * k, 1.0 - (slow * f - fast * s) / apart, 1e-14);
}

/* The same without damping: sines and cosines of an angle whose round-off is its own. */
static void oscillating(double omega, double h)
{
    const double A[] = {0.0, 1.0, -omega * omega, 0.0}, angle = omega * h, off = 1e-15 * (1.0 + angle);
    double E[4], G[1];
    const ms_step_map map = {.nx = 2, .nu = 0, .degree = 0, .A = A, .B = NULL, .E = E, .G = G};
    assert_int_equal(ms_step_map_fill(&map, h, NULL, 1, work), MS_OK);
    support_near(E[0], cos(angle), off);
    support_near(E[1] * omega, sin(angle), off);
    support_near(E[2] / omega, -sin(angle), off);
    support_near(E[3], cos(angle), off);
}

static void units_and_fast_modes_decide_nothing(void **state)
{
    (void)state;
    for (double d = 1e6; d < 1e30; d *= 1e3)
        damped_out(1e3 * d, d, 1e-3);
    for (int power = 4; power <= 40; power += 4) /* omega and its square are exact */
        oscillating(ldexp(1.0, power), ldexp(1.0, power < 10 ? 0 : 10 - power));
    for (int power = 10; power <= 26; power += 4)
        oscillating(ldexp(1.0, power), 1.0);
}

/* Infinite E without inputs; infinite G of a finite E. */
static void what_is_not_finite_is_told(void **state)
{
    (void)state;
    const double growth = 1e6, still = 0.0, strong = 1e308;
    double E, G, S, T;
    ms_step_map map = {.nx = 1, .nu = 0, .degree = 0, .A = &growth, .B = NULL, .E = &E, .G = &G};
    assert_int_equal(ms_step_map_fill(&map, 1.0, NULL, 1, work), MS_SOLVER_FAILED);
    map = (ms_step_map){.nx = 1, .nu = 1, .degree = 0, .A = &still, .B = &strong, .E = &E, .G = &G};
    assert_int_equal(ms_step_map_fill(&map, 10.0, NULL, 1, work), MS_SOLVER_FAILED);
    assert_int_equal(ms_step_map_fill(&map, 1.0, NULL, 1, work), MS_OK);
    support_near(E, 1.0, 0.0);
    support_near(G, strong, 1e293);
    map.S = &S;
    map.T = &T;
    assert_int_equal(ms_step_map_fill(&map, 1.0, NULL, 1, work), MS_OK);
    support_near(S, 1.0, 1e-15);
    support_near(T, 0.5 * strong, 1e293);
    for (const ms_solver *const *solver = ms_solvers; *solver != NULL; solver++)
        if ((*solver)->method != NULL)
            assert_int_equal(ms_step_map_fill(&map, 10.0, (*solver)->method, 1, work), MS_SOLVER_FAILED);
}

/* 1 + z + .. + z^order/order!, the stability function of a method with as many stages as its order. */
static double truncated_exponential(double z, int order)
{
    double sum = 1.0;
    for (int k = order; k > 0; k--)
        sum = 1.0 + z / k * sum;
    return sum;
}

/* Of x' = z x + u, s' = x; and with z = 0, where a step is a quadrature: u = theta^k is integrated exactly for k < order, and x = theta of
 * u = 1 in the mean from order 2 on. */
static void tableaux_have_their_stability_function_and_quadrature(void **state)
{
    (void)state;
    int methods = 0;
    for (const ms_solver *const *solver = ms_solvers; *solver != NULL; solver++) {
        const ms_runge_kutta *method = (*solver)->method;
        if (method == NULL)
            continue;
        const int order = (*solver)->order, n = 3;
        const double B = 1.0;
        double A = -1.7, E, G[MS_STEP_MAP_DEGREE + 1], S, T[MS_STEP_MAP_DEGREE + 1],
               mean[MS_STEP_MAP_DEGREE + 1];
        const ms_step_map map = {.nx = 1,
                                 .nu = 1,
                                 .degree = MS_STEP_MAP_DEGREE,
                                 .A = &A,
                                 .B = &B,
                                 .E = &E,
                                 .G = G,
                                 .S = &S,
                                 .T = T};
        methods++;
        assert_int_equal(method->stages, order);
        assert_int_equal(ms_step_map_fill(&map, 1.0, method, n, work), MS_OK);
        support_near(E, pow(truncated_exponential(A / n, order), n), 1e-15);
        A = 0.0;
        assert_int_equal(ms_step_map_fill(&map, 1.0, method, n, work), MS_OK);
        ms_step_map_mean(MS_STEP_MAP_DEGREE, method, n, mean);
        for (int k = 0; k < order && k <= MS_STEP_MAP_DEGREE; k++) {
            support_near(G[k], 1.0 / (k + 1), 1e-15);
            support_near(mean[k], 1.0 / (k + 1), 1e-15);
        }
        support_near(T[0], order > 1 ? 0.5 : (n - 1.0) / (2 * n), 1e-15);
    }
    assert_true(methods >= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_state_has_a_closed_form),
        cmocka_unit_test(units_and_fast_modes_decide_nothing),
        cmocka_unit_test(what_is_not_finite_is_told),
        cmocka_unit_test(tableaux_have_their_stability_function_and_quadrature),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
