/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_fixture.c - the models that try micro-solvers, and one subsystem at work. */
#include "solver_fixture.h"
#include "small_model.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/instance_step.h>
#include <macrostep/solver_registry.h>
#include "unit_test.h"

/* Models of the tests ------------------------------------------------------------------------------------ */

support_solver_record support_solver_seen;

static void monitor(const ms_point *at)
{
    const double ulps = 4.0 * DBL_EPSILON * fmax(1.0, fabs(at->t));
    support_solver_seen.first = fmin(support_solver_seen.first, at->t);
    support_solver_seen.last = fmax(support_solver_seen.last, at->t);
    if ((at->u[0] == support_solver_seen.a && at->t > support_solver_seen.jump + ulps) ||
        (at->u[0] == support_solver_seen.b && at->t < support_solver_seen.jump - ulps))
        support_solver_seen.wrong_piece = true;
}

void support_fixture_forget(void)
{
    memset(&support_solver_seen, 0, sizeof support_solver_seen);
    support_solver_seen.first = INFINITY;
    support_solver_seen.last = -INFINITY;
    support_solver_seen.a = support_solver_seen.b = NAN;
}

/* Damped pendulum with torque: x1' = x2, x2' = -9 sin x1 - x2/5 + u + sin(3 t)/2. */
static int pendulum_f(const ms_point *at, double *dx)
{
    support_solver_seen.f++;
    monitor(at);
    dx[0] = at->x[1];
    dx[1] = -9.0 * sin(at->x[0]) - 0.2 * at->x[1] + at->u[0] + 0.5 * sin(3.0 * at->t);
    return 0;
}

static int pendulum_jacobian(const ms_point *at, const ms_blocks *m)
{
    support_solver_seen.jacobian++;
    monitor(at);
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
    support_solver_seen.f++;
    monitor(at);
    dx[0] = at->x[1];
    dx[1] = 10.0 * (1.0 - at->x[0] * at->x[0]) * at->x[1] - at->x[0] + at->u[0];
    return 0;
}

/* x1' = x2, x2' = -K x1 - (K + 1) x2 with K = SUPPORT_STIFFNESS: Newton needs the right Jacobian. */
static int stiff_f(const ms_point *at, double *dx)
{
    dx[0] = at->x[1];
    dx[1] = -SUPPORT_STIFFNESS * at->x[0] - (SUPPORT_STIFFNESS + 1.0) * at->x[1];
    return 0;
}

static int stiff_jacobian(const ms_point *at, const ms_blocks *m)
{
    (void)at;
    if (m->A != NULL) {
        m->A[1] = 1.0;
        m->A[2] = -SUPPORT_STIFFNESS;
        m->A[3] = -SUPPORT_STIFFNESS - 1.0;
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

static void varying(double t, const double *p, const void *data, double *w)
{
    (void)p, (void)data;
    w[0] = 0.5 * sin(3.0 * t);
}

static int static_g(const ms_point *at, double *y)
{
    y[0] = 2.0 * at->u[0];
    return 0;
}

const double support_solver_start[SUPPORT_SOLVER_NX] = {1.0, 0.5};

#define NONLINEAR(subsystem, right_hand_side, derivative)                                                    \
    SUPPORT_SUBSYSTEM(subsystem, SUPPORT_SOLVER_NX, 1, 1, .x0 = support_solver_start, .f = right_hand_side,  \
                      .g = support_first_state, .jacobian = derivative)

static const ms_subsystem subsystems[] = {
    [SUPPORT_LINEAR] =
        SUPPORT_SUBSYSTEM("linear", SUPPORT_SOLVER_NX, 1, 1, .nw = 1, .x0 = support_solver_start,
                          .matrices = linear_matrices, .external = varying),
    [SUPPORT_PENDULUM] = NONLINEAR("pendulum", pendulum_f, pendulum_jacobian),
    [SUPPORT_OSCILLATOR] = NONLINEAR("oscillator", oscillator_f, NULL),
    [SUPPORT_STIFF] = NONLINEAR("stiff", stiff_f, stiff_jacobian),
    [SUPPORT_POLE] = NONLINEAR("pole", pole_f, NULL),
    [SUPPORT_BROKEN] = NONLINEAR("broken", broken_f, NULL),
    [SUPPORT_DOMAIN] = NONLINEAR("domain", domain_f, NULL),
    [SUPPORT_STATIC] = SUPPORT_SUBSYSTEM("static", 0, 1, 1, .g = static_g)};

const ms_model support_solver_model =
    SUPPORT_UNCOUPLED("test", subsystems, .stop_time = 1.0, .step_size = 0.1);

/* Models of integrals of outputs ------------------------------------------------------------------------- */

const double support_full_A[4] = {0.0, 1.0, -9.0, -0.4}, support_full_B[4] = {0.0, 0.3, 1.0, -0.5},
             support_full_E[2] = {0.2, 1.0};
const double support_full_C[6] = {1.0, 0.0, 0.0, 2.0, -1.0, 0.5},
             support_full_D[6] = {0.0, 0.0, 0.7, 0.0, 0.0, -1.2};
const double support_full_F[3] = {0.0, 0.6, -0.3};

/* All blocks, a feed-through and an external input that reaches the output directly. */
static void full_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    memcpy(m->A, support_full_A, sizeof support_full_A);
    memcpy(m->B, support_full_B, sizeof support_full_B);
    memcpy(m->C, support_full_C, sizeof support_full_C);
    memcpy(m->D, support_full_D, sizeof support_full_D);
    memcpy(m->E, support_full_E, sizeof support_full_E);
    memcpy(m->F, support_full_F, sizeof support_full_F);
}

static void constant(double t, const double *p, const void *data, double *w)
{
    (void)t, (void)p, (void)data;
    w[0] = 0.5;
}

/* x moves on a straight line: x1' = x2, x2' = 0, y = (x1, u), outputs a million times as large. */
static void line_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    m->A[1] = 1.0;
    m->C[0] = 1e6;
    m->D[1] = 1e6;
}

/* No states, y = (2 u, u + w). */
static void stateless_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    m->D[0] = 2.0;
    m->D[1] = 1.0;
    m->F[1] = 1.0;
}

/* No states, y = (u^2 + sin 5 t, u'). */
static int square_g(const ms_point *at, double *y)
{
    y[0] = at->u[0] * at->u[0] + sin(5.0 * at->t);
    y[1] = at->du[0];
    return 0;
}

/* Van der Pol's oscillator, x1' = x2, x2' = 2 (1 - x1^2) x2 - x1 + u, y = (x1 x2 + u sin t, exp x1). */
static int curved_f(const ms_point *at, double *dx)
{
    dx[0] = at->x[1];
    dx[1] = 2.0 * (1.0 - at->x[0] * at->x[0]) * at->x[1] - at->x[0] + at->u[0];
    return 0;
}

static int curved_g(const ms_point *at, double *y)
{
    y[0] = at->x[0] * at->x[1] + at->u[0] * sin(at->t);
    y[1] = exp(at->x[0]);
    return 0;
}

/* Nothing to integrate at all. */
static int mute_g(const ms_point *at, double *y)
{
    (void)at, (void)y;
    return 0;
}

const double support_line_start[SUPPORT_SOLVER_NX] = {0.3, 1.7};

static const ms_subsystem integrated[] = {
    [SUPPORT_FULL] = SUPPORT_SUBSYSTEM("full", 2, 2, 3, .nw = 1, .x0 = support_solver_start,
                                       .matrices = full_matrices, .external = varying),
    [SUPPORT_FIXED] =
        SUPPORT_SUBSYSTEM("fixed", 2, 2, 3, .nw = 1, .x0 = support_solver_start, .matrices = full_matrices,
                          .external = constant, .external_constant = true),
    [SUPPORT_LINE] = SUPPORT_SUBSYSTEM("line", 2, 1, 2, .x0 = support_line_start, .matrices = line_matrices),
    [SUPPORT_LAW] = SUPPORT_SUBSYSTEM("law", 1, 1, 1, .x0 = support_solver_start, .f = support_integrate,
                                      .g = support_first_state),
    [SUPPORT_STATELESS] =
        SUPPORT_SUBSYSTEM("stateless", 0, 1, 2, .nw = 1, .matrices = stateless_matrices, .external = varying),
    [SUPPORT_SQUARE] = SUPPORT_SUBSYSTEM("square", 0, 1, 2, .g = square_g, .uses_du = true),
    [SUPPORT_CURVED] =
        SUPPORT_SUBSYSTEM("curved", 2, 1, 2, .x0 = support_solver_start, .f = curved_f, .g = curved_g),
    [SUPPORT_MUTE] = SUPPORT_SUBSYSTEM("mute", 0, 1, 0, .g = mute_g)};

const ms_model support_integrals_model =
    SUPPORT_UNCOUPLED("integrals", integrated, .stop_time = 1.0, .step_size = 0.1);

/* One subsystem at work ---------------------------------------------------------------------------------- */

support_solver_fixture *support_fixture_of(const ms_model *of, int subsystem, const ms_solver *solver,
                                           const ms_solver_options *options)
{
    ms_error error = {""};
    support_solver_fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    if (ms_system_create(of, NULL, NULL, 0, &fixture->system, &error) != MS_OK)
        fail_msg("%s", error.text);
    assert_true(fixture->system->sub[subsystem].nx <= SUPPORT_FIXTURE_STATES);
    double *start = calloc((size_t)fixture->system->nx + 1, sizeof *start);
    assert_non_null(start);
    ms_system_start(fixture->system, start);
    memcpy(fixture->x, start + fixture->system->x_at[subsystem],
           sizeof(double) * (size_t)fixture->system->sub[subsystem].nx);
    free(start);
    double *discrete = calloc((size_t)fixture->system->nz + 1, sizeof *discrete);
    assert_non_null(discrete);
    ms_system_start_discrete(fixture->system, discrete);
    memcpy(fixture->z, discrete + fixture->system->z_at[subsystem],
           sizeof(double) * (size_t)ms_subsystem_nz(&fixture->system->sub[subsystem]));
    free(discrete);
    if (ms_instance_create(&(ms_instance_parts){.system = fixture->system,
                                                .index = subsystem,
                                                .solver = solver,
                                                .options = options,
                                                .x = fixture->x,
                                                .z = fixture->z,
                                                .memory = fixture->memory},
                           &fixture->instance, &error) != MS_OK)
        fail_msg("%s", error.text);
    return fixture;
}

void support_sample(ms_instance *instance, int n, const double *fractions)
{
    assert_int_equal(ms_instance_sample(instance, n, fractions), MS_OK);
}

support_solver_fixture *support_fixture(int subsystem, const ms_solver *solver,
                                        const ms_solver_options *options)
{
    return support_fixture_of(&support_solver_model, subsystem, solver, options);
}

void support_fixture_drop(support_solver_fixture *fixture)
{
    ms_instance_destroy(&fixture->instance);
    assert_null(fixture->instance);
    ms_system_destroy(&fixture->system);
    free(fixture);
}

void support_fixture_feed(support_solver_fixture *fixture, double h, int degree)
{
    ms_input *input = &fixture->instance->input;
    input->degree = degree;
    input->pieces = 1;
    input->end[0] = h;
    for (int k = 0; k <= degree; k++)
        for (int i = 0; i < input->n; i++)
            ms_input_coefficients(input, 0, k)[i] = (k % 2 ? -1.0 : 1.0) * (k + 1) / (i + 1);
}

void support_fixture_feed_jump(support_solver_fixture *fixture, double jump, double h, double a, double b)
{
    ms_input *input = &fixture->instance->input;
    input->degree = 0;
    input->pieces = 2;
    input->end[0] = jump;
    input->end[1] = h;
    ms_input_coefficients(input, 0, 0)[0] = a;
    ms_input_coefficients(input, 1, 0)[0] = b;
}

void support_fixture_feed_pieces(support_solver_fixture *fixture, double h, int degree, int pieces)
{
    static const double ends[MS_INPUT_PIECES] = {0.3, 0.45, 0.8, 1.0};
    ms_input *input = &fixture->instance->input;
    input->degree = degree;
    input->pieces = pieces;
    for (int j = 0; j < pieces; j++) {
        input->end[j] = j + 1 < pieces ? ends[j] * h : h;
        for (int k = 0; k <= degree; k++)
            for (int i = 0; i < input->n; i++)
                ms_input_coefficients(input, j, k)[i] = ((k + j) % 2 ? -1.0 : 1.0) * (k + 1 + j) / (i + 1);
    }
}

void support_fixture_advance(support_solver_fixture *fixture, double t, double h)
{
    if (ms_instance_step(fixture->instance, t, h) != MS_OK)
        fail_msg("%s failed on %s at t = %g", fixture->instance->solver->name, fixture->instance->sub->name,
                 t);
}

double support_distance_relative(int n, const double *x, const double *reference)
{
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        const double d = fabs(x[i] - reference[i]) / (1.0 + fabs(reference[i]));
        most = d <= most ? most : d; /* NaN counts */
    }
    return most;
}

void support_fixture_near(const support_solver_fixture *fixture, const char *what, const double *x,
                          const double *reference, double tolerance)
{
    const double d = support_distance_relative(fixture->instance->sub->nx, x, reference);
    if (!(d <= tolerance))
        fail_msg("%s on %s: %s is off by %g, tolerance %g", fixture->instance->solver->name,
                 fixture->instance->sub->name, what, d, tolerance);
}

const ms_solver *support_reference_solver(const ms_solver *solver, bool linear)
{
    const ms_solver *reference = NULL;
    for (const ms_solver *const *other = ms_solvers; *other != NULL; other++) {
        const bool exact = linear && (*other)->form == MS_STEPS_EXACT && *other != solver;
        const bool precise = (*other)->adaptive && !(*other)->implicit && !(*other)->multistep &&
                             (*other)->library != solver->library;
        if (exact)
            return *other;
        if (precise && (reference == NULL || reference->library != MS_LIBRARY_GSL) &&
            (reference == NULL || (*other)->library == MS_LIBRARY_GSL))
            reference = *other;
    }
    return reference;
}

double support_solver_slope(const ms_solver *solver)
{
    return solver->tolerance_exponent > 0.0 ? solver->tolerance_exponent : 1.0;
}

bool support_solver_stiff(const ms_solver *solver)
{
    return solver->adaptive && solver->stiff && support_solver_slope(solver) > 0.5;
}

double support_solver_miss(const ms_solver *solver, double first, double n, double least)
{
    return fmax(least, first * pow(n, 1 - solver->order));
}
