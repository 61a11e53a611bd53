/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_explicit_passivity.c - bonds that are damped while they have produced energy: the inputs of the formula, the bits of the scheme itself
 * while there is nothing to damp, the energy that is left, and refusals. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/propagation.h>
#include <macrostep/scheme_registry.h>
#include "ledger_run.h"
#include "support.h"
#include "unit_test.h"

enum { OUTPUTS_MAX = 64, DAMPED = 0x1, SATURATED = 0x2, QUIET = 0x4 };

/* Held inputs of one bond whose end `end` receives the force: every input and the energy by hand. Returns what has happened. */
static int check_inputs(const char *model, const char *options_text, int end, double limit, double h,
                        int steps)
{
    ms_system *s = support_system(model, "");
    const ms_options options = support_options(options_text);
    ms_cosim *cosim = support_cosim(s, &options);
    const ms_bond *bond = s->bond;
    double y[OUTPUTS_MAX], u[OUTPUTS_MAX], energy = 0.0;
    int seen = 0;
    assert_int_equal(s->n_bonds, 1);
    assert_int_equal(ms_cosim_start(cosim), MS_OK);
    for (int n = 0; n < steps; n++) {
        memcpy(y, cosim->y, sizeof(double) * (size_t)s->ny);
        ms_system_couple(s, y, u);
        const double v = y[bond->output[end]], wanted = energy / (h * fabs(bond->gain[end]) * v * v);
        const double alpha = energy > 0.0 ? fmin(wanted, limit) : 0.0;
        u[bond->input[end]] -= copysign(alpha, bond->gain[end]) * v;
        seen |= energy <= 0.0 ? QUIET : wanted > limit ? SATURATED : DAMPED;
        assert_int_equal(ms_cosim_step(cosim, n * h, h), MS_OK);
        for (int l = 0; l < s->nu; l++)
            support_near(cosim->u_left[l], u[l], 1e-11 * (1.0 + fabs(u[l])));
        for (int k = 0; k < 2; k++)
            energy += 0.5 * h * bond->gain[k] * u[bond->input[k]] *
                      (y[bond->output[k]] + cosim->y[bond->output[k]]);
    }
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&s);
    return seen;
}

static void inputs_are_those_of_the_formula(void **state)
{
    (void)state;
    const int seen =
        check_inputs("spring-mass", "passivity=on passivity-limit=0.5 step-size=0.05", 1, 0.5, 0.05, 400);
    assert_int_equal(seen & (DAMPED | SATURATED), DAMPED | SATURATED);
}

/* Steps side by side, as long as the bonds have produced nothing in any of them so far. Returns how many were the same. */
static int same_steps(const char *model, const char *scheme, const char *more, int most)
{
    ms_system *s = support_system(model, "");
    const ms_options plain = support_options_of("step-size=0.02 %s", scheme);
    const ms_options passive = support_options_of("step-size=0.02 %s passivity=on %s", scheme, more);
    ms_cosim *a = support_cosim(s, &plain), *b = support_cosim(s, &passive);
    const bool off = more[0] != '\0';
    int n = 0;
    assert_int_equal(ms_cosim_start(a), MS_OK);
    assert_int_equal(ms_cosim_start(b), MS_OK);
    for (bool quiet = true; n < most && quiet; n++) {
        assert_int_equal(ms_cosim_step(a, n * 0.02, 0.02), MS_OK);
        assert_int_equal(ms_cosim_step(b, n * 0.02, 0.02), MS_OK);
        assert_memory_equal(a->lin, b->lin, sizeof(double) * (size_t)a->lin_size);
        for (int k = 0; k < s->n_bonds && !off; k++)
            quiet &= b->aux[b->aux_size - 1 - k] <= 0.0;
    }
    ms_cosim_destroy(&a);
    ms_cosim_destroy(&b);
    ms_system_destroy(&s);
    return n;
}

static void nothing_to_damp_is_the_scheme_itself(void **state)
{
    (void)state;
    static const char *const schemes[] = {
        "scheme=jacobi", "scheme=jacobi extrapolation-order=1 smooth-coupling=c1", "scheme=gauss-seidel",
        "scheme=balance balance-hat=triangle", "scheme=nepce"};
    for (int k = 0; k < MS_COUNT(schemes); k++) {
        assert_int_equal(same_steps("spring-mass", schemes[k], "passivity-limit=0", 200), 200);
        same_steps("spring-mass", schemes[k], "", 200);
    }
}

/* What is to happen at events changes nothing where there are none: the memory of one does not reach into that of the other. */
static void it_goes_with_dropped_history(void **state)
{
    (void)state;
    static const char *const schemes[] = {"scheme=jacobi extrapolation-order=2",
                                          "scheme=gauss-seidel extrapolation-order=1 smooth-coupling=c0"};
    ms_system *s = support_system("spring-mass", "");
    for (int k = 0; k < MS_COUNT(schemes); k++) {
        double x[2][2];
        for (int drop = 0; drop < 2; drop++) {
            const ms_options options = support_options_of("step-size=0.1 passivity=on at-events=%s %s",
                                                          drop ? "drop" : "keep", schemes[k]);
            support_finish(s, &options, x[drop], NULL);
        }
        assert_memory_equal(x[0], x[1], sizeof x[0]);
    }
    ms_system_destroy(&s);
}

/* m = c = 1: undamped, a macro-step produces about H^2 of the energy. */
static void a_bond_keeps_one_steps_error_at_most(void **state)
{
    (void)state;
    const double h = 0.01, limit = 1.0;
    ms_system *s = support_system("spring-mass", "m=1 c=1");
    ms_simulation plain = support_ledger_run(s, "step-size=0.01 stop-time=20");
    ms_simulation passive =
        support_ledger_run(s, "step-size=0.01 stop-time=20 passivity=on passivity-limit=1");
    const int v = s->bond->output[1];
    long judged = 0;
    for (long n = 1; n + 1 < passive.ledger.rows; n++) {
        const double produced = support_ledger_sum(&passive, n, MS_ENERGY_SUM_DRIFT);
        const double y = ms_trajectory_row(&passive.trajectory, n)[1 + s->nx + s->nu + v];
        if (produced > 0.0 && produced > 0.9 * limit * h * y * y)
            continue; /* saturated */
        judged++;
        assert_true(support_ledger_sum(&passive, n + 1, MS_ENERGY_SUM_DRIFT) <
                    3.0 * h * h * support_ledger_total(&passive, n));
    }
    assert_true(judged > 1000);
    const long last = plain.ledger.rows - 1;
    assert_true(support_ledger_sum(&plain, last, MS_ENERGY_SUM_DRIFT) >
                20.0 * fabs(support_ledger_sum(&passive, last, MS_ENERGY_SUM_DRIFT)));
    ms_simulation_destroy(&plain);
    ms_simulation_destroy(&passive);
    ms_system_destroy(&s);
}

/* Gauss-Seidel with held inputs keeps E + H/2 s v, whoever steps first: what comes and goes is not damped, and the run is as good as
 * without. With steps of size one the same energy would be taken out by percents. */
static void what_is_in_transit_is_left_alone(void **state)
{
    (void)state;
    static const char *const orders[] = {"spring,mass", "mass,spring"};
    ms_system *s = support_system("spring-mass", "");
    for (int k = 0; k < 2; k++) {
        double plain[2], passive[2];
        ms_options options =
            support_options_of("scheme=gauss-seidel step-size=0.05 stop-time=60 sequence=%s", orders[k]);
        support_finish(s, &options, plain, NULL);
        support_options_add(&options, "passivity=on");
        support_finish(s, &options, passive, NULL);
        support_near_all(2, passive, plain, 1e-10);
    }
    ms_system_destroy(&s);
    s = support_system("oscillator-chain", "masses=3");
    double plain[16], passive[16], exact[16];
    ms_options options = support_options("scheme=gauss-seidel step-size=0.02 stop-time=20");
    support_reference(s, 20.0, exact);
    support_finish(s, &options, plain, NULL);
    support_options_add(&options, "passivity=on");
    support_finish(s, &options, passive, NULL);
    assert_true(support_distance(s->nx, passive, exact) < 1.01 * support_distance(s->nx, plain, exact));
    ms_system_destroy(&s);
}

static void refuse(const char *model, const char *text, int status, const char *part)
{
    ms_system *s = support_system(model, "");
    support_system_refuses(s, text, status, part);
    ms_system_destroy(&s);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    ms_error error = {0};
    refuse("linear-pair", "passivity=on", MS_UNSUPPORTED, "has no bonds");
    refuse("spring-mass", "scheme=strang passivity=on", MS_INVALID, "does not have this option");
    ms_system *s = support_system("spring-mass", "");
    const ms_options options = support_options("passivity=on step-size=0.1");
    assert_int_equal(ms_propagation_exists(s, &options, &error), MS_UNSUPPORTED);
    assert_non_null(strstr(error.text, "`passivity` on"));
    ms_system_destroy(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_are_those_of_the_formula),
        cmocka_unit_test(nothing_to_damp_is_the_scheme_itself),
        cmocka_unit_test(it_goes_with_dropped_history),
        cmocka_unit_test(a_bond_keeps_one_steps_error_at_most),
        cmocka_unit_test(what_is_in_transit_is_left_alone),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
