/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_interface_jacobian.c - ijcsa and semi-implicit: two sweeps on every linear model and on random systems, one Newton step as
 * good as many, and known values. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/scheme_registry.h>
#include "random_system.h"
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

enum { SYSTEMS = 100, DEGREES = 4, STATES = 4, INPUTS_MAX = 60, STATES_MAX = 64 };

/* Linear systems ---------------------------------------------------------------------------------------- */

/* Ten macro-steps of length h, each of two sweeps with one iteration between, or of one where the predictor was right. What is
 * coupled may grow, and I - L S may be nearly singular: the tolerance is far above round-off. */
static void check_sweeps(const ms_system *system, double h, int degree, const char *where)
{
    const ms_options options = support_options_of(
        "scheme=ijcsa input-degree=%d epsilon=1e-7 step-rule=fixed step-size=%.17g stop-time=%.17g", degree,
        h, 10.0 * h);
    const ms_run_result result = support_run(system, &options, NULL, NULL);
    if (result.reason != MS_REASON_END_TIME && result.reason != MS_REASON_DIVERGED)
        fail_msg("%s, degree %d, step %g: %s", where, degree, h, result.message);
    if (result.sweeps > 2 * result.macro_steps || result.sweeps != result.macro_steps + result.iterations)
        fail_msg("%s, degree %d, step %g: %ld sweeps and %ld iterations in %ld macro-steps", where, degree, h,
                 result.sweeps, result.iterations, result.macro_steps);
}

/* Is it linear and regular, of moderate size, and free to take any step and input? */
static bool serves(const ms_system *system)
{
    const ms_options options = support_options("scheme=semi-implicit");
    char line[512];
    bool free = system->linear && system->nu <= INPUTS_MAX;
    for (int i = 0; i < system->n; i++)
        free = free && system->sub[i].imposed_step == 0.0 && system->sub[i].input_limit == MS_INPUTS_ANY;
    if (!free)
        return false;
    const int status = support_refusal(system, &options, line, sizeof line);
    assert_true(status == MS_OK || status == MS_NO_SOLUTION);
    return status == MS_OK;
}

static void two_sweeps_on_every_linear_model(void **state)
{
    (void)state;
    int systems = 0;
    for (int k = 0; ms_catalogue[k] != NULL; k++)
        for (int c = 0; c < ms_catalogue[k]->n_cases; c++) {
            ms_system *system = NULL;
            ms_error error = {""};
            const int status =
                ms_system_create(ms_catalogue[k], ms_catalogue[k]->cases[c].name, NULL, 0, &system, &error);
            if (status == MS_OK && serves(system)) {
                systems++;
                for (int degree = 0; degree < DEGREES; degree++) {
                    check_sweeps(system, system->step_size, degree, ms_catalogue[k]->name);
                    check_sweeps(system, 7.0 * system->step_size, degree, ms_catalogue[k]->name);
                }
            }
            ms_system_destroy(&system);
        }
    assert_true(systems > 20);
}

/* Does the sweep with held inputs contract? */
static bool contracts(const support_random_system *s)
{
    const ms_options options = support_options_of("scheme=zoh-iterative solver-nonlinear=fixed-point "
                                                  "epsilon=1e-9 step-rule=fixed max-iterations=100 "
                                                  "step-size=%.17g stop-time=%.17g",
                                                  s->h, s->h);
    return support_run(s->system, &options, NULL, NULL).reason == MS_REASON_END_TIME;
}

static void two_sweeps_on_random_systems_whether_they_contract_or_not(void **state)
{
    (void)state;
    unsigned long long seed = 501;
    int expanding = 0;
    for (int k = 0; k < support_ensemble(SYSTEMS); k++) {
        support_random_system s = support_random_system_next(&seed);
        expanding += !contracts(&s);
        for (int degree = 0; degree < DEGREES; degree++) {
            check_sweeps(s.system, s.h, degree, "random");
            check_sweeps(s.system, 0.01 * s.h, degree, "random");
        }
        support_random_system_drop(&s);
    }
    assert_true(expanding > 0);
}

/* From the same start both end in the same states, up to round-off. */
static void one_newton_step_is_as_good_as_many(void **state)
{
    (void)state;
    unsigned long long seed = 502;
    for (int k = 0; k < support_ensemble(SYSTEMS); k++) {
        support_random_system s = support_random_system_next(&seed);
        const char *const starts[] = {"hold", "derivatives"}, *const solvers[] = {"exact", "rk4"};
        for (int degree = 0; degree < DEGREES; degree++) {
            double many[STATES_MAX], one[STATES_MAX];
            char text[256];
            snprintf(text, sizeof text, "input-degree=%d start=%s solver=%s step-size=%.17g stop-time=%.17g",
                     degree, starts[k % 2], solvers[k / 2 % 2], s.h, 5.0 * s.h);
            const ms_options implicit = support_options_of("scheme=ijcsa epsilon=0 %s", text),
                             once = support_options_of("scheme=semi-implicit %s", text);
            support_finish(s.system, &implicit, many, NULL);
            support_finish(s.system, &once, one, NULL);
            const double off = support_distance(s.system->nx, one, many);
            if (!(off <= 1e-12 * s.condition))
                fail_msg("degree %d: %g (condition %g)", degree, off, s.condition);
        }
        support_random_system_drop(&s);
    }
}

/* Degree 0 holds the inputs at the end, degree 1 is the line to them: the equations of zoh-iterative, and of waveforms of one
 * sample. */
static void two_degrees_are_known_iterations(void **state)
{
    (void)state;
    static const char *const iterations[] = {"scheme=zoh-iterative",
                                             "scheme=waveform samples=1 spline-degree=1"};
    ms_system *system = support_system("mass-spring-damper", "");
    for (int degree = 0; degree < MS_COUNT(iterations); degree++) {
        double one[STATES], other[STATES];
        const ms_options newton = support_options_of("scheme=ijcsa input-degree=%d epsilon=0 step-size=0.05",
                                                     degree),
                         known = support_options_of("%s solver-nonlinear=newtonls epsilon=0 step-size=0.05",
                                                    iterations[degree]);
        support_finish(system, &newton, one, NULL);
        support_finish(system, &known, other, NULL);
        assert_true(support_distance(STATES, one, other) < 1e-12);
    }
    ms_system_destroy(&system);
}

/* Orders ------------------------------------------------------------------------------------------------ */

/* Positions and velocities of lim-oscillator: both normal modes, apart from the program. */
static void exact_oscillator(double t, double *x)
{
    const double mean = 605.0, half = sqrt(495.0 * 495.0 + 100.0 * 100.0);
    memset(x, 0, sizeof(double) * STATES);
    for (int k = 0; k < 2; k++) {
        const double square = mean + (k == 0 ? -half : half), w = sqrt(square);
        const double shape[2] = {100.0, 110.0 - square};
        const double part = 100.0 * (shape[0] - shape[1]) / (shape[0] * shape[0] + shape[1] * shape[1]);
        for (int i = 0; i < 2; i++) {
            x[2 * i] += part * shape[i] * sin(w * t) / w;
            x[2 * i + 1] += part * shape[i] * cos(w * t);
        }
    }
}

static void oscillate(const char *options, double h, double *x)
{
    ms_system *system = support_system("lim-oscillator", "");
    const ms_options o = support_options_of("%s step-size=%g stop-time=1", options, h);
    support_finish(system, &o, x, NULL);
    ms_system_destroy(&system);
}

/* Values of the digest that this family was built from, computed apart with matrix exponentials: x1(1) and the largest error
 * of a position. */
static void held_inputs_give_the_known_values(void **state)
{
    (void)state;
    static const struct {
        double h, x1, error;
    } known[] = {{0.01, -4.84206603115, 7.1029e-01},
                 {0.005, -4.68753831089, 3.9515e-01},
                 {0.0025, -4.61238335189, 2.0834e-01}};
    double exact[STATES];
    exact_oscillator(1.0, exact);
    for (int k = 0; k < MS_COUNT(known); k++) {
        double x[STATES];
        oscillate("scheme=ijcsa input-degree=0 epsilon=1e-12", known[k].h, x);
        support_near(x[0], known[k].x1, 6e-12);
        support_near(fmax(fabs(x[0] - exact[0]), fabs(x[2] - exact[2])), known[k].error, 6e-6);
    }
}

/* The same for lines, end errors in the 2-norm, and two largest errors; stiff-damper stands as a case of two-mass-oscillator. */
static void lines_give_the_known_values(void **state)
{
    (void)state;
#define STIFF_DAMPER                                                                                         \
    "case=force-displacement damping1=0.5 damping2=1 coupling_stiffness=100 coupling_damping=50"
    static const struct {
        const char *model, *settings;
        double end, h, error, digits;
        bool largest;
    } known[] = {{"precice-oscillator", "", 1.0, 0.01, 0.16581828273, 6e-12, false},
                 {"precice-oscillator", "", 0.7, 0.035, 9.124693e-01, 6e-8, true},
                 {"precice-oscillator", "", 0.7, 0.0175, 2.285454e-01, 6e-8, true},
                 {"two-mass-oscillator", STIFF_DAMPER, 0.2, 0.001, 4.4736567590e-04, 6e-14, false},
                 {"two-mass-oscillator", STIFF_DAMPER, 1.0, 0.01, 2.5737518816e-02, 6e-12, false}};
    for (int k = 0; k < MS_COUNT(known); k++) {
        ms_system *system = support_system(known[k].model, known[k].settings);
        const ms_options options = support_options_of("scheme=ijcsa epsilon=1e-13 step-size=%g stop-time=%g",
                                                      known[k].h, known[k].end);
        double x[STATES], exact[STATES], norm = 0.0, largest = 0.0;
        support_finish(system, &options, x, NULL);
        support_reference(system, known[k].end, exact);
        for (int j = 0; j < STATES; j++) {
            norm = hypot(norm, x[j] - exact[j]);
            largest = fmax(largest, fabs(x[j] - exact[j]));
        }
        support_near(known[k].largest ? largest : norm, known[k].error, known[k].digits);
        ms_system_destroy(&system);
    }
}

/* Derivatives that are not there --------------------------------------------------------------------------- */

static double lost_from, lost_until; /* times between which the first subsystem has no Jacobian [s] */

static int cubic_f(const ms_point *at, double *dx)
{
    dx[0] = at->u[0] - at->x[0] * at->x[0] * at->x[0];
    return 0;
}

static int cubic_jacobian(const ms_point *at, const ms_blocks *m)
{
    if (m->A != NULL)
        m->A[0] = -3.0 * at->x[0] * at->x[0];
    if (m->B != NULL)
        m->B[0] = 1.0;
    if (m->C != NULL)
        m->C[0] = 1.0;
    return at->t >= lost_from && at->t <= lost_until;
}

#define CUBIC(called)                                                                                        \
    SUPPORT_SUBSYSTEM(called, 1, 1, 1, .x0 = support_one, .f = cubic_f, .g = support_first_state,            \
                      .jacobian = cubic_jacobian, .feed_through = support_no_feed_through)
static const ms_subsystem cubics[] = {CUBIC("one"), CUBIC("other")};
static const ms_wire cubic_wires[] = {{0, 0, 1, 0, -1.0}, {1, 0, 0, 0, 1.0}};
static const ms_model cubic_model =
    SUPPORT_MODEL("cubics", cubics, cubic_wires, .stop_time = 0.1, .step_size = 0.1);

/* At the start of the macro-step, at its end, and nowhere. */
static void derivatives_that_are_not_defined_end_the_step(void **state)
{
    (void)state;
    static const double lost[][2] = {{-1.0, 0.01}, {0.09, 1.0}, {2.0, 3.0}};
    ms_system *system = support_system_of(&cubic_model);
    const ms_options options =
        support_options("scheme=ijcsa sensitivities=directional solver=rk4 start=hold");
    for (int k = 0; k < MS_COUNT(lost); k++) {
        ms_cosim *cosim = support_cosim(system, &options);
        lost_from = 4.0;
        lost_until = 5.0;
        assert_int_equal(ms_cosim_start(cosim), MS_OK);
        lost_from = lost[k][0];
        lost_until = lost[k][1];
        const int status = ms_cosim_step(cosim, 0.0, 0.1);
        assert_int_equal(status == MS_OK, k == 2);
        assert_int_equal(strstr(cosim->error.text, "derivatives of subsystem") != NULL, k < 2);
        ms_cosim_destroy(&cosim);
    }
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_that_are_not_defined_end_the_step),
        cmocka_unit_test(two_sweeps_on_every_linear_model),
        cmocka_unit_test(two_sweeps_on_random_systems_whether_they_contract_or_not),
        cmocka_unit_test(one_newton_step_is_as_good_as_many),
        cmocka_unit_test(two_degrees_are_known_iterations),
        cmocka_unit_test(held_inputs_give_the_known_values),
        cmocka_unit_test(lines_give_the_known_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
