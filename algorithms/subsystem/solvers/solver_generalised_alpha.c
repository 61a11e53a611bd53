/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_generalised_alpha.c - the generalised alpha method with equal micro-steps, order 2. A step from (x, d) to (x+, d+), with d
 * near x':
 *
 *     (1 - am) d+ + am d = f(t + (1 - af) k, (1 - af) x+ + af x),     am = 0.2, af = 0.4
 *     x+ = x + k ((1 - g) d + g d+),                                  g = 1/2 - am + af
 *
 * and for a position q of a linear subsystem, i.e. a state whose derivative is exactly another state v, with the d of v,
 *
 *     q+ = q + k v + k^2 ((1/2 - b) d + b d+),                        b = (1/2 + g)^2 / 4
 *
 * For mechanical subsystems this is the method of Chung and Hulbert with spectral radius 2/3 at infinity, for all other states that
 * of Jansen, Whiting and Hulbert with the same am and af.
 *
 * Across macro-steps and jumps of the input it passes on d - x' (its memory, zero at the start of a run and after events): for a
 * continuous input d continues as if there were no macro-steps, and if x' jumps, d jumps by the same amount. Integrals of outputs
 * use the midpoint rule.
 *
 * Departure: preCICE's tutorial "Oscillator" takes b = (1/2 + g)/4 = 0.3, but the method is stable for all steps only from b = 0.35 on.
 *
 * Sources: Chung, Hulbert, J. Appl. Mech. 60 (1993), (12) to (17), (25); Jansen, Whiting, Hulbert, Comput. Methods Appl. Mech.
 * Eng. 190 (2000). */
#include <stdlib.h>
#include <string.h>

#include "fixed_step.h"
#include "micro_done.h"

static const double am = 0.2, af = 0.4, g = 0.7, b = 0.36;

typedef struct alpha {
    ms_instance *instance;
    int piece;
    double t, k;         /* of the step [s] */
    const double *x0;    /* (n_state) */
    double *J, *x1, *d1; /* (nx x nx), (nx), (nx) */
    int *velocity;       /* (nx) for a position the index of its velocity, otherwise -1 */
} alpha;

/* x+ (nx) for a given d+. */
static void displace(const alpha *a, const double *d1, double *x1)
{
    const ms_fixed_data *data = a->instance->solver_data;
    const double *d0 = data->before, k = a->k;
    for (int i = 0; i < a->instance->sub->nx; i++) {
        const int v = a->velocity[i];
        x1[i] = v < 0 ? a->x0[i] + k * ((1.0 - g) * d0[i] + g * d1[i])
                      : a->x0[i] + k * a->x0[v] + k * k * ((0.5 - b) * d0[v] + b * d1[v]);
    }
}

/* The state between start and end, at which f is evaluated; integrals stay unchanged. */
static void between(const alpha *a, const double *x1, double share)
{
    const ms_fixed_data *data = a->instance->solver_data;
    const int nx = a->instance->sub->nx;
    for (int i = 0; i < a->instance->n_state; i++)
        data->stage[i] = a->x0[i] + (i < nx ? share * (x1[i] - a->x0[i]) : 0.0);
}

/* Residual of d+ (nx). The rate of a position is its velocity. */
static int residual(void *user, const double *d1, double *r)
{
    const alpha *a = user;
    const ms_fixed_data *data = a->instance->solver_data;
    displace(a, d1, a->x1);
    between(a, a->x1, 1.0 - af);
    const int status =
        ms_micro_rhs(a->instance, a->piece, a->t + (1.0 - af) * a->k, data->stage, data->slope);
    for (int i = 0; i < a->instance->sub->nx; i++)
        r[i] = a->velocity[i] >= 0 ? d1[i] - a->x1[a->velocity[i]]
                                   : (1.0 - am) * d1[i] + am * data->before[i] - data->slope[i];
    return status;
}

static int matrix(void *user, const double *d1, double *M)
{
    const alpha *a = user;
    const ms_fixed_data *data = a->instance->solver_data;
    const int nx = a->instance->sub->nx;
    displace(a, d1, a->x1);
    between(a, a->x1, 1.0 - af);
    const int status =
        ms_instance_jacobian(a->instance, a->piece, a->t + (1.0 - af) * a->k, data->stage, a->J);
    if (status != 0)
        return status;
    memset(M, 0, sizeof *M * (size_t)(nx * nx));
    for (int i = 0; i < nx; i++) {
        if (a->velocity[i] >= 0) {
            M[i * nx + i] = 1.0;
            M[i * nx + a->velocity[i]] = -a->k * g;
            continue;
        }
        M[i * nx + i] = 1.0 - am;
        for (int j = 0; j < nx; j++) {
            const int v = a->velocity[j];
            M[i * nx + (v < 0 ? j : v)] -= (1.0 - af) * a->J[i * nx + j] * a->k * (v < 0 ? g : a->k * b);
        }
    }
    return 0;
}

static int alpha_step(ms_instance *instance, int piece, double t, double k, const double *x0, double *x1)
{
    const ms_fixed_data *data = instance->solver_data;
    alpha *a = data->own;
    const int n = instance->n_state, nx = instance->sub->nx;
    a->instance = instance;
    a->piece = piece;
    a->t = t;
    a->k = k;
    a->x0 = x0;
    memcpy(a->d1, data->before, sizeof *a->d1 * (size_t)nx);
    if (ms_newton_dense_solve(data->newton, a->d1) != MS_OK)
        return 1;
    memcpy(data->after, a->d1, sizeof *a->d1 * (size_t)nx);
    displace(a, a->d1, a->x1);
    if (n > nx) {
        between(a, a->x1, 0.5);
        const int status = ms_micro_outputs(instance, piece, t + 0.5 * k, data->stage, x1 + nx);
        if (status != 0)
            return status;
        for (int i = nx; i < n; i++)
            x1[i] = x0[i] + k * x1[i];
    }
    memcpy(x1, a->x1, sizeof *x1 * (size_t)nx);
    return 0;
}

static int alpha_advance(ms_instance *instance, int piece, double t0, double h)
{
    const ms_fixed_data *data = instance->solver_data;
    const int nx = instance->sub->nx;
    if (nx == 0)
        return ms_micro_static_advance(instance, piece, t0, h);
    if (ms_micro_rhs(instance, piece, t0, instance->state, data->slope) != 0)
        return MS_SOLVER_FAILED;
    for (int i = 0; i < nx; i++)
        data->before[i] = data->slope[i] + instance->memory[i];
    const int status = ms_fixed_advance(instance, piece, t0, h, alpha_step);
    if (status == MS_OK && ms_micro_rhs(instance, piece, t0 + h, instance->state, data->slope) != 0)
        return MS_SOLVER_FAILED;
    for (int i = 0; i < nx; i++)
        instance->memory[i] = status == MS_OK ? data->before[i] - data->slope[i] : 0.0;
    return status;
}

static bool is_zero(int n, const double *row)
{
    for (int i = 0; i < n; i++)
        if (row[i] != 0.0)
            return false;
    return true;
}

/* If row i of x' = A x + B u + E w is a single state: its index, otherwise -1. */
static int derivative_of(const ms_instance *instance, int i)
{
    const ms_blocks *m = instance->closed;
    const int nx = instance->sub->nx, nu = instance->sub->nu, nw = instance->sub->nw;
    int state = -1, entries = 0;
    if (m == NULL || !is_zero(nu, m->B + i * nu) || !is_zero(nw, m->E + i * nw))
        return -1;
    for (int j = 0; j < nx; j++)
        if (m->A[i * nx + j] != 0.0) {
            state = m->A[i * nx + j] == 1.0 && j != i ? j : -1;
            entries++;
        }
    return entries == 1 ? state : -1;
}

static void find_positions(const ms_instance *instance, alpha *a)
{
    for (int i = 0; i < instance->sub->nx; i++) {
        const int v = derivative_of(instance, i);
        a->velocity[i] = v >= 0 && derivative_of(instance, v) < 0 ? v : -1;
    }
}

static int alpha_create(ms_instance *instance, const ms_solver_options *options, ms_error *error)
{
    const int status = ms_fixed_create(instance, options, error);
    if (status != MS_OK || instance->sub->nx == 0)
        return status;
    ms_fixed_data *data = instance->solver_data;
    const size_t nx = (size_t)instance->sub->nx;
    alpha *a = data->own = calloc(1, sizeof *a + sizeof(double) * (nx * nx + 2 * nx) + sizeof(int) * nx);
    MS_TRY_MEMORY(a);
    a->J = (double *)(a + 1);
    a->x1 = a->J + nx * nx;
    a->d1 = a->x1 + nx;
    a->velocity = (void *)(a->d1 + nx);
    find_positions(instance, a);
    return ms_newton_dense_create(&(ms_newton_dense_problem){(int)nx, residual, matrix, a}, &data->newton);
}

const ms_solver ms_solver_generalised_alpha = {
    .name = "generalised-alpha",
    .summary = "generalised alpha method with equal micro-steps; damps fast components",
    .source = "Chung, Hulbert 1993; Jansen, Whiting, Hulbert 2000",
    .order = 2,
    .stages = 1,
    .implicit = true,
    .events = true,
    .state_memory = 1,
    .data = sizeof(ms_fixed_data),
    .create = alpha_create,
    .destroy = ms_fixed_destroy,
    .advance = alpha_advance};
