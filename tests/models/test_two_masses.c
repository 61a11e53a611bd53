/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_two_masses.c - two-masses-springs-dampers against closed forms and runs that are joined by hand. */
#include <stdio.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/cosim_create.h>
#include "extended_exponential.h"
#include "support.h"
#include "unit_test.h"

static const double pi = 3.14159265358979323846;

static void test_masses_as_printed(void **state)
{
    (void)state;
    static const struct {
        const char *name, *unit;
        double value;
    } printed[] = {{"c1", "N/m", 1e3},         {"d1", "N s/m", 1e3}, {"c2", "N/m", 1e3},
                   {"d2", "N s/m", 0.0},       {"c3", "N/m", 1e3},   {"d3", "N s/m", 1e3},
                   {"m1", "kg", 1e3},          {"m2", "kg", 1e3},    {"x1_start", "m", -1.0},
                   {"change_time", "s", 100.0}};
    const ms_model *model = ms_catalogue_find("two-masses-springs-dampers");
    assert_string_equal(model->cases[0].name, "sine");
    for (int i = 0; i < model->n_cases; i++) {
        ms_system *system = NULL;
        double x[4];
        assert_int_equal(ms_system_create(model, model->cases[i].name, NULL, 0, &system, NULL), MS_OK);
        for (int k = 0; k < MS_COUNT(printed); k++) {
            assert_true(support_value(system, printed[k].name) == printed[k].value);
            assert_string_equal(support_parameter(system, printed[k].name)->unit, printed[k].unit);
        }
        assert_true(system->stop_time == 200.0);
        assert_true(system->linear == (strcmp(model->cases[i].name, "jump") != 0));
        ms_system_start(system, x);
        assert_true(x[0] == -1.0 && x[1] == 0.0 && x[2] == 0.0 && x[3] == 0.0);
        ms_system_destroy(&system);
    }
}

/* Both masses as one linear system in (x1, v1, x2, v2), by Newton's law, with the right wall's spring and
 * damper c3, d3. */
static void whole_matrix(const ms_system *s, double c3, double d3, double A[16])
{
    const double c[] = {support_value(s, "c1"), support_value(s, "c2"), c3},
                 d[] = {support_value(s, "d1"), support_value(s, "d2"), d3};
    memset(A, 0, sizeof(double) * 16);
    for (int i = 0; i < 2; i++) { /* m x_i'' = -c_i (x_i - x_{i-1}) - c_{i+1} (x_i - x_{i+1}), walls at 0 */
        const double m = support_value(s, i == 0 ? "m1" : "m2");
        double *row = A + 4 * (2 * i + 1);
        A[4 * 2 * i + 2 * i + 1] = 1.0;
        row[2 * i] = -(c[i] + c[i + 1]) / m;
        row[2 * i + 1] = -(d[i] + d[i + 1]) / m;
        row[2 * (1 - i)] = c[1] / m;
        row[2 * (1 - i) + 1] = d[1] / m;
    }
}

/* Values that let every parameter matter, and oscillations that live longer. */
#define UNEQUAL "m1=800 m2=1300 c1=900 d1=30 c2=1500 d2=20 c3=400 d3=10 x1_start=0.6 change_time=32"

static void test_masses_constant(void **state)
{
    (void)state;
    static const char *const settings[] = {"case=constant", "case=constant " UNEQUAL, "case=sine",
                                           "case=jump", "case=jump " UNEQUAL};
    for (int k = 0; k < MS_COUNT(settings); k++) {
        ms_system *system = support_system("two-masses-springs-dampers", settings[k]);
        double A[16], x[4], expected[4] = {support_value(system, "x1_start")};
        whole_matrix(system, support_value(system, "c3"), support_value(system, "d3"), A);
        support_reference(system, 16.0, x);
        support_propagate(4, A, 16.0, expected);
        support_near_states(4, x, expected, 1e-11);
        ms_system_destroy(&system);
    }
}

/* The force and its derivative are two more states, which begin with the change. */
static void test_masses_sine(void **state)
{
    (void)state;
    static const char *const settings[] = {"", "case=sine amplitude=700 frequency=0.11 " UNEQUAL};
    for (int k = 0; k < MS_COUNT(settings); k++) {
        ms_system *system = support_system("two-masses-springs-dampers", settings[k]);
        const double change = support_value(system, "change_time"),
                     omega = 2.0 * pi * support_value(system, "frequency");
        double A[16], M[36] = {0.0}, x[4], expected[6] = {support_value(system, "x1_start")};
        whole_matrix(system, support_value(system, "c3"), support_value(system, "d3"), A);
        support_propagate(4, A, change, expected);
        for (int i = 0; i < 4; i++)
            memcpy(M + 6 * i, A + 4 * i, sizeof(double) * 4);
        M[6 * 3 + 4] = 1.0 / support_value(system, "m2");
        M[6 * 4 + 5] = 1.0;
        M[6 * 5 + 4] = -omega * omega;
        expected[5] = support_value(system, "amplitude") * omega;
        support_propagate(6, M, 0.28 * change, expected);
        support_reference(system, 1.28 * change, x); /* 64 steps, the 50th ends at the change */
        support_near_states(4, x, expected, 1e-11);
        ms_system_destroy(&system);
    }
}

/* Two runs, joined by hand: x2 jumps between them, and the second has another spring and damper. */
static void test_masses_jump(void **state)
{
    (void)state;
    static const char *const settings[] = {"case=jump",
                                           "case=jump jump=-0.4 c3_after=2500 d3_after=45 " UNEQUAL};
    for (int k = 0; k < MS_COUNT(settings); k++) {
        ms_system *system = support_system("two-masses-springs-dampers", settings[k]);
        const double change = support_value(system, "change_time"), jump = support_value(system, "jump");
        double A[16], x[4], y[3], expected[4] = {support_value(system, "x1_start")};
        whole_matrix(system, support_value(system, "c3"), support_value(system, "d3"), A);
        support_propagate(4, A, change, expected);
        expected[2] += jump;
        whole_matrix(system, support_value(system, "c3_after"), support_value(system, "d3_after"), A);
        support_propagate(4, A, 0.28 * change, expected);
        support_reference(system, 1.28 * change, x);
        support_near_states(4, x, expected, 1e-10);

        ms_options options = support_options("outputs=consistent step-size=0.01");
        char text[64];
        snprintf(text, sizeof text, "stop-time=%.17g", 1.28 * change);
        support_options_add(&options, text);
        support_finish(system, &options, x, y); /* outputs: x1, v1, f */
        support_near(
            y[2], support_value(system, "c2") * (x[2] - x[0]) + support_value(system, "d2") * (x[3] - x[1]),
            1e-9);
        assert_true(support_distance(4, x, expected) < 0.05);
        ms_system_destroy(&system);
    }
}

/* The change is a time event: x2 jumps, and c3, d3 are others from then on. */
static void test_masses_force(void **state)
{
    (void)state;
    ms_system *system = support_system("two-masses-springs-dampers", "case=jump");
    const double x[] = {0.2, -0.3}, u[] = {0.05, 0.4};
    for (int k = 0; k < 2; k++) {
        double f, dx[2], w[1], z[] = {k}, after[2] = {x[0], x[1]}, z_after[1] = {z[0]};
        const double force = 1000.0 * (x[0] - u[0]);
        ms_point at = {.t = 100.0, .x = x, .u = u, .z = z};
        assert_int_equal(ms_subsystem_g(system, 1, &at, w, &f), 0);
        assert_int_equal(ms_subsystem_f(system, 1, &at, w, dx), 0);
        support_near(f, force, 1e-10);
        support_near(dx[1], -(k > 0 ? 6.3 * x[0] + 0.1 * x[1] : x[0] + x[1]) - force / 1000.0, 1e-12);
        const ms_event event = {.time = true, .x = after, .z = z_after};
        assert_int_equal(ms_subsystem_handle(system, 1, &at, w, &event), 0);
        assert_true(after[0] == x[0] + 0.7 && after[1] == x[1] && z_after[0] == 1.0);
    }
    const double z = 0.0;
    assert_true(ms_subsystem_next_time(system, 1, 99.999, &z) == 100.0);
    assert_true(isinf(ms_subsystem_next_time(system, 1, 100.0, &z)));
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_masses_as_printed), cmocka_unit_test(test_masses_constant),
        cmocka_unit_test(test_masses_sine),       cmocka_unit_test(test_masses_jump),
        cmocka_unit_test(test_masses_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
