/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_controlled_car.c - outputs that depend on u': u' = L y' in the algebraic loop and in the monolithic
 * model, and controlled-car, which lives on it, against closed forms and an integration that is written
 * here. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include "loop.h"
#include "monolithic.h"
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

/* Car ---------------------------------------------------------------------------------------------------- */

static void test_car_as_printed(void **state)
{
    (void)state;
    ms_system *system = support_system("controlled-car", NULL);
    double x[2] = {1.0, 1.0};
    assert_true(support_value(system, "m") == 1000.0 && support_value(system, "target") == 16.0);
    assert_string_equal(support_parameter(system, "gain")->unit, "N s/m");
    assert_true(system->stop_time == 60.0);
    ms_system_start(system, x);
    assert_true(x[0] == 0.0 && x[1] == 0.0);
    ms_system_destroy(&system);
}

/* The trapezoid's momentum is 2 kN (10 - 2) s: 16 m/s after 80 m. Then the speed goes to the target with
 * m/k. */
static void test_car_unperturbed(void **state)
{
    (void)state;
    ms_system *system = support_system("controlled-car", "case=unperturbed target=20 gain=500");
    double x[2];
    support_reference(system, 10.0, x);
    support_near_states(2, x, (const double[]){80.0, 16.0}, 1e-10);
    support_reference(system, 20.0, x);
    const double gone = exp(-0.5 * 10.0); /* x' = 20 - 4 e^{-(t - 10)/2} */
    support_near_states(2, x, (const double[]){80.0 + 200.0 - 8.0 * (1.0 - gone), 20.0 - 4.0 * gone}, 1e-10);
    ms_system_destroy(&system);
}

static double wind(const ms_system *system, double t)
{
    double w;
    ms_subsystem_external(system, &system->sub[0], t, &w);
    return w;
}

/* v' = (F + w)/m, the loop closed by hand; state (x, v). */
static void car_slope(const ms_system *system, bool controlled, double t, const double *x, double *dx)
{
    const double ramp = support_value(system, "preset_force") / support_value(system, "preset_ramp");
    const double preset = fmin(support_value(system, "preset_force"), ramp * fmin(t, 10.0 - t));
    const double force =
        controlled ? support_value(system, "gain") * (support_value(system, "target") - x[1]) : preset;
    dx[0] = x[1];
    dx[1] = (force + wind(system, t)) / support_value(system, "m");
}

/* Classical Runge-Kutta with steps that end at 10 s and wherever the noise has a knot. */
static void drive(const ms_system *system, double end, double *x)
{
    const int per_second = 512;
    x[0] = x[1] = 0.0;
    for (int n = 0; n < (int)end * per_second; n++) {
        const double h = 1.0 / per_second, t = n * h;
        const bool controlled = t >= 10.0;
        double k[4][2], at[2];
        for (int s = 0; s < 4; s++) {
            const double ahead = s == 0 ? 0.0 : s == 3 ? h : 0.5 * h;
            for (int j = 0; j < 2; j++)
                at[j] = x[j] + (s == 0 ? 0.0 : ahead * k[s - 1][j]);
            car_slope(system, controlled, t + ahead, at, k[s]);
        }
        for (int j = 0; j < 2; j++)
            x[j] += h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
    }
}

static void test_car_reference(void **state)
{
    (void)state;
    static const char *const settings[] = {"", "seed=7 gain=4000 m=700 target=-3 preset_ramp=4",
                                           "perturbation=900"};
    for (int k = 0; k < MS_COUNT(settings); k++) {
        ms_system *system = support_system("controlled-car", settings[k]);
        double x[2], expected[2];
        support_reference(system, 32.0, x);
        drive(system, 32.0, expected);
        support_near_states(2, x, expected, 1e-10);
        ms_system_destroy(&system);
    }
}

/* Bounded, continuous with its derivative also at the knots, the same in every system, another for another
 * seed. */
static void test_car_perturbation(void **state)
{
    (void)state;
    ms_system *system = support_system("controlled-car", NULL),
              *again = support_system("controlled-car", NULL);
    ms_system *other = support_system("controlled-car", "seed=2");
    double sum = 0.0, square = 0.0, most = 0.0, apart = 0.0;
    const int n = 4000;
    for (int k = -10; k < n; k++) {
        const double t = 0.5 * k, w = wind(system, t), d = 1e-4;
        assert_true(w == wind(again, t) && fabs(w) <= 200.0);
        const double before = (w - wind(system, t - d)) / d, after = (wind(system, t + d) - w) / d;
        support_near(before, after, 1.0); /* w' is 0 at knots, |w''| <= 2 pi^2 400 / 1 s^2 beside them */
        const double middle = wind(system, t + 0.25);
        support_near(middle, 0.5 * (w + wind(system, t + 0.5)), 1e-9);
        sum += w;
        square += w * w;
        most = fmax(most, fabs(w));
        apart = fmax(apart, fabs(w - wind(other, t)));
    }
    support_near(sum / n, 0.0, 8.0); /* 4 standard errors of a uniform variable */
    support_near(sqrt(square / n), 200.0 / sqrt(3.0), 4.0);
    assert_true(most > 195.0 && apart > 300.0);
    ms_system_destroy(&other);
    ms_system_destroy(&again);
    ms_system_destroy(&system);
}

/* Held for half a second each, before 10 s the values are an impulse of their sum: breakpoints lose none of it. */
static void test_car_stepwise(void **state)
{
    (void)state;
    static const char *const solvers[] = {"cvode-bdf", "arkode-erk", "gsl-rk8pd", "rk4", "euler"};
    ms_system *system = support_system("controlled-car", "case=stepwise seed=4");
    double x[2], impulse = 0.0;
    for (int k = 0; k < 20; k++) {
        const double w = wind(system, 0.5 * k);
        assert_true(w == wind(system, 0.5 * k + 0.4999) && w != wind(system, 0.5 * k + 0.5));
        impulse += 0.5 * w;
    }
    assert_true(fabs(impulse) > 50.0);
    support_reference(system, 10.0, x);
    support_near(x[1], 16.0 + impulse / 1000.0, 1e-9);
    for (int k = 0; k < MS_COUNT(solvers); k++) {
        char text[96];
        snprintf(text, sizeof text, "solver=%s stop-time=10 step-size=0.1", solvers[k]);
        const ms_options options =
            support_options(text); /* at multiples of 0.1 s the trapezoid keeps its area */
        support_finish(system, &options, x, NULL);
        support_near(x[1], 16.0 + impulse / 1000.0, 1e-6);
    }
    ms_system_destroy(&system);
}

/* With held inputs the controller sees no speed: the force stays at 16 kN, exactly. With lines and parabolas
 * it sees one. */
static void test_car_coupled(void **state)
{
    (void)state;
    ms_system *system = support_system("controlled-car", "case=unperturbed"),
              *perturbed = support_system("controlled-car", "");
    const char *const sees[] = {"extrapolation-order=1", "extrapolation-order=2",
                                "scheme=gauss-seidel extrapolation-order=1", "outputs=consistent"};
    double x[2], y[2], expected[2];
    ms_options options = support_options("");
    support_finish(system, &options, x, y); /* sampled at multiples of 0.1 s the trapezoid keeps its area */
    support_near(x[1], 16.0 + 16.0 * 50.0, 1e-6);
    support_near(y[1], 16000.0, 0.0);
    support_reference(perturbed, 60.0, expected);
    for (int k = 0; k < MS_COUNT(sees); k++) {
        options = support_options(sees[k]);
        support_finish(perturbed, &options, x, y);
        support_near(x[1], expected[1], 0.05);
        support_near(y[1], 1000.0 * (16.0 - x[1]), 60.0);
    }
    char line[512];
    options = support_options("extrapolation-order=1 derivatives=analytic");
    assert_int_equal(support_refusal(perturbed, &options, line, sizeof line),
                     MS_UNSUPPORTED); /* y' needs u'' */
    assert_non_null(strstr(line, "controller gives output derivatives of order 0"));
    ms_system_destroy(&perturbed);
    ms_system_destroy(&system);
}

/* Follows the speed from 12 s on. */
typedef struct speeds {
    double lowest, highest;
} speeds;

static int see_speed(void *self, const ms_cosim *cosim, double t, double h)
{
    speeds *seen = self;
    if (t + h > 12.0) {
        seen->lowest = fmin(seen->lowest, cosim->x[1]);
        seen->highest = fmax(seen->highest, cosim->x[1]);
    }
    return 0;
}

static speeds run_speeds(const ms_system *system, const char *text)
{
    const ms_options options = support_options(text);
    ms_cosim *cosim = support_cosim(system, &options);
    speeds seen = {INFINITY, -INFINITY};
    const ms_observer observer = {.self = &seen, .step = see_speed};
    ms_run_result result;
    ms_error error = {""};
    assert_int_equal(ms_run(cosim, &observer, 1, NULL, NULL, &result, &error), MS_OK);
    assert_int_equal(result.reason, MS_REASON_END_TIME);
    assert_true(result.end_time == 60.0);
    ms_cosim_destroy(&cosim);
    return seen;
}

/* The controller holds m v' = k (16 - v) + w within 200 N/k = 0.2 m/s of 16 m/s; a run is allowed as much
 * again. */
static void test_car_f3ornits(void **state)
{
    (void)state;
    static const char *const variants[] = {"", " calibration=cls", " smooth-coupling=c1",
                                           " scheduler=asynchronous",
                                           " error-normalization=damped-amplitude"};
    ms_system *system = support_system("controlled-car", NULL);
    for (int k = 0; k < MS_COUNT(variants); k++) {
        char text[96];
        snprintf(text, sizeof text, "scheme=f3ornits%s", variants[k]);
        const speeds seen = run_speeds(system, text);
        if (!(seen.lowest > 15.6 && seen.highest < 16.4))
            fail_msg("%s: the speed lies in [%g, %g]", text, seen.lowest, seen.highest);
    }
    assert_true(run_speeds(system, "").highest > 800.0);
    ms_system_destroy(&system);
}

/* u' in the loop ----------------------------------------------------------------------------------------- */

/* v' = F, y = v, and F = -b u - c u' - u'^3 + a t + 1 for u = v: an implicit equation for F. */
static void mass_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    m->B[0] = m->C[0] = 1.0;
}

static int brake_g(const ms_point *at, double *y)
{
    const double u = at->u[0], a = at->du[0];
    y[0] = -at->p[0] * u - at->p[1] * a - a * a * a + at->p[2] * at->t + 1.0;
    return 0;
}

/* A static link between both, y = 2 u. */
static void link_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    m->D[0] = 2.0;
}

static const double begin[] = {0.7};
static const ms_parameter loop_parameters[] = {{"b", "1", "-", 2.0, -9.0, 9.0, false, false},
                                               {"c", "1", "-", 0.5, -9.0, 9.0, false, false},
                                               {"a", "1", "-", 0.3, -9.0, 9.0, false, false}};
static const ms_subsystem loop_subsystems[] = {
    SUPPORT_SUBSYSTEM("mass", 1, 1, 1, .x0 = begin, .matrices = mass_matrices),
    SUPPORT_SUBSYSTEM("brake", 0, 1, 1, .f = support_no_states, .g = brake_g, .uses_du = true),
    SUPPORT_SUBSYSTEM("link", 0, 1, 1, .matrices = link_matrices)};
static const ms_wire linked_wires[] = {{0, 0, 1, 0, 1.0}, {1, 0, 2, 0, 1.0}, {2, 0, 0, 0, 1.0}};
static const ms_model loop_model =
    SUPPORT_MODEL_OF("brake", loop_subsystems, 2, support_ring, 2, .parameters = loop_parameters,
                     .n_parameters = 3, .stop_time = 1.0, .step_size = 0.1);
static const ms_model linked_model =
    SUPPORT_MODEL("linked", loop_subsystems, linked_wires, .parameters = loop_parameters, .n_parameters = 3,
                  .stop_time = 1.0, .step_size = 0.1);

/* The root of F^3 + (1 + c) F + b v - a t - 1 = 0, by bisection. */
static double brake_force(const ms_system *system, double t, double v)
{
    double low = -100.0, high = 100.0;
    for (int k = 0; k < 120; k++) {
        const double F = 0.5 * (low + high);
        if (F * F * F + (1.0 + system->p[1]) * F + system->p[0] * v - system->p[2] * t - 1.0 > 0.0)
            high = F;
        else
            low = F;
    }
    return low;
}

static void test_loop(void **state)
{
    (void)state;
    ms_system *system = support_system_of(&loop_model), *whole;
    ms_error error = {""};
    assert_int_equal(ms_monolithic_create(system, &whole, &error), MS_OK);
    const double t = 0.4, v[] = {-1.3, 0.0, 2.5}, b = 2.0, c = 0.5, a = 0.3;
    double A, w[1], scratch[8];
    for (int k = 0; k < MS_COUNT(v); k++) {
        double dv;
        ms_point at = {.t = t, .x = &v[k]};
        assert_int_equal(ms_subsystem_f(whole, 0, &at, w, &dv), 0);
        const double F = brake_force(system, t, v[k]);
        support_near(dv, F, 1e-13 * (1.0 + fabs(F)));
        assert_int_equal(ms_subsystem_jacobian(whole, 0, &at, w, scratch, &(ms_blocks){.A = &A}, NULL), 0);
        support_near(A, -b / (3.0 * F * F + 1.0 + c), 1e-8); /* the way through u' included */
    }
    ms_monolithic_destroy(&whole);

    const ms_options options = support_options("");
    ms_cosim *cosim = support_cosim(system, &options);
    double y[2] = {0.0, 0.0}, u[2], dy[2], ddy[2], du[2];
    assert_int_equal(ms_cosim_start(cosim), MS_OK);
    assert_int_equal(ms_loop_outputs(cosim->loop, 0.0, y, u), MS_OK);
    const double F = brake_force(system, 0.0, 0.7), S = 3.0 * F * F + 1.0 + c, dF = (a - b * F) / S;
    support_near_states(2, y, (const double[]){0.7, F}, 1e-13);
    support_near_states(2, u, (const double[]){F, 0.7}, 1e-13);
    assert_int_equal(ms_loop_derivative(cosim->loop, 0.0, u, dy), MS_OK);
    support_near_states(2, dy, (const double[]){F, dF}, 1e-7);
    ms_system_couple(system, dy, du);
    assert_int_equal(ms_loop_second_derivative(cosim->loop, 0.0, u, du, ddy), MS_OK);
    support_near_states(2, ddy, (const double[]){dF, (-b * dF - 6.0 * F * dF * dF) / S}, 1e-6);
    assert_true(cosim->x[0] == 0.7);
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
}

/* y' of the link would need u' of the link. */
static void test_loop_refused(void **state)
{
    (void)state;
    ms_system *system = support_system_of(&linked_model), *whole;
    ms_error error = {""};
    const ms_options options = support_options("solver=cvode-bdf");
    char line[512];
    assert_int_equal(ms_monolithic_create(system, &whole, &error), MS_UNSUPPORTED);
    assert_null(whole);
    assert_non_null(strstr(error.text, "brake depend on time derivatives of its inputs, and link"));
    assert_int_equal(support_refusal(system, &options, line, sizeof line), MS_UNSUPPORTED);
    assert_string_equal(line, error.text);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_car_as_printed), cmocka_unit_test(test_car_unperturbed),
        cmocka_unit_test(test_car_reference),  cmocka_unit_test(test_car_perturbation),
        cmocka_unit_test(test_car_stepwise),   cmocka_unit_test(test_car_coupled),
        cmocka_unit_test(test_car_f3ornits),   cmocka_unit_test(test_loop),
        cmocka_unit_test(test_loop_refused)};
    return cmocka_run_group_tests_name("controlled car", tests, NULL, NULL);
}
