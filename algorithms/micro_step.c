#include "micro_step.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "hybrid.h"

enum { LEVELS_MAX = 10 };

/* Equations ---------------------------------------------------------------------------------------------- */

bool ms_micro_finite(int n, const double *x)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

int ms_micro_rhs(ms_instance *instance, int piece, double t, const double *x, double *dx)
{
    const int status = ms_instance_rhs(instance, piece, t, x, dx);
    if (status != 0)
        return status;
    return ms_micro_finite(instance->n_state, dx) ? 0 : 1;
}

int ms_micro_state_rhs(ms_instance *instance, int piece, double t, const double *x, double *dx)
{
    instance->work.rhs_evaluations++;
    ms_point at = {.t = t, .x = x, .u = instance->u, .du = instance->du, .z = instance->z};
    int status = ms_instance_inputs(instance, piece, t, x, instance->u);
    if (status == 0)
        status = ms_subsystem_f(instance->system, instance->index, &at, instance->w, dx);
    if (status != 0)
        return status;
    return ms_micro_finite(instance->sub->nx, dx) ? 0 : 1;
}

int ms_micro_outputs(ms_instance *instance, int piece, double t, const double *x, double *y)
{
    ms_point at = {.t = t, .x = x, .u = instance->u, .du = instance->du, .z = instance->z};
    int status = ms_instance_inputs(instance, piece, t, x, instance->u);
    if (status == 0)
        status = ms_subsystem_g(instance->system, instance->index, &at, instance->w, y);
    if (status != 0)
        return status;
    return ms_micro_finite(instance->sub->ny, y) ? 0 : 1;
}

/* Quadrature --------------------------------------------------------------------------------------------- */

const double ms_micro_gauss_nodes[MS_MICRO_GAUSS] = {0.0469100770306680, 0.2307653449471584, 0.5,
                                                     0.7692346550528416, 0.9530899229693320};
const double ms_micro_gauss_weights[MS_MICRO_GAUSS] = {0.1184634425280945, 0.2393143352496832,
                                                       0.2844444444444444, 0.2393143352496832,
                                                       0.1184634425280945};

int ms_micro_integrate(ms_instance *instance, int piece, double from, double to, ms_micro_dense *dense,
                       void *solver, double *q)
{
    double *x = instance->scratch, *y = x + instance->sub->nx;
    for (int k = 0; k < MS_MICRO_GAUSS; k++) {
        const double t = from + ms_micro_gauss_nodes[k] * (to - from);
        const double weight = ms_micro_gauss_weights[k] * (to - from);
        if (dense(solver, t, x) != 0 || ms_micro_outputs(instance, piece, t, x, y) != 0)
            return MS_SOLVER_FAILED;
        for (int j = 0; j < instance->n_integrals; j++)
            q[j] += weight * y[j];
    }
    return MS_OK;
}

/* Of a subsystem without states. */
static int no_states(void *solver, double t, double *x)
{
    (void)solver, (void)t, (void)x;
    return 0;
}

/* q = q0 + int g dt over [t0, t0 + h] on equal intervals. */
static int static_sum(ms_instance *instance, int piece, double t0, double h, int intervals, const double *q0,
                      double *q)
{
    const double eta = h / intervals;
    int status = MS_OK;
    memcpy(q, q0, sizeof(double) * (size_t)instance->n_integrals);
    for (int i = 0; i < intervals && status == MS_OK; i++)
        status = ms_micro_integrate(instance, piece, t0 + i * eta, t0 + (i + 1) * eta, no_states, NULL, q);
    return status;
}

static int static_integral(ms_instance *instance, int piece, double t0, double h, const double *q0, double *q)
{
    const int n = instance->n_integrals;
    double *y = instance->scratch, *coarse = y + n;
    int status = static_sum(instance, piece, t0, h, 1, q0, q);
    for (int level = 1; level <= LEVELS_MAX && status == MS_OK; level++) {
        double change = 0.0, size = 0.0;
        memcpy(coarse, q, sizeof(double) * (size_t)n);
        status = static_sum(instance, piece, t0, h, 1 << level, q0, q); /* leaves the last y */
        for (int j = 0; j < n; j++) {
            change = fmax(change, fabs(q[j] - coarse[j]));
            size = fmax(size, fabs(q[j]) + h * fabs(y[j]));
        }
        if (change <= 1e-15 * size)
            break;
    }
    return status;
}

int ms_micro_static_advance(ms_instance *instance, int piece, double t0, double h)
{
    if (instance->n_integrals == 0)
        return MS_OK;
    const double *start = instance->x_start + piece * instance->n_state;
    int first, last, status = MS_OK;
    ms_micro_samples(instance, piece, &first, &last);
    for (int k = first; k < last && status == MS_OK; k++)
        status = static_integral(instance, piece, t0, fmin(ms_instance_sample_time(instance, k) - t0, h),
                                 start, ms_micro_sample(instance, k));
    return status == MS_OK ? static_integral(instance, piece, t0, h, start, instance->state) : status;
}

/* Micro-steps -------------------------------------------------------------------------------------------- */

int ms_micro_done(ms_instance *instance, int piece, double from, double *to, int order, ms_micro_dense *dense,
                  void *solver)
{
    int status = MS_OK;
    if (instance->hybrid != NULL)
        status = ms_hybrid_look(instance, piece, from, to, dense, solver);
    if (instance->watch.micro_step != NULL && status != MS_SOLVER_FAILED)
        instance->watch.micro_step(instance->watch.self, from, *to, order);
    return status;
}

/* Pieces ------------------------------------------------------------------------------------------------- */

void ms_micro_samples(const ms_instance *instance, int piece, int *first, int *last)
{
    const ms_input *input = &instance->input;
    int k = 0;
    double begin = ms_input_begin(input, piece);
    if (instance->hybrid != NULL)
        begin = fmax(begin, instance->hybrid->resumed);
    while (k < instance->n_samples && instance->sample_at[k] * instance->h <= begin)
        k++;
    *first = k;
    while (k < instance->n_samples && instance->sample_at[k] * instance->h <= input->end[piece])
        k++;
    *last = k;
}

bool ms_micro_tiny(double t0, double h)
{
    return h <= 16.0 * DBL_EPSILON * fmax(fabs(t0), fabs(t0 + h));
}

int ms_micro_tiny_advance(ms_instance *instance, int piece, double t0, double h)
{
    const int n = instance->n_state;
    const double *dx = instance->dx;
    double *x = instance->state;
    int first, last;
    if (ms_micro_rhs(instance, piece, t0, x, instance->dx) != 0)
        return MS_SOLVER_FAILED;
    for (int i = 0; i < n; i++)
        x[i] += h * dx[i];
    ms_micro_samples(instance, piece, &first, &last);
    for (int k = first; k < last; k++)
        memcpy(ms_micro_sample(instance, k), x, sizeof(double) * (size_t)n);
    instance->work.micro_steps++;
    return ms_micro_finite(n, x) ? MS_OK : MS_SOLVER_FAILED;
}
