/* solver_gsl.c - two steppers of GSL's odeiv2 with its standard step-size control:
 *
 *     gsl-rk8pd     Prince and Dormand 8(7) with 13 stages, explicit; its step size is saved with the state
 *     gsl-msadams   Adams in Nordsieck form, variable order 1 to 12, functional iteration; where the input
 *                   jumps it restarts at order 1 with a first step from Hairer, Norsett, Wanner's rule, or
 *                   proceeds
 *
 * Integrals q of outputs are outside error control, and x has the same bits with and without them. gsl-rk8pd
 * takes them as further states that its step-size control does not see. gsl-msadams knows nothing of them:
 * after each of its micro-steps one step of rk8pd over it integrates x and q together, and q is kept of that.
 * (As states of Adams they would get its first order wherever x moves on a straight line: there steps have
 * any length.)
 *
 * Samples inside a micro-step: one step of rk8pd from its start to the sample's time, outside error
 * control. A step that would leave less than its own length is cut to half of what is left: no sliver at
 * the end of a piece. GSL's error handler, which ends the program, is switched off for good when the first
 * instance is made.
 *
 * Sources: Prince and Dormand, J. Comput. Appl. Math. 7 (1981); Byrne and Hindmarsh, ACM Trans. Math.
 * Software 1 (1975); Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.4 (starting
 * step). */
#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instance.h"
#include "micro_step.h"

typedef struct gsl_data {
    ms_instance *instance;
    int piece;
    double begin, end; /* of the piece [s] */
    ms_input_change input_change;
    double rtol, atol;
    gsl_odeiv2_system system, whole; /* of nx or n_state entries: the driver's; of n_state entries */
    gsl_odeiv2_driver *driver;
    gsl_odeiv2_control control;      /* that of the driver, for x alone */
    gsl_odeiv2_step *sampler;        /* of the whole state */
    bool stands; /* at t_stands with x_stands and proposed step, ready to go on */
    double t_stands, step_stands;
    double *x_stands, *start, *error, *scratch; /* nx; n_state: before the micro-step; n_state; 2 n_state */
} gsl_data;

/* t but for round-off at the ends of a piece. */
static double within(const gsl_data *data, double t)
{
    return fmin(fmax(t, data->begin), data->end);
}

/* x'. GSL tries a smaller step where this fails with anything but GSL_EBADFUNC and GSL_EFAULT. */
static int state_rhs(double t, const double x[], double dx[], void *parameter)
{
    const gsl_data *data = parameter;
    const int status = ms_micro_state_rhs(data->instance, data->piece, within(data, t), x, dx);
    return status == 0 ? GSL_SUCCESS : GSL_FAILURE;
}

/* (x', q'). */
static int whole_rhs(double t, const double x[], double dx[], void *parameter)
{
    const gsl_data *data = parameter;
    return ms_micro_rhs(data->instance, data->piece, within(data, t), x, dx) == 0 ? GSL_SUCCESS : GSL_FAILURE;
}

static void gsl_destroy(ms_instance *instance)
{
    gsl_data *data = instance->solver_data;
    if (data == NULL)
        return;
    if (data->driver != NULL)
        gsl_odeiv2_driver_free(data->driver);
    if (data->sampler != NULL)
        gsl_odeiv2_step_free(data->sampler);
    free(data->x_stands);
    free(data);
    instance->solver_data = NULL;
}

/* The driver's control of the step size, for the states alone: the only part of a control that
 * gsl_odeiv2_evolve_apply calls. */
static int states_hadjust(void *parameter, size_t dimension, unsigned int order, const double x[],
                          const double error[], const double dx[], double *h)
{
    (void)dimension;
    const gsl_data *data = parameter;
    const gsl_odeiv2_control *control = data->driver->c;
    return control->type->hadjust(control->state, (size_t)data->instance->sub->nx, order, x, error, dx, h);
}

static const gsl_odeiv2_control_type states_control = {.name = "states", .hadjust = states_hadjust};

static int gsl_allocate(gsl_data *data, const gsl_odeiv2_step_type *type)
{
    const ms_instance *instance = data->instance;
    const size_t nx = (size_t)instance->sub->nx, n = (size_t)instance->n_state;
    data->whole = (gsl_odeiv2_system){.function = whole_rhs, .dimension = n, .params = data};
    data->system = data->whole;
    if (instance->solver->multistep)
        data->system = (gsl_odeiv2_system){.function = state_rhs, .dimension = nx, .params = data};
    data->x_stands = malloc(sizeof(double) * (nx + 4 * n));
    if (data->x_stands == NULL)
        return MS_NO_MEMORY;
    data->start = data->x_stands + nx;
    data->error = data->start + n;
    data->scratch = data->error + n;
    data->driver = gsl_odeiv2_driver_alloc_y_new(&data->system, type, 1.0, data->atol, data->rtol);
    data->control = (gsl_odeiv2_control){.type = &states_control, .state = data};
    data->sampler = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, n);
    return data->driver != NULL && data->sampler != NULL ? MS_OK : MS_NO_MEMORY;
}

static int gsl_create(ms_instance *instance, const ms_solver_options *options,
                      const gsl_odeiv2_step_type *type, ms_error *error)
{
    const char *name = instance->solver->name;
    if (!(options->rtol >= 0.0 && options->atol >= 0.0 && options->rtol + options->atol > 0.0))
        return ms_fail(error, MS_INVALID, "solver %s does not take rtol %.17g and atol %.17g", name,
                       options->rtol, options->atol);
    if (instance->sub->nx == 0)
        return MS_OK;
    gsl_set_error_handler_off();
    gsl_data *data = calloc(1, sizeof *data);
    instance->solver_data = data;
    if (data == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for solver %s", name);
    data->instance = instance;
    data->input_change = options->input_change;
    data->rtol = options->rtol;
    data->atol = options->atol;
    if (gsl_allocate(data, type) != MS_OK)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for solver %s", name);
    return MS_OK;
}

static int gsl_rk8pd_create(ms_instance *instance, const ms_solver_options *options, ms_error *error)
{
    return gsl_create(instance, options, gsl_odeiv2_step_rk8pd, error);
}

static int gsl_msadams_create(ms_instance *instance, const ms_solver_options *options, ms_error *error)
{
    return gsl_create(instance, options, gsl_odeiv2_step_msadams, error);
}

/* max_i |v_i| / (atol + rtol |x_i|), of a difference where `minus` is given. */
static double scaled_norm(const gsl_data *data, const double *v, const double *minus)
{
    double norm = 0.0;
    for (int i = 0; i < data->instance->sub->nx; i++) {
        const double scale = data->atol + data->rtol * fabs(data->instance->state[i]) + DBL_MIN;
        norm = fmax(norm, fabs(v[i] - (minus != NULL ? minus[i] : 0.0)) / scale);
    }
    return norm;
}

/* A first step such that the error of a method of order p is near the tolerance, from x, x' and an
 * estimate of x'' (Hairer, Norsett, Wanner, II.4). 0 where f is not defined at the start. */
static double first_step(gsl_data *data, int p)
{
    const ms_instance *instance = data->instance;
    const int nx = instance->sub->nx;
    const double length = data->end - data->begin;
    double *x = data->error, *f0 = data->scratch, *f1 = f0 + instance->n_state;
    if (state_rhs(data->begin, instance->state, f0, data) != GSL_SUCCESS)
        return 0.0;
    const double d0 = scaled_norm(data, instance->state, NULL), d1 = scaled_norm(data, f0, NULL);
    double h0 = fmin(d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1, length);
    for (int i = 0; i < nx; i++)
        x[i] = instance->state[i] + h0 * f0[i];
    if (state_rhs(data->begin + h0, x, f1, data) != GSL_SUCCESS)
        return 0.01 * h0;
    const double larger = fmax(d1, scaled_norm(data, f1, f0) / h0);
    const double h1 = larger <= 1e-15 ? fmax(1e-6, 1e-3 * h0) : pow(0.01 / larger, 1.0 / (p + 1));
    return fmin(fmin(100.0 * h0, h1), length);
}

static bool gsl_stands(const gsl_data *data)
{
    const ms_instance *instance = data->instance;
    const double t0 = data->begin;
    return data->stands && fabs(t0 - data->t_stands) <= 100.0 * DBL_EPSILON * (fabs(t0) + fabs(data->end)) &&
           memcmp(data->x_stands, instance->state, sizeof(double) * (size_t)instance->sub->nx) == 0;
}

/* The state at t from the one before the micro-step, which began at `from`: in one step of rk8pd. */
static int gsl_within(gsl_data *data, double from, double t, double *state)
{
    memcpy(state, data->start, sizeof(double) * data->whole.dimension);
    if (t <= from)
        return MS_OK;
    const int code =
        gsl_odeiv2_step_apply(data->sampler, from, t - from, state, data->error, NULL, NULL, &data->whole);
    return code == GSL_SUCCESS ? MS_OK : MS_SOLVER_FAILED;
}

/* Integrals at t, the end of a micro-step that began at `from`, where the driver leaves them. */
static int gsl_integrate(gsl_data *data, double from, double t)
{
    const ms_instance *instance = data->instance;
    const size_t nx = (size_t)instance->sub->nx;
    if (data->system.dimension == data->whole.dimension)
        return MS_OK;
    const int status = gsl_within(data, from, t, data->scratch);
    memcpy(instance->state + nx, data->scratch + nx, sizeof(double) * (size_t)instance->n_integrals);
    return status;
}

/* The samples up to t, the end of a micro-step that began at `from`. */
static int gsl_sample(gsl_data *data, double from, double t, int *next, int last)
{
    const ms_instance *instance = data->instance;
    int status = MS_OK;
    for (; *next < last && status == MS_OK; ++*next) {
        const double at = fmin(ms_instance_sample_time(instance, *next), data->end);
        double *state = ms_micro_sample(instance, *next);
        if (at > t)
            break;
        if (at < t)
            status = gsl_within(data, from, at, state);
        else
            memcpy(state, instance->state, sizeof(double) * data->whole.dimension);
    }
    return status;
}

/* Micro-steps over the piece; *step is the first step and then GSL's last proposal. */
static int gsl_march(gsl_data *data, double *step)
{
    ms_instance *instance = data->instance;
    const gsl_odeiv2_driver *driver = data->driver;
    int next, last;
    ms_micro_samples(instance, data->piece, &next, &last);
    double t = data->begin;
    for (long n = 0; t < data->end && n < MS_MICRO_STEPS_MAX; n++) {
        const double left = data->end - t, from = t;
        const bool final = *step >= (1.0 - 1e-9) * left;
        const double wanted = final ? 2.0 * left : *step > 0.5 * left ? 0.5 * left : *step;
        memcpy(data->start, instance->state, sizeof(double) * data->whole.dimension);
        double proposal = wanted; /* GSL cuts a final step and then leaves the proposal alone */
        const int code = gsl_odeiv2_evolve_apply(driver->e, &data->control, driver->s, &data->system, &t,
                                                 data->end, &proposal, instance->state);
        if (code != GSL_SUCCESS || t <= from ||
            !ms_micro_finite((int)data->system.dimension, instance->state))
            return MS_SOLVER_FAILED;
        if (!final || t < data->end)
            *step = proposal;
        if (gsl_integrate(data, from, t) != MS_OK || gsl_sample(data, from, t, &next, last) != MS_OK)
            return MS_SOLVER_FAILED;
    }
    return t >= data->end ? MS_OK : MS_SOLVER_FAILED;
}

/* Marches over the piece from the given first step and counts the work. */
static int gsl_advance(gsl_data *data, double *step)
{
    ms_work *work = &data->instance->work;
    const gsl_odeiv2_evolve *evolve = data->driver->e;
    const unsigned long steps = evolve->count, fails = evolve->failed_steps;
    const int status = *step > 0.0 ? gsl_march(data, step) : MS_SOLVER_FAILED;
    work->micro_steps += (long)(evolve->count - steps);
    work->error_test_failures += (long)(evolve->failed_steps - fails);
    return status;
}

static void gsl_begin(gsl_data *data, int piece, double t0, double h)
{
    data->piece = piece;
    data->begin = t0;
    data->end = t0 + h;
}

static int gsl_rk8pd_advance(ms_instance *instance, int piece, double t0, double h, bool discontinuous)
{
    (void)discontinuous;
    gsl_data *data = instance->solver_data;
    if (instance->sub->nx == 0)
        return ms_micro_static_advance(instance, piece, t0, h);
    if (ms_micro_tiny(t0, h))
        return ms_micro_tiny_advance(instance, piece, t0, h);
    gsl_begin(data, piece, t0, h);
    gsl_odeiv2_driver_reset(data->driver);
    double step = instance->memory[0] > 0.0 ? instance->memory[0] : first_step(data, 7);
    const int status = gsl_advance(data, &step);
    instance->memory[0] = step;
    return status;
}

static int gsl_msadams_advance(ms_instance *instance, int piece, double t0, double h, bool discontinuous)
{
    gsl_data *data = instance->solver_data;
    if (instance->sub->nx == 0)
        return ms_micro_static_advance(instance, piece, t0, h);
    if (ms_micro_tiny(t0, h))
        return ms_micro_tiny_advance(instance, piece, t0, h);
    gsl_begin(data, piece, t0, h);
    const bool restart = (discontinuous && data->input_change == MS_INPUT_RESTART) || !gsl_stands(data);
    if (restart) {
        gsl_odeiv2_driver_reset(data->driver);
        data->step_stands = first_step(data, 1);
    }
    const int status = gsl_advance(data, &data->step_stands);
    data->stands = status == MS_OK;
    data->t_stands = data->end;
    memcpy(data->x_stands, instance->state, sizeof(double) * (size_t)instance->sub->nx);
    return status;
}

const ms_solver ms_solver_gsl_rk8pd = {.name = "gsl-rk8pd",
                                       .summary = "GSL's explicit Runge-Kutta, Prince and Dormand 8(7)",
                                       .source = "Prince and Dormand 1981",
                                       .adaptive = true,
                                       .memory = 1,
                                       .create = gsl_rk8pd_create,
                                       .destroy = gsl_destroy,
                                       .advance = gsl_rk8pd_advance};

const ms_solver ms_solver_gsl_msadams = {.name = "gsl-msadams",
                                         .summary = "GSL's Adams of variable order 1 to 12",
                                         .source = "Byrne and Hindmarsh 1975",
                                         .adaptive = true,
                                         .multistep = true,
                                         .create = gsl_msadams_create,
                                         .destroy = gsl_destroy,
                                         .advance = gsl_msadams_advance};
