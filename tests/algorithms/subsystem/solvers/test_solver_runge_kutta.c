/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_solver_runge_kutta.c - micro-steps of two states have the same bits whether or not they are watched. */
#include <string.h>

#include <macrostep/catalogue.h>
#include "solver_fixture.h"
#include "support.h"
#include "unit_test.h"

static void look(void *self, double from, double to, int order)
{
    (void)from, (void)to, (void)order;
    ++*(int *)self;
}

/* The state after two macro-steps under held inputs, of which the second begins where the first ends. */
static void advance(const char *model, const char *solver, int micro_steps, int *looks, double x[2],
                    ms_work *work)
{
    const ms_solver_options options = {.micro_steps = micro_steps};
    support_solver_fixture *fixture =
        support_fixture_of(ms_catalogue_find(model), 1, ms_solver_find(solver), &options);
    ms_input *input = &fixture->instance->input;
    if (looks != NULL)
        fixture->instance->monitor = (ms_monitor){.self = looks, .micro_step = look};
    for (int n = 0; n < 2; n++) {
        ms_input_set_single(input, 0, 0.01);
        for (int l = 0; l < input->n; l++)
            ms_input_coefficients(input, 0, 0)[l] = 0.3 - n * 0.7 + l * 0.1;
        support_fixture_advance(fixture, n * 0.01, 0.01);
    }
    memcpy(x, fixture->x, 2 * sizeof *x);
    *work = fixture->instance->work;
    support_fixture_drop(fixture);
}

static void nobody_and_somebody_see_the_same(void **state)
{
    (void)state;
    static const char *const model[] = {"quarter-car", "two-mass-oscillator", "mass-spring-damper"},
                             *const solver[] = {"rk4", "heun", "euler"};
    for (int m = 0; m < (int)MS_COUNT(model); m++)
        for (int s = 0; s < (int)MS_COUNT(solver); s++)
            for (int steps = 1; steps < 12; steps += 5) {
                int looks = 0;
                double alone[2], watched[2];
                ms_work of_alone, of_watched;
                advance(model[m], solver[s], steps, NULL, alone, &of_alone);
                advance(model[m], solver[s], steps, &looks, watched, &of_watched);
                assert_memory_equal(alone, watched, sizeof alone);
                assert_int_equal(looks, 2 * steps);
                assert_true(of_alone.micro_steps == of_watched.micro_steps && of_alone.micro_steps == looks);
                assert_true(of_alone.rhs_evaluations == of_watched.rhs_evaluations);
            }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(nobody_and_somebody_see_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
