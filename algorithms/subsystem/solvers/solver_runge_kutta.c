/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_runge_kutta.c - the explicit Runge-Kutta methods of runge_kutta_list.h with equal micro-steps. */
#include <stdlib.h>
#include <string.h>

#include "fixed_step.h"
#include "runge_kutta.h"

/* a and c in double precision; of a piece on which inputs keep their values what each adds to x' (nx x (nu + nw)). */
typedef struct coefficients {
    double a[MS_RUNGE_KUTTA_STAGES][MS_RUNGE_KUTTA_STAGES], c[MS_RUNGE_KUTTA_STAGES], driving[];
} coefficients;

static int create(ms_instance *instance, const ms_solver_options *options, ms_error *error)
{
    const ms_runge_kutta *method = instance->solver->method;
    MS_TRY(ms_fixed_create(instance, options, error));
    ms_fixed_data *data = instance->solver_data;
    const ms_subsystem *sub = instance->sub;
    const size_t driving = (size_t)sub->nx * (size_t)(sub->nu + sub->nw);
    coefficients *of = data->own = calloc(1, sizeof *of + sizeof *of->driving * driving);
    MS_TRY_MEMORY(of);
    for (int i = 0; i < method->stages; i++) {
        of->c[i] = (double)ms_runge_kutta_node(method, i) / method->divisor;
        for (int j = 0; j < i; j++)
            of->a[i][j] = (double)method->a[i][j] / method->divisor;
    }
    return MS_OK;
}

/* Linear, with held inputs and constant external ones? */
static bool is_held(const ms_instance *instance)
{
    const ms_subsystem *sub = instance->sub;
    return instance->blocks != NULL && instance->field == NULL && instance->events == NULL &&
           instance->n_laws == 0 && instance->n_integrals == 0 && instance->input.degree == 0 &&
           !sub->uses_du && (sub->nw == 0 || sub->external_constant);
}

/* The products of B u + E w. */
static void fill_driving(ms_instance *instance, int piece, double t, double *driving)
{
    const ms_subsystem *sub = instance->sub;
    const ms_blocks *m = instance->blocks;
    const double *u = ms_input_coefficients(&instance->input, piece, 0), *w = instance->w;
    if (sub->nw > 0)
        ms_subsystem_external(instance->system, sub, t, instance->w);
    for (int i = 0; i < sub->nx; i++) {
        for (int j = 0; j < sub->nu; j++)
            *driving++ = m->B[i * sub->nu + j] * u[j];
        for (int j = 0; j < sub->nw; j++)
            *driving++ = m->E[i * sub->nw + j] * w[j];
    }
}

/* x' at a stage. held: by the sums of ms_subsystem_f, without its calls; numbers that are not finite are found at the end. */
static inline int fill_slope(ms_instance *instance, bool held, int n, int piece, double t, const double *x,
                             double *f)
{
    if (!held)
        return ms_micro_rhs(instance, piece, t, x, f);
    const coefficients *of = ((const ms_fixed_data *)instance->solver_data)->own;
    const double *a = instance->blocks->A, *b = of->driving;
    const int m = instance->sub->nu + instance->sub->nw;
    instance->work.rhs_evaluations++;
#pragma GCC unroll 2
    for (int i = 0; i < n; i++, a += n, b += m) {
        double sum = 0.0;
#pragma GCC unroll 2
        for (int j = 0; j < n; j++)
            sum += a[j] * x[j];
        for (int j = 0; j < m; j++)
            sum += b[j];
        f[i] = sum;
    }
    return 0;
}

/* x (n) = x0 + k sum_{j<i} a_j f_j */
static inline void fill_stage(int n, int i, const double *a, double k, const double *x0, const double *f,
                              double *x)
{
#pragma GCC unroll 2
    for (int l = 0; l < n; l++)
        x[l] = x0[l];
#pragma GCC unroll 4
    for (int j = 0; j < i; j++, f += n)
        if (a[j] != 0.0)
#pragma GCC unroll 2
            for (int l = 0; l < n; l++)
                x[l] += a[j] * k * f[l];
}

/* x (n), f (stages x n): scratch. */
static inline __attribute__((always_inline)) int take(ms_instance *instance, bool held, int n, int stages,
                                                      double *x, double *f, int piece, double t, double k,
                                                      const double *x0, double *x1)
{
    const ms_runge_kutta *method = instance->solver->method;
    const ms_fixed_data *data = instance->solver_data;
    const coefficients *of = data->own;
    int status = fill_slope(instance, held, n, piece, t, x0, f);
#pragma GCC unroll 4
    for (int i = 1; i < stages && status == 0; i++) {
        fill_stage(n, i, of->a[i], k, x0, f, x);
        status = fill_slope(instance, held, n, piece, t + of->c[i] * k, x, f + i * n);
    }
#pragma GCC unroll 2
    for (int l = 0; l < n && status == 0; l++) {
        double sum = method->b[0] * f[l];
#pragma GCC unroll 4
        for (int i = 1; i < stages; i++)
            sum += method->b[i] * f[i * n + l];
        x1[l] = x0[l] + k / method->divisor * sum;
    }
    return status;
}

static int step(ms_instance *instance, int piece, double t, double k, const double *x0, double *x1)
{
    const ms_fixed_data *data = instance->solver_data;
    return take(instance, false, instance->n_state, instance->solver->stages, data->stage, data->slope, piece,
                t, k, x0, x1);
}

static int held_step(ms_instance *instance, int piece, double t, double k, const double *x0, double *x1)
{
    const ms_fixed_data *data = instance->solver_data;
    if (instance->n_state == 2 && instance->solver->stages == 4) { /* unrolled, in registers */
        double x[2], f[8];
        return take(instance, true, 2, 4, x, f, piece, t, k, x0, x1);
    }
    return take(instance, true, instance->n_state, instance->solver->stages, data->stage, data->slope, piece,
                t, k, x0, x1);
}

/* Has the method four stages, each from the one before, for two states, and does nothing watch the micro-step? */
static bool is_plain(const ms_instance *instance)
{
    const ms_runge_kutta *method = instance->solver->method;
    return instance->n_state == 2 && method->stages == 4 && method->a[2][0] == 0 && method->a[3][0] == 0 &&
           method->a[3][1] == 0 && instance->n_places == 0 && instance->port_work == NULL &&
           instance->monitor.micro_step == NULL && instance->monitor.inside == NULL;
}

/* The sums of fill_slope, of two states. */
static inline __attribute__((always_inline)) void fill_two(int m, const double *a, const double *b,
                                                           const double *x, double *f)
{
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        double sum = 0.0;
        sum += a[2 * i] * x[0];
        sum += a[2 * i + 1] * x[1];
#pragma GCC unroll 4
        for (int j = 0; j < m; j++)
            sum += b[m * i + j];
        f[i] = sum;
    }
}

/* `steps` of them from x, with the sums of take(): all that a step reads stays in registers. m: see `driving`. */
static inline __attribute__((always_inline)) void march(const ms_instance *instance, int m, int steps,
                                                        double k, double *x)
{
    const ms_runge_kutta *method = instance->solver->method;
    const coefficients *of = ((const ms_fixed_data *)instance->solver_data)->own;
    const double *a = instance->blocks->A, *b = of->driving;
    const double part[4] = {0.0, of->a[1][0] * k, of->a[2][1] * k, of->a[3][2] * k},
                 weight[4] = {method->b[0], method->b[1], method->b[2], method->b[3]},
                 whole = k / method->divisor;
    double x0 = x[0], x1 = x[1], f[8];
    for (int step = 0; step < steps; step++) {
        fill_two(m, a, b, (const double[]){x0, x1}, f);
#pragma GCC unroll 3
        for (int i = 1; i < 4; i++)
            fill_two(m, a, b, (const double[]){x0 + part[i] * f[2 * i - 2], x1 + part[i] * f[2 * i - 1]},
                     f + 2 * i);
        x0 += whole * (weight[0] * f[0] + weight[1] * f[2] + weight[2] * f[4] + weight[3] * f[6]);
        x1 += whole * (weight[0] * f[1] + weight[1] * f[3] + weight[2] * f[5] + weight[3] * f[7]);
    }
    x[0] = x0;
    x[1] = x1;
}

static int advance_plain(ms_instance *instance, double h)
{
    const int steps = ((const ms_fixed_data *)instance->solver_data)->micro_steps,
              m = instance->sub->nu + instance->sub->nw;
    const double k = h / steps;
    if (m == 2)
        march(instance, 2, steps, k, instance->state);
    else if (m == 3)
        march(instance, 3, steps, k, instance->state);
    else
        march(instance, m, steps, k, instance->state);
    instance->work.rhs_evaluations += 4L * steps;
    instance->work.micro_steps += steps;
    return ms_micro_finite(2, instance->state) ? MS_OK : MS_SOLVER_FAILED;
}

static int advance(ms_instance *instance, int piece, double t0, double h)
{
    if (!is_held(instance))
        return ms_fixed_advance(instance, piece, t0, h, step);
    coefficients *of = ((const ms_fixed_data *)instance->solver_data)->own;
    fill_driving(instance, piece, t0, of->driving);
    return is_plain(instance) ? advance_plain(instance, h)
                              : ms_fixed_advance(instance, piece, t0, h, held_step);
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
                                              .data = sizeof(ms_fixed_data),                                 \
                                              .create = create,                                              \
                                              .destroy = ms_fixed_destroy,                                   \
                                              .advance = advance};
#include "runge_kutta_list.h"
#undef MS_RUNGE_KUTTA
