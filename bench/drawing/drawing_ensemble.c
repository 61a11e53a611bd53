/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks over nine runs whose start values differ by round-off. */
#include "drawing_parts.h"

#include <gsl/gsl_sort_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NOTE_MAX = 2048 };

const char *const ms_ensemble_words[MS_ENSEMBLE] = {
    " --perturb-start -4", " --perturb-start -3", " --perturb-start -2", " --perturb-start -1", "",
    " --perturb-start 1",  " --perturb-start 2",  " --perturb-start 3",  " --perturb-start 4"};

/* Verdicts ----------------------------------------------------------------------------------------------- */

/* The values that are known, in ascending order; returns their number. */
static int sort_known(const double value[MS_ENSEMBLE], double sorted[MS_ENSEMBLE])
{
    int n = 0;
    for (int k = 0; k < MS_ENSEMBLE; k++)
        if (!isnan(value[k]))
            sorted[n++] = value[k];
    if (n > 0)
        gsl_sort(sorted, 1, (size_t)n);
    return n;
}

static bool is_within(double x, double low, double high, double tolerance)
{
    return x >= low - tolerance && x <= high + tolerance;
}

ms_verdict ms_ensemble_verdict(double published, const double value[MS_ENSEMBLE], double tolerance,
                               double *low, double *high)
{
    double v[MS_ENSEMBLE];
    const int n = sort_known(value, v);
    if (low != NULL)
        *low = n > 0 ? v[0] : NAN;
    if (high != NULL)
        *high = n > 0 ? v[n - 1] : NAN;
    if (n == 0 || !is_within(published, v[0], v[n - 1], tolerance))
        return MS_DEVIATES;
    return n == MS_ENSEMBLE && is_within(published, v[1], v[n - 2], tolerance) ? MS_REPRODUCED
                                                                               : MS_NOT_DETERMINED;
}

static int count_held(const bool holds[MS_ENSEMBLE])
{
    int n = 0;
    for (int k = 0; k < MS_ENSEMBLE; k++)
        n += holds[k];
    return n;
}

ms_verdict ms_ensemble_claim(const bool holds[MS_ENSEMBLE])
{
    const int n = count_held(holds);
    return n == MS_ENSEMBLE ? MS_REPRODUCED : n > 0 ? MS_NOT_DETERMINED : MS_DEVIATES;
}

/* Checks ------------------------------------------------------------------------------------------------- */

static json_t *range_json(double low, double high)
{
    return json_pack("[o, o]", ms_check_value(low), ms_check_value(high));
}

/* The nine values, or where a test moves them to. */
static void values_of(ms_drawing *drawing, double published, const double given[MS_ENSEMBLE],
                      double tolerance, double value[MS_ENSEMBLE])
{
    const bool moves = ms_judge_moves(drawing),
               within = ms_ensemble_verdict(published, given, tolerance, NULL, NULL) == MS_REPRODUCED;
    for (int k = 0; k < MS_ENSEMBLE; k++)
        value[k] =
            moves ? ms_judge_moved(within ? published : NAN, published - tolerance, published + tolerance)
                  : given[k];
}

/* The check, with the ensemble's result appended to the note. */
__attribute__((format(printf, 3, 4))) static void add(ms_drawing *drawing, const ms_check *check,
                                                      const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ms_drawing_add_check(drawing, check, format, arguments);
    va_end(arguments);
}

void ms_drawing_check_ensemble(ms_drawing *drawing, const char *what, double published,
                               const double given[MS_ENSEMBLE], double tolerance, const char *note, ...)
{
    double low, high, value[MS_ENSEMBLE];
    values_of(drawing, published, given, tolerance, value);
    char text[NOTE_MAX];
    va_list arguments;
    va_start(arguments, note);
    vsnprintf(text, sizeof text, note, arguments);
    va_end(arguments);
    const ms_check check = {.what = what,
                            .published = ms_check_value(published),
                            .measured = ms_check_value(value[MS_ENSEMBLE_MIDDLE]),
                            .tolerance = ms_check_value(tolerance),
                            .verdict = ms_ensemble_verdict(published, value, tolerance, &low, &high),
                            .range = range_json(low, high)};
    add(drawing, &check, "%s%s%.6g to %.6g over %d starts that differ by round-off%s.", text,
        text[0] != '\0' ? " " : "", low, high, (int)MS_ENSEMBLE,
        check.verdict == MS_NOT_DETERMINED ? ", of which a single one decides" : "");
}

void ms_drawing_check_ensemble_claim(ms_drawing *drawing, const char *what, const char *published,
                                     json_t *measured, const bool holds[MS_ENSEMBLE], const double range[2],
                                     const char *note, ...)
{
    char text[NOTE_MAX];
    va_list arguments;
    va_start(arguments, note);
    vsnprintf(text, sizeof text, note, arguments);
    va_end(arguments);
    const ms_check check = {.what = what,
                            .published = json_string(published),
                            .measured = measured,
                            .verdict = ms_ensemble_claim(holds),
                            .range = range != NULL ? range_json(range[0], range[1]) : NULL,
                            .runs_held = json_pack("[i, i]", count_held(holds), (int)MS_ENSEMBLE)};
    add(drawing, &check, "%s%sHolds in %d of %d runs whose starts differ by round-off.", text,
        text[0] != '\0' ? " " : "", count_held(holds), (int)MS_ENSEMBLE);
}
