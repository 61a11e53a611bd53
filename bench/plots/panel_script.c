/* SPDX-License-Identifier: GPL-3.0-or-later */
/* panel_script.c - data and script of a panel's curves. */
#include "panel_parts.h"

#include "label.h"

enum { COLOURS = 7 };

/* Points of the second round of colours, and the dashes of all further ones. */
static const int more_marks[COLOURS] = {1, 2, 3, 7, 10, 12, 14};
static const char *const more_dashes[] = {"", " dt (1,2)", " dt (16,2,1,2,1,2)", " dt (1,6)"};

/* Colours: guides are grey, references black, the others one after the other. */
void ms_panel_choose_colours(ms_panel *panel)
{
    int next = 0;
    for (int k = 0; k < panel->n; k++) {
        ms_curve *curve = &panel->curve[k];
        if (curve->colour == 0)
            curve->colour = curve->style == MS_CURVE_REFERENCE ? 1
                            : curve->style == MS_CURVE_GUIDE   ? 9
                                                               : 2 + next % COLOURS;
        if (curve->style >= MS_CURVE_REFERENCE)
            continue;
        curve->round = next / COLOURS + (curve->second ? 2 : 0);
        if (curve->round > 0 && curve->mark == 0)
            curve->mark = more_marks[(next + (curve->second ? 3 : 0)) % COLOURS];
        next++;
    }
}

/* Data --------------------------------------------------------------------------------------------------- */

static void write_curve(ms_data *data, const ms_panel *panel, int k)
{
    const ms_curve *curve = &panel->curve[k];
    bool begun = false, interrupted = false;
    for (size_t i = 0; i < curve->n; i++) {
        const double x = curve->point[i][0], y = curve->point[i][1];
        if (!ms_panel_shows(panel, curve, i)) {
            interrupted = begun;
            continue;
        }
        if (interrupted)
            ms_data_break(data);
        MS_ROW(data, k, x, y);
        begun = true;
        interrupted = false;
    }
    ms_data_break(data);
    ms_data_break(data);
}

void ms_panel_write_data(ms_drawing *drawing, const ms_panel *panel, int *blocks)
{
    ms_data *data = panel->n > 0 ? ms_drawing_data(drawing, panel->part, "curve,x,y") : NULL;
    int n = 0;
    for (int k = 0; k < panel->n; k++) {
        const bool shown = ms_panel_has_points(panel, &panel->curve[k]);
        blocks[k] = shown ? n++ : -1;
        if (shown)
            write_curve(data, panel, k);
    }
}

/* Curves --------------------------------------------------------------------------------------------------- */

enum { MARKS = 7 }; /* approximate number per line */

static const char *const with[] = {[MS_CURVE_LINES] = "linespoints",
                                   [MS_CURVE_MARKED] = "linespoints",
                                   [MS_CURVE_POINTS] = "points",
                                   [MS_CURVE_REFERENCE] = "lines",
                                   [MS_CURVE_GUIDE] = "lines"};

/* A curve, or where it has no point in the picture its line in the key, which says so. */
static void write_plot(ms_drawing *drawing, const ms_panel *panel, const ms_curve *curve, int block)
{
    char label[MS_CURVE_LABEL_MAX];
    const bool thin = curve->style == MS_CURVE_REFERENCE || curve->style == MS_CURVE_GUIDE;
    ms_label_fit(curve->label, ms_panel_key(drawing, panel).letters, label, sizeof label);
    if (block >= 0)
        ms_drawing_script(drawing, "part('%s') index %d using 2:3", panel->part, block);
    else
        ms_drawing_script(drawing, "keyentry");
    ms_drawing_script(drawing, " with %s lt %d%s", with[curve->style], curve->colour, thin ? " lw 0.9" : "");
    if (curve->round > 0 && curve->style != MS_CURVE_POINTS)
        ms_drawing_script(drawing, "%s", more_dashes[1 + (curve->round - 1) % 3]);
    if (curve->mark > 0)
        ms_drawing_script(drawing, " pt %d", curve->mark);
    if (curve->size > 0.0)
        ms_drawing_script(drawing, " ps %g", curve->size);
    if (curve->style == MS_CURVE_LINES)
        ms_drawing_script(drawing, " pi %zu", curve->n / MARKS + 1);
    if (curve->label[0] == '\0' || panel->key == MS_KEY_NONE)
        ms_drawing_script(drawing, " notitle");
    else if (curve->typed)
        ms_drawing_script(drawing, " title %s", ms_drawing_typed(drawing, label));
    else
        ms_drawing_script(drawing, " title %s noenhanced", ms_drawing_quoted(drawing, label));
}

void ms_panel_write_curves(ms_drawing *drawing, const ms_panel *panel, const int *blocks)
{
    ms_drawing_script(drawing, "plot %s", panel->below != NULL ? panel->below : "NaN notitle");
    for (int k = 0; k < panel->n; k++)
        if (blocks[k] >= 0 || (panel->curve[k].label[0] != '\0' && panel->key != MS_KEY_NONE)) {
            ms_drawing_script(drawing, ", \\\n    ");
            write_plot(drawing, panel, &panel->curve[k], blocks[k]);
        }
    ms_drawing_script(drawing, "\n");
}
