/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cvode_predictor.h"

#include <cvode/cvode.h>
#include <float.h>
#include <math.h>

#include "matrix.h"
#include "micro_step.h"

/* Derivatives under the new input ------------------------------------------------------------------------ */

/* ddx += f_u u' + f_t. Returns 0, or a positive number where f is not defined. */
static int add_time_derivative(const ms_sundials *common, const double *dx, double *later, double *ddx)
{
    ms_instance *instance = common->instance;
    const ms_subsystem *sub = instance->sub;
    const double t = common->begin;
    if (instance->blocks != NULL && instance->n_laws == 0 && (sub->nw == 0 || sub->external_constant)) {
        ms_input_evaluate(&instance->input, common->piece, 1, t - instance->t, instance->du);
        ms_matrix_add(sub->nx, sub->nu, instance->blocks->B, instance->du, ddx); /* B u' */
        return 0;
    }
    const double near = fmin(t + sqrt(DBL_EPSILON) * ms_time_scale(instance->system, t), common->end);
    if (ms_micro_state_rhs(instance, common->piece, near, instance->state, later) != 0)
        return 1;
    for (int i = 0; i < sub->nx; i++)
        ddx[i] += (later[i] - dx[i]) / (near - t);
    return 0;
}

/* x'' = f_x x' + f_u u' + f_t (nx); later: scratch (nx). */
static int second_derivative(const ms_sundials *common, const double *dx, double *later, double *ddx)
{
    ms_instance *instance = common->instance;
    const int nx = instance->sub->nx;
    if (ms_instance_jacobian(instance, common->piece, common->begin, instance->state, common->A) != 0)
        return 1;
    ms_matrix_multiply(nx, nx, common->A, dx, ddx);
    if (add_time_derivative(common, dx, later, ddx) != 0)
        return 1;
    return ms_micro_finite(nx, ddx) ? 0 : 1;
}

/* CVODE's array ------------------------------------------------------------------------------------------ */

/* Replaces capture = sum_j c_j z_j, j = q..1. */
static int capture_combination(int n, realtype *c, N_Vector *z, N_Vector capture)
{
    (void)c;
    ms_nordsieck *array = capture->content;
    array->order = n;
    array->z1 = z[n - 1];
    array->z2 = n > 1 ? z[n - 2] : NULL;
    return 0;
}

/* Replaces capture = capture / h. */
static void capture_scale(realtype c, N_Vector from, N_Vector capture)
{
    (void)from;
    ms_nordsieck *array = capture->content;
    array->h = 1.0 / c;
}

int ms_cvode_predictor_create(SUNContext context, int derivatives, ms_cvode_predictor *predictor)
{
    *predictor = (ms_cvode_predictor){.derivatives = derivatives};
    predictor->capture = N_VNewEmpty(context);
    MS_TRY_MEMORY(predictor->capture);
    predictor->capture->content = &predictor->array;
    predictor->capture->ops->nvlinearcombination = capture_combination;
    predictor->capture->ops->nvscale = capture_scale;
    return MS_OK;
}

void ms_cvode_predictor_destroy(ms_cvode_predictor *predictor)
{
    if (predictor->capture != NULL)
        N_VFreeEmpty(predictor->capture);
    *predictor = (ms_cvode_predictor){0};
}

int ms_cvode_predictor_read(ms_cvode_predictor *predictor, void *cvode)
{
    double t;
    predictor->array = (ms_nordsieck){0};
    if (CVodeGetCurrentTime(cvode, &t) != CV_SUCCESS ||
        CVodeGetDky(cvode, t, 1, predictor->capture) != CV_SUCCESS)
        return MS_SOLVER_FAILED;
    return predictor->array.order > 0 && isfinite(predictor->array.h) ? MS_OK : MS_SOLVER_FAILED;
}

/* z = factor x^(j) */
static void replace(N_Vector z, double factor, int nx, const double *derivative)
{
    double *column = N_VGetArrayPointer(z);
    for (int i = 0; i < nx; i++)
        column[i] = factor * derivative[i];
}

int ms_cvode_predictor_correct(ms_cvode_predictor *predictor, void *cvode, ms_sundials *common)
{
    ms_instance *instance = common->instance;
    const int nx = instance->sub->nx;
    const ms_nordsieck *array = &predictor->array;
    double *dx = instance->dx, *ddx = dx + nx, *later = ddx + nx;
    if (ms_cvode_predictor_read(predictor, cvode) != MS_OK ||
        ms_micro_state_rhs(instance, common->piece, common->begin, instance->state, dx) != 0)
        return MS_SOLVER_FAILED;
    const bool second = predictor->derivatives == 2 && array->z2 != NULL;
    if (second && second_derivative(common, dx, later, ddx) != 0)
        return MS_SOLVER_FAILED;
    replace(array->z1, array->h, nx, dx);
    if (second) {
        replace(array->z2, 0.5 * array->h * array->h, nx, ddx);
        predictor->handed = common->known = true;
        CVodeSetLSetupFrequency(cvode, 1);
        CVodeSetJacEvalFrequency(cvode, 1);
    }
    return MS_OK;
}

void ms_cvode_predictor_done(ms_cvode_predictor *predictor, void *cvode)
{
    if (!predictor->handed)
        return;
    predictor->handed = false;
    CVodeSetLSetupFrequency(cvode, 0); /* 0: CVODE's defaults */
    CVodeSetJacEvalFrequency(cvode, 0);
}
