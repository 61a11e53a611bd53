/* SPDX-License-Identifier: GPL-3.0-or-later */
/* curve_json.c - curves and tics from an answer. */

#include "answer_read.h"
#include "plot_parts.h"

void ms_curve_rows(ms_drawing *drawing, ms_curve *curve, const json_t *rows, const char *x, const char *y)
{
    for (size_t k = 0; k < json_array_size(rows); k++) {
        const json_t *row = json_array_get(rows, k);
        ms_curve_point(drawing, curve, ms_answer_number(row, x), ms_answer_number(row, y));
    }
}

void ms_curve_pairs(ms_drawing *drawing, ms_curve *curve, const json_t *pairs)
{
    for (size_t k = 0; k < json_array_size(pairs); k++) {
        const json_t *pair = json_array_get(pairs, k);
        ms_curve_point(drawing, curve, json_number_value(json_array_get(pair, 0)),
                       json_number_value(json_array_get(pair, 1)));
    }
}

const char *ms_tics(ms_drawing *drawing, const json_t *names, bool down)
{
    const size_t n = json_array_size(names);
    const char *tics = "";
    for (size_t k = 0; k < n; k++)
        tics = ms_drawing_text(drawing, "%s%s%s %zu", tics, k > 0 ? ", " : "",
                               ms_drawing_quoted(drawing, ms_answer_word(json_array_get(names, k))),
                               down ? n - k : k + 1);
    return tics;
}

const char *ms_name_tics(ms_drawing *drawing, const json_t *names)
{
    return ms_drawing_text(drawing, "set ytics noenhanced (%s)\n", ms_tics(drawing, names, true));
}
