/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_step_map.c - one subsystem over one macro-step: what has a closed form, and what is no number. */
#include <math.h>

#include "status.h"
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
    assert_int_equal(ms_step_map_exact(&map, 1.0, work), MS_OK);
    support_near(E, exp(-1.0), 1e-15);
    support_near(S, 1.0 - exp(-1.0), 1e-15);
    for (int k = 0; k <= MS_STEP_MAP_DEGREE; k++) {
        support_near(G[k], k == 0 ? 1.0 - exp(-1.0) : 1.0 - k * G[k - 1], 1e-14);
        support_near(T[k], 1.0 / (k + 1) - G[k], 1e-14); /* x' = -x + s^k, from 0 */
    }
}

/* Infinite E without inputs; infinite G of a finite E. */
static void what_is_not_finite_is_told(void **state)
{
    (void)state;
    const double growth = 1e6, still = 0.0, strong = 1e308;
    double E, G, S, T;
    ms_step_map map = {.nx = 1, .nu = 0, .degree = 0, .A = &growth, .B = NULL, .E = &E, .G = &G};
    assert_int_equal(ms_step_map_exact(&map, 1.0, work), MS_SOLVER_FAILED);
    map = (ms_step_map){.nx = 1, .nu = 1, .degree = 0, .A = &still, .B = &strong, .E = &E, .G = &G};
    assert_int_equal(ms_step_map_exact(&map, 10.0, work), MS_SOLVER_FAILED);
    assert_int_equal(ms_step_map_exact(&map, 1.0, work), MS_OK);
    support_near(E, 1.0, 0.0);
    support_near(G, strong, 1e293);
    map.S = &S;
    map.T = &T;
    assert_int_equal(ms_step_map_exact(&map, 1.0, work), MS_OK);
    support_near(S, 1.0, 1e-15);
    support_near(T, 0.5 * strong, 1e293);
    for (int order = 1; order <= 4; order += 3)
        assert_int_equal(ms_step_map_runge_kutta(&map, 10.0, order, 1, work), MS_SOLVER_FAILED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_state_has_a_closed_form),
        cmocka_unit_test(what_is_not_finite_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
