/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_stiff.c - implicit Runge-Kutta methods of high order with 7 stages and step-size control:
 *
 *     radau-iia-13       Radau IIA, order 13
 *     lobatto-iiic-12    Lobatto IIIC, order 12
 *
 *     z_i = h sum_j a_ij f(t + c_j h, x + z_j),     x+ = x + z_s,     c_s = 1
 *
 * Newton's method is the simplified one, with J = f_x at the start of the step. In coordinates that diagonalise A^-1 each iteration
 * solves one real and three complex systems of nx equations (stiff_newton.c).
 *
 * Error of a step: that of an embedded formula of low order with f at the start of the step, filtered by (I - gamma h J)^-1. It
 * falls with the stage order, like the error of stiff components; without stiff components it far exceeds the error.
 *
 * Within a step, for samples and events, the solution is a shortened step from its start; the polynomial through the stages has a
 * lower order and gives initial guesses. Integrals of outputs use the weights a_sj. A piece starts with the step proposed at the
 * end of the last one, which is its only memory.
 *
 * Departs from RADAU of Hairer and Wanner: the order is fixed, J is evaluated in each step, the tolerance is not transformed, and
 * no error is filtered twice, which would hide the error of the first step of x' = l (g(t) - x) + g'(t).
 *
 * Source: Hairer, Wanner, Solving Ordinary Differential Equations II, IV.5 and IV.8. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chosen_step.h"
#include "micro_done.h"
#include "solver_stiff.h"

enum { S = MS_STIFF_STAGES };

/* Bounds of the ratio of successive steps; SAFETY factor of a new one. */
static const double SHRINK_MOST = 0.1, GROW_MOST = 6.0, SAFETY = 0.9;

/* An error below this multiple of the round-off of f is indistinguishable from it. */
static const double NOISES = 10.0;

/* Creation ----------------------------------------------------------------------------------------------- */

static void stiff_destroy(ms_instance *instance)
{
    ms_stiff_data *data = instance->solver_data;
    ms_stiff_newton_destroy(data);
    free(data->start);
}

static int allocate(ms_stiff_data *data)
{
    const size_t nx = (size_t)data->nx, n = (size_t)data->n;
    double *at = data->start = calloc(4 * n + 3 * nx + 4 * S * nx + S * n + 1, sizeof *at);
    MS_TRY_MEMORY(at);
    data->stage = at += n;
    data->sample = at += n;
    data->f0 = at += n;
    data->error = at += n;
    data->scale = at += nx;
    data->noise = at += nx;
    data->z = at += nx;
    data->guess = at += S * nx;
    data->r = at += S * nx;
    data->increment = at += S * nx;
    data->slope = at + S * nx;
    return ms_stiff_newton_create(data);
}

static int create(ms_instance *instance, const ms_solver_options *options, ms_error *error)
{
    (void)error;
    ms_stiff_data *data = instance->solver_data;
    MS_TRY_MEMORY(ms_stiff_method_fill((ms_stiff_family)instance->solver->kind, &data->method) == MS_OK);
    data->instance = instance;
    data->nx = instance->sub->nx;
    data->n = instance->n_state;
    data->rtol = options->rtol;
    data->atol = options->atol;
    return allocate(data);
}

/* A step ------------------------------------------------------------------------------------------------- */

static void fill_scale(ms_stiff_data *data, const double *x)
{
    for (int l = 0; l < data->nx; l++)
        data->scale[l] = data->atol + data->rtol * fabs(x[l]) + DBL_MIN;
}

/* max |v_l| / scale_l. */
static double norm(const ms_stiff_data *data, const double *v)
{
    double largest = 0.0;
    for (int l = 0; l < data->nx; l++) {
        const double part = fabs(v[l]) / data->scale[l];
        if (!(part <= largest))
            largest = part;
    }
    return largest;
}

/* (I - gamma h J)^-1 (gamma h f + sum_i e_i z_i), relative to the tolerance. */
static double step_error(ms_stiff_data *data, double h)
{
    const ms_stiff_method *m = &data->method;
    for (int l = 0; l < data->nx; l++) {
        double sum = m->gamma * h * data->f0[l];
        for (int i = 0; i < S; i++)
            sum += m->e[i] * data->z[i * data->nx + l];
        data->error[l] = sum;
    }
    ms_stiff_newton_filter(data, h, data->error);
    for (int l = 0; l < data->nx; l++) { /* scaled by the larger value of both ends */
        const double end = fabs(data->instance->state[l] + data->z[(S - 1) * data->nx + l]);
        data->scale[l] = fmax(data->scale[l], data->atol + data->rtol * end) + NOISES * data->noise[l];
    }
    return norm(data, data->error);
}

/* x1 (n) from the stages. */
static void finish(const ms_stiff_data *data, double h, const double *x0, double *x1)
{
    const double *b = data->method.a[S - 1];
    for (int l = 0; l < data->nx; l++)
        x1[l] = x0[l] + data->z[(S - 1) * data->nx + l];
    for (int l = data->nx; l < data->n; l++) {
        double sum = 0.0;
        for (int j = 0; j < S; j++)
            sum += b[j] * data->slope[j * data->n + l];
        x1[l] = x0[l] + h * sum;
    }
}

/* Initial guess of the stages of a step of length h, from the polynomial of a step of length h_known that began
 * `later` earlier. */
static void guess(ms_stiff_data *data, double later, double h, double h_known)
{
    const ms_stiff_method *m = &data->method;
    const int nx = data->nx;
    double begin[S];
    for (int j = 0; j < S; j++)
        begin[j] = ms_stiff_method_basis(m, j, later / h_known);
    for (int i = 0; i < S; i++)
        for (int l = 0; l < nx; l++)
            data->z[i * nx + l] = 0.0;
    for (int i = 0; i < S; i++)
        for (int j = 0; j < S; j++) {
            const double weight = ms_stiff_method_basis(m, j, (later + m->c[i] * h) / h_known) - begin[j];
            for (int l = 0; l < nx; l++)
                data->z[i * nx + l] += weight * data->guess[j * nx + l];
        }
}

static void guess_zero(ms_stiff_data *data)
{
    memset(data->z, 0, sizeof *data->z * S * (size_t)data->nx);
}

/* Within ------------------------------------------------------------------------------------------------- */

enum { HALVINGS_MAX = 4 };

/* From the start of the micro-step to t in `parts` steps. */
static int shortened(ms_stiff_data *data, double t, int parts, double *x)
{
    const double h = (t - data->from) / parts;
    memcpy(x, data->start, sizeof *x * (size_t)data->n);
    for (int k = 0; k < parts; k++) {
        fill_scale(data, x);
        if (parts == 1)
            guess(data, 0.0, h, data->taken);
        else
            guess_zero(data);
        if (ms_stiff_newton_factor(data, data->from + k * h, x, h, parts == 1) != MS_OK ||
            ms_stiff_newton_solve(data, data->from + k * h, h, x) != MS_OK)
            return 1;
        finish(data, h, x, x);
    }
    return 0;
}

/* ms_micro_dense. */
static int within(void *solver, double t, double *x)
{
    ms_stiff_data *data = solver;
    if (t <= data->from) {
        memcpy(x, data->start, sizeof *x * (size_t)data->n);
        return 0;
    }
    int status = 1;
    for (int k = 0; k < HALVINGS_MAX && status != 0; k++)
        status = shortened(data, t, 1 << k, data->sample);
    memcpy(x, data->sample, sizeof *x * (size_t)data->n);
    return status;
}

/* Steps -------------------------------------------------------------------------------------------------- */

/* An initial step from x and x'. 0: f is not defined at the start. */
static double first_step(ms_stiff_data *data, double h)
{
    ms_instance *instance = data->instance;
    fill_scale(data, instance->state);
    if (ms_micro_rhs(instance, data->piece, data->begin, instance->state, data->f0) != 0)
        return 0.0;
    const double size = norm(data, instance->state), slope = norm(data, data->f0);
    return slope > 0.0 ? fmin(h, fmax(0.01 * size, 1.0) / slope) : h;
}

/* Solves for the stages of a step of length h; same: J is still valid. Returns the error relative to the tolerance, infinite if Newton's method
 * fails. */
static double attempt(ms_stiff_data *data, double t, double h, bool same)
{
    const double *x = data->instance->state;
    fill_scale(data, x);
    if (data->taken > 0.0)
        guess(data, data->taken, h, data->taken);
    else
        guess_zero(data);
    if (ms_stiff_newton_factor(data, t, x, h, same) == MS_OK && ms_stiff_newton_solve(data, t, h, x) == MS_OK)
        return step_error(data, h);
    data->taken = 0.0; /* because the initial guess may be bad */
    return INFINITY;
}

/* A step from t, repeated until accepted; *h becomes the next proposal. Returns the length taken, or 0. */
static double try_step(ms_stiff_data *data, double t, double *h)
{
    ms_instance *instance = data->instance;
    if (ms_micro_rhs(instance, data->piece, t, instance->state, data->f0) != 0)
        return 0.0;
    for (int tries = 0;; tries++) {
        const double k = ms_chosen_cut(t, *h, data->end);
        if (!(k > 4.0 * DBL_EPSILON * fabs(t)) || k < DBL_MIN)
            return 0.0;
        const double error = attempt(data, t, k, tries > 0);
        const double wanted = SAFETY * pow(fmax(error, DBL_MIN), -1.0 / (S + 1));
        const double factor = fmax(SHRINK_MOST, fmin(tries > 0 ? 1.0 : GROW_MOST, wanted));
        if (error <= 1.0) {
            if (k < data->end - t || factor < 1.0)
                *h = k * factor;
            return k;
        }
        instance->work.error_test_failures++;
        *h = k * fmin(factor, SAFETY);
    }
}

/* Accepts the step; its stages are the initial guess for times within it and for the next step. */
static void take(ms_stiff_data *data, double t, double h)
{
    ms_instance *instance = data->instance;
    data->from = t;
    data->taken = h;
    memcpy(data->start, instance->state, sizeof *data->start * (size_t)data->n);
    memcpy(data->guess, data->z, sizeof *data->z * S * (size_t)data->nx);
    finish(data, h, data->start, instance->state);
    instance->work.micro_steps++;
}

static int march(ms_stiff_data *data, double *h)
{
    ms_instance *instance = data->instance;
    int next, last, status = MS_OK;
    double t = data->begin;
    ms_micro_samples(instance, data->piece, &next, &last);
    data->taken = 0.0;
    for (long n = 0; t < data->end && n < instance->micro_steps_max && status == MS_OK; n++) {
        const double left = data->end - t, k = try_step(data, t, h);
        if (!(k > 0.0))
            return MS_SOLVER_FAILED;
        take(data, t, k);
        t = k >= left ? data->end : t + k;
        if (!ms_micro_finite(data->n, instance->state))
            return MS_SOLVER_FAILED;
        status = ms_micro_done(instance, data->piece, data->from, &t, data->method.order, within, data);
        if (status != MS_SOLVER_FAILED &&
            ms_chosen_sample(instance, t, data->end, within, data, &next, last) != MS_OK)
            status = MS_SOLVER_FAILED;
    }
    return status != MS_OK || t >= data->end ? status : MS_SOLVER_FAILED;
}

static int stiff_integrate(ms_instance *instance, int piece, double t0, double h)
{
    ms_stiff_data *data = instance->solver_data;
    data->piece = piece;
    data->begin = t0;
    data->end = t0 + h;
    double *step = instance->memory;
    if (!(*step > 0.0))
        *step = first_step(data, h);
    return *step > 0.0 ? march(data, step) : MS_SOLVER_FAILED;
}

/* What both methods have. */
#define STIFF_METHOD                                                                                         \
    .source = "Hairer, Wanner 1996, IV.5, IV.8", .adaptive = true, .implicit = true, .stiff = true,          \
    .events = true, .memory = 1, .data = sizeof(ms_stiff_data), .create = create, .destroy = stiff_destroy,  \
    .advance = ms_adaptive_advance, .integrate = stiff_integrate

const ms_solver ms_solver_radau_iia_13 = {.name = "radau-iia-13",
                                          .summary = "Radau IIA of order 13 that chooses its steps (stiff)",
                                          .kind = MS_STIFF_RADAU_IIA,
                                          STIFF_METHOD};

const ms_solver ms_solver_lobatto_iiic_12 = {.name = "lobatto-iiic-12",
                                             .summary =
                                                 "Lobatto IIIC of order 12 that chooses its steps (stiff)",
                                             .kind = MS_STIFF_LOBATTO_IIIC,
                                             STIFF_METHOD};
