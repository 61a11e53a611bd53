/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plots.h - the pictures of the commands (--plot), each from the command's answer as bench/schemas/ has it.
 *
 * An answer with rows of answers (lists where one value stands) becomes one picture with a curve for each. */
#ifndef MS_PLOTS_H
#define MS_PLOTS_H

#include "canvas.h"
#include "series_file.h"

/* Errors over step sizes, with the observed orders, and lines of whole slopes. */
int ms_plot_converge(ms_drawing *drawing, const json_t *answer);

/* Eigenvalues in the unit circle; with lists of step sizes the spectral radius over them. */
int ms_plot_spectral(ms_drawing *drawing, const json_t *answer);

/* The stable region and its boundary, or boundaries of several schemes; the radius over one axis; critical step sizes. */
int ms_plot_stability(ms_drawing *drawing, const json_t *answer);

/* Errors over work, and the Pareto front. */
int ms_plot_compare(ms_drawing *drawing, const json_t *answer);

/* Time series: a column "time", then states SUB.x.NAME and others. errors: rows of time and |error| of each state; energies:
 * the ledger. Either may be NULL. */
int ms_plot_run(ms_drawing *drawing, const ms_series_table *trajectory, const ms_series_table *errors,
                const ms_series_table *energies);

#endif
