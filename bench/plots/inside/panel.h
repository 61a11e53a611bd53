/* SPDX-License-Identifier: GPL-3.0-or-later */
/* panel.h - panels of curves, and how they become one picture.
 *
 *     ms_panel panel = {.part = "errors", .x = "H / s", .y = "error", .log_x = true, .log_y = true};
 *     ms_curve *curve = ms_panel_curve(&panel, MS_CURVE_MARKED, "jacobi");
 *     ms_curve_point(drawing, curve, 0.1, 1e-3);
 *     ms_panels_draw(drawing, 1, &panel);
 *
 * Without memory the drawing fails, and what is NULL is ignored. */
#pragma once

#include "canvas.h"

typedef enum ms_curve_style {
    MS_CURVE_LINES,
    MS_CURVE_MARKED,    /* a line with its points */
    MS_CURVE_POINTS,    /* points alone */
    MS_CURVE_REFERENCE, /* a thin black line, over the others */
    MS_CURVE_GUIDE      /* a thin grey line */
} ms_curve_style;

enum { MS_CURVE_NAME_MAX = 160, MS_CURVE_LABEL_MAX = 256, MS_PANEL_CURVES_MAX = 64 };

/* label: a plain text, or empty: not in the key. First a name of less than MS_CURVE_NAME_MAX bytes, then
 * a description of the curve. */
typedef struct ms_curve {
    char label[MS_CURVE_LABEL_MAX];
    ms_curve_style style;
    bool typed;         /* is the name from the call? */
    const char *absent; /* OPTIONAL: text of the key if it has no point; NULL: "none here" */
    int colour;         /* 1..9; 0: the next one of its panel */
    bool second;        /* of two kinds of curves: other marks and dashes */
    double size;        /* of its points, in gnuplot's unit; 0: that of the colour */
    int mark;           /* gnuplot's type of point; 0: the panel chooses it */
    int round;          /* for the panel: how often colours began anew, two more of the second kind */
    size_t n, capacity;
    double (*point)[2]; /* (n) not finite: the curve is interrupted */
} ms_curve;

typedef struct ms_panel {
    const char *part;  /* of its data file, letters alone */
    const char *title; /* NULL: none */
    /* Plain texts, or two separated by a tab, quantity and symbol with unit; the first is omitted, or put on
     * a separate line, if there is no room. x NULL: that of the panel below */
    const char *x, *y;
    bool log_x, log_y, square;
    double range[2][2]; /* of x and y; both ends 0: where the curves are */
    const char *before; /* OPTIONAL: gnuplot commands of our own before the curves, */
    const char *below;  /* script that is plotted below them */
    bool along;         /* what is plotted below them lies along the curves, and covers nothing else */
    const char *empty;  /* OPTIONAL: text of the picture if neither these nor a curve has a point */
    double height;      /* of the axes [cm]; 0: chosen by the width */
    double left;        /* what the tics' texts need left of the axes [cm]; 0: that of numbers */
    double bottom;      /* the same below them */
    int entries;        /* of the key that `below` has; 0: one */
    int letters;        /* of the longest of these entries; 0: 19 */
    int key, corner;    /* for the panel: MS_KEY_.., and which corner inside */
    double axes;        /* for the panel: how high its axes are [cm] */
    int n;
    ms_curve curve[MS_PANEL_CURVES_MAX];
    int left_out; /* curves for which there was no room; said in the picture */
} ms_panel;

/* NULL where the panel is full; the curve is counted as left out. label is copied,
 * without its middle where it is long; NULL: none. */
ms_curve *ms_panel_curve(ms_panel *panel, ms_curve_style style, const char *label);
void ms_curve_point(ms_drawing *drawing, ms_curve *curve, double x, double y);

/* Writes the panels, one below the other, with letters before their titles where there are several; curves that lie on
 * an earlier one of their panel are named so in the key. title: that of the whole, or NULL. Frees the curves. */
void ms_panels_draw(ms_drawing *drawing, int n, ms_panel *panels);
