/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_system_scales.c - differences of one problem in units from 1e-12 to 1e12. In units of s it is
 *
 *     x' = v,  v' = -x - x^3/s^2 - 0.4 v + u (1 + u/(2 s))^2 / 2,      y = x v / s
 *
 * so that A, B, C are the same in all of them: at x = s, v = s/2, u = s those of x = 1, v = 1/2, u = 1. */
#include <math.h>
#include <string.h>

#include <macrostep/system.h>
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

static double s;

static int f(const ms_point *at, double *dx)
{
    const double x = at->x[0], v = at->x[1], u = at->u[0], more = 1.0 + u / (2.0 * s);
    dx[0] = v;
    dx[1] = -x - x * (x / s) * (x / s) - 0.4 * v + u * more * more / 2.0;
    return 0;
}

static int g(const ms_point *at, double *y)
{
    y[0] = at->x[0] * (at->x[1] / s);
    return 0;
}

static const double zero[2] = {0.0, 0.0};
static double start[2], nominal[2], inputs[1], nominal_inputs[1];

/* By hand: dv'/dx = -1 - 3 x^2 = -4; dv'/du = (1 + u/2)^2/2 + u (1 + u/2)/2 = 1.875; dy = (v, x). */
static void check(const ms_subsystem *sub, double tolerance)
{
    static const double A[] = {0.0, 1.0, -4.0, -0.4}, B[] = {0.0, 1.875}, C[] = {0.5, 1.0};
    double found[4 + 2 + 2 + 1], scratch[16];
    const double x[] = {s, 0.5 * s}, u[] = {s};
    ms_model model = SUPPORT_MODEL_OF("test", sub, 1, NULL, 0, .stop_time = 1.0, .step_size = 0.1);
    ms_system *system = support_system_of(&model);
    const ms_blocks m = {.A = found, .B = found + 4, .C = found + 6, .D = found + 8};
    ms_point at = {.x = x, .u = u};
    long evaluations = 0;
    assert_int_equal(ms_subsystem_jacobian(system, 0, &at, NULL, scratch, &m, &evaluations), 0);
    assert_int_equal(evaluations, 2 * (2 + 1) * 2); /* of f and of g */
    for (int k = 0; k < 4; k++)
        support_near(m.A[k], A[k], tolerance);
    for (int k = 0; k < 2; k++) {
        support_near(m.B[k], B[k], tolerance);
        support_near(m.C[k], C[k], tolerance);
    }
    support_near(m.D[0], 0.0, tolerance);
    ms_system_destroy(&system);
}

static void sizes_come_from_start_and_nominal_values(void **state)
{
    (void)state;
    const ms_subsystem plain = SUPPORT_SUBSYSTEM("duffing", 2, 1, 1, .f = f, .g = g);
    ms_subsystem sub;
    for (int k = -12; k <= 12; k += 3) {
        s = pow(10.0, k);
        start[0] = start[1] = nominal[0] = nominal[1] = inputs[0] = nominal_inputs[0] = s;
        sub = plain;
        sub.x0 = start;
        sub.u0 = inputs;
        check(&sub, 1e-9);
        start[1] = 0.0; /* of a size below 1 the others are as large */
        sub.u0 = NULL;
        check(&sub, k <= 0 ? 1e-9 : 1e-3);
        sub = plain;
        sub.x0 = zero;
        sub.x_nominal = nominal;
        sub.u_nominal = nominal_inputs;
        check(&sub, 1e-9);
    }
}

/* Where the states pass zero, |x| says nothing of their size. */
static void steps_do_not_vanish_with_a_state(void **state)
{
    (void)state;
    double found[4], scratch[16];
    const double x[] = {1e-15, -1e-17}, u[] = {0.0};
    s = 1.0;
    start[0] = start[1] = 1.0;
    ms_subsystem sub = SUPPORT_SUBSYSTEM("duffing", 2, 1, 1, .f = f, .g = g, .x0 = start);
    ms_model model = SUPPORT_MODEL_OF("test", &sub, 1, NULL, 0, .stop_time = 1.0, .step_size = 0.1);
    ms_system *system = support_system_of(&model);
    ms_point at = {.x = x, .u = u};
    const ms_blocks m = {.A = found};
    assert_int_equal(ms_subsystem_jacobian(system, 0, &at, NULL, scratch, &m, NULL), 0);
    support_near(found[2], -1.0, 1e-9);
    support_near(found[3], -0.4, 1e-9);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_come_from_start_and_nominal_values),
        cmocka_unit_test(steps_do_not_vanish_with_a_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
