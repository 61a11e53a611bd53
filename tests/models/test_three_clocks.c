/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_three_clocks.c - three-clocks against closed forms, and the capabilities that a model declares. */
#include <math.h>

#include <macrostep/cosim_create.h>
#include "extended_exponential.h"
#include "support.h"
#include "unit_test.h"

static const double pi = 3.14159265358979323846;

/* The cascade as one matrix, (swell x, v, buoy x, v, meter q). */
static void test_clocks_reference(void **state)
{
    (void)state;
    ms_system *system = support_system("three-clocks", NULL);
    const double slow = 2.0 * pi / 10.0, omega = 8.0, zeta = 0.3, tau = 2.0;
    const double A[25] = {0.0,
                          1.0,
                          0.0,
                          0.0,
                          0.0,
                          -slow * slow,
                          0.0,
                          0.0,
                          0.0,
                          0.0,
                          0.0,
                          0.0,
                          0.0,
                          1.0,
                          0.0,
                          omega * omega,
                          0.0,
                          -omega * omega,
                          -2.0 * zeta * omega,
                          0.0,
                          0.0,
                          0.0,
                          1.0 / tau,
                          0.0,
                          -1.0 / tau};
    for (int k = 1; k <= 4; k++) {
        double x[5], expected[5] = {1.0};
        support_reference(system, 5.0 * k, x);
        support_propagate(5, A, 5.0 * k, expected);
        support_near_states(5, x, expected, 1e-12);
        support_near(x[0], cos(slow * 5.0 * k), 1e-12);
    }
    ms_system_destroy(&system);
}

/* What the model declares is what instances can, and what is not declared stays free. */
static void test_clocks_capabilities(void **state)
{
    (void)state;
    enum { SWELL, BUOY, METER };
    ms_system *system = support_system("three-clocks", NULL), *free_one = support_system("quarter-car", NULL);
    ms_options options = support_options("");
    ms_cosim *cosim = support_cosim(system, &options);
    const ms_capabilities *can[] = {&cosim->instance[SWELL]->can, &cosim->instance[BUOY]->can,
                                    &cosim->instance[METER]->can};
    assert_true(can[SWELL]->input_degree == MS_INPUT_DEGREE && can[SWELL]->step == 0.0);
    assert_true(can[BUOY]->input_degree == 0 && can[BUOY]->step == 0.0);
    assert_true(can[METER]->input_degree == MS_INPUT_DEGREE && can[METER]->step == 0.25);
    assert_true(system->sub[SWELL].nu == 0 && system->sub[METER].ny == 0);
    ms_cosim_destroy(&cosim);
    cosim = support_cosim(free_one, &options);
    assert_true(cosim->instance[0]->can.input_degree == MS_INPUT_DEGREE &&
                cosim->instance[0]->can.step == 0.0);
    ms_cosim_destroy(&cosim);

    static const char *const refused[][2] = {
        {"step-size=0.1", "meter imposes a step of 0.25 s; set `step-size` 0.25"},
        {"stop-time=10.1", "does not divide the run of 10.1 s; set `stop-time` to a multiple of 0.25 s"},
        {"error-controlled=richardson", "meter imposes a step"},
        {"extrapolation-order=1", "buoy takes inputs of degree 0 at most and this scheme gives degree 1"},
        {"scheme=gauss-seidel extrapolation-order=2", "buoy takes inputs of degree 0 at most"}};
    for (int k = 0; k < MS_COUNT(refused); k++) {
        support_system_refuses(system, refused[k][0], MS_UNSUPPORTED, refused[k][1]);
    }
    ms_system_destroy(&free_one);
    ms_system_destroy(&system);
}

/* A subsystem that takes lines: order 1 fits it, order 2 does not. */
static void test_linear_inputs(void **state)
{
    (void)state;
    ms_system *system = support_system("quarter-car", NULL);
    system->structure.subsystems[1].input_limit = MS_INPUTS_LINEAR;
    ms_options options = support_options("extrapolation-order=1");
    ms_cosim *cosim = support_cosim(system, &options);
    assert_int_equal(cosim->instance[1]->can.input_degree, 1);
    ms_cosim_destroy(&cosim);
    support_system_refuses(system, "extrapolation-order=2", MS_UNSUPPORTED, "degree 1 at most");
    ms_system_destroy(&system);
}

/* Held inputs, every subsystem at its own exact solution: by hand, one macro-step after the other. */
static void test_clocks_coupled(void **state)
{
    (void)state;
    ms_system *system = support_system("three-clocks", NULL);
    const double slow = 2.0 * pi / 10.0, omega = 8.0, zeta = 0.3, h = 0.25, decay = exp(-h / 2.0);
    const double buoy[9] = {0.0, 1.0, 0.0, -omega * omega, -2.0 * zeta * omega, omega * omega, 0.0, 0.0, 0.0};
    double x[5], b[3] = {0.0}, q = 0.0;
    for (int n = 0; n < 80; n++) {
        q = b[0] + decay * (q - b[0]);
        b[2] = cos(slow * n * h);
        support_propagate(3, buoy, h, b);
    }
    const ms_options options = support_options("");
    support_finish(system, &options, x, NULL);
    const double expected[] = {1.0, 0.0, b[0], b[1], q};
    support_near_states(5, x, expected, 1e-11);
    ms_system_destroy(&system);
}

/* Communications of each subsystem, and whether the meter keeps to multiples of 0.25 s. */
typedef struct communications {
    int n[3];
    bool on_time;
} communications;

static int count_communications(void *self, const ms_cosim *cosim, double t, double h)
{
    communications *m = self;
    for (int i = 0; i < 3; i++)
        m->n[i] += cosim->communicates[i];
    if (cosim->communicates[2])
        m->on_time = m->on_time && fabs(t + h - 0.25 * m->n[2]) < 1e-12 * 20.0;
    return 0;
}

static void test_clocks_f3ornits(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool asynchronous;
    } run[] = {{"scheme=f3ornits", false}, {"scheme=f3ornits scheduler=asynchronous step-size=0.01", true}};
    ms_system *system = support_system("three-clocks", NULL);
    double expected[5];
    support_reference(system, 20.0, expected);
    for (int k = 0; k < MS_COUNT(run); k++) {
        const ms_options options = support_options(run[k].text);
        ms_cosim *cosim = support_cosim(system, &options);
        communications m = {.on_time = true};
        const ms_observer observer = {.self = &m, .step = count_communications};
        ms_run_result result;
        ms_error error = {""};
        assert_int_equal(cosim->n_degraded, 1);
        assert_string_equal(cosim->degraded[0], "buoy: inputs of degree 2 reduced to 0");
        assert_int_equal(ms_run(cosim, &observer, 1, NULL, NULL, &result, &error), MS_OK);
        assert_int_equal(result.reason, MS_REASON_END_TIME);
        assert_true(result.end_time == 20.0 && ms_cosim_all_communicate(cosim));
        assert_true(m.n[2] == 80 && m.on_time);
        assert_true(run[k].asynchronous ? m.n[0] != 80 && m.n[1] > m.n[0] : m.n[0] == 80 && m.n[1] == 80);
        assert_true(support_distance(5, cosim->x, expected) < 0.01);
        ms_cosim_destroy(&cosim);
    }
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clocks_reference), cmocka_unit_test(test_clocks_capabilities),
        cmocka_unit_test(test_linear_inputs),    cmocka_unit_test(test_clocks_coupled),
        cmocka_unit_test(test_clocks_f3ornits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
