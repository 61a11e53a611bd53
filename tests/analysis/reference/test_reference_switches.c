/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_reference_switches.c - references of equations that jump: at times, which are known, and where states say so, which is watched. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <macrostep/reference.h>
#include <macrostep/system_file.h>
#include "support.h"
#include "unit_test.h"

/* The reference of the text at 1 in steps of 0.1: state j, and its stated error; INFINITY where it does not get there. */
static double reference_at_end(const char *text, int j, double *value)
{
    ms_model *model = support_model_read(text);
    ms_system *system = support_system_of(model);
    ms_reference *reference;
    int status = MS_OK;
    assert_int_equal(ms_reference_create(system, 0, NULL, &reference, NULL), MS_OK);
    for (int k = 0; k < 10 && status == MS_OK; k++)
        status = ms_reference_step(reference, 0.1 * k, 0.1);
    *value = ms_reference_state(reference)[j];
    const double stated = status == MS_OK ? ms_reference_error(reference) : INFINITY;
    ms_reference_destroy(&reference);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
    return stated;
}

#define OF(x, y)                                                                                             \
    "{\"subsystems\": [{\"name\": \"a\", \"states\": {\"x\": {\"derivative\": \"" x                          \
    "\"}, \"y\": {\"derivative\": \"" y "\"}}, \"outputs\": {}}], \"wires\": []}"

static void test_jumps(void **state)
{
    static const struct {
        const char *text;
        double y;
    } known[] = {
        {OF("1", "t > 0.4937207179 ? 1 : 0"), 1.0 - 0.4937207179},
        {OF("1", "abs(t - 0.5317) < 1e-7 ? 1e6 : 0"), 0.2},
        {OF("1 + 0*y", "max(0, 1 - abs(t - 0.5317)*1e4)*1e4"), 1.0},
        {OF("1", "sign(sin(20*pi*t + 1))"), 2.0 * (1.0 - 10.0 / 10.0)},
        {OF("1 + 0*y", "floor(4*t) + 0*x"), 0.25 * (0 + 1 + 2 + 3)},
        {OF("1 + 0*y", "x > 0.6 ? 1 : 0"), 0.4},
    };
    (void)state;
    for (int k = 0; k < MS_COUNT(known); k++) {
        double y;
        const double stated = reference_at_end(known[k].text, 1, &y), error = fabs(y - known[k].y);
        if (!(error <= stated + 1e-15 && stated <= 1e-8))
            fail_msg("%s: %.17g, stated error %g, true %g", known[k].text, y, stated, error);
    }
}

/* A pulse of a ten-thousandth of a state's way: what it adds is found, or it is said that it is not known. */
static void test_pulse_of_states(void **state)
{
    static const char *const text[] = {OF("1 + 0*y", "abs(x - 0.5317) < 1e-4 ? 1e3 : 0"),
                                       OF("1 + 0*y", "(x > 0.5317 && x < 0.53172)*1e4"),
                                       OF("1 + 0*y", "max(0, 1 - abs(x - 0.5317)*1e5)*2e4")};
    (void)state;
    for (int k = 0; k < MS_COUNT(text); k++) {
        double y;
        const double stated = reference_at_end(text[k], 1, &y);
        if (!(fabs(y - 0.2) <= stated + 1e-15))
            fail_msg("%s: %.17g, stated error %g, true %g", text[k], y, stated, fabs(y - 0.2));
    }
}

/* From one to 64 units of round-off wide, of the area 1e-4. */
static void test_pulse_of_round_off(void **state)
{
    static const char *const text[] = {
        OF("1 + 0*y", "(x > %.17g && x < %.17g)*%.17g"),
        OF("1 + 0*y", "((x > %.17g ? 1 : 0) - (x > %.17g ? 1 : 0))*%.17g"),
    };
    (void)state;
    for (int k = 0; k < MS_COUNT(text); k++)
        for (int wide = 1; wide <= 64; wide *= 2) {
            const double from = 0.5317, to = from + wide * 0.5 * DBL_EPSILON;
            char with[500];
            double y;
            snprintf(with, sizeof with, text[k], from, to, 1e-4 / (to - from));
            const double stated = reference_at_end(with, 1, &y), error = fabs(y - 1e-4);
            if (!(error <= stated + 1e-15))
                fail_msg("%s: %.17g, stated error %g, true %g", with, y, stated, error);
        }
}

/* Smooth pulses of a state, from a thousandth to a millionth of its way: the integral of each over u is known. */
static void test_smooth_pulse_of_states(void **state)
{
    static const struct {
        const char *of_u;
        double area;
    } pulse[] = {{"exp(-u^2)", 1.77245385090551603},
                 {"exp(-abs(u))", 2.0},
                 {"1/cosh(u)", 3.14159265358979324},
                 {"1/cosh(u)^2", 2.0},
                 {"1 - tanh(u)^2", 2.0},
                 {"1/(1 + u^2)^4", 0.981747704246810387},
                 {"1/(1 + u^8)", 2.05234430595406249}};
    (void)state;
    for (int k = 0; k < MS_COUNT(pulse); k++)
        for (double b = 1e-3; b > 5e-7; b *= 0.1) {
            char text[500];
            const char *u = strchr(pulse[k].of_u, 'u');
            snprintf(text, sizeof text, OF("1 + 0*y", "%.*s((x - 0.5317)/%g)%s"), (int)(u - pulse[k].of_u),
                     pulse[k].of_u, b, u + 1);
            double y;
            const double stated = reference_at_end(text, 1, &y), error = fabs(y - pulse[k].area * b);
            if (!(error <= stated + 1e-15 && stated <= 1e-10))
                fail_msg("%s, %g wide: %.17g, stated error %g, true %g", pulse[k].of_u, b, y, stated, error);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_jumps), cmocka_unit_test(test_pulse_of_states),
                                       cmocka_unit_test(test_pulse_of_round_off),
                                       cmocka_unit_test(test_smooth_pulse_of_states)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
