/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pareto.h - ranks rows of runs by cost and error.
 *
 * The cost of a row is its number of integrations (macro-steps of single subsystems) and of sensitivities, which
 * depends neither on the machine nor on load. */
#pragma once

#include <jansson.h>

/* The cost of a row; not a number where it has none. */
double ms_pareto_cost(const json_t *row);

/* Sets "cost" and "rank" of each row. By error or work the rank is one more than the number of better rows; by Pareto front
 * it is 1 on the front, 2 on the front of the remaining rows, and so on. Rows without an error have none. Errors:
 * MS_NO_MEMORY. */
int ms_pareto_rank(json_t *rows, int by);

enum { MS_RANK_ERROR, MS_RANK_WORK, MS_RANK_PARETO }; /* choices of --rank */
