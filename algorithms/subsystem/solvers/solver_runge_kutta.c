/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_runge_kutta.c - the explicit Runge-Kutta methods of runge_kutta_list.h with equal micro-steps. */
#include <stdlib.h>
#include <string.h>

#include "fixed_step.h"
#include "runge_kutta.h"

/* a and c in double precision. */
typedef struct coefficients {
    double a[MS_RUNGE_KUTTA_STAGES][MS_RUNGE_KUTTA_STAGES], c[MS_RUNGE_KUTTA_STAGES];
} coefficients;

static int create(ms_instance *instance, const ms_solver_options *options, ms_error *error)
{
    const ms_runge_kutta *method = instance->solver->method;
    MS_TRY(ms_fixed_create(instance, options, error));
    ms_fixed_data *data = instance->solver_data;
    coefficients *of = data->own = calloc(1, sizeof *of);
    MS_TRY_MEMORY(of);
    for (int i = 0; i < method->stages; i++) {
        of->c[i] = (double)ms_runge_kutta_node(method, i) / method->divisor;
        for (int j = 0; j < i; j++)
            of->a[i][j] = (double)method->a[i][j] / method->divisor;
    }
    return MS_OK;
}

/* x (n) = x0 + k sum_{j<i} a_j f_j */
static void fill_stage(int n, int i, const double *a, double k, const double *x0, const double *f, double *x)
{
    memcpy(x, x0, sizeof *x * (size_t)n);
    for (int j = 0; j < i; j++, f += n)
        for (int l = 0; l < n && a[j] != 0.0; l++)
            x[l] += a[j] * k * f[l];
}

static int step(ms_instance *instance, int piece, double t, double k, const double *x0, double *x1)
{
    const ms_runge_kutta *method = instance->solver->method;
    const ms_fixed_data *data = instance->solver_data;
    const coefficients *of = data->own;
    const int n = instance->n_state;
    double *f = data->slope;
    int status = ms_micro_rhs(instance, piece, t, x0, f);
    for (int i = 1; i < method->stages && status == 0; i++) {
        fill_stage(n, i, of->a[i], k, x0, f, data->stage);
        status = ms_micro_rhs(instance, piece, t + of->c[i] * k, data->stage, f + i * n);
    }
    for (int l = 0; l < n && status == 0; l++) {
        double sum = method->b[0] * f[l];
        for (int i = 1; i < method->stages; i++)
            sum += method->b[i] * f[i * n + l];
        x1[l] = x0[l] + k / method->divisor * sum;
    }
    return status;
}

static int advance(ms_instance *instance, int piece, double t0, double h, bool discontinuous)
{
    (void)discontinuous;
    return ms_fixed_advance(instance, piece, t0, h, step);
}

#define MS_RUNGE_KUTTA(identifier, words, where, accuracy, count, ...)                                       \
    static const ms_runge_kutta tableau_of_##identifier = {count, __VA_ARGS__};                              \
    const ms_solver ms_solver_##identifier = {.name = #identifier,                                           \
                                              .summary = words ", with equal micro-steps",                   \
                                              .source = where,                                               \
                                              .order = accuracy,                                             \
                                              .stages = count,                                               \
                                              .form = MS_STEPS_RUNGE_KUTTA,                                  \
                                              .method = &tableau_of_##identifier,                            \
                                              .linear_map = true,                                            \
                                              .events = true,                                                \
                                              .create = create,                                              \
                                              .destroy = ms_fixed_destroy,                                   \
                                              .advance = advance};
#include "runge_kutta_list.h"
#undef MS_RUNGE_KUTTA
