/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_cvode.c - CVODE (SUNDIALS): BDF of order 1 to 5 and Adams-Moulton of order 1 to 12, both with
 * variable order and step, Newton iteration, dense linear solver, and the subsystem's own Jacobian.
 *
 * If the input jumps:
 *     restart   order 1, and a first step from CVODE's own rule: a function of t0, x, h and the input alone
 *     proceed   the history is kept, and so is the derivative under the old input. It restarts only if t0
 *               or x differ from the solver's (first step, restored state), after events, and if the jump
 *               is so large that CVODE gives up before a micro-step is accepted
 *     correct-1, correct-2
 *               as proceed, with the predictor corrected in x', or in x' and x'' (cvode_predictor.h); it also
 *               restarts if these are not defined under the new input
 * Each piece ends at a stop time, so the right-hand side is never evaluated beyond it.
 *
 * Integrals of outputs are not part of CVODE's problem: after each micro-step g is integrated by Gauss's formula with
 * 5 nodes, x(t) being CVODE's dense output, a polynomial whose degree is the order. So x has the same bits with and
 * without integrals, and these are as accurate as samples. As additional states outside error control they would have
 * order 1 wherever x is linear in t, since the steps are unbounded there.
 *
 * Source: Hindmarsh et al., SUNDIALS, ACM Trans. Math. Software 31 (2005); Andersson 2016, ch. 7. */
#include <cvode/cvode.h>

#include "cvode_polynomial.h"
#include "cvode_predictor.h"
#include "micro_done.h"

typedef struct cvode_data {
    ms_sundials_multistep base;
    ms_cvode_predictor predictor;
} cvode_data;

static void cvode_destroy(ms_instance *instance)
{
    cvode_data *data = instance->solver_data;
    CVodeFree(&data->base.solver);
    ms_cvode_predictor_destroy(&data->predictor);
    ms_sundials_destroy(&data->base.common);
}

/* CVODE's own memory and settings. */
static int cvode_setup(ms_sundials_multistep *base, int method, const ms_solver_options *options)
{
    ms_sundials *common = &base->common;
    void *cvode = base->solver = CVodeCreate(method, common->memory.context);
    MS_TRY_MEMORY(cvode);
    if (CVodeSetErrHandlerFn(cvode, ms_sundials_silent, NULL) != CV_SUCCESS ||
        CVodeInit(cvode, ms_sundials_rhs, 0.0, common->x) != CV_SUCCESS) {
        base->solver = NULL; /* 6.4.1 has freed its vectors then, and CVodeFree would free them again */
        return MS_NO_MEMORY;
    }
    const bool set = CVodeSStolerances(cvode, options->rtol, options->atol) == CV_SUCCESS &&
                     CVodeSetUserData(cvode, common) == CV_SUCCESS &&
                     CVodeSetMaxHnilWarns(cvode, -1) == CV_SUCCESS &&
                     CVodeSetLinearSolver(cvode, common->linear, common->J) == CV_SUCCESS &&
                     CVodeSetJacFn(cvode, ms_sundials_jacobian) == CV_SUCCESS;
    return set && !common->memory.refused ? MS_OK : MS_NO_MEMORY;
}

static int cvode_restart(ms_sundials_multistep *base, double t0)
{
    return CVodeReInit(base->solver, t0, base->common.x);
}

static int cvode_step(ms_sundials_multistep *base, double *t, int *order)
{
    const int code = CVode(base->solver, base->common.end, base->common.x, t, CV_ONE_STEP);
    ms_cvode_predictor_done(&((cvode_data *)base)->predictor, base->solver);
    CVodeGetLastOrder(base->solver, order);
    return code;
}

static void cvode_count(const ms_sundials_multistep *base, ms_work *work)
{
    CVodeGetNumSteps(base->solver, &work->micro_steps);
    CVodeGetNumErrTestFails(base->solver, &work->error_test_failures);
    CVodeGetNumNonlinSolvConvFails(base->solver, &work->convergence_failures);
}

/* The derivatives in which a predictor is corrected. */
static int corrected_derivatives(ms_input_change change)
{
    return change == MS_INPUT_CORRECT_1 ? 1 : change == MS_INPUT_CORRECT_2 ? 2 : 0;
}

static int cvode_create(ms_instance *instance, const ms_solver_options *options, ms_error *error)
{
    cvode_data *data = instance->solver_data;
    ms_sundials *common = &data->base.common;
    (void)error;
    data->base.dense = CVodeGetDky;
    data->base.restart = cvode_restart;
    data->base.stop = CVodeSetStopTime;
    data->base.step = cvode_step;
    data->base.count = cvode_count;
    MS_TRY_MEMORY(ms_sundials_create(common, instance, instance->sub->nx, true) == MS_OK &&
                  ms_cvode_predictor_create(common->memory.context,
                                            corrected_derivatives(options->input_change),
                                            &data->predictor) == MS_OK);
    return cvode_setup(&data->base, instance->solver->kind, options);
}

static int cvode_integrate(ms_instance *instance, int piece, double t0, double h)
{
    cvode_data *data = instance->solver_data;
    ms_sundials_multistep *base = &data->base;
    bool restart = base->history.restart;
    ms_sundials_begin(&base->common, piece, t0, h);
    if (!restart && data->predictor.derivatives > 0)
        restart = ms_cvode_predictor_correct(&data->predictor, base->solver, &base->common) != MS_OK;
    return ms_sundials_advance(base, t0, restart);
}

int ms_cvode_polynomial(const ms_instance *instance, int *order, double *derivative)
{
    const ms_sundials_multistep *data = instance->solver_data;
    double t;
    *order = 0;
    if (instance->solver->integrate != cvode_integrate || data == NULL)
        return MS_UNSUPPORTED;
    if (!data->history.valid || CVodeGetLastOrder(data->solver, order) != CV_SUCCESS ||
        CVodeGetCurrentTime(data->solver, &t) != CV_SUCCESS)
        return MS_SOLVER_FAILED;
    N_Vector view = N_VMake_Serial(instance->sub->nx, derivative, data->common.memory.context);
    int code = view != NULL ? CV_SUCCESS : CV_MEM_FAIL;
    for (int j = 0; j <= *order && code == CV_SUCCESS; j++) {
        N_VSetArrayPointer(derivative + j * instance->sub->nx, view);
        code = CVodeGetDky(data->solver, t, j, view);
    }
    if (view != NULL)
        N_VDestroy(view);
    return code == CV_SUCCESS ? MS_OK : MS_SOLVER_FAILED;
}

/* What both methods of CVODE have. */
#define CVODE                                                                                                \
    .source = "Hindmarsh et al. 2005", .library = MS_LIBRARY_SUNDIALS, .implicit = true, .adaptive = true,   \
    .events = true, .multistep = true, .corrects = true, .data = sizeof(cvode_data), .create = cvode_create, \
    .destroy = cvode_destroy, .advance = ms_adaptive_advance, .integrate = cvode_integrate

const ms_solver ms_solver_cvode_bdf = {.name = "cvode-bdf",
                                       .summary = "CVODE's BDF of variable order 1 to 5 (stiff)",
                                       .stiff = true,
                                       .kind = CV_BDF,
                                       CVODE};

const ms_solver ms_solver_cvode_adams = {.name = "cvode-adams",
                                         .summary = "CVODE's Adams-Moulton of variable order 1 to 12",
                                         .kind = CV_ADAMS,
                                         CVODE};
