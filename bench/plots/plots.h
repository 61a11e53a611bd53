/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plots.h - the pictures of the commands (--plot), each from the command's answer as in bench/schemas/.
 *
 * An answer with rows of answers (lists in place of single values) becomes one picture with a curve for each. */
#pragma once

#include <macrostep/estimate.h>
#include "canvas.h"
#include "series_file.h"

/* Errors over step sizes, with the observed orders, and lines of whole slopes. */
int ms_plot_converge(ms_drawing *drawing, const json_t *answer);

/* Eigenvalues in the unit circle; with lists of step sizes the spectral radius over them. */
int ms_plot_spectral(ms_drawing *drawing, const json_t *answer);

/* The stable region and its boundary, or boundaries of several schemes; the radius over one axis; critical step sizes. */
int ms_plot_stability(ms_drawing *drawing, const json_t *answer);

/* Errors over work. {"points": as ms_work_point has them, "error_range" and "work_range" of each (OPTIONAL): bars, "norm" and "error_scale" (OPTIONAL), "work": what it is (OPTIONAL),
 * "wanted": an error, "choice": [work, error], its name (OPTIONAL)}. Without "wanted" and "work" with the Pareto front. */
int ms_plot_work(ms_drawing *drawing, const json_t *points);

/* Do --curves and --label name curves of a run of the system? By names alone. Errors: MS_INVALID. */
int ms_plot_check(const ms_arguments *arguments, const ms_system *system, ms_error *error);

/* Time series: a column "time", then states SUB.x.NAME and others. errors: rows of time and |error| of each state; energies:
 * the ledger. Either may be NULL. */
int ms_plot_run(ms_drawing *drawing, const ms_series_table *trajectory, const ms_series_table *errors,
                const ms_series_table *energies);

/* States and micro-steps of one integration; errors over evaluations where trajectory is NULL and the answer has rows. */
int ms_plot_integrate(ms_drawing *drawing, const json_t *answer, const ms_series_table *trajectory,
                      const ms_series_table *history);

/* Inputs, states (nx) and errors of a driven subsystem: columns time, x, u, own, coupled. */
int ms_plot_drive(ms_drawing *drawing, const ms_series_table *points, int nx);

/* Poles, and the Bode diagram of the coupled model from its external inputs, or of one subsystem. */
int ms_plot_linearise(ms_drawing *drawing, const json_t *answer);

/* Measurements with the fitted output, and what is left. time (rows). */
int ms_plot_estimate(ms_drawing *drawing, const ms_estimate *estimate, const double *time);

/* {"models": [..], "schemes": [..], "cells": [[[agree, disagree, unknown], ..], ..]}: numbers of rows by model and family. */
int ms_plot_sweep(ms_drawing *drawing, const json_t *answer);

/* Medians with bands of quantiles. {"x": {"name", "unit", "summary", "values"}, "norm", "error_scale", "rows": [{"curve", "x", "error" and
 * "growth_predicted" as the answer of a sample has them}, ..]}: errors, or where none is known growths. */
int ms_plot_fan(ms_drawing *drawing, const json_t *answer);
