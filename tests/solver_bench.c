/* solver_bench.c - the models that try micro-solvers, and one subsystem at work. */
#include "solver_bench.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Models of the tests ------------------------------------------------------------------------------------ */

trial_record seen;

static void watch(const ms_point *at)
{
    const double ulps = 4.0 * DBL_EPSILON * fmax(1.0, fabs(at->t));
    seen.first = fmin(seen.first, at->t);
    seen.last = fmax(seen.last, at->t);
    if ((at->u[0] == seen.a && at->t > seen.jump + ulps) || (at->u[0] == seen.b && at->t < seen.jump - ulps))
        seen.wrong_piece = true;
}

void trial_forget(void)
{
    memset(&seen, 0, sizeof seen);
    seen.first = INFINITY;
    seen.last = -INFINITY;
    seen.a = seen.b = NAN;
}

/* Damped pendulum with torque: x1' = x2, x2' = -9 sin x1 - x2/5 + u + sin(3 t)/2. */
static int pendulum_f(const ms_point *at, double *dx)
{
    seen.f++;
    watch(at);
    dx[0] = at->x[1];
    dx[1] = -9.0 * sin(at->x[0]) - 0.2 * at->x[1] + at->u[0] + 0.5 * sin(3.0 * at->t);
    return 0;
}

static int pendulum_jacobian(const ms_point *at, const ms_blocks *m)
{
    seen.jacobian++;
    watch(at);
    if (m->A != NULL) {
        m->A[1] = 1.0;
        m->A[2] = -9.0 * cos(at->x[0]);
        m->A[3] = -0.2;
    }
    if (m->B != NULL)
        m->B[1] = 1.0;
    return 0;
}

/* Van der Pol's oscillator, x1' = x2, x2' = 10 (1 - x1^2) x2 - x1 + u, without a Jacobian. */
static int oscillator_f(const ms_point *at, double *dx)
{
    seen.f++;
    watch(at);
    dx[0] = at->x[1];
    dx[1] = 10.0 * (1.0 - at->x[0] * at->x[0]) * at->x[1] - at->x[0] + at->u[0];
    return 0;
}

/* x1' = x2, x2' = -K x1 - (K + 1) x2 with K = STIFFNESS: Newton needs the right Jacobian. */
static int stiff_f(const ms_point *at, double *dx)
{
    dx[0] = at->x[1];
    dx[1] = -STIFFNESS * at->x[0] - (STIFFNESS + 1.0) * at->x[1];
    return 0;
}

static int stiff_jacobian(const ms_point *at, const ms_blocks *m)
{
    (void)at;
    if (m->A != NULL) {
        m->A[1] = 1.0;
        m->A[2] = -STIFFNESS;
        m->A[3] = -STIFFNESS - 1.0;
    }
    return 0;
}

/* x' = x^2 + u: from x = 1 the pole is at t = 1. */
static int pole_f(const ms_point *at, double *dx)
{
    dx[0] = at->x[0] * at->x[0] + at->u[0];
    dx[1] = 0.0;
    return 0;
}

/* Not defined after t = 1/2. */
static int broken_f(const ms_point *at, double *dx)
{
    dx[0] = dx[1] = 1.0;
    return at->t > 0.5 ? 1 : 0;
}

/* x1' = 1 - 100 sqrt x1 from x1 = 1, not defined for x1 < 0: steps that are too long leave the domain. */
static int domain_f(const ms_point *at, double *dx)
{
    if (at->x[0] < 0.0)
        return 1;
    dx[0] = 1.0 - 100.0 * sqrt(at->x[0]) + at->u[0];
    dx[1] = 0.0;
    return 0;
}

static int output(const ms_point *at, double *y)
{
    y[0] = at->x[0];
    return 0;
}

/* A damped oscillator with an external input: A = [[0, 1], [-9, -0.2]], B = E = (0, 1). */
static void linear_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    m->A[1] = 1.0;
    m->A[2] = -9.0;
    m->A[3] = -0.2;
    m->B[1] = 1.0;
    m->C[0] = 1.0;
    m->E[1] = 1.0;
}

static void linear_external(double t, const double *p, const void *data, double *w)
{
    (void)p, (void)data;
    w[0] = 0.5 * sin(3.0 * t);
}

static int static_g(const ms_point *at, double *y)
{
    y[0] = 2.0 * at->u[0];
    return 0;
}

static const ms_variable names[NX] = {{"a", "1"}, {"b", "1"}};
const double trial_start[NX] = {1.0, 0.5};

#define NONLINEAR(subsystem, right_hand_side, derivative)                                                    \
    {                                                                                                        \
        .name = subsystem, .nx = NX, .nu = 1, .ny = 1, .x = names, .u = names, .y = names,                   \
        .x0 = trial_start, .f = right_hand_side, .g = output, .jacobian = derivative                         \
    }

static const ms_subsystem subsystems[] = {
    [LINEAR] = {.name = "linear",
                .nx = NX,
                .nu = 1,
                .ny = 1,
                .nw = 1,
                .x = names,
                .u = names,
                .y = names,
                .w = names,
                .x0 = trial_start,
                .matrices = linear_matrices,
                .external = linear_external},
    [PENDULUM] = NONLINEAR("pendulum", pendulum_f, pendulum_jacobian),
    [OSCILLATOR] = NONLINEAR("oscillator", oscillator_f, NULL),
    [STIFF] = NONLINEAR("stiff", stiff_f, stiff_jacobian),
    [POLE] = NONLINEAR("pole", pole_f, NULL),
    [BROKEN] = NONLINEAR("broken", broken_f, NULL),
    [DOMAIN] = NONLINEAR("domain", domain_f, NULL),
    [STATIC] = {.name = "static", .nu = 1, .ny = 1, .u = names, .y = names, .g = static_g}};

static const ms_case cases[] = {{.name = "only", .summary = "-", .source = "-"}};
const ms_model trial_model = {.name = "test",
                              .summary = "-",
                              .source = "-",
                              .cases = cases,
                              .n_cases = 1,
                              .subsystems = subsystems,
                              .n_subsystems = MS_COUNT(subsystems),
                              .stop_time = 1.0,
                              .step_size = 0.1};

/* One subsystem at work ---------------------------------------------------------------------------------- */

workbench *make_of(const ms_model *of, int subsystem, const ms_solver *solver,
                   const ms_solver_options *options)
{
    ms_error error = {""};
    workbench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    if (ms_system_create(of, NULL, NULL, 0, &bench->system, &error) != MS_OK)
        fail_msg("%s", error.text);
    assert_true(bench->system->sub[subsystem].nx <= STATES);
    double *start = calloc((size_t)bench->system->nx + 1, sizeof *start);
    assert_non_null(start);
    ms_system_start(bench->system, start);
    memcpy(bench->x, start + bench->system->x_at[subsystem],
           sizeof(double) * (size_t)bench->system->sub[subsystem].nx);
    free(start);
    if (ms_instance_create(bench->system, subsystem, solver, options, bench->x, bench->z, bench->memory,
                           &bench->instance, &error) != MS_OK)
        fail_msg("%s", error.text);
    return bench;
}

workbench *make(int subsystem, const ms_solver *solver, const ms_solver_options *options)
{
    return make_of(&trial_model, subsystem, solver, options);
}

void drop(workbench *bench)
{
    ms_instance_destroy(&bench->instance);
    assert_null(bench->instance);
    ms_system_destroy(&bench->system);
    free(bench);
}

void feed(workbench *bench, double h, int degree)
{
    ms_input *input = &bench->instance->input;
    input->degree = degree;
    input->pieces = 1;
    input->end[0] = h;
    for (int k = 0; k <= degree; k++)
        for (int i = 0; i < input->n; i++)
            ms_input_coefficients(input, 0, k)[i] = (k % 2 ? -1.0 : 1.0) * (k + 1) / (i + 1);
}

void feed_jump(workbench *bench, double jump, double h, double a, double b)
{
    ms_input *input = &bench->instance->input;
    input->degree = 0;
    input->pieces = 2;
    input->end[0] = jump;
    input->end[1] = h;
    ms_input_coefficients(input, 0, 0)[0] = a;
    ms_input_coefficients(input, 1, 0)[0] = b;
}

void advance(workbench *bench, double t, double h)
{
    if (ms_instance_step(bench->instance, t, h) != MS_OK)
        fail_msg("%s failed on %s at t = %g", bench->instance->solver->name, bench->instance->sub->name, t);
}

double distance(int n, const double *x, const double *reference)
{
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        const double d = fabs(x[i] - reference[i]) / (1.0 + fabs(reference[i]));
        most = d <= most ? most : d; /* NaN counts */
    }
    return most;
}

void assert_near(const workbench *bench, const char *what, const double *x, const double *reference,
                 double tolerance)
{
    const double d = distance(bench->instance->sub->nx, x, reference);
    if (!(d <= tolerance))
        fail_msg("%s on %s: %s is off by %g, tolerance %g", bench->instance->solver->name,
                 bench->instance->sub->name, what, d, tolerance);
}

const ms_solver *referee(const ms_solver *solver, bool linear)
{
    if (linear && strcmp(solver->name, "exact") != 0)
        return ms_solver_find("exact");
    return ms_solver_find(strncmp(solver->name, "gsl", 3) == 0 ? "arkode-erk" : "gsl-rk8pd");
}
