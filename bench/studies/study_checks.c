/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study_checks.h"

#include <stdarg.h>
#include <stdio.h>

enum { NOTE_MAX = 2048 };

json_t *ms_reals_json(int n, const ms_named_real *values)
{
    json_t *object = json_object();
    for (int k = 0; k < n; k++)
        json_object_set_new(object, values[k].name, ms_json_real(values[k].value));
    return object;
}

json_t *ms_counts_json(int n, const ms_named_count *values)
{
    json_t *object = json_object();
    for (int k = 0; k < n; k++)
        json_object_set_new(object, values[k].name, json_integer(values[k].value));
    return object;
}

double ms_largest_difference(size_t n, const double *a, const double *b)
{
    double largest = 0.0;
    for (size_t k = 0; k < n; k++)
        largest = fmax(largest, fabs(a[k] - b[k]));
    return largest;
}

void ms_extremes(long n, const double *values, double *low, double *high)
{
    *low = *high = values[0];
    for (long k = 1; k < n; k++)
        ms_widen(low, high, values[k]);
}

ms_verdict ms_verdict_of(bool holds)
{
    return holds ? MS_REPRODUCED : MS_DEVIATES;
}

/* The note as a text, in the buffer of that name. */
#define WRITE_NOTE(text, note)                                                                               \
    char text[NOTE_MAX];                                                                                     \
    va_list arguments;                                                                                       \
    va_start(arguments, note);                                                                               \
    vsnprintf(text, sizeof(text), note, arguments);                                                          \
    va_end(arguments)

void ms_study_number(ms_drawing *drawing, const char *what, const char *key, double measured,
                     double tolerance, const char *note, ...)
{
    WRITE_NOTE(text, note);
    ms_drawing_check_number(drawing, what, ms_drawing_published_number(drawing, key), measured, tolerance,
                            "%s", text);
}

void ms_study_claim(ms_drawing *drawing, const char *what, const char *key, json_t *measured, bool holds,
                    const char *note, ...)
{
    WRITE_NOTE(text, note);
    ms_drawing_check_claim(drawing, what, ms_drawing_published_text(drawing, key), measured, holds, "%s",
                           text);
}

void ms_study_undetermined(ms_drawing *drawing, const char *what, const char *key, json_t *measured,
                           const char *note, ...)
{
    WRITE_NOTE(text, note);
    ms_drawing_check(drawing, what, json_string(ms_drawing_published_text(drawing, key)), measured, NULL,
                     MS_NOT_DETERMINED, "%s", text);
}
