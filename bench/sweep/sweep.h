/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.h - models x cases x schemes x step sizes x parameters: the grid, its rows, and the threads that run
 * them.
 *
 *     ms_sweep sweep;
 *     status = ms_sweep_create(&arguments, &sweep, error);
 *     status = ms_sweep_run(&sweep, &request, error);
 *     ms_sweep_destroy(&sweep);
 *
 * Every row has systems and co-simulations of its own, and rows are delivered in grid order, so that no
 * result depends on the number of threads. */
#ifndef MS_SWEEP_H
#define MS_SWEEP_H

#include <jansson.h>

#include "progress.h"
#include "ranks.h"
#include "reference.h"
#include "scheme_variants.h"

/* One point of the grid. */
typedef struct ms_sweep_point {
    long row; /* counted from 0 */
    const ms_model *model;
    const char *case_name;
    ms_options options;
    ms_setting *settings; /* (n_settings); owned */
    int n_settings;
} ms_sweep_point;

typedef struct ms_sweep {
    ms_arguments *arguments; /* the caller's */
    const ms_model **models; /* (n_models) */
    int n_models;
    ms_model *owned; /* of --system */
    ms_axis cases;   /* names of --cases; n = 0: all of each model */
    ms_scheme_variants variants;
    /* The next point. */
    int model, place, family; /* place: of the case among those of the model */
    ms_grid grid;
    ms_axis steps;      /* the case's own step size and half of it, unless --step-size is given */
    bool own_step_only; /* for the caller to set: leave the half out */
    bool open;          /* grid and steps are those of model, place and family */
    long row;
    ms_shard shard;    /* for the caller to set, with the rows of the whole grid; of = 0: all of them, */
    long rows_of_grid; /* else rows are counted within the part */
    long place_in_grid;
} ms_sweep;

/* From --models, --cases or --system, and --set, --scheme, --step-size and the other options of a run.
 * Errors: MS_INVALID with a line that names the option, the value and what would be right; MS_IO,
 * MS_NO_MEMORY. Destroying is safe after all of them. */
int ms_sweep_create(ms_arguments *arguments, ms_sweep *sweep, ms_error *error);
void ms_sweep_destroy(ms_sweep *sweep);

/* Back to the first point. */
void ms_sweep_rewind(ms_sweep *sweep);

/* The next point; *more becomes false behind the last one. A point that is all zero at first gets its
 * settings here. Errors: MS_INVALID, MS_NO_MEMORY, MS_INTERRUPTED. */
int ms_sweep_next(ms_sweep *sweep, ms_sweep_point *point, bool *more, ms_error *error);
void ms_sweep_point_destroy(ms_sweep_point *point);

/* Number of rows of the grid; the sweep stands at its beginning afterwards. MS_INVALID where no variant can
 * run and all because of the call. */
int ms_sweep_count(ms_sweep *sweep, long *rows, ms_error *error);

/* A reference that consecutive rows of a thread share, with its system; all zero at first. */
typedef struct ms_sweep_reference {
    ms_system *system;
    ms_shared_reference *shared;
} ms_sweep_reference;

void ms_sweep_reference_destroy(ms_sweep_reference *reference);

/* The row of a point, and one of the same shape without a run. MS_INTERRUPTED: stop has become non-zero. */
int ms_sweep_row(const ms_sweep_point *point, const volatile sig_atomic_t *stop,
                 ms_sweep_reference *reference, json_t **row, ms_error *error);
int ms_sweep_shape(const ms_sweep_point *point, json_t **row, ms_error *error);

typedef struct ms_sweep_options {
    long first; /* row to begin with */
    long rows;  /* in all */
    int threads;
    ms_ranks
        *ranks; /* OPTIONAL: shares the rows; `format` is REQUIRED then, and `deliver` may get row NULL */
    uint64_t digest; /* of the call, for them */
    const volatile sig_atomic_t *stop;
    ms_progress *progress; /* of one part, by estimated work from `first` on; may be NULL */
    void *self;
    /* OPTIONAL: text of a row, by any thread; NULL: no memory. The text is freed after `deliver`. */
    char *(*format)(void *self, json_t *row);
    /* REQUIRED: rows in grid order, one at a time. row is borrowed, text NULL without `format`. A status
     * other than MS_OK ends the sweep. */
    int (*deliver)(void *self, json_t *row, const char *text, ms_error *error);
} ms_sweep_options;

/* All rows from `first` on. Errors: those of the rows and of deliver, MS_INTERRUPTED, MS_NO_MEMORY. */
int ms_sweep_run(ms_sweep *sweep, const ms_sweep_options *request, ms_error *error);

#endif
