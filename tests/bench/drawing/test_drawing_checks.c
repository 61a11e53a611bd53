/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_drawing_checks.c - what a check compares with, and the verdict that tells it. */
#include <string.h>

#include "drawing_parts.h"
#include "figure_run.h"
#include "support.h"
#include "unit_test.h"

static json_t *answer_of(const char *id, int (*draw)(ms_drawing *drawing, ms_error *error))
{
    const ms_figure figure = {.id = id, .title = "Checks", .source = "this test", .draw = draw};
    return support_figure_answer_of(&figure);
}

static void says(json_t *answer, const char *key, const char *expected)
{
    assert_string_equal(json_string_value(json_object_get(answer, key)), expected);
}

static void kind_is(const json_t *answer, size_t k, const char *kind)
{
    says(json_array_get(json_object_get(answer, "checks"), k), "kind", kind);
}

/* One of each kind; two of mixed and empty shape. */
static int draw_kinds(ms_drawing *drawing, ms_error *error)
{
    (void)error;
    ms_drawing_check_number(drawing, "a number", 1.0, 1.0, 0.0, "%s", "");
    ms_drawing_check(drawing, "numbers", json_pack("{s:[i, i]}", "steps", 1, 2), NULL, NULL, MS_REPRODUCED,
                     "%s", "");
    ms_drawing_check_claim(drawing, "a sentence", "it grows", NULL, true, "%s", "");
    ms_drawing_check(drawing, "with numbers", json_pack("[s, i]", "about", 2), NULL, NULL, MS_REPRODUCED,
                     "%s", "");
    ms_drawing_check_claim(drawing, "a caption", ms_drawing_published_text(drawing, "shows"), NULL, true,
                           "%s", "");
    ms_drawing_check(drawing, "nothing printed", NULL, NULL, NULL, MS_DEVIATES, "%s", "");
    ms_drawing_check_own(drawing, "ours", "equal", NULL, NULL, true, "%s", "");
    return MS_OK;
}

static void kinds_follow_from_what_was_published(void **state)
{
    (void)state;
    static const char *const kinds[] = {"number", "number", "sentence", "sentence", "shape", "own", "own"};
    json_t *answer = answer_of("andersson2016:fig6.9", draw_kinds);
    for (size_t k = 0; k < MS_COUNT(kinds); k++)
        kind_is(answer, k, kinds[k]);
    says(answer, "status", "reproduced");
    says(answer, "verdict", "reproduced (2 numbers, 2 sentences, 1 shape)");
    json_t *own = json_object_get(json_object_get(answer, "held_by_kind"), "own");
    assert_int_equal(json_integer_value(json_array_get(own, 0)), 1);
    assert_int_equal(json_integer_value(json_array_get(own, 1)), 2);
    json_decref(answer);
}

/* A graph whose check has letters of the DOT language: the picture has them as they are. */
static int draw_graph(ms_drawing *drawing, ms_error *error)
{
    (void)error;
    ms_drawing_graph(drawing, strdup("digraph {\n}\n"));
    ms_drawing_check_number(drawing, "\"a\"]; c [label=\"<b> & \\n", 2.0, 2.0, 0.0, "%s", "");
    ms_drawing_mark_graph(drawing);
    support_says(drawing->graph,
                 "label=\"&quot;a&quot;]; c [label=&quot;&lt;b&gt; &amp; &#92;n: published 2 (+0)\\l\"];\n}");
    return MS_OK;
}

static void a_graph_says_its_checks_letter_by_letter(void **state)
{
    (void)state;
    support_figure_run(draw_graph);
}

static int draw_own_study(ms_drawing *drawing, ms_error *error)
{
    (void)error;
    ms_drawing_check_number(drawing, "a number", 1.0, 1.0, 0.0, "%s", "");
    ms_drawing_check_number(drawing, "another", 1.0, 2.0, 0.0, "%s", "");
    return MS_OK;
}

static int draw_lost(ms_drawing *drawing, ms_error *error)
{
    ms_drawing_check(drawing, "the curve", json_integer(3), NULL, NULL, MS_NOT_DETERMINED, "%s", "");
    return draw_own_study(drawing, error);
}

static int draw_undetermined(ms_drawing *drawing, ms_error *error)
{
    (void)error;
    ms_drawing_check(drawing, "the curve", json_integer(3), NULL, NULL, MS_NOT_DETERMINED, "%s", "");
    ms_drawing_check_claim(drawing, "it falls", "falls", NULL, true, "%s", "");
    return MS_OK;
}

static int draw_nothing(ms_drawing *drawing, ms_error *error)
{
    (void)error;
    ms_drawing_check_own(drawing, "ours", "equal", NULL, NULL, false, "%s", "");
    return MS_OK;
}

static void verdict_is(const char *id, int (*draw)(ms_drawing *drawing, ms_error *error), const char *status,
                       const char *verdict)
{
    json_t *answer = answer_of(id, draw);
    says(answer, "status", status);
    says(answer, "verdict", verdict);
    json_decref(answer);
}

static void verdicts_say_what_was_compared(void **state)
{
    (void)state;
    verdict_is("macrostep:toy", draw_own_study, "expectation-missed",
               "expectation missed (1 of 2 own checks)");
    verdict_is("test:toy", draw_own_study, "deviates", "deviates (1 of 2 numbers)");
    verdict_is("test:toy", draw_lost, "deviates", "deviates (1 of 3 numbers)");
    verdict_is("test:toy", draw_undetermined, "not-determined", "not determined by the text (1 number)");
    verdict_is("test:toy", draw_nothing, "drawn", "drawn, nothing printed to compare");
}

static void answers_name_what_is_lost(void **state)
{
    (void)state;
    json_t *answer = answer_of("test:toy", draw_undetermined), *lost = json_object_get(answer, "lost");
    assert_int_equal(json_array_size(lost), 1);
    assert_string_equal(json_string_value(json_array_get(lost, 0)), "the curve");
    json_decref(answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kinds_follow_from_what_was_published),
                                       cmocka_unit_test(a_graph_says_its_checks_letter_by_letter),
                                       cmocka_unit_test(verdicts_say_what_was_compared),
                                       cmocka_unit_test(answers_name_what_is_lost)};
    return cmocka_run_group_tests_name("kinds of checks, and verdicts", tests, NULL, NULL);
}
