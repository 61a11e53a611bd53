/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_exact.c - linear subsystems solved exactly: x(t0 + h) = E x(t0) + sum_k G_k c_k + G_w w.
 *
 * For the input u(tau) = sum_k c_k tau^k the blocks are those of one augmented exponential,
 *
 *         [ Ah  Bh  .  .  Eh ]          E = e^{Ah},
 *     exp [ .   .   I  .  .  ]          G_k = k! h^k (block row 1, column k + 1),
 *         [ .   .   .  I  .  ]
 *         [ .   .   .  .  .  ]          G_w = (block row 1, last column)
 *
 * so that a singular A needs no special care (instead of Andersson's K1 = A^-1 (e^{AH} - I) B L, 6.12).
 * Integrals q of outputs are further states, with
 *
 *     [ A  . ]    [ B ]    [ E ]
 *     [ C  . ],   [ D ],   [ F ]     for A, B, E; q does not act back, and maps keep the columns of x alone.
 *
 * Maps are cached by the bits of h, the degree and nothing else: the cache never changes a result.
 *
 * External inputs that vary are integrated by Gauss-Legendre quadrature of e^{A(h-s)} E w(t0 + s) over halved
 * intervals until two levels agree to round-off: in x, and apart from it in q. Where there are breakpoints of w,
 * or rows of a series that it follows, it is integrated from one to the next. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instance.h"
#include "matrix.h"
#include "micro_step.h"

/* Maps that are kept: one for the macro-step, one for each sample; the quadrature of external inputs asks for
 * six a level, at each sample anew. */
enum { ENTRIES_MAX = 128, ENTRIES_QUADRATURE = 2048, ENTRIES_MIN = 6, CACHE_BYTES = 256 << 20 };
enum { PROBES = 24 };
enum { LEVELS_MAX = 10, BREAKPOINTS_MAX = 10000 };

typedef struct exact_map {
    double h;
    int degree;         /* -1: empty */
    double *E, *G, *Gw; /* n_state x nx; n_state x (degree + 1) nu; n_state x nw */
} exact_map;

typedef struct exact_data {
    int n_maps, next, last; /* next: to be replaced; last: used last */
    int used;               /* in a table of ENTRIES_MAX or fewer */
    exact_map *map;
    double *augmented, *work, *quadrature;
    int *pivots;
} exact_data;

static void exact_destroy(ms_instance *instance)
{
    exact_data *data = instance->solver_data;
    if (data == NULL)
        return;
    free(data->pivots);
    free(data->augmented);
    if (data->map != NULL)
        free(data->map[0].E);
    free(data->map);
    free(data);
    instance->solver_data = NULL;
}

/* Entries of a table of `most` or as many as fit; a power of two if it is larger than ENTRIES_MAX. */
static size_t table_size(size_t fit, size_t most)
{
    size_t entries = most;
    while (entries > ENTRIES_MAX && entries > fit)
        entries /= 2;
    if (entries > fit)
        entries = fit < ENTRIES_MIN ? ENTRIES_MIN : fit;
    return entries;
}

static int exact_create(ms_instance *instance, const ms_solver_options *options, ms_error *error)
{
    (void)options;
    const ms_subsystem *sub = instance->sub;
    const size_t nx = (size_t)sub->nx, nu = (size_t)sub->nu, nw = (size_t)sub->nw;
    const size_t rows = (size_t)instance->n_state;
    const size_t columns = nx + (MS_INPUT_DEGREE + 1) * nu + nw; /* all columns of a map */
    const size_t n = rows - nx + columns;                        /* of the augmented matrix */
    exact_data *data = calloc(1, sizeof *data);
    instance->solver_data = data;
    if (data == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for solver exact");

    const size_t most = nw > 0 && !sub->external_constant ? ENTRIES_QUADRATURE : ENTRIES_MAX;
    const size_t entries = table_size(rows * columns > 0 ? CACHE_BYTES / (8 * rows * columns) : most, most);
    data->map = calloc(entries, sizeof *data->map);
    if (data->map == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for solver exact");
    double *maps = malloc(sizeof(double) * (entries * rows * columns + 1));
    data->augmented =
        malloc(sizeof(double) * (2 * n * n + ms_matrix_exponential_work((int)n) + 6 * rows + nw + 1));
    data->pivots = malloc(sizeof(int) * (n + 1));
    data->map[0].E = maps;
    if (maps == NULL || data->augmented == NULL || data->pivots == NULL)
        return ms_fail(error, MS_NO_MEMORY,
                       "not enough memory for the matrix exponential of subsystem %s (%d states)", sub->name,
                       sub->nx);
    data->work = data->augmented + 2 * n * n;
    data->quadrature = data->work + ms_matrix_exponential_work((int)n);
    data->n_maps = (int)entries;
    for (size_t k = 0; k < entries; k++) {
        exact_map *map = &data->map[k];
        map->degree = -1;
        map->E = maps + k * rows * columns;
        map->G = map->E + rows * nx;
        map->Gw = map->G + rows * (MS_INPUT_DEGREE + 1) * nu;
    }
    return MS_OK;
}

static void copy_block(int rows, int columns, double factor, const double *from, int from_columns, double *to,
                       int to_columns)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            to[i * to_columns + j] = factor * from[i * from_columns + j];
}

/* A power of two that brings the sums of the rows of h [C D F] to 1 or below. Large outputs would otherwise
 * cost squarings, and with them digits. */
static double output_scale(const ms_instance *instance, double h)
{
    const ms_blocks *m = instance->blocks;
    const int nx = instance->sub->nx, nu = instance->sub->nu, nw = instance->sub->nw;
    double most = 0.0;
    int exponent = 0;
    for (int i = 0; i < instance->n_integrals; i++) {
        double sum = 0.0;
        for (int j = 0; j < nx; j++)
            sum += fabs(h * m->C[i * nx + j]);
        for (int j = 0; j < nu; j++)
            sum += fabs(h * m->D[i * nu + j]);
        for (int j = 0; j < nw; j++)
            sum += fabs(h * m->F[i * nw + j]);
        most = fmax(most, sum);
    }
    if (most > 1.0 && isfinite(most))
        frexp(most, &exponent);
    return ldexp(1.0, -exponent);
}

/* The rows of x, or those of q from an exponential of their own: x has the same bits with and without q. */
static int fill_rows(ms_instance *instance, exact_map *map, double h, int degree, bool integrals)
{
    exact_data *data = instance->solver_data;
    const ms_blocks *m = instance->blocks;
    const int nx = instance->sub->nx, nu = instance->sub->nu, nw = instance->sub->nw;
    const int begin = integrals ? nx : 0, end = integrals ? instance->n_state : nx, rows = end - begin;
    const int n = end + (degree + 1) * nu + nw;
    const double scale = integrals ? output_scale(instance, h) : 1.0;
    double *N = data->augmented, *X = N + n * n, *Q = N + nx * n;
    memset(N, 0, sizeof(double) * (size_t)(n * n));
    copy_block(nx, nx, h, m->A, nx, N, n);
    copy_block(nx, nu, h, m->B, nu, N + end, n);
    copy_block(nx, nw, h, m->E, nw, N + n - nw, n);
    copy_block(end - nx, nx, h * scale, m->C, nx, Q, n);
    copy_block(end - nx, nu, h * scale, m->D, nu, Q + end, n);
    copy_block(end - nx, nw, h * scale, m->F, nw, Q + n - nw, n);
    for (int i = end; i < end + degree * nu; i++)
        N[i * n + i + nu] = 1.0;
    const int status = ms_matrix_exponential(n, N, X, data->work, data->pivots);
    if (status != MS_OK)
        return status;
    X += begin * n;
    copy_block(rows, nx, 1.0 / scale, X, n, map->E + begin * nx, nx);
    double factor = 1.0 / scale;
    for (int k = 0; k <= degree; k++) {
        copy_block(rows, nu, factor, X + end + k * nu, n, map->G + begin * (degree + 1) * nu + k * nu,
                   (degree + 1) * nu);
        factor *= (k + 1) * h; /* k! h^k: the unknowns below x are d^k u / d(tau/h)^k */
    }
    copy_block(rows, nw, 1.0 / scale, X + n - nw, n, map->Gw + begin * nw, nw);
    return MS_OK;
}

static int exact_fill(ms_instance *instance, exact_map *map, double h, int degree)
{
    map->degree = -1;
    int status = fill_rows(instance, map, h, degree, false);
    if (status == MS_OK && instance->n_integrals > 0)
        status = fill_rows(instance, map, h, degree, true);
    if (status == MS_OK) {
        map->h = h;
        map->degree = degree;
    }
    return status;
}

static inline bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static inline bool is_map(const exact_map *map, double h, int degree)
{
    return map->degree == degree && same_bits(map->h, h);
}

/* Where the map of that length is, or where it is to be filled, in a small table: lengths mostly come in the same
 * sequence, so that the next one follows the last one. */
static int find_next(exact_data *data, double h, int degree)
{
    int at = data->last;
    for (int k = 0; k < data->used; k++) {
        at = at + 1 < data->used ? at + 1 : 0;
        if (is_map(&data->map[at], h, degree))
            return at;
    }
    if (data->used < data->n_maps)
        return data->used++;
    at = data->next;
    data->next = (at + 1) % data->n_maps;
    return at;
}

/* The same in a large one, among PROBES places from one that the bits of the length give. */
static int find_hashed(exact_data *data, double h, int degree)
{
    unsigned long long bits;
    memcpy(&bits, &h, sizeof bits);
    const int mask = data->n_maps - 1, first = (int)(bits * 0x9E3779B97F4A7C15ULL >> 32) & mask;
    for (int k = 0; k < PROBES; k++) {
        const exact_map *map = &data->map[(first + k) & mask];
        if (map->degree < 0 || is_map(map, h, degree))
            return (first + k) & mask;
    }
    data->next = (data->next + 1) % PROBES;
    return (first + data->next) & mask;
}

static const exact_map *exact_search(ms_instance *instance, double h, int degree)
{
    exact_data *data = instance->solver_data;
    data->last = data->n_maps > ENTRIES_MAX ? find_hashed(data, h, degree) : find_next(data, h, degree);
    exact_map *map = &data->map[data->last];
    return is_map(map, h, degree) || exact_fill(instance, map, h, degree) == MS_OK ? map : NULL;
}

/* The map of that length and degree, or NULL where the exponential is not finite. Mostly it is the last
 * one. */
static inline const exact_map *exact_find(ms_instance *instance, double h, int degree)
{
    const exact_data *data = instance->solver_data;
    const exact_map *last = &data->map[data->last];
    return last->degree == degree && same_bits(last->h, h) ? last : exact_search(instance, h, degree);
}

/* r = e^{A s} v for the map of length s, A with the rows of the integrals. */
static void propagate(const ms_instance *instance, const exact_map *map, const double *v, double *r)
{
    const int nx = instance->sub->nx, n = instance->n_state;
    ms_matrix_multiply(n, nx, map->E, v, r);
    for (int i = nx; i < n; i++)
        r[i] += v[i];
}

/* r = int_0^h e^{A(h-s)} E w(t0 + s) ds on `intervals` equal intervals. Returns MS_OK or MS_SOLVER_FAILED. */
static int quadrature(ms_instance *instance, double t0, double h, int intervals, double *r)
{
    const ms_subsystem *sub = instance->sub;
    exact_data *data = instance->solver_data;
    const int nx = sub->nx, nw = sub->nw, n = instance->n_state;
    double *Ew = data->quadrature + 4 * n, *part = Ew + n, *w = part + n;
    const double eta = h / intervals;
    memset(r, 0, sizeof(double) * (size_t)n);
    for (int i = 0; i < intervals; i++) {
        const exact_map *map = exact_find(instance, eta, 0);
        if (map == NULL)
            return MS_SOLVER_FAILED;
        propagate(instance, map, r, Ew);
        memcpy(r, Ew, sizeof(double) * (size_t)n);
        for (int k = 0; k < MS_MICRO_GAUSS; k++) {
            const double node = ms_micro_gauss_nodes[k], weight = ms_micro_gauss_weights[k];
            ms_subsystem_external(instance->system, sub, t0 + (i + node) * eta, w);
            ms_matrix_multiply(nx, nw, instance->blocks->E, w, Ew);
            ms_matrix_multiply(n - nx, nw, instance->blocks->F, w, Ew + nx);
            map = exact_find(instance, eta * (1.0 - node), 0);
            if (map == NULL)
                return MS_SOLVER_FAILED;
            for (int j = 0; j < n; j++)
                Ew[j] *= weight * eta;
            propagate(instance, map, Ew, part);
            for (int j = 0; j < n; j++)
                r[j] += part[j];
        }
    }
    return MS_OK;
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

/* Adds the effect of external inputs that vary to `sum`: x and q each by the first level that agrees with the
 * one before, so that x does not depend on whether there is a q. state: for the size of the round-off. */
static int add_smooth(ms_instance *instance, double t0, double h, const double *state, double *sum)
{
    exact_data *data = instance->solver_data;
    const int nx = instance->sub->nx, n = instance->n_state;
    double *fine = data->quadrature, *coarse = fine + n;
    int open[2] = {0, nx}; /* where the entries of x and q begin that are still to be added */
    const int end[2] = {nx, n};
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

/* Where external inputs are not smooth next behind t. */
static double next_kink(const ms_instance *instance, double t)
{
    const ms_system *system = instance->system;
    const double time = ms_subsystem_next_time(system, instance->index, t, instance->z);
    return system->inputs != NULL ? fmin(time, ms_series_next(system->inputs, t)) : time;
}

/* The same from one such time to the next: sum = e^{A (to - from)} sum + what a stretch adds. */
static int add_broken(ms_instance *instance, double t0, double h, double *state)
{
    exact_data *data = instance->solver_data;
    const int n = instance->n_state;
    double *sum = data->quadrature + 2 * n, *moved = sum + n, from = t0;
    const double end = t0 + h;
    int status = MS_OK;
    memset(sum, 0, sizeof(double) * (size_t)n);
    for (int k = 0; from < end && status == MS_OK; k++) {
        const double due = next_kink(instance, from);
        const double to = due < end && !ms_micro_tiny(due, end - due) ? due : end;
        const exact_map *map = to > from && k < BREAKPOINTS_MAX ? exact_find(instance, to - from, 0) : NULL;
        if (map == NULL)
            return MS_SOLVER_FAILED;
        propagate(instance, map, sum, moved);
        memcpy(sum, moved, sizeof(double) * (size_t)n);
        status = add_smooth(instance, from, to - from, state, sum);
        from = to;
    }
    for (int j = 0; j < n; j++)
        state[j] += sum[j];
    return status;
}

/* x = E x0 + G c, in the first nx rows. */
static inline void apply(const exact_map *map, int nx, int columns, const double *x0, const double *c,
                         double *x)
{
    const double *E = map->E, *G = map->G;
    for (int i = 0; i < nx; i++, E += nx, G += columns)
        x[i] = ms_dot(nx, E, x0) + ms_dot(columns, G, c);
}

/* Adds the effect of the external inputs over [t0, t0 + h] to the state. */
static int external(ms_instance *instance, const exact_map *map, double t0, double h, double *state)
{
    const ms_subsystem *sub = instance->sub;
    if (!sub->external_constant)
        return sub->next_time != NULL || instance->system->inputs != NULL
                   ? add_broken(instance, t0, h, state)
                   : add_smooth(instance, t0, h, state, state);
    ms_subsystem_external(instance->system, sub, t0, instance->w);
    ms_matrix_add(instance->n_state, sub->nw, map->Gw, instance->w, state);
    return MS_OK;
}

/* What many subsystems do without, out of line for the speed of those: q = q0 + E x0 + G c in the rows of the
 * integrals, and external inputs. */
static __attribute__((noinline)) int evaluate_rest(ms_instance *instance, const exact_map *map, double t0,
                                                   double h, const double *x0, const double *c, double *state)
{
    const ms_subsystem *sub = instance->sub;
    const int nx = sub->nx, columns = (instance->input.degree + 1) * sub->nu;
    for (int i = nx; i < instance->n_state; i++)
        state[i] = x0[i] + ms_dot(nx, map->E + i * nx, x0) + ms_dot(columns, map->G + i * columns, c);
    return sub->nw == 0 ? MS_OK : external(instance, map, t0, h, state);
}

/* The state at t0 + h from x0 at t0 on a piece of the input. */
static inline int evaluate(ms_instance *instance, int piece, double t0, double h, const double *x0,
                           double *state)
{
    const ms_subsystem *sub = instance->sub;
    const ms_input *input = &instance->input;
    const exact_map *map = exact_find(instance, h, input->degree);
    if (map == NULL)
        return MS_SOLVER_FAILED;
    const double *c = ms_input_coefficients(input, piece, 0);
    apply(map, sub->nx, (input->degree + 1) * sub->nu, x0, c, state);
    return sub->nw == 0 && instance->n_integrals == 0 ? MS_OK
                                                      : evaluate_rest(instance, map, t0, h, x0, c, state);
}

static int exact_sample(ms_instance *instance, int piece, double t0, const double *x0)
{
    const double begin = ms_input_begin(&instance->input, piece), end = instance->input.end[piece];
    int status = MS_OK;
    for (int k = 0; k < instance->n_samples && status == MS_OK; k++) {
        const double after = instance->sample_at[k] * instance->h; /* the same bits each time: cached */
        if (after > begin && after <= end)
            status = evaluate(instance, piece, t0, after - begin, x0, ms_micro_sample(instance, k));
    }
    return status;
}

static int exact_advance(ms_instance *instance, int piece, double t0, double h, bool discontinuous)
{
    (void)discontinuous;
    const double *x0 = instance->x_start + piece * instance->n_state;
    const int status = evaluate(instance, piece, t0, h, x0, instance->state);
    instance->work.micro_steps++;
    return status != MS_OK || instance->n_samples == 0 ? status : exact_sample(instance, piece, t0, x0);
}

const ms_solver ms_solver_exact = {.name = "exact",
                                   .summary = "matrix exponential with polynomial input (linear subsystems)",
                                   .source = "Andersson 2016, (6.6); Higham 2005",
                                   .linear_only = true,
                                   .linear_map = true,
                                   .form = MS_STEPS_EXACT,
                                   .create = exact_create,
                                   .destroy = exact_destroy,
                                   .advance = exact_advance};
