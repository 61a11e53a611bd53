/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error_scale.h - scales of state errors, so that errors with different units can be compared.
 *
 *     none        1: each error is in the unit of its state
 *     nominal     the state's nominal value (ms_subsystem.x_nominal)
 *     range       max - min of the reference over the run, at communication points and the samples between them
 *
 * A state whose reference does not move by more than its own error and round-off has no range: its errors are NaN, and largest errors are those of
 * the others. l2 has no unit and is not scaled. The reference's own error is divided by the smallest scale, and remains a bound. */
#pragma once

#include <stdbool.h>

#include <macrostep/c_linkage.h>
#include <macrostep/system.h>

MS_C_LINKAGE_BEGIN

typedef struct ms_error_scale {
    int by;             /* ms_error_scaling */
    int n;              /* variables */
    double *of;         /* (n) scale of each error; NaN: none. With `range` only after conclusion */
    double *low, *high; /* (n) so far */
} ms_error_scale;

/* Of the states of a system, or of n other variables, which have a range alone. Errors: MS_INVALID (a state without a nominal value),
 * MS_NO_MEMORY. */
int ms_error_scale_create(const ms_system *system, int by, ms_error_scale *scale, ms_error *error);
/* Of n columns that are states, inputs or outputs of the system (series_variables.h): where one is a state the others have no nominal value, NaN. */
int ms_error_scale_of_columns(const ms_system *system, int n, const int *variable, int by,
                              ms_error_scale *scale, ms_error *error);
int ms_error_scale_of_variables(int n, const char *what, int by, ms_error_scale *scale, ms_error *error);
void ms_error_scale_destroy(ms_error_scale *scale); /* safe to repeat */

void ms_error_scale_start(ms_error_scale *scale);

/* A value of the reference of variable j. */
static inline void ms_error_scale_see(ms_error_scale *scale, int j, double reference)
{
    if (scale->low == NULL)
        return;
    if (reference < scale->low[j])
        scale->low[j] = reference;
    if (reference > scale->high[j])
        scale->high[j] = reference;
}

/* own_error: of the reference. */
void ms_error_scale_conclude(ms_error_scale *scale, double own_error);

/* 1 over the smallest scale: the factor that bounds a scaled error by an absolute one; NaN: none. */
double ms_error_scale_unit(const ms_error_scale *scale);

MS_C_LINKAGE_END
