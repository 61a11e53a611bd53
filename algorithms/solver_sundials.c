#include "solver_sundials.h"

#include <math.h>
#include <string.h>

#include "micro_step.h"

int ms_sundials_create(ms_sundials *common, ms_instance *instance, bool implicit)
{
    const int nx = instance->sub->nx;
    common->instance = instance;
    if (SUNContext_Create(NULL, &common->context) != 0)
        return MS_NO_MEMORY;
    common->x = N_VMake_Serial(nx, instance->x, common->context);
    common->sample = N_VMake_Serial(nx, instance->samples, common->context);
    if (common->x == NULL || common->sample == NULL)
        return MS_NO_MEMORY;
    if (!implicit)
        return MS_OK;
    common->J = SUNDenseMatrix(nx, nx, common->context);
    if (common->J == NULL)
        return MS_NO_MEMORY;
    common->linear = SUNLinSol_Dense(common->x, common->J, common->context);
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
    if (common->context != NULL)
        SUNContext_Free(&common->context);
    *common = (ms_sundials){0};
}

void ms_sundials_begin(ms_sundials *common, int piece, double t0, double h)
{
    common->piece = piece;
    common->begin = t0;
    common->end = t0 + h;
    N_VSetArrayPointer(common->instance->x, common->x);
    ms_micro_samples(common->instance, piece, &common->next, &common->last);
}

/* Internal times may miss the ends of a piece by round-off. */
static double within(const ms_sundials *common, double t)
{
    return fmin(fmax(t, common->begin), common->end);
}

int ms_sundials_rhs(realtype t, N_Vector x, N_Vector dx, void *data)
{
    const ms_sundials *common = data;
    return ms_micro_rhs(common->instance, common->piece, within(common, t), N_VGetArrayPointer(x),
                        N_VGetArrayPointer(dx));
}

int ms_sundials_jacobian(realtype t, N_Vector x, N_Vector dx, SUNMatrix J, void *data, N_Vector a, N_Vector b,
                         N_Vector c)
{
    (void)dx, (void)a, (void)b, (void)c;
    const ms_sundials *common = data;
    const int nx = common->instance->sub->nx;
    double *A = SUNDenseMatrix_Data(J);
    const int status =
        ms_instance_jacobian(common->instance, common->piece, within(common, t), N_VGetArrayPointer(x), A);
    if (status != 0)
        return status;
    for (int i = 0; i < nx; i++) /* from rows to columns */
        for (int j = 0; j < i; j++) {
            const double swap = A[i * nx + j];
            A[i * nx + j] = A[j * nx + i];
            A[j * nx + i] = swap;
        }
    return ms_micro_finite(nx * nx, A) ? 0 : 1;
}

void ms_sundials_silent(int code, const char *module, const char *function, char *text, void *common)
{
    (void)code, (void)module, (void)function, (void)text, (void)common;
}

int ms_sundials_sample(ms_sundials *common, void *solver, ms_sundials_dense *dense, double from, double to)
{
    const ms_instance *instance = common->instance;
    for (; common->next < common->last; common->next++) {
        const double t = within(common, ms_instance_sample_time(instance, common->next));
        double *x = ms_micro_sample(instance, common->next);
        if (t > to)
            break;
        if (t >= to)
            memcpy(x, instance->x, sizeof(double) * (size_t)instance->sub->nx);
        else {
            N_VSetArrayPointer(x, common->sample);
            if (dense(solver, fmax(t, from), 0, common->sample) != 0)
                return MS_SOLVER_FAILED;
        }
    }
    return MS_OK;
}
