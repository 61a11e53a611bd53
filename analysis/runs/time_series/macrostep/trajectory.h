/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trajectory.h - an observer that keeps a run's communication points in memory.
 *
 * A row is time, x (nx), u (right limits, nu), y (ny). The right limits are known when the next macro-step
 * has been taken; in the last row u = L y. Where subsystems have their own clocks a row means each time
 * at which any of them communicates, with NaN for those that do not. */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/run_series.h>
#include <macrostep/system.h>

MS_C_LINKAGE_BEGIN

typedef struct ms_trajectory {
    int nx, nu, ny, columns; /* columns = 1 + nx + nu + ny */
    long rows, capacity;
    double *row; /* (rows x columns) */
    const ms_system *system;
    long *last;                 /* (n): the last row at which each subsystem communicated */
    const ms_series_sink *sink; /* OPTIONAL, to be set before the run: rows go there */
    int status; /* MS_OK, or MS_NO_MEMORY or what the sink said, with which the run was ended */
} ms_trajectory;

/* For runs of cosim, which gets the recording that is needed, in any order with ms_error_norms_create; call before
 * ms_cosim_start. Each run starts anew. The observer's self is the ms_trajectory. */
int ms_trajectory_create(ms_cosim *cosim, ms_trajectory *trajectory, ms_observer *observer, ms_error *error);
void ms_trajectory_destroy(ms_trajectory *trajectory);

/* Row n (columns). */
static inline const double *ms_trajectory_row(const ms_trajectory *trajectory, long n)
{
    return trajectory->row + (size_t)n * (size_t)trajectory->columns;
}

/* "SUB.x.NAME" and so on of a column > 0, "time" of column 0, written into name (size characters). */
void ms_trajectory_name(const ms_trajectory *trajectory, int column, char *name, size_t size);
const char *ms_trajectory_unit(const ms_trajectory *trajectory, int column); /* "1" if none */

MS_C_LINKAGE_END
