/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_lim_oscillator.c - lim-oscillator: exact solutions of both cases, whichever way the masses are coupled, by closed form
 * and in decimal arithmetic, its ports, and its energy. */
#include <math.h>
#include <stdlib.h>

#include "coupled.h"
#include "support.h"
#include "unit_test.h"

enum { SPLITS = 3, STATES = 4 };

static const char *const undamped[SPLITS] = {"force-state", "state-state", "force-force"};
static const char *const damped[SPLITS] = {"force-state-damped", "state-state-damped", "force-force-damped"};

static ms_system *of_case(const char *name)
{
    return support_system_of_case("lim-oscillator", name, NULL, 0);
}

/* Two normal modes of x'' = -K x with K = [[110, -100], [-100, 1100]], from x = 0 and v = (100, -100). */
static void closed_form(double t, double *x)
{
    const double mean = 605.0, half = sqrt(495.0 * 495.0 + 100.0 * 100.0);
    for (int j = 0; j < STATES; j++)
        x[j] = 0.0;
    for (int k = 0; k < 2; k++) {
        const double square = mean + (k == 0 ? -half : half), w = sqrt(square);
        const double shape[2] = {100.0, 110.0 - square};
        const double part =
            (100.0 * shape[0] - 100.0 * shape[1]) / (shape[0] * shape[0] + shape[1] * shape[1]);
        for (int i = 0; i < 2; i++) {
            x[2 * i] += part * shape[i] * sin(w * t) / w;
            x[2 * i + 1] += part * shape[i] * cos(w * t);
        }
    }
}

/* What is printed with the model, t = 1. */
static void closed_form_is_the_published_solution(void **state)
{
    (void)state;
    const double published[STATES] = {-4.53844886412167, -78.2973096423162, -3.57741133882662,
                                      27.8087202543552};
    double x[STATES];
    closed_form(1.0, x);
    support_near_states(STATES, x, published, 2e-14);
}

static void undamped_splits_follow_the_closed_form(void **state)
{
    (void)state;
    for (int split = 0; split < SPLITS; split++) {
        ms_system *system = of_case(undamped[split]);
        assert_int_equal(system->n, split == 2 ? 3 : 2);
        for (int k = 1; k <= 10; k++) {
            double x[STATES], expected[STATES];
            support_reference(system, (double)k, x);
            closed_form((double)k, expected);
            support_near_states(STATES, x, expected, 1e-10);
        }
        ms_system_destroy(&system);
    }
}

/* Taylor series of e^{At} in decimal arithmetic of 60 digits, apart from this program. */
static void damped_splits_follow_the_series(void **state)
{
    (void)state;
    const double at_1[STATES] = {-4.4977397129663306, -77.590150230019006, -3.5396499163836355,
                                 27.555460117638304};
    const double at_10[STATES] = {-4.0775319304215181, 79.880690489938758, -0.87259055216746106,
                                  -89.32620152542664};
    for (int split = 0; split < SPLITS; split++) {
        ms_system *system = of_case(damped[split]);
        double x[STATES];
        support_reference(system, 1.0, x);
        support_near_states(STATES, x, at_1, 1e-10);
        support_reference(system, 10.0, x);
        support_near_states(STATES, x, at_10, 1e-10);
        ms_system_destroy(&system);
    }
}

/* Force/state: one bond between the force and the velocity of the right mass; force/force: one at each end. */
static void ports_are_bonded(void **state)
{
    (void)state;
    const int bonds[SPLITS] = {1, 0, 2};
    for (int split = 0; split < SPLITS; split++) {
        ms_system *system = of_case(undamped[split]);
        assert_int_equal(system->n_bonds, bonds[split]);
        ms_system_destroy(&system);
    }
}

/* The feed-through of force/state: F answers to position and velocity that the left side is given. */
static void left_side_gives_the_force(void **state)
{
    (void)state;
    ms_system *system = of_case("force-state-damped");
    const double x[STATES] = {0.3, -2.0, 0.5, 4.0}, u[3] = {0.5, 4.0, 0.0};
    double y[3];
    support_evaluate(system, true, x, u, y);
    support_near(y[0], 100.0 * 0.2 + 0.01 * 6.0, 1e-13);
    ms_system_destroy(&system);
}

/* Bonded: the same motion, and the energy of the start, two masses of 1 kg with 100 m/s, stays. */
static void bonded_masses_keep_their_energy(void **state)
{
    (void)state;
    ms_system *system = of_case("bonded");
    assert_int_equal(system->n_bonds, 2);
    assert_int_equal(system->n_lines, 1);
    for (int k = 0; k <= 10; k++) {
        double x[STATES + 1], expected[STATES];
        support_reference(system, (double)k, x);
        closed_form((double)k, expected);
        support_near_states(STATES, x, expected, 1e-10);
        support_near(ms_system_energy(system, x), 1e4, 1e-6);
    }
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_form_is_the_published_solution),
        cmocka_unit_test(undamped_splits_follow_the_closed_form),
        cmocka_unit_test(damped_splits_follow_the_series),
        cmocka_unit_test(ports_are_bonded),
        cmocka_unit_test(left_side_gives_the_force),
        cmocka_unit_test(bonded_masses_keep_their_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
