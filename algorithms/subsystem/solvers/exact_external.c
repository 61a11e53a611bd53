/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exact_external.c - the effect of external inputs on exact solutions.
 *
 * Time-varying inputs are integrated by Gauss-Legendre quadrature of e^{A(h-s)} E w(t0 + s) over halved intervals until two
 * levels agree to round-off, separately in x and in q. If w has breakpoints, or follows the rows of a series, the integral is
 * split there.
 *
 * With maps each node needs an exponential, which is cached for recurring lengths. If lengths change from step to step (series
 * of ms_solver_options) the integral is sum_j A^j m_j instead, with moments m_j = int_0^h (h-s)^j/j! E w(t0 + s) ds. */
#include <math.h>

#include "exact.h"
#include "matrix.h"
#include "micro_step.h"

enum { LEVELS_MAX = 10, STRETCHES_MAX = 10000 };

/* r = e^{A s} v for the map of length s, A with the rows of the integrals. */
static void propagate(const ms_instance *instance, const exact_map *map, const double *v, double *r)
{
    const int nx = instance->sub->nx, n = instance->n_state;
    ms_matrix_multiply(n, nx, map->E, v, r);
    for (int i = nx; i < n; i++)
        r[i] += v[i];
}

/* weight * E w(t0 + s) and, in the rows of the integrals, weight * F w. */
static void drive(ms_instance *instance, double t, double weight, double *Ew)
{
    const ms_subsystem *sub = instance->sub;
    const int nx = sub->nx, nw = sub->nw, n = instance->n_state;
    double *w = ((const exact_data *)instance->solver_data)->quadrature + 6 * n;
    ms_subsystem_external(instance->system, sub, t, w);
    ms_matrix_multiply(nx, nw, instance->closed->E, w, Ew);
    ms_matrix_multiply(n - nx, nw, instance->closed->F, w, Ew + nx);
    for (int j = 0; j < n; j++)
        Ew[j] *= weight;
}

/* r = int_0^h e^{A(h-s)} E w(t0 + s) ds on `intervals` equal intervals. Returns MS_OK or MS_SOLVER_FAILED. */
static int quadrature_by_maps(ms_instance *instance, double t0, double h, int intervals, double *r)
{
    const exact_data *data = instance->solver_data;
    const int n = instance->n_state;
    double *Ew = data->quadrature + 4 * n, *part = Ew + n;
    const double eta = h / intervals;
    memset(r, 0, sizeof(double) * (size_t)n);
    for (int i = 0; i < intervals; i++) {
        const exact_map *map = ms_exact_find(instance, eta, 0);
        if (map == NULL)
            return MS_SOLVER_FAILED;
        propagate(instance, map, r, Ew);
        memcpy(r, Ew, sizeof(double) * (size_t)n);
        for (int k = 0; k < MS_MICRO_GAUSS; k++) {
            const double node = ms_micro_gauss_nodes[k];
            drive(instance, t0 + (i + node) * eta, ms_micro_gauss_weights[k] * eta, Ew);
            map = ms_exact_find(instance, eta * (1.0 - node), 0);
            if (map == NULL)
                return MS_SOLVER_FAILED;
            propagate(instance, map, Ew, part);
            for (int j = 0; j < n; j++)
                r[j] += part[j];
        }
    }
    return MS_OK;
}

/* The same by moments of E w, if the pilot system confirms the series. */
static int quadrature_by_series(ms_instance *instance, double t0, double h, int intervals, double *r)
{
    exact_data *data = instance->solver_data;
    double *Ew = data->quadrature + 4 * instance->n_state;
    const double eta = h / intervals;
    ms_taylor_clear_moments(&data->pilot);
    for (int i = 0; i < intervals; i++)
        for (int k = 0; k < MS_MICRO_GAUSS; k++) {
            const double s = (i + ms_micro_gauss_nodes[k]) * eta;
            drive(instance, t0 + s, ms_micro_gauss_weights[k] * eta, Ew);
            ms_taylor_add_moments(&data->pilot, h - s, Ew);
        }
    ms_taylor_sum_moments(&data->pilot, r);
    return MS_OK;
}

/* Is Taylor's series of A accurate to round-off over h? Tested on the pilot system x' = A x + |E| 1, x(0) = 0. */
static bool series_converges(ms_instance *instance, double h)
{
    exact_data *data = instance->solver_data;
    const int nx = instance->sub->nx, nw = instance->sub->nw;
    if (data->terms == NULL)
        return false;
    if (!ms_exact_same_bits(h, data->pilot_h)) {
        double *none = data->quadrature + 4 * instance->n_state;
        memset(none, 0, sizeof(double) * (size_t)nx);
        for (int i = 0; i < nx; i++) {
            data->pilot.f[i] = 0.0;
            for (int j = 0; j < nw; j++)
                data->pilot.f[i] += fabs(instance->closed->E[i * nw + j]);
        }
        data->series_converges = ms_taylor_expand(&data->pilot, 0, h, none);
        data->pilot_h = h;
    }
    return data->series_converges;
}

/* Do two levels agree to round-off in the entries from `begin` to `end`? */
static bool agree(int begin, int end, const double *fine, const double *coarse, const double *state)
{
    double change = 0.0, size = 0.0;
    for (int j = begin; j < end; j++) {
        change = fmax(change, fabs(fine[j] - coarse[j]));
        size = fmax(size, fabs(fine[j]) + fabs(state[j]));
    }
    return change <= 1e-15 * size;
}

/* Adds the effect of time-varying external inputs to `sum`: x and q each by the first level that agrees with the one
 * before, so that x does not depend on whether there is a q. state gives the size of the round-off. */
static int add_smooth(ms_instance *instance, double t0, double h, const double *state, double *sum)
{
    exact_data *data = instance->solver_data;
    const int nx = instance->sub->nx, n = instance->n_state;
    double *fine = data->quadrature, *coarse = fine + n;
    int open[2] = {0, nx}; /* where the remaining entries of x and q begin */
    const int end[2] = {nx, n};
    int (*quadrature)(ms_instance *, double, double, int, double *) =
        series_converges(instance, h) ? quadrature_by_series : quadrature_by_maps;
    int status = quadrature(instance, t0, h, 1, fine);
    for (int level = 1; level <= LEVELS_MAX && status == MS_OK && (open[0] < nx || open[1] < n); level++) {
        memcpy(coarse, fine, sizeof(double) * (size_t)n);
        status = quadrature(instance, t0, h, 1 << level, fine);
        for (int part = 0; part < 2; part++)
            if (level == LEVELS_MAX || agree(open[part], end[part], fine, coarse, state))
                for (; open[part] < end[part]; open[part]++)
                    sum[open[part]] += fine[open[part]];
    }
    return status;
}

/* sum = e^{A s} sum by the series. False: the series is not accurate enough. */
static bool move_by_series(exact_data *data, double s, double *sum)
{
    if (data->terms == NULL)
        return false;
    memset(data->pilot.f, 0, sizeof(double) * (size_t)data->pilot.lanes);
    data->pilot_h = 0.0; /* the series now belongs to another vector */
    if (!ms_taylor_expand(&data->pilot, 0, s, sum))
        return false;
    ms_taylor_sum(&data->pilot, 1.0, sum);
    return true;
}

/* The same by map or series. False: the result is not finite. */
static bool move(ms_instance *instance, double s, double *sum)
{
    exact_data *data = instance->solver_data;
    const int n = instance->n_state;
    double *moved = data->quadrature + 3 * n;
    if (move_by_series(data, s, sum))
        return true;
    const exact_map *map = ms_exact_find(instance, s, 0);
    if (map == NULL)
        return false;
    propagate(instance, map, sum, moved);
    memcpy(sum, moved, sizeof(double) * (size_t)n);
    return true;
}

/* The largest fraction of h over which moments are accurate; h itself if they never are. */
static double longest_part(ms_instance *instance, double h)
{
    const exact_data *data = instance->solver_data;
    for (int parts = 1; data->terms != NULL && parts <= MS_EXACT_PARTS; parts *= 2)
        if (series_converges(instance, h / parts))
            return h / parts;
    return h;
}

/* The same from one kink to the next, in pieces of at most `most`: sum = e^{A (to - from)} sum + the effect on each piece. */
static int add_stretches(ms_instance *instance, double t0, double h, double most, double *state)
{
    exact_data *data = instance->solver_data;
    const int n = instance->n_state;
    double *sum = data->quadrature + 2 * n, from = t0;
    const double end = t0 + h;
    int status = MS_OK;
    memset(sum, 0, sizeof(double) * (size_t)n);
    for (int k = 0; from < end && status == MS_OK; k++) {
        const double kink = ms_subsystem_next_time(instance->system, instance->index, from, instance->z);
        const double due = fmin(kink, from + most);
        const double to = due < end && !ms_micro_tiny(due, end - due) ? due : end;
        if (to <= from || k == STRETCHES_MAX || (k > 0 && !move(instance, to - from, sum)))
            return MS_SOLVER_FAILED;
        status = add_smooth(instance, from, to - from, state, sum);
        from = to;
    }
    for (int j = 0; j < n; j++)
        state[j] += sum[j];
    return status;
}

int ms_exact_external(ms_instance *instance, double t0, double h, double *state)
{
    const bool kinks = ms_subsystem_has_times(instance->sub);
    const double most = longest_part(instance, h);
    return kinks || most < h ? add_stretches(instance, t0, h, most, state)
                             : add_smooth(instance, t0, h, state, state);
}
