/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_integrate_reference.c - what references know of stiff models, against the Test Set for IVP Solvers (Mazzia, Magherini 2008), and
 * what is said where they end. */
#include <math.h>
#include <stdio.h>

#include <macrostep/reference.h>
#include "integration.h"
#include "support.h"
#include "unit_test.h"

static const char
    robertson[] =
        "{\"subsystems\": [{\"name\": \"p\", \"states\": {"
        "\"a\": {\"derivative\": \"-0.04*a + 1e4*b*c\", \"start\": 1},"
        "\"b\": {\"derivative\": \"0.04*a - 1e4*b*c - 3e7*b*b\"},"
        "\"c\": {\"derivative\": \"3e7*b*b\"}}}], \"wires\": [], \"end\": 1e11, \"step_size\": 1e8}",
    oregonator[] = "{\"subsystems\": [{\"name\": \"p\", \"states\": {"
                   "\"a\": {\"derivative\": \"77.27*(b + a*(1 - 8.375e-6*a - b))\", \"start\": 1},"
                   "\"b\": {\"derivative\": \"(c - (1 + a)*b)/77.27\", \"start\": 2},"
                   "\"c\": {\"derivative\": \"0.161*(a - c)\", \"start\": 3}}}], \"wires\": [], "
                   "\"end\": 360, \"step_size\": 0.36}",
    /* slides along a jump of its equations from t = 1 on */
    /* comes to rest at t = 5/6, where f is no sum of what both switches add: it chatters */
    chattering[] = "{\"subsystems\": [{\"name\": \"p\", \"states\": {"
                   "\"x\": {\"derivative\": \"-sign(x)*(2 + sign(y))\", \"start\": 1},"
                   "\"y\": {\"derivative\": \"-sign(y)*(2 + sign(x))\", \"start\": 2}}}], "
                   "\"wires\": [], \"end\": 2, \"step_size\": 0.1}",
    van_der_pol[] = "{\"subsystems\": [{\"name\": \"p\", \"states\": {"
                    "\"x\": {\"derivative\": \"v\", \"start\": 2},"
                    "\"v\": {\"derivative\": \"1e6*((1 - x*x)*v - x)\"}}}], \"wires\": [], "
                    "\"end\": 2, \"step_size\": 0.002}",
    /* returns to the saddle, x = sqrt(2)/cosh t, and leaves it by round-off, which grows by e^t */
    saddle[] = "{\"subsystems\": [{\"name\": \"p\", \"states\": {"
               "\"x\": {\"derivative\": \"v\", \"start\": 1.4142135623730951}, "
               "\"v\": {\"derivative\": \"x - x^3\"}}}], \"wires\": [], \"end\": 50, \"step_size\": 0.1}";

static ms_integration run_of(const char *json, const char *options, bool errors, ms_model **model,
                             ms_system **system)
{
    ms_integration run;
    const ms_options o = support_options(options);
    *model = support_model_read(json);
    *system = support_system_of(*model);
    assert_int_equal(ms_integrate(*system, &o, 7, &(ms_integrate_options){.errors = errors}, &run, NULL),
                     MS_OK);
    assert_int_equal(run.reason, MS_REASON_END_TIME);
    return run;
}

static void drop(ms_integration *run, ms_model **model, ms_system **system)
{
    ms_integration_destroy(run);
    ms_system_destroy(system);
    ms_model_destroy(model);
}

/* The stated errors at the end and the values there give the reference, whose own error is stated. */
static void check_stiff(const char *json, const double known[3])
{
    static const char *const options[] = {"solver=cvode-bdf solver-rtol=1e-8 solver-atol=1e-16",
                                          "solver=radau-iia-13 solver-rtol=1e-8 solver-atol=1e-16"};
    for (int k = 0; k < MS_COUNT(options); k++) {
        ms_model *model;
        ms_system *system;
        ms_integration run = run_of(json, options[k], true, &model, &system);
        const double *end = ms_run_series_row(&run.trajectory, run.trajectory.rows - 1) + 2;
        assert_true(run.errors_valid);
        assert_string_equal(run.message, "");
        for (int j = 0; j < 3; j++) {
            const double off = fabs(fabs(end[j] - known[j]) - run.error[j].end);
            if (!(off <= fmin(run.reference_error, 1e-9 * fabs(known[j])) + 2e-15 * fabs(known[j])))
                fail_msg("%s: state %d of the reference is off by %g, stated %g", options[k], j, off,
                         run.reference_error);
        }
        drop(&run, &model, &system);
    }
}

static void test_stiff(void **state)
{
    (void)state;
    check_stiff(robertson,
                (const double[]){0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050});
    /* of the equations with these doubles as parameters, in 50 digits of arithmetic (tests/truth): the sixth digit from the end differs from the
     * test set's, whose parameters are decimal numbers */
    check_stiff(oregonator,
                (const double[]){0.1000814870318522717e1, 0.1228178521549887426e4, 0.1320554942846504546e3});
}

/* Two spikes of 1e6 within 1e-6 s lie between the output points, where v is 1: the reference is of use behind them, for its error, which
 * round-off of x decides there (dx moves the spike by 1.5 dx, where v' is 1e12), is small beside what it has been through. */
static void test_spikes(void **state)
{
    (void)state;
    static const double known[] = {0.1706167732170483e1,
                                   -0.8928097010247975e0}; /* the test set's, from (2, 0) */
    ms_model *model;
    ms_system *system;
    ms_integration run =
        run_of(van_der_pol, "solver=radau-iia-13 solver-rtol=1e-11 solver-atol=1e-14", true, &model, &system);
    const double *end = ms_run_series_row(&run.trajectory, run.trajectory.rows - 1) + 2;
    assert_true(run.errors_valid);
    assert_true(isnan(run.known_until));
    assert_string_equal(run.message, "");
    assert_true(run.reference_error < 1e-6 * 1e6);
    for (int j = 0; j < 2; j++)
        support_near(fabs(end[j] - known[j]), run.error[j].end, 1e-10);
    drop(&run, &model, &system);
}

/* What is known before the end is said, with the time and the reason. */
static void test_budget(void **state)
{
    (void)state;
    ms_model *model;
    ms_system *system;
    ms_integration run = run_of(chattering, "solver=rk4 step-size=0.01", true, &model, &system);
    assert_true(run.errors_valid);
    assert_true(run.max < 1e-12); /* up to there both fall on straight lines */
    assert_true(run.known_until > 0.3 &&
                run.known_until <
                    2.0); /* x is at zero from 1/3 s on; when work is spent is up to round-off */
    support_says(run.message, "up to 0.");
    support_says(run.message, "where the reference ends");
    drop(&run, &model, &system);
}

/* Behind the horizon the reference goes on, and errors are those before it. */
static void test_horizon(void **state)
{
    (void)state;
    enum { POINTS = 500 };
    ms_error error = {""};
    ms_integration run;
    const ms_options o = support_options("solver=cvode-bdf solver-rtol=1e-6 solver-atol=1e-6");
    ms_model *model = support_model_read(saddle);
    ms_system *system = support_system_of(model);
    assert_int_equal(ms_integrate(system, &o, POINTS, &(ms_integrate_options){.errors = true}, &run, &error),
                     MS_OK);
    assert_true(run.errors_valid);
    assert_true(run.known_until > 15.0 && run.known_until < 38.0);
    support_says(run.message, "errors are those up to ");
    double largest = 0.0, end = NAN;
    for (long n = 0; n < run.trajectory.rows && ms_run_series_row(&run.trajectory, n)[0] <= run.known_until;
         n++) {
        const double *row = ms_run_series_row(&run.trajectory, n);
        end = fabs(row[2] - sqrt(2.0) / cosh(row[0]));
        largest = fmax(largest, end);
    }
    assert_true(run.reference_error <= MS_REFERENCE_USABLE * sqrt(2.0) * 1.5);
    support_near(run.error[0].end, end, run.reference_error);
    support_near(run.error[0].max, largest, run.reference_error);
    drop(&run, &model, &system);
}

/* Before it nothing is said. */
static void test_known(void **state)
{
    (void)state;
    ms_model *model;
    ms_system *system;
    ms_integration run = run_of(saddle, "solver=cvode-bdf stop-time=8", true, &model, &system);
    assert_true(run.errors_valid);
    assert_true(isnan(run.known_until));
    assert_string_equal(run.message, "");
    drop(&run, &model, &system);
}

/* At 100 s, an output point, a state jumps by 0.7: the error there is that behind the jump. */
static void test_jump_at_an_output_point(void **state)
{
    (void)state;
    static const char *const texts[] = {"solver=gsl-rk8pd", "solver=cvode-bdf", "solver=rk4 step-size=0.01"};
    ms_system *system = support_system("two-masses-springs-dampers", "case=jump");
    for (size_t k = 0; k < MS_COUNT(texts); k++) {
        ms_error error = {""};
        ms_integration run;
        const ms_options o = support_options(texts[k]);
        if (ms_integrate(system, &o, 500, &(ms_integrate_options){.errors = true}, &run, &error) != MS_OK)
            fail_msg("%s: %s", texts[k], error.text);
        assert_int_equal(run.work.events, 1);
        if (!(run.max < 1e-3))
            fail_msg("%s: the error is %g", texts[k], run.max);
        ms_integration_destroy(&run);
    }
    ms_system_destroy(&system);
}

/* A damper's force is nearly the root of a velocity, which passes zero: there no polynomial holds, and two solvers agree to 1e-12. */
static void test_kink(void **state)
{
    (void)state;
    static const char *const texts[] = {"solver=gsl-rk8pd solver-rtol=1e-12 solver-atol=1e-12",
                                        "solver=radau-iia-13 solver-rtol=1e-12 solver-atol=1e-12"};
    ms_system *system = support_system("quarter-car", "case=bonded-nonlinear");
    for (size_t k = 0; k < MS_COUNT(texts); k++) {
        ms_error error = {""};
        ms_integration run;
        const ms_options o = support_options(texts[k]);
        if (ms_integrate(system, &o, 0, &(ms_integrate_options){.errors = true}, &run, &error) != MS_OK)
            fail_msg("%s: %s", texts[k], error.text);
        if (!(run.max <= run.reference_error + 1e-11))
            fail_msg("%s: the reference states %g, and errs by %g", texts[k], run.reference_error, run.max);
        ms_integration_destroy(&run);
    }
    ms_system_destroy(&system);
}

static const char one_state[] =
    "{\"subsystems\": [{\"name\": \"p\", \"states\": {\"x\": {\"derivative\": \"%s\", \"start\": %.17g}}}], "
    "\"wires\": [], \"end\": 3, \"step_size\": 0.1}";

static ms_integration run_of_one(const char *derivative, double start, ms_model **model, ms_system **system)
{
    char json[500];
    snprintf(json, sizeof json, one_state, derivative, start);
    return run_of(json, "solver=rk4 step-size=0.01", true, model, system);
}

/* x = (1 - t/2)^2 reaches zero at 2 s, where one solution stays and others go on to -((t - s)/2)^2 from any s. */
static void test_several_solutions(void **state)
{
    (void)state;
    static const char *const leaves[] = {
        "-sqrt(abs(x))",    "-abs(x)^0.5",      "(t > 2.5 ? 1 : 0)-sqrt(abs(x))",
        "-hypot(x, 0)^0.5", "-2*(x^2/16)^0.25", "-sqrt(sqrt(x*x))"};
    ms_model *model;
    ms_system *system;
    for (size_t k = 0; k < MS_COUNT(leaves); k++) {
        ms_integration run = run_of_one(leaves[k], 1.0, &model, &system);
        support_says(run.message, "several solutions go on there");
        assert_true(!(run.known_until > 2.0));
        drop(&run, &model, &system);
    }
    ms_integration stays = run_of_one("cbrt(x)", 0.0, &model, &system);
    support_says(stays.message,
                 "there are no errors, because the reference did not start: several solutions");
    drop(&stays, &model, &system);
}

/* At 2 s, before another switch of the same step. */
static void test_several_solutions_before_a_switch(void **state)
{
    (void)state;
    static const char two[] =
        "{\"subsystems\": [{\"name\": \"p\", \"states\": {\"x\": {\"derivative\": \"-sqrt(abs(x))\", \"start\": 1}, "
        "\"z\": {\"derivative\": \"1\"}, \"q\": {\"derivative\": \"z > 2.3 ? 1 : 0\"}}}], "
        "\"wires\": [], \"end\": 2.7, \"step_size\": 0.9}";
    ms_model *model;
    ms_system *system;
    ms_integration run = run_of(two, "solver=gsl-rk8pd", true, &model, &system);
    support_says(run.message, "several solutions go on there");
    drop(&run, &model, &system);
}

/* Where x' is as steep and one solution goes on, it is known. From 0 to 0.5, and likewise up to x(t), a state with x' = 1 + sqrt(|x - 0.5|) takes
 * 2 r - 2 ln(1 + r), r the root of the way. */
static void test_one_solution(void **state)
{
    (void)state;
    ms_model *model;
    ms_system *system;
    ms_integration run = run_of_one("-sqrt(max(x, 0))", 1.0, &model, &system);
    assert_string_equal(run.message, "");
    assert_true(run.errors_valid);
    drop(&run, &model, &system);
    run = run_of_one("1 + sqrt(abs(x - 0.5))", 0.0, &model, &system);
    assert_string_equal(run.message, "");
    const double half = sqrt(0.5),
                 r = sqrt(ms_run_series_row(&run.trajectory, run.trajectory.rows - 1)[2] - 0.5),
                 took = 2.0 * (half - log1p(half) + r - log1p(r));
    support_near(run.error[0].end, (1.0 + r) * fabs(took - 3.0), 1e-9 + run.reference_error);
    drop(&run, &model, &system);
}

/* A pulse of two numbers of double precision, 2.2e-16 s long, multiplies x/(1 - x) by exp(1e8 2.2e-16). */
static void test_pulse_of_round_off(void **state)
{
    (void)state;
    ms_model *model;
    ms_system *system;
    ms_integration run =
        run_of_one("x*(1-x)*(t > 0.7 && t < 0.70000000000000018 ? 1e8 : 0)", 0.25, &model, &system);
    const double exact = 1.0 / (1.0 + 3.0 * exp(-1e8 * (0.70000000000000018 - 0.7))),
                 end = ms_run_series_row(&run.trajectory, run.trajectory.rows - 1)[2];
    assert_true(run.errors_valid);
    support_near(run.error[0].end, fabs(end - exact), run.reference_error + 4e-16);
    drop(&run, &model, &system);
}

/* At 1.9999999 s the rate jumps to 2e5/s: within 1e-7 s x/(1 - x) grows by exp(0.02), and soon x is 1, where polynomials are constant. */
static void test_layer(void **state)
{
    (void)state;
    char json[500];
    ms_model *model;
    ms_system *system;
    snprintf(json, sizeof json, one_state, "(t >= 1.9999999 ? 2e5 : 0)*x*(1-x)", 0.25);
    ms_integration run = run_of(json, "solver=rk4 step-size=0.01 stop-time=2", true, &model, &system);
    const double exact = 1.0 / (1.0 + 3.0 * exp(-2e5 * (2.0 - 1.9999999))),
                 end = ms_run_series_row(&run.trajectory, run.trajectory.rows - 1)[2];
    support_near(run.error[0].end, fabs(end - exact), run.reference_error + 4e-16);
    drop(&run, &model, &system);
}

/* A comparison of comparisons is constant from one of them to the next: z = exp(-3) + exp(-2.2) - exp(-2.7). */
static void test_equal_comparisons(void **state)
{
    (void)state;
    static const char equal[] =
        "{\"subsystems\": [{\"name\": \"p\", \"states\": {\"x\": {\"derivative\": \"1\"}, "
        "\"z\": {\"derivative\": \"((x > 0.3) == (x < 0.8)) - z\", \"start\": 1}}}], \"wires\": [], "
        "\"end\": 3, \"step_size\": 0.1}";
    ms_model *model;
    ms_system *system;
    ms_integration run = run_of(equal, "solver=rk4 step-size=0.01", true, &model, &system);
    const double exact = exp(-3.0) + exp(-2.2) - exp(-2.7),
                 end = ms_run_series_row(&run.trajectory, run.trajectory.rows - 1)[3];
    support_near(run.error[1].end, fabs(end - exact), run.reference_error + 4e-16);
    support_near(end, exact, 1e-9);
    drop(&run, &model, &system);
}

static void test_none(void **state)
{
    (void)state;
    ms_model *model;
    ms_system *system;
    ms_integration run = run_of(chattering, "solver=rk4 step-size=0.01", false, &model, &system);
    assert_false(run.errors_valid);
    assert_string_equal(run.message, "");
    drop(&run, &model, &system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stiff),
        cmocka_unit_test(test_spikes),
        cmocka_unit_test(test_budget),
        cmocka_unit_test(test_horizon),
        cmocka_unit_test(test_known),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_jump_at_an_output_point),
        cmocka_unit_test(test_kink),
        cmocka_unit_test(test_several_solutions),
        cmocka_unit_test(test_several_solutions_before_a_switch),
        cmocka_unit_test(test_one_solution),
        cmocka_unit_test(test_pulse_of_round_off),
        cmocka_unit_test(test_layer),
        cmocka_unit_test(test_equal_comparisons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
