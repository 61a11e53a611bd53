/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_explicit_loops.c - algebraic loops between outputs: solved ones are solved, corrected ones are one
 * Newton step, and equations that are linear give the same whether or not they are declared so. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

enum { OUTPUTS = 16 };

/* max |y - g(x, L y)| / (1 + max |y|) at the states where the co-simulation stands. */
static double residual(const ms_cosim *cosim, double t)
{
    const ms_system *s = cosim->system;
    double u[OUTPUTS], y[OUTPUTS];
    assert_true(s->nu <= OUTPUTS && s->ny <= OUTPUTS);
    ms_system_couple(s, cosim->y, u);
    for (int i = 0; i < s->n; i++)
        assert_int_equal(ms_instance_outputs(cosim->instance[i], t, u + s->u_at[i], NULL, y + s->y_at[i]), 0);
    return support_distance(s->ny, y, cosim->y);
}

static void check_solved(const char *model, const char *settings, const char *text, double H, int steps,
                         double tolerance)
{
    ms_system *system = support_system(model, settings);
    const ms_options options = support_options(text);
    ms_cosim *cosim = support_cosim(system, &options);
    if (ms_cosim_start(cosim) != MS_OK)
        fail_msg("%s %s: %s", model, settings, cosim->error.text);
    for (int n = 0; n <= steps; n++) {
        const double r = residual(cosim, n * H);
        if (!(r <= tolerance))
            fail_msg("%s %s %s: residual %g at step %d", model, settings, text, r, n);
        if (n < steps && ms_cosim_step(cosim, n * H, H) != MS_OK)
            fail_msg("%s %s: %s", model, settings, cosim->error.text);
    }
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
}

static void consistent_outputs_solve_the_loop(void **state)
{
    (void)state;
    support_variant variant;
    for (int k = 0; support_variant_at(k, &variant); k++) {
        char text[256];
        if (variant.outputs != MS_OUTPUTS_CONSISTENT)
            continue;
        check_solved("linear-pair", "d1=40 d2=-30", variant.text, 0.01, 20, 1e-13);
        check_solved("mass-spring-damper", "", variant.text, 0.01, 20, 1e-13);
        snprintf(text, sizeof text, "%s solver=rk4", variant.text);
        if (variant.analytic && variant.order == 2)
            continue;
        check_solved("double-pendulum", "", text, 0.005, 40, 1e-13);
        check_solved("example-6.3.1", "", text, 0.02, 40, 1e-13);
    }
}

/* Forces far from 1, where a bound on Newton's steps or an absolute tolerance would show. */
static void loops_of_any_size_are_solved(void **state)
{
    (void)state;
    static const char *const settings[] = {"g=1e-9",  "g=100",   "g=1e5",       "m2=1000",
                                           "m1=1000", "m1=1e-3", "m2=1e6 g=1e3"};
    for (int k = 0; k < MS_COUNT(settings); k++)
        check_solved("double-pendulum", settings[k], "outputs=consistent solver=rk4 step-size=1e-6", 1e-6, 5,
                     1e-9); /* round-off times |D L| */
}

/* Linear equations, declared and not declared ------------------------------------------------------------ */

enum { A, B, C, D };

static const double coefficient[2][4] = {{-1.0, 1.0, 1.0, 0.5}, {-1.0, 3.0, -5.0, -0.5}};

static void linear_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p;
    const double *c = data;
    m->A[0] = c[A];
    m->B[0] = c[B];
    m->C[0] = c[C];
    m->D[0] = c[D];
}

static int scalar_f(const ms_point *at, double *dx)
{
    const double *c = at->data;
    dx[0] = c[A] * at->x[0] + c[B] * at->u[0];
    return 0;
}

static int scalar_g(const ms_point *at, double *y)
{
    const double *c = at->data;
    y[0] = c[C] * at->x[0] + c[D] * at->u[0];
    return 0;
}

static int scalar_jacobian(const ms_point *at, const ms_blocks *m)
{
    if (m->A != NULL || m->B != NULL || m->C != NULL || m->D != NULL) {
        const double *c = at->data;
        double *const to[] = {m->A, m->B, m->C, m->D};
        for (int k = 0; k < 4; k++)
            if (to[k] != NULL)
                to[k][0] = c[k];
    }
    return 0;
}

#define SCALAR(subsystem, index, ...)                                                                        \
    SUPPORT_SUBSYSTEM(subsystem, 1, 1, 1, .x0 = support_one, .data = coefficient[index], __VA_ARGS__)
#define PAIR(array) SUPPORT_MODEL(#array, array, support_ring, .stop_time = 0.5, .step_size = 0.01)

static const ms_subsystem declared[] = {SCALAR("s1", 0, .matrices = linear_matrices),
                                        SCALAR("s2", 1, .matrices = linear_matrices)};
static const ms_subsystem undeclared[] = {
    SCALAR("s1", 0, .f = scalar_f, .g = scalar_g, .jacobian = scalar_jacobian),
    SCALAR("s2", 1, .f = scalar_f, .g = scalar_g, .jacobian = scalar_jacobian)};
static const ms_subsystem differenced[] = {SCALAR("s1", 0, .f = scalar_f, .g = scalar_g),
                                           SCALAR("s2", 1, .matrices = linear_matrices)};
static const ms_model models[] = {PAIR(declared), PAIR(undeclared), PAIR(differenced)};

static void linear_equations_need_not_be_declared_linear(void **state)
{
    (void)state;
    ms_system *system[3];
    for (int m = 0; m < 3; m++)
        system[m] = support_system_of(&models[m]);
    support_variant variant;
    for (int k = 0; support_variant_at(k, &variant); k++)
        for (int differences = 0; differences < 2; differences++) {
            double x[3][2], y[3][2];
            char text[256];
            if (variant.analytic && variant.order == 2 && differences == 0)
                continue;
            snprintf(text, sizeof text, "%s solver=rk4 micro-steps=2 output-derivatives=%s", variant.text,
                     differences ? "differences" : "exact");
            const ms_options options = support_options(text);
            for (int m = 0; m < 3; m++)
                support_finish(system[m], &options, x[m], y[m]);
            for (int m = 1; m < 3; m++) {
                const double off = fmax(support_distance(2, x[m], x[0]), support_distance(2, y[m], y[0]));
                /* second derivatives at the start and Jacobians come from differences */
                if (!(off <= (m == 2 || variant.order == 2 ? 1e-6 : 1e-12)))
                    fail_msg("%s, %s: off by %g", models[m].name, text, off);
            }
        }
    for (int m = 0; m < 3; m++)
        ms_system_destroy(&system[m]);
}

/* Algorithm 5, line 10 to 12 with the Jacobian at u-: z = g(x, u-) - D u-, (I - D L) y = z, by hand for
 * example 6.3.1, where D = diag(0, cos u2) and u2 = y1 = x1. */
static void corrected_outputs_are_one_newton_step(void **state)
{
    (void)state;
    ms_system *system = support_system("example-6.3.1", "");
    const ms_options options = support_options("outputs=corrected solver=rk4 step-size=0.02");
    ms_cosim *cosim = support_cosim(system, &options);
    assert_int_equal(ms_cosim_start(cosim), MS_OK);
    assert_true(fabs(cosim->y[1] - (2.0 + sin(2.0))) < 1e-14);
    for (int n = 0; n < 50; n++) {
        const double left = cosim->y[0]; /* u2, held over the step */
        assert_int_equal(ms_cosim_step(cosim, 0.02 * n, 0.02), MS_OK);
        const double y1 = cosim->x[0], raw = cosim->x[1] + sin(left);
        assert_true(fabs(cosim->y_raw[1] - raw) < 1e-14);
        assert_true(fabs(cosim->y[0] - y1) < 1e-15);
        assert_true(fabs(cosim->y[1] - (raw + cos(left) * (y1 - left))) < 1e-14);
        assert_true(fabs(cosim->y[1] - (cosim->x[1] + sin(y1))) > 1e-12); /* not the solution */
    }
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
}

/* Hard loops --------------------------------------------------------------------------------------------- */

/* y = x + u - p(u), p(u) = u^3 + a u + b: for a < 0 Newton meets turning points; one real solution at
 * least. */
static double cubic_a, cubic_b;

static int turn_f(const ms_point *at, double *dx)
{
    (void)at;
    dx[0] = 1.0;
    return 0;
}

static int cubic_g(const ms_point *at, double *y)
{
    const double u = at->u[0];
    y[0] = at->x[0] + u - (u * u * u + cubic_a * u + cubic_b);
    return 0;
}

static const ms_subsystem cubic[] = {SUPPORT_SUBSYSTEM("cubic", 1, 1, 1, .f = turn_f, .g = cubic_g),
                                     SUPPORT_SUBSYSTEM("pass", 0, 1, 1, .g = support_pass)};
static const ms_model cubic_model = PAIR(cubic);

static void loops_are_solved_or_refused_but_never_wrong(void **state)
{
    (void)state;
    unsigned long long seed = 21;
    int solved = 0, refused = 0;
    ms_system *system = support_system_of(&cubic_model);
    const ms_options options = support_options("outputs=consistent solver=rk4");
    for (int trial = 0; trial < 400; trial++) {
        cubic_a = -3.0 * fabs(support_random(&seed));
        cubic_b = 4.0 * support_random(&seed);
        ms_cosim *cosim = support_cosim(system, &options);
        int status = ms_cosim_start(cosim);
        for (int n = 0; n < 5 && status == MS_OK; n++) {
            const double r = residual(cosim, 0.25 * n);
            if (!(r <= 1e-7)) /* near turning points the solution is known to half the digits */
                fail_msg("a %g, b %g, step %d: residual %g of an accepted solution", cubic_a, cubic_b, n, r);
            status = ms_cosim_step(cosim, 0.25 * n, 0.25);
        }
        assert_true(status == MS_OK || status == MS_NO_SOLUTION);
        solved += status == MS_OK;
        refused += status != MS_OK;
        ms_cosim_destroy(&cosim);
    }
    assert_true(solved > 100 && refused > 0);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(consistent_outputs_solve_the_loop),
                                       cmocka_unit_test(loops_of_any_size_are_solved),
                                       cmocka_unit_test(linear_equations_need_not_be_declared_linear),
                                       cmocka_unit_test(corrected_outputs_are_one_newton_step),
                                       cmocka_unit_test(loops_are_solved_or_refused_but_never_wrong)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
