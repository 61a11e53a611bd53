/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pareto.h - rows of runs by what they cost and how far they are off.
 *
 * The cost of a row is the number of integrations (macro-steps of single subsystems) and of sensitivities that it took, which
 * depends on neither machine nor load. */
#ifndef MS_PARETO_H
#define MS_PARETO_H

#include <jansson.h>

/* The cost of a row; not a number where it has none. */
double ms_pareto_cost(const json_t *row);

/* Sets "cost" and "rank" of each row. By error or work the rank is one more than the number of rows that are better; of rows
 * on the Pareto front it is 1, of those that are on it without these 2, and so on. Rows without an error have none. Errors:
 * MS_NO_MEMORY. */
int ms_pareto_rank(json_t *rows, int by);

enum { MS_RANK_ERROR, MS_RANK_WORK, MS_RANK_PARETO }; /* choices of --rank */

#endif
