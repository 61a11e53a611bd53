/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_arkode.c - Runge-Kutta methods with adaptive steps from ARKODE (SUNDIALS):
 *
 *     arkode-erk    Dormand and Prince 5(4), explicit, 7 stages, first same as last
 *     arkode-dirk   Kennedy and Carpenter's ESDIRK5(4)7L[2]SA2: diagonally implicit, explicit first stage,
 *                   7 stages, order 5, L-stable, stiffly accurate; Newton with the subsystem's own Jacobian
 *
 * Every piece starts anew with the step size that the controller proposed at the end of the last one. This is the
 * only memory; it is saved with the state (0 at the start of a run: ARKODE's estimate). If an explicit stage leaves
 * the domain of f, which ARKODE treats as fatal, the step is repeated with an eighth of its length.
 *
 * The linear system is set up in every micro-step. If it were kept longer, as ARKODE does by default, the estimated
 * convergence rate would vanish while the matrix is exact (linear subsystems). A single Newton iteration would then
 * be accepted unchecked when the step, and with it the matrix, changes at the end of a piece: errors of 10^4 times
 * the tolerance.
 *
 * Integrals q of outputs are additional states outside error control: their error weights are zero, and norms omit
 * entries of weight zero from sum and count, so that x has the same bits with and without them. The implicit method
 * integrates them explicitly, as the other part of an additive method,
 *
 *     x' = f implicit with (A, b, c), q' = g explicit with (0, b, c):  q+ = q + h sum b_i g(t + c_i h, x_i),
 *
 * which needs no A for q since nothing depends on q. Newton's iterations do not involve it.
 *
 * Sources: Dormand and Prince, J. Comput. Appl. Math. 6 (1980); Kennedy and Carpenter, Appl. Numer. Math.
 * 146 (2019); Reynolds et al., ARKODE, ACM Trans. Math. Software 49 (2023). */
#include <arkode/arkode_arkstep.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "micro_done.h"
#include "solver_sundials.h"

enum { RETRIES_MAX = 20 };

typedef struct arkode_data {
    ms_sundials common;
    void *arkode;
    ARKRhsFn explicit_rhs, implicit_rhs; /* one of them is NULL */
    double rtol, atol;
    double *accepted; /* (n_state) after the last accepted micro-step */
} arkode_data;

static void arkode_destroy(ms_instance *instance)
{
    arkode_data *data = instance->solver_data;
    ARKStepFree(&data->arkode);
    ms_sundials_destroy(&data->common);
    free(data->accepted);
}

/* Outside error control ---------------------------------------------------------------------------------- */

/* Root of the mean of (x w)^2 over the entries whose weight is not zero. */
static realtype weighted_norm(N_Vector vector, N_Vector weights)
{
    const double *x = N_VGetArrayPointer(vector), *w = N_VGetArrayPointer(weights);
    const sunindextype n = N_VGetLength(vector);
    double sum = 0.0, count = 0.0;
    for (sunindextype i = 0; i < n; i++)
        if (w[i] > 0.0) {
            sum += x[i] * w[i] * (x[i] * w[i]);
            count += 1.0;
        }
    return sqrt(sum / count);
}

/* 1 / (rtol |x| + atol) for states, 0 for integrals. */
static int error_weights(N_Vector state, N_Vector weights, void *user_data)
{
    const arkode_data *data = user_data;
    const double *x = N_VGetArrayPointer(state);
    double *w = N_VGetArrayPointer(weights);
    const int nx = data->common.instance->sub->nx;
    for (int i = 0; i < data->common.n; i++) {
        const double scale = data->rtol * fabs(x[i]) + data->atol;
        if (!(scale > 0.0) && i < nx)
            return -1;
        w[i] = i < nx ? 1.0 / scale : 0.0;
    }
    return 0;
}

/* (x', q'). */
static int whole_rhs(realtype t, N_Vector x, N_Vector dx, void *user_data)
{
    const ms_sundials *common = user_data;
    return ms_micro_rhs(common->instance, common->piece, ms_sundials_within(common, t), N_VGetArrayPointer(x),
                        N_VGetArrayPointer(dx));
}

/* (0, q'). */
static int integrals_rhs(realtype t, N_Vector x, N_Vector dx, void *user_data)
{
    const ms_sundials *common = user_data;
    const int nx = common->instance->sub->nx;
    double *derivative = N_VGetArrayPointer(dx);
    for (int i = 0; i < nx; i++)
        derivative[i] = 0.0;
    return ms_micro_outputs(common->instance, common->piece, ms_sundials_within(common, t),
                            N_VGetArrayPointer(x), derivative + nx);
}

/* The implicit method for x with the explicit one (0, b, c) for q. Returns 0, or ARKODE's code. */
static int set_additive(void *arkode)
{
    ARKodeButcherTable implicit = ARKodeButcherTable_LoadDIRK(ARKODE_ESDIRK547L2SA2_7_4_5);
    ARKodeButcherTable explicit = implicit != NULL ? ARKodeButcherTable_Copy(implicit) : NULL;
    int code = ARK_MEM_FAIL;
    if (implicit != NULL && explicit != NULL) {
        for (int i = 0; i < explicit->stages; i++)
            for (int j = 0; j < explicit->stages; j++)
                explicit->A[i][j] = 0.0;
        code = ARKStepSetTables(arkode, implicit->q, implicit->p, implicit, explicit);
    }
    ARKodeButcherTable_Free(implicit);
    ARKodeButcherTable_Free(explicit);
    return code;
}

/* Creation ----------------------------------------------------------------------------------------------- */

static int set_method(const arkode_data *data)
{
    if (data->implicit_rhs == NULL)
        return ARKStepSetTableNum(data->arkode, ARKODE_DIRK_NONE, ARKODE_DORMAND_PRINCE_7_4_5);
    if (data->explicit_rhs == NULL)
        return ARKStepSetTableNum(data->arkode, ARKODE_ESDIRK547L2SA2_7_4_5, ARKODE_ERK_NONE);
    return set_additive(data->arkode);
}

static bool set_linear_solver(const arkode_data *data)
{
    return ARKStepSetLinearSolver(data->arkode, data->common.linear, data->common.J) == ARK_SUCCESS &&
           ARKStepSetJacFn(data->arkode, ms_sundials_jacobian) == ARK_SUCCESS &&
           ARKStepSetLSetupFrequency(data->arkode, 1) == ARK_SUCCESS;
}

/* ARKODE's own memory and settings. */
static int arkode_setup(arkode_data *data)
{
    ms_sundials *common = &data->common;
    data->arkode =
        ARKStepCreate(data->explicit_rhs, data->implicit_rhs, 0.0, common->x, common->memory.context);
    MS_TRY_MEMORY(data->arkode);
    const bool set = ARKStepSetErrHandlerFn(data->arkode, ms_sundials_silent, NULL) == ARK_SUCCESS &&
                     set_method(data) == ARK_SUCCESS &&
                     ARKStepSStolerances(data->arkode, data->rtol, data->atol) == ARK_SUCCESS &&
                     (common->instance->n_integrals == 0 ||
                      ARKStepWFtolerances(data->arkode, error_weights) == ARK_SUCCESS) &&
                     ARKStepSetUserData(data->arkode, data) == ARK_SUCCESS && /* begins with an ms_sundials */
                     ARKStepSetMaxHnilWarns(data->arkode, -1) == ARK_SUCCESS &&
                     (data->implicit_rhs == NULL || set_linear_solver(data));
    return set && !common->memory.refused ? MS_OK : MS_NO_MEMORY;
}

static int arkode_create(ms_instance *instance, const ms_solver_options *options, ms_error *error)
{
    const bool implicit = instance->solver->implicit, integrals = instance->n_integrals > 0;
    arkode_data *data = instance->solver_data;
    (void)error;
    data->explicit_rhs = !implicit ? whole_rhs : integrals ? integrals_rhs : NULL;
    data->implicit_rhs = implicit ? ms_sundials_rhs : NULL;
    data->rtol = options->rtol;
    data->atol = options->atol;
    data->accepted = malloc(sizeof(double) * (size_t)instance->n_state);
    MS_TRY_MEMORY(data->accepted != NULL &&
                  ms_sundials_create(&data->common, instance, instance->n_state, implicit) == MS_OK);
    if (integrals)
        data->common.x->ops->nvwrmsnorm = weighted_norm; /* also of all vectors that ARKODE clones from it */
    return arkode_setup(data);
}

/* Micro-steps -------------------------------------------------------------------------------------------- */

/* Starts at (t, instance->state) with `step`; 0: ARKODE's estimate. */
static int arkode_restart(arkode_data *data, double t, double step)
{
    int code = ARKStepReInit(data->arkode, data->explicit_rhs, data->implicit_rhs, t, data->common.x);
    if (code == ARK_SUCCESS)
        code = ARKStepSetInitStep(data->arkode, step);
    if (code == ARK_SUCCESS)
        code = ARKStepSetStopTime(data->arkode, data->common.end);
    return code;
}

/* Adds ARKODE's counters, which a restart resets, to those of the instance. */
static void arkode_count(const arkode_data *data)
{
    long steps = 0, fails = 0;
    ARKStepGetNumSteps(data->arkode, &steps);
    ARKStepGetNumErrTestFails(data->arkode, &fails);
    data->common.instance->work.micro_steps += steps;
    data->common.instance->work.error_test_failures += fails;
}

/* The controller's step size after a micro-step, given the proposal before it. ARKODE truncates its proposal at the
 * stop time; a truncated step carries no information unless its error test failed first. */
static double arkode_proposal(const arkode_data *data, double t, double before, bool failed)
{
    double last = 0.0, next = 0.0;
    ARKStepGetLastStep(data->arkode, &last);
    ARKStepGetCurrentStep(data->arkode, &next);
    if (t >= data->common.end)
        return failed ? last : fmax(before, last);
    return next < (1.0 - 1e-8) * (data->common.end - t) ? next : fmax(next, last);
}

/* One micro-step from *t; if f is not defined at an explicit stage, *step is reduced to an eighth, repeatedly. */
static int arkode_step(arkode_data *data, double *t, double *step)
{
    ms_sundials *common = &data->common;
    double *state = common->instance->state;
    const size_t size = sizeof(double) * (size_t)common->n;
    const double from = *t;
    long fails_before = 0, fails = 0;
    memcpy(data->accepted, state, size);
    ARKStepGetNumErrTestFails(data->arkode, &fails_before);
    int code = ARKStepEvolve(data->arkode, common->end, common->x, t, ARK_ONE_STEP);
    for (int retry = 0; code == ARK_UNREC_RHSFUNC_ERR && retry < RETRIES_MAX; retry++) {
        const double left = common->end - from;
        *t = from;
        *step = (*step > 0.0 ? fmin(*step, left) : left) / 8.0;
        memcpy(state, data->accepted, size);
        arkode_count(data);
        fails_before = 0;
        if (arkode_restart(data, from, *step) != ARK_SUCCESS)
            return MS_SOLVER_FAILED;
        code = ARKStepEvolve(data->arkode, common->end, common->x, t, ARK_ONE_STEP);
    }
    if (common->memory.refused) /* ARKODE creates its stages in the first step */
        return MS_NO_MEMORY;
    if (code < 0 || *t <= from || !ms_micro_finite(common->n, state))
        return MS_SOLVER_FAILED;
    if (code == ARK_TSTOP_RETURN)
        *t = common->end;
    ARKStepGetNumErrTestFails(data->arkode, &fails);
    *step = arkode_proposal(data, *t, *step, fails > fails_before);
    return MS_OK;
}

/* Micro-steps from t0 to the stop time or an event. *step: first the initial step (0: ARKODE's estimate), then the controller's proposal. */
static int arkode_march(arkode_data *data, double t0, double *step)
{
    double t = t0;
    for (long n = 0; t < data->common.end && n < data->common.instance->micro_steps_max; n++) {
        const double from = t;
        int status = arkode_step(data, &t, step);
        MS_THEN(status, ms_sundials_accept(&data->common, data->arkode, ARKStepGetDky, from, &t, 0));
        if (status != MS_OK)
            return status;
    }
    return t >= data->common.end ? MS_OK : MS_SOLVER_FAILED;
}

static int arkode_integrate(ms_instance *instance, int piece, double t0, double h)
{
    arkode_data *data = instance->solver_data;
    ms_sundials_begin(&data->common, piece, t0, h);
    if (arkode_restart(data, t0, instance->memory[0]) != ARK_SUCCESS)
        return MS_SOLVER_FAILED;
    const int status = arkode_march(data, t0, instance->memory);
    arkode_count(data);
    return status;
}

/* What both methods of ARKODE have. */
#define ARKODE                                                                                               \
    .library = MS_LIBRARY_SUNDIALS, .adaptive = true, .events = true, .memory = 1,                           \
    .data = sizeof(arkode_data), .create = arkode_create, .destroy = arkode_destroy,                         \
    .advance = ms_adaptive_advance, .integrate = arkode_integrate

const ms_solver ms_solver_arkode_erk = {.name = "arkode-erk",
                                        .summary = "ARKODE's explicit Runge-Kutta, Dormand and Prince 5(4)",
                                        .source = "Dormand and Prince 1980; Reynolds et al. 2023",
                                        ARKODE};

const ms_solver ms_solver_arkode_dirk = {.name = "arkode-dirk",
                                         .summary =
                                             "ARKODE's implicit Runge-Kutta, ESDIRK5(4)7L[2]SA2 (stiff)",
                                         .source = "Kennedy and Carpenter 2019; Reynolds et al. 2023",
                                         .implicit = true,
                                         .stiff = true,
                                         ARKODE};
