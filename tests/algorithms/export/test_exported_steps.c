/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_exported_steps.c - macro-steps of exported FMUs for co-simulation, of both versions of FMI, have the bits of the built-in
 * subsystems. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/instance_step.h>
#include "built_in.h"
#include "monolithic.h"
#include "support.h"
#include "unit_test.h"

enum { STEPS = 6 };

/* Outputs, their derivatives and D at the end of a step, all under the left limits of the inputs. */
static void compare_outputs(support_binary *b, support_built_in *is, const ms_exported *e, double t)
{
    unsigned out[SUPPORT_BINARY_INPUTS], in[SUPPORT_BINARY_INPUTS];
    const int ny = is->sub->ny, nu = is->sub->nu;
    double y[SUPPORT_BINARY_INPUTS], *du = support_zeros(nu), *ddu = support_zeros(nu),
                                     *D = support_zeros(nu * ny), *expected = support_zeros(ny);
    support_references(e, MS_EXPORTED_OUTPUT, out);
    support_references(e, MS_EXPORTED_INPUT, in);
    ms_input_left(&is->instance->input, is->u);
    ms_input_left_derivative(&is->instance->input, 1, du);
    ms_input_left_derivative(&is->instance->input, 2, ddu);
    assert_int_equal(ms_instance_outputs(is->instance, t, is->u, du, is->y), 0);
    assert_int_equal(support_binary_get(b, ny, out, y), 0);
    support_same_bits(b, "output", t, ny, y, is->y);
    if (is->instance->can.output_derivatives > 0) {
        assert_int_equal(ms_instance_output_derivative(is->instance, t, is->u, du, expected), MS_OK);
        assert_int_equal(support_binary_output_derivatives(b, ny, out, 1, y), 0);
        support_same_bits(b, "y'", t, ny, y, expected);
    }
    if (is->instance->can.output_derivatives > 1) {
        assert_int_equal(ms_instance_output_second_derivative(is->instance, t, is->u, du, ddu, expected),
                         MS_OK);
        assert_int_equal(support_binary_output_derivatives(b, ny, out, 2, y), 0);
        support_same_bits(b, "y''", t, ny, y, expected);
    }
    if (!is->sub->uses_du) {
        assert_int_equal(ms_instance_feed_through(is->instance, t, is->u, D), MS_OK);
        for (int k = 0; k < nu; k++) {
            for (int j = 0; j < ny; j++)
                expected[j] = D[j * nu + k];
            assert_int_equal(support_binary_directional(b, ny, out, 1, &in[k], &(double){1.0}, y), 0);
            support_same_bits(b, "D", t, ny, y, expected);
        }
    }
    free(du);
    free(ddu);
    free(D);
    free(expected);
}

/* Steps with held, linear and quadratic inputs in turn, given by their derivatives (2.10) and followed as Taylor's polynomial (2.11); FMI 3.0 has held ones alone to the bit. */
static void check_steps(const ms_fmu_export *what, const ms_exported *e)
{
    support_binary b;
    support_built_in is = support_built_in_create(e->system, e->index, &what->solver);
    unsigned state[SUPPORT_BINARY_INPUTS];
    double u[SUPPORT_BINARY_DEGREE + 1][SUPPORT_BINARY_INPUTS] = {{0}}, x[SUPPORT_BINARY_INPUTS];
    const double h = is.instance->can.step != 0.0 ? is.instance->can.step : what->system->step_size;
    const int most = what->fmi == 3                      ? 0
                     : is.instance->can.input_degree < 2 ? is.instance->can.input_degree
                                                         : 2;
    const int nx = is.sub->nx < SUPPORT_BINARY_INPUTS ? is.sub->nx : SUPPORT_BINARY_INPUTS;
    support_binary_open(&b, what);
    assert_true(support_binary_instantiate(&b, NULL, false));
    support_choose_inputs(&is, 0, h, u);
    assert_int_equal(support_binary_start(&b, 0.0, u[0]), 0);
    support_feed_built_in(&is, what->system->step_size, 0, u);
    is.instance->h = what->system->step_size;
    assert_int_equal(ms_instance_make_consistent(is.instance, 0.0, what->system->step_size), MS_OK);
    for (int k = 0; k < nx; k++)
        state[k] = e->first[MS_EXPORTED_STATE] + (unsigned)k;
    int done = 0;
    for (int n = 0; n < STEPS; n++) {
        const int degree = n % (most + 1);
        support_choose_inputs(&is, n, h, u);
        assert_int_equal(support_binary_feed(&b, n * h, degree, u), 0);
        support_feed_built_in(&is, h, degree, u);
        const int expected = ms_instance_step(is.instance, n * h, h),
                  status = support_binary_step(&b, n * h, h);
        assert_int_equal(status, expected == MS_OK ? 0 : 2);
        if (status != 0)
            break;
        assert_int_equal(support_binary_get(&b, nx, state, x), 0);
        support_same_bits(&b, "state", n * h + h, nx, x, is.instance->x);
        compare_outputs(&b, &is, e, n * h + h);
        done++;
    }
    if (done == 0)
        fail_msg("%s: not one step was possible", b.identifier);
    support_built_in_destroy(&is);
    support_binary_close(&b);
}

static void test_steps(void **state)
{
    (void)state;
    support_export_all(check_steps);
}

/* Parabolas by the intermediate update of 3.0 are met up to round-off. */
static void test_intermediate_update(void **state)
{
    (void)state;
    ms_system *system = support_system("quarter-car", NULL);
    ms_fmu_export what = support_export_of(system, "wheel", 3, "exact");
    support_built_in is = support_built_in_create(system, ms_system_find(system, "wheel"), &what.solver);
    double u[SUPPORT_BINARY_DEGREE + 1][SUPPORT_BINARY_INPUTS] = {{0}}, x[2];
    support_binary b;
    support_binary_open(&b, &what);
    const unsigned names[] = {support_binary_named(&b, "x.x"), support_binary_named(&b, "x.v")};
    assert_true(support_binary_instantiate(&b, NULL, false));
    assert_int_equal(support_binary_start(&b, 0.0, NULL), 0);
    for (int n = 0; n < 9; n++) {
        support_choose_inputs(&is, n, 0.01, u);
        assert_int_equal(support_binary_feed(&b, n * 0.01, n % 3, u), 0);
        support_feed_built_in(&is, 0.01, n % 3, u);
        assert_int_equal(ms_instance_step(is.instance, n * 0.01, 0.01), MS_OK);
        assert_int_equal(support_binary_step(&b, n * 0.01, 0.01), 0);
        assert_int_equal(support_binary_get(&b, 2, names, x), 0);
        assert_true(support_distance(2, x, is.instance->x) < 1e-13);
    }
    support_built_in_destroy(&is);
    support_binary_close(&b);
    ms_system_destroy(&system);
}

/* The coupled model: its states after steps are those of the monolithic form. */
static void test_whole(void **state)
{
    (void)state;
    static const char *const models[] = {"quarter-car", "double-pendulum", "mass-chain",
                                         "woodpecker-explicit"};
    for (int m = 0; m < MS_COUNT(models); m++) {
        ms_system *system = support_system(models[m], NULL);
        ms_fmu_export what = support_export_of(system, NULL, 2, "cvode-bdf");
        for (what.fmi = 2; what.fmi <= 3; what.fmi++) {
            ms_system *whole = NULL; /* anew, as it solves loops from where it was left */
            assert_int_equal(ms_monolithic_create(system, &whole, NULL), MS_OK);
            support_built_in is = support_built_in_create(whole, 0, &what.solver);
            support_binary b;
            unsigned out[SUPPORT_BINARY_INPUTS];
            double x[SUPPORT_BINARY_INPUTS], u[SUPPORT_BINARY_DEGREE + 1][SUPPORT_BINARY_INPUTS] = {{0}};
            support_binary_open(&b, &what);
            const int nx = support_binary_outputs(&b, out);
            assert_int_equal(nx, system->nx);
            assert_true(support_binary_instantiate(&b, NULL, false));
            assert_int_equal(support_binary_start(&b, 0.0, NULL), 0);
            for (int n = 0; n < 3; n++) {
                support_feed_built_in(&is, 0.01, 0, u);
                assert_int_equal(ms_instance_step(is.instance, 0.01 * n, 0.01), MS_OK);
                assert_int_equal(support_binary_step(&b, 0.01 * n, 0.01), 0);
                assert_int_equal(support_binary_get(&b, nx, out, x), 0);
                support_same_bits(&b, "state", 0.01 * n, nx, x, is.x);
            }
            support_binary_close(&b);
            support_built_in_destroy(&is);
            ms_monolithic_destroy(&whole);
        }
        ms_system_destroy(&system);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps),
                                       cmocka_unit_test(test_intermediate_update),
                                       cmocka_unit_test(test_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
