/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_step_ecco.c - energy-controlled steps: the steps of a run computed apart from the program, the controller's formula step by
 * step, limits, rounding, refusals. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/simulation.h>
#include "support.h"
#include "unit_test.h"

/* A run as its steps show it. */
typedef struct controlled {
    double smallest, largest, raw; /* steps [s]; sum of (u_a y_a - u_b y_b) h [J] */
    double worst[8];               /* errors of states */
    double h, error, g; /* of the last step; what the controller says of the next one, 0: nothing */
    const ms_system *system;
    const ms_options *options;
    long steps;
} controlled;

static double power(const ms_cosim *cosim, int end)
{
    const ms_bond *bond = &cosim->system->bond[0];
    return cosim->u_left[bond->input[end]] * cosim->y_raw[bond->output[end]];
}

/* The next length, from the formula of the source for one bond. */
static void control(controlled *w, const ms_cosim *cosim, double h)
{
    const ms_options *o = w->options;
    const double dE = fabs(power(cosim, 0) - power(cosim, 1)) * h;
    const double level = o->control.ecco_scale == MS_ECCO_CODE ? dE : ms_system_energy(w->system, cosim->x);
    const double e = dE / (o->control.atol + o->control.rtol * level);
    if (w->g > 0.0 && !(fabs(h - w->g) <= 1e-12 * h) && cosim->variant.stop_time - w->g > 0.0)
        w->worst[7] += 1.0; /* counts steps that are not those of the formula: the last one alone */
    const double ratio =
        o->control.safety * pow(e, -o->control.gain_p - o->control.gain_i) * pow(w->error, o->control.gain_p);
    const double limited = fmin(o->control.rate_max, fmax(o->control.rate_min, ratio));
    w->g = w->error > 0.0 && e > 0.0 ? fmin(o->control.max_step, fmax(o->control.min_step, limited * h)) : h;
    w->error = e;
}

static int observe(void *self, const ms_cosim *cosim, double t, double h)
{
    controlled *w = self;
    double exact[8];
    if (cosim->variant.stop_time > t + h * (1.0 + 1e-9)) {
        w->smallest = fmin(w->smallest, h);
        w->largest = fmax(w->largest, h);
    }
    w->raw += (power(cosim, 0) - power(cosim, 1)) * h;
    w->steps++;
    if (w->steps % 7 == 1) {
        support_reference(w->system, t + h, exact);
        for (int j = 0; j < w->system->nx; j++)
            w->worst[j] = fmax(w->worst[j], fabs(cosim->x[j] - exact[j]));
    }
    control(w, cosim, h);
    return 0;
}

static controlled run(const ms_system *system, const char *text)
{
    controlled w = {.smallest = INFINITY, .system = system};
    const ms_options options = support_options(text);
    ms_cosim *cosim = support_cosim(system, &options);
    const ms_observer observer = {.self = &w, .step = observe};
    ms_run_result result;
    w.options = cosim->options;
    assert_int_equal(ms_run(cosim, &observer, 1, NULL, NULL, &result, NULL), MS_OK);
    assert_int_equal(result.reason, MS_REASON_END_TIME);
    assert_int_equal(result.rejected_steps, 0);
    assert_int_equal(result.macro_steps, w.steps);
    ms_cosim_destroy(&cosim);
    return w;
}

/* Values of a program of its own, which solves the subsystems by matrix exponentials and goes on to the first step that ends
 * behind t = 1, which is 1.0022 (the last one is cut here); it rounds to nanoseconds. Errors were looked at there after each step, here after each
 * seventh, and change by less than 1e-3 of themselves from one to the other. */
static void steps_are_those_computed_apart(void **state)
{
    (void)state;
    ms_system *system = support_system("quarter-car", "case=bonded");
    const controlled w =
        run(system, "error-controlled=ecco safety=0.99 rtol=1e-2 atol=1e-2 step-size=1e-4 min-step=1e-5 "
                    "max-step=1e-2 ecco-rounding=1 stop-time=1.002");
    assert_int_equal(w.steps, 698);
    support_near(w.smallest, 1e-4, 1e-15);
    support_near(w.largest, 5.893834e-3,
                 1e-7); /* where P_a is near P_b round-off decides on some nanoseconds */
    support_near(w.worst[0], 1.56337e-03, 5e-3 * 1.56337e-03); /* chassis.x */
    support_near(w.worst[2], 1.09730e-04, 5e-3 * 1.09730e-04); /* wheel.x */
    support_near(w.raw, 4.48406, 2e-3);
    ms_system_destroy(&system);
}

/* One step after the other; of the last one the end decides. */
static void lengths_are_those_of_the_controller(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "error-controlled=ecco step-size=1e-3", "error-controlled=ecco ecco-scale=energy step-size=1e-3",
        "scheme=nepce error-controlled=ecco gain-p=0.1 gain-i=0.3 rate-min=0.5 rate-max=1.1 step-size=2e-4",
        "scheme=jacobi extrapolation-order=1 error-controlled=ecco step-size=1e-3"};
    ms_system *system = support_system("quarter-car", "case=bonded");
    for (int k = 0; k < MS_COUNT(texts); k++) {
        const controlled w = run(system, texts[k]);
        assert_true(w.worst[7] <= 1.0);
        assert_true(w.smallest >= 1e-4 * (1.0 - 1e-12) && w.largest <= 1e-2 * (1.0 + 1e-12));
    }
    ms_system_destroy(&system);
}

/* Without a velocity there is no power, and the length stays. */
static void nothing_lost_changes_nothing(void **state)
{
    (void)state;
    ms_system *system = support_system("quarter-car", "case=bonded road=0");
    const controlled w = run(system, "error-controlled=ecco step-size=1e-3");
    assert_int_equal(w.steps, 1000);
    ms_system_destroy(&system);
}

/* The claim of the source: with what the inputs missed given back the same tolerances leave smaller errors. */
static void nepce_is_nearer_under_control(void **state)
{
    (void)state;
    ms_system *system = support_system("quarter-car", "case=bonded");
    const controlled held = run(system, "error-controlled=ecco step-size=1e-4"),
                     fed = run(system, "scheme=nepce error-controlled=ecco step-size=1e-4");
    assert_true(fed.worst[0] * (double)fed.steps < 0.5 * held.worst[0] * (double)held.steps);
    ms_system_destroy(&system);
}

static void refuse(const char *model, const char *settings, const char *text, const char *part)
{
    ms_system *system = support_system(model, settings);
    const ms_options options = support_options(text);
    ms_simulation simulation = {0};
    ms_error error = {""};
    assert_true(ms_simulation_run(system, &options, &(ms_simulation_options){.errors = false}, &simulation,
                                  &error) < 0);
    support_says(error.text, part);
    ms_simulation_destroy(&simulation);
    ms_system_destroy(&system);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    refuse("linear-pair", "", "error-controlled=ecco", "has no bonds");
    refuse("spring-mass", "", "scheme=gauss-seidel error-controlled=ecco",
           "does not step all subsystems at once");
    refuse("spring-mass", "", "safety=0.9", "requires `error-controlled` ecco");
    refuse("spring-mass", "", "error-controlled=richardson gain-p=0.9", "requires `error-controlled` ecco");
    refuse("lim-oscillator", "", "error-controlled=ecco ecco-scale=energy", "does not declare its energy");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_computed_apart),
        cmocka_unit_test(lengths_are_those_of_the_controller),
        cmocka_unit_test(nothing_lost_changes_nothing),
        cmocka_unit_test(nepce_is_nearer_under_control),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
