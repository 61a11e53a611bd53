/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_dop853.c - dop853: the explicit Runge-Kutta method of order 8 by Dormand and Prince with step-size control.
 *
 *     x+ = x + h sum_j b_j f_j,     f_i = f(t + c_i h, x + h sum_{j<i} a_ij f_j)
 *
 * Error of a step: h |e5|^2 / sqrt(|e5|^2 + 0.01 |e3|^2) of two embedded methods, which falls as h^8, over atol + rtol times the larger
 * of |x| at both ends, in the root mean square over the states. Integrals of outputs use the same weights, outside error control.
 *
 * Within a step, for samples and events, the solution is the continuous extension of order 7: three more evaluations of f for any
 * number of times. A piece starts with the step proposed at the end of the last one, which is its only memory.
 *
 * Departs from DOP853 of Hairer and Wanner: a last step is cut to half of what is left rather than to a sliver.
 *
 * Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.5, II.6; Dormand and Prince 1980. */
#include "solver_dop853.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chosen_step.h"
#include "dop853_coefficients.h"
#include "micro_done.h"

enum { ORDER = 8 };

/* Bounds of the ratio of successive steps; SAFETY factor of a new one. */
static const double SHRINK_MOST = 1.0 / 3.0, GROW_MOST = 6.0, SAFETY = 0.9;

/* Creation ----------------------------------------------------------------------------------------------- */

static void dop853_destroy(ms_instance *instance)
{
    free(((ms_dop853 *)instance->solver_data)->start);
}

static int dop853_create(ms_instance *instance, const ms_solver_options *options, ms_error *error)
{
    (void)error;
    const size_t n = (size_t)instance->n_state;
    ms_dop853 *data = instance->solver_data;
    *data = (ms_dop853){
        .instance = instance, .rtol = options->rtol, .atol = options->atol, .n = instance->n_state};
    data->start = calloc((2 + STAGES_DENSE + DENSE) * n, sizeof *data->start);
    MS_TRY_MEMORY(data->start);
    data->stage = data->start + n;
    data->f = data->stage + n;
    data->coefficients = data->f + STAGES_DENSE * n;
    return MS_OK;
}

/* A step ------------------------------------------------------------------------------------------------- */

/* x (n) = x0 + h sum_{j<i} a_ij f_j */
static void fill_stage(const ms_dop853 *data, int i, double h, double *x)
{
    const int n = data->n;
    for (int l = 0; l < n; l++)
        x[l] = 0.0;
    for (int j = 0; j < i; j++) {
        const double *f = data->f + j * n;
        const double weight = dop853_a[i][j];
        for (int l = 0; l < n && weight != 0.0; l++)
            x[l] += weight * f[l];
    }
    for (int l = 0; l < n; l++)
        x[l] = data->start[l] + h * x[l];
}

/* Evaluates f at stages `first` to `last` of a step of length h; the state of the last one stays in data->stage. Returns what f returns. */
static int evaluate(ms_dop853 *data, int first, int last, double h)
{
    int status = 0;
    for (int i = first; i <= last && status == 0; i++) {
        fill_stage(data, i, h, data->stage);
        status = ms_micro_rhs(data->instance, data->piece, fmin(data->from + dop853_c[i] * h, data->end),
                              data->stage, data->f + i * data->n);
    }
    return status;
}

/* sum_j e_j f_j of state l. */
static double embedded(const ms_dop853 *data, const double *e, int l)
{
    double sum = 0.0;
    for (int j = 0; j < STAGES; j++)
        sum += e[j] * data->f[j * data->n + l];
    return sum;
}

/* Error of a step of length h to data->stage, relative to the tolerance; infinite if not a number. */
static double step_error(const ms_dop853 *data, double h)
{
    const int nx = data->instance->sub->nx;
    double five = 0.0, three = 0.0;
    for (int l = 0; l < nx; l++) {
        const double size = fmax(fabs(data->start[l]), fabs(data->stage[l]));
        const double scale = data->atol + data->rtol * size + DBL_MIN;
        const double fifth = embedded(data, dop853_e5, l) / scale,
                     third = embedded(data, dop853_e3, l) / scale;
        five += fifth * fifth;
        three += third * third;
    }
    const double error = five > 0.0 ? h * five / sqrt(nx * (five + 0.01 * three)) : 0.0;
    return isfinite(error) && isfinite(five) ? error : INFINITY;
}

/* A step from data->from, repeated until accepted; *h becomes the next proposal. Returns the length taken, or 0. */
static double try_step(ms_dop853 *data, double *h)
{
    const double t = data->from;
    for (;;) {
        const double k = ms_chosen_cut(t, *h, data->end);
        if (!(k > 4.0 * DBL_EPSILON * fabs(t)) || k < DBL_MIN)
            return 0.0;
        const double error = evaluate(data, 1, STAGES, k) == 0 ? step_error(data, k) : INFINITY;
        const double factor =
            fmax(SHRINK_MOST, fmin(GROW_MOST, SAFETY * pow(fmax(error, DBL_MIN), -1.0 / ORDER)));
        if (error <= 1.0) {
            if (k < data->end - t || factor < 1.0)
                *h = k * factor;
            return k;
        }
        data->instance->work.error_test_failures++;
        *h = k * factor;
    }
}

/* Within ------------------------------------------------------------------------------------------------- */

/* The coefficients of the continuous extension over the last micro-step. Returns what f returns. */
static int extend(ms_dop853 *data)
{
    const int n = data->n;
    const double h = data->taken, *x1 = data->instance->state;
    const int status = evaluate(data, STAGES + 1, STAGES_DENSE - 1, h);
    for (int l = 0; l < n && status == 0; l++) {
        double *c = data->coefficients + l * DENSE;
        const double change = x1[l] - data->start[l], first = h * data->f[l],
                     last = h * data->f[STAGES * n + l];
        c[0] = change;
        c[1] = first - change;
        c[2] = 2.0 * change - first - last;
        for (int k = 3; k < DENSE; k++) {
            c[k] = 0.0;
            for (int j = 0; j < STAGES_DENSE; j++)
                c[k] += h * dop853_d[k - 3][j] * data->f[j * n + l];
        }
    }
    data->extended = status == 0;
    return status;
}

/* ms_micro_dense: x0 + s (c0 + (1 - s) (c1 + s (c2 + (1 - s) (c3 + ..)))), s from 0 to 1. */
static int within(void *solver, double t, double *x)
{
    ms_dop853 *data = solver;
    const double s = fmin(fmax((t - data->from) / data->taken, 0.0), 1.0);
    if (!data->extended && extend(data) != 0)
        return 1;
    for (int l = 0; l < data->n; l++) {
        const double *c = data->coefficients + l * DENSE;
        double sum = 0.0;
        for (int k = DENSE - 1; k >= 0; k--)
            sum = (sum + c[k]) * (k % 2 == 0 ? s : 1.0 - s);
        x[l] = data->start[l] + sum;
    }
    return 0;
}

/* Steps -------------------------------------------------------------------------------------------------- */

/* Prepares another solver to continue from t. */
static int leave(ms_dop853 *data, double t)
{
    data->resumes = t;
    return MS_SOLVER_FAILED;
}

/* Accepts the step of length k to data->stage: f at its end is the first stage of the next one. */
static void take(ms_dop853 *data, double k)
{
    data->taken = k;
    data->extended = false;
    memcpy(data->instance->state, data->stage, sizeof *data->stage * (size_t)data->n);
    data->instance->work.micro_steps++;
}

static int march(ms_dop853 *data, double *h)
{
    ms_instance *instance = data->instance;
    const size_t bytes = sizeof *data->f * (size_t)data->n;
    int next, last, status = MS_OK;
    double t = data->begin;
    ms_micro_samples(instance, data->piece, &next, &last);
    for (long n = 1; t < data->end && n <= instance->micro_steps_max && status == MS_OK; n++) {
        data->from = t;
        memcpy(data->start, instance->state, bytes);
        const double left = data->end - t, k = try_step(data, h);
        if (!(k > 0.0))
            return leave(data, t);
        take(data, k);
        t = k >= left ? data->end : t + k;
        status = ms_micro_done(instance, data->piece, data->from, &t, ORDER, within, data);
        if (status != MS_SOLVER_FAILED &&
            ms_chosen_sample(instance, t, data->end, within, data, &next, last) != MS_OK)
            status = MS_SOLVER_FAILED;
        memcpy(data->f, data->f + STAGES * data->n, bytes);
        if (data->hands_over != NULL && status == MS_OK && t < data->end && n % MS_DOP853_LOOK == 0 &&
            data->hands_over(data->self, t, *h))
            return leave(data, t);
    }
    return status != MS_OK || t >= data->end ? status : MS_SOLVER_FAILED;
}

static int dop853_integrate(ms_instance *instance, int piece, double t0, double h)
{
    ms_dop853 *data = instance->solver_data;
    data->resumes = NAN;
    data->piece = piece;
    data->begin = t0;
    data->end = t0 + h;
    double *step = instance->memory;
    if (!(*step > 0.0))
        *step = ms_chosen_first_step(
            &(ms_chosen_step){instance, piece, ORDER - 1, data->rtol, data->atol, data->f + data->n}, t0, h);
    const bool defined = *step > 0.0 && ms_micro_rhs(instance, piece, t0, instance->state, data->f) == 0;
    return defined ? march(data, step) : MS_SOLVER_FAILED;
}

const ms_solver ms_solver_dop853 = {.name = "dop853",
                                    .summary = "explicit Runge-Kutta of order 8, Dormand and Prince 8(5,3)",
                                    .source = "Hairer, Norsett, Wanner 1993, II.5, II.6",
                                    .tolerance_exponent = 1.0,
                                    .adaptive = true,
                                    .events = true,
                                    .memory = 1,
                                    .data = sizeof(ms_dop853),
                                    .create = dop853_create,
                                    .destroy = dop853_destroy,
                                    .advance = ms_adaptive_advance,
                                    .integrate = dop853_integrate};
