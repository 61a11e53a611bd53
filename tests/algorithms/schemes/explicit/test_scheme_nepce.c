/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_scheme_nepce.c - held inputs and what they missed: identities over random systems, the propagation matrix, orders, refusals. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/options_set.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/simulation.h>
#include "random_system.h"
#include "support.h"
#include "unit_test.h"

enum { SYSTEMS = 40, STEPS = 12, INPUTS_MAX = SUPPORT_RANDOM_SYSTEM_TOTAL };

/* The name of input l. */
static void name_input(const ms_system *s, int l, char *name, size_t size)
{
    int i = 0;
    while (l >= s->u_at[i + 1])
        i++;
    snprintf(name, size, "%s.u.%s", s->sub[i].name, s->sub[i].u[l - s->u_at[i]].name);
}

/* u = L (y + weight (y - before)). */
static double corrected(const ms_system *s, int l, double weight, const double *y, const double *before)
{
    double sum = 0.0;
    for (int w = s->row_at[l]; w < s->row_at[l + 1]; w++) {
        const int j = s->wire_output[w];
        sum += s->wire_gain[w] * (y[j] + weight * (y[j] - before[j]));
    }
    return sum;
}

/* Steps of changing length: inputs are those of the formula, by the trapezoidal rule. */
static void check_inputs(const ms_system *s, const ms_options *options, double h, double alpha, int only)
{
    ms_cosim *cosim = support_cosim(s, options);
    double y[SUPPORT_RANDOM_SYSTEM_TOTAL], before[SUPPORT_RANDOM_SYSTEM_TOTAL], t = 0.0, last = h;
    assert_int_equal(ms_cosim_start(cosim), MS_OK);
    memcpy(before, cosim->y, sizeof(double) * (size_t)s->ny);
    for (int n = 0; n < STEPS; n++) {
        const double length = h * (n % 3 == 1 ? 0.25 : 1.0);
        double scale = 1.0;
        memcpy(y, cosim->y, sizeof(double) * (size_t)s->ny);
        for (int j = 0; j < s->ny; j++)
            scale = fmax(scale, fmax(fabs(y[j]), fabs(before[j])));
        assert_int_equal(ms_cosim_step(cosim, t, length), MS_OK);
        for (int l = 0; l < s->nu; l++) {
            const double weight = only < 0 || l == only ? 0.5 * alpha * last / length : 0.0;
            support_near(cosim->u_left[l], corrected(s, l, weight, y, before), 1e-13 * scale);
        }
        memcpy(before, y, sizeof(double) * (size_t)s->ny);
        t += length;
        last = length;
    }
    ms_cosim_destroy(&cosim);
}

/* With alpha = 1 and equal steps that is first-order extrapolation, half a step ahead. */
static void inputs_are_those_of_the_formula(void **state)
{
    (void)state;
    unsigned long long seed = 2;
    for (int n = 0; n < support_ensemble(SYSTEMS); n++) {
        support_random_system r = support_random_system_next(&seed);
        char name[64];
        const int only = support_random_below(&seed, r.system->nu);
        ms_options options =
            support_options_of("scheme=nepce stop-time=%.17g step-size=%.17g", 20.0 * r.h, r.h);
        check_inputs(r.system, &options, 0.1 * r.h, 1.0, -1);
        support_options_add(&options, "alpha=0.3");
        check_inputs(r.system, &options, 0.1 * r.h, 0.3, -1);
        name_input(r.system, only, name, sizeof name);
        assert_int_equal(ms_options_set(&options, "wires", name, NULL), MS_OK);
        check_inputs(r.system, &options, 0.1 * r.h, 0.3, only);
        support_random_system_drop(&r);
    }
}

/* The same bits, or as close as round-off. */
static void same_end(const ms_system *s, const char *one, const char *other, double h, double tolerance)
{
    double x[2][SUPPORT_RANDOM_SYSTEM_TOTAL], y[2][SUPPORT_RANDOM_SYSTEM_TOTAL];
    const char *const text[] = {one, other};
    for (int k = 0; k < 2; k++) {
        const ms_options options =
            support_options_of("%s step-size=%.17g stop-time=%.17g", text[k], h, STEPS * h);
        support_finish(s, &options, x[k], y[k]);
    }
    if (!(support_distance(s->nx, x[0], x[1]) <= tolerance &&
          support_distance(s->ny, y[0], y[1]) <= tolerance))
        fail_msg("%s is not %s", one, other);
}

static void exact_integrals_are_the_raw_balance(void **state)
{
    (void)state;
    unsigned long long seed = 3;
    for (int n = 0; n < support_ensemble(SYSTEMS); n++) {
        support_random_system r = support_random_system_next(&seed);
        same_end(r.system, "scheme=nepce balance-integral=exact",
                 "scheme=balance balance-error=raw balance-hat=box balance-steps=1", 0.05 * r.h, 1e-13);
        same_end(r.system, "scheme=nepce alpha=0", "scheme=jacobi", 0.05 * r.h, 0.0);
        same_end(r.system, "scheme=nepce alpha=0 balance-integral=exact", "scheme=jacobi", 0.05 * r.h, 1e-13);
        support_random_system_drop(&r);
    }
}

static void formula_is_the_probed_matrix(void **state)
{
    (void)state;
    static const char *const variants[] = {"", "alpha=0.4", "balance-integral=exact",
                                           "balance-integral=exact alpha=0.7"};
    unsigned long long seed = 4;
    for (int n = 0; n < support_ensemble(SYSTEMS); n++) {
        support_random_system r = support_random_system_next(&seed);
        char name[64];
        name_input(r.system, support_random_below(&seed, r.system->nu), name, sizeof name);
        for (int k = 0; k < 2 * MS_COUNT(variants); k++) {
            ms_options options = support_options_of("scheme=nepce %s", variants[k / 2]);
            if (k % 2 == 1)
                assert_int_equal(ms_options_set(&options, "wires", name, NULL), MS_OK);
            if (!(support_formula_gap(r.system, &options, r.h) <= 1e-12))
                fail_msg("system %d, %s, %s", n, variants[k / 2], k % 2 == 1 ? name : "all inputs");
        }
        support_random_system_drop(&r);
    }
}

/* Observed orders of errors at t = 1, and those that are claimed for the system. */
static void orders_are_those_claimed(void **state)
{
    (void)state;
    static const struct {
        const char *model, *options;
        int claimed;
        double order;
    } of[] = {{"spring-mass", "", 2, 2.0},
              {"spring-mass", "alpha=0.5", 1, 1.0},
              {"lim-oscillator", "", 1, 1.0},
              {"lim-oscillator", "balance-integral=exact", 2, 2.0},
              {"quarter-car", "", 2, 2.0}};
    for (int k = 0; k < MS_COUNT(of); k++) {
        ms_system *system = support_system(of[k].model, "");
        double x[2][8], exact[8], distance[2];
        support_reference(system, 1.0, exact);
        ms_options options;
        for (int half = 0; half < 2; half++) {
            options = support_options_of("scheme=nepce stop-time=1 step-size=%g %s", half ? 0.00025 : 0.0005,
                                         of[k].options);
            support_finish(system, &options, x[half], NULL);
            distance[half] = support_distance(system->nx, x[half], exact);
        }
        assert_int_equal(ms_scheme_order_on(system, &options), of[k].claimed);
        if (!(fabs(log2(distance[0] / distance[1]) - of[k].order) < 0.15))
            fail_msg("%s %s: order %g", of[k].model, of[k].options, log2(distance[0] / distance[1]));
        ms_system_destroy(&system);
    }
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *options, *line;
    } refused[] = {{"scheme=nepce wires=mass.u.force", "has no input mass.u.force"},
                   {"scheme=nepce extrapolation-order=1", "does not have this option"},
                   {"scheme=jacobi alpha=0.5", "does not have this option"},
                   {"scheme=balance balance-integral=exact", "does not have this option"}};
    ms_system *system = support_system("spring-mass", "");
    for (int k = 0; k < MS_COUNT(refused); k++) {
        support_system_refuses(system, refused[k].options, MS_INVALID, refused[k].line);
    }
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_are_those_of_the_formula),
        cmocka_unit_test(exact_integrals_are_the_raw_balance),
        cmocka_unit_test(formula_is_the_probed_matrix),
        cmocka_unit_test(orders_are_those_claimed),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
