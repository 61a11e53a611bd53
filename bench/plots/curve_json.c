/* SPDX-License-Identifier: GPL-3.0-or-later */
/* curve_json.c - curves, tics and axes from an answer. */

#include <math.h>
#include <stdio.h>
#include <string.h>

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

void ms_axis_label(ms_drawing *drawing, bool of_test_equation, const char *name, const char *unit,
                   const char *summary, char *label, size_t size)
{
    static const char *const known[] = {
        "step-size", "macro-step H / s", "re-lambda", "Re λ", "im-lambda", "Im λ", "re", "Re Hλ", "im",
        "Im Hλ"};
    const size_t n = sizeof known / sizeof known[0] - (of_test_equation ? 0 : 4);
    for (size_t k = 0; k < n; k += 2)
        if (strcmp(name, known[k]) == 0) {
            snprintf(label, size, "%s", known[k + 1]);
            return;
        }
    const size_t formula = strcspn(summary, "/(*^");
    if (strpbrk(summary, ",:;") == NULL && summary[formula] != '\0' &&
        memchr(summary, ' ', formula) == NULL) {
        snprintf(label, size, "%s\t%s", name, ms_with_unit(drawing, summary, unit));
        for (char *c = strchr(label, '_'); c != NULL && c < strchr(label, '\t'); c = strchr(c, '_'))
            *c = ' ';
        return;
    }
    const int words = (int)strcspn(summary, ",:;(");
    if (words > 2)
        snprintf(label, size, "%.*s\t", words, summary);
    const size_t used = words > 2 ? strlen(label) : 0;
    snprintf(label + used, size - used, "%s", ms_with_unit(drawing, name, unit));
}

bool ms_is_logarithmic(const json_t *values)
{
    const size_t n = json_array_size(values);
    if (n < 3)
        return false;
    const double a = json_number_value(json_array_get(values, 0)),
                 b = json_number_value(json_array_get(values, 1)),
                 c = json_number_value(json_array_get(values, n - 2)),
                 d = json_number_value(json_array_get(values, n - 1));
    return a > 0.0 && d > 0.0 && fabs(b / a - d / c) < 1e-6 * fabs(b / a) &&
           fabs((b - a) - (d - c)) > 1e-3 * fabs(b - a);
}
