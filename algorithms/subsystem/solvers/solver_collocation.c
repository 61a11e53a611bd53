/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_collocation.c - implicit collocation methods with equal micro-steps:
 *
 *     trapezoidal   Lobatto IIIA with 2 stages, order 2, c = 0, 1
 *     radau-iia     Radau IIA with 3 stages, order 5, c = (4 -+ sqrt 6)/10, 1
 *
 *     z_i = k sum_j a_ij f(t + c_j k, x + z_j),     x+ = x + z_s
 *
 * since both end with a stage at c = 1 (they are stiffly accurate). On positions and velocities, q' = v, the trapezoidal rule
 * is Newmark's method with beta = 1/4 and gamma = 1/2:
 *
 *     q+ = q + k v + k^2 (a + a+)/4,     v+ = v + k (a + a+)/2
 *
 * where a+ is the acceleration that f gives at t + k; it conserves quadratic energies. Integrals of outputs use the weights
 * a_sj.
 *
 * Sources: Hairer, Wanner, Solving Ordinary Differential Equations II, IV.5, tables 5.6 and 5.7, and IV.8; Newmark, J. Eng.
 * Mech. Div. ASCE 85 (1959). */
#include <stdlib.h>
#include <string.h>

#include "fixed_step.h"
#include "micro_done.h"

enum { STAGES_MAX = 3 };

typedef struct tableau {
    int stages, first; /* stages before `first` are known from the start of the step */
    double c[STAGES_MAX], a[STAGES_MAX][STAGES_MAX];
} tableau;

#define SQRT6 2.4494897427831780982

enum { LOBATTO_IIIA, RADAU_IIA };

static const tableau methods[] = {
    [LOBATTO_IIIA] = {2, 1, {0.0, 1.0}, {{0.0, 0.0}, {0.5, 0.5}}},
    [RADAU_IIA] = {
        3,
        0,
        {(4.0 - SQRT6) / 10.0, (4.0 + SQRT6) / 10.0, 1.0},
        {{(88.0 - 7.0 * SQRT6) / 360.0, (296.0 - 169.0 * SQRT6) / 1800.0, (-2.0 + 3.0 * SQRT6) / 225.0},
         {(296.0 + 169.0 * SQRT6) / 1800.0, (88.0 + 7.0 * SQRT6) / 360.0, (-2.0 - 3.0 * SQRT6) / 225.0},
         {(16.0 - SQRT6) / 36.0, (16.0 + SQRT6) / 36.0, 1.0 / 9.0}}}};

typedef struct collocation {
    const tableau *method;
    ms_instance *instance;
    int piece;
    double t, k;      /* start [s] and length [s] */
    const double *x0; /* (n_state) */
    double *J, *z;    /* (nx x nx), (unknown stages x nx) */
} collocation;

/* The slope (n_state) at stage i for its z (nx); NULL: at the start of the step. */
static int stage_slope(const collocation *c, int i, const double *z)
{
    const ms_fixed_data *data = c->instance->solver_data;
    const int n = c->instance->n_state, nx = c->instance->sub->nx;
    for (int l = 0; l < n; l++)
        data->stage[l] = c->x0[l] + (z != NULL && l < nx ? z[l] : 0.0);
    return ms_micro_rhs(c->instance, c->piece, c->t + c->method->c[i] * c->k, data->stage,
                        data->slope + i * n);
}

/* r_i = z_i - k sum_j a_ij f_j. */
static int residual(void *user, const double *z, double *r)
{
    const collocation *c = user;
    const tableau *m = c->method;
    const ms_fixed_data *data = c->instance->solver_data;
    const int n = c->instance->n_state, nx = c->instance->sub->nx;
    int status = 0;
    for (int i = m->first; i < m->stages && status == 0; i++)
        status = stage_slope(c, i, z + (i - m->first) * nx);
    for (int i = m->first; i < m->stages && status == 0; i++)
        for (int l = 0; l < nx; l++) {
            double sum = 0.0;
            for (int j = 0; j < m->stages; j++)
                sum += m->a[i][j] * data->slope[j * n + l];
            r[(i - m->first) * nx + l] = z[(i - m->first) * nx + l] - c->k * sum;
        }
    return status;
}

/* I - k A x J; f_x at the end of the step is used for all stages. */
static int matrix(void *user, const double *z, double *M)
{
    const collocation *c = user;
    const tableau *m = c->method;
    const ms_fixed_data *data = c->instance->solver_data;
    const int nx = c->instance->sub->nx, unknown = m->stages - m->first, rows = unknown * nx;
    for (int l = 0; l < c->instance->n_state; l++)
        data->stage[l] = c->x0[l] + (l < nx ? z[(unknown - 1) * nx + l] : 0.0);
    const int status = ms_instance_jacobian(c->instance, c->piece, c->t + c->k, data->stage, c->J);
    for (int row = 0; row < rows && status == 0; row++)
        for (int column = 0; column < rows; column++)
            M[row * rows + column] = (row == column) - c->k *
                                                           m->a[m->first + row / nx][m->first + column / nx] *
                                                           c->J[row % nx * nx + column % nx];
    return status;
}

static int collocation_step(ms_instance *instance, int piece, double t, double k, const double *x0,
                            double *x1)
{
    const ms_fixed_data *data = instance->solver_data;
    collocation *c = data->own;
    const tableau *m = c->method;
    const int n = instance->n_state, nx = instance->sub->nx, unknown = m->stages - m->first;
    c->instance = instance;
    c->piece = piece;
    c->t = t;
    c->k = k;
    c->x0 = x0;
    memset(c->z, 0, sizeof *c->z * (size_t)(unknown * nx));
    for (int i = 0; i < m->first; i++) {
        const int status = stage_slope(c, i, NULL);
        if (status != 0)
            return status;
    }
    if (ms_newton_dense_solve(data->newton, c->z) != MS_OK)
        return 1;
    for (int l = 0; l < nx; l++)
        x1[l] = x0[l] + c->z[(unknown - 1) * nx + l];
    for (int l = nx; l < n; l++) {
        double sum = 0.0;
        for (int j = 0; j < m->stages; j++)
            sum += m->a[m->stages - 1][j] * data->slope[j * n + l];
        x1[l] = x0[l] + k * sum;
    }
    return 0;
}

static int collocation_advance(ms_instance *instance, int piece, double t0, double h)
{
    return instance->sub->nx > 0 ? ms_fixed_advance(instance, piece, t0, h, collocation_step)
                                 : ms_micro_static_advance(instance, piece, t0, h);
}

static int create(ms_instance *instance, const ms_solver_options *options, ms_error *error)
{
    const tableau *method = &methods[instance->solver->kind];
    const int status = ms_fixed_create(instance, options, error);
    if (status != MS_OK || instance->sub->nx == 0)
        return status;
    ms_fixed_data *data = instance->solver_data;
    const size_t nx = (size_t)instance->sub->nx, unknown = (size_t)(method->stages - method->first);
    collocation *c = data->own = calloc(1, sizeof *c + sizeof(double) * (nx * nx + unknown * nx));
    MS_TRY_MEMORY(c);
    c->method = method;
    c->J = (double *)(c + 1);
    c->z = c->J + nx * nx;
    return ms_newton_dense_create(&(ms_newton_dense_problem){(int)(unknown * nx), residual, matrix, c},
                                  &data->newton);
}

/* What both methods have. */
#define COLLOCATION                                                                                          \
    .linear_map = true, .implicit = true, .events = true, .data = sizeof(ms_fixed_data), .create = create,   \
    .destroy = ms_fixed_destroy, .advance = collocation_advance

const ms_solver ms_solver_trapezoidal = {
    .name = "trapezoidal",
    .summary = "trapezoidal rule with equal micro-steps; of positions and velocities Newmark's method",
    .source = "Hairer, Wanner 1996, IV.5; Newmark 1959",
    .order = 2,
    .stages = 2,
    .kind = LOBATTO_IIIA,
    COLLOCATION};

const ms_solver ms_solver_radau_iia = {.name = "radau-iia",
                                       .summary = "Radau IIA of order 5 with equal micro-steps (stiff)",
                                       .source = "Hairer, Wanner 1996, IV.5, table 5.6",
                                       .order = 5,
                                       .stages = 3,
                                       .stiff = true,
                                       .kind = RADAU_IIA,
                                       COLLOCATION};
