/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_ifosmondi.c - the iterated schemes ifosmondi and zoh-iterative on damping-reaction and plate-chain:
 * orders, continuity of the inputs, step rule (28) and its restores, structures of coupling, the callback. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/simulation.h>
#include "ifosmondi.h"
#include "support.h"
#include "unit_test.h"

static const char *const methods[] = {"fixed-point", "newtonls", "anderson", "ngmres", "ngmres-ls"};

enum { METHODS = MS_COUNT(methods), SIZE = 32, STEPS_MAX = 1024 };

/* Orders of convergence ---------------------------------------------------------------------------------- */

/* The mean over the states of |e|_L2 / |reference|_L2; NaN where the run does not reach its end. */
static double error_of(const ms_system *system, const ms_options *options, ms_reason *reason)
{
    ms_simulation simulation;
    const ms_simulation_options request = {.errors = true};
    assert_int_equal(ms_simulation_run(system, options, &request, &simulation, NULL), MS_OK);
    *reason = simulation.result.reason;
    const double error = simulation.errors_valid ? simulation.errors.l2_normalized_mean : NAN;
    ms_simulation_destroy(&simulation);
    return error;
}

/* Observed order between h and h/2. */
static double order_of(const ms_system *system, ms_options options, double h)
{
    double error[2];
    for (int k = 0; k < 2; k++) {
        ms_reason reason;
        options.step_size = k == 0 ? h : 0.5 * h;
        error[k] = error_of(system, &options, &reason);
        assert_int_equal(reason, MS_REASON_END_TIME);
    }
    return log2(error[0] / error[1]);
}

static void the_order_is_4(void **state)
{
    (void)state;
    static const char *const cases[] = {"case=contractive", "case=non-contractive"}, *const tight[] = {
                                                                                         "1e-12", "0"};
    for (int c = 0; c < 2; c++) {
        ms_system *system = support_system("damping-reaction", cases[c]);
        for (int m = c; m < METHODS; m++) /* not the fixed point where it does not contract */
            for (int k = 0; k < 2; k++) {
                const ms_options options =
                    support_options_of("scheme=ifosmondi solver=exact max-iterations=200 epsilon=%s "
                                       "solver-nonlinear=%s",
                                       tight[k], methods[m]);
                support_near(order_of(system, options, 0.05), 4.0, 0.05);
            }
        ms_system_destroy(&system);
    }
}

static void held_inputs_have_order_1(void **state)
{
    (void)state;
    ms_system *system = support_system("damping-reaction", "case=contractive");
    support_near(order_of(system, support_options_of("scheme=jacobi extrapolation-order=0"), 0.05), 1.0,
                 0.02);
    support_near(order_of(system,
                          support_options_of("scheme=zoh-iterative epsilon=1e-12 solver-nonlinear=newtonls"),
                          0.05),
                 1.0, 0.02);
    ms_system_destroy(&system);
}

static void without_contraction_they_fail(void **state)
{
    (void)state;
    ms_system *system = support_system("damping-reaction", "case=non-contractive");
    static const double sizes[] = {0.05, 0.01};
    for (int k = 0; k < MS_COUNT(sizes); k++) {
        ms_options options = support_options_of("scheme=jacobi extrapolation-order=0 step-size=%g", sizes[k]);
        assert_int_equal(support_run(system, &options, NULL, NULL).reason, MS_REASON_DIVERGED);
        options = support_options_of("scheme=ifosmondi solver-nonlinear=fixed-point step-size=%g", sizes[k]);
        const ms_run_result result = support_run(system, &options, NULL, NULL);
        assert_int_equal(result.reason, MS_REASON_ITERATION_FAILED);
        assert_true(result.end_time == 0.0 && result.macro_steps == 0 && result.rejected_steps > 30);
        assert_non_null(strstr(result.message, "fixed-point did not converge"));
        options = support_options_of(
            "scheme=ifosmondi solver-nonlinear=fixed-point epsilon=0 max-iterations=200 step-size=%g",
            sizes[k]);
        assert_int_equal(support_run(system, &options, NULL, NULL).reason, MS_REASON_ITERATION_FAILED);
        options = support_options_of(
            "scheme=ifosmondi solver-nonlinear=fixed-point step-rule=fixed step-size=%g", sizes[k]);
        assert_int_equal(support_run(system, &options, NULL, NULL).rejected_steps, 0);
    }
    ms_system_destroy(&system);
}

/* Inputs ------------------------------------------------------------------------------------------------- */

/* What inputs are at the ends of macro-steps, kept by an observer. */
typedef struct seam {
    int n; /* macro-steps seen */
    double epsilon;
    double value[SIZE], slope[SIZE]; /* left limits at the last communication point */
    double accepted[STEPS_MAX];      /* lengths */
    double at[STEPS_MAX];            /* starts */
} seam;

/* Inputs of all subsystems and their slopes, tau after the start of the macro-step. */
static void inputs_at(const ms_cosim *cosim, double tau, double *value, double *slope)
{
    for (int i = 0; i < cosim->system->n; i++) {
        ms_input_evaluate(&cosim->instance[i]->input, 0, 0, tau, value + cosim->system->u_at[i]);
        ms_input_evaluate(&cosim->instance[i]->input, 0, 1, tau, slope + cosim->system->u_at[i]);
    }
}

/* Value and slope go on where they ended, and u = L y at the end; in the first macro-step u alone, with a
 * parabola. */
static int check_seam(void *self, const ms_cosim *cosim, double t, double h)
{
    seam *s = self;
    const ms_system *system = cosim->system;
    const int nu = system->nu;
    double value[SIZE] = {0.0}, slope[SIZE] = {0.0}, coupled[SIZE];
    inputs_at(cosim, 0.0, value, slope);
    if (s->n > 0) {
        support_near_all(nu, value, s->value, 1e-13);
        support_near_all(nu, slope, s->slope, 1e-10);
    } else {
        for (int i = 0; i < system->n; i++)
            for (int l = 0; l < cosim->instance[i]->input.n; l++)
                assert_true(ms_input_coefficients(&cosim->instance[i]->input, 0, 3)[l] == 0.0);
    }
    inputs_at(cosim, h, s->value, s->slope);
    ms_system_couple(system, cosim->y_raw, coupled);
    for (int l = 0; l < nu; l++)
        assert_true(fabs(s->value[l] - coupled[l]) <= s->epsilon * (1.0 + fabs(s->value[l])) + 1e-13);
    s->accepted[s->n] = h;
    s->at[s->n++] = t;
    assert_true(s->n < STEPS_MAX);
    return 0;
}

static ms_run_result observed_run(const ms_system *system, const ms_options *options, seam *s, double *x)
{
    ms_cosim *cosim = support_cosim(system, options);
    const ms_observer observer = {.self = s, .step = check_seam};
    ms_run_result result;
    *s = (seam){.epsilon = cosim->variant.iteration.epsilon};
    assert_int_equal(ms_run(cosim, &observer, 1, NULL, NULL, &result, NULL), MS_OK);
    memcpy(x, cosim->x, sizeof *x * (size_t)system->nx);
    ms_cosim_destroy(&cosim);
    return result;
}

static void inputs_are_continuously_differentiable(void **state)
{
    (void)state;
    static const char *const tolerances[] = {"1e-4", "1e-10"};
    ms_system *pair = support_system("damping-reaction", "case=contractive"),
              *chain = support_system("plate-chain", "case=contractive");
    const ms_system *const systems[] = {pair, chain};
    for (int k = 0; k < 2; k++)
        for (int m = 0; m < METHODS; m++)
            for (int e = 0; e < 2; e++) {
                static seam s;
                double x[SIZE];
                const ms_options options =
                    support_options_of("scheme=ifosmondi solver-nonlinear=%s epsilon=%s step-size=0.05 "
                                       "stop-time=2",
                                       methods[m], tolerances[e]);
                assert_int_equal(observed_run(systems[k], &options, &s, x).reason, MS_REASON_END_TIME);
                assert_int_equal(s.n, 40);
            }
    ms_system_destroy(&pair);
    ms_system_destroy(&chain);
}

/* Rejected macro-steps ----------------------------------------------------------------------------------- */

/* ngmres without line search, where it converges here and there: d_d = 0.08, dt_ref = 0.1. */
#define NEAR_THRESHOLD "scheme=ifosmondi solver-nonlinear=ngmres step-size=0.1"

static void a_rejected_step_restores_every_subsystem(void **state)
{
    (void)state;
    static const char *const models[] = {"damping-reaction", "plate-chain"};
    for (int k = 0; k < 2; k++)
        for (int m = 0; m < METHODS; m++) {
            ms_system *system = support_system(models[k], "case=contractive");
            ms_options options =
                support_options_of("scheme=ifosmondi epsilon=1e-10 solver-nonlinear=%s step-size=0.1 "
                                   "max-iterations=200",
                                   methods[m]);
            ms_cosim *cosim = support_cosim(system, &options);
            options.iteration.max_iterations = 1;
            options.iteration.epsilon = 1e-14;
            ms_cosim *failing = support_cosim(system, &options);
            const size_t bytes = sizeof(double) * ms_cosim_state_size(cosim);
            assert_int_equal(ms_cosim_start(cosim), MS_OK);
            assert_int_equal(ms_cosim_start(failing), MS_OK);
            for (int n = 0; n < 5; n++) {
                double *before = support_state(cosim);
                ms_cosim_restore(failing, before);
                assert_int_equal(ms_cosim_step(failing, 0.1 * n, 0.1), MS_NOT_CONVERGED);
                support_has_state(failing, before, methods[m]);
                assert_int_equal(ms_cosim_step(cosim, 0.1 * n, 0.1), MS_OK);
                double *after = support_state(cosim);
                assert_memory_not_equal(before, after, bytes);
                free(after);
                free(before);
            }
            ms_cosim_destroy(&failing);
            ms_cosim_destroy(&cosim);
            ms_system_destroy(&system);
        }
}

/* (28): the next macro-step is 2^-k min(dt_ref, 1.3 times the last one), after k rejections; the last one
 * may be cut. */
static int rejections_of(const seam *s, double reference, double end)
{
    int rejections = 0;
    for (int n = 0; n < s->n; n++) {
        const double proposed = n == 0 ? reference : fmin(reference, 1.3 * s->accepted[n - 1]);
        const double longest = fmin(proposed, end - s->at[n]);
        const double k = log2(longest / s->accepted[n]), whole = round(k);
        assert_true(whole >= 0.0 && fabs(k - whole) < 1e-6);
        assert_true(s->accepted[n] <= reference * (1.0 + 1e-12));
        if (n > 0)
            support_near(s->at[n], s->at[n - 1] + s->accepted[n - 1], 1e-12);
        rejections += (int)whole;
    }
    return rejections;
}

/* The same macro-steps without the attempts that failed. */
static void take_again(const ms_system *system, const ms_options *options, const seam *s, double *x)
{
    ms_cosim *cosim = support_cosim(system, options);
    assert_int_equal(ms_cosim_start(cosim), MS_OK);
    for (int n = 0; n < s->n; n++)
        assert_int_equal(ms_cosim_step(cosim, s->at[n], s->accepted[n]), MS_OK);
    memcpy(x, cosim->x, sizeof *x * (size_t)system->nx);
    ms_cosim_destroy(&cosim);
}

static void many_rejected_steps_do_no_harm(void **state)
{
    (void)state;
    static seam s;
    double x[3] = {0.0}, again[3] = {0.0}, exact[3] = {0.0};
    ms_system *system = support_system("damping-reaction", "d_d=0.08");
    const ms_options options = support_options(NEAR_THRESHOLD);
    const ms_run_result result = observed_run(system, &options, &s, x);
    assert_int_equal(result.reason, MS_REASON_END_TIME);
    assert_true(result.rejected_steps >= 50 && result.end_time == 10.0);
    assert_int_equal(result.macro_steps, s.n);
    support_near(s.at[s.n - 1] + s.accepted[s.n - 1], 10.0, 1e-12);
    assert_int_equal(rejections_of(&s, 0.1, 10.0), result.rejected_steps);
    take_again(system, &options, &s, again);
    assert_memory_equal(x, again, sizeof x);
    support_reference(system, 10.0, exact);
    support_near_all(3, x, exact, 1e-3);
    ms_system_destroy(&system);
}

/* The length after a rejection grows back to dt_ref by factors of 1.3, and not beyond. */
static void the_step_grows_back(void **state)
{
    (void)state;
    static seam s;
    double x[3];
    int grown = 0, whole = 0, halved = 0;
    ms_system *system = support_system("damping-reaction", "d_d=0.08");
    const ms_options options = support_options("scheme=ifosmondi solver-nonlinear=ngmres step-size=0.05");
    const ms_run_result result = observed_run(system, &options, &s, x);
    assert_int_equal(rejections_of(&s, 0.05, 10.0), result.rejected_steps);
    for (int n = 1; n < s.n; n++) {
        grown += fabs(s.accepted[n] / s.accepted[n - 1] - 1.3) < 1e-9;
        whole += s.accepted[n] == 0.05;
        halved += s.accepted[n] < 0.75 * s.accepted[n - 1];
    }
    assert_true(grown > 5 && whole > 20 && halved > 0);
    ms_system_destroy(&system);
}

/* Rejected attempts count, but their state is forgotten. */
static void rejected_integrations_count(void **state)
{
    (void)state;
    ms_system *system = support_system("damping-reaction", "d_d=0.08");
    const ms_options options = support_options(NEAR_THRESHOLD);
    ms_simulation simulation;
    assert_int_equal(ms_simulation_run(system, &options, &(ms_simulation_options){0}, &simulation, NULL),
                     MS_OK);
    const ms_run_result *r = &simulation.result;
    assert_int_equal(r->integrations, 2 * simulation.work[0].micro_steps);
    /* first call and the one at the guess in every attempt, last call in each that was accepted */
    assert_int_equal(r->integrations / 2, 2 * r->rejected_steps + 3 * r->macro_steps + 2 * r->iterations);
    ms_simulation_destroy(&simulation);
    ms_system_destroy(&system);
}

/* Structure ---------------------------------------------------------------------------------------------- */

/* Outputs of inner plates feed two inputs each, six subsystems. */
static void chains_are_solved(void **state)
{
    (void)state;
    static const char *const cases[] = {"case=contractive", "case=non-contractive"};
    for (int c = 0; c < 2; c++)
        for (int m = c; m < METHODS; m++) {
            if (c == 1 &&
                m >= 3) /* NGMRES makes no use of a history shorter than the problem: test_nonlinear.c */
                continue;
            ms_system *system = support_system("plate-chain", cases[c]);
            const ms_options options =
                support_options_of("scheme=ifosmondi epsilon=1e-11 max-iterations=200 solver-nonlinear=%s "
                                   "stop-time=4",
                                   methods[m]);
            assert_true(system->n == 6 && system->nu > system->ny);
            support_near(order_of(system, options, 0.1), 4.0, 0.15);
            ms_system_destroy(&system);
        }
}

static void the_order_of_subsystems_does_not_matter(void **state)
{
    (void)state;
    static const int order[] = {3, 0, 5, 1, 4, 2};
    ms_system *system = support_system("plate-chain", "case=contractive");
    ms_system *permuted = support_permuted(system, order);
    for (int m = 0; m < METHODS; m++) {
        double x[SIZE] = {0.0}, y[SIZE] = {0.0};
        const ms_options options =
            support_options_of("scheme=ifosmondi epsilon=1e-12 max-iterations=200 solver-nonlinear=%s "
                               "step-size=0.1 stop-time=3",
                               methods[m]);
        support_finish(system, &options, x, NULL);
        support_finish(permuted, &options, y, NULL);
        for (int i = 0; i < system->n; i++)
            support_near_all(system->sub[order[i]].nx, y + permuted->x_at[i], x + system->x_at[order[i]],
                             1e-10);
    }
    ms_system_destroy(&permuted);
    ms_system_destroy(&system);
}

/* The callback ------------------------------------------------------------------------------------------- */

/* gamma by the accessor is that of a run: from its own solution no component is left above (27). */
static void the_callback_is_that_of_the_scheme(void **state)
{
    (void)state;
    ms_system *system = support_system("damping-reaction", "case=non-contractive");
    const ms_options options =
        support_options("scheme=ifosmondi epsilon=1e-10 step-size=0.1 solver-nonlinear=anderson");
    ms_cosim *cosim = support_cosim(system, &options);
    double z[SIZE], r[SIZE] = {0.0}, before[SIZE], u[SIZE] = {0.0}, du[SIZE] = {0.0};
    assert_int_equal(ms_cosim_start(cosim), MS_OK);
    assert_int_equal(ms_cosim_step(cosim, 0.0, 0.1), MS_OK);
    memcpy(before, cosim->x, sizeof *before * (size_t)system->nx);
    assert_int_equal(ms_ifosmondi_begin(cosim, 0.1, 0.1, z), MS_OK);
    inputs_at(cosim, 0.0, u, du);
    inputs_at(cosim, 0.1, r, du);
    support_near_all(system->nu, r, u, 1e-15); /* (20) */
    const ms_nonlinear_problem problem = ms_ifosmondi_problem(cosim);
    assert_int_equal(problem.n, 2 * system->nu);
    assert_int_equal(problem.residual(problem.context, z, r), MS_OK);
    assert_false(problem.converged(problem.context, z, r));
    inputs_at(cosim, 0.1, u, du);
    support_near_all(system->nu, u, z, 1e-13);
    support_near_all(system->nu, du, z + system->nu, 1e-12);
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_is_4),
        cmocka_unit_test(held_inputs_have_order_1),
        cmocka_unit_test(without_contraction_they_fail),
        cmocka_unit_test(inputs_are_continuously_differentiable),
        cmocka_unit_test(a_rejected_step_restores_every_subsystem),
        cmocka_unit_test(many_rejected_steps_do_no_harm),
        cmocka_unit_test(the_step_grows_back),
        cmocka_unit_test(rejected_integrations_count),
        cmocka_unit_test(chains_are_solved),
        cmocka_unit_test(the_order_of_subsystems_does_not_matter),
        cmocka_unit_test(the_callback_is_that_of_the_scheme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
