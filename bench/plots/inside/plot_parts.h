/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot_parts.h - what several pictures have in common. */
#ifndef MS_PLOT_PARTS_H
#define MS_PLOT_PARTS_H

#include "panel.h"
#include "series_file.h"

/* A curve for each column whose name holds kind (NULL: for all), over the first one; on a logarithmic axis their moduli. What is
 * more than eight is left out, and said. */
void ms_plot_series(ms_drawing *drawing, ms_panel *panel, const ms_series_table *table, const char *kind);

enum { MS_PLOT_UNITS_MAX = 4 };

/* The same on a panel for each unit that the columns have, `most` <= MS_PLOT_UNITS_MAX at most, each begun as the first one is; returns their number. */
int ms_plot_by_unit(ms_drawing *drawing, ms_panel *panels, int most, const ms_series_table *table,
                    const char *kind);

/* Draws the panel of spectral radii with a line at 1. */
void ms_plot_radii(ms_drawing *drawing, ms_panel *panel);

#endif
