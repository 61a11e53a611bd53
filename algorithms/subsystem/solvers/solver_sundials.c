/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver_sundials.h"

#include <cvode/cvode.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "micro_done.h"

int ms_sundials_create(ms_sundials *common, ms_instance *instance, int n, bool implicit)
{
    const size_t nx = (size_t)instance->sub->nx;
    common->instance = instance;
    common->n = n;
    MS_TRY_MEMORY(ms_sundials_memory_create(&common->memory, n) == MS_OK);
    common->x = ms_sundials_vector(&common->memory, instance->state);
    common->sample = ms_sundials_vector(&common->memory, instance->state); /* until there is one */
    MS_TRY_MEMORY(common->x != NULL && common->sample != NULL);
    if (!implicit)
        return MS_OK;
    common->J = ms_sundials_matrix(&common->memory);
    common->A = malloc(sizeof(double) * (nx * nx + (size_t)instance->n_integrals));
    MS_TRY_MEMORY(common->J != NULL && common->A != NULL);
    common->q = common->A + nx * nx;
    common->linear = SUNLinSol_Dense(common->x, common->J, common->memory.context);
    return common->linear != NULL ? MS_OK : MS_NO_MEMORY;
}

void ms_sundials_destroy(ms_sundials *common)
{
    if (common->linear != NULL)
        SUNLinSolFree(common->linear);
    if (common->J != NULL)
        SUNMatDestroy(common->J);
    if (common->x != NULL)
        N_VDestroy(common->x);
    if (common->sample != NULL)
        N_VDestroy(common->sample);
    free(common->A);
    ms_sundials_memory_destroy(&common->memory);
    *common = (ms_sundials){0};
}

void ms_sundials_begin(ms_sundials *common, int piece, double t0, double h)
{
    common->piece = piece;
    common->begin = t0;
    common->end = t0 + h;
    common->known = false;
    N_VSetArrayPointer(common->instance->state, common->x);
    ms_micro_samples(common->instance, piece, &common->next, &common->last);
}

double ms_sundials_within(const ms_sundials *common, double t)
{
    return fmin(fmax(t, common->begin), common->end);
}

int ms_sundials_rhs(realtype t, N_Vector x, N_Vector dx, void *data)
{
    const ms_sundials *common = data;
    double *derivative = N_VGetArrayPointer(dx);
    for (int i = common->instance->sub->nx; i < common->n; i++)
        derivative[i] = 0.0;
    return ms_micro_state_rhs(common->instance, common->piece, ms_sundials_within(common, t),
                              N_VGetArrayPointer(x), derivative);
}

int ms_sundials_jacobian(realtype t, N_Vector x, N_Vector dx, SUNMatrix J, void *data, N_Vector a, N_Vector b,
                         N_Vector c)
{
    (void)dx, (void)a, (void)b, (void)c;
    ms_sundials *common = data;
    const int nx = common->instance->sub->nx;
    const double *A = common->A;
    int status = 0;
    if (!common->known)
        status = ms_instance_jacobian(common->instance, common->piece, ms_sundials_within(common, t),
                                      N_VGetArrayPointer(x), common->A);
    common->known = false;
    if (status != 0)
        return status;
    SUNMatZero(J);
    for (int i = 0; i < nx; i++)
        for (int j = 0; j < nx; j++) {
            SM_ELEMENT_D(J, i, j) = A[i * nx + j];
            if (!isfinite(A[i * nx + j]))
                return 1;
        }
    return 0;
}

void ms_sundials_silent(int code, const char *module, const char *function, char *text, void *common)
{
    (void)code, (void)module, (void)function, (void)text, (void)common;
}

/* The dense output of a solver after a micro-step. */
typedef struct interpolant {
    const ms_sundials *common;
    void *solver;
    ms_sundials_dense *dense;
} interpolant;

static int interpolate(void *data, double t, double *x)
{
    const interpolant *of = data;
    N_VSetArrayPointer(x, of->common->sample);
    return of->dense(of->solver, t, 0, of->common->sample);
}

/* The state at t within the micro-step that began at `from`. */
static int sample_inside(const ms_sundials *common, interpolant *of, double from, double t, double *state)
{
    ms_instance *instance = common->instance;
    if (interpolate(of, t, state) != 0)
        return MS_SOLVER_FAILED;
    if (common->n == instance->n_state)
        return MS_OK;
    memcpy(state + common->n, common->q, sizeof(double) * (size_t)instance->n_integrals);
    return ms_micro_integrate(instance, common->piece, from, t, interpolate, of, state + common->n);
}

int ms_sundials_accept(ms_sundials *common, void *solver, ms_sundials_dense *dense, double from, double *to,
                       int order)
{
    ms_instance *instance = common->instance;
    interpolant of = {.common = common, .solver = solver, .dense = dense};
    const int done = ms_micro_done(instance, common->piece, from, to, order, interpolate, &of);
    int status = done == MS_STOPPED ? MS_OK : done;
    if (common->n < instance->n_state && status == MS_OK) {
        double *q = instance->state + common->n;
        memcpy(common->q, q, sizeof(double) * (size_t)instance->n_integrals);
        status = ms_micro_integrate(instance, common->piece, from, *to, interpolate, &of, q);
    }
    for (; common->next < common->last && status == MS_OK; common->next++) {
        const double t = ms_sundials_within(common, ms_micro_sample_time(instance, common->next));
        double *state = ms_micro_sample(instance, common->next);
        if (t > *to)
            break;
        if (t >= *to)
            memcpy(state, instance->state, sizeof(double) * (size_t)instance->n_state);
        else
            status = sample_inside(common, &of, from, fmax(t, from), state);
    }
    return status == MS_OK ? done : status;
}

/* Multistep methods -------------------------------------------------------------------------------------- */

/* Micro-steps from t0 to the stop time or an event. */
static int march(ms_sundials_multistep *data, double t0)
{
    ms_sundials *common = &data->common;
    double t = t0, from = t0;
    for (long n = 0; t < common->end && n < common->instance->micro_steps_max; n++, from = t) {
        int order = 0;
        const int code = data->step(data, &t, &order);
        if (code < 0 || t <= from || !ms_micro_finite(common->n, common->instance->state))
            return MS_SOLVER_FAILED;
        if (code == CV_TSTOP_RETURN) /* IDA's number, too */
            t = common->end;
        MS_TRY(ms_sundials_accept(common, data->solver, data->dense, from, &t, order));
    }
    return t >= common->end ? MS_OK : MS_SOLVER_FAILED;
}

/* The piece in *steps micro-steps. */
static int try(ms_sundials_multistep *data, double t0, bool restart, long *steps)
{
    ms_work *work = &data->common.instance->work, before = {0}, after = {0};
    if (restart && data->restart(data, t0) != 0)
        return MS_SOLVER_FAILED;
    if (!restart)
        data->count(data, &before);
    if (data->stop(data->solver, data->common.end) != 0)
        return MS_SOLVER_FAILED;
    const int status = march(data, t0);
    data->count(data, &after);
    *steps = after.micro_steps - before.micro_steps;
    work->micro_steps += *steps;
    work->error_test_failures += after.error_test_failures - before.error_test_failures;
    work->convergence_failures += after.convergence_failures - before.convergence_failures;
    work->jacobian_evaluations += after.jacobian_evaluations - before.jacobian_evaluations;
    return status;
}

int ms_sundials_advance(ms_sundials_multistep *data, double t0, bool restart)
{
    ms_instance *instance = data->common.instance;
    long steps = 0;
    const int status = try(data, t0, restart, &steps);
    if (status != MS_SOLVER_FAILED || restart || steps > 0)
        return status;
    memcpy(instance->state, data->history.x_reached, sizeof(double) * (size_t)instance->sub->nx);
    return try(data, t0, true, &steps);
}
