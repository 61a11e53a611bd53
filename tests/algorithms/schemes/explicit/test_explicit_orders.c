/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_explicit_orders.c - observed orders of convergence of every variant of the explicit family, against
 * the order that it claims. Errors are maxima over all communication points, so an order that is lost at
 * the start shows. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/reference.h>
#include <macrostep/scheme_registry.h>
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

typedef struct problem {
    const char *model, *settings, *options;
    double end;   /* [s] */
    int halvings; /* of the coarsest step; two more follow */
    bool feed_through;
} problem;

typedef struct monitored {
    ms_reference *reference;
    double error; /* so far */
} monitored;

static int monitor(void *self, const ms_cosim *cosim, double t, double h)
{
    monitored *w = self;
    const int nx = cosim->system->nx;
    if (ms_reference_step(w->reference, t, h) != MS_OK)
        return 1;
    const double error = support_distance(nx, cosim->x, ms_reference_state(w->reference));
    w->error = error <= w->error ? w->error : error;
    return 0;
}

/* Largest error of a run with the given step. *floor: below which it means nothing. */
static double error_of(const ms_system *system, const problem *p, const char *text, double H, double *floor)
{
    char times[96];
    snprintf(times, sizeof times, " stop-time=%.17g step-size=%.17g", p->end, H);
    ms_options options = support_options(text);
    if (p->options != NULL)
        support_options_add(&options, p->options);
    support_options_add(&options, times);
    ms_cosim *cosim = support_cosim(system, &options);
    ms_error error = {""};
    monitored w = {0};
    if (ms_reference_create(system, 0, NULL, &w.reference, &error) != MS_OK)
        fail_msg("%s", error.text);
    const ms_observer observer = {.self = &w, .step = monitor};
    ms_run_result result;
    assert_int_equal(ms_run(cosim, &observer, 1, NULL, NULL, &result, &error), MS_OK);
    if (result.reason != MS_REASON_END_TIME)
        fail_msg("%s %s, H = %g: %s, %s", p->model, text, H, ms_reason_name(result.reason), result.message);
    *floor = 50.0 * ms_reference_error(w.reference) + 1e-13;
    ms_reference_destroy(&w.reference);
    ms_cosim_destroy(&cosim);
    return w.error;
}

/* Extrapolated to H = 0 from the slopes of three runs, whose own deviation is about proportional to H. */
static double observed(const ms_system *system, const problem *p, const char *text)
{
    double e[3], floor = 0.0;
    for (int k = 0; k < 3; k++)
        e[k] = error_of(system, p, text, ldexp(p->end, -p->halvings - k), &floor);
    if (!(e[2] > floor))
        fail_msg("%s %s: the error %g is at the floor %g", p->model, text, e[2], floor);
    const double coarse = log2(e[0] / e[1]), fine = log2(e[1] / e[2]);
    return 2.0 * fine - coarse;
}

static void check(const ms_system *system, const problem *p, const char *text, double expected,
                  double tolerance)
{
    const double order = observed(system, p, text);
    if (!(fabs(order - expected) <= tolerance))
        fail_msg("%s %s has order %.2f, expected %g", p->model, text, order, expected);
}

static void check_members(const problem *p)
{
    ms_system *system = support_system(p->model, p->settings);
    support_variant variant;
    for (int k = 0; support_variant_at(k, &variant); k++)
        if (variant.outputs != MS_OUTPUTS_INCONSISTENT || !p->feed_through)
            check(system, p, variant.text, variant.order + 1, 0.12);
    ms_system_destroy(&system);
}

static void every_variant_has_its_order_without_feed_through(void **state)
{
    (void)state;
    static const problem problems[] = {{"moshagen-2x2", "case=mutual", NULL, 2.0, 6, false},
                                       {"spring-mass", "c=2", NULL, 2.0, 6, false},
                                       {"quarter-car", "", NULL, 0.125, 7, false}};
    for (int i = 0; i < MS_COUNT(problems); i++)
        check_members(&problems[i]);
}

static void every_variant_with_solved_outputs_has_its_order_with_feed_through(void **state)
{
    (void)state;
    static const problem problems[] = {{"linear-pair", "case=stable", NULL, 0.5, 7, true},
                                       {"linear-pair", "d1=3 d2=-2", NULL, 0.5, 8, true},
                                       {"mass-spring-damper", "", NULL, 0.5, 7, true}};
    for (int i = 0; i < MS_COUNT(problems); i++)
        check_members(&problems[i]);
}

static void inconsistent_variants_have_their_order_where_feed_through_is_weak(void **state)
{
    (void)state;
    static const problem p = {"linear-pair", "d1=0.1 d2=-0.1", NULL, 0.5, 7, true};
    ms_system *system = support_system(p.model, p.settings);
    support_variant variant;
    for (int k = 0; support_variant_at(k, &variant); k++)
        if (variant.outputs == MS_OUTPUTS_INCONSISTENT)
            check(system, &p, variant.text, variant.order + 1, 0.12);
    ms_system_destroy(&system);
}

static void chains_keep_their_order_in_any_sequence(void **state)
{
    (void)state;
    static const problem p = {"mass-chain", "masses=4", NULL, 1.0, 6, false};
    static const char *const orders[] = {"mass1,mass2,mass3,mass4", "mass4,mass3,mass2,mass1",
                                         "mass3,mass1,mass4,mass2"};
    ms_system *system = support_system(p.model, p.settings);
    for (int i = 0; i < MS_COUNT(orders); i++)
        for (int order = 0; order <= 2; order++) {
            char text[128];
            snprintf(text, sizeof text, "scheme=gauss-seidel sequence=%s extrapolation-order=%d", orders[i],
                     order);
            check(system, &p, text, order + 1, 0.12);
        }
    ms_system_destroy(&system);
}

static void the_quadratic_as_printed_has_order_2(void **state)
{
    (void)state;
    static const problem p = {"mass-spring-damper", "", NULL, 0.5, 7, true};
    ms_system *system = support_system(p.model, p.settings);
    check(system, &p, "extrapolation-order=2 as-printed=quadratic outputs=corrected", 2, 0.12);
    check(system, &p, "extrapolation-order=2 as-printed=quadratic outputs=consistent", 2, 0.12);
    check(system, &p, "extrapolation-order=2 as-printed outputs=corrected", 2, 0.12);
    ms_system_destroy(&system);
}

static void a_start_without_past_values_costs_order_3_its_third(void **state)
{
    (void)state;
    static const problem p = {"moshagen-2x2", "case=mutual", NULL, 2.0, 7, false};
    ms_system *system = support_system(p.model, p.settings);
    check(system, &p, "extrapolation-order=0 start=hold", 1, 0.12);
    check(system, &p, "extrapolation-order=1 start=hold", 2, 0.12);
    check(system, &p, "extrapolation-order=2 start=hold", 2, 0.12);
    check(system, &p, "extrapolation-order=2 start=hold derivatives=analytic", 2, 0.12);
    ms_system_destroy(&system);
}

/* Backward differences of raw outputs are slopes of first order. */
static void derivatives_by_differences_have_order_2_at_most(void **state)
{
    (void)state;
    static const problem p = {"mass-spring-damper", "", NULL, 0.5, 8, true};
    static const char *const outputs[] = {"consistent", "corrected"}, *const kinds[] = {"differences",
                                                                                        "mixed"};
    ms_system *system = support_system(p.model, p.settings);
    for (int order = 1; order <= 2; order++)
        for (int k = 0; k < 4; k++) {
            char text[160];
            snprintf(text, sizeof text,
                     "extrapolation-order=%d derivatives=analytic output-derivatives=%s outputs=%s", order,
                     kinds[k / 2], outputs[k % 2]);
            check(system, &p, text, 2, 0.12);
        }
    ms_system_destroy(&system);
}

/* y = t^3 / 6 and H = 1: y = 1/6, 4/3; its slope by differences 1/6, 7/6, or exact 1/2, 2; its second derivative
 * exact 1, 2. z' = u is 0 up to 1, as all derivatives are 0 at the start, and gains y + y'/2 + y''/6 in each macro-step. */
static void the_first_macro_steps_are_those_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *kind;
        double z[2]; /* at 2 and at 3 */
    } by_hand[] = {{"exact", {7.0 / 12.0, 13.0 / 4.0}}, {"mixed", {5.0 / 12.0, 8.0 / 3.0}}};
    ms_model *model = support_model_read(
        "{\"subsystems\": [{\"name\": \"cubic\", \"A\": [[0, 1, 0], [0, 0, 1], [0, 0, 0]], \"B\": [[0], [0], [1]], "
        "\"C\": [[1, 0, 0]]}, {\"name\": \"one\", \"A\": [[0]], \"B\": [[0]], \"C\": [[1]], \"x0\": [1]}, "
        "{\"name\": \"reader\", \"A\": [[0]], \"B\": [[1]], \"C\": [[1]]}], \"wires\": [[0, 1, 1], [2, 0, 1]]}");
    ms_system *system = support_system_of(model);
    for (int k = 0; k < MS_COUNT(by_hand); k++)
        for (int n = 0; n < 2; n++) {
            double x[5];
            const ms_options options = support_options_of(
                "extrapolation-order=2 derivatives=analytic output-derivatives=%s step-size=1 stop-time=%d",
                by_hand[k].kind, 2 + n);
            support_finish(system, &options, x, NULL);
            support_near(x[4], by_hand[k].z[n], 1e-13);
        }
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* What error control and `converge` are told. */
static void variants_claim_the_order_that_they_have(void **state)
{
    (void)state;
    static const struct {
        const char *options;
        int order;
    } claims[] = {{"", 1},
                  {"extrapolation-order=1", 2},
                  {"extrapolation-order=2", 3},
                  {"extrapolation-order=1 derivatives=analytic", 2},
                  {"extrapolation-order=2 derivatives=analytic", 3},
                  {"extrapolation-order=2 as-printed=quadratic", 2},
                  {"extrapolation-order=2 derivatives=analytic as-printed smooth-coupling", 3},
                  {"extrapolation-order=1 derivatives=analytic output-derivatives=differences", 2},
                  {"extrapolation-order=2 derivatives=analytic output-derivatives=differences", 2},
                  {"extrapolation-order=2 derivatives=analytic output-derivatives=mixed", 2}};
    static const char *const families[] = {"jacobi", "gauss-seidel"};
    for (int k = 0; k < MS_COUNT(claims); k++) {
        const ms_options options = support_options(claims[k].options);
        for (int s = 0; s < MS_COUNT(families); s++) {
            const ms_scheme *family = ms_scheme_find(families[s]);
            ms_variant variant;
            ms_variant_set(&variant, family, NULL, &options);
            const int order = family->order(&variant);
            if (order != claims[k].order)
                fail_msg("%s %s claims order %d, has %d", families[s], claims[k].options, order,
                         claims[k].order);
        }
    }
}

/* Loops whose D depends on the state; rho(D L) passes 1 on the way. */
static void the_double_pendulum_has_its_orders(void **state)
{
    (void)state;
    static const problem p = {
        "double-pendulum", "", "solver=gsl-rk8pd solver-rtol=1e-13 solver-atol=1e-14", 1.0, 7, true};
    ms_system *system = support_system(p.model, p.settings);
    support_variant variant;
    for (int k = 0; support_variant_at(k, &variant); k++)
        if (variant.outputs != MS_OUTPUTS_INCONSISTENT && variant.order < 2)
            check(system, &p, variant.text, variant.order + 1, 0.15);
    check(system, &p, "extrapolation-order=2 outputs=corrected", 3, 0.15);
    check(system, &p, "extrapolation-order=2 outputs=consistent", 3, 0.15);
    ms_system_destroy(&system);
}

/* Inputs that are functions of time: y'' = C (A x' + B u' + E w') + D u'' + F w''. */
static void forced_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    m->A[0] = -1.0;
    m->B[0] = m->C[0] = m->E[0] = 1.0;
    m->D[0] = 0.5;
    m->F[0] = 0.25;
}

static void force(double t, const double *p, const void *data, double *w)
{
    (void)p, (void)data;
    w[0] = sin(3.0 * t);
}

static void free_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    m->A[0] = -2.0;
    m->B[0] = -1.0;
    m->C[0] = 1.0;
}

static const double one[] = {1.0};
static const ms_subsystem forced[] = {
    SUPPORT_SUBSYSTEM("forced", 1, 1, 1, .nw = 1, .x0 = one, .matrices = forced_matrices, .external = force),
    SUPPORT_SUBSYSTEM("free", 1, 1, 1, .x0 = one, .matrices = free_matrices)};
static const ms_model forced_model =
    SUPPORT_MODEL("forced", forced, support_ring, .stop_time = 1.0, .step_size = 0.1);

static void external_inputs_that_vary_cost_no_order(void **state)
{
    (void)state;
    static const problem p = {"forced", "", NULL, 1.0, 6, true};
    ms_system *system = support_system_of(&forced_model);
    support_variant variant;
    for (int k = 0; support_variant_at(k, &variant); k++) {
        const ms_options options = support_options(variant.text);
        char line[256];
        if (variant.order == 2 && variant.analytic &&
            support_refusal(system, &options, line, sizeof line) == MS_UNSUPPORTED)
            continue; /* y'' may be refused, but must not be wrong */
        if (variant.outputs != MS_OUTPUTS_INCONSISTENT)
            check(system, &p, variant.text, variant.order + 1, 0.12);
    }
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_variant_has_its_order_without_feed_through),
        cmocka_unit_test(every_variant_with_solved_outputs_has_its_order_with_feed_through),
        cmocka_unit_test(inconsistent_variants_have_their_order_where_feed_through_is_weak),
        cmocka_unit_test(chains_keep_their_order_in_any_sequence),
        cmocka_unit_test(the_quadratic_as_printed_has_order_2),
        cmocka_unit_test(a_start_without_past_values_costs_order_3_its_third),
        cmocka_unit_test(the_first_macro_steps_are_those_by_hand),
        cmocka_unit_test(derivatives_by_differences_have_order_2_at_most),
        cmocka_unit_test(variants_claim_the_order_that_they_have),
        cmocka_unit_test(the_double_pendulum_has_its_orders),
        cmocka_unit_test(external_inputs_that_vary_cost_no_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
