/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_instance_rates.c - y' and y'' of subsystems from files against closed forms: equations, matrices, external inputs by expressions and
 * by series, jumps, algebraic loops; x' of matrices; and the order of a scheme that takes them. */
#include <math.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/instance.h>
#include <macrostep/series.h>
#include <macrostep/system_file.h>
#include "loop.h"
#include "support.h"
#include "unit_test.h"

enum { OUTPUTS = 3 };

typedef struct work {
    ms_model *model;
    ms_system *system;
    ms_cosim *cosim;
    ms_series *series; /* NULL: none */
} work;

static work begin(const char *json, ms_series *series)
{
    const ms_options options = support_options("stop-time=2 step-size=0.1");
    work k = {.model = support_model_read(json), .series = series};
    k.system = support_system_of(k.model);
    if (series != NULL)
        assert_int_equal(ms_system_bind_inputs(k.system, series, NULL), MS_OK);
    k.cosim = support_cosim(k.system, &options);
    return k;
}

static void end(work *k)
{
    ms_cosim_destroy(&k->cosim);
    ms_system_destroy(&k->system);
    ms_model_destroy(&k->model);
    ms_series_destroy(&k->series);
}

/* y' and y'' of the first subsystem; u is u, u', u''. */
static void rates_at(const work *k, double t, double x, const double u[3], double *dy, double *ddy)
{
    ms_instance *instance = k->cosim->instance[0];
    assert_int_equal(instance->can.output_derivatives, 2);
    instance->x[0] = x;
    assert_int_equal(ms_instance_output_derivative(instance, t, &u[0], &u[1], dy), MS_OK);
    assert_int_equal(ms_instance_output_second_derivative(instance, t, &u[0], &u[1], &u[2], ddy), MS_OK);
}

static const double input[3] = {0.8, -1.7, 2.3};

static void near(double value, double expected)
{
    support_near(value, expected, 4e-14 * (1.0 + fabs(expected)));
}

/* x' = -x + sin(7 t), y = x^2 u + exp(-t), and in units in which x is 1e-9 as large. */
static void test_equations(void **state)
{
    (void)state;
    static const char *const text[] = {
        "{\"subsystems\": [{\"name\": \"a\", \"inputs\": [\"u\"], \"outputs\": {\"y\": \"x^2*u + exp(-t)\"},"
        "\"states\": {\"x\": {\"derivative\": \"-x + sin(7*t)\"}}}], \"wires\": []}",
        "{\"subsystems\": [{\"name\": \"a\", \"inputs\": [\"u\"], \"outputs\": {\"y\": \"x^2*u/1e-18 + "
        "exp(-t)\"},\"external\": {\"w\": \"sin(7*t)\"},"
        "\"states\": {\"x\": {\"derivative\": \"-x + 1e-9*w\"}}}], \"wires\": []}"};
    for (int i = 0; i < 2; i++) {
        work k = begin(text[i], NULL);
        const double u = input[0], du = input[1], ddu = input[2];
        for (int j = 0; j < 5; j++) {
            const double t = 0.37 * j, x = 1.3 - 0.6 * j;
            const double f = -x + sin(7.0 * t), df = -f + 7.0 * cos(7.0 * t);
            double dy, ddy;
            rates_at(&k, t, i == 0 ? x : 1e-9 * x, input, &dy, &ddy);
            near(dy, 2.0 * x * f * u + x * x * du - exp(-t));
            near(ddy, 2.0 * f * f * u + 2.0 * x * df * u + 4.0 * x * f * du + x * x * ddu + exp(-t));
        }
        end(&k);
    }
}

/* x' = -2 x + 3 u + 0.5 w, y = x - 0.5 u + 2 w, w = sin(7 t): as matrices, as equations, and as equations that are not seen to be
 * linear. */
#define NAMED "{\"subsystems\": [{\"name\": \"a\", "
#define SINE  "\"external\": {\"w\": \"sin(7*t)\"}"
static const char *const three_ways[] = {
    NAMED "\"A\": [[-2]], \"B\": [[3]], \"C\": [[1]], \"D\": [[-0.5]], \"E\": [[0.5]], \"F\": [[2]], " SINE
          "}], \"wires\": []}",
    NAMED "\"inputs\": [\"u\"], \"states\": {\"x\": {\"derivative\": \"-2*x + 3*u + 0.5*w\"}}, \"outputs\": "
          "{\"y\": \"x - 0.5*u + 2*w\"}, " SINE "}], \"wires\": []}",
    NAMED "\"inputs\": [\"u\"], \"states\": {\"x\": {\"derivative\": \"-2*x + 3*u + 0.5*w\"}}, \"outputs\": "
          "{\"y\": \"x - 0.5*u + log(exp(2*w))\"}, " SINE "}], \"wires\": []}"};

static void test_linear(void **state)
{
    (void)state;
    for (int i = 0; i < MS_COUNT(three_ways); i++) {
        work k = begin(three_ways[i], NULL);
        assert_true((k.cosim->instance[0]->blocks != NULL) == (i < 2));
        for (int j = 0; j < 5; j++) {
            const double t = 0.37 * j, x = 1.3 - 0.6 * j, w = sin(7.0 * t), dw = 7.0 * cos(7.0 * t);
            const double f = -2.0 * x + 3.0 * input[0] + 0.5 * w, df = -2.0 * f + 3.0 * input[1] + 0.5 * dw;
            double dy, ddy;
            rates_at(&k, t, x, input, &dy, &ddy);
            near(dy, f - 0.5 * input[1] + 2.0 * dw);
            near(ddy, df - 0.5 * input[2] - 98.0 * w);
        }
        end(&k);
    }
}

/* x' = A x + B u under a piecewise polynomial input of each degree, also where two calls are spared. */
static void test_right_hand_side(void **state)
{
    (void)state;
    static const char *const text[] = {
        NAMED "\"A\": [[-2, 5], [0.5, -3]], \"B\": [[3, -1], [0.25, 7]], \"C\": [[1, 0]]}], \"wires\": []}",
        NAMED "\"A\": [[-2, 5], [0.5, -3]], \"B\": [[3, -1], [0.25, 7]], \"C\": [[1, 0]], \"E\": [[0], [1]], "
              "\"F\": [[0]], \"external\": {\"w\": \"0\"}}], \"wires\": []}"};
    const double c[2][3][2] = {{{1.5, -0.5}, {2.0, 3.0}, {-1.0, 4.0}},
                               {{0.5, 2.5}, {-7.0, 1.0}, {2.0, -3.0}}};
    const double t = 0.375, x[2] = {0.8, -1.2};
    for (int i = 0; i < 2; i++) {
        work k = begin(text[i], NULL);
        ms_instance *instance = k.cosim->instance[0];
        assert_true(instance->driven == (i == 0));
        double end_of[2] = {0.0625, 1.0}, coefficients[2][3][2];
        instance->t = 0.125;
        instance->input = (ms_input){
            .n = 2, .pieces = 2, .room = {2, 2}, .end = end_of, .c = memcpy(coefficients, c, sizeof c)};
        for (int piece = 0; piece < 2; piece++)
            for (int degree = 0; degree < 3; degree++) {
                const double s = t - instance->t - (piece == 0 ? 0.0 : 0.0625);
                double u[2], dx[2];
                instance->input.degree = degree;
                for (int j = 0; j < 2; j++)
                    u[j] = c[piece][0][j] + (degree > 0 ? s * c[piece][1][j] : 0.0) +
                           (degree > 1 ? s * s * c[piece][2][j] : 0.0);
                assert_int_equal(ms_instance_rhs(instance, piece, t, x, dx), 0);
                near(dx[0], -2.0 * x[0] + 5.0 * x[1] + 3.0 * u[0] - u[1]);
                near(dx[1], 0.5 * x[0] - 3.0 * x[1] + 0.25 * u[0] + 7.0 * u[1]);
            }
        end(&k);
    }
}

/* w from a series: 1 at 0, 3 at 1, 0 at 2. A row by round-off behind t is reached. */
static void test_series(void **state)
{
    (void)state;
    const double times[] = {0.0, 0.5, nextafter(1.0, 0.0), 1.0, 1.75}, slope[] = {2, 2, -3, -3, -3};
    for (int i = 0; i < MS_COUNT(three_ways); i++) {
        const char *name = "a.w.w";
        ms_series *series;
        assert_int_equal(ms_series_create(1, &name, 3, &series, NULL), MS_OK);
        for (int r = 0; r < 3; r++) {
            series->time[r] = r;
            series->value[r] = r == 0 ? 1.0 : r == 1 ? 3.0 : 0.0;
        }
        work k = begin(three_ways[i], series);
        for (int j = 0; j < MS_COUNT(times); j++) {
            const double t = times[j], w = t < 1.0 ? 1.0 + 2.0 * t : 6.0 - 3.0 * t;
            const double f = -2.0 * 0.4 + 3.0 * input[0] + 0.5 * w;
            double dy, ddy;
            rates_at(&k, t, 0.4, input, &dy, &ddy);
            near(dy, f - 0.5 * input[1] + 2.0 * slope[j]);
            near(ddy, -2.0 * f + 3.0 * input[1] + 0.5 * slope[j] - 0.5 * input[2]);
        }
        end(&k);
    }
}

/* Right limits where g, w and what bends in them change, at such a time and by round-off before it. */
static void test_breakpoints(void **state)
{
    (void)state;
    static const char *const text[] = {NAMED "\"states\": {\"x\": {\"derivative\": \"-x\"}}, \"outputs\": "
                                             "{\"y\": \"t < 0.5 ? sin(t) : x*t^2\"}}], \"wires\": []}",
                                       NAMED "\"states\": {\"x\": {\"derivative\": \"-x\"}}, \"outputs\": "
                                             "{\"y\": \"x^2 + w\"}, \"external\": {\"w\": "
                                             "\"abs(sin(2*pi*(t - 0.5)))\"}}], \"wires\": []}"};
    const double pi = acos(-1.0), x = 0.75, none[3] = {0.0};
    const double value[] = {x * 0.25, x * x};
    const double first[] = {-x * 0.25 + x, -2.0 * x * x + 2.0 * pi};
    const double second[] = {x * 0.25 - 2.0 * x + 2.0 * x, 4.0 * x * x};
    for (int i = 0; i < 2; i++) {
        work k = begin(text[i], NULL);
        for (int before = 0; before < 2; before++) {
            double y, dy, ddy;
            ms_instance *instance = k.cosim->instance[0];
            instance->x[0] = x;
            assert_int_equal(
                ms_instance_outputs(instance, before ? nextafter(0.5, 0.0) : 0.5, none, NULL, &y), MS_OK);
            near(y, value[i]);
            rates_at(&k, before ? nextafter(0.5, 0.0) : 0.5, x, none, &dy, &ddy);
            near(dy, first[i]);
            support_near(ddy, second[i], 1e-13);
        }
        end(&k);
    }
}

/* Of an infinite rate that acts on nothing nothing is seen; on the output there is no derivative. */
static void test_infinite(void **state)
{
    (void)state;
#define ROOT(F)                                                                                              \
    NAMED "\"A\": [[-1]], \"B\": [[]], \"C\": [[1]], \"E\": [[1]], \"F\": [[" F                              \
          "]], \"external\": {\"w\": \"sqrt(t)\"}}], \"wires\": []}"
    static const char *const text[] = {ROOT("0"), ROOT("1")};
    for (int i = 0; i < 2; i++) {
        work k = begin(text[i], NULL);
        ms_instance *instance = k.cosim->instance[0];
        double dy;
        instance->x[0] = 2.0;
        assert_int_equal(ms_instance_output_derivative(instance, 0.0, NULL, NULL, &dy),
                         i == 0 ? MS_OK : MS_SOLVER_FAILED);
        assert_true(i == 1 || dy == -2.0);
        end(&k);
    }
}

/* y = x + 0.5 sin(u), u = y of the other, which hands y on: (1 - 0.5 cos y) y' = x', x' = -x. */
static void test_loop(void **state)
{
    (void)state;
    work k = begin(
        NAMED
        "\"inputs\": [\"u\"], \"states\": {\"x\": {\"derivative\": \"-x\", \"start\": 0.6}}, \"outputs\": "
        "{\"y\": \"x + 0.5*sin(u)\"}}, {\"name\": \"b\", \"inputs\": [\"u\"], \"outputs\": {\"y\": \"u\"}}],"
        "\"wires\": [{\"from\": \"a.y\", \"to\": \"b.u\"}, {\"from\": \"b.y\", \"to\": \"a.u\"}]}",
        NULL);
    double y[2] = {0.0}, u[2], dy[2], du[2], ddy[2];
    assert_int_equal(ms_cosim_start(k.cosim), MS_OK);
    assert_int_equal(ms_loop_outputs(k.cosim->loop, 0.0, y, u), MS_OK);
    assert_int_equal(ms_loop_derivative(k.cosim->loop, 0.0, u, dy), MS_OK);
    ms_system_couple(k.system, dy, du);
    assert_int_equal(ms_loop_second_derivative(k.cosim->loop, 0.0, u, du, ddy), MS_OK);
    const double S = 1.0 - 0.5 * cos(y[0]), first = -0.6 / S;
    const double second = (0.6 - 0.5 * sin(y[0]) * first * first) / S;
    for (int i = 0; i < 2; i++) {
        support_near(dy[i], first, 1e-12);
        support_near(ddy[i], second, 1e-12);
    }
    end(&k);
}

/* With output derivatives of the second order the error falls with H^3. */
static void test_order(void **state)
{
    (void)state;
    work k = begin(
        NAMED
        "\"inputs\": [\"u\"], \"external\": {\"w\": \"cos(3*t)\"}, \"states\": {\"x\": {\"derivative\": "
        "\"-x - 0.3*x^3 + u*w\", \"start\": 1}}, \"outputs\": {\"y\": \"x^2 + sin(t)\"}},"
        "{\"name\": \"b\", \"inputs\": [\"u\"], \"states\": {\"p\": {\"derivative\": \"v\", \"start\": 0.2},"
        "\"v\": {\"derivative\": \"-4*sin(p) - 0.2*v + u*exp(-t)\"}}, \"outputs\": {\"y\": \"p*v + "
        "cos(p)\"}}],"
        "\"wires\": [{\"from\": \"a.y\", \"to\": \"b.u\"}, {\"from\": \"b.y\", \"to\": \"a.u\"}]}",
        NULL);
    double x[3], error[2], end_state[3];
    support_reference(k.system, 1.0, x);
    for (int i = 0; i < 2; i++) {
        const ms_options options =
            support_options_of("derivatives=analytic extrapolation-order=2 stop-time=1 "
                               "solver-rtol=1e-12 solver-atol=1e-12 "
                               "step-size=%g",
                               i == 0 ? 0.02 : 0.01);
        support_finish(k.system, &options, end_state, NULL);
        error[i] = support_distance(3, end_state, x);
    }
    assert_true(error[0] / error[1] > 7.0 && error[0] / error[1] < 9.0);
    end(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equations),
        cmocka_unit_test(test_linear),
        cmocka_unit_test(test_right_hand_side),
        cmocka_unit_test(test_series),
        cmocka_unit_test(test_breakpoints),
        cmocka_unit_test(test_infinite),
        cmocka_unit_test(test_loop),
        cmocka_unit_test(test_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
