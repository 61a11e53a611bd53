/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shared_reference_parts.h - functions by which a reference reads a shared one. */
#pragma once

#include "dense_solution.h"
#include "shared_reference.h"
#include "solution_file.h"

/* stepped_record.c: a stepped solution that is kept, for runs on any number of threads that take the same
 * macro-steps.
 *
 * Whoever comes to its end first makes the next step. Who takes another step has to leave it, and gets the same bits
 * from a solution of his own that takes the same steps. */

typedef struct ms_stepped_record ms_stepped_record;

/* A step from t to t + h, and what is known at its end. */
typedef struct ms_recorded_step {
    double t, h, error;
    double *x, *z;   /* (nx), (nz) */
    double *samples; /* (n, nx) */
} ms_recorded_step;

/* As ms_stepped_solution_create, with the steps that are in the cache; keeps at most `most` bytes. What the key points to
 * must outlive it. */
int ms_stepped_record_create(const ms_reference_key *key, size_t most, ms_stepped_record **record,
                             ms_error *error);
void ms_stepped_record_destroy(ms_stepped_record **record); /* NULL-safe */

/* Step k from 0, where it goes from t to t + h; NULL: another one is there, the record is full, or its solver has
 * failed. Steps before k have been read. */
const ms_recorded_step *ms_stepped_record_step(ms_stepped_record *record, long k, double t, double h);

/* Where there is no step k from t to t + h because the solver has failed in it, as it would for all: MS_SOLVER_FAILED or MS_SPENT; else
 * MS_OK. */
int ms_stepped_record_end(ms_stepped_record *record, long k, double t, double h);

/* Step k, which has been read. */
ms_recorded_step ms_stepped_record_at(ms_stepped_record *record, long k);

/* When it starts [s]. */
double ms_shared_reference_time(const ms_shared_reference *shared);

/* Piece k from 0, or NULL: the capacity is used up, or the solver has failed. */
const ms_dense_piece *ms_shared_reference_piece(ms_shared_reference *shared, long k);

/* If there is no piece: MS_SOLVER_FAILED or MS_SPENT if that holds for all readers, otherwise MS_OK. */
int ms_shared_reference_end(ms_shared_reference *shared);

/* The record of steps that begin with h and are sampled at n fractions; NULL: it is not shared. */
ms_stepped_record *ms_shared_reference_record(ms_shared_reference *shared, int n, const double *fractions,
                                              double h);
