/* SPDX-License-Identifier: GPL-3.0-or-later */
/* panel_coincide.c - curves that coincide, so that one hides the other, are told apart by name. */
#include "panel_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "label.h"

enum { LOOKS = 400 };

static const double same = 0.006; /* of the axes: closer curves cannot be told apart */

/* What the curves take of each axis; 1 where it is nothing. */
typedef struct ms_spans {
    double of[2];
} ms_spans;

static ms_spans spans_of(const ms_panel *panel)
{
    ms_spans spans;
    for (int of = 0; of < 2; of++) {
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < panel->n; k++)
            for (size_t i = 0; i < panel->curve[k].n; i++) {
                const double at =
                    ms_panel_on_axis(of == 0 ? panel->log_x : panel->log_y, panel->curve[k].point[i][of]);
                low = isfinite(at) ? fmin(low, at) : low;
                high = isfinite(at) ? fmax(high, at) : high;
            }
        spans.of[of] = high > low ? high - low : 1.0;
    }
    return spans;
}

/* A point as parts of the axes. */
static void place(const ms_panel *panel, const ms_spans *spans, const double point[2], double at[2])
{
    at[0] = ms_panel_on_axis(panel->log_x, point[0]) / spans->of[0];
    at[1] = ms_panel_on_axis(panel->log_y, point[1]) / spans->of[1];
}

/* From p to the line between a and b. */
static double distance(const double p[2], const double a[2], const double b[2])
{
    const double d[2] = {b[0] - a[0], b[1] - a[1]}, length = d[0] * d[0] + d[1] * d[1];
    double s = length > 0.0 ? ((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1]) / length : 0.0;
    s = fmax(0.0, fmin(1.0, s));
    return hypot(p[0] - a[0] - s * d[0], p[1] - a[1] - s * d[1]);
}

/* Is the point closer to the curve than can be told apart? Lines count where it is drawn as lines. */
static bool is_near(const ms_panel *panel, const ms_spans *spans, const double p[2], const ms_curve *curve)
{
    double last[2] = {NAN, NAN}, at[2];
    for (size_t i = 0; i < curve->n; i++) {
        place(panel, spans, curve->point[i], at);
        const bool lined = curve->style != MS_CURVE_POINTS && isfinite(last[0] + last[1]);
        if (isfinite(at[0] + at[1]) && distance(p, lined ? last : at, at) <= same)
            return true;
        last[0] = at[0];
        last[1] = at[1];
    }
    return false;
}

/* Does every point of a lie on b? Of long curves some of the points are looked at. */
static bool is_on(const ms_panel *panel, const ms_spans *spans, const ms_curve *a, const ms_curve *b)
{
    const size_t stride = 1 + a->n / LOOKS;
    size_t shown = 0;
    for (size_t i = 0; i < a->n; i += stride) {
        double at[2];
        place(panel, spans, a->point[i], at);
        if (!isfinite(at[0] + at[1]))
            continue;
        shown++;
        if (!is_near(panel, spans, at, b))
            return false;
    }
    return shown > 0;
}

/* The first curve below this one where each lies on the other, or -1. */
static int hidden_below(const ms_panel *panel, const ms_spans *spans, int k)
{
    const ms_curve *curve = &panel->curve[k];
    for (int i = 0; i < k; i++)
        if (curve->style <= MS_CURVE_POINTS && panel->curve[i].style <= MS_CURVE_POINTS &&
            is_on(panel, spans, curve, &panel->curve[i]) && is_on(panel, spans, &panel->curve[i], curve))
            return i;
    return -1;
}

/* Does the curve lie below what is shown of a logarithmic axis? */
static bool is_below(const ms_panel *panel, const ms_curve *curve)
{
    double range[2];
    bool below = panel->log_y && panel->range[1][0] == panel->range[1][1];
    if (below)
        ms_panel_find_range(panel, 1, true, range);
    for (size_t i = 0; i < curve->n && below; i++)
        below = !ms_panel_shows(panel, curve, i) || ms_panel_on_axis(true, curve->point[i][1]) < range[0];
    return below;
}

/* Where the words from this place on begin: behind the next comma, or at the end. */
static size_t next_word(const char *label, size_t at)
{
    at += strcspn(label + at, ",");
    return at + strspn(label + at, ", ");
}

/* Does another curve have these letters of the name of a curve as its first words? */
static bool is_shared(const ms_panel *panel, int of, size_t letters)
{
    bool shared = false;
    for (int i = 0; i < panel->n && !shared; i++) {
        const char *label = panel->curve[i].label;
        shared = i != of && strncmp(label, panel->curve[of].label, letters) == 0 &&
                 strchr(", ", label[letters]) != NULL;
    }
    return shared;
}

/* The short name of a curve with which another one coincides: its family, or within the same family, the words after their common
 * beginning, as many as distinguish it from all others. */
static void short_name(const ms_panel *panel, int of, const char *beside, char *name, size_t size)
{
    const char *label = panel->curve[of].label;
    size_t from = 0, word = next_word(label, 0);
    while (label[word] != '\0' && strncmp(label, beside, word) == 0) {
        from = word;
        word = next_word(label, word);
    }
    size_t end = from + strcspn(label + from, ",");
    while (from > 0 && label[end] != '\0' && is_shared(panel, of, end))
        end += 2 + strcspn(label + end + 2, ",");
    char whole[MS_CURVE_LABEL_MAX];
    snprintf(whole, sizeof whole, "%.*s", (int)(end - from), label + from);
    ms_label_fit(whole, (int)size, name, size);
}

void ms_panel_say_hidden(ms_panel *panel)
{
    const ms_spans spans = spans_of(panel);
    for (int k = panel->n - 1; k >= 0; k--) {
        const int below = hidden_below(panel, &spans, k);
        ms_curve *curve = &panel->curve[k];
        const size_t used = strlen(curve->label);
        const char *absent = curve->absent != NULL ? curve->absent : "none here",
                   *where = !ms_panel_has_points(panel, curve) ? absent
                            : is_below(panel, curve)           ? "far below"
                                                               : NULL;
        if (used > 0 && where != NULL)
            snprintf(curve->label + used, sizeof curve->label - used, " (%s)", where);
        if (below < 0 || used == 0 || where != NULL || panel->curve[below].label[0] == '\0')
            continue;
        char name[60];
        short_name(panel, below, curve->label, name, sizeof name);
        snprintf(curve->label + used, sizeof curve->label - used, " (on %s)", name);
    }
}
