/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_stiff_damper.c - stiff-damper against values that were computed apart from this program, and forces by hand. */

#include "coupled.h"
#include "support.h"
#include "unit_test.h"

enum { STATES = 4 };

static void intended_model_has_its_values(void **state)
{
    (void)state;
    const double expected[STATES] = {0.482680401169, -0.462179120308, 0.11457290142, -0.0917670436473};
    double x[STATES];
    ms_system *system = support_system("stiff-damper", NULL);
    support_reference(system, 1.0, x);
    support_near_all(STATES, x, expected, 1e-11);
    ms_system_destroy(&system);
}

/* fk of the example's FMU, which is 200 (x2 - x1). */
static double erratum_force(const double *x)
{
    return 200.0 * (x[2] - x[0]);
}

static void erratum_has_its_values(void **state)
{
    (void)state;
    double x[STATES];
    ms_system *system = support_system("stiff-damper", "erratum=1");
    support_reference(system, 1.0, x);
    support_near(x[0], 0.349578847248, 1e-11);
    support_near(x[1], -4.51960647636, 1e-11);
    support_near(erratum_force(x), -41.3178901254, 1e-10);
    support_reference(system, 10.0, x);
    support_near(x[0], 4.2561e-04, 1e-8);
    support_near(erratum_force(x), -5.5022e-02, 1e-6);
    ms_system_destroy(&system);
}

/* Unequal masses, springs and dampers. */
static void forces_are_those_of_springs_and_dampers(void **state)
{
    (void)state;
    const double x[STATES] = {0.3, -2.0, 0.5, 4.0};
    const double fk = 11.0 * (0.5 - 0.3) + 17.0 * (4.0 - -2.0);
    const double expected[STATES] = {-2.0, (-5.0 * 0.3 - 7.0 * -2.0 + fk) / 2.0, 4.0,
                                     (-13.0 * 0.5 - 19.0 * 4.0 - fk) / 3.0};
    double dx[STATES];
    ms_system *system = support_system("stiff-damper", "m1=2 m2=3 c1=5 d1=7 cc=11 dc=17 c2=13 d2=19");
    support_monolithic(system, x, dx);
    support_near_all(STATES, dx, expected, 1e-14);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intended_model_has_its_values),
        cmocka_unit_test(erratum_has_its_values),
        cmocka_unit_test(forces_are_those_of_springs_and_dampers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
