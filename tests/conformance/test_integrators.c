/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_integrators.c - every integrator on every smooth model of the catalogue, in monolithic form: fixed
 * steps show their order, adaptive ones keep their tolerance. And van der Pol's equation, stiff. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/instance_step.h>
#include <macrostep/solver_registry.h>
#include "matrix.h"
#include "monolithic.h"
#include "solver_fixture.h"
#include "support.h"
#include "unit_test.h"

/* The monolithic form of a model over [0, T], from start values that are shifted a little: some models
 * start at rest. */
typedef struct problem {
    const char *name;
    ms_system *system, *whole;
    double *start, *reference; /* (nx) at 0 and T */
    double T, norm;            /* norm: Frobenius norm of df/dx at the start [1/s] */
} problem;

static bool is_smooth(const ms_system *system)
{
    for (int i = 0; i < system->n; i++)
        if (ms_subsystem_has_events(&system->sub[i]) || system->sub[i].residual != NULL)
            return false;
    return true;
}

/* The state at T; returns false where the solver fails. */
static bool integrate(const problem *p, const ms_solver *solver, const ms_solver_options *options, double *x)
{
    double *memory = calloc((size_t)ms_solver_memory(solver, p->whole->nx) + 1, sizeof *memory);
    ms_instance *instance;
    ms_error error = {""};
    assert_non_null(memory);
    memcpy(x, p->start, sizeof(double) * (size_t)p->whole->nx);
    if (ms_instance_create(&(ms_instance_parts){.system = p->whole,
                                                .index = 0,
                                                .solver = solver,
                                                .options = options,
                                                .x = x,
                                                .memory = memory},
                           &instance, &error) != MS_OK)
        fail_msg("%s", error.text);
    int status = MS_OK;
    for (int n = 0; n < 2 && status == MS_OK; n++) {
        instance->input.end[0] = 0.5 * p->T;
        status = ms_instance_step(instance, 0.5 * n * p->T, 0.5 * p->T);
    }
    ms_instance_destroy(&instance);
    free(memory);
    return status == MS_OK;
}

static double error_of(const problem *p, const ms_solver *solver, const ms_solver_options *options)
{
    double *x = calloc((size_t)p->whole->nx, sizeof *x);
    assert_non_null(x);
    if (!integrate(p, solver, options, x))
        fail_msg("%s failed on %s", solver->name, p->name);
    const double d = support_distance_relative(p->whole->nx, x, p->reference);
    free(x);
    return d;
}

static double jacobian_norm(const problem *p)
{
    const size_t nx = (size_t)p->whole->nx;
    double *scratch = calloc(3 * nx + nx * nx + (size_t)p->whole->nw + 1, sizeof *scratch), sum = 0.0;
    assert_non_null(scratch);
    double *A = scratch + 3 * nx, *w = A + nx * nx;
    ms_point at = {.x = p->start};
    assert_int_equal(ms_subsystem_jacobian(p->whole, 0, &at, w, scratch, &(ms_blocks){.A = A}, NULL), 0);
    for (size_t i = 0; i < nx * nx; i++)
        sum += A[i] * A[i];
    free(scratch);
    return sqrt(sum);
}

/* Some radians of the fastest motion. The random force of controlled-car has kinks in its second
 * derivative after each half second. */
static double length_of(const problem *p)
{
    if (strcmp(p->name, "controlled-car") == 0)
        return 0.4;
    return fmin(6.0 / p->norm, p->system->stop_time);
}

/* Is f defined at the start? */
static bool is_defined(const problem *p)
{
    double *dx = calloc((size_t)(p->whole->nx + p->whole->nw) + 1, sizeof *dx);
    ms_point at = {.x = p->start};
    assert_non_null(dx);
    const bool defined = ms_subsystem_f(p->whole, 0, &at, dx + p->whole->nx, dx) == 0;
    free(dx);
    return defined;
}

static problem make_problem(const ms_model *model)
{
    problem p = {.name = model->name, .system = support_system_of(model)};
    if (!is_smooth(p.system)) {
        ms_system_destroy(&p.system);
        return p;
    }
    assert_int_equal(ms_monolithic_create(p.system, &p.whole, NULL), MS_OK);
    const size_t nx = (size_t)p.whole->nx;
    unsigned long long seed = 7;
    p.start = calloc(2 * nx + 1, sizeof *p.start);
    assert_non_null(p.start);
    p.reference = p.start + nx;
    for (double part = 0.05; part == 0.05 || !is_defined(&p); part *= 0.1) {
        ms_system_start(p.whole, p.start);
        for (size_t i = 0; i < nx; i++)
            p.start[i] += part * (1.0 + fabs(p.start[i])) * support_random(&seed);
    }
    p.norm = jacobian_norm(&p);
    p.T = length_of(&p);
    return p;
}

static void drop_problem(problem *p)
{
    ms_monolithic_destroy(&p->whole);
    ms_system_destroy(&p->system);
    free(p->start);
}

/* By a solver of another family, at its tightest. */
static void set_reference(const problem *p, const ms_solver *solver)
{
    static const ms_solver_options tight = {.rtol = 1e-13, .atol = 1e-14};
    assert_true(integrate(p, support_reference_solver(solver, p->whole->linear), &tight, p->reference));
}

static void check_order(const problem *p, const ms_solver *solver)
{
    const double wanted = solver->order <= 2 ? 0.005 : solver->order < 5 ? 0.04 : 0.1; /* k |A| */
    const int n = (int)ceil(0.5 * p->T * fmax(p->norm, 1.0 / p->T) / wanted);
    const ms_solver_options once = {.micro_steps = n}, twice = {.micro_steps = 2 * n};
    const double coarse = error_of(p, solver, &once), fine = error_of(p, solver, &twice);
    const double order = log2(coarse / fine);
    const bool fast = solver->stiff && order > solver->order; /* what has decayed when it is looked at */
    if (coarse > 1e-11 && fabs(order - solver->order) > 0.15 && !fast)
        fail_msg("%s on %s: errors %g and %g, order %g", solver->name, p->name, coarse, fine, order);
    if (coarse > 0.05)
        fail_msg("%s on %s: the error is %g", solver->name, p->name, coarse);
}

/* The error stays below a multiple of tol^slope and falls with the tolerance, if it is not below the
 * tightest one anyway. */
static void check_tolerance(const problem *p, const ms_solver *solver)
{
    const double slope = support_solver_slope(solver),
                 tolerances[3] = {1e-4, 1e-6, slope > 0.5 ? 1e-9 : 1e-7};
    double error[3];
    for (int k = 0; k < 3; k++) {
        const ms_solver_options options = {.rtol = tolerances[k], .atol = tolerances[k]};
        error[k] = error_of(p, solver, &options);
        const double most = 400.0 * pow(tolerances[k], slope);
        if (!(error[k] <= most))
            fail_msg("%s on %s: the error is %g with tolerance %g", solver->name, p->name, error[k],
                     tolerances[k]);
    }
    if (!(error[2] <= 0.1 * error[0] || error[2] < tolerances[2]))
        fail_msg("%s on %s: the error %g does not fall, it is %g", solver->name, p->name, error[0], error[2]);
}

static void test_models(void **state)
{
    (void)state;
    int models = 0;
    for (const ms_model *const *model = ms_catalogue; *model != NULL; model++) {
        problem p = make_problem(*model);
        if (p.whole == NULL)
            continue;
        models++;
        for (const ms_solver *const *solver = ms_solvers; *solver != NULL; solver++) {
            if ((*solver)->linear_only && !p.whole->linear)
                continue;
            set_reference(&p, *solver);
            if ((*solver)->adaptive)
                check_tolerance(&p, *solver);
            else if ((*solver)->order > 0)
                check_order(&p, *solver);
            else if (error_of(&p, *solver, &(ms_solver_options){0}) > 1e-10)
                fail_msg("%s is not exact on %s", (*solver)->name, p.name);
        }
        drop_problem(&p);
    }
    assert_true(models >= 15);
}

/* Stiff -------------------------------------------------------------------------------------------------- */

/* x1' = x2, x2' = ((1 - x1^2) x2 - x1) / 1e-6, from (2, 0): the values at t = 2 are those of Hairer and
 * Wanner, Solving Ordinary Differential Equations II, appendix, and of the Bari test set. */
static const double van_der_pol_start[] = {2.0, 0.0};
static const double van_der_pol_end[] = {1.706167732170483, -0.8928097010247975};

static int van_der_pol_f(const ms_point *at, double *dx)
{
    dx[0] = at->x[1];
    dx[1] = ((1.0 - at->x[0] * at->x[0]) * at->x[1] - at->x[0]) / 1e-6;
    return 0;
}

static int van_der_pol_jacobian(const ms_point *at, const ms_blocks *m)
{
    if (m->A != NULL) {
        m->A[1] = 1.0;
        m->A[2] = (-2.0 * at->x[0] * at->x[1] - 1.0) / 1e-6;
        m->A[3] = (1.0 - at->x[0] * at->x[0]) / 1e-6;
    }
    return 0;
}

static const ms_variable names[] = {{"a", "1"}, {"b", "1"}};
static const ms_subsystem van_der_pol[] = {{.name = "oscillator",
                                            .nx = 2,
                                            .x = names,
                                            .x0 = van_der_pol_start,
                                            .f = van_der_pol_f,
                                            .jacobian = van_der_pol_jacobian}};
static const ms_case cases[] = {{.name = "only", .summary = "-", .source = "-"}};
static const ms_model van_der_pol_model = {.name = "van-der-pol",
                                           .summary = "-",
                                           .source = "-",
                                           .cases = cases,
                                           .n_cases = 1,
                                           .subsystems = van_der_pol,
                                           .n_subsystems = 1,
                                           .stop_time = 2.0,
                                           .step_size = 0.1};

static void test_stiff(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    {
        const ms_solver_options options = {.rtol = 1e-8, .atol = 1e-8};
        if (!support_solver_stiff(solver))
            continue;
        support_solver_fixture *fixture = support_fixture_of(&van_der_pol_model, 0, solver, &options);
        for (int n = 0; n < 4; n++) {
            support_fixture_feed(fixture, 0.5, 0);
            support_fixture_advance(fixture, 0.5 * n, 0.5);
        }
        support_fixture_near(fixture, "the end", fixture->x, van_der_pol_end, 1e-4);
        assert_true(fixture->instance->work.micro_steps < 40000); /* explicit ones would need over a
                                                                     million */
        support_fixture_drop(fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models), cmocka_unit_test(test_stiff)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
