/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot_parts.h - shared by several pictures. */
#pragma once

#include "panel.h"
#include "series_file.h"

/* A curve for each column whose name holds kind (NULL: for all), over the first one; on a logarithmic axis their moduli. What is
 * more than eight is left out, and said. */
void ms_plot_series(ms_drawing *drawing, ms_panel *panel, const ms_series_table *table, const char *kind);

enum { MS_PLOT_UNITS_MAX = 4 };

/* The same on a panel for each unit that the columns have, `most` <= MS_PLOT_UNITS_MAX at most, each begun as the first one is; returns their number. */
int ms_plot_by_unit(ms_drawing *drawing, ms_panel *panels, int most, const ms_series_table *table,
                    const char *kind);

/* "x / (m/s)"; of what has no unit "x". Lives as long as the drawing, or as the symbol. */
const char *ms_with_unit(ms_drawing *drawing, const char *symbol, const char *unit);

/* Points of rows, by two of their members, and of pairs of numbers. */
void ms_curve_rows(ms_drawing *drawing, ms_curve *curve, const json_t *rows, const char *x, const char *y);
void ms_curve_pairs(ms_drawing *drawing, ms_curve *curve, const json_t *pairs);

/* "'NAME' PLACE, ..", places counted from 1, down: from the last one; and the command that sets them at y, the first one above. */
const char *ms_tics(ms_drawing *drawing, const json_t *names, bool down);
const char *ms_name_tics(ms_drawing *drawing, const json_t *names);

/* Quantity and symbol with unit, unless it has none. For a parameter the first words of the model's summary name the quantity. */
void ms_axis_label(ms_drawing *drawing, bool of_test_equation, const char *name, const char *unit,
                   const char *summary, char *label, size_t size);

/* Are ratios of neighbours the same at both ends, and not their distances? */
bool ms_is_logarithmic(const json_t *values);

/* Draws the panel of spectral radii with a line at 1. */
void ms_plot_radii(ms_drawing *drawing, ms_panel *panel);
