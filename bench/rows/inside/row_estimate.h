/* SPDX-License-Identifier: GPL-3.0-or-later */
/* row_estimate.h - estimates the remaining time of many rows, in processor time of one thread.
 *
 * Costs of rows differ by five orders of magnitude, and no simple rule predicts them. So the rows of one model, case
 * and scheme family form a stratum, some of each are run first, and their costs predict the rest: sum over strata of
 * (rows left) x (mean of those done). A stratum without any takes the mean of its group (model and case), one without
 * a group that of all. Rows that are done later correct the means.
 *
 * Source: stratified sampling, Cochran, Sampling Techniques (1977), ch. 5. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct ms_row_stratum {
    long first, rows; /* it has the rows first .. first + rows - 1 */
    int group;
    long done;
    double seconds; /* of the completed rows */
} ms_row_stratum;

typedef struct ms_row_estimate {
    ms_row_stratum *stratum; /* (n), in the order of rows */
    int n;
    size_t capacity;
} ms_row_estimate;

/* All zero is an estimate without rows. The next row, of the last stratum or of a new one. Returns MS_OK or
 * MS_NO_MEMORY. */
int ms_row_estimate_add(ms_row_estimate *estimate, long row, int group, bool new_stratum);
void ms_row_estimate_destroy(ms_row_estimate *estimate);

/* Is it one of the rows to be run first? One in 15 rows, at least one per stratum, and not its ends if there are
 * others: there lists of options begin. None if there are too few rows for that to be useful. */
bool ms_row_estimate_samples(const ms_row_estimate *estimate, long row);

/* A row that has been done. */
void ms_row_estimate_note(ms_row_estimate *estimate, long row, double seconds);

/* The part of the whole work that has been done, in [0, 1]. */
double ms_row_estimate_done(const ms_row_estimate *estimate);
