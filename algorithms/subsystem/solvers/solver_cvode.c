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
#include <stdlib.h>
#include <string.h>

#include <macrostep/instance.h>
#include "cvode_polynomial.h"
#include "cvode_predictor.h"
#include "micro_done.h"
#include "micro_step.h"
#include "solver_sundials.h"

typedef struct cvode_data {
    ms_sundials common;
    void *cvode;
    ms_input_change input_change;
    ms_cvode_predictor predictor;
    bool stands; /* valid at t_stands with x_stands, ready to continue */
    double t_stands;
    double *x_stands; /* nx */
} cvode_data;

static void cvode_destroy(ms_instance *instance)
{
    cvode_data *data = instance->solver_data;
    if (data == NULL)
        return;
    CVodeFree(&data->cvode);
    ms_cvode_predictor_destroy(&data->predictor);
    ms_sundials_destroy(&data->common);
    free(data->x_stands);
    free(data);
    instance->solver_data = NULL;
}

/* CVODE's own memory and settings. */
static int cvode_setup(cvode_data *data, int method, const ms_solver_options *options)
{
    ms_sundials *common = &data->common;
    data->cvode = CVodeCreate(method, common->memory.context);
    MS_TRY_MEMORY(data->cvode);
    int code = CVodeSetErrHandlerFn(data->cvode, ms_sundials_silent, NULL);
    if (code == CV_SUCCESS)
        code = CVodeInit(data->cvode, ms_sundials_rhs, 0.0, common->x);
    if (code != CV_SUCCESS) { /* 6.4.1 has freed its vectors then, and CVodeFree would free them again */
        data->cvode = NULL;
        return MS_NO_MEMORY;
    }
    code = CVodeSStolerances(data->cvode, options->rtol, options->atol);
    if (code == CV_SUCCESS)
        code = CVodeSetUserData(data->cvode, common);
    if (code == CV_SUCCESS)
        code = CVodeSetMaxHnilWarns(data->cvode, -1);
    if (code == CV_SUCCESS)
        code = CVodeSetLinearSolver(data->cvode, common->linear, common->J);
    if (code == CV_SUCCESS)
        code = CVodeSetJacFn(data->cvode, ms_sundials_jacobian);
    return code == CV_SUCCESS && !common->memory.refused ? MS_OK : MS_NO_MEMORY;
}

/* The derivatives in which a predictor is corrected. */
static int corrected_derivatives(ms_input_change change)
{
    return change == MS_INPUT_CORRECT_1 ? 1 : change == MS_INPUT_CORRECT_2 ? 2 : 0;
}

static int cvode_create(ms_instance *instance, const ms_solver_options *options, ms_error *error)
{
    (void)error;
    if (instance->sub->nx == 0)
        return MS_OK;
    cvode_data *data = calloc(1, sizeof *data);
    instance->solver_data = data;
    MS_TRY_MEMORY(data);
    data->input_change = options->input_change;
    data->x_stands = malloc(sizeof(double) * (size_t)instance->sub->nx);
    MS_TRY_MEMORY(data->x_stands != NULL &&
                  ms_sundials_create(&data->common, instance, instance->sub->nx, true) == MS_OK &&
                  ms_cvode_predictor_create(data->common.memory.context,
                                            corrected_derivatives(options->input_change),
                                            &data->predictor) == MS_OK);
    return cvode_setup(data, instance->solver->kind, options);
}

/* Micro-steps from t0 to the stop time or an event. Returns MS_OK, MS_STOPPED or MS_SOLVER_FAILED. */
static int cvode_march(cvode_data *data, double t0)
{
    ms_sundials *common = &data->common;
    double t = t0, from = t0;
    for (long n = 0; t < common->end && n < common->instance->micro_steps_max; n++, from = t) {
        int order = 0;
        const int code = CVode(data->cvode, common->end, common->x, &t, CV_ONE_STEP);
        ms_cvode_predictor_done(&data->predictor, data->cvode);
        if (code < 0 || t <= from || !ms_micro_finite(common->n, common->instance->state))
            return MS_SOLVER_FAILED;
        if (code == CV_TSTOP_RETURN)
            t = common->end;
        CVodeGetLastOrder(data->cvode, &order);
        MS_TRY(ms_sundials_accept(common, data->cvode, CVodeGetDky, from, &t, order));
    }
    return t >= common->end ? MS_OK : MS_SOLVER_FAILED;
}

/* The piece from CVODE's current state or from a restart, in *steps micro-steps. Returns MS_OK, MS_STOPPED or
 * MS_SOLVER_FAILED. */
static int cvode_try(cvode_data *data, double t0, bool restart, long *steps)
{
    long before = 0, fails_before = 0, fails = 0;
    if (restart && CVodeReInit(data->cvode, t0, data->common.x) != CV_SUCCESS)
        return MS_SOLVER_FAILED;
    if (CVodeSetStopTime(data->cvode, data->common.end) != CV_SUCCESS)
        return MS_SOLVER_FAILED;
    CVodeGetNumSteps(data->cvode, &before); /* zero after a restart */
    CVodeGetNumErrTestFails(data->cvode, &fails_before);
    const int status = cvode_march(data, t0);
    CVodeGetNumSteps(data->cvode, steps);
    CVodeGetNumErrTestFails(data->cvode, &fails);
    *steps -= before;
    data->common.instance->work.micro_steps += *steps;
    data->common.instance->work.error_test_failures += fails - fails_before;
    return status;
}

static int cvode_advance(ms_instance *instance, int piece, double t0, double h, bool discontinuous)
{
    cvode_data *data = instance->solver_data;
    if (instance->sub->nx == 0)
        return ms_micro_static_advance(instance, piece, t0, h);
    const size_t size = sizeof(double) * (size_t)instance->sub->nx;
    bool restart = (discontinuous && data->input_change == MS_INPUT_RESTART) || !data->stands ||
                   !ms_micro_stands(instance, t0, h, data->t_stands, data->x_stands);
    data->stands = false;
    if (ms_micro_tiny(t0, h))
        return ms_micro_tiny_advance(instance, piece, t0, h);
    long steps = 0;
    ms_sundials_begin(&data->common, piece, t0, h);
    if (!restart && discontinuous && data->predictor.derivatives > 0)
        restart = ms_cvode_predictor_correct(&data->predictor, data->cvode, &data->common) != MS_OK;
    int status = cvode_try(data, t0, restart, &steps);
    if (status == MS_SOLVER_FAILED && !restart && steps == 0) {
        memcpy(instance->state, data->x_stands, size);
        status = cvode_try(data, t0, true, &steps);
    }
    data->stands = status == MS_OK;
    data->t_stands = data->common.end;
    memcpy(data->x_stands, instance->state, size);
    return status;
}

int ms_cvode_polynomial(const ms_instance *instance, int *order, double *derivative)
{
    const cvode_data *data = instance->solver_data;
    double t;
    *order = 0;
    if (instance->solver->advance != cvode_advance || data == NULL)
        return MS_UNSUPPORTED;
    if (!data->stands || CVodeGetLastOrder(data->cvode, order) != CV_SUCCESS ||
        CVodeGetCurrentTime(data->cvode, &t) != CV_SUCCESS)
        return MS_SOLVER_FAILED;
    N_Vector view = N_VMake_Serial(instance->sub->nx, derivative, data->common.memory.context);
    int code = view != NULL ? CV_SUCCESS : CV_MEM_FAIL;
    for (int j = 0; j <= *order && code == CV_SUCCESS; j++) {
        N_VSetArrayPointer(derivative + j * instance->sub->nx, view);
        code = CVodeGetDky(data->cvode, t, j, view);
    }
    if (view != NULL)
        N_VDestroy(view);
    return code == CV_SUCCESS ? MS_OK : MS_SOLVER_FAILED;
}

const ms_solver ms_solver_cvode_bdf = {.name = "cvode-bdf",
                                       .summary = "CVODE's BDF of variable order 1 to 5 (stiff)",
                                       .source = "Hindmarsh et al. 2005",
                                       .library = MS_LIBRARY_SUNDIALS,
                                       .implicit = true,
                                       .stiff = true,
                                       .adaptive = true,
                                       .events = true,
                                       .multistep = true,
                                       .corrects = true,
                                       .kind = CV_BDF,
                                       .create = cvode_create,
                                       .destroy = cvode_destroy,
                                       .advance = cvode_advance};

const ms_solver ms_solver_cvode_adams = {.name = "cvode-adams",
                                         .summary = "CVODE's Adams-Moulton of variable order 1 to 12",
                                         .source = "Hindmarsh et al. 2005",
                                         .library = MS_LIBRARY_SUNDIALS,
                                         .implicit = true,
                                         .adaptive = true,
                                         .events = true,
                                         .multistep = true,
                                         .corrects = true,
                                         .kind = CV_ADAMS,
                                         .create = cvode_create,
                                         .destroy = cvode_destroy,
                                         .advance = cvode_advance};
