/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_ida.c - IDA (SUNDIALS): BDF of order 1 to 5 with fixed leading coefficient for 0 = F(t, x, x',
 * u), with Newton iteration and a dense linear solver.
 *
 *     differential-algebraic subsystems   F is their residual, dF/dx + c dF/dx' by IDA's differences
 *     others                              F = x' - f, with c I - df/dx from the subsystem's own Jacobian
 *
 * Whenever integration restarts (each macro-step and piece with the rule `restart`, and after each event), x' and the
 * algebraic variables are made consistent: x' = f, or by IDACalcIC from the differential variables with x' = 0 and
 * the given algebraic variables as a guess. So x' is not part of the state, and the same x gives the same bits after
 * a rollback. The error test omits algebraic variables.
 *
 * If the input jumps: restart or proceed, as with CVODE. Integrals of outputs: as with CVODE.
 *
 * Sources: Hindmarsh et al., SUNDIALS, ACM Trans. Math. Software 31 (2005); Brown, Hindmarsh, Petzold,
 * Consistent initial condition calculation for differential-algebraic systems, SIAM J. Sci. Comput. 19
 * (1998); Andersson 2016, 8.6.2. */
#include <ida/ida.h>

#include "micro_done.h"
#include "solver_sundials.h"

typedef struct ida_data {
    ms_sundials_multistep base;
    N_Vector dx, id; /* (nx) x'; 1 where the variable is differential, 0 where it is algebraic */
} ida_data;

static void ida_destroy(ms_instance *instance)
{
    ida_data *data = instance->solver_data;
    IDAFree(&data->base.solver);
    if (data->dx != NULL)
        N_VDestroy(data->dx);
    if (data->id != NULL)
        N_VDestroy(data->id);
    ms_sundials_destroy(&data->base.common);
}

/* Equations ---------------------------------------------------------------------------------------------- */

/* F(t, x, x') of a differential-algebraic subsystem, counted as work. */
static int dae_residual(realtype t, N_Vector x, N_Vector dx, N_Vector r, void *user_data)
{
    const ms_sundials *common = user_data;
    ms_instance *instance = common->instance;
    double *residual = N_VGetArrayPointer(r);
    ms_point at;
    instance->work.rhs_evaluations++;
    int status = ms_micro_smooth_point(instance, common->piece, ms_sundials_within(common, t),
                                       N_VGetArrayPointer(x), &at);
    if (status == 0)
        status = ms_subsystem_residual(instance->system, instance->index, &at, instance->w,
                                       N_VGetArrayPointer(dx), residual);
    return status == 0 && ms_micro_finite(instance->sub->nx, residual) ? 0 : 1;
}

/* x' - f. */
static int ode_residual(realtype t, N_Vector x, N_Vector dx, N_Vector r, void *user_data)
{
    const ms_sundials *common = user_data;
    const int status = ms_sundials_rhs(t, x, r, user_data);
    const double *derivative = N_VGetArrayPointer(dx);
    double *residual = N_VGetArrayPointer(r);
    for (int i = 0; i < common->n && status == 0; i++)
        residual[i] = derivative[i] - residual[i];
    return status;
}

/* c I - df/dx. */
static int ode_jacobian(realtype t, realtype c, N_Vector x, N_Vector dx, N_Vector r, SUNMatrix J,
                        void *user_data, N_Vector w1, N_Vector w2, N_Vector w3)
{
    const ms_sundials *common = user_data;
    const int status = ms_sundials_jacobian(t, x, dx, J, user_data, w1, w2, w3);
    (void)r;
    for (int i = 0; i < common->n && status == 0; i++) {
        for (int j = 0; j < common->n; j++)
            SM_ELEMENT_D(J, i, j) = -SM_ELEMENT_D(J, i, j);
        SM_ELEMENT_D(J, i, i) += c;
    }
    return status;
}

/* Creation ----------------------------------------------------------------------------------------------- */

static bool set_differential(const ida_data *data)
{
    const ms_subsystem *sub = data->base.common.instance->sub;
    double *id = N_VGetArrayPointer(data->id);
    for (int i = 0; i < sub->nx; i++)
        id[i] = sub->algebraic[i] ? 0.0 : 1.0;
    return IDASetId(data->base.solver, data->id) == IDA_SUCCESS &&
           IDASetSuppressAlg(data->base.solver, SUNTRUE) == IDA_SUCCESS;
}

/* IDA's own memory and settings. */
static int ida_setup(ida_data *data, const ms_solver_options *options)
{
    ms_sundials *common = &data->base.common;
    const bool residual = common->instance->sub->residual != NULL;
    void *ida = data->base.solver = IDACreate(common->memory.context);
    MS_TRY_MEMORY(ida);
    if (IDASetErrHandlerFn(ida, ms_sundials_silent, NULL) != IDA_SUCCESS ||
        IDAInit(ida, residual ? dae_residual : ode_residual, 0.0, common->x, data->dx) != IDA_SUCCESS) {
        data->base.solver = NULL; /* 6.4.1 has freed its vectors then, and IDAFree would free them again */
        return MS_NO_MEMORY;
    }
    const bool set = IDASStolerances(ida, options->rtol, options->atol) == IDA_SUCCESS &&
                     IDASetUserData(ida, common) == IDA_SUCCESS &&
                     IDASetLinearSolver(ida, common->linear, common->J) == IDA_SUCCESS &&
                     (residual ? set_differential(data) : IDASetJacFn(ida, ode_jacobian) == IDA_SUCCESS);
    return set && !common->memory.refused ? MS_OK : MS_NO_MEMORY;
}

/* Micro-steps -------------------------------------------------------------------------------------------- */

/* Restarts from the state, made consistent. Returns 0 if that is possible. */
static int ida_restart(ms_sundials_multistep *base, double t0)
{
    ms_sundials *common = &base->common;
    N_Vector dx = ((ida_data *)base)->dx;
    const bool residual = common->instance->sub->residual != NULL;
    if (residual)
        N_VConst(0.0, dx);
    else if (ms_sundials_rhs(t0, common->x, dx, common) != 0)
        return 1;
    if (IDAReInit(base->solver, t0, common->x, dx) != IDA_SUCCESS)
        return 1;
    if (!residual)
        return 0;
    if (IDACalcIC(base->solver, IDA_YA_YDP_INIT, common->end) != IDA_SUCCESS)
        return 1;
    return IDAGetConsistentIC(base->solver, common->x, dx) == IDA_SUCCESS ? 0 : 1;
}

static int ida_step(ms_sundials_multistep *base, double *t, int *order)
{
    const int code =
        IDASolve(base->solver, base->common.end, t, base->common.x, ((ida_data *)base)->dx, IDA_ONE_STEP);
    IDAGetLastOrder(base->solver, order);
    return code;
}

static void ida_count(const ms_sundials_multistep *base, ms_work *work)
{
    IDAGetNumSteps(base->solver, &work->micro_steps);
    IDAGetNumErrTestFails(base->solver, &work->error_test_failures);
    IDAGetNumNonlinSolvConvFails(base->solver, &work->convergence_failures);
    if (base->common.instance->sub->residual !=
        NULL) /* calls of the subsystem's own Jacobian are counted there */
        IDAGetNumJacEvals(base->solver, &work->jacobian_evaluations);
}

static int ida_create(ms_instance *instance, const ms_solver_options *options, ms_error *error)
{
    ida_data *data = instance->solver_data;
    ms_sundials *common = &data->base.common;
    (void)error;
    data->base.dense = IDAGetDky;
    data->base.restart = ida_restart;
    data->base.stop = IDASetStopTime;
    data->base.step = ida_step;
    data->base.count = ida_count;
    MS_TRY(ms_sundials_create(common, instance, instance->sub->nx, true));
    data->dx = ms_sundials_vector(&common->memory, NULL);
    data->id = ms_sundials_vector(&common->memory, NULL);
    MS_TRY_MEMORY(data->dx != NULL && data->id != NULL);
    N_VConst(0.0, data->dx);
    return ida_setup(data, options);
}

static int ida_integrate(ms_instance *instance, int piece, double t0, double h)
{
    ms_sundials_multistep *base = instance->solver_data;
    ms_sundials_begin(&base->common, piece, t0, h);
    return ms_sundials_advance(base, t0, base->history.restart);
}

static int ida_make_consistent(ms_instance *instance, int piece, double t, double h)
{
    ms_sundials_multistep *base = instance->solver_data;
    if (instance->sub->nx == 0)
        return MS_OK;
    base->history.valid = false;
    ms_sundials_begin(&base->common, piece, t, h);
    return ida_restart(base, t) == 0 ? MS_OK : MS_SOLVER_FAILED;
}

const ms_solver ms_solver_ida = {.name = "ida",
                                 .summary =
                                     "IDA's BDF of variable order 1 to 5, also for differential-algebraic "
                                     "subsystems",
                                 .source = "Hindmarsh et al. 2005",
                                 .library = MS_LIBRARY_SUNDIALS,
                                 .implicit = true,
                                 .stiff = true,
                                 .adaptive = true,
                                 .events = true,
                                 .residuals = true,
                                 .multistep = true,
                                 .data = sizeof(ida_data),
                                 .create = ida_create,
                                 .destroy = ida_destroy,
                                 .advance = ms_adaptive_advance,
                                 .integrate = ida_integrate,
                                 .make_consistent = ida_make_consistent};
