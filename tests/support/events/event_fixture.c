/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_fixture.h"

#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "unit_test.h"

static const ms_solver_options finer = {.rtol = 1e-8, .atol = 1e-8, .micro_steps = 512},
                               coarser = {.rtol = 1e-6, .atol = 1e-6, .micro_steps = 512};

/* With the finer ones the first-order one would take more micro-steps than a piece may have. */
const ms_solver_options *support_event_options(const ms_solver *solver)
{
    return support_solver_slope(solver) > 0.5 ? &finer : &coarser;
}

double support_event_tolerance(const ms_solver *solver)
{
    return solver->adaptive ? 2000.0 * pow(support_event_options(solver)->rtol, support_solver_slope(solver))
           : solver->order > 0 ? support_solver_miss(solver, 0.3, finer.micro_steps, 1e-4)
                               : 1e-4;
}

static void write_log(void *self, double t, const ms_event *event)
{
    support_event_log *log = self;
    if (log->falling_only && !(event->state && event->crossed[0] < 0))
        return;
    assert_true(log->n < SUPPORT_EVENT_LOG);
    log->t[log->n++] = t;
}

void support_event_monitor(support_solver_fixture *fixture, support_event_log *log)
{
    fixture->instance->monitor = (ms_monitor){.self = log, .event = write_log};
}

support_solver_fixture *support_event_fixture(int subsystem, const ms_solver *solver)
{
    return support_fixture_of(&support_event_model, subsystem, solver, support_event_options(solver));
}

void support_fixture_run(support_solver_fixture *fixture, int steps, double h)
{
    for (int n = 0; n < steps; n++) {
        support_fixture_feed(fixture, h, 0);
        support_fixture_advance(fixture, n * h, h);
    }
}

void support_event_near(const ms_solver *solver, const char *what, double value, double expected,
                        double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * (1.0 + fabs(expected))))
        fail_msg("%s: %s is %.17g, not %.17g (tolerance %g)", solver->name, what, value, expected, tolerance);
}

static int reference_rhs(realtype t, N_Vector x, N_Vector dx, void *data)
{
    (void)t, (void)data;
    NV_Ith_S(dx, 0) = NV_Ith_S(x, 1);
    NV_Ith_S(dx, 1) = -9.81 * sin(NV_Ith_S(x, 0));
    return 0;
}

static int reference_root(realtype t, N_Vector x, realtype *r, void *data)
{
    (void)t, (void)data;
    r[0] = 0.5 - cos(NV_Ith_S(x, 0));
    return 0;
}

int support_event_roots(double end, double *roots)
{
    SUNContext context;
    assert_int_equal(SUNContext_Create(NULL, &context), 0);
    N_Vector x = N_VNew_Serial(2, context);
    SUNMatrix J = SUNDenseMatrix(2, 2, context);
    SUNLinearSolver linear = SUNLinSol_Dense(x, J, context);
    void *cvode = CVodeCreate(CV_ADAMS, context);
    NV_Ith_S(x, 0) = 1.5707963267948966;
    NV_Ith_S(x, 1) = 0.0;
    assert_int_equal(CVodeInit(cvode, reference_rhs, 0.0, x), CV_SUCCESS);
    assert_int_equal(CVodeSStolerances(cvode, 1e-13, 1e-14), CV_SUCCESS);
    assert_int_equal(CVodeSetLinearSolver(cvode, linear, J), CV_SUCCESS);
    assert_int_equal(CVodeSetMaxNumSteps(cvode, 100000), CV_SUCCESS);
    assert_int_equal(CVodeRootInit(cvode, 1, reference_root), CV_SUCCESS);
    int n = 0, code;
    double t = 0.0;
    while ((code = CVode(cvode, end, x, &t, CV_NORMAL)) == CV_ROOT_RETURN && n < SUPPORT_EVENT_LOG)
        roots[n++] = t;
    assert_int_equal(code, CV_SUCCESS);
    CVodeFree(&cvode);
    SUNLinSolFree(linear);
    SUNMatDestroy(J);
    N_VDestroy(x);
    SUNContext_Free(&context);
    return n;
}
