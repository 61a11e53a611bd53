/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compression.h - a sparse matrix of partial derivatives from few evaluations.
 *
 * Columns that have no row in common are found together: their variables are varied at the same time, and
 * each row of the difference belongs to the one column of the group that has an entry there (Curtis,
 * Powell, Reid, J. Inst. Math. Appl. 13, 1974; Andersson 2016, 9.1.1). Groups are filled one after the
 * other, each by going through the columns that are left in their order. At least as many groups are
 * needed as the fullest row has entries.
 *
 * Where the pattern holds every entry that is not zero the result has the same bits as without
 * compression: no other variable of its group enters an entry. */
#pragma once

#include <stdbool.h>

#include <macrostep/c_linkage.h>

MS_C_LINKAGE_BEGIN

typedef struct ms_compression {
    int rows, columns;
    const bool *pattern; /* (rows x columns), by rows: entries that may differ from zero; NULL: all */
    int *group;          /* (columns): 0 .. groups - 1; -1: a column without entries */
    int groups;
    int bound;   /* entries of the fullest row */
    bool single; /* the function is computed in single precision, so that steps are longer */
} ms_compression;

/* Groups for a pattern, which must outlive it; pattern NULL: every column alone. Errors: MS_NO_MEMORY. */
int ms_compression_create(int rows, int columns, const bool *pattern, ms_compression **compression);
void ms_compression_destroy(ms_compression **compression); /* NULL-safe */

typedef enum ms_differences { MS_DIFFERENCES_FORWARD, MS_DIFFERENCES_CENTRAL } ms_differences;

/* value (rows) at v (columns); 0, or a positive number outside the domain. */
typedef int ms_vector_function(void *self, const double *v, double *value);

/* Evaluations that the differences take. */
long ms_compression_cost(const ms_compression *compression, ms_differences differences);

/* M = d value / d v (rows x columns) at v, which is restored. Steps are sqrt(eps) size forward and eps^(1/3)
 * size central, eps = 2^-52, with the sizes of the variables (columns). *evaluations (may be NULL) is incremented by the number of
 * calls. Errors: MS_SOLVER_FAILED (outside the domain), MS_NO_MEMORY. */
int ms_compression_differentiate(const ms_compression *compression, ms_differences differences,
                                 ms_vector_function *function, void *self, double *v, const double *size,
                                 double *M, long *evaluations);

/* The same from directional derivatives: the function gives the derivative in the direction of the seed v,
 * once for each group (Andersson 9.3). */
int ms_compression_collect(const ms_compression *compression, ms_vector_function *directional, void *self,
                           double *M, long *evaluations);

MS_C_LINKAGE_END
