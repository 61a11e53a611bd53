/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_stepping.h - a component stepped under polynomial inputs: shared by the stepper and the probe.
 *
 * Inputs over a step are u(T_n + tau) = sum_k c_k tau^k, Taylor's polynomial (2.11) of Andersson (2016). */
#pragma once

#include <macrostep/own_stepper.h>
#include "fmu.h"

enum { MS_FMU_ORDERS = 4 };

/* The variables that are connected or read. Arrays are stored value by value, as are indices of values. */
typedef struct ms_fmu_places {
    int nu, ny, nx;
    int n_continuous; /* inputs, which are the first ones; others change between steps alone */
    ms_fmu_values u, continuous, discrete, y, x; /* u: continuous ones, then discrete ones */
    ms_fmu_values all;                           /* outputs, then states: of one type they are one group */
    const unsigned *inputs; /* (MS_FMU_ORDERS x n_continuous): continuous inputs again and again */
    const int *order;       /* (MS_FMU_ORDERS x n_continuous): 1 .. of these */
    const int *y_of,
        *x_of; /* (ny), (nx) indices of the variables, as several may have one value reference (2.0) */
    const ms_fmu_unknown *const *output; /* (ny) of ModelStructure */
    int n_smooth;                        /* outputs that have partial and time derivatives: reals, */
    const unsigned *smooth;              /* (n_smooth), */
    const int *smooth_at;                /* (n_smooth) their numbers among all, */
    const int *smooth_order;             /* (2 x n_smooth): ones, twos */
    const ms_fmu_map *const *map;        /* (nu) by which discrete inputs are written; NULL: none is */
    const bool *carried;                 /* (ny) outputs that wires carry, which are numbers; NULL: all */
} ms_fmu_places;

/* A component at work. */
typedef struct ms_fmu_stepping {
    const ms_fmu *fmu;
    const ms_fmu_places *at;
    ms_fmu_component *component;
    bool intermediate;           /* 3.0: inputs are set at internal times */
    double length;               /* [s] of its steps, of which one here may have several; 0: any */
    bool keep;                   /* no state before the current point will be set */
    bool early;                  /* a step has ended before its end */
    bool sums;                   /* it goes on where its last step has ended, to the bit: */
    double end;                  /* [s] the sum of its point and its length */
    const ms_stepper_step *step; /* while it steps */
    double *value;               /* (MS_FMU_ORDERS nu + ny + nu) */
} ms_fmu_stepping;

/* Zeroed memory of that many bytes becomes the places: inputs in the order of the description, outputs of ModelStructure that can be
 * connected, and states of its derivatives. */
size_t ms_fmu_places_size(const ms_fmu *fmu);
void ms_fmu_places_fill(const ms_fmu *fmu, ms_fmu_places *at);

/* From now on inputs (nu) are the values on their wires, and are written by their maps, if there are any. */
void ms_fmu_places_wire(ms_fmu_places *at, const ms_fmu_wiring *wiring);
/* What the wire of input i carries where the input has this value: the first that is mapped to it, else the first of the map. */
double ms_fmu_places_carried(const ms_fmu_places *at, int i, double value);

static inline bool ms_fmu_output_is_carried(const ms_fmu_places *at, int j)
{
    return at->carried == NULL || at->carried[j];
}

/* Is an input, output or state an array? Then derivatives, partial ones and those of outputs, are not asked for. */
bool ms_fmu_has_arrays(const ms_fmu_description *description);

/* A step under the inputs, over several of its own steps if these have a length, and continued after early returns. Returns as ms_fmu_step. It is
 * given the time of the step and its length as they are here; with `sums` its own time, if that differs only by round-off. */
int ms_fmu_stepping_step(ms_fmu_stepping *stepping, const ms_stepper_step *step);

/* Inputs (nu) between steps: discrete ones in event mode where it has one and they change. Returns as ms_fmu_write. */
int ms_fmu_stepping_tell(const ms_fmu_stepping *stepping, const double *u);

/* Output derivatives of one order (ny), 0 for those that are not reals. Returns as ms_fmu_get, MS_FMU_DISCARD if one is not finite. */
int ms_fmu_stepping_derivatives(ms_fmu_stepping *stepping, int order, double *dy);

/* D (ny x nu, by rows): 0 where something is no real. */
int ms_fmu_stepping_feed_through(ms_fmu_stepping *stepping, double *D);
