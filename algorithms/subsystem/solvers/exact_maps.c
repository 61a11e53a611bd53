/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exact_maps.c - the maps of solver exact, cached with the bits of h and the degree as key: the cache never changes a
 * result. */
#include <stdlib.h>

#include "exact.h"

/* Cached maps: one for the macro-step, one for each sample; the quadrature of external inputs needs
 * six per level, separately for each sample. */
enum { ENTRIES_MAX = 128, ENTRIES_QUADRATURE = 2048, ENTRIES_MIN = 6, CACHE_BYTES = 256 << 20 };

/* Entries of a table: `most`, or the number that fits. */
static size_t table_size(size_t fit, size_t most)
{
    return fit >= most ? most : fit < ENTRIES_MIN ? ENTRIES_MIN : fit;
}

static int create_maps(exact_data *data, size_t entries, size_t rows, size_t nx, size_t nu, size_t nw)
{
    const size_t columns = nx + (MS_INPUT_DEGREE + 1) * nu + nw;
    data->map = calloc(entries, sizeof *data->map);
    MS_TRY_MEMORY(data->map);
    double *maps = data->map[0].E = malloc(sizeof(double) * (entries * rows * columns + 1));
    MS_TRY_MEMORY(maps);
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

/* At least as many buckets as maps. */
static int create_buckets(exact_data *data)
{
    int bits = 1;
    while (1 << bits < data->n_maps)
        bits++;
    data->bucket_shift = 64 - bits;
    data->bucket = malloc(sizeof *data->bucket << bits);
    MS_TRY_MEMORY(data->bucket);
    for (int k = 0; k < 1 << bits; k++)
        data->bucket[k] = -1;
    return MS_OK;
}

int ms_exact_maps_create(const ms_instance *instance, exact_data *data)
{
    const ms_subsystem *sub = instance->sub;
    const size_t nx = (size_t)sub->nx, nu = (size_t)sub->nu, nw = (size_t)sub->nw;
    const size_t rows = (size_t)instance->n_state, size = rows * (nx + (MS_INPUT_DEGREE + 1) * nu + nw);
    const size_t most = nw > 0 && !sub->external_constant ? ENTRIES_QUADRATURE : ENTRIES_MAX;
    const int status =
        create_maps(data, table_size(size > 0 ? CACHE_BYTES / (8 * size) : most, most), rows, nx, nu, nw);
    return status == MS_OK ? create_buckets(data) : status;
}

void ms_exact_maps_destroy(exact_data *data)
{
    free(data->bucket);
    if (data->map != NULL)
        free(data->map[0].E);
    free(data->map);
}

static void copy_block(int rows, int columns, double factor, const double *from, int from_columns, double *to,
                       int to_columns)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            to[i * to_columns + j] = factor * from[i * from_columns + j];
}

/* Fills the rows of x. */
static int fill_states(ms_instance *instance, exact_map *map, double h, int degree)
{
    exact_data *data = instance->solver_data;
    const int nx = instance->sub->nx, nu = instance->sub->nu, nw = instance->sub->nw, m = nu + nw;
    MS_TRY(ms_exponential_evaluate(&data->states, h, degree + 1, map->E, data->W));
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
                sum += instance->closed->C[i * nx + l] * W[l * m + j];
            to[(nx + i) * to_columns + j] = factor * sum + (D != NULL ? direct * D[i * columns + j] : 0.0);
        }
}

/* Fills the rows of q from separate phi-functions: x has the same bits with and without q. */
static int fill_integrals(ms_instance *instance, exact_map *map, double h, int degree)
{
    exact_data *data = instance->solver_data;
    const ms_blocks *m = instance->closed;
    const int nx = instance->sub->nx, nu = instance->sub->nu, nw = instance->sub->nw;
    const int size = nx * data->integrals.m;
    MS_TRY(ms_exponential_evaluate(&data->integrals, h, degree + 2, data->X, data->W));
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

static inline bool is_map(const exact_map *map, double h, int degree)
{
    return map->degree == degree && ms_exact_same_bits(map->h, h);
}

/* Hash: the leading bits of the product depend on all bits of the length, the trailing ones would not depend on
 * the exponent. */
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

/* A map to be filled for that length: an unused one, or the oldest. */
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

const exact_map *ms_exact_search(ms_instance *instance, double h, int degree)
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
    data->map[data->last].followed_by = k;
    data->last = k;
    return data->map[k].degree == degree ? &data->map[k] : NULL;
}
