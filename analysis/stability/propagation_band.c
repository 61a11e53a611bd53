/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "propagation_band.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Subsystems that are near one at most, and wires between near ones: beyond, the matrix counts as dense. */
enum { NEAR_MAX = 64, DISTANCE_MAX = 3 };

/* Of the factors for a complex shift, with twice the rows and twice the band, at most: operations, and numbers. */
static const double WORK_MAX = 2e10, ROOM_MAX = 1e9;

typedef struct layout {
    const ms_system *system;
    ms_propagation_map *map;
    const volatile sig_atomic_t *stop;
    int n, slots, distance, colours;
    int *at, *to;      /* neighbours of subsystem i: to[at[i]] .. to[at[i + 1] - 1] */
    int *order, *head; /* subsystems by place; the first row of each in the band */
    int *colour, *seen, *list, stamp;
    double *v, *image, *check;
} layout;

/* Rows ----------------------------------------------------------------------------------------------------- */

static int rows_of(const layout *a, int i)
{
    const ms_subsystem *sub = &a->system->sub[i];
    return sub->nx + a->slots * sub->ny;
}

/* Row of Psi of variable k of subsystem i: its states, then its part of each slot of the scheme's memory. */
static int row_of(const layout *a, int i, int k)
{
    const ms_system *s = a->system;
    const int nx = s->sub[i].nx, ny = s->sub[i].ny;
    return k < nx ? s->x_at[i] + k : s->nx + (k - nx) / ny * s->ny + s->y_at[i] + (k - nx) % ny;
}

/* Neighbours ------------------------------------------------------------------------------------------------ */

/* Both ends of each pair of subsystems that a wire joins are counted into at[i + 1], or put to at[i]++. */
static void visit_pairs(layout *a, bool put)
{
    const ms_system *s = a->system;
    for (int i = 0; i < s->n; i++)
        for (int wire = s->row_at[s->u_at[i]], last = i; wire < s->row_at[s->u_at[i + 1]]; wire++) {
            const int from = ms_system_owner(s, s->wire_output[wire]);
            if (from == i || from == last)
                continue;
            last = from;
            if (put) {
                a->to[a->at[i]++] = from;
                a->to[a->at[from]++] = i;
            } else {
                a->at[i + 1]++;
                a->at[from + 1]++;
            }
        }
}

static int find_neighbours(layout *a)
{
    const int n = a->system->n;
    visit_pairs(a, false);
    for (int i = 0; i < n; i++)
        a->at[i + 1] += a->at[i];
    a->to = malloc(sizeof *a->to * ((size_t)a->at[n] + 1));
    MS_TRY_MEMORY(a->to);
    visit_pairs(a, true);
    memmove(a->at + 1, a->at, sizeof *a->at * (size_t)n);
    a->at[0] = 0;
    return MS_OK;
}

/* Subsystems within a distance of subsystem i into list, by growing distance. Returns how many, or more than `most`. */
static int reach(layout *a, int i, int distance, int most, int *list)
{
    int found = 1, end = 1;
    a->seen[i] = ++a->stamp;
    list[0] = i;
    for (int begin = 0; distance > 0 && begin < end; distance--) {
        for (; begin < end; begin++)
            for (int k = a->at[list[begin]]; k < a->at[list[begin] + 1]; k++) {
                if (a->seen[a->to[k]] == a->stamp)
                    continue;
                if (found == most)
                    return most + 1;
                a->seen[a->to[k]] = a->stamp;
                list[found++] = a->to[k];
            }
        end = found;
    }
    return found;
}

/* Numbers subsystems by their distance from one at the edge: the farthest from any other. */
static void find_order(layout *a)
{
    const int n = a->system->n;
    for (int i = 0; i < n; i++)
        a->head[i] = -1;
    for (int i = 0, placed = 0, rows = 0; i < n; i++) {
        if (a->head[i] >= 0)
            continue;
        int *list = a->order + placed, count = reach(a, i, n, n, list);
        count = reach(a, list[count - 1], n, n, list);
        placed += count;
        for (int k = 0; k < count; k++) {
            a->head[list[k]] = rows;
            rows += rows_of(a, list[k]);
        }
    }
}

/* Columns -------------------------------------------------------------------------------------------------- */

/* Subsystems of one colour have no near one in common. */
static int find_colours(layout *a)
{
    int used[NEAR_MAX + 1];
    memset(used, -1, sizeof used);
    memset(a->colour, -1, sizeof *a->colour * (size_t)a->system->n);
    a->colours = 0;
    for (int k = 0; k < a->system->n; k++) {
        const int i = a->order[k], near = reach(a, i, 2 * a->distance, NEAR_MAX, a->list);
        int colour = 0;
        if (near > NEAR_MAX)
            return MS_UNSUPPORTED;
        for (int j = 0; j < near; j++)
            if (a->colour[a->list[j]] >= 0)
                used[a->colour[a->list[j]]] = i;
        while (used[colour] == i)
            colour++;
        a->colour[i] = colour;
        a->colours = colour < a->colours ? a->colours : colour + 1;
    }
    return MS_OK;
}

static int make_matrix(layout *a, ms_propagation_band *band)
{
    int width = 0;
    for (int i = 0; i < a->system->n; i++) {
        const int near = reach(a, i, a->distance, NEAR_MAX, a->list);
        for (int k = 0; k < near; k++) {
            const int j = a->list[k], last = a->head[j] + rows_of(a, j) - 1;
            width = last - a->head[i] > width ? last - a->head[i] : width;
        }
    }
    const double rows = 2.0 * a->n, band_width = 2.0 * width;
    if (rows * band_width * band_width > WORK_MAX || 3.0 * rows * band_width > ROOM_MAX)
        return MS_UNSUPPORTED;
    band->matrix = ms_band_create(a->n, width);
    MS_TRY_MEMORY(band->matrix);
    return MS_OK;
}

/* Column k of all subsystems of a colour by one macro-step. Returns whether any has one. */
static bool set_seeds(layout *a, int colour, int k)
{
    bool any = false;
    memset(a->v, 0, sizeof *a->v * (size_t)a->n);
    for (int i = 0; i < a->system->n; i++)
        if (a->colour[i] == colour && k < rows_of(a, i)) {
            a->v[row_of(a, i, k)] = 1.0;
            any = true;
        }
    return any;
}

static void take_images(layout *a, int colour, int k, ms_band *matrix)
{
    for (int j = 0; j < a->system->n; j++) {
        if (a->colour[j] != colour || k >= rows_of(a, j))
            continue;
        const int near = reach(a, j, a->distance, NEAR_MAX, a->list);
        for (int l = 0; l < near; l++)
            for (int i = a->list[l], row = 0; row < rows_of(a, i); row++)
                *ms_band_entry(matrix, a->head[i] + row, a->head[j] + k) = a->image[row_of(a, i, row)];
    }
}

static int apply(layout *a, ms_propagation_band *band, ms_error *error)
{
    if (a->stop != NULL && *a->stop != 0)
        return ms_fail(error, MS_INTERRUPTED, "interrupted");
    band->applications++;
    const int status = ms_propagation_map_apply(a->map, a->v, a->image, error);
    return status > 0 ? MS_SOLVER_FAILED : status;
}

static int find_columns(layout *a, ms_propagation_band *band, ms_error *error)
{
    for (int colour = 0; colour < a->colours; colour++)
        for (int k = 0; set_seeds(a, colour, k); k++) {
            MS_TRY(apply(a, band, error));
            take_images(a, colour, k, band->matrix);
        }
    return MS_OK;
}

/* Do macro-step and matrix agree on random values in [-1, 1]? */
static int check(layout *a, ms_propagation_band *band, ms_error *error)
{
    double largest = 0.0, off = 0.0;
    uint64_t seed = 1;
    for (int i = 0; i < a->n; i++) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL; /* Knuth's MMIX generator */
        a->v[band->row[i]] = a->check[i] = ldexp((double)(seed >> 11), -52) - 1.0;
    }
    MS_TRY(apply(a, band, error));
    ms_band_multiply(band->matrix, a->check, a->v);
    for (int i = 0; i < a->n; i++) {
        off = fmax(off, fabs(a->v[i] - a->image[band->row[i]]));
        largest = fmax(largest, fabs(a->v[i]));
    }
    return off <= 1e-12 * largest ? MS_OK : MS_UNSUPPORTED;
}

/* The band ------------------------------------------------------------------------------------------------- */

static int allocate(layout *a, ms_propagation_band *band)
{
    const size_t n = (size_t)a->system->n, rows = (size_t)a->n;
    a->at = calloc(6 * n + 2, sizeof *a->at);
    a->v = malloc(sizeof *a->v * (3 * rows + 1));
    band->row = malloc(sizeof *band->row * (rows + 1));
    MS_TRY_MEMORY(a->at != NULL && a->v != NULL && band->row != NULL);
    a->order = a->at + n + 1;
    a->head = a->order + n;
    a->colour = a->head + n;
    a->seen = a->colour + n;
    a->list = a->seen + n;
    a->image = a->v + rows;
    a->check = a->image + rows;
    return MS_OK;
}

static int create(layout *a, ms_propagation_band *band, ms_error *error)
{
    int status = MS_UNSUPPORTED;
    MS_TRY(allocate(a, band));
    MS_TRY(find_neighbours(a));
    find_order(a);
    for (int i = 0; i < a->system->n; i++)
        for (int k = 0; k < rows_of(a, i); k++)
            band->row[a->head[i] + k] = row_of(a, i, k);
    for (a->distance = 1; status == MS_UNSUPPORTED && a->distance <= DISTANCE_MAX; a->distance++) {
        ms_band_destroy(&band->matrix);
        MS_TRY(find_colours(a));
        MS_TRY(make_matrix(a, band));
        status = find_columns(a, band, error);
        MS_THEN(status, check(a, band, error));
    }
    return status;
}

int ms_propagation_band_create(const ms_system *system, ms_propagation_map *map,
                               const volatile sig_atomic_t *stop, ms_propagation_band *band, ms_error *error)
{
    *band = (ms_propagation_band){0};
    layout a = {.system = system, .map = map, .stop = stop, .n = ms_propagation_map_dimension(map)};
    const int memory = a.n - system->nx;
    if (system->ny > 0 ? memory % system->ny != 0 : memory != 0)
        return MS_UNSUPPORTED;
    a.slots = system->ny > 0 ? memory / system->ny : 0;
    const int status = create(&a, band, error);
    MS_FREE(a.at, a.to, a.v);
    if (status != MS_OK) {
        ms_band_destroy(&band->matrix);
        ms_propagation_band_destroy(band);
    }
    return status == MS_NO_MEMORY ? ms_fail(error, status, "not enough memory for a band matrix") : status;
}

void ms_propagation_band_destroy(ms_propagation_band *band)
{
    ms_band_destroy(&band->matrix);
    free(band->row);
    band->row = NULL;
}
