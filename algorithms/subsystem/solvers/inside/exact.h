/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exact.h - shared by the files of solver exact: the maps of one subsystem, and the effect of external inputs. */
#pragma once

#include <stdint.h>
#include <string.h>

#include <macrostep/instance.h>
#include "exponential.h"
#include "taylor.h"

/* The most parts of a step; it is divided if series over the whole step are not accurate to round-off. */
enum { MS_EXACT_PARTS = 16 };

typedef struct exact_map {
    double h;
    int degree;      /* -1: empty */
    int after;       /* the next map of its bucket; -1: none */
    int followed_by; /* the map used after it last time: samples come in the same order in each macro-step */
    double *E, *G, *Gw; /* n_state x nx; n_state x (degree + 1) nu; n_state x nw */
} exact_map;

typedef struct exact_data {
    int n_maps, used, last; /* last: used last */
    int oldest;             /* the next to be replaced once all are used */
    int bucket_shift;       /* shift of the 64-bit hash of a length that leaves its bucket */
    int *bucket;            /* the first map of each; -1: none */
    exact_map *map;
    ms_exponential states, integrals; /* of A with [B E] and with [B E I] */
    double *memory;                   /* of these and the following */
    double *W, *X, *quadrature;
    ms_series_use use;
    ms_taylor series;
    ms_taylor pilot; /* for time-varying external inputs (exact_external.c); `use` as for the series */
    double pilot_h;  /* the length tested last, and whether the series is accurate there */
    bool series_converges;
    double *terms; /* memory of both, followed by that of a state; NULL: not used */
    double *on_its_way;
} exact_data;

/* The table of maps. MS_OK or MS_NO_MEMORY; ms_exact_maps_destroy is safe after both. */
int ms_exact_maps_create(const ms_instance *instance, exact_data *data);
void ms_exact_maps_destroy(exact_data *data);

/* The map of that length and degree, or NULL if the exponential is not finite. */
const exact_map *ms_exact_search(ms_instance *instance, double h, int degree);

static inline bool ms_exact_same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Is it the map of that length and degree? */
static inline bool ms_exact_fits(const exact_map *map, double h, int degree)
{
    return map->degree == degree && ms_exact_same_bits(map->h, h);
}

/* The same as ms_exact_search. Usually it is the last one, or the one that followed it before. */
static inline const exact_map *ms_exact_find(ms_instance *instance, double h, int degree)
{
    exact_data *data = instance->solver_data;
    const exact_map *last = &data->map[data->last];
    if (ms_exact_fits(last, h, degree))
        return last;
    if (!ms_exact_fits(&data->map[last->followed_by], h, degree))
        return ms_exact_search(instance, h, degree);
    data->last = last->followed_by;
    return &data->map[data->last];
}

/* Adds the effect of time-varying external inputs over [t0, t0 + h] to the state. MS_OK or MS_SOLVER_FAILED. */
int ms_exact_external(ms_instance *instance, double t0, double h, double *state);
