/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_errors.h - errors of a run's states over time, at its communication points. */
#ifndef MS_RUN_ERRORS_H
#define MS_RUN_ERRORS_H

#include <macrostep/trajectory.h>
#include "series_file.h"

/* What a trajectory has, with names and units of its columns. */
ms_series_table ms_trajectory_table(const ms_trajectory *trajectory);

/* Rows of time and x - reference (1 + nx). table.row is NULL where there is no reference, as of systems without a monolithic
 * form. */
typedef struct ms_run_errors {
    ms_series_table table;
    double *row; /* owned */
} ms_run_errors;

/* Errors: MS_NO_MEMORY. */
int ms_run_errors_compute(const ms_trajectory *trajectory, ms_run_errors *errors, ms_error *error);
void ms_run_errors_free(ms_run_errors *errors); /* safe to repeat */

#endif
