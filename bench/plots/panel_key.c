/* SPDX-License-Identifier: GPL-3.0-or-later */
/* panel_key.c - the key of a panel: inside where it covers no curve, else in columns below the axes. */
#include "panel_parts.h"

#include <math.h>
#include <string.h>

#include "letters.h"

static const double least_type = 7.0; /* [pt] of letters that are made smaller where a name is long */
/* letters of a line of the key besides its text, and between two of them; maximal number of lines */
enum { SAMPLE = 5, GAP = 1, FEW = 4 };

static const double pitch = 1.12; /* of its lines, in those of the picture */

/* Sizes ---------------------------------------------------------------------------------------------------- */

double ms_panel_left(const ms_drawing *drawing, int n, const ms_panel *panels)
{
    const double line = ms_drawing_line(drawing);
    double left = 4.9 * line;
    for (int k = 0; k < n; k++)
        left = fmax(left, (ms_panel_y_is_split(drawing, &panels[k]) ? 6.1 : 4.9) * line);
    for (int k = 0; k < n; k++)
        left = fmax(left,
                    panels[k].left > 0.0 ? panels[k].left + (panels[k].y != NULL ? 2.5 : 1.0) * line : 0.0);
    return fmin(left, 0.6 * ms_drawing_width(drawing));
}

static double axes_width(const ms_drawing *drawing, const ms_panel *panel)
{
    return ms_drawing_width(drawing) - ms_panel_left(drawing, 1, panel) - ms_drawing_line(drawing);
}

/* Of a text, in digits: letters of DejaVu Sans. */
static double width_of(const char *text)
{
    static const struct {
        const char *letters;
        double width;
    } classes[] = {
        {"ijlI.,:;'| ", 0.47}, {"frt-()/[]", 0.6}, {"csz_", 0.84}, {"mMW=<>+~", 1.45}, {"w", 1.29}};
    double width = 0.0;
    for (const char *c = text; *c != '\0'; c++) {
        double of = ((unsigned char)*c & 0xC0) == 0x80 ? 0.0 : *c >= 'A' && *c <= 'Z' ? 1.1 : 0.98;
        for (size_t k = 0; k < sizeof classes / sizeof *classes; k++)
            of = strchr(classes[k].letters, *c) != NULL ? classes[k].width : of;
        width += of;
    }
    return width;
}

static int side_by_side(int n, double room, double widest)
{
    return (int)fmax(1.0, fmin(n, floor(room / widest)));
}

/* Columns, which may be as high as the axes, have the width of the picture. Lines from left to right have no more entries than gnuplot
 * finds room for between the axes, by its own estimate of letters: they are for keys that are higher. room: entries side by side;
 * most: lines that have room. */
static void widen(ms_key *key, double room, double least, double most)
{
    int columns = side_by_side(key->n, room, 1.0);
    if (columns == 1 && key->n >= FEW && room / 2.0 >= least)
        columns = 2;
    const int lines = (key->n + columns - 1) / columns;
    key->downwards = columns >= key->columns && lines <= most;
    if (key->downwards)
        key->columns = columns;
}

ms_key ms_panel_key(const ms_drawing *drawing, const ms_panel *panel)
{
    const double letter = ms_panel_letter(drawing);
    double room = (ms_drawing_width(drawing) - ms_drawing_line(drawing)) / letter;
    double longest = panel->letters > 0     ? panel->letters
                     : panel->entries > 0   ? 19.0
                     : panel->below != NULL ? 6.0
                                            : 1.0,
           text = 0.9 * longest;
    int n = panel->below == NULL ? 0 : panel->entries > 0 ? panel->entries : 1;
    for (int k = 0; k < panel->n; k++)
        if (panel->curve[k].label[0] != '\0') {
            longest = fmax(longest, (double)ms_letters(panel->curve[k].label));
            text = fmax(text, width_of(panel->curve[k].label));
            n++;
        }
    const bool terminal = ms_drawing_canvas(drawing)->format == MS_CANVAS_TERMINAL;
    const double slack = terminal ? 0.0 : longest - text - GAP, widest = longest + SAMPLE - slack;
    const double points = ms_drawing_canvas(drawing)->format == MS_CANVAS_SVG
                              ? ms_drawing_points(drawing) * 72.0 / 96.0
                              : ms_drawing_points(drawing);
    const double least = fmin(1.0, least_type / points);
    ms_key key = {.n = n, .columns = side_by_side(n, axes_width(drawing, panel) / letter, widest)};
    if (!terminal)
        widen(&key, room / widest, least, 0.9 * panel->axes / (pitch * ms_drawing_line(drawing)));
    if (!terminal && !key.downwards)
        room = (axes_width(drawing, panel) + ms_drawing_line(drawing)) / letter;
    return (ms_key){n,
                    key.columns,
                    (n + key.columns - 1) / key.columns,
                    key.downwards,
                    fmax(least, fmin(1.0, room / widest / key.columns)),
                    (int)((room / fmax(least, fmin(1.0, room / widest)) + 0.3 - SAMPLE) / 0.85),
                    slack,
                    widest * letter};
}

double ms_panel_key_height(const ms_drawing *drawing, const ms_panel *panel)
{
    return panel->key == MS_KEY_BELOW
               ? (pitch * ms_panel_key(drawing, panel).lines + 0.4) * ms_drawing_line(drawing)
               : 0.0;
}

/* Places --------------------------------------------------------------------------------------------------- */

/* Places of a key inside the axes, and gnuplot's names of them. */
static const struct {
    double x, y; /* its middle, as parts of what the key leaves free */
    const char *words;
} corners[] = {{1.0, 1.0, "right top"},    {0.0, 1.0, "left top"},   {1.0, 0.0, "right bottom"},
               {0.0, 0.0, "left bottom"},  {0.5, 1.0, "center top"}, {0.5, 0.0, "center bottom"},
               {1.0, 0.5, "right center"}, {0.0, 0.5, "left center"}};

/* A box in parts of the axes. */
typedef struct box {
    double low[2], high[2];
} box;

/* Does the stretch from a to b meet the box? */
static bool meets(const box *b, const double from[2], const double to[2])
{
    double begin = 0.0, end = 1.0;
    for (int k = 0; k < 2; k++) {
        const double d = to[k] - from[k], low = b->low[k] - from[k], high = b->high[k] - from[k];
        if (d == 0.0 && (low > 0.0 || high < 0.0))
            return false;
        if (d == 0.0)
            continue;
        begin = fmax(begin, fmin(low / d, high / d));
        end = fmin(end, fmax(low / d, high / d));
    }
    return begin <= end;
}

/* Does the curve go through the box? */
static bool goes_through(const ms_panel *panel, const ms_curve *curve, double range[2][2], const box *b)
{
    const bool logarithmic[2] = {panel->log_x, panel->log_y};
    double last[2] = {NAN, NAN};
    for (size_t i = 0; i < curve->n; i++) {
        double at[2];
        for (int of = 0; of < 2; of++)
            at[of] = (ms_panel_on_axis(logarithmic[of], curve->point[i][of]) - range[of][0]) /
                     (range[of][1] - range[of][0]);
        const bool here = isfinite(at[0] + at[1]),
                   lined = curve->style != MS_CURVE_POINTS && isfinite(last[0] + last[1]);
        if (here && meets(b, lined ? last : at, at))
            return true;
        memcpy(last, at, sizeof last);
    }
    return false;
}

static bool is_free(const ms_panel *panel, double range[2][2], const box *b)
{
    for (int k = 0; k < panel->n; k++)
        if (goes_through(panel, &panel->curve[k], range, b))
            return false;
    return true;
}

/* The first place inside that has room, or -1. size: of the key and its margin, in parts of the axes. */
static int free_corner(const ms_panel *panel, const double size[2])
{
    double range[2][2];
    const bool fits = size[0] < 0.75 && size[1] < 0.65 && (panel->below == NULL || panel->along);
    if (!fits || !ms_panel_range(panel, 0, range[0]) || !ms_panel_range(panel, 1, range[1]))
        return -1;
    for (int k = 0; k < (int)(sizeof corners / sizeof *corners); k++) {
        const double x = corners[k].x * (1.0 - size[0]), y = corners[k].y * (1.0 - size[1]);
        if (is_free(panel, range, &(box){{x, y}, {x + size[0], y + size[1]}}))
            return k;
    }
    return -1;
}

void ms_panel_place_key(const ms_drawing *drawing, ms_panel *panel, double axes)
{
    const ms_canvas *canvas = ms_drawing_canvas(drawing);
    panel->axes = axes;
    const ms_key key = ms_panel_key(drawing, panel);
    const double line = ms_drawing_line(drawing), width = axes_width(drawing, panel);
    const double size[2] = {(key.width + 1.2 * line) / width, (pitch * key.n + 0.8) * line / axes};
    const int chosen = canvas->arguments->key, corner = free_corner(panel, size);
    panel->corner = corner >= 0 ? corner : 0;
    panel->key = key.n == 0 || chosen == MS_KEY_NONE    ? MS_KEY_NONE
                 : chosen != MS_KEY_AUTO                ? chosen
                 : canvas->format == MS_CANVAS_TERMINAL ? MS_KEY_BELOW
                 : corner >= 0                          ? MS_KEY_INSIDE
                                                        : MS_KEY_BELOW;
}

/* Script --------------------------------------------------------------------------------------------------- */

void ms_panel_write_key(ms_drawing *drawing, const ms_panel *panel, double from_above, double height)
{
    const ms_key key = ms_panel_key(drawing, panel);
    if (panel->key == MS_KEY_NONE) {
        ms_drawing_script(drawing, "unset key\n");
        return;
    }
    if (panel->key == MS_KEY_INSIDE)
        ms_drawing_script(
            drawing, "unset key\nset key inside %s vertical maxrows %d Left reverse samplen 2.2 width %.2f",
            corners[panel->corner].words, key.n, -key.slack);
    else
        ms_drawing_script(
            drawing,
            "unset key\nset key at screen 0.5,%.6f center top %s %d Left reverse samplen 2.2 width %.2f",
            1.0 - (from_above + 0.2 * ms_drawing_line(drawing)) / height,
            key.downwards ? "vertical maxrows" : "horizontal maxcols",
            key.downwards ? key.lines : key.columns, -key.slack);
    const double scale = panel->key == MS_KEY_INSIDE && key.columns > 1 ? 1.0 : key.scale;
    ms_drawing_script(drawing, " spacing 1.15 font ',%.3g'\n", scale * ms_drawing_points(drawing));
}
