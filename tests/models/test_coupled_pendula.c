/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_coupled_pendula.c - the pendula and their spring against equations that are written here by hand. */
#include <math.h>
#include <string.h>

#include "coupled.h"
#include "monolithic.h"
#include "support.h"
#include "unit_test.h"

enum { THETA1, OMEGA1, THETA2, OMEGA2, EX, EY, STATES };

static const double M = 1.3, L = 0.8, G = 9.7, K = 250.0, REST = 0.6, DISTANCE = 0.7;

static const char *const other = "m=1.3 l=0.8 g=9.7 k=250 rest_length=0.6 distance=0.7";

/* The vector between the bobs for the angles in s. */
static void place_spring(double *s)
{
    s[EX] = DISTANCE + L * sin(s[THETA2]) - L * sin(s[THETA1]);
    s[EY] = L * cos(s[THETA1]) - L * cos(s[THETA2]);
}

static double potential(double theta1, double theta2)
{
    double s[STATES] = {[THETA1] = theta1, [THETA2] = theta2};
    place_spring(s);
    const double stretch = sqrt(s[EX] * s[EX] + s[EY] * s[EY]) - REST;
    return M * G * L * (2.0 - cos(theta1) - cos(theta2)) + 0.5 * K * stretch * stretch;
}

/* m l^2 theta'' = -dV/dtheta, by central differences of the potential alone. */
static void test_equations(void **state)
{
    (void)state;
    ms_system *system = support_system("coupled-pendula", other);
    double s[STATES], dx[STATES];
    const double step = 1e-5;
    for (int n = 0; n < SUPPORT_COUPLED_POINTS; n++) {
        support_random_vector(s, STATES);
        place_spring(s);
        support_monolithic(system, s, dx);
        const double slope1 = (potential(s[0] + step, s[2]) - potential(s[0] - step, s[2])) / (2.0 * step),
                     slope2 = (potential(s[0], s[2] + step) - potential(s[0], s[2] - step)) / (2.0 * step);
        support_near_relative(dx[THETA1], s[OMEGA1], 0.0, "theta1'", "coupled-pendula");
        support_near_relative(dx[THETA2], s[OMEGA2], 0.0, "theta2'", "coupled-pendula");
        support_near_relative(M * L * L * dx[OMEGA1], -slope1, 1e-7, "torque on the left", "coupled-pendula");
        support_near_relative(M * L * L * dx[OMEGA2], -slope2, 1e-7, "torque on the right",
                              "coupled-pendula");
        support_near_relative(ms_system_energy(system, s),
                              potential(s[0], s[2]) + 0.5 * M * L * L * (s[1] * s[1] + s[3] * s[3]), 1e-14,
                              "energy", "coupled-pendula");
    }
    ms_system_destroy(&system);
}

/* Of the chosen case: the spring is half compressed between parallel pendula. */
static void test_start(void **state)
{
    (void)state;
    ms_system *system = support_system("coupled-pendula", "case=stiff");
    double s[STATES];
    ms_system_start(system, s);
    const double expected[STATES] = {0.5, 0.0, 0.5, 0.0, 0.5, 0.0};
    for (int j = 0; j < STATES; j++)
        support_near(s[j], expected[j], 0.0);
    support_near(ms_system_energy(system, s), 2.0 * 9.81 * (1.0 - cos(0.5)) + 0.5 * 1000.0 * 0.25, 1e-12);
    ms_system_destroy(&system);

    system =
        support_system("coupled-pendula", "l=0.8 distance=0.7 theta1=0.4 omega1=-1 theta2=-0.9 omega2=2");
    double placed[STATES] = {0.4, -1.0, -0.9, 2.0};
    place_spring(placed);
    ms_system_start(system, s);
    for (int j = 0; j < STATES; j++)
        support_near(s[j], placed[j], 1e-15);
    ms_system_destroy(&system);
}

/* Energy and the two invariants along the monolithic solution; with an excitation the energy does change. */
static void test_conservation(void **state)
{
    (void)state;
    static const char *const settings[] = {"case=stiff", "case=stiff excitation=2"};
    for (int excited = 0; excited < 2; excited++) {
        ms_system *system = support_system("coupled-pendula", settings[excited]);
        double s[STATES], end[STATES];
        ms_system_start(system, s);
        support_reference(system, 1.7, end);
        const double change = fabs(ms_system_energy(system, end) - ms_system_energy(system, s));
        assert_true(excited ? change > 0.1 : change < 1e-9);
        support_near(end[EX], 0.5 + sin(end[THETA2]) - sin(end[THETA1]), 1e-10);
        support_near(end[EY], cos(end[THETA1]) - cos(end[THETA2]), 1e-10);
        ms_system_destroy(&system);
    }
}

static void test_excitation(void **state)
{
    (void)state;
    ms_system *system = support_system("coupled-pendula", "excitation=3 frequency=2 m=2 l=0.5");
    const double x[] = {0.3, 0.0}, u[] = {0.0, 0.0};
    double w[1], dx[2];
    ms_point at = {.t = 0.125, .x = x, .u = u};
    assert_int_equal(ms_subsystem_f(system, 0, &at, w, dx), 0);
    support_near(w[0], 3.0, 1e-14);
    support_near(dx[1], (-9.81 * sin(0.3) + 3.0 / 2.0 * cos(0.3)) / 0.5, 1e-13);
    ms_system_destroy(&system);
}

/* Hanging with an unloaded spring is an equilibrium, and small motions are its two modes. */
static void test_modes(void **state)
{
    (void)state;
    static const struct {
        const char *settings;
        double square; /* of the angular frequency */
    } modes[] = {
        {"case=soft theta1=1e-5 theta2=1e-5 g=9.81 l=0.7 m=1.2 k=30", 9.81 / 0.7},
        {"case=soft theta1=1e-5 theta2=-1e-5 g=9.81 l=0.7 m=1.2 k=30", 9.81 / 0.7 + 2.0 * 30.0 / 1.2}};
    ms_system *rest = support_system("coupled-pendula", "case=soft theta1=0 theta2=0");
    double s[STATES], dx[STATES];
    ms_system_start(rest, s);
    support_monolithic(rest, s, dx);
    for (int j = 0; j < STATES; j++)
        support_near(dx[j], 0.0, 0.0);
    ms_system_destroy(&rest);
    for (int k = 0; k < MS_COUNT(modes); k++) {
        ms_system *system = support_system("coupled-pendula", modes[k].settings);
        const double omega = sqrt(modes[k].square), t = 1.3;
        support_reference(system, t, s);
        support_near(s[THETA1], 1e-5 * cos(omega * t), 1e-9);
        support_near(s[OMEGA1], -1e-5 * omega * sin(omega * t), 1e-8);
        support_near(s[THETA2], k == 0 ? s[THETA1] : -s[THETA1], 1e-9);
        ms_system_destroy(&system);
    }
}

/* The split pendula tend to the monolithic ones, with the order of the extrapolation plus one. */
static void test_split(void **state)
{
    (void)state;
    ms_system *system = support_system("coupled-pendula", "case=soft");
    double reference[STATES], x[STATES];
    support_reference(system, 1.0, reference);
    for (int order = 0; order <= 1; order++) {
        double error[2];
        for (int k = 0; k < 2; k++) {
            ms_options options = support_options("stop-time=1 solver=gsl-rk8pd solver-rtol=1e-12");
            options.extrapolation.order = order;
            options.step_size = k == 0 ? 1e-3 : 5e-4;
            support_finish(system, &options, x, NULL);
            error[k] = support_distance(STATES, x, reference);
        }
        support_near(log2(error[0] / error[1]), order + 1.0, 0.15);
    }
    ms_system_destroy(&system);
}

/* f and g say where the spring has no direction. */
static void test_domain(void **state)
{
    (void)state;
    ms_system *system = support_system("coupled-pendula", NULL);
    const double x[] = {0.0, 0.0}, u[4] = {0.0};
    double y[4], C[8], w[1], scratch[64];
    ms_point at = {.x = x, .u = u};
    assert_true(ms_subsystem_g(system, 2, &at, w, y) > 0);
    assert_true(ms_subsystem_jacobian(system, 2, &at, w, scratch, &(ms_blocks){.C = C}, NULL) > 0);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_equations),    cmocka_unit_test(test_start),
                                       cmocka_unit_test(test_conservation), cmocka_unit_test(test_excitation),
                                       cmocka_unit_test(test_modes),        cmocka_unit_test(test_split),
                                       cmocka_unit_test(test_domain)};
    return cmocka_run_group_tests_name("coupled pendula", tests, NULL, NULL);
}
