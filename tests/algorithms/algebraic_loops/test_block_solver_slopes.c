/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_block_solver_slopes.c - outputs that need u' of their inputs, which is what the feeders' outputs do at the inputs that these see. */
#include <math.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

/* source  x' = u,      y = x
 * ramp    x' = 2 u,    y = x
 * reader  y = 3 u1' + u2' */
static int ramp_f(const ms_point *at, double *dx)
{
    dx[0] = 2.0 * at->u[0];
    return 0;
}

static int reader_g(const ms_point *at, double *y)
{
    y[0] = 3.0 * at->du[0] + at->du[1];
    return 0;
}

static const double five[] = {5.0}, seven[] = {7.0};
static const ms_subsystem parts[] = {
    SUPPORT_SUBSYSTEM("source", 1, 1, 1, .f = support_integrate, .g = support_first_state,
                      .feed_through = support_no_feed_through, .x0 = five),
    SUPPORT_SUBSYSTEM("ramp", 1, 1, 1, .f = ramp_f, .g = support_first_state,
                      .feed_through = support_no_feed_through, .x0 = seven),
    SUPPORT_SUBSYSTEM("reader", 0, 2, 1, .f = support_no_states, .g = reader_g,
                      .feed_through = support_no_feed_through, .uses_du = true),
};
static const ms_wire wires[] = {
    {0, 0, 1, 0, 1.0}, {1, 0, 0, 0, 1.0}, {2, 0, 1, 0, 1.0}, {2, 1, 0, 0, 0.5}, {2, 1, 1, 0, 4.0}};
static const ms_model model = SUPPORT_MODEL("slopes", parts, wires, .stop_time = 1.0, .step_size = 0.25);

/* Source and ramp start at 5 and 7: x' = 7 and 10, so that u1' = 10 and u2' = 7/2 + 4 10. */
static void the_reader_sees_what_its_feeders_do(void **state)
{
    (void)state;
    static const char *const texts[] = {"outputs=consistent", "outputs=inconsistent", "scheme=gauss-seidel"};
    ms_system *system = support_system_of(&model);
    for (int k = 0; k < MS_COUNT(texts); k++) {
        const ms_options options = support_options_of("solver=rk4 %s", texts[k]);
        ms_cosim *cosim = support_cosim(system, &options);
        assert_int_equal(ms_cosim_start(cosim), MS_OK);
        support_near(cosim->y[2], 3.0 * 10.0 + 43.5, 1e-5); /* y' by differences */
        ms_cosim_destroy(&cosim);
    }
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reader_sees_what_its_feeders_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
