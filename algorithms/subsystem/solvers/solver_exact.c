/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_exact.c - linear subsystems solved exactly: x(t0 + h) = E x(t0) + sum_k G_k c_k + G_w w.
 *
 * For the input u(tau) = sum_k c_k tau^k and phi-functions phi_k of Ah (exponential.h),
 *
 *     E = e^{Ah},   G_k = k! h^{k+1} phi_{k+1} B,   G_w = h phi_1 E,
 *
 * so that a singular A needs no special care (instead of Andersson's K1 = A^-1 (e^{AH} - I) B L, 6.12).
 * Integrals q of outputs follow with
 *
 *     h C phi_1,   k! h^{k+2} C phi_{k+2} B + h^{k+1}/(k+1) D,   h^2 C phi_2 E + h F
 *
 * in the rows of E, G_k, G_w; q does not act back, and maps keep the columns of x alone.
 *
 * Maps are cached by the bits of h, the degree and nothing else: the cache never changes a result.
 *
 * Where lengths change from step to step each would need maps of its own for the end and every sample; then samples, or all, are
 * taken from Taylor's series wherever it reaches round-off (ms_solver_options.series).
 *
 * External inputs that vary are integrated by Gauss-Legendre quadrature of e^{A(h-s)} E w(t0 + s) over halved
 * intervals until two levels agree to round-off: in x, and apart from it in q. Where there are breakpoints of w,
 * or rows of a series that it follows, it is integrated from one to the next. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exponential.h"
#include "instance.h"
#include "matrix.h"
#include "micro_step.h"
#include "taylor.h"

/* Maps that are kept: one for the macro-step, one for each sample; the quadrature of external inputs asks for
 * six a level, at each sample anew. */
enum { ENTRIES_MAX = 128, ENTRIES_QUADRATURE = 2048, ENTRIES_MIN = 6, CACHE_BYTES = 256 << 20 };
enum { LEVELS_MAX = 10, BREAKPOINTS_MAX = 10000 };

typedef struct exact_map {
    double h;
    int degree;         /* -1: empty */
    int after;          /* the next map of its bucket; -1: none */
    double *E, *G, *Gw; /* n_state x nx; n_state x (degree + 1) nu; n_state x nw */
} exact_map;

typedef struct exact_data {
    int n_maps, used, last; /* last: used last */
    int oldest;             /* to be replaced where all are used */
    int bucket_shift;       /* of the 64 bits that the bits of a length give: the rest is its bucket */
    int *bucket;            /* the first map of each; -1: none */
    exact_map *map;
    ms_exponential states, integrals; /* of A with [B E] and with [B E I] */
    double *memory;                   /* of these and the following */
    double *W, *X, *quadrature;
    ms_series_use use;
    ms_taylor series;
    double *terms; /* its memory; NULL: it is not used */
} exact_data;

static void exact_destroy(ms_instance *instance)
{
    exact_data *data = instance->solver_data;
    if (data == NULL)
        return;
    free(data->memory);
    free(data->terms);
    free(data->bucket);
    if (data->map != NULL)
        free(data->map[0].E);
    free(data->map);
    free(data);
    instance->solver_data = NULL;
}

/* Entries of a table of `most` or as many as fit. */
static size_t table_size(size_t fit, size_t most)
{
    return fit >= most ? most : fit < ENTRIES_MIN ? ENTRIES_MIN : fit;
}

static int create_maps(exact_data *data, size_t entries, size_t rows, size_t nx, size_t nu, size_t nw)
{
    const size_t columns = nx + (MS_INPUT_DEGREE + 1) * nu + nw;
    data->map = calloc(entries, sizeof *data->map);
    if (data->map == NULL)
        return MS_NO_MEMORY;
    double *maps = data->map[0].E = malloc(sizeof(double) * (entries * rows * columns + 1));
    if (maps == NULL)
        return MS_NO_MEMORY;
    data->n_maps = (int)entries;
    for (size_t k = 0; k < entries; k++) {
        exact_map *map = &data->map[k];
        map->degree = map->after = -1;
        map->E = maps + k * rows * columns;
        map->G = map->E + rows * nx;
        map->Gw = map->G + rows * (MS_INPUT_DEGREE + 1) * nu;
    }
    return MS_OK;
}

/* At least as many as maps. */
static int create_buckets(exact_data *data)
{
    int bits = 1;
    while (1 << bits < data->n_maps)
        bits++;
    data->bucket_shift = 64 - bits;
    data->bucket = malloc(sizeof *data->bucket << bits);
    if (data->bucket == NULL)
        return MS_NO_MEMORY;
    for (int k = 0; k < 1 << bits; k++)
        data->bucket[k] = -1;
    return MS_OK;
}

/* The rows of B and E side by side, and of the unit matrix behind them where there are integrals. */
static void join_inputs(const ms_instance *instance, int columns, double *inputs)
{
    const ms_blocks *m = instance->blocks;
    const int nx = instance->sub->nx, nu = instance->sub->nu, nw = instance->sub->nw;
    for (int i = 0; i < nx; i++, inputs += columns) {
        memset(inputs, 0, sizeof(double) * (size_t)columns);
        memcpy(inputs, m->B + i * nu, sizeof(double) * (size_t)nu);
        memcpy(inputs + nu, m->E + i * nw, sizeof(double) * (size_t)nw);
        if (columns > nu + nw)
            inputs[nu + nw + i] = 1.0;
    }
}

static int create_exponentials(ms_instance *instance, exact_data *data)
{
    const int nx = instance->sub->nx, n = instance->n_state, m = instance->sub->nu + instance->sub->nw;
    const int widest = n > nx ? m + nx : m;
    const size_t phi = (MS_INPUT_DEGREE + 2) * (size_t)nx * (size_t)widest, size = (size_t)nx * (size_t)nx;
    const size_t powers = ms_exponential_size(nx, m), more = n > nx ? ms_exponential_size(nx, widest) : 0;
    double *at = data->memory =
        malloc(sizeof(double) * (powers + more + phi + size + 6 * (size_t)n + (size_t)instance->sub->nw + 1));
    if (at == NULL)
        return MS_NO_MEMORY;
    data->W = at + powers + more;
    data->X = data->W + phi;
    data->quadrature = data->X + size;
    join_inputs(instance, m, data->W);
    ms_exponential_prepare(&data->states, nx, m, instance->blocks->A, data->W, at);
    if (n > nx) {
        join_inputs(instance, widest, data->W);
        ms_exponential_prepare(&data->integrals, nx, widest, instance->blocks->A, data->W, at + powers);
    }
    return MS_OK;
}

/* Where the inputs are polynomials, and nothing but x is asked for. */
static int create_series(const ms_instance *instance, ms_series_use use, exact_data *data)
{
    const ms_subsystem *sub = instance->sub;
    if (use == MS_SERIES_NEVER || instance->n_integrals > 0 || (sub->nw > 0 && !sub->external_constant))
        return MS_OK;
    data->use = use;
    data->terms = malloc(sizeof(double) * (ms_taylor_size(sub->nx, MS_INPUT_DEGREE) + 1));
    if (data->terms == NULL)
        return MS_NO_MEMORY;
    ms_taylor_prepare(&data->series, sub->nx, MS_INPUT_DEGREE, instance->blocks->A, data->terms);
    return MS_OK;
}

static int exact_create(ms_instance *instance, const ms_solver_options *options, ms_error *error)
{
    const ms_subsystem *sub = instance->sub;
    const size_t nx = (size_t)sub->nx, nu = (size_t)sub->nu, nw = (size_t)sub->nw;
    const size_t rows = (size_t)instance->n_state, size = rows * (nx + (MS_INPUT_DEGREE + 1) * nu + nw);
    const size_t most = nw > 0 && !sub->external_constant ? ENTRIES_QUADRATURE : ENTRIES_MAX;
    exact_data *data = calloc(1, sizeof *data);
    instance->solver_data = data;
    int status = data != NULL ? MS_OK : MS_NO_MEMORY;
    if (status == MS_OK)
        status =
            create_maps(data, table_size(size > 0 ? CACHE_BYTES / (8 * size) : most, most), rows, nx, nu, nw);
    if (status == MS_OK)
        status = create_buckets(data);
    if (status == MS_OK)
        status = create_exponentials(instance, data);
    if (status == MS_OK)
        status = create_series(instance, options->series, data);
    return status == MS_OK
               ? MS_OK
               : ms_fail(error, status,
                         "not enough memory for the matrix exponential of subsystem %s (%d states)",
                         sub->name, sub->nx);
}

static void copy_block(int rows, int columns, double factor, const double *from, int from_columns, double *to,
                       int to_columns)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            to[i * to_columns + j] = factor * from[i * from_columns + j];
}

/* The rows of x. */
static int fill_states(ms_instance *instance, exact_map *map, double h, int degree)
{
    exact_data *data = instance->solver_data;
    const int nx = instance->sub->nx, nu = instance->sub->nu, nw = instance->sub->nw, m = nu + nw;
    const int status = ms_exponential_evaluate(&data->states, h, degree + 1, map->E, data->W);
    if (status != MS_OK)
        return status;
    double factor = h; /* k! h^{k+1} */
    for (int k = 0; k <= degree; k++) {
        copy_block(nx, nu, factor, data->W + k * nx * m, m, map->G + k * nu, (degree + 1) * nu);
        factor *= (k + 1) * h;
    }
    copy_block(nx, nw, h, data->W + nu, m, map->Gw, nw);
    return MS_OK;
}

/* to = factor C W + direct D for the integrals, in their rows, for `columns` of W = phi_k [B E I] and of D, which may be
 * NULL. */
static void output_block(const ms_instance *instance, double factor, const double *W, double direct,
                         const double *D, int columns, double *to, int to_columns)
{
    const int nx = instance->sub->nx, m = ((const exact_data *)instance->solver_data)->integrals.m;
    for (int i = 0; i < instance->n_integrals; i++)
        for (int j = 0; j < columns; j++) {
            double sum = 0.0;
            for (int l = 0; l < nx; l++)
                sum += instance->blocks->C[i * nx + l] * W[l * m + j];
            to[(nx + i) * to_columns + j] = factor * sum + (D != NULL ? direct * D[i * columns + j] : 0.0);
        }
}

/* Those of q, from phi-functions of their own: x has the same bits with and without q. */
static int fill_integrals(ms_instance *instance, exact_map *map, double h, int degree)
{
    exact_data *data = instance->solver_data;
    const ms_blocks *m = instance->blocks;
    const int nx = instance->sub->nx, nu = instance->sub->nu, nw = instance->sub->nw;
    const int size = nx * data->integrals.m;
    const int status = ms_exponential_evaluate(&data->integrals, h, degree + 2, data->X, data->W);
    if (status != MS_OK)
        return status;
    double factor = h, power = h; /* k! h^{k+1}, h^{k+1} */
    output_block(instance, h, data->W + nu + nw, 0.0, NULL, nx, map->E, nx);
    for (int k = 0; k <= degree; k++) {
        output_block(instance, factor * h, data->W + (k + 1) * size, power / (k + 1), m->D, nu,
                     map->G + k * nu, (degree + 1) * nu);
        factor *= (k + 1) * h;
        power *= h;
    }
    output_block(instance, h * h, data->W + size + nu, h, m->F, nw, map->Gw, nw);
    return MS_OK;
}

static int exact_fill(ms_instance *instance, exact_map *map, double h, int degree)
{
    int status = fill_states(instance, map, h, degree);
    if (status == MS_OK && instance->n_integrals > 0)
        status = fill_integrals(instance, map, h, degree);
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

/* The leading bits of a product depend on all bits of the length; its last ones would not on the exponent. */
static int *bucket_of(const exact_data *data, double h)
{
    unsigned long long bits;
    memcpy(&bits, &h, sizeof bits);
    return &data->bucket[bits * 0x9E3779B97F4A7C15ULL >> data->bucket_shift];
}

static void unlink_map(exact_data *data, int k)
{
    int *link = bucket_of(data, data->map[k].h);
    while (*link != k)
        link = &data->map[*link].after;
    *link = data->map[k].after;
}

/* A map for that length, to be filled: one that has not been used, or the one that was filled first. */
static int take_map(exact_data *data, double h, int degree)
{
    const bool free = data->used < data->n_maps;
    const int k = free ? data->used++ : data->oldest;
    if (!free) {
        unlink_map(data, k);
        data->oldest = (k + 1) % data->n_maps;
    }
    int *first = bucket_of(data, h);
    data->map[k].h = h;
    data->map[k].degree = degree;
    data->map[k].after = *first;
    return *first = k;
}

static const exact_map *exact_search(ms_instance *instance, double h, int degree)
{
    exact_data *data = instance->solver_data;
    int k = *bucket_of(data, h);
    while (k >= 0 && !is_map(&data->map[k], h, degree))
        k = data->map[k].after;
    if (k < 0) {
        k = take_map(data, h, degree);
        if (exact_fill(instance, &data->map[k], h, degree) != MS_OK)
            data->map[k].degree = -1;
    }
    data->last = k;
    return data->map[k].degree == degree ? &data->map[k] : NULL;
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

static __attribute__((noinline)) int exact_sample(ms_instance *instance, int piece, double t0,
                                                  const double *x0)
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

/* Series ------------------------------------------------------------------------------------------------- */

/* f_k = B c_k, and E w with it in f_0. */
static void fill_driving(ms_instance *instance, int piece, double t0, ms_taylor *series)
{
    const ms_subsystem *sub = instance->sub;
    const ms_input *input = &instance->input;
    for (int k = 0; k <= input->degree; k++)
        ms_matrix_multiply(sub->nx, sub->nu, instance->blocks->B, ms_input_coefficients(input, piece, k),
                           series->f + k * series->lanes);
    if (sub->nw == 0)
        return;
    ms_subsystem_external(instance->system, sub, t0, instance->w);
    ms_matrix_add(sub->nx, sub->nw, instance->blocks->E, instance->w, series->f);
}

/* Samples, and the end where it comes from the series too. Does that serve? Out of line as the rest. */
static __attribute__((noinline)) bool sum_series(ms_instance *instance, int piece, double t0, double h,
                                                 const double *x0)
{
    exact_data *data = instance->solver_data;
    const double begin = ms_input_begin(&instance->input, piece), end = instance->input.end[piece];
    if (data->use == MS_SERIES_SAMPLES && instance->n_samples == 0)
        return false;
    fill_driving(instance, piece, t0, &data->series);
    if (!ms_taylor_expand(&data->series, instance->input.degree, h, x0))
        return false;
    for (int k = 0; k < instance->n_samples; k++) {
        const double after = instance->sample_at[k] * instance->h;
        if (after > begin && after <= end)
            ms_taylor_sum(&data->series, (after - begin) / h, ms_micro_sample(instance, k));
    }
    if (data->use == MS_SERIES_ALL)
        ms_taylor_sum(&data->series, 1.0, instance->state);
    return true;
}

static int exact_advance(ms_instance *instance, int piece, double t0, double h, bool discontinuous)
{
    (void)discontinuous;
    const exact_data *data = instance->solver_data;
    const double *x0 = instance->x_start + piece * instance->n_state;
    const bool series = data->terms != NULL && sum_series(instance, piece, t0, h, x0);
    instance->work.micro_steps++;
    if (series && data->use == MS_SERIES_ALL)
        return MS_OK;
    const int status = evaluate(instance, piece, t0, h, x0, instance->state);
    return status != MS_OK || series || instance->n_samples == 0 ? status
                                                                 : exact_sample(instance, piece, t0, x0);
}

const ms_solver ms_solver_exact = {.name = "exact",
                                   .summary = "matrix exponential with polynomial input (linear subsystems)",
                                   .source = "Andersson 2016, (6.6); Al-Mohy and Higham 2009",
                                   .linear_only = true,
                                   .linear_map = true,
                                   .shares = true,
                                   .form = MS_STEPS_EXACT,
                                   .create = exact_create,
                                   .destroy = exact_destroy,
                                   .advance = exact_advance};
