/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_drawing_ensemble.c - verdicts over nine runs whose starts differ by round-off, start values times 1 + k eps, and expectations of our
 * own: what decides a figure's status, and how many checks hold. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figure_run.h"
#include "page.h"
#include "report.h"
#include "study.h"
#include "support.h"
#include "unit_test.h"

/* Verdicts ------------------------------------------------------------------------------------------------- */

/* Values 1 to 9 in no order, but for the least and the largest. */
static void nine(double least, double largest, double value[MS_ENSEMBLE])
{
    static const double order[MS_ENSEMBLE] = {5, 9, 2, 7, 4, 1, 8, 3, 6};
    for (int k = 0; k < MS_ENSEMBLE; k++)
        value[k] = order[k] == 1 ? least : order[k] == 9 ? largest : order[k];
}

static void verdict_is(double published, double least, double largest, double tolerance, ms_verdict expected)
{
    double value[MS_ENSEMBLE], low = NAN, high = NAN;
    nine(least, largest, value);
    const ms_verdict verdict = ms_ensemble_verdict(published, value, tolerance, &low, &high);
    if (verdict != expected)
        fail_msg("%g in [%g, %g] within %g is %s", published, least, largest, tolerance,
                 ms_verdict_name(verdict));
    support_near(low, least, 0.0);
    support_near(high, largest, 0.0);
    assert_int_equal(ms_ensemble_verdict(published, value, tolerance, NULL, NULL), expected);
}

static void range_widened_by_the_tolerance(void **state)
{
    (void)state;
    verdict_is(4.5, 1.0, 9.0, 0.0, MS_REPRODUCED);
    verdict_is(2.0, 1.0, 9.0, 0.0, MS_REPRODUCED); /* the ends of the inner seven */
    verdict_is(8.0, 1.0, 9.0, 0.0, MS_REPRODUCED);
    verdict_is(1.5, 1.0, 9.0, 0.5, MS_REPRODUCED);
    verdict_is(8.5, 1.0, 9.0, 0.5, MS_REPRODUCED);
    verdict_is(1.4, 1.0, 9.0, 0.5, MS_NOT_DETERMINED); /* the least value alone */
    verdict_is(8.6, 1.0, 9.0, 0.5, MS_NOT_DETERMINED); /* the largest alone */
    verdict_is(-99.0, -100.0, 9.0, 0.5, MS_NOT_DETERMINED);
    verdict_is(0.5, 1.0, 9.0, 0.5, MS_NOT_DETERMINED);
    verdict_is(0.25, 1.0, 9.0, 0.5, MS_DEVIATES);
    verdict_is(9.75, 1.0, 9.0, 0.5, MS_DEVIATES);
}

static void runs_without_a_value(void **state)
{
    (void)state;
    double value[MS_ENSEMBLE], low, high;
    nine(1.0, NAN, value);
    assert_int_equal(ms_ensemble_verdict(4.0, value, 0.0, &low, &high), MS_NOT_DETERMINED);
    support_near(low, 1.0, 0.0);
    support_near(high, 8.0, 0.0);
    assert_int_equal(ms_ensemble_verdict(8.5, value, 0.0, NULL, NULL), MS_DEVIATES);
    for (int k = 0; k < MS_ENSEMBLE; k++)
        value[k] = NAN;
    assert_int_equal(ms_ensemble_verdict(4.0, value, 1e9, &low, &high), MS_DEVIATES);
    assert_true(isnan(low) && isnan(high));
}

static void claims_hold_in_all_some_or_no_runs(void **state)
{
    (void)state;
    for (int n = 0; n <= MS_ENSEMBLE; n++) {
        bool holds[MS_ENSEMBLE];
        for (int k = 0; k < MS_ENSEMBLE; k++)
            holds[k] = k < n;
        assert_int_equal(ms_ensemble_claim(holds), n == 0             ? MS_DEVIATES
                                                   : n == MS_ENSEMBLE ? MS_REPRODUCED
                                                                      : MS_NOT_DETERMINED);
    }
}

/* Checks --------------------------------------------------------------------------------------------------- */

static int draw_checks(ms_drawing *drawing, ms_error *error)
{
    double value[MS_ENSEMBLE];
    bool holds[MS_ENSEMBLE] = {true, true, true};
    (void)error;
    nine(1.0, 9.0, value);
    ms_drawing_check_ensemble(drawing, "inside", 5.0, value, 0.5, "%d runs.", 9);
    ms_drawing_check_ensemble(drawing, "at an end", 9.0, value, 0.5, "%s", "");
    ms_drawing_check_ensemble_claim(drawing, "in three", "yes", json_integer(3), holds, (double[]){1.0, 2.5},
                                    "Some.");
    ms_drawing_check_own(drawing, "ours", "equal", json_integer(1), NULL, true, "%s", "Own.");
    ms_drawing_check_own(drawing, "ours, missed", "equal", json_integer(2), NULL, false, "%s", "Own.");
    return MS_OK;
}

static int draw_missed(ms_drawing *drawing, ms_error *error)
{
    (void)error;
    ms_drawing_check_number(drawing, "one", 1.0, 1.0, 0.1, "%s", "");
    ms_drawing_check_number(drawing, "two", 2.0, 3.0, 0.1, "%s", "");
    ms_drawing_check(drawing, "open", NULL, NULL, NULL, MS_NOT_DETERMINED, "%s", "");
    return MS_OK;
}

static int draw_own_alone(ms_drawing *drawing, ms_error *error)
{
    (void)error;
    ms_drawing_check_own(drawing, "ours", "equal", json_integer(1), NULL, true, "%s", "");
    return MS_OK;
}

/* The answer of a figure of that ID with those checks. */
static json_t *answer_of(const char *id, int (*draw)(ms_drawing *drawing, ms_error *error))
{
    const ms_figure figure = {.id = id, .title = "Checks", .source = "this test", .draw = draw};
    return support_figure_answer_of(&figure);
}

static const json_t *check_of(const json_t *answer, size_t k)
{
    return json_array_get(json_object_get(answer, "checks"), k);
}

static void text_is(const json_t *object, const char *key, const char *expected)
{
    assert_string_equal(json_string_value(json_object_get(object, key)), expected);
}

static void pair_is(const json_t *object, const char *key, double one, double other)
{
    const json_t *pair = json_object_get(object, key);
    assert_int_equal(json_array_size(pair), 2);
    support_near(json_number_value(json_array_get(pair, 0)), one, 0.0);
    support_near(json_number_value(json_array_get(pair, 1)), other, 0.0);
}

static void answers_tell_the_range(void **state)
{
    (void)state;
    json_t *answer = answer_of("test:toy", draw_checks);
    text_is(check_of(answer, 0), "verdict", "reproduced");
    text_is(check_of(answer, 0), "note", "9 runs. 1 to 9 over 9 starts that differ by round-off.");
    pair_is(check_of(answer, 0), "range", 1.0, 9.0);
    support_near(json_number_value(json_object_get(check_of(answer, 0), "measured")), 4.0, 0.0);
    text_is(check_of(answer, 1), "verdict", "not-determined");
    assert_non_null(
        strstr(json_string_value(json_object_get(check_of(answer, 1), "note")), "a single one decides"));
    text_is(check_of(answer, 2), "verdict", "not-determined");
    pair_is(check_of(answer, 2), "range", 1.0, 2.5);
    pair_is(check_of(answer, 2), "runs_held", 3.0, 9.0);
    json_decref(answer);
}

/* In a figure of a paper they are written down, and do not decide. */
static void own_checks_decide_no_paper(void **state)
{
    (void)state;
    json_t *answer = answer_of("test:toy", draw_checks);
    text_is(answer, "status", "not-determined");
    text_is(check_of(answer, 3), "verdict", "reproduced");
    text_is(check_of(answer, 4), "verdict", "expectation-missed");
    assert_true(json_is_true(json_object_get(check_of(answer, 4), "own")));
    assert_true(json_is_false(json_object_get(check_of(answer, 0), "own")));
    pair_is(answer, "checks_held", 2.0, 5.0);
    json_decref(answer);
    json_t *alone = answer_of("test:toy", draw_own_alone); /* nothing was compared with the paper */
    text_is(alone, "status", "drawn");
    json_decref(alone);
}

static void own_studies_miss_expectations(void **state)
{
    (void)state;
    json_t *ours = answer_of("macrostep:toy", draw_missed), *paper = answer_of("test:toy", draw_missed),
           *alone = answer_of("macrostep:toy", draw_own_alone);
    text_is(ours, "status", "expectation-missed");
    text_is(check_of(ours, 1), "verdict", "expectation-missed");
    assert_true(json_is_true(json_object_get(check_of(ours, 0), "own")));
    pair_is(ours, "checks_held", 1.0, 3.0);
    text_is(paper, "status", "deviates");
    text_is(check_of(paper, 1), "verdict", "deviates");
    text_is(alone, "status", "reproduced");
    json_decref(ours);
    json_decref(paper);
    json_decref(alone);
}

/* No own study deviates; every answer counts its checks. Two cheap ones stand for all. */
static void figures_count_their_checks(void **state)
{
    (void)state;
    static const char *const ids[] = {"macrostep:initialisation", "macrostep:linearisation",
                                      "andersson2016:table9.4"};
    for (int k = 0; k < MS_COUNT(ids); k++) {
        json_t *answer = support_figure_answer(ids[k]), *check;
        size_t j;
        double held = 0.0;
        json_array_foreach (json_object_get(answer, "checks"), j, check) {
            const char *verdict = json_string_value(json_object_get(check, "verdict"));
            held += strcmp(verdict, "reproduced") == 0;
            assert_true(strncmp(ids[k], "macrostep:", 10) != 0 || strcmp(verdict, "deviates") != 0);
        }
        pair_is(answer, "checks_held", held, (double)j);
        json_decref(answer);
    }
}

/* Reports -------------------------------------------------------------------------------------------------- */

static char *report_text(const char *name, const ms_report *report)
{
    char *text = NULL;
    size_t size;
    json_t *page = ms_report_page(report);
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    assert_non_null(page);
    ms_page_write(name, page, file);
    fclose(file);
    json_decref(page);
    return text;
}

static void contains(const char *text, const char *what)
{
    support_says(text, what);
}

static void reports_say_how_many_hold(void **state)
{
    (void)state;
    const ms_figure ours = {.id = "macrostep:toy", .title = "Ours", .source = "this test"},
                    paper = {.id = "test:toy", .title = "Theirs", .source = "a paper"};
    ms_report_entry entries[] = {
        {.figure = &ours, .name = "ours", .answer = answer_of("macrostep:toy", draw_missed)},
        {.figure = &paper, .name = "paper", .answer = answer_of("test:toy", draw_checks)}};
    ms_report report = {.entries = entries, .n = 2};
    report.counts[MS_EXPECTATION_MISSED] = 1;
    char *html = report_text("report.html", &report), *markdown = report_text("report.md", &report);
    contains(html, "<span class=\"badge expectation-missed\">expectation missed</span>");
    contains(html, "1 of 3 checks hold");
    contains(html, "2 of 5 checks hold");
    contains(html, "own, does not count");
    contains(html, ".expectation-missed {");
    contains(html, "1 studies of our own that miss an expectation");
    contains(markdown, "**expectation-missed**, 1 of 3 checks hold");
    contains(markdown, "own, does not count: expectation-missed");
    assert_null(strstr(html, ">deviates<"));
    assert_null(strstr(markdown, "deviates"));
    for (int k = 0; k < MS_COUNT(entries); k++)
        json_decref(entries[k].answer);
    free(html);
    free(markdown);
}

/* Start values --------------------------------------------------------------------------------------------- */

static void start_values_are_perturbed(void **state)
{
    (void)state;
    ms_system *system = support_system("mass-spring-damper", "x1=3"),
              *rests = support_system("quarter-car", "");
    double x[16] = {0.0}, perturbed[16] = {0.0};
    ms_system_start(system, x);
    for (int k = -4; k <= 4; k++) {
        system->start_eps = k;
        ms_system_start(system, perturbed);
        for (int j = 0; j < system->nx; j++)
            support_near(perturbed[j], x[j] * (1.0 + k * DBL_EPSILON), 0.0);
        assert_true(k == 0 || perturbed[0] != x[0]);
    }
    ms_system *permuted = support_permuted(system, (int[]){1, 0});
    ms_system_start(permuted, perturbed);
    support_near(perturbed[system->sub[1].nx], 3.0 * (1.0 + 4.0 * DBL_EPSILON), 0.0);
    rests->start_eps = -3; /* where all are zero */
    ms_system_start(rests, x);
    for (int j = 0; j < rests->nx; j++)
        support_near(x[j], -3.0 * DBL_EPSILON, 0.0);
    ms_system_destroy(&permuted);
    ms_system_destroy(&system);
    ms_system_destroy(&rests);
}

/* The words of an ensemble's run are those of the option, and are listed. */
static int draw_words(ms_drawing *drawing, ms_error *error)
{
    for (int k = 0; k < MS_ENSEMBLE; k++) {
        ms_study study;
        assert_int_equal(ms_study_bind(drawing, &study, error, "drive mass-spring-damper --subsystem right%s",
                                       ms_ensemble_words[k]),
                         MS_OK);
        assert_int_equal(study.system->start_eps, k - MS_ENSEMBLE_MIDDLE);
        ms_study_destroy(&study);
    }
    return MS_OK;
}

static void commands_repeat_each_run(void **state)
{
    (void)state;
    json_t *answer = answer_of("test:toy", draw_words);
    const json_t *commands = json_object_get(answer, "commands");
    assert_int_equal(json_array_size(commands), MS_ENSEMBLE);
    assert_string_equal(json_string_value(json_array_get(commands, 0)),
                        "macrostep drive mass-spring-damper --subsystem right --perturb-start -4");
    assert_string_equal(json_string_value(json_array_get(commands, MS_ENSEMBLE_MIDDLE)),
                        "macrostep drive mass-spring-damper --subsystem right");
    json_decref(answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(range_widened_by_the_tolerance),     cmocka_unit_test(runs_without_a_value),
        cmocka_unit_test(claims_hold_in_all_some_or_no_runs), cmocka_unit_test(answers_tell_the_range),
        cmocka_unit_test(own_checks_decide_no_paper),         cmocka_unit_test(own_studies_miss_expectations),
        cmocka_unit_test(figures_count_their_checks),         cmocka_unit_test(reports_say_how_many_hold),
        cmocka_unit_test(start_values_are_perturbed),         cmocka_unit_test(commands_repeat_each_run),
    };
    return cmocka_run_group_tests_name("ensembles and own expectations", tests, NULL, NULL);
}
