/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drawing_checks.c - checks, what they compare with, and the verdict that follows from them. */
#include "drawing_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json.h"

enum { TEXT_MAX = 2048 };

const char *ms_verdict_name(ms_verdict verdict)
{
    static const char *const names[] = {"drawn", "reproduced", "not-determined", "expectation-missed",
                                        "deviates"};
    return names[verdict];
}

/* Kinds -------------------------------------------------------------------------------------------------- */

static const char *const kinds[MS_CHECK_KINDS][2] = {
    {"number", "numbers"}, {"sentence", "sentences"}, {"shape", "shapes"}, {"own", "own checks"}};

/* Is there no text in it? */
static bool is_numbers(const json_t *value)
{
    size_t k;
    const char *key;
    json_t *inner;
    if (json_is_array(value) || json_is_object(value)) {
        json_array_foreach (value, k, inner)
            if (!is_numbers(inner))
                return false;
        json_object_foreach ((json_t *)value, key, inner)
            if (!is_numbers(inner))
                return false;
        return true;
    }
    return json_is_number(value);
}

/* The published entry has the statement of a caption as "shows". */
static bool is_shown(const ms_drawing *drawing, const json_t *published)
{
    return json_is_string(published) && json_equal(published, json_object_get(drawing->published, "shows"));
}

static ms_check_kind kind_of(const ms_drawing *drawing, const ms_check *check)
{
    if (check->own || ms_figure_is_own(drawing->figure) || check->published == NULL ||
        json_is_null(check->published))
        return MS_KIND_OWN;
    if (is_shown(drawing, check->published))
        return MS_KIND_SHAPE;
    return is_numbers(check->published) ? MS_KIND_NUMBER : MS_KIND_SENTENCE;
}

static bool decides(const ms_drawing *drawing, ms_check_kind kind)
{
    return kind != MS_KIND_OWN || ms_figure_is_own(drawing->figure);
}

/* Verdict ------------------------------------------------------------------------------------------------ */

static int count_of(const ms_drawing *drawing, int kind)
{
    int n = 0;
    for (int verdict = 0; verdict < MS_VERDICTS; verdict++)
        n += drawing->kinds[kind][verdict];
    return n;
}

json_t *ms_drawing_held_by_kind(const ms_drawing *drawing)
{
    json_t *held = json_object();
    for (int kind = 0; kind < MS_CHECK_KINDS; kind++)
        ms_json_set(&held, kinds[kind][0],
                    json_pack("[i, i]", drawing->kinds[kind][MS_REPRODUCED], count_of(drawing, kind)));
    return held;
}

json_t *ms_drawing_lost(const ms_drawing *drawing)
{
    json_t *lost = json_array(), *check;
    size_t k;
    json_array_foreach (drawing->checks, k, check) {
        const char *verdict = json_string_value(json_object_get(check, "verdict"));
        if (strcmp(verdict, ms_verdict_name(MS_NOT_DETERMINED)) == 0)
            ms_json_append(&lost, json_incref(json_object_get(check, "what")));
    }
    return lost;
}

/* "5 numbers", or "2 of 5 numbers" where not all of them have the figure's verdict. */
static void write_count(const ms_drawing *drawing, int kind, const char *before, FILE *file)
{
    const int n = drawing->kinds[kind][drawing->verdict], of = count_of(drawing, kind);
    fprintf(file, "%s%d ", before, n);
    if (n < of)
        fprintf(file, "of %d ", of);
    fputs(kinds[kind][of > 1], file);
    if (kind == MS_KIND_OWN && of == 1)
        fputs(" check", file);
}

json_t *ms_drawing_verdict(const ms_drawing *drawing)
{
    static const char *const words[] = {"drawn, nothing printed to compare", "reproduced",
                                        "not determined by the text", "expectation missed", "deviates"};
    char text[TEXT_MAX] = "";
    FILE *file = fmemopen(text, sizeof text, "w");
    if (file == NULL)
        return NULL;
    int written = 0;
    fputs(words[drawing->verdict], file);
    for (int kind = 0; kind < MS_CHECK_KINDS; kind++)
        if (decides(drawing, (ms_check_kind)kind) && drawing->kinds[kind][drawing->verdict] > 0)
            write_count(drawing, kind, written++ > 0 ? ", " : " (", file);
    fputs(written > 0 ? ")" : "", file);
    fclose(file);
    return ms_json_text(text);
}

/* Checks ------------------------------------------------------------------------------------------------- */

void ms_drawing_add_check(ms_drawing *drawing, const ms_check *check, const char *note, va_list arguments)
{
    char text[TEXT_MAX];
    const ms_check_kind kind = kind_of(drawing, check);
    const bool own = kind == MS_KIND_OWN;
    const ms_verdict verdict = own && check->verdict == MS_DEVIATES ? MS_EXPECTATION_MISSED : check->verdict;
    vsnprintf(text, sizeof text, note, arguments);
    json_t *written =
        ms_json_object("what:s kind:s published:o? measured:o? tolerance:o? verdict:s note:s own:b "
                       "range:o* runs_held:o*",
                       check->what, kinds[kind][0], check->published, check->measured, check->tolerance,
                       ms_verdict_name(verdict), text, own, check->range, check->runs_held);
    ms_drawing_append(drawing, drawing->checks, written);
    drawing->checks_held += verdict == MS_REPRODUCED;
    drawing->kinds[kind][verdict]++;
    if (decides(drawing, kind) && verdict > drawing->verdict)
        drawing->verdict = verdict;
}

/* In a function of `drawing, what, .., note, ..`: adds the check with these members. */
#define ADD_CHECK(...)                                                                                       \
    va_list arguments;                                                                                       \
    va_start(arguments, note);                                                                               \
    ms_drawing_add_check(drawing, &(const ms_check){.what = what, __VA_ARGS__}, note, arguments);            \
    va_end(arguments)

void ms_drawing_check(ms_drawing *drawing, const char *what, json_t *published, json_t *measured,
                      json_t *tolerance, ms_verdict verdict, const char *note, ...)
{
    ADD_CHECK(.published = published, .measured = measured, .tolerance = tolerance, .verdict = verdict);
}

json_t *ms_check_value(double value)
{
    return isfinite(value) && fabs(value) < 1e15 && value == floor(value) ? json_integer((json_int_t)value)
                                                                          : ms_json_real(value);
}

void ms_drawing_check_number(ms_drawing *drawing, const char *what, double published, double measured,
                             double tolerance, const char *note, ...)
{
    const bool holds = ms_judge_within(drawing, measured - published, -tolerance, tolerance);
    ADD_CHECK(.published = ms_check_value(published), .measured = ms_check_value(measured),
              .tolerance = ms_check_value(tolerance), .verdict = holds ? MS_REPRODUCED : MS_DEVIATES);
}

void ms_drawing_check_claim(ms_drawing *drawing, const char *what, const char *published, json_t *measured,
                            bool holds, const char *note, ...)
{
    ADD_CHECK(.published = ms_json_text(published), .measured = measured,
              .verdict = holds ? MS_REPRODUCED : MS_DEVIATES);
}

void ms_drawing_check_own(ms_drawing *drawing, const char *what, const char *expected, json_t *measured,
                          json_t *tolerance, bool holds, const char *note, ...)
{
    ADD_CHECK(.published = ms_json_text(expected), .measured = measured, .tolerance = tolerance,
              .verdict = holds ? MS_REPRODUCED : MS_EXPECTATION_MISSED, .own = true);
}
