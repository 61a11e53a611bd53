/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_instance_shared.c - subsystems of equal matrices work in one place where one thread takes them all. */

#include <macrostep/cosim_create.h>
#include "support.h"
#include "unit_test.h"

enum { MASSES = 6 };

static ms_cosim *cosim_of(const ms_system *system, const char *text)
{
    const ms_options options = support_options(text);
    return support_cosim(system, &options);
}

/* The masses at both ends have the same matrices, and so do those between them. */
static void masses_share_by_kind(void **state)
{
    (void)state;
    static const int kind[MASSES] = {0, 1, 1, 1, 1, 0};
    ms_system *system = support_system("mass-chain", "masses=6");
    ms_cosim *cosim = cosim_of(system, "solver=exact");
    for (int i = 0; i < MASSES; i++)
        for (int k = 0; k < MASSES; k++) {
            const ms_instance *a = cosim->instance[i], *b = cosim->instance[k];
            assert_int_equal(a->scratch == b->scratch, kind[i] == kind[k]);
            assert_int_equal(a->solver_data == b->solver_data, kind[i] == kind[k]);
            assert_int_equal(a->u == b->u && a->du == b->du && a->dx == b->dx && a->y == b->y,
                             kind[i] == kind[k]);
            assert_int_equal(a->x_start == b->x_start, i == k);
        }
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
}

static void threads_share_nothing(void **state)
{
    (void)state;
    ms_system *system = support_system("mass-chain", "masses=6");
    ms_cosim *cosim = cosim_of(system, "solver=exact execution=parallel");
    for (int i = 0; i < MASSES; i++)
        for (int k = 0; k < i; k++) {
            assert_ptr_not_equal(cosim->instance[i]->scratch, cosim->instance[k]->scratch);
            assert_ptr_not_equal(cosim->instance[i]->solver_data, cosim->instance[k]->solver_data);
        }
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
}

/* Outputs, their derivatives and feed-through of one mass do not show what another has evaluated before. */
static void what_one_evaluates_does_not_show_in_another(void **state)
{
    (void)state;
    static const double u[4] = {0.5, -1.0, 2.0, 0.25}, other[4] = {7.0, 8.0, 9.0, 10.0};
    ms_system *system = support_system("mass-chain", "masses=6");
    ms_cosim *cosim = cosim_of(system, "solver=exact");
    ms_instance *a = cosim->instance[2], *b = cosim->instance[3];
    double before[2], after[2], of_b[2];
    a->x[0] = 0.75;
    b->x[1] = -3.0;
    assert_int_equal(ms_instance_output_derivative(a, 0.0, u, NULL, before), MS_OK);
    assert_int_equal(ms_instance_output_derivative(b, 0.0, other, NULL, of_b), MS_OK);
    assert_int_equal(ms_instance_output_derivative(a, 0.0, u, NULL, after), MS_OK);
    assert_memory_equal(before, after, sizeof before);
    /* k = 10, d = 0.2, m = 1: x'' = 10 (xl - 2 x + xr) + 0.2 (vl - 2 v + vr) */
    support_near(after[0], 0.0, 1e-15);
    support_near(after[1], 10.0 * (0.5 - 1.5 + 2.0) + 0.2 * (-1.0 + 0.25), 1e-13);
    support_near(of_b[0], -3.0, 1e-15);
    support_near(of_b[1], 10.0 * (7.0 + 9.0) + 0.2 * (8.0 + 6.0 + 10.0), 1e-12);
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masses_share_by_kind),
        cmocka_unit_test(threads_share_nothing),
        cmocka_unit_test(what_one_evaluates_does_not_show_in_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
