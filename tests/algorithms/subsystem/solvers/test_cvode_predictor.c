/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_cvode_predictor.c - the corrected predictor of CVODE: its array right after the correction, (7.11)-(7.15).
 * test_cvode_predictor_work.c has what that does to solutions and work. */
#include <cvode/cvode.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/instance_step.h>
#include <macrostep/solver_registry.h>
#include "cvode_predictor.h"
#include "solver_fixture.h"
#include "unit_test.h"

enum { ORDERS = 13 };
static const char *const solvers[] = {"cvode-bdf", "cvode-adams"};
static const int methods[] = {CV_BDF, CV_ADAMS};

/* The array ---------------------------------------------------------------------------------------------- */

/* A CVODE of the test's own around the subsystem of an instance. */
typedef struct bed {
    support_solver_fixture *fixture;
    ms_instance *instance;
    ms_sundials common;
    void *cvode;
    ms_cvode_predictor predictor;
} bed;

static bed *lay(const ms_model *of, int subsystem, int method, int derivatives)
{
    static const ms_solver_options usual = {.rtol = 1e-8, .atol = 1e-8, .micro_steps = 1};
    bed *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->fixture = support_fixture_of(of, subsystem, ms_solver_find("rk4"), &usual);
    b->instance = b->fixture->instance;
    assert_int_equal(ms_sundials_create(&b->common, b->instance, b->instance->sub->nx, true), MS_OK);
    b->cvode = CVodeCreate(method, b->common.memory.context);
    assert_non_null(b->cvode);
    assert_int_equal(CVodeSetErrHandlerFn(b->cvode, ms_sundials_silent, NULL), CV_SUCCESS);
    assert_int_equal(CVodeInit(b->cvode, ms_sundials_rhs, 0.0, b->common.x), CV_SUCCESS);
    assert_int_equal(CVodeSStolerances(b->cvode, usual.rtol, usual.atol), CV_SUCCESS);
    assert_int_equal(CVodeSetUserData(b->cvode, &b->common), CV_SUCCESS);
    assert_int_equal(CVodeSetLinearSolver(b->cvode, b->common.linear, b->common.J), CV_SUCCESS);
    assert_int_equal(CVodeSetJacFn(b->cvode, ms_sundials_jacobian), CV_SUCCESS);
    assert_int_equal(ms_cvode_predictor_create(b->common.memory.context, derivatives, &b->predictor), MS_OK);
    return b;
}

static void clear(bed *b)
{
    CVodeFree(&b->cvode);
    ms_cvode_predictor_destroy(&b->predictor);
    ms_cvode_predictor_destroy(&b->predictor);
    ms_sundials_destroy(&b->common);
    support_fixture_drop(b->fixture);
    free(b);
}

/* A piece from t on: input i is ((2 + i) - 3 s + s^2)/2 up to the degree, times `sign`. */
static void open_piece(bed *b, double t, int degree, double sign)
{
    ms_input *input = &b->instance->input;
    input->degree = degree;
    input->pieces = 1;
    input->end[0] = b->instance->h = 10.0;
    b->instance->t = t;
    for (int i = 0; i < input->n; i++) {
        const double c[3] = {1.0 + 0.5 * i, -1.5, 0.5};
        for (int k = 0; k <= degree; k++)
            ms_input_coefficients(input, 0, k)[i] = sign * c[k];
    }
    ms_sundials_begin(&b->common, 0, t, 10.0);
}

/* So many micro-steps, or up to `stop` where that is positive, which cuts the last. Returns the time. */
static double walk(bed *b, int steps, double stop)
{
    double t = 0.0;
    int code = CV_SUCCESS;
    if (stop > 0.0)
        assert_int_equal(CVodeSetStopTime(b->cvode, stop), CV_SUCCESS);
    for (int n = 0; code != CV_TSTOP_RETURN && (n < steps || stop > 0.0); n++) {
        code = CVode(b->cvode, 10.0, b->common.x, &t, CV_ONE_STEP);
        assert_true(code >= 0);
    }
    assert_int_equal(CVodeGetCurrentTime(b->cvode, &t), CV_SUCCESS);
    return t;
}

/* Derivatives 0..order of CVODE's interpolant where it stands. Returns the order. */
static int derivatives(const bed *b, double d[ORDERS][SUPPORT_SOLVER_NX])
{
    double t, numbers[SUPPORT_SOLVER_NX];
    int order;
    N_Vector v = N_VMake_Serial(SUPPORT_SOLVER_NX, numbers, b->common.memory.context);
    CVodeGetLastOrder(b->cvode, &order);
    CVodeGetCurrentTime(b->cvode, &t);
    for (int k = 0; k <= order; k++) {
        assert_int_equal(CVodeGetDky(b->cvode, t, k, v), CV_SUCCESS);
        memcpy(d[k], numbers, sizeof numbers);
    }
    N_VDestroy(v);
    return order;
}

/* f at s behind the start of the piece and at x0 + s v, under the input there. */
static void motion(const bed *b, double s, const double *x0, const double *v, double *dx)
{
    const ms_instance *instance = b->instance;
    double x[SUPPORT_SOLVER_NX], u[2], w[1];
    for (int i = 0; i < SUPPORT_SOLVER_NX; i++)
        x[i] = x0[i] + s * v[i];
    ms_input_evaluate(&instance->input, 0, 0, s, u);
    ms_point at = {.t = b->common.begin + s, .x = x, .u = u, .z = instance->z};
    assert_int_equal(ms_subsystem_f(instance->system, instance->index, &at, w, dx), 0);
}

static void near(const char *what, const double *value, const double *expected, double tolerance)
{
    for (int i = 0; i < SUPPORT_SOLVER_NX; i++)
        if (!(fabs(value[i] - expected[i]) <= tolerance * (1.0 + fabs(expected[i]))))
            fail_msg("%s: %.17g instead of %.17g", what, value[i], expected[i]);
}

/* Order and scale of the array, and which vectors it shows. Counts what is seen. */
static void check_read(bed *b, int seen_orders[ORDERS], int *pending)
{
    double t, gamma, rl1, last, next;
    int order, next_order;
    void *data;
    N_Vector z0, x, f, z1;
    assert_int_equal(ms_cvode_predictor_read(&b->predictor, b->cvode), MS_OK);
    CVodeGetNonlinearSystemData(b->cvode, &t, &z0, &x, &f, &gamma, &rl1, &z1, &data);
    CVodeGetLastOrder(b->cvode, &order);
    CVodeGetCurrentOrder(b->cvode, &next_order);
    CVodeGetLastStep(b->cvode, &last);
    CVodeGetCurrentStep(b->cvode, &next);
    const ms_nordsieck *array = &b->predictor.array;
    assert_ptr_equal(array->z1, z1);
    assert_int_equal(array->order, order);
    assert_true(fabs(array->h - last) <= 4.0 * DBL_EPSILON * last);
    assert_int_equal(array->z2 == NULL, order == 1);
    seen_orders[order]++;
    pending[0] += next != last; /* a change of step or order that is made at the next step only */
    pending[1] += next_order != order;
}

/* The array after a correction at the end of the last micro-step. x'' is that of f along x + s x', by a
 * central difference: neither the Jacobian nor a derivative of the input goes into it. */
static void check_array(bed *b, double t, int degree, int seen_orders[ORDERS], int *pending)
{
    static const double none[SUPPORT_SOLVER_NX], s = 1e-5;
    double before[ORDERS][SUPPORT_SOLVER_NX] = {{0}}, after[ORDERS][SUPPORT_SOLVER_NX] = {{0}},
           dx[SUPPORT_SOLVER_NX], ahead[SUPPORT_SOLVER_NX], behind[SUPPORT_SOLVER_NX], ddx[SUPPORT_SOLVER_NX];
    ms_instance *instance = b->instance;
    open_piece(b, t, degree, -1.0);
    const int order = derivatives(b, before);
    check_read(b, seen_orders, pending);
    const ms_work work = instance->work;
    assert_int_equal(ms_cvode_predictor_correct(&b->predictor, b->cvode, &b->common), MS_OK);

    const bool second = b->predictor.derivatives == 2 && order >= 2;
    const bool matrices = instance->blocks != NULL && instance->sub->nw == 0;
    const long jacobian =
        instance->blocks == NULL && instance->sub->jacobian == NULL ? 2L * SUPPORT_SOLVER_NX : 0;
    assert_int_equal(instance->work.jacobian_evaluations - work.jacobian_evaluations, second);
    assert_int_equal(instance->work.rhs_evaluations - work.rhs_evaluations,
                     second ? (matrices ? 1 : 2) + jacobian : 1);

    motion(b, 0.0, before[0], none, dx);
    motion(b, s, before[0], dx, ahead);
    motion(b, -s, before[0], dx, behind);
    for (int i = 0; i < SUPPORT_SOLVER_NX; i++)
        ddx[i] = (ahead[i] - behind[i]) / (2.0 * s);
    assert_int_equal(derivatives(b, after), order);
    near("x'", after[1], dx, 4.0 * DBL_EPSILON);
    if (second)
        near("x''", after[2], ddx, 1e-7);
    for (int k = 0; k <= order; k++)
        for (int i = 0; i < SUPPORT_SOLVER_NX; i++)
            if (k != 1 && !(k == 2 && second))
                assert_true(after[k][i] == before[k][i]);

    double reached; /* CVODE's next matrix is made of the Jacobian of the correction */
    const long jacobians = instance->work.jacobian_evaluations;
    assert_int_equal(b->common.known, second);
    assert_true(CVode(b->cvode, 10.0, b->common.x, &reached, CV_ONE_STEP) >= 0);
    ms_cvode_predictor_done(&b->predictor, b->cvode);
    assert_false(b->common.known);
    if (second)
        assert_int_equal(instance->work.jacobian_evaluations, jacobians);
}

typedef struct subject {
    const ms_model *model;
    int subsystem;
} subject;

static void array_holds_the_derivatives_under_the_new_input(void **state)
{
    (void)state;
    const ms_model *pendulum = ms_catalogue_find("double-pendulum");
    const ms_model *springs = ms_catalogue_find("mass-spring-damper");
    const subject subjects[] = {{pendulum, 0},
                                {pendulum, 1},
                                {springs, 0},
                                {springs, 1},
                                {&support_solver_model, SUPPORT_LINEAR},
                                {&support_solver_model, SUPPORT_PENDULUM},
                                {&support_solver_model, SUPPORT_OSCILLATOR}};
    static const int steps[] = {1, 2, 3, 4, 5, 6, 8, 9, 12, 15, 20, 21, 22, 23, 24, 40};
    for (int m = 0; m < 2; m++)
        for (int corrected = 1; corrected <= 2; corrected++) {
            int orders[ORDERS] = {0}, pending[2] = {0};
            for (int k = 0; k < MS_COUNT(subjects) * MS_COUNT(steps); k++) {
                const subject *of = &subjects[k / MS_COUNT(steps)];
                for (int cut = 0; cut < 2; cut++) { /* the last step by a stop time */
                    bed *b = lay(of->model, of->subsystem, methods[m], corrected);
                    open_piece(b, 0.0, k % 3, 1.0);
                    double t = walk(b, steps[k % MS_COUNT(steps)], 0.0);
                    t = cut == 0 ? t : walk(b, 0, 1.01 * t);
                    check_array(b, t, (k + 1) % 3, orders, pending);
                    clear(b);
                }
            }
            for (int q = 1; q <= 5; q++)
                assert_true(orders[q] > 0);
            assert_true(pending[0] > 0 && pending[1] > 0);
        }
}

/* Where the input goes on as it was, x' changes by less than the tolerance of the micro-steps. */
static void nothing_jumps(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++)
        for (int steps = 10; steps < 60; steps += 7) {
            double before[ORDERS][SUPPORT_SOLVER_NX], after[ORDERS][SUPPORT_SOLVER_NX];
            bed *b = lay(&support_solver_model, SUPPORT_PENDULUM, methods[m], 1);
            open_piece(b, 0.0, 0, 1.0);
            open_piece(b, walk(b, steps, 0.0), 0, 1.0);
            derivatives(b, before);
            assert_int_equal(ms_cvode_predictor_correct(&b->predictor, b->cvode, &b->common), MS_OK);
            derivatives(b, after);
            for (int i = 0; i < SUPPORT_SOLVER_NX; i++)
                assert_true(b->predictor.array.h * fabs(after[1][i] - before[1][i]) <=
                            1e-8 * (1.0 + fabs(before[0][i])));
            clear(b);
        }
}

/* x' = u with u = (P0 + P1 tau)/(gain x): the input moves with time and with the state. */
static void laws_are_part_of_the_motion(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        double d[ORDERS][SUPPORT_SOLVER_NX] = {{0}};
        const double p0 = 0.7, p1 = -3.0, gain = 2.0;
        bed *b = lay(&support_integrals_model, SUPPORT_LAW, methods[m], 2);
        open_piece(b, 0.0, 1, 1.0);
        open_piece(b, walk(b, 20, 0.0), 0, 1.0);
        assert_int_equal(ms_instance_allow_laws(b->instance), MS_OK);
        b->instance->n_laws = 1;
        b->instance->law[0] = (ms_input_law){.active = true, .gain = gain, .power = {p0, p1}};
        assert_int_equal(ms_cvode_predictor_correct(&b->predictor, b->cvode, &b->common), MS_OK);
        double t;
        N_Vector v = N_VMake_Serial(1, d[0], b->common.memory.context);
        CVodeGetCurrentTime(b->cvode, &t);
        for (int k = 0; k <= 2; k++) {
            N_VSetArrayPointer(d[k], v);
            assert_int_equal(CVodeGetDky(b->cvode, t, k, v), CV_SUCCESS);
        }
        N_VDestroy(v);
        const double x = d[0][0], dx[SUPPORT_SOLVER_NX] = {p0 / (gain * x), 0.0};
        const double ddx[SUPPORT_SOLVER_NX] = {p1 / (gain * x) - dx[0] * dx[0] / x, 0.0};
        near("x' under a law", d[1], dx, 1e-14);
        near("x'' under a law", d[2], ddx, 1e-6);
        clear(b);
    }
}

/* Where f is not defined under the new input the array stays as it is, and the solver says so. */
static void undefined_motion_is_refused(void **state)
{
    (void)state;
    double before[ORDERS][SUPPORT_SOLVER_NX] = {{0}}, after[ORDERS][SUPPORT_SOLVER_NX] = {{0}};
    bed *b = lay(&support_solver_model, SUPPORT_BROKEN, CV_BDF, 2);
    open_piece(b, 0.0, 0, 1.0);
    walk(b, 0, 0.4);
    derivatives(b, before);
    open_piece(b, 0.6, 0, 1.0);
    assert_int_equal(ms_cvode_predictor_correct(&b->predictor, b->cvode, &b->common), MS_SOLVER_FAILED);
    derivatives(b, after);
    assert_memory_equal(before, after, sizeof before);
    clear(b);
    const ms_solver_options options = {.rtol = 1e-6, .atol = 1e-6, .input_change = MS_INPUT_CORRECT_2};
    for (int m = 0; m < 2; m++) {
        support_solver_fixture *fixture =
            support_fixture(SUPPORT_BROKEN, ms_solver_find(solvers[m]), &options);
        support_fixture_feed(fixture, 0.5, 0);
        support_fixture_advance(fixture, 0.0, 0.5);
        assert_int_equal(ms_instance_step(fixture->instance, 0.5, 0.5), MS_SOLVER_FAILED);
        memcpy(fixture->x, support_solver_start, sizeof support_solver_start);
        support_fixture_advance(fixture, 0.0, 0.5);
        support_fixture_drop(fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(array_holds_the_derivatives_under_the_new_input), cmocka_unit_test(nothing_jumps),
        cmocka_unit_test(laws_are_part_of_the_motion), cmocka_unit_test(undefined_motion_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
