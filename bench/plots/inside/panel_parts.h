/* SPDX-License-Identifier: GPL-3.0-or-later */
/* panel_parts.h - what the files that draw panels share. */
#pragma once

#include "arguments.h"
#include "panel.h"

/* Axes: a value as they show it (its logarithm on a logarithmic one), NaN where they cannot. */
double ms_panel_on_axis(bool logarithmic, double value);
bool ms_panel_shows(const ms_panel *panel, const ms_curve *curve, size_t point);
bool ms_panel_has_points(const ms_panel *panel, const ms_curve *curve);

/* The range of the curves along x (of = 0) or y (1), as displayed; from infinity to -infinity without points. On a
 * logarithmic axis values far below the largest are round-off. */
void ms_panel_find_range(const ms_panel *panel, int of, bool logarithmic, double range[2]);
bool ms_panel_y_is_split(const ms_drawing *drawing, const ms_panel *panel); /* is its label two lines? */
void ms_panel_write_axes(ms_drawing *drawing, const ms_panel *panel);

/* Adds to the names of curves on, or below, what others they lie. */
void ms_panel_say_hidden(ms_panel *panel);

/* The range of an axis, as displayed; false if it has none. */
bool ms_panel_range(const ms_panel *panel, int of, double range[2]);

/* Of the key: entries, those side by side, lines of them, by how much its letters are smaller where a name is as wide as the picture,
 * or where two columns of four have room so. */
typedef struct ms_key {
    int n, columns, lines;
    bool downwards; /* columns are filled one after the other */
    double scale;
    int letters;  /* that a name may have */
    double slack; /* letters that gnuplot counts and the longest name does not take */
    double width; /* of the widest entry [cm] */
} ms_key;

ms_key ms_panel_key(const ms_drawing *drawing, const ms_panel *panel);

/* Chooses the place of the key; axes: their height [cm]. Then the height that it takes below them [cm]. */
void ms_panel_place_key(const ms_drawing *drawing, ms_panel *panel, double axes);
double ms_panel_key_height(const ms_drawing *drawing, const ms_panel *panel);

/* from_above: where a key below the axes begins [cm]. */
void ms_panel_write_key(ms_drawing *drawing, const ms_panel *panel, double from_above, double height);

/* The left margin of panels that are below each other, and a letter's width [cm]. */
double ms_panel_left(const ms_drawing *drawing, int n, const ms_panel *panels);
double ms_panel_letter(const ms_drawing *drawing);

void ms_panel_choose_colours(ms_panel *panel);

/* A block of the file for each curve that has a point; blocks[k] is its place, or -1. */
void ms_panel_write_data(ms_drawing *drawing, const ms_panel *panel, int *blocks);
void ms_panel_write_curves(ms_drawing *drawing, const ms_panel *panel, const int *blocks);
