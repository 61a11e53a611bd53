/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_gsl.c - shared by the solvers of GSL's odeiv2: equations, step-size control, and micro-steps.
 *
 * The control is GSL's standard one: the error of each micro-step is kept below atol + rtol |x|, entry by
 * entry. A step that would leave less than its length is cut to half of the remainder, to avoid a tiny last step.
 * GSL's error handler, which ends the program, is switched off permanently when the first instance is created.
 *
 * Integrals q of outputs are outside error control, and x has the same bits with and without them.
 * Explicit one-step methods integrate them as additional states without step-size control; for others see
 * solver_gsl_within.c.
 *
 * GSL's LU decomposition allocates its vector of pivots each time (gsl_linalg_LU_decomp); hence only the implicit
 * methods allocate inside a micro-step.
 */
#include "solver_gsl.h"

#include <float.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chosen_step.h"
#include "micro_done.h"

/* Equations ---------------------------------------------------------------------------------------------- */

/* t, moved inside the piece if it is outside by round-off. */
static double inside(const ms_gsl *data, double t)
{
    return fmin(fmax(t, data->begin), data->end);
}

/* x'. On failure GSL repeats the step with a smaller one, unless the code is GSL_EBADFUNC or GSL_EFAULT. */
static int state_rhs(double t, const double x[], double dx[], void *parameter)
{
    const ms_gsl *data = parameter;
    const int status = ms_micro_state_rhs(data->instance, data->piece, inside(data, t), x, dx);
    return status == 0 ? GSL_SUCCESS : GSL_FAILURE;
}

/* (x', q'). */
static int whole_rhs(double t, const double x[], double dx[], void *parameter)
{
    const ms_gsl *data = parameter;
    return ms_micro_rhs(data->instance, data->piece, inside(data, t), x, dx) == 0 ? GSL_SUCCESS : GSL_FAILURE;
}

/* df/dx (nx x nx) for methods that do not need df/dt. */
static int jacobian(double t, const double x[], double *A, double dfdt[], void *parameter)
{
    const ms_gsl *data = parameter;
    const int nx = data->instance->sub->nx;
    memset(dfdt, 0, sizeof(double) * (size_t)nx);
    if (ms_instance_jacobian(data->instance, data->piece, inside(data, t), x, A) != 0)
        return GSL_FAILURE;
    return ms_micro_finite(nx * nx, A) ? GSL_SUCCESS : GSL_FAILURE;
}

/* The same with df/dt, by differences that stay within the piece. */
static int jacobian_with_time(double t, const double x[], double *A, double dfdt[], void *parameter)
{
    ms_gsl *data = parameter;
    const int nx = data->instance->sub->nx;
    const double step =
        6e-6 * fmax(data->end - data->begin, DBL_EPSILON * fabs(t)); /* cube root of round-off */
    const double later = inside(data, t + step), earlier = inside(data, t - step);
    double *f = data->scratch;
    int status = jacobian(t, x, A, dfdt, parameter);
    if (status == GSL_SUCCESS && later > earlier) {
        status = state_rhs(later, x, dfdt, data);
        if (status == GSL_SUCCESS)
            status = state_rhs(earlier, x, f, data);
        for (int i = 0; i < nx; i++)
            dfdt[i] = (dfdt[i] - f[i]) / (later - earlier);
    }
    return status;
}

/* Creation ----------------------------------------------------------------------------------------------- */

void ms_gsl_destroy(ms_instance *instance)
{
    ms_gsl *data = instance->solver_data;
    if (data->driver != NULL)
        gsl_odeiv2_driver_free(data->driver);
    if (data->sampler != NULL)
        gsl_odeiv2_step_free(data->sampler);
    free(data->start);
}

/* The driver's step-size control, restricted to the states: the only function of a control that
 * gsl_odeiv2_evolve_apply calls. */
static int states_hadjust(void *parameter, size_t dimension, unsigned int order, const double x[],
                          const double error[], const double dx[], double *h)
{
    (void)dimension;
    const ms_gsl *data = parameter;
    const gsl_odeiv2_control *control = data->driver->c;
    return control->type->hadjust(control->state, (size_t)data->instance->sub->nx, order, x, error, dx, h);
}

static const gsl_odeiv2_control_type states_control = {.name = "states", .hadjust = states_hadjust};

static int allocate(ms_gsl *data, const gsl_odeiv2_step_type *type)
{
    const ms_instance *instance = data->instance;
    const size_t nx = (size_t)instance->sub->nx, n = (size_t)instance->n_state;
    const gsl_odeiv2_system whole = {.function = whole_rhs, .dimension = n, .params = data};
    gsl_odeiv2_system states = {.function = state_rhs, .dimension = nx, .params = data};
    const bool multistep = instance->solver->multistep;
    if (data->implicit)
        states.jacobian = type == gsl_odeiv2_step_bsimp ? jacobian_with_time : jacobian;
    data->within = data->implicit ? states : whole;
    data->system = data->implicit || multistep ? states : whole;
    data->start = malloc(sizeof(double) * (4 * n + MS_GSL_PAST * nx));
    MS_TRY_MEMORY(data->start);
    data->error = data->start + n;
    data->scratch = data->error + n;
    data->past = data->scratch + 2 * n;
    data->driver = gsl_odeiv2_driver_alloc_y_new(&data->system, type, 1.0, data->atol, data->rtol);
    data->control = (gsl_odeiv2_control){.type = &states_control, .state = data};
    MS_TRY_MEMORY(data->driver);
    if (data->implicit && multistep)
        return MS_OK; /* interpolates */
    data->sampler =
        gsl_odeiv2_step_alloc(data->implicit ? type : gsl_odeiv2_step_rk8pd, data->within.dimension);
    MS_TRY_MEMORY(data->sampler);
    const int code = gsl_odeiv2_step_set_driver(data->sampler, data->driver);
    return code == GSL_SUCCESS ? MS_OK : MS_NO_MEMORY; /* tolerances of its Newton iteration */
}

int ms_gsl_create(ms_instance *instance, const ms_solver_options *options, ms_error *error)
{
    const ms_gsl_method *method = instance->solver->own;
    ms_gsl *data = instance->solver_data;
    (void)error;
    gsl_set_error_handler_off();
    data->instance = instance;
    data->rtol = options->rtol;
    data->atol = options->atol;
    data->implicit = instance->solver->implicit;
    return allocate(data, *method->type);
}

/* Micro-steps -------------------------------------------------------------------------------------------- */

void ms_gsl_begin(ms_gsl *data, int piece, double t0, double h)
{
    data->piece = piece;
    data->begin = t0;
    data->end = t0 + h;
}

/* One micro-step of GSL from *t. */
static int evolve(ms_gsl *data, double *t, double *step)
{
    ms_instance *instance = data->instance;
    const gsl_odeiv2_driver *driver = data->driver;
    const double left = data->end - *t;
    const bool final = *step >= (1.0 - 1e-9) * left;
    const double wanted = final ? 2.0 * left : *step > 0.5 * left ? 0.5 * left : *step;
    double proposal = wanted; /* GSL truncates a final step and then keeps the proposal */
    data->from = *t;
    memcpy(data->start, instance->state, sizeof(double) * (size_t)instance->n_state);
    const int code = gsl_odeiv2_evolve_apply(driver->e, &data->control, driver->s, &data->system, t,
                                             data->end, &proposal, instance->state);
    if (code != GSL_SUCCESS || *t <= data->from ||
        !ms_micro_finite((int)data->system.dimension, instance->state))
        return MS_SOLVER_FAILED;
    if (!final || *t < data->end)
        *step = proposal;
    return MS_OK;
}

static int march(ms_gsl *data, double *step)
{
    ms_instance *instance = data->instance;
    int next, last, status = MS_OK;
    double t = data->begin;
    ms_micro_samples(instance, data->piece, &next, &last);
    for (long n = 0; t < data->end && n < instance->micro_steps_max && status == MS_OK; n++) {
        status = evolve(data, &t, step);
        if (status != MS_OK)
            break;
        instance->work.micro_steps++;
        ms_gsl_remember(data, t);
        const int order = (int)gsl_odeiv2_step_order(data->driver->s);
        status = ms_micro_done(instance, data->piece, data->from, &t, order, ms_gsl_dense, data);
        if (status != MS_SOLVER_FAILED &&
            (ms_gsl_integrate(data, t) != MS_OK ||
             ms_chosen_sample(instance, t, data->end, ms_gsl_whole, data, &next, last) != MS_OK))
            status = MS_SOLVER_FAILED;
    }
    return status != MS_OK || t >= data->end ? status : MS_SOLVER_FAILED;
}

double ms_gsl_first_step(ms_gsl *data)
{
    const ms_gsl_method *method = data->instance->solver->own;
    const ms_chosen_step step = {data->instance, data->piece, method->order,
                                 data->rtol,     data->atol,  data->error};
    return ms_chosen_first_step(&step, data->begin, data->end - data->begin);
}

int ms_gsl_restart(ms_gsl *data)
{
    if (gsl_odeiv2_driver_reset(data->driver) != GSL_SUCCESS)
        return MS_SOLVER_FAILED;
    data->n_past = 0;
    ms_gsl_remember(data, data->begin);
    return MS_OK;
}

int ms_gsl_advance(ms_gsl *data, double *step)
{
    ms_work *work = &data->instance->work;
    const gsl_odeiv2_evolve *evolution = data->driver->e;
    const unsigned long fails = evolution->failed_steps;
    const int status = *step > 0.0 ? march(data, step) : MS_SOLVER_FAILED;
    work->error_test_failures += (long)(evolution->failed_steps - fails);
    return status;
}
