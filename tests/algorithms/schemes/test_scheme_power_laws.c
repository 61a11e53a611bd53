/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_scheme_power_laws.c - negotiated power inside and around subsystems: Jacobians, sequence, rollback,
 * refusals. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/solver_registry.h>
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

#define TIGHT " solver=gsl-rk8pd solver-rtol=1e-12 solver-atol=1e-13"
#define POWER "scheme=power extrapolation-order=1" TIGHT

/* The Jacobian under a law ------------------------------------------------------------------------------- */

/* A mass on a spring and damper of its own, x' = v, v' = -2 x - v/2 + (Fa + Fb)/3, with two ports, between
 * two springs. */
static void anchored_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    m->A[1] = 1.0;
    m->A[2] = -2.0;
    m->A[3] = -0.5;
    m->B[2] = m->B[3] = 1.0 / 3.0;
    m->C[1] = m->C[3] = 1.0;
}

static void end_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    m->B[0] = 1.0;
    m->C[0] = -1.5;
}

static const double anchored_start[] = {0.3, 1.0}, end_start[] = {0.8};
static const ms_port anchored_ports[] = {{"a", 0, 0, 1.0}, {"b", 1, 1, 1.0}},
                     end_ports[] = {{"end", 0, 0, -1.0}};
static const ms_subsystem trio[] = {
    SUPPORT_SUBSYSTEM("left", 1, 1, 1, .x0 = end_start, .matrices = end_matrices, .ports = end_ports,
                      .n_ports = 1),
    SUPPORT_SUBSYSTEM("anchored", 2, 2, 2, .x0 = anchored_start, .matrices = anchored_matrices,
                      .ports = anchored_ports, .n_ports = 2),
    SUPPORT_SUBSYSTEM("right", 1, 1, 1, .x0 = end_start, .matrices = end_matrices, .ports = end_ports,
                      .n_ports = 1)};
static const ms_wire trio_wires[] = {
    {1, 0, 0, 0, 1.0}, {0, 0, 1, 0, 1.0}, {1, 1, 2, 0, 1.0}, {2, 0, 1, 1, 1.0}};
static const ms_model trio_model =
    SUPPORT_MODEL("trio", trio, trio_wires, .stop_time = 1.0, .step_size = 0.05);

/* Of every subsystem in the middle of its last macro-step. Returns the number of laws that took part. */
static int compare_jacobians(const ms_cosim *cosim)
{
    int laws = 0;
    for (int i = 0; i < cosim->system->n; i++) {
        ms_instance *instance = cosim->instance[i];
        const int n = instance->n_state;
        const double t = instance->t + 0.5 * instance->h, step = 1e-6;
        double A[4], x[2], left[2], right[2];
        assert_true(n <= 2);
        assert_int_equal(ms_instance_jacobian(instance, 0, t, instance->state, A), 0);
        for (int j = 0; j < n; j++) {
            memcpy(x, instance->state, sizeof(double) * (size_t)n);
            x[j] += step;
            assert_int_equal(ms_instance_rhs(instance, 0, t, x, right), 0);
            x[j] -= 2.0 * step;
            assert_int_equal(ms_instance_rhs(instance, 0, t, x, left), 0);
            for (int k = 0; k < n; k++)
                support_near(A[k * n + j], 0.5 * (right[k] - left[k]) / step,
                             1e-7 * (1.0 + fabs(A[k * n + j])));
        }
        for (int k = 0; k < instance->n_laws; k++)
            laws += instance->law[k].active;
    }
    return laws;
}

static void jacobians_contain_the_laws(void **state)
{
    (void)state;
    const ms_options options = support_options(POWER " step-size=0.05");
    ms_system *systems[] = {support_system_of(&trio_model),
                            support_system("oscillator-chain", "case=alternating")};
    for (int k = 0; k < MS_COUNT(systems); k++) {
        int laws = 0;
        ms_cosim *cosim = support_cosim(systems[k], &options);
        assert_int_equal(ms_cosim_start(cosim), MS_OK);
        for (int n = 0; n < 20; n++) {
            assert_int_equal(ms_cosim_step(cosim, 0.05 * n, 0.05), MS_OK);
            laws += compare_jacobians(cosim);
        }
        assert_true(laws > 20);
        ms_cosim_destroy(&cosim);
        ms_system_destroy(&systems[k]);
    }
}

/* Sequence, rollback ------------------------------------------------------------------------------------- */

static void subsystems_in_another_order_move_alike(void **state)
{
    (void)state;
    static const int order[] = {3, 0, 5, 1, 4, 2};
    const ms_options options = support_options(POWER " step-size=0.1 stop-time=20");
    double x[6], other[6];
    ms_system *system = support_system("oscillator-chain", "masses=3");
    ms_system *permuted = support_permuted(system, order);
    assert_int_equal(permuted->n_bonds, 5);
    support_finish(system, &options, x, NULL);
    support_finish(permuted, &options, other, NULL);
    for (int i = 0; i < 6; i++)
        support_near(other[i], x[order[i]], 1e-14);
    ms_system_destroy(&permuted);
    ms_system_destroy(&system);
}

/* Steps of several lengths, so that laws and step-size memories differ from one to the next. */
static void steps(ms_cosim *cosim, double t)
{
    static const double lengths[] = {0.1, 0.04, 0.13};
    for (int n = 0; n < MS_COUNT(lengths); n++) {
        assert_int_equal(ms_cosim_step(cosim, t, lengths[n]), MS_OK);
        t += lengths[n];
    }
}

static void check_restore(const ms_system *system, const char *text)
{
    const ms_options options = support_options(text);
    ms_cosim *cosim = support_cosim(system, &options), *fresh = support_cosim(system, &options);
    assert_int_equal(ms_cosim_start(cosim), MS_OK);
    assert_int_equal(ms_cosim_start(fresh), MS_OK);
    steps(cosim, 0.0);
    double *before = support_state(cosim);
    steps(cosim, 0.27);
    double *once = support_state(cosim);
    ms_cosim_restore(cosim, before);
    steps(cosim, 0.27);
    support_has_state(cosim, once, text);
    ms_cosim_restore(fresh, before);
    steps(fresh, 0.27);
    support_has_state(fresh, once, "restored into another co-simulation");
    free(once);
    free(before);
    ms_cosim_destroy(&fresh);
    ms_cosim_destroy(&cosim);
}

static void a_restored_step_has_the_same_bits(void **state)
{
    (void)state;
    ms_system *systems[] = {support_system("spring-mass", ""),
                            support_system("oscillator-chain", "masses=2")};
    for (int k = 0; k < MS_COUNT(systems); k++) {
        for (const ms_solver *const *solver = ms_solvers; *solver != NULL; solver++)
            for (int order = 0; order < 2 && !(*solver)->linear_only; order++) {
                char text[160];
                snprintf(text, sizeof text, "scheme=power extrapolation-order=%d solver=%s micro-steps=5",
                         order, (*solver)->name);
                check_restore(systems[k], text);
                snprintf(text, sizeof text,
                         "scheme=power extrapolation-order=%d fallback=pointwise "
                         "fallback-threshold=0.2 solver=%s micro-steps=5",
                         order, (*solver)->name);
                check_restore(systems[k], text);
            }
        ms_system_destroy(&systems[k]);
    }
}

/* Refusals ----------------------------------------------------------------------------------------------- */

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *model, *text;
        int status;
        const char *says[3];
    } wrong[] = {
        {"quarter-car", "scheme=power", MS_UNSUPPORTED, {"quarter-car", "power ports", "spring-mass"}},
        {"spring-mass",
         "scheme=power extrapolation-order=2",
         MS_INVALID,
         {"`extrapolation-order` 2", "power", "0 or 1"}},
        {"spring-mass", "scheme=power solver=exact", MS_UNSUPPORTED, {"exact", "power", "`solver`"}},
        {"spring-mass",
         "scheme=power mask=mass:output-derivatives=0",
         MS_UNSUPPORTED,
         {"mass", "derivatives", "power"}},
        {"spring-mass",
         "scheme=power mask=spring:reevaluate-outputs",
         MS_UNSUPPORTED,
         {"spring", "again", "power"}},
        {"spring-mass",
         "scheme=power extrapolation-order=1 mask=*:input-degree=0",
         MS_UNSUPPORTED,
         {"spring", "degree 1", "`extrapolation-order`"}},
        {"spring-mass",
         "scheme=power output-derivatives=differences",
         MS_INVALID,
         {"differences", "power", "exact"}},
        {"spring-mass", "scheme=power outputs=consistent", MS_INVALID, {"`outputs`", "power", ""}},
        {"spring-mass", "scheme=jacobi fallback=step", MS_INVALID, {"`fallback`", "jacobi", ""}}};
    for (int k = 0; k < MS_COUNT(wrong); k++) {
        ms_system *system = support_system(wrong[k].model, "");
        for (int m = 0; m < 3; m++)
            support_system_refuses(system, wrong[k].text, wrong[k].status, wrong[k].says[m]);
        ms_system_destroy(&system);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(jacobians_contain_the_laws),
                                       cmocka_unit_test(subsystems_in_another_order_move_alike),
                                       cmocka_unit_test(a_restored_step_has_the_same_bits),
                                       cmocka_unit_test(what_does_not_fit_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
