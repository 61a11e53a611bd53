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
#include <stdlib.h>
#include <string.h>

#include "micro_done.h"
#include "micro_step.h"
#include "solver_sundials.h"

typedef struct ida_data {
    ms_sundials common;
    void *ida;
    N_Vector dx, id; /* (nx) x'; 1 where the variable is differential, 0 where it is algebraic */
    ms_input_change input_change;
    bool stands; /* valid at t_stands with x_stands, ready to continue */
    double t_stands;
    double *x_stands; /* nx */
} ida_data;

static void ida_destroy(ms_instance *instance)
{
    ida_data *data = instance->solver_data;
    if (data == NULL)
        return;
    IDAFree(&data->ida);
    if (data->dx != NULL)
        N_VDestroy(data->dx);
    if (data->id != NULL)
        N_VDestroy(data->id);
    ms_sundials_destroy(&data->common);
    free(data->x_stands);
    free(data);
    instance->solver_data = NULL;
}

/* Equations ---------------------------------------------------------------------------------------------- */

/* F(t, x, x') of a differential-algebraic subsystem, counted as work. */
static int dae_residual(realtype t, N_Vector x, N_Vector dx, N_Vector r, void *user_data)
{
    const ms_sundials *common = user_data;
    ms_instance *instance = common->instance;
    const double time = ms_events_time(instance->events, ms_sundials_within(common, t)),
                 *state = N_VGetArrayPointer(x);
    double *residual = N_VGetArrayPointer(r);
    ms_point at = {.t = time,
                   .x = state,
                   .u = instance->u,
                   .du = instance->du,
                   .z = instance->z,
                   .sides = instance->sides};
    instance->work.rhs_evaluations++;
    int status = ms_instance_inputs(instance, common->piece, time, state, instance->u);
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

static int set_differential(ida_data *data)
{
    const ms_subsystem *sub = data->common.instance->sub;
    double *id = N_VGetArrayPointer(data->id);
    for (int i = 0; i < sub->nx; i++)
        id[i] = sub->algebraic[i] ? 0.0 : 1.0;
    const int code = IDASetId(data->ida, data->id);
    return code == IDA_SUCCESS ? IDASetSuppressAlg(data->ida, SUNTRUE) : code;
}

/* IDA's own memory and settings. Returns 0, or IDA's code. */
static int ida_setup(ida_data *data, const ms_solver_options *options)
{
    ms_sundials *common = &data->common;
    const bool residual = common->instance->sub->residual != NULL;
    data->ida = IDACreate(common->memory.context);
    MS_TRY_MEMORY(data->ida);
    int code = IDASetErrHandlerFn(data->ida, ms_sundials_silent, NULL);
    if (code == IDA_SUCCESS)
        code = IDAInit(data->ida, residual ? dae_residual : ode_residual, 0.0, common->x, data->dx);
    if (code != IDA_SUCCESS) { /* 6.4.1 has freed its vectors then, and IDAFree would free them again */
        data->ida = NULL;
        return MS_NO_MEMORY;
    }
    code = IDASStolerances(data->ida, options->rtol, options->atol);
    if (code == IDA_SUCCESS)
        code = IDASetUserData(data->ida, common);
    if (code == IDA_SUCCESS)
        code = IDASetLinearSolver(data->ida, common->linear, common->J);
    if (code == IDA_SUCCESS)
        code = residual ? set_differential(data) : IDASetJacFn(data->ida, ode_jacobian);
    return code == IDA_SUCCESS && !common->memory.refused ? MS_OK : MS_NO_MEMORY;
}

static int ida_allocate(ida_data *data, ms_instance *instance)
{
    const int nx = instance->sub->nx;
    data->x_stands = malloc(sizeof(double) * (size_t)nx);
    MS_TRY_MEMORY(data->x_stands != NULL && ms_sundials_create(&data->common, instance, nx, true) == MS_OK);
    data->dx = ms_sundials_vector(&data->common.memory, NULL);
    data->id = ms_sundials_vector(&data->common.memory, NULL);
    MS_TRY_MEMORY(data->dx != NULL && data->id != NULL);
    N_VConst(0.0, data->dx);
    return MS_OK;
}

static int ida_create(ms_instance *instance, const ms_solver_options *options, ms_error *error)
{
    (void)error;
    if (instance->sub->nx == 0)
        return MS_OK;
    ida_data *data = calloc(1, sizeof *data);
    instance->solver_data = data;
    MS_TRY_MEMORY(data);
    data->input_change = options->input_change;
    const int status = ida_allocate(data, instance);
    return status == MS_OK ? ida_setup(data, options) : status;
}

/* Micro-steps -------------------------------------------------------------------------------------------- */

/* Restarts from the state, made consistent. Returns 0 if that is possible. */
static int ida_restart(ida_data *data, double t0)
{
    const ms_sundials *common = &data->common;
    const bool residual = common->instance->sub->residual != NULL;
    if (residual)
        N_VConst(0.0, data->dx);
    else if (ms_sundials_rhs(t0, common->x, data->dx, &data->common) != 0)
        return 1;
    if (IDAReInit(data->ida, t0, common->x, data->dx) != IDA_SUCCESS)
        return 1;
    if (!residual)
        return 0;
    if (IDACalcIC(data->ida, IDA_YA_YDP_INIT, common->end) != IDA_SUCCESS)
        return 1;
    return IDAGetConsistentIC(data->ida, common->x, data->dx) == IDA_SUCCESS ? 0 : 1;
}

/* Micro-steps from t0 to the stop time or an event. Returns MS_OK, MS_STOPPED or MS_SOLVER_FAILED. */
static int ida_march(ida_data *data, double t0)
{
    ms_sundials *common = &data->common;
    double t = t0, from = t0;
    for (long n = 0; t < common->end && n < common->instance->micro_steps_max; n++, from = t) {
        int order = 0;
        const int code = IDASolve(data->ida, common->end, &t, common->x, data->dx, IDA_ONE_STEP);
        if (code < 0 || t <= from || !ms_micro_finite(common->n, common->instance->state))
            return MS_SOLVER_FAILED;
        if (code == IDA_TSTOP_RETURN)
            t = common->end;
        IDAGetLastOrder(data->ida, &order);
        MS_TRY(ms_sundials_accept(common, data->ida, IDAGetDky, from, &t, order));
    }
    return t >= common->end ? MS_OK : MS_SOLVER_FAILED;
}

/* IDA's counters; a restart sets them to zero. */
typedef struct ida_counters {
    long steps, fails, jacobians;
} ida_counters;

static ida_counters ida_count(const ida_data *data)
{
    ida_counters counters = {0};
    IDAGetNumSteps(data->ida, &counters.steps);
    IDAGetNumErrTestFails(data->ida, &counters.fails);
    IDAGetNumJacEvals(data->ida, &counters.jacobians);
    return counters;
}

/* The piece from IDA's current state or from a restart, in *steps micro-steps. Returns MS_OK, MS_STOPPED or
 * MS_SOLVER_FAILED. */
static int ida_try(ida_data *data, double t0, bool restart, long *steps)
{
    ms_instance *instance = data->common.instance;
    ms_work *work = &instance->work;
    ida_counters before = {0};
    *steps = 0;
    if (restart && ida_restart(data, t0) != 0)
        return MS_SOLVER_FAILED;
    if (!restart)
        before = ida_count(data);
    if (IDASetStopTime(data->ida, data->common.end) != IDA_SUCCESS)
        return MS_SOLVER_FAILED;
    const int status = ida_march(data, t0);
    const ida_counters after = ida_count(data);
    *steps = after.steps - before.steps;
    work->micro_steps += *steps;
    work->error_test_failures += after.fails - before.fails;
    if (instance->sub->residual != NULL) /* calls of the subsystem's own Jacobian are counted there */
        work->jacobian_evaluations += after.jacobians - before.jacobians;
    return status;
}

static int ida_advance(ms_instance *instance, int piece, double t0, double h, bool discontinuous)
{
    ida_data *data = instance->solver_data;
    if (instance->sub->nx == 0)
        return ms_micro_static_advance(instance, piece, t0, h);
    const size_t size = sizeof(double) * (size_t)instance->sub->nx;
    const bool restart = (discontinuous && data->input_change == MS_INPUT_RESTART) || !data->stands ||
                         !ms_micro_stands(instance, t0, h, data->t_stands, data->x_stands);
    data->stands = false;
    if (ms_micro_tiny(t0, h))
        return ms_micro_tiny_advance(instance, piece, t0, h);
    long steps = 0;
    ms_sundials_begin(&data->common, piece, t0, h);
    int status = ida_try(data, t0, restart, &steps);
    if (status == MS_SOLVER_FAILED && !restart && steps == 0) {
        memcpy(instance->state, data->x_stands, size);
        status = ida_try(data, t0, true, &steps);
    }
    data->stands = status == MS_OK;
    data->t_stands = data->common.end;
    memcpy(data->x_stands, instance->state, size);
    return status;
}

static int ida_make_consistent(ms_instance *instance, int piece, double t, double h)
{
    ida_data *data = instance->solver_data;
    if (instance->sub->nx == 0)
        return MS_OK;
    data->stands = false;
    ms_sundials_begin(&data->common, piece, t, h);
    return ida_restart(data, t) == 0 ? MS_OK : MS_SOLVER_FAILED;
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
                                 .create = ida_create,
                                 .destroy = ida_destroy,
                                 .advance = ida_advance,
                                 .make_consistent = ida_make_consistent};
