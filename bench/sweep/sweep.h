/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.h - models x cases x schemes x parameters x draws x variants x step sizes: the grid, its rows, and the job that runs them.
 *
 *     ms_sweep sweep;
 *     status = ms_sweep_create(&arguments, &sweep, error);
 *     status = ms_sweep_run(&sweep, &request, error);
 *     ms_sweep_destroy(&sweep);
 *
 * Every row has its own systems and co-simulations, and rows are delivered in grid order, so that results do not depend on the
 * number of threads. */
#pragma once

#include <pthread.h>

#include <macrostep/reference.h>
#include "row_work.h"
#include "run_answer.h"
#include "sample.h"
#include "scheme_variants.h"

/* One point of the grid. */
typedef struct ms_sweep_point {
    long row; /* counted from 0 */
    const ms_model *model;
    const char *case_name;
    ms_options options;
    ms_setting *settings; /* (n_settings); owned */
    int n_settings;
    int draw; /* index in the sample, from 0 */
} ms_sweep_point;

typedef struct ms_sweep {
    ms_arguments *arguments; /* the caller's */
    const ms_model **models; /* (n_models) */
    int n_models;
    ms_model *owned; /* of --system */
    ms_axis cases;   /* names of --cases; n = 0: all of each model */
    ms_scheme_variants variants;
    ms_sample sample;   /* n = 0: no parameter is random */
    ms_axis draws;      /* as many values as draws */
    bool own_step_only; /* set by the caller: only the case's step size, without half of it */
} ms_sweep;

/* The position of one thread in the grid; {.sweep = ..} is its beginning. It must not move in memory. */
typedef struct ms_sweep_cursor {
    const ms_sweep *sweep;
    /* The next point. */
    long row;
    int model, place, family; /* place: index of the case among those of the model */
    ms_grid grid;
    ms_axis steps; /* the case's step size and half of it, unless --step-size is given */
    bool open;     /* grid and steps belong to model, place and family */
} ms_sweep_cursor;

/* From --models, --cases or --system, and --set, --scheme, --step-size and the other options of a run.
 * Errors: MS_INVALID with a message that names the option, the value and the valid values; MS_IO, MS_NO_MEMORY.
 * Destroying is safe after all of them. */
int ms_sweep_create(ms_arguments *arguments, ms_sweep *sweep, ms_error *error);
void ms_sweep_destroy(ms_sweep *sweep);

/* The next point; *more becomes false after the last one. A point that is initially all zero gets its
 * settings here. Errors: MS_INVALID, MS_NO_MEMORY, MS_INTERRUPTED. */
int ms_sweep_next(ms_sweep_cursor *cursor, ms_sweep_point *point, bool *more, ms_error *error);
void ms_sweep_cursor_destroy(ms_sweep_cursor *cursor);

/* The point of a given row of the grid; the cursor continues after it. Points before it are passed, again
 * from the first one on if the cursor is beyond it. Errors: those of ms_sweep_next. */
int ms_sweep_seek(ms_sweep_cursor *cursor, long row, ms_sweep_point *point, ms_error *error);
void ms_sweep_point_destroy(ms_sweep_point *point);

/* Number of rows of the grid. MS_INVALID if no variant can run and the call is the reason for all. */
int ms_sweep_count(const ms_sweep *sweep, long *rows, ms_error *error);

/* References shared by rows, each with its system, kept while a thread reads it. */
typedef struct ms_sweep_reference ms_sweep_reference;

typedef struct ms_sweep_references {
    pthread_mutex_t lock;
    ms_sweep_reference *first;
} ms_sweep_references;

/* A thread, and the reference of its last row; `held` NULL at first. */
typedef struct ms_sweep_reader {
    ms_sweep_references *of;
    ms_sweep_reference *held;
    const ms_against *against; /* of --reference; NULL: none */
} ms_sweep_reader;

void ms_sweep_reader_leave(ms_sweep_reader *reader);

/* The row of a point; and one of the same shape without a run, its options resolved as by a run, or as in
 * the row of a pair that does not fit. MS_INTERRUPTED: stop has become non-zero. */
int ms_sweep_row(const ms_sweep_point *point, const volatile sig_atomic_t *stop, ms_sweep_reader *reader,
                 json_t **row, ms_error *error);
int ms_sweep_shape(const ms_sweep_point *point, bool resolved, json_t **row, ms_error *error);

/* Adds to the row "growth_observed", "growth_predicted", "agree" (null if unknown) and a "note": predicted and observed on
 * the system, which becomes homogeneous, with macro-steps of options->step_size. Errors: MS_NO_MEMORY, MS_INTERRUPTED. */
int ms_sweep_add_growth(ms_system *system, const ms_options *options, const volatile sig_atomic_t *stop,
                        json_t **row, ms_error *error);

typedef struct ms_sweep_options {
    long rows; /* of the grid */
    int threads;
    void *self;
    /* OPTIONAL: works on the job instead of ms_row_work with the plan, of which only `stop` is used then. */
    int (*work)(void *self, ms_row_job *job, ms_error *error);
    /* OPTIONAL: the string to be delivered for a row, which is borrowed; called by any thread. NULL: no memory.
     * Without it the row is delivered. */
    json_t *(*record)(void *self, json_t *row);
    /* REQUIRED: row k in grid order, one at a time; the record is borrowed. A status other than MS_OK ends the sweep. */
    int (*deliver)(void *self, long k, json_t *record, ms_error *error);
} ms_sweep_options;

/* The rows of the plan, whose progress is by estimated work. Errors: those of the rows and of deliver, MS_INTERRUPTED,
 * MS_NO_MEMORY. A rank other than 0 delivers nothing. */
int ms_sweep_run(const ms_sweep *sweep, const ms_sweep_options *request, const ms_row_plan *plan,
                 ms_error *error);
