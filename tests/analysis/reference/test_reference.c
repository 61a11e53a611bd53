/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_reference.c - the monolithic model and the reference solution. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/instance.h>
#include <macrostep/instance_step.h>
#include <macrostep/reference.h>
#include <macrostep/solver_registry.h>
#include "long_call.h"
#include "monolithic.h"
#include "shared_reference.h"
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

static ms_system *monolithic_of(const ms_system *system)
{
    ms_system *whole = NULL;
    ms_error error = {""};
    if (ms_monolithic_create(system, &whole, &error) != MS_OK)
        fail_msg("%s", error.text);
    return whole;
}

/* The monolithic model ----------------------------------------------------------------------------------- */

/* Andersson (2016), (6.84). */
static void test_two_masses(void **state)
{
    (void)state;
    const double m1 = 1.3, m2 = 0.7, k1 = 11.0, k2 = 23.0, k3 = 47.0, c1 = 0.9, c2 = 0.2, c3 = 2.1;
    const ms_setting settings[] = {{"m1", m1}, {"m2", m2}, {"k1", k1}, {"k2", k2},
                                   {"k3", k3}, {"c1", c1}, {"c2", c2}, {"c3", c3}};
    const double expected[16] = {
        0.0, 1.0, 0.0, 0.0, -(k1 + k2) / m1, -(c1 + c2) / m1, k2 / m1,         c2 / m1,
        0.0, 0.0, 0.0, 1.0, k2 / m2,         c2 / m2,         -(k3 + k2) / m2, -(c3 + c2) / m2};
    ms_system *system = support_system_with("mass-spring-damper", settings, MS_COUNT(settings));
    ms_system *whole = monolithic_of(system);
    double x[4];
    assert_true(whole->linear);
    assert_int_equal(whole->nx, 4);
    assert_int_equal(whole->nu + whole->ny + whole->nw, 0);
    for (int k = 0; k < 16; k++)
        support_near(whole->blocks[0].A[k], expected[k], 1e-13);
    assert_string_equal(whole->sub[0].x[3].name, "right.v");
    ms_system_start(whole, x);
    support_near(x[0] + x[2], 2.0, 0.0);
    assert_true(isnan(ms_system_energy(whole, x)));
    ms_monolithic_destroy(&whole);
    assert_null(whole);
    ms_monolithic_destroy(&whole);
    ms_system_destroy(&system);
}

/* Andersson (2016), (9.11) with physical signs. */
static void test_quarter_car(void **state)
{
    (void)state;
    const double mc = 400.0, mw = 40.0, kc = 15000.0, kw = 150000.0, dc = 1000.0;
    const double expected[16] = {0.0, 1.0, 0.0, 0.0, -kc / mc, -dc / mc, kc / mc,         dc / mc,
                                 0.0, 0.0, 0.0, 1.0, kc / mw,  dc / mw,  -(kc + kw) / mw, -dc / mw};
    ms_system *system = support_system_with("quarter-car", NULL, 0), *whole = monolithic_of(system);
    double w[1];
    for (int k = 0; k < 16; k++)
        support_near(whole->blocks[0].A[k], expected[k], 1e-11);
    for (int k = 0; k < 4; k++)
        support_near(whole->blocks[0].E[k], k == 3 ? kw / mw : 0.0, 1e-11);
    assert_int_equal(whole->nw, 1);
    assert_true(whole->sub[0].external_constant);
    assert_string_equal(whole->sub[0].w[0].name, "wheel.road");
    whole->sub[0].external(0.3, whole->p, whole->sub[0].data, w);
    support_near(w[0], 0.1, 0.0);
    ms_monolithic_destroy(&whole);
    ms_system_destroy(&system);
}

/* Feed-through on both sides: y1 = (x1 - 5 d1 x2) / det, y2 = (-5 x2 + d2 x1) / det. */
static void test_linear_pair(void **state)
{
    (void)state;
    const double d1 = 0.9, d2 = -0.9, det = 1.0 - d1 * d2;
    const double expected[4] = {-1.0 + d2 / det, -5.0 / det, 3.0 / det, -1.0 - 15.0 * d1 / det};
    ms_system *system = support_system_with("linear-pair", NULL, 0), *whole = monolithic_of(system);
    for (int k = 0; k < 4; k++)
        support_near(whole->blocks[0].A[k], expected[k], 1e-14);
    ms_monolithic_destroy(&whole);
    ms_system_destroy(&system);

    const ms_setting singular[] = {{"d1", 2.0}, {"d2", 0.5}};
    ms_error error = {""};
    system = support_system_with("linear-pair", singular, 2);
    assert_int_not_equal(ms_monolithic_create(system, &whole, &error), MS_OK);
    assert_null(whole);
    assert_true(strlen(error.text) > 0);
    ms_system_destroy(&system);
}

typedef long double real;

/* Two pendulums by their Lagrangian, x = (alpha1, omega1, alpha2, omega2). */
static void pendulum(const real *x, real *dx)
{
    const real m1 = 1.0L, m2 = 1.5L, l1 = 1.0L, l2 = 1.0L, d = 0.5L, g = (real)9.81;
    const real c = cosl(x[0] - x[2]), s = sinl(x[0] - x[2]);
    const real M11 = (m1 + m2) * l1 * l1, M12 = m2 * l1 * l2 * c, M22 = m2 * l2 * l2;
    const real det = M11 * M22 - M12 * M12;
    const real r1 = -m2 * l1 * l2 * x[3] * x[3] * s - (m1 + m2) * g * l1 * sinl(x[0]) - d * x[1];
    const real r2 = m2 * l1 * l2 * x[1] * x[1] * s - m2 * g * l2 * sinl(x[2]);
    dx[0] = x[1];
    dx[1] = (r1 * M22 - M12 * r2) / det;
    dx[2] = x[3];
    dx[3] = (M11 * r2 - M12 * r1) / det;
}

/* Andersson (2016), (6.70), with the loop solved by hand. */
static void example(const real *x, real *dx)
{
    const real u = x[1] + sinl(x[0]);
    dx[0] = -x[0] * u * u;
    dx[1] = -x[1] + x[0];
}

static int evaluate(const ms_system *whole, const double *x, double *dx)
{
    ms_point at = {.t = 0.0, .x = x};
    return ms_subsystem_f(whole, 0, &at, NULL, dx);
}

static void check_equations(const char *model, void (*f)(const real *, real *), int nx)
{
    ms_system *system = support_system_with(model, NULL, 0), *whole = monolithic_of(system);
    double x[4], value[4], above[4], below[4], A[16], scratch[32];
    real x_real[4], expected[4];
    assert_false(whole->linear);
    assert_int_equal(whole->nx, nx);
    unsigned random = 12345;
    for (int trial = 0; trial < 50; trial++) {
        for (int j = 0; j < nx; j++) {
            random = random * 1103515245u + 12345u;
            x[j] = (double)(random >> 16 & 0x7fff) / 8192.0 - 2.0;
            x_real[j] = x[j];
        }
        f(x_real, expected);
        assert_int_equal(evaluate(whole, x, value), 0);
        for (int j = 0; j < nx; j++)
            support_near(value[j], (double)expected[j], 1e-12 * (1.0 + fabs((double)expected[j])));
        ms_point at = {.t = 0.0, .x = x};
        assert_int_equal(ms_subsystem_jacobian(whole, 0, &at, NULL, scratch, &(ms_blocks){.A = A}, NULL), 0);
        for (int k = 0; k < nx; k++) {
            const double kept = x[k], step = 1e-5;
            x[k] = kept + step;
            evaluate(whole, x, above);
            x[k] = kept - step;
            evaluate(whole, x, below);
            x[k] = kept;
            for (int j = 0; j < nx; j++)
                support_near(A[j * nx + k], (above[j] - below[j]) / (2.0 * step),
                             1e-6 * (1.0 + fabs(A[j * nx + k])));
        }
    }
    ms_monolithic_destroy(&whole);
    ms_system_destroy(&system);
}

/* A static subsystem in a loop with one that has varying external inputs on x' and y:
 * x' = -x + u1 + 2 w, y1 = x + 0.2 u1 + 3 w, y2 = 0.5 u2, w = sin t, hence x' = -4/9 x + 11/3 w. */
static void driven_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    m->A[0] = -1.0;
    m->B[0] = 1.0;
    m->C[0] = 1.0;
    m->D[0] = 0.2;
    m->E[0] = 2.0;
    m->F[0] = 3.0;
}

static void gain_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    m->D[0] = 0.5;
}

static void sine(double t, const double *p, const void *data, double *w)
{
    (void)p, (void)data;
    w[0] = sin(t);
}

static void test_external(void **state)
{
    (void)state;
    static const ms_subsystem subsystems[] = {
        SUPPORT_SUBSYSTEM("gain", 0, 1, 1, .matrices = gain_matrices),
        SUPPORT_SUBSYSTEM("driven", 1, 1, 1, .nw = 1, .matrices = driven_matrices, .external = sine)};
    static const ms_model model =
        SUPPORT_MODEL("driven", subsystems, support_ring, .stop_time = 3.0, .step_size = 0.1);
    ms_reference *reference = NULL;
    ms_system *system = support_system_of(&model);
    ms_system *whole = monolithic_of(system);
    const double a = -4.0 / 9.0, b = 11.0 / 3.0;
    support_near(whole->blocks[0].A[0], a, 1e-15);
    support_near(whole->blocks[0].E[0], b, 1e-15);
    assert_false(whole->sub[0].external_constant);
    ms_monolithic_destroy(&whole);

    assert_int_equal(ms_reference_create(system, 0, NULL, &reference, NULL), MS_OK);
    for (int n = 1; n <= 30; n++) {
        const double t = 0.1 * n;
        assert_int_equal(ms_reference_step(reference, 0.1 * (n - 1), 0.1), MS_OK);
        support_near(ms_reference_state(reference)[0], b / (1.0 + a * a) * (exp(a * t) - cos(t) - a * sin(t)),
                     2e-14);
    }
    ms_reference_destroy(&reference);
    ms_system_destroy(&system);
}

static void test_nonlinear(void **state)
{
    (void)state;
    check_equations("double-pendulum", pendulum, 4);
    check_equations("example-6.3.1", example, 2);
}

/* Any linear model: exponentials against CVODE. */
static void test_exact_against_cvode(void **state)
{
    (void)state;
    static const char *const solver[] = {"exact", "cvode-bdf"};
    const ms_solver_options options = {.rtol = 1e-11, .atol = 1e-12, .micro_steps = 1};
    for (const ms_model *const *model = ms_catalogue; *model != NULL; model++) {
        ms_system *system = support_system_with((*model)->name, NULL, 0), *whole = monolithic_of(system);
        ms_error error = {""};
        double *x = calloc(2 * (size_t)whole->nx + 2, sizeof *x), size = 1.0;
        const double h = fmin(1.0, system->stop_time);
        for (int k = 0; k < 2 && whole->linear; k++) {
            double memory[8] = {0.0};
            ms_instance *instance = NULL;
            ms_system_start(whole, x + k * whole->nx);
            const int status = ms_instance_create(&(ms_instance_parts){.system = whole,
                                                                       .index = 0,
                                                                       .solver = ms_solver_find(solver[k]),
                                                                       .options = &options,
                                                                       .x = x + k * whole->nx,
                                                                       .memory = memory},
                                                  &instance, &error);
            assert_int_equal(status, MS_OK);
            instance->input.end[0] = h;
            assert_int_equal(ms_instance_step(instance, 0.0, h), MS_OK);
            ms_instance_destroy(&instance);
        }
        for (int j = 0; j < whole->nx && whole->linear; j++) {
            size = fmax(size, fabs(x[j]));
            support_near(x[j], x[whole->nx + j], 1e-7 * size);
        }
        free(x);
        ms_monolithic_destroy(&whole);
        ms_system_destroy(&system);
    }
}

/* The reference ------------------------------------------------------------------------------------------ */

static void runge_kutta(void (*f)(const real *, real *), int n, real *x, real end, long steps)
{
    const real h = end / (real)steps;
    real k[4][4], at[4];
    for (long s = 0; s < steps; s++) {
        f(x, k[0]);
        for (int stage = 1; stage < 4; stage++) {
            for (int j = 0; j < n; j++)
                at[j] = x[j] + (stage == 3 ? h : 0.5L * h) * k[stage - 1][j];
            f(at, k[stage]);
        }
        for (int j = 0; j < n; j++)
            x[j] += h / 6.0L * (k[0][j] + 2.0L * k[1][j] + 2.0L * k[2][j] + k[3][j]);
    }
}

/* The reference's true error at the end, in units of its estimate or of 1e-14, whichever is larger. */
static double true_error(const char *model, void (*f)(const real *, real *), int n, double end, int steps)
{
    ms_system *system = support_system_with(model, NULL, 0);
    ms_reference *reference = NULL;
    ms_error error = {""};
    double start[4], worst = 0.0;
    real x[4];
    assert_int_equal(ms_reference_create(system, 0, NULL, &reference, &error), MS_OK);
    ms_system_start(system, start);
    for (int j = 0; j < n; j++)
        x[j] = start[j];
    runge_kutta(f, n, x, end, 100000);
    for (int round = 0; round < 2; round++) { /* the second after a new start */
        ms_reference_start(reference);
        for (int k = 0; k < steps; k++)
            assert_int_equal(ms_reference_step(reference, k * end / steps, end / steps), MS_OK);
        for (int j = 0; j < n; j++)
            worst = fmax(worst, fabs(ms_reference_state(reference)[j] - (double)x[j]));
    }
    const double estimate = ms_reference_error(reference);
    assert_true(estimate > 0.0 && estimate < 1e-10);
    ms_reference_destroy(&reference);
    ms_system_destroy(&system);
    return worst / fmax(estimate, 1e-14);
}

static void oscillator(const real *x, real *dx)
{
    dx[0] = x[1];
    dx[1] = -x[0];
}

static void test_reference(void **state)
{
    (void)state;
    static const int steps[] = {8, 64, 512};
    for (int k = 0; k < 3; k++) {
        assert_true(true_error("example-6.3.1", example, 2, 2.0, steps[k]) < 10.0);
        assert_true(true_error("double-pendulum", pendulum, 4, 2.0, steps[k]) < 10.0);
        assert_true(true_error("spring-mass", oscillator, 2, 2.0, steps[k]) < 10.0);
    }
    ms_reference *none = NULL;
    ms_reference_destroy(&none);
}

/* Samples lie on the solution: s = cos t, v = -sin t. */
static void test_reference_samples(void **state)
{
    (void)state;
    ms_system *system = support_system_with("spring-mass", NULL, 0);
    ms_reference *reference = NULL;
    static const double fractions[] = {0.2, 0.7, 1.0};
    assert_int_equal(ms_reference_create(system, 3, fractions, &reference, NULL), MS_OK);
    for (int n = 0; n < 5; n++) {
        assert_int_equal(ms_reference_step(reference, 0.2 * n, 0.2), MS_OK);
        for (int k = 0; k < 3; k++) {
            const double t = 0.2 * (n + fractions[k]);
            support_near(ms_reference_sample(reference, k)[0], cos(t), 1e-14);
            support_near(ms_reference_sample(reference, k)[1], -sin(t), 1e-14);
        }
    }
    ms_reference_destroy(&reference);
    ms_system_destroy(&system);
}

/* y = w = sign(t - 0.3), which the other subsystem integrates. */
static void sign_of_time(double t, const double *p, const void *data, double *w)
{
    (void)p, (void)data;
    w[0] = t < 0.3 ? -1.0 : 1.0;
}

static int pass_w(const ms_point *at, double *y)
{
    y[0] = at->w[0];
    return 0;
}

static double change_of_sign(double t, const double *z, const double *p, const void *data)
{
    (void)z, (void)p, (void)data;
    return t < 0.3 ? 0.3 : INFINITY;
}

/* Up to a breakpoint the left limits hold, also of outputs that jump there: |t - 0.3| - 0.3. */
static void test_breakpoint(void **state)
{
    (void)state;
    static const ms_subsystem both[] = {SUPPORT_SUBSYSTEM("source", 0, 0, 1, .nw = 1,
                                                          .external = sign_of_time, .g = pass_w,
                                                          .next_time = change_of_sign),
                                        SUPPORT_SUBSYSTEM("integrator", 1, 1, 0, .f = support_integrate)};
    static const ms_wire wire[] = {{1, 0, 0, 0, 1.0}};
    const ms_model model = SUPPORT_MODEL("sign", both, wire, .stop_time = 1.0, .step_size = 0.1);
    static const double fractions[] = {0.25, 0.5, 0.75};
    ms_reference *reference = NULL;
    ms_system *system = support_system_of(&model);
    assert_int_equal(ms_reference_create(system, 3, fractions, &reference, NULL), MS_OK);
    assert_int_equal(ms_reference_step(reference, 0.0, 0.6), MS_OK);
    for (int k = 0; k < 3; k++)
        support_near(ms_reference_sample(reference, k)[0], fabs(0.6 * fractions[k] - 0.3) - 0.3, 1e-14);
    support_near(ms_reference_state(reference)[0], 0.0, 1e-14);
    assert_true(ms_reference_error(reference) < 1e-14);
    ms_reference_destroy(&reference);
    ms_system_destroy(&system);
}

/* x1' = 1, and 1 is added to x2 where x1 reaches 0.1, 0.2, ..: at the ends of the steps, but for round-
 * off. */
static int stair_f(const ms_point *at, double *dx)
{
    (void)at;
    dx[0] = 1.0;
    dx[1] = 0.0;
    return 0;
}

static int stair_indicators(const ms_point *at, double *r)
{
    r[0] = at->x[0] - 0.1 * (at->z[0] + 1.0);
    return 0;
}

static int stair_handle(const ms_point *at, const ms_event *event)
{
    event->x[1] = at->x[1] + 1.0;
    event->z[0] = at->z[0] + 1.0;
    return 0;
}

/* The jump of an event which one solution has behind it and the other one ahead is no error; that of an event
 * which lies elsewhere, were the other one to miss it, would be. */
static void test_events_at_the_ends_of_steps(void **state)
{
    (void)state;
    static const ms_subsystem stair[] = {SUPPORT_SUBSYSTEM("stair", 2, 0, 0, .nz = 1, .f = stair_f,
                                                           .n_indicators = 1, .indicators = stair_indicators,
                                                           .handle = stair_handle)};
    const ms_model model = SUPPORT_UNCOUPLED("stair", stair, .stop_time = 1.0, .step_size = 0.1);
    ms_reference *reference = NULL;
    ms_system *system = support_system_of(&model);
    assert_int_equal(ms_reference_create(system, 0, NULL, &reference, NULL), MS_OK);
    for (int n = 0; n < 40; n++)
        assert_int_equal(ms_reference_step(reference, 0.1 * n, 0.1), MS_OK);
    support_near(ms_reference_state(reference)[0], 4.0, 1e-13);
    assert_true(fabs(ms_reference_state(reference)[1] - 39.5) < 1.0);
    assert_true(ms_reference_error(reference) < 1e-12);
    ms_reference_destroy(&reference);
    ms_system_destroy(&system);
}

enum { SHARED_STEPS = 40 };

/* A reference that reads what others share, where `turn` is the first of its steps that is half as long: it has
 * the bits of one alone. */
static void check_shared_steps(const ms_system *system, ms_shared_reference *shared, double h, int turn)
{
    static const double fractions[] = {0.25, 0.5};
    ms_reference *reader, *alone;
    double t = 0.0;
    const ms_reference_reading reading = {.n = 2, .fractions = fractions, .shared = shared};
    assert_int_equal(ms_reference_create_reading(system, &reading, &reader, NULL), MS_OK);
    assert_int_equal(ms_reference_create(system, 2, fractions, &alone, NULL), MS_OK);
    for (int k = 0; k < SHARED_STEPS; k++) {
        const double step = k < turn ? h : 0.5 * h;
        const size_t nx = sizeof(double) * (size_t)system->nx, nz = sizeof(double) * (size_t)system->nz;
        assert_int_equal(ms_reference_step(reader, t, step), MS_OK);
        assert_int_equal(ms_reference_step(alone, t, step), MS_OK);
        t += step;
        assert_memory_equal(ms_reference_state(reader), ms_reference_state(alone), nx);
        assert_memory_equal(ms_reference_discrete(reader), ms_reference_discrete(alone), nz);
        for (int j = 0; j < 2; j++)
            assert_memory_equal(ms_reference_sample(reader, j), ms_reference_sample(alone, j), nx);
        assert_true(ms_reference_error(reader) == ms_reference_error(alone));
    }
    ms_reference_destroy(&reader);
    ms_reference_destroy(&alone);
}

static void steps_of_hybrid_models_are_shared_to_the_bit(void **state)
{
    (void)state;
    ms_system *system = support_system("bell", "");
    for (int room = 0; room < 2; room++) { /* all steps, and a few */
        ms_shared_reference *shared;
        const size_t most = room == 0 ? MS_SHARED_REFERENCE_BYTES : 20000;
        assert_int_equal(ms_shared_reference_create(system, 0.0, most, &shared, NULL), MS_OK);
        check_shared_steps(system, shared, 0.02, SHARED_STEPS);
        check_shared_steps(system, shared, 0.02, SHARED_STEPS);
        check_shared_steps(system, shared, 0.02, SHARED_STEPS / 2);
        check_shared_steps(system, shared, 0.03, SHARED_STEPS / 4);
        ms_shared_reference_destroy(&shared);
    }
    ms_system_destroy(&system);
}

/* Linear models, nonlinear ones, and by steps. */
static void a_program_that_is_to_end_has_no_more_work_for_a_reference(void **state)
{
    (void)state;
    static const char *const names[] = {"quarter-car", "coupled-pendula", "bell"};
    static volatile sig_atomic_t stop;
    ms_long_call_refused(&stop, NULL);
    for (size_t k = 0; k < MS_COUNT(names); k++) {
        ms_system *system = support_system(names[k], "");
        ms_reference *reference;
        assert_int_equal(ms_reference_create(system, 0, NULL, &reference, NULL), MS_OK);
        assert_int_equal(ms_reference_step(reference, 0.0, 0.1), MS_OK);
        stop = 1;
        assert_int_equal(ms_reference_step(reference, 0.1, 1.0), MS_SPENT);
        stop = 0;
        ms_reference_destroy(&reference);
        ms_system_destroy(&system);
    }
    ms_long_call_refused(NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_masses),
        cmocka_unit_test(test_quarter_car),
        cmocka_unit_test(test_linear_pair),
        cmocka_unit_test(test_external),
        cmocka_unit_test(test_nonlinear),
        cmocka_unit_test(test_exact_against_cvode),
        cmocka_unit_test(test_reference),
        cmocka_unit_test(test_reference_samples),
        cmocka_unit_test(test_events_at_the_ends_of_steps),
        cmocka_unit_test(steps_of_hybrid_models_are_shared_to_the_bit),
        cmocka_unit_test(test_breakpoint),
        cmocka_unit_test(a_program_that_is_to_end_has_no_more_work_for_a_reference)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
