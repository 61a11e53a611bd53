/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_time_events_orders.c - the order that a discontinuity costs is back where all subsystems communicate at announced
 * time events, wherever in a macro-step these lie. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "small_model.h"
#include "support.h"
#include "unit_test.h"

/* rmse-like error at the end [relative to the largest state]: two masses coupled by force, displacement and
 * velocity; at change_time a displacement jumps, and with it the force. */
static double jump_error(double change, double H, const char *options)
{
    char settings[64];
    snprintf(settings, sizeof settings, "case=jump change_time=%.17g", change);
    ms_system *system = support_system("two-masses-springs-dampers", settings);
    const ms_options o = support_options_of("%s step-size=%.17g stop-time=2.4 solver=gsl-rk8pd", options, H);
    double x[4], exact[4];
    support_finish(system, &o, x, NULL);
    support_reference(system, 2.4, exact);
    ms_system_destroy(&system);
    return support_distance(4, x, exact);
}

/* The balance of order 0 is not among them: it feeds back what the jump costs and keeps its order anyway. */
static const struct {
    const char *options;
    double order;
} jumping[] = {
    {"scheme=jacobi extrapolation-order=1 at-events=drop outputs=consistent", 2.0},
    {"scheme=jacobi extrapolation-order=2 at-events=drop outputs=consistent", 3.0},
    {"scheme=jacobi extrapolation-order=2 at-events=drop outputs=consistent smooth-coupling=c1", 3.0},
    {"scheme=jacobi extrapolation-order=1 derivatives=analytic outputs=corrected smooth-coupling=c0 "
     "at-events=drop",
     2.0},
    {"scheme=gauss-seidel extrapolation-order=1 at-events=drop outputs=consistent", 2.0},
    {"scheme=gauss-seidel extrapolation-order=2 at-events=drop outputs=consistent", 3.0},
    {"scheme=balance extrapolation-order=1 at-events=drop outputs=consistent", 3.0},
    {"scheme=ifosmondi solver-nonlinear=newtonls epsilon=1e-12", 4.0},
    {"scheme=ifosmondi solver-nonlinear=newtonls epsilon=1e-12 output-derivatives=differences", 3.0},
};

/* The mean order over three halvings, and over six places of the change in a macro-step: a single one hits
 * the event once closer, once less close. */
static double jump_order(const char *options, const char *more, double H)
{
    char text[200];
    double sum = 0.0;
    snprintf(text, sizeof text, "%s %s", options, more);
    for (int place = 0; place < 6; place++) {
        const double change = 1.0 + H * (0.08 + 0.15 * place);
        sum += log2(jump_error(change, H, text) / jump_error(change, H / 8.0, text)) / 3.0;
    }
    return sum / 6.0;
}

static void the_order_that_a_jump_costs_is_back(void **state)
{
    (void)state;
    for (int k = 0; k < MS_COUNT(jumping); k++) {
        const double ignored = jump_order(jumping[k].options, "at-time-events=ignore", 0.08);
        const double met = jump_order(jumping[k].options, "at-time-events=communicate", 0.08);
        if (!(ignored < jumping[k].order - 0.6 && met > jumping[k].order - 0.3))
            fail_msg("%s: order %.2f when the event is ignored, %.2f when it is met", jumping[k].options,
                     ignored, met);
    }
}

/* Spring and mass, c = m = 1, whose elongation jumps by 0.5 at a time: with closed form. */
static double lengthened_at;

static double next_change(double t, const double *z, const double *p, const void *data)
{
    (void)z, (void)p, (void)data;
    return t < lengthened_at ? lengthened_at : INFINITY;
}

static int pull(const ms_point *at, double *y)
{
    y[0] = -at->x[0];
    return 0;
}

static int lengthen(const ms_point *at, const ms_event *event)
{
    event->x[0] = at->x[0] + 0.5;
    return 0;
}

static const double drawn[] = {1.0}, moving[] = {0.5};
static const ms_port spring_port[] = {{.name = "end", .gain = -1.0}},
                     mass_port[] = {{.name = "end", .gain = 1.0}};
static const ms_subsystem bonded[] = {
    SUPPORT_SUBSYSTEM("spring", 1, 1, 1, .x0 = drawn, .f = support_integrate, .g = pull,
                      .feed_through = support_no_feed_through, .ports = spring_port, .n_ports = 1,
                      .next_time = next_change, .handle = lengthen),
    SUPPORT_SUBSYSTEM("mass", 1, 1, 1, .x0 = moving, .f = support_integrate, .g = support_first_state,
                      .feed_through = support_no_feed_through, .ports = mass_port, .n_ports = 1)};
static const ms_model bonded_model =
    SUPPORT_MODEL("bonded", bonded, support_ring, .stop_time = 0.4, .step_size = 0.1);

/* Error of the elongation after 0.4 s. */
static double bonded_error(double change, double H, const char *at_events)
{
    ms_system *system = support_system_of(&bonded_model);
    const ms_options o =
        support_options_of("scheme=power extrapolation-order=1 solver=gsl-rk8pd step-size=%.17g "
                           "at-time-events=%s",
                           H, at_events);
    double x[2];
    lengthened_at = change;
    support_finish(system, &o, x, NULL);
    ms_system_destroy(&system);
    const double s = cos(change) + 0.5 * sin(change) + 0.5, v = 0.5 * cos(change) - sin(change),
                 after = 0.4 - change;
    return fabs(x[0] - (s * cos(after) + v * sin(after)));
}

static void negotiated_power_has_its_order_over_a_jump(void **state)
{
    (void)state;
    static const char *const at[] = {"ignore", "communicate"};
    double order[2] = {0.0, 0.0};
    for (int k = 0; k < 2; k++)
        for (int place = 0; place < 6; place++) {
            const double change = 0.1 + 0.02 * (0.08 + 0.15 * place);
            order[k] += log2(bonded_error(change, 0.02, at[k]) / bonded_error(change, 0.0025, at[k])) / 18.0;
        }
    if (!(order[0] < 1.4 && order[1] > 1.7))
        fail_msg("order %.2f when the event is ignored, %.2f when it is met", order[0], order[1]);
}

/* F3ORNITS chooses its own steps: the error of a tolerance. */
static void time_stepping_over_a_jump_gains_accuracy(void **state)
{
    (void)state;
    static const char *const clocks[] = {"synchronous", "asynchronous"};
    for (int k = 0; k < 2; k++)
        for (int place = 0; place < 3; place++) {
            double error[2];
            for (int communicate = 0; communicate < 2; communicate++) {
                char text[200];
                snprintf(text, sizeof text,
                         "scheme=f3ornits min-step=1e-4 rtol=1e-4 atol=1e-4 at-events=drop scheduler=%s "
                         "at-time-events=%s",
                         clocks[k], communicate ? "communicate" : "ignore");
                error[communicate] = jump_error(1.0 + 0.017 * place, 1e-3, text);
            }
            if (!(error[1] < 0.5 * error[0]))
                fail_msg("%s: %g where the event is met, %g where it is not", clocks[k], error[1], error[0]);
        }
}

/* An oscillating force instead of a jump: it begins with a kink, at a mere breakpoint, which `exact` does not
 * stop at. */
static void what_was_announced_is_dropped_with_any_micro_solver(void **state)
{
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        ms_system *system = support_system("two-masses-springs-dampers", "change_time=1.03");
        double x[2][4];
        for (int drop = 0; drop < 2; drop++) {
            const ms_options o = support_options_of("extrapolation-order=2 step-size=0.1 stop-time=1.3 "
                                                    "at-time-events=communicate at-events=%s solver=%s",
                                                    drop ? "drop" : "keep", exact ? "exact" : "gsl-rk8pd");
            support_finish(system, &o, x[drop], NULL);
        }
        assert_true(support_distance(4, x[0], x[1]) > 1e-8);
        ms_system_destroy(&system);
    }
}

/* Wherever the event lies in a macro-step, the error is about the same: points too close to each other are
 * not extrapolated from, nor is a balance fed back in no time. */
static void check_places(const char *options)
{
    static const double places[] = {1e-13, 1e-11, 1e-9, 1e-7, 1e-5,       1e-3,
                                    0.1,   0.45,  0.55, 0.9,  1.0 - 1e-5, 1.0 - 1e-11};
    char text[250];
    snprintf(text, sizeof text, "%s at-time-events=communicate", options);
    const double on_grid = jump_error(1.0, 0.1, text);
    for (int p = 0; p < MS_COUNT(places); p++) {
        const double error = jump_error(1.0 + 0.1 * places[p], 0.1, text);
        if (!(error < 4.0 * on_grid + 0.01))
            fail_msg("%s: %g with the event at a share of %g of a macro-step, %g on the grid", text, error,
                     places[p], on_grid);
    }
}

static void no_place_of_an_event_spoils_a_run(void **state)
{
    (void)state;
    static const char *const more[] = {"", "at-events=drop", "at-events=drop start=hold",
                                       "output-derivatives=differences"};
    static const char *const others[] = {
        "scheme=balance balance-hat=box",
        "scheme=balance balance-hat=triangle",
        "scheme=balance balance-hat=smooth extrapolation-order=1 balance-steps=3",
        "scheme=balance balance-error=used",
        "scheme=f3ornits max-step=0.1 rtol=1e-6",
        "scheme=f3ornits max-step=0.1 rtol=1e-6 calibration=cls smooth-coupling=c1",
        "scheme=ifosmondi solver-nonlinear=newtonls",
        "scheme=zoh-iterative",
        "scheme=ijcsa input-degree=0",
        "scheme=ijcsa",
        "scheme=waveform",
        "scheme=multirate extrapolation-order=1"};
    support_variant variant;
    for (int m = 0; m < MS_COUNT(more); m++)
        for (int k = 0; support_variant_at(k, &variant); k++) {
            char text[250];
            if (variant.analytic && variant.order == 2)
                continue;
            snprintf(text, sizeof text, "%s %s", variant.text, more[m]);
            check_places(text);
        }
    for (int k = 0; k < MS_COUNT(others); k++)
        check_places(others[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_order_that_a_jump_costs_is_back),
                                       cmocka_unit_test(negotiated_power_has_its_order_over_a_jump),
                                       cmocka_unit_test(time_stepping_over_a_jump_gains_accuracy),
                                       cmocka_unit_test(what_was_announced_is_dropped_with_any_micro_solver),
                                       cmocka_unit_test(no_place_of_an_event_spoils_a_run)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
