/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partials.h - partial derivatives by differences, with error estimates.
 *
 * Each entry is taken with two steps, h and 2 h. If these are short compared with the scale of the function's curvature, the two differ by three
 * times (central) or once (forward) the error of the shorter one; if they are too short, by round-off, for which 6 r / h is a lower bound in the
 * estimate, so that two differences without correct digits do not agree by chance. r is eps |value|, or more where terms cancel: it is measured by
 * sixth divided differences along lines that begin at v (compare More, Wild 2011, Estimating computational noise). If the error of a row or
 * column is above 1e-6, or an entry has a relative error above 1e-3, steps 1e-3, 1e3 and 1e5 times as long are tried as well, and each entry is
 * taken from the pair that agrees best; if a shorter pair with a small estimate contradicts a longer one, the error is their distance. A value that
 * does not change where a variable moves by its size is independent of it. An entry with a relative error above a tenth then has no estimate, unless it vanishes with the step or in round-off. */
#pragma once

#include <macrostep/compression.h>
#include <macrostep/system.h>

/* From here on an answer says that its derivatives are not to be trusted. */
#define MS_PARTIALS_ERROR_LARGE 1e-3

/* M = d value / d v as ms_compression_differentiate gives it, or from steps that fit better. *error: the largest estimate of an
 * entry's error times the size of its variable, over the largest such product of its row (over the value where no entry of the row can
 * be told from zero); or the same over the largest of its column, rows divided by these sizes, if that is more, so that wrong sizes
 * hide no error. INFINITY where there is no estimate.
 * *evaluations (may be NULL) counts evaluations for M, *checks (may be NULL) those for the estimate and other steps. Errors:
 * MS_SOLVER_FAILED (outside the domain), MS_NO_MEMORY. */
int ms_partials_estimate(const ms_compression *compression, ms_differences differences,
                         ms_vector_function *function, void *self, double *v, const double *size, double *M,
                         double *error, long *evaluations, long *checks);

/* One line that says so of an error above that; "" below. */
void ms_partials_explain(double error, char *text, size_t size);

/* A, B, C, D of subsystem i at a point (t, x, u, z and du are set) by central differences, whatever it has. None of m is NULL.
 * *error is the largest of f and g. Errors: as above. */
int ms_partials_blocks(const ms_system *system, int i, const ms_point *at, const ms_blocks *m, double *error);
