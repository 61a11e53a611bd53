/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "panel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "growing.h"
#include "label.h"
#include "panel_parts.h"

/* Curves ------------------------------------------------------------------------------------------------- */

ms_curve *ms_panel_curve(ms_panel *panel, ms_curve_style style, const char *label)
{
    if (panel->n == MS_PANEL_CURVES_MAX) {
        panel->left_out++;
        return NULL;
    }
    ms_curve *curve = &panel->curve[panel->n++];
    *curve = (ms_curve){.style = style};
    ms_label_fit(label != NULL ? label : "", MS_CURVE_NAME_MAX, curve->label, MS_CURVE_NAME_MAX);
    return curve;
}

void ms_curve_point(ms_drawing *drawing, ms_curve *curve, double x, double y)
{
    if (curve == NULL)
        return;
    if (!ms_grow(&curve->point, &curve->capacity, curve->n + 1, sizeof *curve->point)) {
        ms_drawing_no_memory(drawing);
        return;
    }
    curve->point[curve->n][0] = x;
    curve->point[curve->n++][1] = y;
}

static void destroy(ms_panel *panel)
{
    for (int k = 0; k < panel->n; k++)
        free(panel->curve[k].point);
    panel->n = 0;
}

/* Panels ---------------------------------------------------------------------------------------------------- */

/* The place of a panel, in centimetres from above. */
typedef struct panel_place {
    double above, axes, below, key;
} panel_place;

/* panels: how many there are. More than three are so low that they have room on a page. */
static panel_place place_of(const ms_drawing *drawing, const ms_panel *panel, int panels)
{
    const double line = ms_drawing_line(drawing), width = ms_drawing_width(drawing);
    const double chosen = panel->square ? width - ms_panel_left(drawing, 1, panel) - line
                          : panels > 1  ? fmin(0.3 * width, 16.0 / panels)
                                        : 0.5 * width;
    const bool titled = panel->title != NULL || panels > 1;
    return (panel_place){.above = line * (0.6 + 1.5 * titled),
                         .axes = panel->height > 0.0 ? panel->height
                                 : panel->square     ? chosen
                                                     : fmin(chosen, 9.0),
                         .below = panel->bottom > 0.0 ? panel->bottom : (panel->x != NULL ? 3.4 : 1.6) * line,
                         .key = ms_panel_key_height(drawing, panel)};
}

/* Has the panel the curves of one before it, as states and their errors are? Then one key tells of both. */
static bool has_same_curves(const ms_panel *before, const ms_panel *panel)
{
    bool same = panel->n == before->n && panel->below == NULL && before->below == NULL;
    for (int k = 0; k < panel->n && same; k++)
        same = strcmp(panel->curve[k].label, before->curve[k].label) == 0 &&
               panel->curve[k].style == before->curve[k].style;
    return same;
}

static void place_keys(const ms_drawing *drawing, int n, ms_panel *panels)
{
    for (int k = 0; k < n; k++) {
        ms_panel_place_key(drawing, &panels[k], place_of(drawing, &panels[k], n).axes);
        for (int before = 0; before < k; before++)
            if (has_same_curves(&panels[before], &panels[k]))
                panels[k].key = MS_KEY_NONE;
    }
}

/* What the call says -------------------------------------------------------------------------------------- */

/* The name of a curve ends before its slope. */
static int name_length(const char *label)
{
    const char *slope = strstr(label, ", slope ");
    return (int)(slope != NULL ? (size_t)(slope - label) : strlen(label));
}

/* Gives the curves of that name the text. */
static int rename_curves(ms_panel *panel, const char *member, size_t length, const char *text)
{
    int renamed = 0;
    for (int k = 0; k < panel->n; k++) {
        char *label = panel->curve[k].label, rest[MS_CURVE_LABEL_MAX];
        if (name_length(label) != (int)length || strncmp(label, member, length) != 0)
            continue;
        snprintf(rest, sizeof rest, "%s", label + length);
        ms_label_fit(text, MS_CURVE_NAME_MAX, label, MS_CURVE_NAME_MAX);
        panel->curve[k].typed = true;
        snprintf(label + strlen(label), sizeof panel->curve[k].label - strlen(label), "%s", rest);
        renamed++;
    }
    return renamed;
}

static void take_label(ms_drawing *drawing, int n, ms_panel *panels, const char *label)
{
    const char *equals = strchr(label, '='), *first = panels[0].n > 0 ? panels[0].curve[0].label : "nothing";
    int renamed = 0;
    for (int k = 0; k < n; k++)
        renamed += rename_curves(&panels[k], label, (size_t)(equals - label), equals + 1);
    if (renamed == 0)
        ms_drawing_refuse(drawing, "--label %s: no curve is called %.*s; the first one is called %.*s", label,
                          (int)(equals - label), label, name_length(first), first);
}

static void take_words(ms_drawing *drawing, int n, ms_panel *panels)
{
    const ms_arguments *arguments = ms_drawing_canvas(drawing)->arguments;
    const char *x = arguments->text[MS_ARGUMENT_XLABEL], *y = arguments->text[MS_ARGUMENT_YLABEL];
    panels[n - 1].x = x != NULL ? x : panels[n - 1].x;
    panels[0].y = y != NULL ? y : panels[0].y;
    for (int k = 0; k < arguments->n_labels; k++)
        take_label(drawing, n, panels, arguments->label[k]);
}

/* Script --------------------------------------------------------------------------------------------------- */

static void write_title(ms_drawing *drawing, const ms_panel *panel, int k, int n)
{
    char text[256];
    const char *title = panel->title != NULL ? panel->title : "";
    if (n > 1)
        snprintf(text, sizeof text, "%c  %s", 'a' + k, title);
    else
        snprintf(text, sizeof text, "%s", title);
    if (text[0] != '\0')
        ms_drawing_script(drawing, "set title %s noenhanced\n", ms_drawing_quoted(drawing, text));
    else
        ms_drawing_script(drawing, "unset title\n");
}

static void write_panel(ms_drawing *drawing, ms_panel *panel, int k, int n)
{
    int blocks[MS_PANEL_CURVES_MAX];
    ms_panel_choose_colours(panel);
    ms_panel_write_data(drawing, panel, blocks);
    write_title(drawing, panel, k, n);
    ms_panel_write_axes(drawing, panel);
    ms_panel_write_curves(drawing, panel, blocks);
    ms_drawing_script(drawing, "unset label\nunset arrow\nunset object\n");
}

void ms_panels_draw(ms_drawing *drawing, int n, ms_panel *panels)
{
    const char *title = ms_drawing_canvas(drawing)->arguments->text[MS_ARGUMENT_TITLE];
    const double line = ms_drawing_line(drawing), margin = title != NULL ? 1.8 * line : 0.0;
    double height = margin;
    take_words(drawing, n, panels);
    for (int k = 0; k < n; k++)
        ms_panel_say_hidden(&panels[k]);
    place_keys(drawing, n, panels);
    for (int k = 0; k < n; k++) {
        const panel_place place = place_of(drawing, &panels[k], n);
        height += place.above + place.axes + place.below + place.key;
    }
    ms_drawing_height(drawing, height);
    ms_drawing_script(drawing, "set multiplot%s%s\n", title != NULL ? " title " : "",
                      title != NULL ? ms_drawing_typed(drawing, title) : "");
    double from_above = margin;
    for (int k = 0; k < n; k++) {
        const panel_place place = place_of(drawing, &panels[k], n);
        const double top = from_above + place.above, bottom = top + place.axes;
        ms_drawing_script(drawing, "set tmargin at screen %.6f\nset bmargin at screen %.6f\n",
                          1.0 - top / height, 1.0 - bottom / height);
        ms_drawing_script(drawing, "set lmargin at screen %.6f\nset rmargin at screen %.6f\n",
                          ms_panel_left(drawing, n, panels) / ms_drawing_width(drawing),
                          1.0 - 1.0 * line / ms_drawing_width(drawing));
        ms_panel_write_key(drawing, &panels[k], bottom + place.below, height);
        from_above = bottom + place.below + place.key;
        write_panel(drawing, &panels[k], k, n);
        destroy(&panels[k]);
    }
}
