/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macrostep_field.h - the field on one page: of each family of schemes its best member on a model.
 *
 * All members that `compare` goes through are run with two step sizes. The line through both results in double
 * logarithmic scales says how many integrations an error of MS_FIELD_GOAL would take; the member with the fewest
 * is the family's best, and is then run over MS_SETTINGS step sizes.
 *
 * Error: mean over the states of |e|_L2 / |reference|_L2. Work: macro-steps of single subsystems. */
#pragma once

#include <macrostep/scheme.h>
#include "study.h"

enum { MS_SETTINGS = 6 };

typedef struct ms_work_point {
    double setting; /* step size [s] */
    double steps, evaluations,
        error; /* macro-steps, integrations; NaN: incompatible, or the end was not reached */
} ms_work_point;

typedef struct ms_work_curve {
    ms_work_point point[MS_SETTINGS];
} ms_work_curve;

enum { MS_FIELD_FAMILIES = 32, MS_FIELD_PROBES = 2, MS_FIELD_WORDS = 384, MS_FIELD_NEEDS = 128 };

#define MS_FIELD_GOAL   1e-3
#define MS_FIELD_FACTOR 2.5 /* from a step size to the next smaller one */

typedef struct ms_field_bench {
    const char *title, *kind;
    const char *model; /* with options that all members have */
    double largest;    /* step size [s] */
    bool smooth;       /* orders are claimed of its solution */
} ms_field_bench;

/* A family's best member. */
typedef struct ms_field_entry {
    const ms_scheme *scheme;
    /* at least one member ran to its end; otherwise only `ran` and `refusal` of the following are set */
    bool fits;
    bool ran;                   /* some member did, if not to its end; else: */
    ms_error refusal;           /* why the model does not fit the first one */
    char words[MS_FIELD_WORDS]; /* its options */
    double promised;            /* integrations to the goal by the two runs; INFINITY: none */
    double seen;                /* the smaller error of the two */
    ms_work_curve curve;
    double drift[MS_SETTINGS];  /* of the energy; NaN: the model has none */
    double order;               /* observed; NaN: no two step sizes show one */
    int claimed;                /* 0: none */
    bool has_matrix;            /* a propagation matrix */
    double stable;              /* largest step size of the interval that begins at 0 [s]; NaN: all */
    char needs[MS_FIELD_NEEDS]; /* capabilities without which it is refused or degraded */
} ms_field_entry;

typedef struct ms_field_panel {
    int n, members; /* families, and members that were tried */
    ms_field_entry entry[MS_FIELD_FAMILIES];
} ms_field_panel;

/* Fills a panel. Errors: those of the runs, MS_INTERRUPTED, MS_NO_MEMORY. */
int ms_field_measure(ms_drawing *drawing, const ms_field_bench *bench, ms_field_panel *panel,
                     ms_error *error);
