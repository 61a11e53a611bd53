/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_report.c - the pages of the report: what they show of a figure, and what they do not let through. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "figure_draw.h"
#include "figure_registry.h"
#include "folder.h"
#include "page.h"
#include "report.h"
#include "report_parts.h"
#include "support.h"
#include "unit_test.h"

enum { PATH_LENGTH = 512 };

static char folder[PATH_LENGTH];

/* A figure ----------------------------------------------------------------------------------------------- */

static int draw_toy(ms_drawing *drawing, ms_error *error)
{
    (void)error;
    ms_data *data = ms_drawing_data(drawing, "sine", "time,sine");
    for (int n = 0; n <= 10; n++)
        MS_ROW(data, 0.1 * n, sin(0.1 * n));
    ms_drawing_script(drawing, "set xlabel 'time t_{n} / s'\nset ylabel 'sine'\n"
                               "plot part('sine') using 'time':'sine' with lines title 'sine'\n");
    ms_drawing_check_number(drawing, "a half", 0.5, 0.52, 0.05, "within %g", 0.05);
    ms_drawing_check_number(drawing, "one", 1.0, 1.2, 0.1, "outside");
    ms_drawing_remark(drawing, "A remark with <signs> & \"quotes\".");
    ms_drawing_note_command(drawing, "macrostep run quarter-car --step-size 0.01");
    ms_drawing_note_command(drawing, "macrostep run spring-mass --scheme balance,power");
    ms_drawing_note_command(drawing, "macrostep integrate no-such-model");
    return MS_OK;
}

static const ms_figure toy = {.id = "test:toy", .title = "A toy", .source = "this test", .draw = draw_toy};

static int make_folder(void **state)
{
    (void)state;
    json_t *answer = NULL;
    support_temporary(folder, sizeof folder);
    if (mkdtemp(folder) == NULL)
        return 1;
    char figures[MS_FIGURES_PATH];
    int status = ms_figures_folder(folder, figures, NULL);
    if (status == MS_OK)
        status = ms_figure_draw(&toy, figures, NULL, NULL, &answer, NULL);
    json_decref(answer);
    return status;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"figures/test-toy.svg",
                                        "figures/test-toy.pdf",
                                        "figures/test-toy.png",
                                        "figures/test-toy.gp",
                                        "figures/test-toy.json",
                                        "figures/test-toy-sine.csv",
                                        "report.html",
                                        "report.md",
                                        "field.html",
                                        "errata.html",
                                        "ledger.html",
                                        "explorer.html",
                                        "foreign.html",
                                        "foreign.json",
                                        "figures"};
    char path[2 * PATH_LENGTH];
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[k]);
        remove(path);
    }
    return rmdir(folder);
}

static void assert_contains(const char *name, const char *what)
{
    char path[2 * PATH_LENGTH];
    size_t size;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *text = support_read_file(path, &size);
    if (strstr(text, what) == NULL)
        fail_msg("%s does not contain '%s'", name, what);
    free(text);
}

/* Pages -------------------------------------------------------------------------------------------------- */

static void test_report(void **state)
{
    (void)state;
    ms_error error = {0};
    if (ms_report_write(folder, NULL, NULL, false, NULL, &error) != MS_OK)
        fail_msg("%s", error.text);
    assert_contains("report.html", "viewport");
    assert_contains("report.html", "macrostep figure andersson2016:table9.4");
    assert_contains("report.html", "class=\"badge missing\"");
    assert_contains("report.html", "href=\"errata.html\"");
    assert_contains("report.md", "macrostep figure andersson2016:table9.4");
    assert_contains("field.html", "macrostep figure macrostep:field");
    assert_contains("field.html", "<code>--linear-correction</code>"); /* of the table in README.md */
    assert_contains("errata.html", "(6.30)");
    assert_contains("explorer.html", "<title>Stability explorer</title>");
    assert_contains("report.html", "href=\"https://doi.org/10.1007/s00366-021-01558-6\"");
    assert_int_equal(ms_report_write("/dev/null", NULL, NULL, false, NULL, &error), MS_IO);
}

/* Texts of strangers are text, and an answer that is none has no page. */
static void models_of_strangers_have_a_page(void **state)
{
    static const char answer[] = "{\"tolerance\": 0.01, \"totals\": [{\"folder\": \"all\", \"items\": 1}], "
                                 "\"rows\": [{\"file\": \"a<b>.fmu\", "
                                 "\"outcome\": \"died\", \"why\": \"signal 11\", \"probe\": {}}]}";
    char path[2 * PATH_LENGTH];
    ms_error error = {0};
    (void)state;
    snprintf(path, sizeof path, "%s/foreign.json", folder);
    support_write_file(path, "[1, ");
    assert_int_equal(ms_report_write(folder, NULL, NULL, false, NULL, &error), MS_OK);
    snprintf(path, sizeof path, "%s/foreign.html", folder);
    assert_int_not_equal(access(path, F_OK), 0);
    snprintf(path, sizeof path, "%s/foreign.json", folder);
    support_write_file(path, answer);
    assert_int_equal(ms_report_write(folder, NULL, NULL, false, NULL, &error), MS_OK);
    assert_contains("report.html", "href=\"foreign.html\"");
    assert_contains("foreign.html", "a&lt;b&gt;.fmu");
    assert_contains("foreign.html", "signal 11");
    assert_contains("foreign.html", "<caption>By folder");
}

/* The toy as the report reads it. */
static void read_toy(bool embed, ms_report_entry *entry)
{
    *entry = (ms_report_entry){.figure = &toy};
    assert_int_equal(ms_report_entry_read(folder, embed, entry, NULL), MS_OK);
    assert_non_null(entry->answer);
}

static char *page_of(const ms_report *report, const char *name)
{
    char *text = NULL;
    size_t size;
    json_t *page = ms_report_page(report);
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    assert_non_null(page);
    ms_page_write(name, page, file);
    assert_int_equal(fclose(file), 0);
    json_decref(page);
    return text;
}

static void assert_in(const char *text, const char *what, bool expected)
{
    if ((strstr(text, what) != NULL) != expected)
        fail_msg("'%s' is %s", what, expected ? "missing" : "there");
}

/* The picture of the toy stands beside the report, and what it says is escaped. */
static void test_report_entry(void **state)
{
    (void)state;
    ms_report_entry entry;
    read_toy(false, &entry);
    assert_string_equal(entry.models, "quarter-car spring-mass");
    assert_string_equal(entry.schemes, "jacobi balance power");
    assert_int_equal(entry.width, 643); /* 17 cm of 96 points an inch, in the proportion 760 : 460 */
    assert_int_equal(entry.height, 389);
    assert_null(entry.svg);
    const ms_report report = {.entries = &entry, .n = 1, .counts = {0, 0, 1}, .held = 1, .checks = 2};
    char *html = page_of(&report, "report.html"), *markdown = page_of(&report, "report.md");
    assert_in(html,
              "src=\"figures/test-toy.svg\" width=\"643\" height=\"389\" alt=\"A toy: plot of sine over time "
              "tn / s.\"",
              true);
    assert_in(html, "loading=\"lazy\"", true);
    assert_in(html, "&lt;signs&gt; &amp; &quot;quotes&quot;", true);
    assert_in(html, "Checks held: 1 of 2", true);
    assert_in(html, "1 of 2 of kind ", true); /* the summary of its paper */
    assert_in(html, "<a href=\"#test-toy\">toy</a> deviates: one", true);
    assert_in(markdown, "toy deviates: one", true);
    assert_in(markdown, "Checks that hold: 1 of 2 of kind ", true);
    assert_in(markdown, "; \n", false); /* no list has a loose end */
    assert_in(html, "<a href=\"figures/test-toy-sine.csv\">", true);
    assert_in(html, "<svg", false);
    assert_in(html, "http:", false); /* nothing comes from elsewhere */
    assert_in(markdown, "figures/test-toy.svg", true);
    assert_in(markdown, "\\<signs>", true);
    free(html);
    free(markdown);
    ms_report_entry_clear(&entry);
}

/* What each family's best member has cost stands model by model, with the picture, the remarks and the command. */
static void test_field(void **state)
{
    static const ms_figure field = {.id = "macrostep:field", .title = "The field"};
    (void)state;
    ms_report_entry entry;
    read_toy(false, &entry);
    entry.figure = &field;
    json_object_set_new(entry.answer, "tables",
                        json_pack("{s:[{s:s, s:s, s:i}, {s:s, s:s, s:i}, {s:s, s:s, s:i}, {s:s, s:i}]}",
                                  "best", "model", "one<two", "member", "jacobi", "work", 11, "model",
                                  "one<two", "member", "strang", "work", 22, "model", "three", "member",
                                  "gauss-seidel", "work", 33, "member", "of no model", "work", 44));
    const ms_report report = {.entries = &entry, .n = 1};
    char *html = page_of(&report, "field_text.html");
    assert_in(html, "Not drawn yet", false);
    assert_in(html, "src=\"figures/test-toy.svg\"", true);
    assert_in(html, "A remark with &lt;signs&gt;", true);
    const char *one = strstr(html, "one&lt;two"), *three = strstr(html, ">three");
    assert_true(one != NULL && three != NULL && one < three);
    const char *strang = strstr(html, "strang"), *seidel = strstr(three, "gauss-seidel");
    assert_true(strang != NULL && strang < three && seidel != NULL); /* a table for each, in their order */
    free(html);
    ms_report_entry_clear(&entry);
}

/* A single file has the picture in it, as an image, and links to no other. */
static void test_single_file(void **state)
{
    (void)state;
    ms_report_entry entry;
    read_toy(true, &entry);
    const ms_report report = {
        .entries = &entry, .n = 1, .errata = ms_report_errata_rows(), .single_file = true};
    char *html = page_of(&report, "report.html");
    assert_in(html, "src=\"data:image/svg+xml,%3C%3Fxml", true);
    assert_in(html, "<svg", false);
    assert_in(html, "figures/test-toy", false);
    assert_in(html, ".html\"", false);
    assert_in(html, "id=\"errata\"", true);
    assert_in(html, "(6.30)", true);
    json_decref(report.errata);
    free(html);
    ms_report_entry_clear(&entry);
}

/* An answer that a stranger has made does nothing but show its text. */
static void test_stranger(void **state)
{
    (void)state;
    static const char evil[] = "\"'><script>x</script>";
    ms_report_entry entry = {.figure = &toy, .name = "test-toy"};
    entry.answer = json_pack(
        "{s:s, s:s, s:[i, i], s:[{s:s, s:s, s:s, s:s}], s:{s:[{s:s}]}, s:[s], s:[s], s:[s, s, s, s]}", "id",
        "test:toy", "status", evil, "checks_held", 1, 2, "checks", "what", evil, "verdict", evil, "note",
        evil, "published", evil, "tables", evil, evil, evil, "remarks", evil, "commands", evil, "files",
        "javascript:alert(1)", "figures/test-toy\" onclick=\"x.csv", "figures/test-toy-../../x.csv",
        "http://far/test-toy.csv");
    assert_non_null(entry.answer);
    const ms_report report = {.entries = &entry, .n = 1};
    char *html = page_of(&report, "report.html");
    assert_in(html, "<script>x", false);
    assert_in(html, "&quot;&#39;&gt;&lt;script&gt;x", true);
    assert_in(html, "class=\"badge \"", false);
    assert_in(html, "javascript:", false);
    assert_in(html, "onclick=\"", false);
    assert_in(html, "href=\"figures/test-toy-..", false);
    assert_in(html, "http:", false);
    free(html);
    json_decref(entry.answer);
}

/* Each of the errata says what is wrong and shows it: by a figure that there is, or a command. */
static void test_errata(void **state)
{
    (void)state;
    static const char *const members[] = {"paper",   "where",    "kind",    "printed",
                                          "correct", "evidence", "command", "figure"};
    json_t *rows = ms_report_errata_rows(), *row;
    size_t k;
    assert_true(json_array_size(rows) > 0);
    json_array_foreach (rows, k, row) {
        for (size_t j = 0; j < sizeof members / sizeof members[0]; j++)
            assert_true(json_is_string(json_object_get(row, members[j])));
        const char *id = json_string_value(json_object_get(row, "figure"));
        const char *kind = json_string_value(json_object_get(row, "kind"));
        if (ms_figure_find(id) == NULL)
            fail_msg("there is no figure %s", id);
        assert_true(strcmp(kind, "misprint") == 0 || strcmp(kind, "not printed") == 0);
    }
    json_decref(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report),       cmocka_unit_test(models_of_strangers_have_a_page),
        cmocka_unit_test(test_report_entry), cmocka_unit_test(test_single_file),
        cmocka_unit_test(test_stranger),     cmocka_unit_test(test_errata),
        cmocka_unit_test(test_field),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
