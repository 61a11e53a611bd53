/* solver_arkode.c - Runge-Kutta methods with adaptive steps from ARKODE (SUNDIALS):
 *
 *     arkode-erk    Dormand and Prince 5(4), explicit, 7 stages, first same as last
 *     arkode-dirk   Kennedy and Carpenter's ESDIRK5(4)7L[2]SA2: diagonally implicit, explicit first stage,
 *                   7 stages, order 5, L-stable, stiffly accurate; Newton with the subsystem's own Jacobian
 *
 * Every piece starts anew with the controller's step size at the end of the last one: it is the only
 * memory, and saved with the state (0 at the start of a run: ARKODE's own estimate). Where an explicit
 * stage leaves the domain of f, which ARKODE takes for fatal, the step is tried again with an eighth of
 * its length.
 *
 * The linear system is set up in every micro-step. Kept longer, as ARKODE would, its estimate of the
 * convergence rate falls to nothing while the matrix is exact (linear subsystems), and one Newton
 * iteration is then accepted unseen when the step, and with it the matrix, changes at the end of a piece:
 * errors 10^4 times the tolerance.
 *
 * Sources: Dormand and Prince, J. Comput. Appl. Math. 6 (1980); Kennedy and Carpenter, Appl. Numer. Math.
 * 146 (2019); Reynolds et al., ARKODE, ACM Trans. Math. Software 49 (2023). */
#include <arkode/arkode_arkstep.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instance.h"
#include "micro_step.h"
#include "solver_sundials.h"

enum { RETRIES_MAX = 20 };

typedef struct arkode_data {
    ms_sundials common;
    void *arkode;
    ARKRhsFn explicit_rhs, implicit_rhs; /* one of them NULL */
    double *accepted;                    /* state after the last accepted micro-step (nx) */
} arkode_data;

static void arkode_destroy(ms_instance *instance)
{
    arkode_data *data = instance->solver_data;
    if (data == NULL)
        return;
    ARKStepFree(&data->arkode);
    ms_sundials_destroy(&data->common);
    free(data->accepted);
    free(data);
    instance->solver_data = NULL;
}

/* ARKODE's own memory and settings. Returns 0, or ARKODE's code. */
static int arkode_setup(arkode_data *data, const ms_solver_options *options)
{
    ms_sundials *common = &data->common;
    const bool implicit = data->implicit_rhs != NULL;
    data->arkode = ARKStepCreate(data->explicit_rhs, data->implicit_rhs, 0.0, common->x, common->context);
    if (data->arkode == NULL)
        return ARK_MEM_FAIL;
    int code = ARKStepSetErrHandlerFn(data->arkode, ms_sundials_silent, NULL);
    if (code == ARK_SUCCESS)
        code = ARKStepSetTableNum(data->arkode, implicit ? ARKODE_ESDIRK547L2SA2_7_4_5 : ARKODE_DIRK_NONE,
                                  implicit ? ARKODE_ERK_NONE : ARKODE_DORMAND_PRINCE_7_4_5);
    if (code == ARK_SUCCESS)
        code = ARKStepSStolerances(data->arkode, options->rtol, options->atol);
    if (code == ARK_SUCCESS)
        code = ARKStepSetUserData(data->arkode, common);
    if (code == ARK_SUCCESS)
        code = ARKStepSetMaxHnilWarns(data->arkode, -1);
    if (code == ARK_SUCCESS && implicit)
        code = ARKStepSetLinearSolver(data->arkode, common->linear, common->J);
    if (code == ARK_SUCCESS && implicit)
        code = ARKStepSetJacFn(data->arkode, ms_sundials_jacobian);
    if (code == ARK_SUCCESS && implicit)
        code = ARKStepSetLSetupFrequency(data->arkode, 1);
    return code;
}

static int arkode_create(ms_instance *instance, const ms_solver_options *options, bool implicit,
                         ms_error *error)
{
    const char *name = instance->solver->name;
    if (instance->sub->nx == 0)
        return MS_OK;
    arkode_data *data = calloc(1, sizeof *data);
    instance->solver_data = data;
    if (data == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for solver %s", name);
    data->explicit_rhs = implicit ? NULL : ms_sundials_rhs;
    data->implicit_rhs = implicit ? ms_sundials_rhs : NULL;
    data->accepted = malloc(sizeof(double) * (size_t)instance->sub->nx);
    if (data->accepted == NULL || ms_sundials_create(&data->common, instance, implicit) != MS_OK)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for solver %s", name);
    const int code = arkode_setup(data, options);
    if (code == ARK_MEM_FAIL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for solver %s", name);
    if (code != ARK_SUCCESS)
        return ms_fail(error, MS_INVALID, "solver %s does not take rtol %.17g and atol %.17g", name,
                       options->rtol, options->atol);
    return MS_OK;
}

static int arkode_erk_create(ms_instance *instance, const ms_solver_options *options, ms_error *error)
{
    return arkode_create(instance, options, false, error);
}

static int arkode_dirk_create(ms_instance *instance, const ms_solver_options *options, ms_error *error)
{
    return arkode_create(instance, options, true, error);
}

/* From (t, instance->x) with the first step `step`, 0: ARKODE's estimate. */
static int arkode_restart(arkode_data *data, double t, double step)
{
    int code = ARKStepReInit(data->arkode, data->explicit_rhs, data->implicit_rhs, t, data->common.x);
    if (code == ARK_SUCCESS)
        code = ARKStepSetInitStep(data->arkode, step);
    if (code == ARK_SUCCESS)
        code = ARKStepSetStopTime(data->arkode, data->common.end);
    return code;
}

/* Adds ARKODE's counters, which a restart clears, to the instance's. */
static void arkode_count(const arkode_data *data)
{
    long steps = 0, fails = 0;
    ARKStepGetNumSteps(data->arkode, &steps);
    ARKStepGetNumErrTestFails(data->arkode, &fails);
    data->common.instance->work.micro_steps += steps;
    data->common.instance->work.error_test_failures += fails;
}

/* The controller's step size after a micro-step of the last accepted length, given the one before. What
 * ARKODE proposes is cut at the stop time, and a step that is cut says nothing, unless its error test
 * failed first. */
static double arkode_proposal(const arkode_data *data, double t, double before, bool failed)
{
    double last = 0.0, next = 0.0;
    ARKStepGetLastStep(data->arkode, &last);
    ARKStepGetCurrentStep(data->arkode, &next);
    if (t >= data->common.end)
        return failed ? last : fmax(before, last);
    return next < (1.0 - 1e-8) * (data->common.end - t) ? next : fmax(next, last);
}

/* One micro-step from *t; where f is not defined at an explicit stage, with an eighth of *step, and so on. */
static int arkode_step(arkode_data *data, double *t, double *step)
{
    ms_sundials *common = &data->common;
    double *x = common->instance->x;
    const size_t size = sizeof(double) * (size_t)common->instance->sub->nx;
    const double from = *t;
    long fails_before = 0, fails = 0;
    memcpy(data->accepted, x, size);
    ARKStepGetNumErrTestFails(data->arkode, &fails_before);
    int code = ARKStepEvolve(data->arkode, common->end, common->x, t, ARK_ONE_STEP);
    for (int retry = 0; code == ARK_UNREC_RHSFUNC_ERR && retry < RETRIES_MAX; retry++) {
        const double left = common->end - from;
        *t = from;
        *step = (*step > 0.0 ? fmin(*step, left) : left) / 8.0;
        memcpy(x, data->accepted, size);
        arkode_count(data);
        fails_before = 0;
        if (arkode_restart(data, from, *step) != ARK_SUCCESS)
            return MS_SOLVER_FAILED;
        code = ARKStepEvolve(data->arkode, common->end, common->x, t, ARK_ONE_STEP);
    }
    if (code < 0 || *t <= from || !ms_micro_finite(common->instance->sub->nx, x))
        return MS_SOLVER_FAILED;
    if (code == ARK_TSTOP_RETURN)
        *t = common->end;
    ARKStepGetNumErrTestFails(data->arkode, &fails);
    *step = arkode_proposal(data, *t, *step, fails > fails_before);
    return MS_OK;
}

/* Micro-steps from t0 to the stop time; *step: the first (0: ARKODE's estimate), then the controller's. */
static int arkode_march(arkode_data *data, double t0, double *step)
{
    double t = t0;
    for (long n = 0; t < data->common.end && n < MS_MICRO_STEPS_MAX; n++) {
        const double from = t;
        if (arkode_step(data, &t, step) != MS_OK ||
            ms_sundials_sample(&data->common, data->arkode, ARKStepGetDky, from, t) != MS_OK)
            return MS_SOLVER_FAILED;
    }
    return t >= data->common.end ? MS_OK : MS_SOLVER_FAILED;
}

static int arkode_advance(ms_instance *instance, int piece, double t0, double h, bool discontinuous)
{
    (void)discontinuous;
    arkode_data *data = instance->solver_data;
    if (instance->sub->nx == 0)
        return MS_OK;
    if (ms_micro_tiny(t0, h))
        return ms_micro_tiny_advance(instance, piece, t0, h);
    double step = instance->memory[0];
    ms_sundials_begin(&data->common, piece, t0, h);
    if (arkode_restart(data, t0, step) != ARK_SUCCESS)
        return MS_SOLVER_FAILED;
    const int status = arkode_march(data, t0, &step);
    arkode_count(data);
    instance->memory[0] = step;
    return status;
}

const ms_solver ms_solver_arkode_erk = {.name = "arkode-erk",
                                        .summary = "ARKODE's explicit Runge-Kutta, Dormand and Prince 5(4)",
                                        .source = "Dormand and Prince 1980; Reynolds et al. 2023",
                                        .adaptive = true,
                                        .memory = 1,
                                        .create = arkode_erk_create,
                                        .destroy = arkode_destroy,
                                        .advance = arkode_advance};

const ms_solver ms_solver_arkode_dirk = {.name = "arkode-dirk",
                                         .summary =
                                             "ARKODE's implicit Runge-Kutta, ESDIRK5(4)7L[2]SA2 (stiff)",
                                         .source = "Kennedy and Carpenter 2019; Reynolds et al. 2023",
                                         .adaptive = true,
                                         .memory = 1,
                                         .create = arkode_dirk_create,
                                         .destroy = arkode_destroy,
                                         .advance = arkode_advance};
