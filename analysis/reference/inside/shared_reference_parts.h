/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shared_reference_parts.h - what a reference reads of one that is shared. */
#ifndef MS_SHARED_REFERENCE_PARTS_H
#define MS_SHARED_REFERENCE_PARTS_H

#include "dense_solution.h"
#include "shared_reference.h"
#include "stepped_record.h"

/* When it starts [s]. */
double ms_shared_reference_time(const ms_shared_reference *shared);

/* Piece k from 0, or NULL where there is none: all room is taken, or the solver has failed. */
const ms_dense_piece *ms_shared_reference_piece(ms_shared_reference *shared, long k);

/* Where there is none: MS_SOLVER_FAILED or MS_SPENT where it would be so for all who read, else MS_OK. */
int ms_shared_reference_end(ms_shared_reference *shared);

/* The record of steps that begin with h and are sampled at n fractions; NULL: it is not shared. */
ms_stepped_record *ms_shared_reference_record(ms_shared_reference *shared, int n, const double *fractions,
                                              double h);

#endif
