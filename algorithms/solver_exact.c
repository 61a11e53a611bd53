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
 * Maps are cached by the bits of h, the degree and nothing else: the cache never changes a result.
 *
 * External inputs that vary are integrated by Gauss-Legendre quadrature of e^{A(h-s)} E w(t0 + s) over halved
 * intervals until two levels agree to round-off. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instance.h"
#include "matrix.h"

enum { ENTRIES_MAX = 24, ENTRIES_MIN = 6, CACHE_BYTES = 256 << 20 };
enum { GAUSS_POINTS = 5, LEVELS_MAX = 10 };

typedef struct exact_map {
    double h;
    int degree; /* -1: empty */
    double *E, *G, *Gw; /* nx x nx; nx x (degree + 1) nu; nx x nw */
} exact_map;

typedef struct exact_data {
    int n_maps, next, last; /* next: to be replaced; last: used last */
    exact_map map[ENTRIES_MAX];
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
    free(data->map[0].E);
    free(data);
    instance->solver_data = NULL;
}

static int exact_create(ms_instance *instance, const ms_solver_options *options, ms_error *error)
{
    (void)options;
    const ms_subsystem *sub = instance->sub;
    const size_t nx = (size_t)sub->nx, nu = (size_t)sub->nu, nw = (size_t)sub->nw;
    const size_t columns = nx + (MS_INPUT_DEGREE + 1) * nu + nw; /* all columns of a map */
    exact_data *data = calloc(1, sizeof *data);
    instance->solver_data = data;
    if (data == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for solver exact");

    size_t entries = nx * columns > 0 ? CACHE_BYTES / (8 * nx * columns) : ENTRIES_MAX;
    entries = entries > ENTRIES_MAX ? ENTRIES_MAX : entries < ENTRIES_MIN ? ENTRIES_MIN : entries;
    double *maps = malloc(sizeof(double) * (entries * nx * columns + 1));
    data->augmented = malloc(sizeof(double) * (2 * columns * columns + ms_matrix_exponential_work((int)columns) +
                                               3 * nx + nw + 1));
    data->pivots = malloc(sizeof(int) * (columns + 1));
    data->map[0].E = maps;
    if (maps == NULL || data->augmented == NULL || data->pivots == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the matrix exponential of subsystem %s (%d states)",
                       sub->name, sub->nx);
    data->work = data->augmented + 2 * columns * columns;
    data->quadrature = data->work + ms_matrix_exponential_work((int)columns);
    data->n_maps = (int)entries;
    for (size_t k = 0; k < entries; k++) {
        exact_map *map = &data->map[k];
        map->degree = -1;
        map->E = maps + k * nx * columns;
        map->G = map->E + nx * nx;
        map->Gw = map->G + nx * (MS_INPUT_DEGREE + 1) * nu;
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

static int exact_fill(ms_instance *instance, exact_map *map, double h, int degree)
{
    exact_data *data = instance->solver_data;
    const ms_blocks *m = instance->blocks;
    const int nx = instance->sub->nx, nu = instance->sub->nu, nw = instance->sub->nw;
    const int n = nx + (degree + 1) * nu + nw;
    double *N = data->augmented, *X = N + n * n;
    map->degree = -1;
    memset(N, 0, sizeof(double) * (size_t)(n * n));
    copy_block(nx, nx, h, m->A, nx, N, n);
    copy_block(nx, nu, h, m->B, nu, N + nx, n);
    copy_block(nx, nw, h, m->E, nw, N + n - nw, n);
    for (int i = nx; i < nx + degree * nu; i++)
        N[i * n + i + nu] = 1.0;
    const int status = ms_matrix_exponential(n, N, X, data->work, data->pivots);
    if (status != MS_OK)
        return status;
    copy_block(nx, nx, 1.0, X, n, map->E, nx);
    double factor = 1.0;
    for (int k = 0; k <= degree; k++) {
        copy_block(nx, nu, factor, X + nx + k * nu, n, map->G + k * nu, (degree + 1) * nu);
        factor *= (k + 1) * h; /* k! h^k: the unknowns below x are d^k u / d(tau/h)^k */
    }
    copy_block(nx, nw, 1.0, X + n - nw, n, map->Gw, nw);
    map->h = h;
    map->degree = degree;
    return MS_OK;
}

static inline bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static const exact_map *exact_search(ms_instance *instance, double h, int degree)
{
    exact_data *data = instance->solver_data;
    for (int k = 0; k < data->n_maps; k++)
        if (data->map[k].degree == degree && same_bits(data->map[k].h, h)) {
            data->last = k;
            return &data->map[k];
        }
    const int k = data->next;
    data->next = (k + 1) % data->n_maps;
    data->last = k;
    return exact_fill(instance, &data->map[k], h, degree) == MS_OK ? &data->map[k] : NULL;
}

/* The map of that length and degree, or NULL where the exponential is not finite. Mostly it is the last one. */
static inline const exact_map *exact_find(ms_instance *instance, double h, int degree)
{
    const exact_data *data = instance->solver_data;
    const exact_map *last = &data->map[data->last];
    return last->degree == degree && same_bits(last->h, h) ? last : exact_search(instance, h, degree);
}

/* q = int_0^h e^{A(h-s)} E w(t0 + s) ds on `intervals` equal intervals. Returns MS_OK or MS_SOLVER_FAILED. */
static int quadrature(ms_instance *instance, double t0, double h, int intervals, double *q)
{
    static const double node[GAUSS_POINTS] = {0.0469100770306680, 0.2307653449471584, 0.5, 0.7692346550528416,
                                              0.9530899229693320};
    static const double weight[GAUSS_POINTS] = {0.1184634425280945, 0.2393143352496832, 0.2844444444444444,
                                                0.2393143352496832, 0.1184634425280945};
    const ms_subsystem *sub = instance->sub;
    exact_data *data = instance->solver_data;
    const int nx = sub->nx, nw = sub->nw;
    double *Ew = data->quadrature + 2 * nx, *w = Ew + nx;
    const double eta = h / intervals;
    memset(q, 0, sizeof(double) * (size_t)nx);
    for (int i = 0; i < intervals; i++) {
        const exact_map *map = exact_find(instance, eta, 0);
        if (map == NULL)
            return MS_SOLVER_FAILED;
        ms_matrix_multiply(nx, nx, map->E, q, Ew);
        memcpy(q, Ew, sizeof(double) * (size_t)nx);
        for (int k = 0; k < GAUSS_POINTS; k++) {
            ms_subsystem_external(instance->system, sub, t0 + (i + node[k]) * eta, w);
            ms_matrix_multiply(nx, nw, instance->blocks->E, w, Ew);
            map = exact_find(instance, eta * (1.0 - node[k]), 0);
            if (map == NULL)
                return MS_SOLVER_FAILED;
            for (int j = 0; j < nx; j++)
                Ew[j] *= weight[k] * eta;
            ms_matrix_add(nx, nx, map->E, Ew, q);
        }
    }
    return MS_OK;
}

/* Adds the effect of external inputs that vary to x. */
static int add_external(ms_instance *instance, double t0, double h, double *x)
{
    exact_data *data = instance->solver_data;
    const int nx = instance->sub->nx;
    double *q = data->quadrature, *coarse = q + nx;
    int status = quadrature(instance, t0, h, 1, q);
    for (int level = 1; level <= LEVELS_MAX && status == MS_OK; level++) {
        double change = 0.0, size = 0.0;
        memcpy(coarse, q, sizeof(double) * (size_t)nx);
        status = quadrature(instance, t0, h, 1 << level, q);
        for (int j = 0; j < nx; j++) {
            change = fmax(change, fabs(q[j] - coarse[j]));
            size = fmax(size, fabs(q[j]) + fabs(x[j]));
        }
        if (change <= 1e-15 * size)
            break;
    }
    for (int j = 0; j < nx; j++)
        x[j] += q[j];
    return status;
}

/* x = E x0 + G c. */
static inline void apply(const exact_map *map, int nx, int columns, const double *x0, const double *c, double *x)
{
    const double *E = map->E, *G = map->G;
    for (int i = 0; i < nx; i++, E += nx, G += columns)
        x[i] = ms_dot(nx, E, x0) + ms_dot(columns, G, c);
}

/* Adds the effect of the external inputs over [t0, t0 + h] to x. */
static int external(ms_instance *instance, const exact_map *map, double t0, double h, double *x)
{
    const ms_subsystem *sub = instance->sub;
    if (!sub->external_constant)
        return add_external(instance, t0, h, x);
    ms_subsystem_external(instance->system, sub, t0, instance->w);
    ms_matrix_add(sub->nx, sub->nw, map->Gw, instance->w, x);
    return MS_OK;
}

/* x(t0 + h) from x(t0) = x0 on a piece of the input. */
static inline int evaluate(ms_instance *instance, int piece, double t0, double h, const double *x0, double *x)
{
    const ms_subsystem *sub = instance->sub;
    const ms_input *input = &instance->input;
    const exact_map *map = exact_find(instance, h, input->degree);
    if (map == NULL)
        return MS_SOLVER_FAILED;
    apply(map, sub->nx, (input->degree + 1) * sub->nu, x0, ms_input_coefficients(input, piece, 0), x);
    return sub->nw == 0 ? MS_OK : external(instance, map, t0, h, x);
}

static int exact_sample(ms_instance *instance, int piece, double t0, const double *x0)
{
    const int nx = instance->sub->nx;
    const double begin = ms_input_begin(&instance->input, piece), end = instance->input.end[piece];
    int status = MS_OK;
    for (int k = 0; k < instance->n_samples && status == MS_OK; k++) {
        const double after = instance->sample_at[k] * instance->h; /* the same bits in every macro-step: cached */
        if (after > begin && after <= end)
            status = evaluate(instance, piece, t0, after - begin, x0, instance->samples + k * nx);
    }
    return status;
}

static int exact_advance(ms_instance *instance, int piece, double t0, double h, bool discontinuous)
{
    (void)discontinuous;
    const double *x0 = instance->x_start + piece * instance->sub->nx;
    const int status = evaluate(instance, piece, t0, h, x0, instance->x);
    instance->work.micro_steps++;
    return status != MS_OK || instance->n_samples == 0 ? status : exact_sample(instance, piece, t0, x0);
}

const ms_solver ms_solver_exact = {.name = "exact",
                                   .summary = "matrix exponential with polynomial input (linear subsystems)",
                                   .source = "Andersson 2016, (6.6); Higham 2005",
                                   .linear_only = true,
                                   .linear_map = true,
                                   .create = exact_create,
                                   .destroy = exact_destroy,
                                   .advance = exact_advance};
