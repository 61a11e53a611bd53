/* SPDX-License-Identifier: GPL-3.0-or-later */
/* series_order.h - the observed order over several time series of one system, as other tools have written them with
 * different step sizes: the step size of each is the longest time between its points. */
#pragma once

#include <macrostep/convergence_order.h>
#include "series_errors.h"

/* Of n series of one system, in any order of step sizes: row[k] (n) gets step size, error (norm: an ms_norm), slope and
 * note of series k. Where there is no order *why says so: fewer than two series, equal step sizes, other times or
 * variables, errors that mean nothing; else it is NULL. Errors: MS_NO_MEMORY. */
int ms_series_order(int n, const ms_series_errors *errors, int norm, ms_convergence_row *row,
                    ms_convergence_order *order, const char **why);
