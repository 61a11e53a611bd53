/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interface_sensitivities.c - sensitivities of outputs at the end of a macro-step to inputs there, S = diag(S_i), and Newton's
 * equations (I - L S) du = -R. With l(s) Lagrange's polynomial of the unknown value:
 *
 *     exact          subsystem i is linear, and so is its macro-step: from x = 0, under input l(s) e_k, it ends with column k
 *                    of S_i, for any micro-solver. The response of x = 0 to external inputs is subtracted.
 *     directional    S_i = C int_0^h e^{A (h - s)} B l(s) ds + D with C, D at the end of a sweep and A, B the means of those at
 *                    both ends: the variational equation with the derivatives given by the subsystem at communication points.
 *                    Exact for linear subsystems, otherwise with an error of order h^3.
 *     differences    the sweep again with u1 + delta e_k, delta = 1e-5 (1 + |u1_k|), one input of each subsystem at a time */
#include <string.h>

#include <macrostep/cosim_state.h>
#include "interface_jacobian.h"
#include "matrix.h"

/* About the square root of the tolerances of adaptive micro-solvers. */
static const double difference = 1e-5;

/* Responses to single inputs ---------------------------------------------------------------------------- */

/* Back to T_n; from there, or from zero states. */
static void go_back(ms_cosim *cosim, const interface_data *data, bool zero)
{
    ms_cosim_restore(cosim, data->before);
    if (zero)
        memset(cosim->x, 0, sizeof(double) * (size_t)cosim->system->nx);
}

static bool has_external(const ms_system *s)
{
    for (int i = 0; i < s->n; i++)
        if (s->sub[i].nw > 0)
            return true;
    return false;
}

/* Outputs from zero states under zero inputs. */
static int zero_response(ms_cosim *cosim, interface_data *data)
{
    const ms_system *s = cosim->system;
    memset(data->base, 0, sizeof(double) * (size_t)s->ny);
    if (!has_external(s))
        return MS_OK;
    go_back(cosim, data, true);
    ms_interface_give(cosim, data, 0.0, data->zero);
    const int status = ms_execution_advance(cosim, data->t, data->h, NULL);
    cosim->integrations += s->n;
    memcpy(data->base, cosim->y_raw, sizeof(double) * (size_t)s->ny);
    return status;
}

/* Adds delta to input k of the subsystems that have one, and marks them. Returns their number. */
static int change_inputs(ms_cosim *cosim, interface_data *data, int k, bool units)
{
    const ms_system *s = cosim->system;
    int count = 0;
    for (int i = 0; i < s->n; i++) {
        data->which[i] = k < s->sub[i].nu;
        count += data->which[i];
        cosim->instance[i]->t = data->t;
        cosim->instance[i]->h = data->h;
        if (!data->which[i])
            continue;
        const int at = s->u_at[i] + k;
        data->delta[at] = units ? 1.0 : difference * (1.0 + fabs(data->z[at]));
        ms_interface_add(cosim, data, i, k, data->delta[at]);
    }
    return count;
}

/* Column k of the blocks of the marked subsystems. */
static void read_columns(const ms_cosim *cosim, interface_data *data, int k)
{
    const ms_system *s = cosim->system;
    for (int i = 0; i < s->n; i++)
        for (int j = 0; data->which[i] && j < s->sub[i].ny; j++) {
            const int at = s->y_at[i] + j;
            data->S[data->S_at[i] + j * s->sub[i].nu + k] =
                (cosim->y_raw[at] - data->base[at]) / data->delta[s->u_at[i] + k];
        }
}

/* units: from zero states under single inputs of 1 (`exact`), else from T_n and the inputs of z. */
static int by_responses(ms_cosim *cosim, interface_data *data, const double *z, bool units)
{
    int status = MS_OK;
    if (units)
        status = zero_response(cosim, data);
    else
        memcpy(data->base, cosim->y_raw, sizeof(double) * (size_t)cosim->system->ny);
    for (int k = 0; status == MS_OK; k++) {
        go_back(cosim, data, units);
        ms_interface_give(cosim, data, units ? 0.0 : 1.0, units ? data->zero : z);
        const int count = change_inputs(cosim, data, k, units);
        if (count == 0)
            break;
        status = ms_execution_advance_some(cosim, data->which, NULL);
        cosim->integrations += count;
        read_columns(cosim, data, k);
    }
    return status;
}

/* Directional derivatives ------------------------------------------------------------------------------- */

static size_t work_of(const ms_subsystem *sub)
{
    const size_t nx = (size_t)sub->nx, nu = (size_t)sub->nu, ny = (size_t)sub->ny;
    return 3 * nx * nx + (INTERFACE_DEGREE_MAX + 4) * nx * nu + ny * (nx + nu) + nu +
           ms_exponential_size(sub->nx, sub->nu);
}

size_t ms_interface_work(const ms_system *system)
{
    size_t most = 0;
    for (int i = 0; i < system->n; i++)
        most = work_of(&system->sub[i]) > most ? work_of(&system->sub[i]) : most;
    return most;
}

/* A, B, C, D of subsystem i at (t, x, u). */
static int jacobian(ms_cosim *cosim, int i, double t, const double *x, const double *u, ms_blocks *m)
{
    ms_instance *instance = cosim->instance[i];
    ms_point at = {.t = t, .x = x, .u = u, .z = instance->z};
    instance->work.jacobian_evaluations++;
    if (ms_subsystem_jacobian(cosim->system, i, &at, instance->w, instance->scratch, m,
                              &instance->work.rhs_evaluations) == 0)
        return MS_OK;
    return ms_fail(&cosim->error, MS_SOLVER_FAILED,
                   "the derivatives of subsystem %s are not defined at %.6g s", instance->sub->name, t);
}

/* a = (a + b)/2. */
static void average(int n, double *a, const double *b)
{
    for (int k = 0; k < n; k++)
        a[k] = 0.5 * (a[k] + b[k]);
}

/* The means of A, B at both ends, and C, D at the end. other: room for one more A and B. */
static int mean_derivatives(ms_cosim *cosim, const interface_data *data, int i, double *u, ms_blocks *m,
                            const ms_blocks *other)
{
    const ms_subsystem *sub = &cosim->system->sub[i];
    const double *x = data->before + cosim->system->x_at[i]; /* lin begins with the states */
    ms_blocks first = *other;
    const int status =
        jacobian(cosim, i, data->t + data->h, cosim->instance[i]->x, data->z + cosim->system->u_at[i], m);
    if (status != MS_OK || sub->matrices != NULL)
        return status;
    ms_input_evaluate(&cosim->instance[i]->input, 0, 0, 0.0, u);
    const int begin = jacobian(cosim, i, data->t, x, u, &first);
    average(sub->nx * sub->nx, m->A, first.A);
    average(sub->nx * sub->nu, m->B, first.B);
    return begin;
}

/* B = int_0^h e^{A (h - s)} B l(s) ds = sum_k l_k k! h^(k+1) phi_{k+1}(A h) B. */
static int integrate(const interface_data *data, int nx, int nu, const double *A, double *B, double *work)
{
    const int block = nx * nu;
    double *E = work, *W = E + nx * nx, factor = data->h;
    ms_exponential e;
    ms_exponential_prepare(&e, nx, nu, A, B, W + (INTERFACE_DEGREE_MAX + 1) * block);
    const int status = ms_exponential_evaluate(&e, data->h, data->degree + 1, E, W);
    memset(B, 0, sizeof(double) * (size_t)block);
    for (int k = 0; k <= data->degree; factor *= ++k * data->h)
        for (int j = 0; j < block; j++)
            B[j] += data->newest[k] * factor * W[k * block + j];
    return status;
}

static int direct(ms_cosim *cosim, interface_data *data, int i)
{
    const ms_subsystem *sub = &cosim->system->sub[i];
    const int nx = sub->nx, nu = sub->nu, ny = sub->ny;
    double *A = data->work, *B = A + nx * nx, *C = B + nx * nu, *D = C + ny * nx, *u = D + ny * nu;
    double *other = u + nu, *rest = other + nx * nx + nx * nu, *S = data->S + data->S_at[i];
    ms_blocks m = {.A = A, .B = B, .C = C, .D = D};
    MS_TRY(mean_derivatives(cosim, data, i, u, &m, &(ms_blocks){.A = other, .B = other + nx * nx}));
    if (nx > 0 && nu > 0)
        MS_TRY(integrate(data, nx, nu, A, B, rest));
    memcpy(S, D, sizeof(double) * (size_t)(ny * nu));
    for (int j = 0; j < ny; j++)
        for (int k = 0; k < nx; k++)
            for (int l = 0; l < nu; l++)
                S[j * nu + l] += C[j * nx + k] * B[k * nu + l];
    return MS_OK;
}

static int by_directional_derivatives(ms_cosim *cosim, interface_data *data)
{
    for (int i = 0; i < cosim->system->n; i++)
        MS_TRY(direct(cosim, data, i));
    return MS_OK;
}

/* Newton's equations ------------------------------------------------------------------------------------ */

static bool same_grid(const interface_data *data)
{
    const interface_key *key = data->key;
    bool same = key->h == data->h;
    for (int j = 0; j < data->degree; j++)
        same = same && key->age[j] == data->history->age[j];
    return same;
}

/* Is the present S still valid? */
static bool serves(const interface_data *data)
{
    const interface_key *key = data->key;
    if (key->made == 0.0 || key->degree != data->degree)
        return false;
    if (data->sensitivities == MS_SENSITIVITY_EXACT)
        return same_grid(data);
    return data->update == MS_UPDATE_SLOW && data->h <= 2.0 * key->h && key->h <= 2.0 * data->h;
}

static int make(ms_cosim *cosim, interface_data *data, const double *z)
{
    const bool exact = data->sensitivities == MS_SENSITIVITY_EXACT;
    const int status = data->sensitivities == MS_SENSITIVITY_DIRECTIONAL
                           ? by_directional_derivatives(cosim, data)
                           : by_responses(cosim, data, z, exact);
    cosim->sensitivities += cosim->system->nu;
    *data->key = (interface_key){.made = status == MS_OK, .degree = data->degree, .h = data->h};
    memcpy(data->key->age, data->history->age, sizeof data->key->age);
    return status;
}

/* Row l of I - L S. */
static void fill_row(const ms_cosim *cosim, const interface_data *data, int l, double *row)
{
    const ms_system *s = cosim->system;
    memset(row, 0, sizeof(double) * (size_t)s->nu);
    row[l] = 1.0;
    for (int w = s->row_at[l]; w < s->row_at[l + 1]; w++) {
        const int i = s->owner[s->wire_output[w]], nu = s->sub[i].nu;
        const double *S = data->S + data->S_at[i] + (s->wire_output[w] - s->y_at[i]) * nu;
        for (int k = 0; k < nu; k++)
            row[s->u_at[i] + k] -= s->wire_gain[w] * S[k];
    }
}

static int factor(const ms_cosim *cosim, interface_data *data)
{
    const int nu = cosim->system->nu;
    const size_t bytes = sizeof(double) * (size_t)data->S_at[cosim->system->n];
    if (data->has_factors && memcmp(data->S, data->factored, bytes) == 0)
        return MS_OK;
    for (int l = 0; l < nu; l++)
        fill_row(cosim, data, l, data->M + (size_t)l * (size_t)nu);
    memcpy(data->factored, data->S, bytes);
    const int status = ms_matrix_factor(nu, data->M, data->pivots);
    data->has_factors = status == MS_OK;
    return status;
}

static size_t kept_size(const interface_data *data, const ms_system *s)
{
    return KEY_SIZE + (size_t)data->S_at[s->n];
}

void ms_interface_recall(const ms_cosim *cosim, interface_data *data)
{
    memcpy(data->key, data->kept, sizeof(double) * kept_size(data, cosim->system));
}

void ms_interface_keep(const ms_cosim *cosim, const interface_data *data)
{
    memcpy(data->kept, data->key, sizeof(double) * kept_size(data, cosim->system));
}

int ms_interface_linearise(ms_cosim *cosim, interface_data *data, const double *z)
{
    const int status = serves(data) ? MS_OK : make(cosim, data, z);
    return status == MS_OK ? factor(cosim, data) : status;
}
