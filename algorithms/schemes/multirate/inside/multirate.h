/* SPDX-License-Identifier: GPL-3.0-or-later */
/* multirate.h - shared by the files of the multi-rate scheme: scheme_multirate.c has the formulas and takes macro-steps, multirate_curves.c
 * computes inputs from points, multirate_common.c exchanges outputs at common ones, multirate_setup.c checks, memory and the start. Private to
 * these files. */
#pragma once

#include "inner_outputs.h"
#include "polynomial.h"
#include "spline.h"

enum { MULTIRATE_ORDER_MAX = 2 };

/* Begins aux. */
typedef struct multirate_history {
    double h1, h2; /* lengths of the last two macro-steps [s] */
    /* length of the last macro-step where its end took the place of a point (time_events.h); else 0 [s] */
    double gap;
    double known; /* number of valid past macro-steps: at most the order */
} multirate_history;

enum { HISTORY_SIZE = sizeof(multirate_history) / sizeof(double) };

/* Weights of outputs with the same number of points. */
typedef struct multirate_weights {
    ms_weights ahead; /* from T_n on, through past points */
    ms_weights first,
        later; /* where their subsystem has stepped: from T_n to the first point, from one point to the next */
} multirate_weights;

typedef struct multirate_data {
    bool in_sequence;
    int order,
        degree; /* of the extrapolation, and of the inputs of this macro-step: less while there is no past */
    int *substeps;                         /* of a subsystem (n) */
    ms_inner_outputs points;               /* that its outputs are handed on at */
    int *sequence, *rank;                  /* in which subsystems step, and its inverse (n) */
    int *values_at;                        /* offset of each subsystem's points (n + 1) */
    int *pieces_at;                        /* offset of each subsystem's pieces of inputs (n + 1) */
    double *values;                        /* outputs at the points of this macro-step */
    double *end;                           /* of pieces, in macro-steps */
    double *past[MULTIRATE_ORDER_MAX + 1]; /* outputs at the newest points, newest first (ny each); in lin */
    multirate_history *history;            /* in aux */
    multirate_weights weights[MS_INNER_MAX + 1]; /* by numbers of points */
    double t, h;

    /* `points` common */
    int base;     /* least common multiple of the numbers of sub-steps; 0: other points */
    double *seen; /* last value transmitted by each wire (wires) */
    bool *starts; /* whose sub-step begins now (n) */
} multirate_data;

/* The weights of a macro-step of length data->h. */
void ms_multirate_weigh(const ms_cosim *cosim, multirate_data *data);
/* The input of subsystem i, from the points at hand. */
void ms_multirate_give(const ms_cosim *cosim, const multirate_data *data, int i);
/* The macro-step is over: the newest points. */
void ms_multirate_remember(const ms_cosim *cosim, multirate_data *data);

/* The same where wires move at common points. Errors of create: MS_INVALID, MS_NO_MEMORY without a line. */
int ms_multirate_common_create(ms_cosim *cosim, multirate_data *data, ms_error *error);
int ms_multirate_step_common(ms_cosim *cosim, multirate_data *data);

void ms_multirate_memory(const ms_cosim *cosim, int *lin, int *aux);
ms_input_room ms_multirate_room(const ms_variant *variant);
int ms_multirate_create(ms_cosim *cosim, ms_error *error);
int ms_multirate_start(ms_cosim *cosim);
int ms_multirate_claimed_order(const ms_variant *variant);
int ms_multirate_claimed_order_on(const ms_system *system, const ms_variant *variant,
                                  const ms_options *options, int *work);
extern const ms_modelled ms_multirate_claims[];
