/* SPDX-License-Identifier: GPL-3.0-or-later */
/* panel_parts.h - what the files that draw panels share. */
#ifndef MS_PANEL_PARTS_H
#define MS_PANEL_PARTS_H

#include "panel.h"

/* Axes: a value as they show it (its logarithm on a logarithmic one), NaN where they cannot. */
double ms_panel_on_axis(bool logarithmic, double value);
bool ms_panel_shows(const ms_panel *panel, const ms_curve *curve, size_t point);
bool ms_panel_has_points(const ms_panel *panel, const ms_curve *curve);
bool ms_panel_is_empty(const ms_panel *panel);

/* Where the curves are along x (of = 0) or y (1), in what it shows; from infinity to -infinity where there is no point. On a
 * logarithmic one what is far below the largest is round-off. */
void ms_panel_find_range(const ms_panel *panel, int of, bool logarithmic, double range[2]);
void ms_panel_write_axes(ms_drawing *drawing, const ms_panel *panel);

/* Adds to the names of curves on, or below, what others they lie. */
void ms_panel_say_hidden(ms_panel *panel);

/* Of the key: entries side by side, lines, and by how much its letters are smaller where a name is as wide as the picture. */
typedef struct ms_key {
    int columns, lines;
    double scale;
    int letters; /* that a name may have */
} ms_key;

ms_key ms_panel_key(const ms_drawing *drawing, const ms_panel *panel);
void ms_panel_write_key(ms_drawing *drawing, const ms_panel *panel, double from_above, double height);

/* What the axes of panels that stand below each other have at their left, and a letter's width [cm]. */
double ms_panel_left(const ms_drawing *drawing, int n, const ms_panel *panels);
double ms_panel_letter(const ms_drawing *drawing);

void ms_panel_choose_colours(ms_panel *panel);

/* A block of the file for each curve that has a point; blocks[k] is its place, or -1. */
void ms_panel_write_data(ms_drawing *drawing, const ms_panel *panel, int *blocks);
void ms_panel_write_curves(ms_drawing *drawing, const ms_panel *panel, const int *blocks);

#endif
