/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_physics.c - the coupled models against equations that are written here by hand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include "coupled.h"
#include "support.h"
#include "unit_test.h"

static double parameter(const ms_system *system, const char *name)
{
    return system->p[ms_model_parameter(system->model, name)];
}

/* (6.24)-(6.26) with the loop solved by hand:
 * y1 = (c1 x1 + d1 c2 x2)/(1 - d1 d2), y2 = (d2 c1 x1 + c2 x2)/(1 - d1 d2). */
static void test_linear_pair(void **state)
{
    (void)state;
    const ms_model *model = ms_catalogue_find("linear-pair");
    const double rho[] = {0.9, 1.0, 1.1, 0.3, 0.1, 0.94868329805051380};
    assert_int_equal(model->n_cases, MS_COUNT(rho));
    for (int i = 0; i < model->n_cases; i++) {
        ms_system *system = support_system_of_case(model->name, model->cases[i].name, NULL, 0);
        const bool pyfmi = i == model->n_cases - 1;
        const double d1 = parameter(system, "d1"), d2 = parameter(system, "d2");
        const double a1 = pyfmi ? -0.9 : -1.0, b1 = pyfmi ? 0.5 : 1.0, c1 = pyfmi ? 3.0 : 1.0;
        const double b2 = pyfmi ? 10.0 : 3.0, c2 = pyfmi ? -31.0 : -5.0;
        double x[2], dx[2];
        support_near_relative(sqrt(fabs(d1 * d2)), rho[i], 1e-14, "rho(DL)", model->cases[i].name);
        ms_system_start(system, x);
        assert_true(x[0] == 1.0 && x[1] == 1.0);
        support_monolithic(system, x, dx);
        support_near_relative(dx[0], a1 + b1 * (d2 * c1 + c2) / (1.0 - d1 * d2), 1e-13, "x1'", model->name);
        support_near_relative(dx[1], -1.0 + b2 * (c1 + d1 * c2) / (1.0 - d1 * d2), 1e-13, "x2'", model->name);
        ms_system_destroy(&system);
    }
}

/* Case pyfmi at t = 1, by the exponential of its monolithic matrix in higher precision; with d2 = 1.1 PyFMI's test expects
 * held inputs of H = 5e-4 s to have left |x| = 100 behind at 0.3 s. */
static void pair_of_pyfmi(void **state)
{
    (void)state;
    ms_system *system = support_system_of_case("linear-pair", "pyfmi", NULL, 0);
    ms_system *unstable =
        support_system_of_case("linear-pair", "pyfmi", (const ms_setting[]){{"d2", 1.1}}, 1);
    double x[2];
    support_reference(system, 1.0, x);
    support_near(x[0], 0.08597640367353106, 1e-13);
    support_near(x[1], 0.008392664820374197, 1e-13);
    const ms_options options = support_options("step-size=5e-4 stop-time=0.3");
    const ms_run_result held = support_run(unstable, &options, x, NULL);
    assert_true(held.reason == MS_REASON_DIVERGED || fabs(x[0]) > 100.0);
    ms_system_destroy(&unstable);
    ms_system_destroy(&system);
}

/* The coupled subsystems are (6.84). */
static void test_mass_spring_damper(void **state)
{
    (void)state;
    const ms_setting masses[] = {{"m1", 1.5}, {"m2", 0.7}};
    ms_system *system = support_system_of_case("mass-spring-damper", NULL, masses, 2);
    double s[4], dx[4];
    ms_system_start(system, s);
    assert_true(s[0] == 1.0 && s[1] == 0.0 && s[2] == 1.0 && s[3] == 0.0);
    for (int n = 0; n < SUPPORT_COUPLED_POINTS; n++) {
        support_random_vector(s, 4);
        support_monolithic(system, s, dx);
        const double x1 = s[0], v1 = s[1], x2 = s[2], v2 = s[3];
        support_near_relative(dx[0], v1, 0.0, "x1'", system->model->name);
        support_near_relative(dx[2], v2, 0.0, "x2'", system->model->name);
        support_near_relative(1.5 * dx[1], -(10.0 + 25.0) * x1 - (1.0 + 0.1) * v1 + 25.0 * x2 + 0.1 * v2,
                              1e-13, "m1 x1''", system->model->name);
        support_near_relative(0.7 * dx[3], -(50.0 + 25.0) * x2 - (2.0 + 0.1) * v2 + 25.0 * x1 + 0.1 * v1,
                              1e-13, "m2 x2''", system->model->name);
    }
    ms_system_destroy(&system);
}

/* Accelerations of the double pendulum from Lagrange's equations in absolute angles a, b:
 *   (m1 + m2) l1^2 a'' + m2 l1 l2 cos(a - b) b'' = -m2 l1 l2 sin(a - b) b'^2 - (m1 + m2) g l1 sin a - d a'
 *   m2 l1 l2 cos(a - b) a'' + m2 l2^2 b''        =  m2 l1 l2 sin(a - b) a'^2 - m2 g l2 sin b */
static void lagrange(const ms_system *system, const double *s, double acceleration[2])
{
    const double m1 = parameter(system, "m1"), m2 = parameter(system, "m2"), g = parameter(system, "g");
    const double l1 = parameter(system, "l1"), l2 = parameter(system, "l2"), d = parameter(system, "d1");
    const double a = s[0], da = s[1], b = s[2], db = s[3];
    const double c = m2 * l1 * l2 * cos(a - b), r = m2 * l1 * l2 * sin(a - b);
    double M[] = {(m1 + m2) * l1 * l1, c, c, m2 * l2 * l2};
    acceleration[0] = -r * db * db - (m1 + m2) * g * l1 * sin(a) - d * da;
    acceleration[1] = r * da * da - m2 * g * l2 * sin(b);
    support_solve(2, M, acceleration);
}

static double pendulum_energy(const ms_system *system, const double *s)
{
    const double m1 = parameter(system, "m1"), m2 = parameter(system, "m2"), g = parameter(system, "g");
    const double l1 = parameter(system, "l1"), l2 = parameter(system, "l2");
    const double vx = l1 * s[1] * cos(s[0]) + l2 * s[3] * cos(s[2]),
                 vy = l1 * s[1] * sin(s[0]) + l2 * s[3] * sin(s[2]);
    return 0.5 * m1 * l1 * l1 * s[1] * s[1] + 0.5 * m2 * (vx * vx + vy * vy) -
           (m1 + m2) * g * l1 * cos(s[0]) - m2 * g * l2 * cos(s[2]);
}

/* The derivative of the energy along dx, by a central difference. */
static double power(const ms_system *system, double (*energy)(const ms_system *, const double *),
                    const double *x, const double *dx)
{
    const double step = 1e-5;
    double above[SUPPORT_COUPLED_SIZE], below[SUPPORT_COUPLED_SIZE];
    for (int i = 0; i < system->nx; i++) {
        above[i] = x[i] + step * dx[i];
        below[i] = x[i] - step * dx[i];
    }
    return (energy(system, above) - energy(system, below)) / (2.0 * step);
}

static void test_double_pendulum(void **state)
{
    (void)state;
    const ms_setting other[] = {{"m1", 0.8}, {"m2", 1.7}, {"l1", 1.3}, {"l2", 0.6}, {"d1", 0.9}};
    ms_system *damped = support_system_of_case("double-pendulum", NULL, other, MS_COUNT(other));
    ms_system *printed = support_system_of_case("double-pendulum", "as-printed", other, MS_COUNT(other));
    double s[4], dx[4], acceleration[2];
    ms_system_start(damped, s);
    assert_true(s[0] == -1.0 && s[1] == 0.0 && s[2] == 0.3 && s[3] == 0.0);
    for (int n = 0; n < SUPPORT_COUPLED_POINTS; n++) {
        support_random_vector(s, 4);
        support_monolithic(damped, s, dx);
        lagrange(damped, s, acceleration);
        support_near_relative(dx[1], acceleration[0], 1e-12, "alpha1''", "double-pendulum");
        support_near_relative(dx[3], acceleration[1], 1e-12, "alpha2''", "double-pendulum");
        support_near_relative(power(damped, pendulum_energy, s, dx), -0.9 * s[1] * s[1], 1e-6, "power",
                              "double-pendulum");
        support_monolithic(printed, s, dx);
        assert_true(fabs(dx[3] - acceleration[1]) > 1e-3 * fabs(s[1]));

        /* eigenvalues of D L: 0, 0, +-i r with r^2 = m2/m1 sin^2(alpha2 - alpha1) */
        double DL[16], u[4] = {0}, trace = 0.0, square = 0.0;
        support_loop_matrix(damped, s, u, DL);
        for (int i = 0; i < 4; i++) {
            trace += DL[5 * i];
            for (int j = 0; j < 4; j++)
                square += DL[4 * i + j] * DL[4 * j + i];
        }
        support_near_relative(trace, 0.0, 1e-14, "trace of DL", "double-pendulum");
        support_near_relative(square, -2.0 * 1.7 / 0.8 * pow(sin(s[2] - s[0]), 2), 1e-13, "trace of (DL)^2",
                              "double-pendulum");
    }
    ms_system_destroy(&damped);
    ms_system_destroy(&printed);
}

static void test_example_6_3_1(void **state)
{
    (void)state;
    ms_system *system = support_system_of_case("example-6.3.1", NULL, NULL, 0);
    double x[2], dx[2];
    ms_system_start(system, x);
    support_monolithic(system, x, dx);
    support_near_relative(dx[0], -2.0 * pow(2.0 + sin(2.0), 2), 1e-14, "x1'", system->model->name);
    support_near_relative(dx[1], 0.0, 1e-14, "x2'", system->model->name);
    assert_true(!system->feed_through[0] && system->feed_through[1] && !system->linear);
    ms_system_destroy(&system);
}

/* mc xc'' + mw xw'' is the force of the road alone: action and reaction of the suspension cancel, but not
 * as printed. */
static void test_quarter_car(void **state)
{
    (void)state;
    ms_system *physical = support_system_of_case("quarter-car", NULL, (const ms_setting[]){{"road", 0.2}}, 1);
    ms_system *printed = support_system_of_case("quarter-car", "as-printed", NULL, 0);
    assert_string_equal(physical->sub[0].name, "chassis");
    assert_string_equal(physical->sub[1].name, "wheel");
    assert_true(physical->sub[1].external_constant);
    double s[4] = {0.2, 0.0, 0.2, 0.0}, dx[4];
    support_monolithic(physical, s, dx);
    for (int i = 0; i < 4; i++)
        support_near_relative(dx[i], 0.0, 1e-12, "rate at rest", "quarter-car");
    for (int n = 0; n < SUPPORT_COUPLED_POINTS; n++) {
        support_random_vector(s, 4);
        const double suspension = 15000.0 * (s[2] - s[0]) + 1000.0 * (s[3] - s[1]);
        support_monolithic(physical, s, dx);
        support_near_relative(400.0 * dx[1], suspension, 1e-12, "force on the chassis", "quarter-car");
        support_near_relative(400.0 * dx[1] + 40.0 * dx[3], 150000.0 * (0.2 - s[2]), 1e-12,
                              "force of the road", "quarter-car");
        support_monolithic(printed, s, dx);
        support_near_relative(40.0 * dx[3], 150000.0 * (0.1 - s[2]) + suspension, 1e-12, "printed force",
                              "quarter-car");
    }
    ms_system_destroy(&physical);
    ms_system_destroy(&printed);
}

static void test_spring_mass(void **state)
{
    (void)state;
    const ms_setting settings[] = {{"m", 2.0}, {"c", 3.0}};
    ms_system *system = support_system_of_case("spring-mass", NULL, settings, 2);
    double x[2], dx[2];
    ms_system_start(system, x);
    support_near_relative(ms_system_energy(system, x), 1.5, 0.0, "energy", system->model->name);
    for (int n = 0; n < SUPPORT_COUPLED_POINTS; n++) {
        support_random_vector(x, 2);
        support_monolithic(system, x, dx);
        support_near_relative(dx[0], x[1], 0.0, "s'", system->model->name);
        support_near_relative(dx[1], -1.5 * x[0], 1e-14, "v'", system->model->name);
        support_near_relative(ms_system_energy(system, x), 1.5 * x[0] * x[0] + x[1] * x[1], 1e-14, "energy",
                              system->model->name);
        support_near_relative(power(system, ms_system_energy, x, dx), 0.0, 1e-9, "power",
                              system->model->name);
    }
    ms_system_destroy(&system);
}

static void test_moshagen_2x2(void **state)
{
    (void)state;
    const double A[2][4] = {{-1.0, 0.0, 1.0, -2.0}, {0.0, 1.0, -1.0, 0.0}};
    const char *const cases[] = {"one-directional", "mutual"};
    for (int i = 0; i < 2; i++) {
        ms_system *system = support_system_of_case("moshagen-2x2", cases[i], NULL, 0);
        double x[2], dx[2];
        ms_system_start(system, x);
        support_monolithic(system, x, dx);
        support_near_relative(dx[0], A[i][0] * 1.0 + A[i][1] * 0.5, 0.0, "x1'", cases[i]);
        support_near_relative(dx[1], A[i][2] * 1.0 + A[i][3] * 0.5, 0.0, "x2'", cases[i]);
        ms_system_destroy(&system);
    }
}

static void test_mass_chain(void **state)
{
    (void)state;
    for (int n = 1; n <= 5; n++) {
        const ms_setting settings[] = {{"masses", n}, {"m", 2.0}, {"k", 7.0}, {"d", 0.5}};
        ms_system *system = support_system_of_case("mass-chain", NULL, settings, MS_COUNT(settings));
        double s[12] = {0}, dx[10]; /* s[0], s[1]: the left wall */
        assert_int_equal(system->n, n);
        support_random_vector(s + 2, 2 * n);
        support_monolithic(system, s + 2, dx);
        for (int i = 1; i <= n; i++) {
            const double *left = s + 2 * i - 2, *own = s + 2 * i;
            const double right[2] = {i < n ? s[2 * i + 2] : 0.0, i < n ? s[2 * i + 3] : 0.0};
            const double force =
                7.0 * (left[0] - 2.0 * own[0] + right[0]) + 0.5 * (left[1] - 2.0 * own[1] + right[1]);
            support_near_relative(dx[2 * i - 2], own[1], 0.0, "x'", system->model->name);
            support_near_relative(2.0 * dx[2 * i - 1], force, 1e-13, "force", system->model->name);
        }
        ms_system_destroy(&system);
    }
    ms_system *longest =
        support_system_of_case("mass-chain", NULL, (const ms_setting[]){{"masses", 100000.0}}, 1);
    assert_int_equal(longest->nx, 200000);
    assert_int_equal(longest->row_at[longest->nu], 4 * 99999);
    assert_string_equal(longest->sub[99999].name, "mass100000");
    ms_system_destroy(&longest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_pair),        cmocka_unit_test(pair_of_pyfmi),
        cmocka_unit_test(test_mass_spring_damper), cmocka_unit_test(test_double_pendulum),
        cmocka_unit_test(test_example_6_3_1),      cmocka_unit_test(test_quarter_car),
        cmocka_unit_test(test_spring_mass),        cmocka_unit_test(test_moshagen_2x2),
        cmocka_unit_test(test_mass_chain),
    };
    return cmocka_run_group_tests_name("physics", tests, NULL, NULL);
}
