/* SPDX-License-Identifier: GPL-3.0-or-later */
/* equal_rows.h - a row is a sequence of subsystems with equal matrices, advanced by one loop over the co-simulation's arrays.
 *
 * If linear subsystems are solved by maps (ms_solver.map) and all inputs have one shape (cosim->alike), a macro-step does not access
 * their instances, whose memory is the bottleneck with many subsystems. The sums are those of ms_instance_step and ms_execution_read, in
 * the same order. Instances are updated with their last macro-step and work only when they are accessed (ms_equal_rows_settle). */
#pragma once

#include <macrostep/cosim.h>

typedef struct ms_equal_row ms_equal_row;

/* To a sample. */
typedef struct ms_row_map {
    const double *E, *G;
} ms_row_map;

/* Subsystems first .. last - 1. */
struct ms_equal_row {
    int first, last;
    /* A macro-step of the row, with outputs at its end by (6.7). NULL: each subsystem is advanced by its instance. */
    void (*advance)(const ms_equal_row *row);
    ms_instance *head;     /* the first instance; its maps are used for all */
    double *x, *c, *u, *y; /* of the first; those of the others follow */
    int nx, nu, ny;
    int fed;  /* inputs that outputs depend on directly: nu, or none */
    int room; /* coefficients of a subsystem */
    int degree;
    double length; /* of the macro-step, and its maps */
    const double *E, *G, *C, *D;
    const struct ms_equal_rows *rows;
    double *start;   /* destination of the state at the start; NULL: not needed */
    ms_row_map *map; /* (n_samples) */
};

struct ms_equal_rows {
    double h, length; /* that maps are for; and of the piece */
    int degree;       /* -1: there are none yet */
    double t;         /* start of the last macro-step */
    long steps;       /* not yet recorded in the instances */
    int nx, n_samples;
    double *start; /* (nx): state at the start of the last macro-step; NULL: no observer needs it */
    bool recorded; /* it is set */
    int n;
    ms_equal_row row[];
};

/* Finds the rows of the first cosim->own subsystems. cosim->rows stays NULL if no subsystem can be advanced this way. Returns MS_OK or
 * MS_NO_MEMORY. */
int ms_equal_rows_create(ms_cosim *cosim);

/* Observers ask for starts and samples (cosim->sample_at) from now on. Returns MS_OK or MS_NO_MEMORY. */
int ms_equal_rows_observe(ms_cosim *cosim);
void ms_equal_rows_destroy(ms_cosim *cosim);

/* Can a macro-step by rows provide what observers need? */
static inline bool ms_equal_rows_serve(const ms_cosim *cosim)
{
    if (cosim->rows == NULL || cosim->recorded_elsewhere)
        return false;
    return !ms_cosim_records(cosim) ||
           (cosim->rows->start != NULL && !cosim->samples_inputs && cosim->port_at == NULL);
}

/* Before a macro-step of a row whose observers ask for its start. */
static inline void ms_equal_row_keep(const ms_equal_row *row)
{
    for (int j = 0; j < (row->last - row->first) * row->nx; j++)
        row->start[j] = row->x[j];
}

/* Samples of the last macro-step from its start: both of the first subsystem of the row. */
void ms_equal_row_samples(const ms_equal_row *row, const double *start, double *samples);

/* Inputs at the start of the last macro-step, u (nu each). */
void ms_equal_row_inputs(const ms_equal_row *row, double *u);

/* The maps of macro-steps of length h. */
void ms_equal_rows_set_maps(ms_cosim *cosim, double h);

static inline bool ms_equal_rows_fit(const struct ms_equal_rows *rows, double h)
{
    const ms_input *input = &rows->row[0].head->input;
    return rows->degree == input->degree && rows->h == h && rows->length == input->end[0];
}

/* Called before a macro-step; usually the maps exist. */
static inline void ms_equal_rows_prepare(ms_cosim *cosim, double t, double h)
{
    struct ms_equal_rows *rows = cosim->rows;
    if (!ms_equal_rows_fit(rows, h))
        ms_equal_rows_set_maps(cosim, h);
    rows->t = t;
    rows->steps++;
}

/* Updates the instances, which may be accessed directly from now on. */
void ms_equal_rows_settle(ms_cosim *cosim);
