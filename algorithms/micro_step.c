#include "micro_step.h"

#include <float.h>
#include <math.h>
#include <string.h>

int ms_micro_rhs(ms_instance *instance, int piece, double t, const double *x, double *dx)
{
    const int status = ms_instance_rhs(instance, piece, t, x, dx);
    if (status != 0)
        return status;
    return ms_micro_finite(instance->sub->nx, dx) ? 0 : 1;
}

bool ms_micro_finite(int n, const double *x)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

void ms_micro_samples(const ms_instance *instance, int piece, int *first, int *last)
{
    const ms_input *input = &instance->input;
    int k = 0;
    while (k < instance->n_samples && instance->sample_at[k] * instance->h <= ms_input_begin(input, piece))
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
    const int nx = instance->sub->nx;
    double *x = instance->x, *dx = instance->dx;
    int first, last;
    if (ms_micro_rhs(instance, piece, t0, x, dx) != 0)
        return MS_SOLVER_FAILED;
    for (int i = 0; i < nx; i++)
        x[i] += h * dx[i];
    ms_micro_samples(instance, piece, &first, &last);
    for (int k = first; k < last; k++)
        memcpy(ms_micro_sample(instance, k), x, sizeof(double) * (size_t)nx);
    instance->work.micro_steps++;
    return ms_micro_finite(nx, x) ? MS_OK : MS_SOLVER_FAILED;
}
