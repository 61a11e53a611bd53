/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fixed_step_implicit.c - the implicit methods with equal micro-steps, on the left mass of precice-oscillator, q'' = -w^2 q + F:
 * their stability functions, Newmark's and Chung and Hulbert's recurrences written apart, and what coupling leaves of them. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include "integration.h"
#include "solver_fixture.h"
#include "support.h"
#include "unit_test.h"

static const double slope = -7.0, offset = 3.0; /* the force is offset + slope t */

static support_solver_fixture *mass(const char *solver, int micro_steps)
{
    const ms_solver_options options = {.micro_steps = micro_steps};
    return support_fixture_of(ms_catalogue_find("precice-oscillator"), 0, ms_solver_find(solver), &options);
}

static double frequency(void)
{
    return sqrt(20.0) * acos(-1.0);
}

/* The force over [t, t + h], in one piece or in two. */
static void push(support_solver_fixture *fixture, double t, double h, int pieces, double a, double b)
{
    ms_input *input = &fixture->instance->input;
    input->degree = 1;
    input->pieces = pieces;
    for (int j = 0; j < pieces; j++) {
        input->end[j] = j + 1 < pieces ? 0.5 * h : h;
        ms_input_coefficients(input, j, 0)[0] = a + b * (t + (j == 0 ? 0.0 : 0.5 * h));
        ms_input_coefficients(input, j, 1)[0] = b;
    }
}

/* v + i w q of the state; without force its derivative is i w times it. */
static double complex amplitude(const support_solver_fixture *fixture)
{
    return fixture->x[1] + I * frequency() * fixture->x[0];
}

static double complex of_trapezoidal(double complex z)
{
    return (1.0 + z / 2.0) / (1.0 - z / 2.0);
}

static double complex of_radau(double complex z) /* the Pade approximation (2, 3) of exp */
{
    return (1.0 + 2.0 * z / 5.0 + z * z / 20.0) /
           (1.0 - 3.0 * z / 5.0 + 3.0 * z * z / 20.0 - z * z * z / 60.0);
}

static void steps_are_stability_functions(void **state)
{
    (void)state;
    static const struct {
        const char *solver;
        double complex (*function)(double complex z);
    } of[] = {{"trapezoidal", of_trapezoidal}, {"radau-iia", of_radau}};
    static const double lengths[] = {1e-5, 1e-3, 0.02, 0.1, 0.5, 3.0, 1e3};
    for (int m = 0; m < (int)MS_COUNT(of); m++)
        for (int k = 0; k < (int)MS_COUNT(lengths); k++) {
            support_solver_fixture *fixture = mass(of[m].solver, 1);
            fixture->x[1] = -4.0;
            push(fixture, 0.0, lengths[k], 1, 0.0, 0.0);
            const double complex expected = of[m].function(I * frequency() * lengths[k]) * amplitude(fixture);
            support_fixture_advance(fixture, 0.0, lengths[k]);
            const double scale = frequency() * (1.0 + lengths[k] * frequency());
            if (!(cabs(amplitude(fixture) - expected) < 1e-13 * scale))
                fail_msg("%s, a step of %g s: off by %g", of[m].solver, lengths[k],
                         cabs(amplitude(fixture) - expected));
            support_fixture_drop(fixture);
        }
}

/* Methods of Newmark's kind for q'' = -w^2 q + F, in accelerations: (1 - am) a+ + am a = -w^2 ((1 - af) q+ + af q) + F at
 * t + (1 - af) k. */
typedef struct recurrence {
    double am, af, b, g;
} recurrence;

static const recurrence newmark = {0.0, 0.0, 0.25, 0.5}, alpha = {0.2, 0.4, 0.36, 0.7};

static void march(const recurrence *r, int n, double k, double qva[3])
{
    const double w2 = frequency() * frequency();
    for (int m = 0; m < n; m++) {
        const double q = qva[0], v = qva[1], a = qva[2], force = offset + slope * (m + 1.0 - r->af) * k;
        const double known = q + k * v + k * k * (0.5 - r->b) * a;
        const double next = (force - w2 * ((1.0 - r->af) * known + r->af * q) - r->am * a) /
                            (1.0 - r->am + w2 * (1.0 - r->af) * k * k * r->b);
        qva[0] = known + k * k * r->b * next;
        qva[1] = v + k * ((1.0 - r->g) * a + r->g * next);
        qva[2] = next;
    }
}

/* However micro-steps are spread over macro-steps and pieces of a force that is one line. */
static void check_recurrence(const char *solver, const recurrence *r)
{
    static const struct {
        int macro, pieces, micro;
    } spread[] = {{1, 1, 24}, {24, 1, 1}, {6, 2, 2}, {2, 2, 6}, {3, 1, 8}};
    const double end = 0.6;
    double expected[3] = {1.0, 0.0, -frequency() * frequency() + offset};
    march(r, 24, end / 24, expected);
    for (int s = 0; s < (int)MS_COUNT(spread); s++) {
        support_solver_fixture *fixture = mass(solver, spread[s].micro);
        const double h = end / spread[s].macro;
        for (int n = 0; n < spread[s].macro; n++) {
            push(fixture, n * h, h, spread[s].pieces, offset, slope);
            support_fixture_advance(fixture, n * h, h);
        }
        support_fixture_near(fixture, "the end", fixture->x, expected, 1e-12);
        support_fixture_drop(fixture);
    }
}

static void trapezoidal_rule_is_newmarks_method(void **state)
{
    (void)state;
    check_recurrence("trapezoidal", &newmark);
}

static void accelerations_outlive_macro_steps(void **state)
{
    (void)state;
    check_recurrence("generalised-alpha", &alpha);
}

/* What a step leaves of very fast motions, whose spectral radius is a double eigenvalue: x like n (2/3)^n. */
static void fast_motions_fade_by_two_thirds(void **state)
{
    (void)state;
    enum { STEPS = 60 };
    support_solver_fixture *fixture = mass("generalised-alpha", 1);
    double size[2] = {0.0};
    for (int n = 0; n < STEPS; n++) {
        push(fixture, n * 1e5, 1e5, 1, 0.0, 0.0);
        support_fixture_advance(fixture, n * 1e5, 1e5);
        size[n % 2] = fabs(fixture->x[0]);
    }
    support_near(size[1] / size[0], 2.0 / 3.0, 0.05);
    support_fixture_drop(fixture);
}

/* Newmark's method keeps the energy of the free mass, generalised alpha and Radau IIA do not. */
static void energy_is_kept_by_newmarks_method_alone(void **state)
{
    (void)state;
    static const char *const solvers[] = {"trapezoidal", "generalised-alpha", "radau-iia"};
    for (int m = 0; m < (int)MS_COUNT(solvers); m++) {
        support_solver_fixture *fixture = mass(solvers[m], 1);
        const double before = cabs(amplitude(fixture));
        for (int n = 0; n < 1000; n++) {
            push(fixture, 0.1 * n, 0.1, 1, 0.0, 0.0);
            support_fixture_advance(fixture, 0.1 * n, 0.1);
        }
        const double kept = cabs(amplitude(fixture)) / before;
        if (m == 0)
            support_near(kept, 1.0, 1e-11);
        else
            assert_true(kept < 0.9);
        support_fixture_drop(fixture);
    }
}

/* Samples at the ends of all micro-steps: inputs there are outputs there, whatever spline is between them, and the trapezoidal rule
 * asks nowhere else. */
static void converged_waveforms_are_the_monolithic_rule(void **state)
{
    (void)state;
    enum { N = 4, MACRO = 10 };
    ms_system *system = support_system("precice-oscillator", "");
    const ms_options options = support_options_of(
        "scheme=waveform samples=4 spline-degree=3 solver=trapezoidal micro-steps=2 epsilon=0 "
        "solver-nonlinear=newtonls max-iterations=200 step-rule=fixed step-size=%g "
        "stop-time=0.7",
        0.7 / MACRO);
    double x[N], one[N] = {1.0, 0.0, 0.0, 0.0};
    support_finish(system, &options, x, NULL);
    const double pi = acos(-1.0), w[2] = {2.0 * pi, 6.0 * pi}; /* of x1 + x2 and x1 - x2 */
    double complex mode[2] = {I * w[0], I * w[1]};
    for (int k = 0; k < 2; k++) {
        for (int n = 0; n < 4 * MACRO; n++)
            mode[k] *= of_trapezoidal(I * w[k] * 0.7 / (4 * MACRO));
        const double q = cimag(mode[k]) / w[k], v = creal(mode[k]), sign = k == 0 ? 1.0 : -1.0;
        one[0] = (k == 0 ? 0.0 : one[0]) + 0.5 * q;
        one[1] += 0.5 * v;
        one[2] += 0.5 * sign * q;
        one[3] += 0.5 * sign * v;
    }
    support_near_all(N, x, one, 1e-11);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_are_stability_functions),
                                       cmocka_unit_test(trapezoidal_rule_is_newmarks_method),
                                       cmocka_unit_test(accelerations_outlive_macro_steps),
                                       cmocka_unit_test(fast_motions_fade_by_two_thirds),
                                       cmocka_unit_test(energy_is_kept_by_newmarks_method_alone),
                                       cmocka_unit_test(converged_waveforms_are_the_monolithic_rule)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
