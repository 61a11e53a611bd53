/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_figure.c - drawings: files, answers, and what happens where something is missing. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "figure_draw.h"
#include "figure_registry.h"
#include "study.h"
#include "support.h"
#include "unit_test.h"

enum { PATH_LENGTH = 512, MANY_ROWS = 100000 };

static char folder[PATH_LENGTH];

static int make_folder(void **state)
{
    (void)state;
    support_temporary(folder, sizeof folder);
    return mkdtemp(folder) == NULL;
}

/* Removes the folder with its files. */
static int remove_folder(void **state)
{
    (void)state;
    static const char *const suffixes[] = {"svg", "pdf", "png", "csv", "gp", "json"};
    char path[2 * PATH_LENGTH];
    for (size_t k = 0; k < sizeof suffixes / sizeof suffixes[0]; k++) {
        snprintf(path, sizeof path, "%s/test-toy.%s", folder, suffixes[k]);
        unlink(path);
    }
    static const char *const others[] = {"test-toy-spikes.csv"};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        snprintf(path, sizeof path, "%s/%s", folder, others[k]);
        remove(path);
    }
    return rmdir(folder);
}

/* The file's text without its last byte of zero; fails where there is none. Owned by the caller. */
static char *read_file(const char *name, size_t *size)
{
    char path[2 * PATH_LENGTH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return support_read_file(path, size);
}

static void assert_contains(const char *name, const char *what)
{
    size_t size;
    char *text = read_file(name, &size);
    if (strstr(text, what) == NULL)
        fail_msg("%s does not contain '%s'", name, what);
    free(text);
}

/* A toy figure ------------------------------------------------------------------------------------------- */

static const char *toy_script;

static int draw_toy(ms_drawing *drawing, ms_error *error)
{
    (void)error;
    ms_data *data = ms_drawing_data(drawing, "", "time,sine");
    for (int n = 0; n <= 100; n++)
        ms_data_row(data, (const double[]){0.1 * n, sin(0.1 * n)});
    ms_data *spikes = ms_drawing_data(drawing, "spikes", "time,value");
    for (int n = 0; n < MANY_ROWS; n++)
        ms_data_row(spikes, (const double[]){n, n == 77777 ? 5.0 : n % 2});
    ms_data_break(spikes);
    ms_data_row(spikes, (const double[]){0.0, NAN});
    ms_drawing_script(drawing, "%s", toy_script);
    ms_drawing_check_number(drawing, "a half", 0.5, 0.52, 0.05, "within %g", 0.05);
    ms_drawing_check_number(drawing, "one", 1.0, 1.2, 0.1, "outside");
    ms_drawing_check_claim(drawing, "grows", "yes", json_real(2.0), true, "twice");
    ms_drawing_check(drawing, "open", NULL, json_integer(3), NULL, MS_NOT_DETERMINED, "nothing is printed");
    ms_drawing_remark(drawing, "A remark with <signs> & \"quotes\".");
    return MS_OK;
}

static const ms_figure toy = {.id = "test:toy", .title = "A toy", .source = "this test", .draw = draw_toy};

static const char good_script[] = "plot csv using 'time':'sine' with lines title 'sine', \\\n"
                                  "    part('spikes') using 'time':'value' with points title 'spikes'\n";

static void test_files_and_answer(void **state)
{
    (void)state;
    static const char *const members[] = {"id", "title", "source", "status", "checks", "files"};
    static const char *const keys[] = {"what", "published", "measured", "tolerance", "verdict", "note"};
    static const char *const verdicts[] = {"reproduced", "deviates", "reproduced", "not-determined"};
    json_t *answer = NULL;
    ms_error error = {0};
    toy_script = good_script;
    if (ms_figure_draw(&toy, folder, NULL, NULL, &answer, &error) != MS_OK)
        fail_msg("%s", error.text);
    for (size_t k = 0; k < sizeof members / sizeof members[0]; k++)
        assert_non_null(json_object_get(answer, members[k]));
    assert_string_equal(json_string_value(json_object_get(answer, "status")), "deviates");
    const json_t *checks = json_object_get(answer, "checks"), *files = json_object_get(answer, "files");
    assert_int_equal(json_array_size(checks), 4);
    for (size_t k = 0; k < 4; k++) {
        const json_t *check = json_array_get(checks, k);
        for (size_t j = 0; j < sizeof keys / sizeof keys[0]; j++)
            assert_non_null(json_object_get(check, keys[j]));
        assert_string_equal(json_string_value(json_object_get(check, "verdict")), verdicts[k]);
    }
    assert_int_equal(json_array_size(files), 7); /* svg, pdf, png, gp, json, two csv */
    for (size_t k = 0; k < json_array_size(files); k++) {
        struct stat status;
        assert_int_equal(stat(json_string_value(json_array_get(files, k)), &status), 0);
        assert_true(status.st_size > 0);
    }
    json_decref(answer);
    assert_contains("test-toy.csv", "# command: macrostep figure test:toy\n");
    assert_contains("test-toy.csv", "time,sine\n# figure: test:toy\n");
    assert_contains("test-toy.csv", "\n0,0\n0.1,");
    assert_contains("test-toy.svg", "<svg");
    assert_contains("test-toy.json", "\"provenance\"");
}

/* Long curves are thinned, and keep their extremes. */
static void test_thinning(void **state)
{
    (void)state;
    size_t size, lines = 0;
    char *text = read_file("test-toy-spikes.csv", &size);
    for (const char *c = text; *c != '\0'; c++)
        lines += *c == '\n';
    assert_in_range(lines, 500, 2100);
    assert_non_null(strstr(text, "\n77777,5\n"));
    assert_non_null(strstr(text, "\n99999,1\n\n0,\n"));
    free(text);
}

/* A second drawing gives the same bytes. */
static void test_same_bytes(void **state)
{
    (void)state;
    static const char *const names[] = {"test-toy.svg", "test-toy.pdf", "test-toy.png", "test-toy.json"};
    enum { NAMES = sizeof names / sizeof names[0] };
    char *before[NAMES];
    size_t sizes[NAMES], size;
    for (size_t k = 0; k < NAMES; k++)
        before[k] = read_file(names[k], &sizes[k]);
    json_t *answer = NULL;
    assert_int_equal(ms_figure_draw(&toy, folder, NULL, NULL, &answer, NULL), MS_OK);
    json_decref(answer);
    for (size_t k = 0; k < NAMES; k++) {
        char *after = read_file(names[k], &size);
        assert_int_equal(size, sizes[k]);
        assert_memory_equal(after, before[k], size);
        free(after);
        free(before[k]);
    }
}

/* The script draws on its own, in its folder. */
static void test_script_alone(void **state)
{
    (void)state;
    char command[2 * PATH_LENGTH];
    struct stat status;
    snprintf(command, sizeof command,
             "cd '%s' && rm test-toy.png && LC_ALL=C.UTF-8 gnuplot test-toy.gp && test -s test-toy.png",
             folder);
    assert_int_equal(system(command), 0);
    snprintf(command, sizeof command, "%s/test-toy.png", folder);
    assert_int_equal(stat(command, &status), 0);
}

/* A curve begins a plot or goes on with it; other commands, and the end of the script, end it. */
static int draw_curves(ms_drawing *drawing, ms_error *error)
{
    (void)error;
    MS_ROW(ms_drawing_data(drawing, "", "a,b"), 1.0, 2.0);
    ms_drawing_picture(drawing, 200, 200, "set xrange [0:%d]\n", 3);
    for (int k = 1; k <= 2; k++)
        ms_drawing_curve(drawing, "csv using 'a':'b' with points lt %d title '%d'", k, k);
    ms_drawing_script(drawing, "unset key\n");
    ms_drawing_curve(drawing, "2 with lines");
    return MS_OK;
}

static void test_curves(void **state)
{
    (void)state;
    const ms_figure figure = {
        .id = "test:toy", .title = "Curves", .source = "this test", .draw = draw_curves};
    json_t *answer = NULL;
    ms_error error = {0};
    if (ms_figure_draw(&figure, folder, NULL, NULL, &answer, &error) != MS_OK)
        fail_msg("%s", error.text);
    json_decref(answer);
    assert_contains("test-toy.gp", "set xrange [0:3]\n"
                                   "plot csv using 'a':'b' with points lt 1 title '1', \\\n"
                                   "    csv using 'a':'b' with points lt 2 title '2'\n"
                                   "unset key\n"
                                   "plot 2 with lines\n");
}

/* Rows by cells, and one that lacks a cell: at the end, before a break, before a whole row. */
static int draw_cells(ms_drawing *drawing, ms_error *error)
{
    (void)error;
    const int after = *(const int *)ms_drawing_subject(drawing);
    ms_data *data = ms_drawing_data(drawing, "cells", "a,b,c");
    ms_data_cell(NULL, 1.0);
    for (int k = 1; k <= 8; k++)
        ms_data_cell(data, k);
    if (after == 'b')
        ms_data_break(data);
    if (after == 'r')
        MS_ROW(data, 9.0, 10.0, 11.0);
    if (after != 'e')
        ms_data_cell(data, 12.0);
    return MS_OK;
}

static void test_cells(void **state)
{
    (void)state;
    static const int after[] = {'e', 'b', 'r', 'c'};
    for (int k = 0; k < 4; k++) {
        const ms_figure figure = {.id = "test:toy",
                                  .title = "Cells",
                                  .source = "this test",
                                  .draw = draw_cells,
                                  .subject = &after[k]};
        ms_drawing *drawing = NULL;
        ms_error error = {0};
        assert_int_equal(ms_drawing_create(&figure, NULL, &drawing, &error), MS_OK);
        assert_int_equal(ms_drawing_fill(drawing, &error), after[k] == 'c' ? MS_OK : MS_INVALID);
        if (after[k] != 'c')
            assert_string_equal(error.text, "test:toy: a row of the data 'cells' has 2 cells, not 3");
        ms_drawing_destroy(&drawing);
    }
}

/* Failures ----------------------------------------------------------------------------------------------- */

static void expect_failure(const char *directory, int expected, const char *what)
{
    json_t *answer = NULL;
    ms_error error = {0};
    assert_int_equal(ms_figure_draw(&toy, directory, NULL, NULL, &answer, &error), expected);
    assert_null(answer);
    if (strstr(error.text, what) == NULL)
        fail_msg("'%s' does not say '%s'", error.text, what);
    assert_null(strchr(error.text, '\n'));
}

static void test_faulty_script(void **state)
{
    (void)state;
    toy_script = "plot csv using 'time':'sine' with wings\n";
    expect_failure(folder, MS_IO, "wings");
    toy_script = "plot csv using 'time':'cosine' with lines\n";
    expect_failure(folder, MS_IO, "cosine");
    toy_script = "plot sin(x) title 'sine', csv using 'time':'cosine' with lines title 'cosine'\n";
    expect_failure(folder, MS_IO, "cosine");
    toy_script = good_script;
    assert_contains("test-toy.gp", "with points"); /* the good one is still there */
}

static void test_unwritable_folder(void **state)
{
    (void)state;
    toy_script = good_script;
    expect_failure("/dev/null", MS_IO, "/dev/null");
    expect_failure("/proc/none/results", MS_IO, "/proc/none/results");
    expect_failure("", MS_IO, "");
}

/* As a reference that is told to stop at a signal fails. */
static volatile sig_atomic_t stop;

static int draw_until_stopped(ms_drawing *drawing, ms_error *error)
{
    (void)drawing;
    stop = 1;
    return ms_fail(error, MS_SOLVER_FAILED, "the reference failed at 1 s");
}

static void test_stopped_while_drawing(void **state)
{
    (void)state;
    const ms_figure stopped = {
        .id = "test:toy", .title = "A toy", .source = "this test", .draw = draw_until_stopped};
    json_t *answer = NULL;
    ms_error error;
    assert_int_equal(ms_figure_draw(&stopped, folder, NULL, &stop, &answer, &error), MS_INTERRUPTED);
    assert_string_equal(error.text, "interrupted");
    assert_null(answer);
}

static void test_missing_gnuplot(void **state)
{
    (void)state;
    const char *path = getenv("PATH");
    char *kept = strdup(path != NULL ? path : "");
    toy_script = good_script;
    setenv("PATH", "/nowhere", 1);
    expect_failure(folder, MS_IO, "gnuplot is not on PATH");
    setenv("PATH", kept, 1);
    free(kept);
}

static int draw_without_values(ms_drawing *drawing, ms_error *error)
{
    (void)error;
    assert_true(isnan(ms_drawing_published_number(drawing, "steps.0")));
    assert_string_equal(ms_drawing_published_text(drawing, "claim"), "");
    return MS_OK;
}

static void test_missing_values(void **state)
{
    (void)state;
    const ms_figure figure = {
        .id = "test:toy", .title = "None", .source = "this test", .draw = draw_without_values};
    json_t *answer = NULL;
    ms_error error = {0};
    assert_int_equal(ms_figure_draw(&figure, folder, NULL, NULL, &answer, &error), MS_INVALID);
    assert_non_null(strstr(error.text, "steps.0"));
}

static int draw_twice(ms_drawing *drawing, ms_error *error)
{
    (void)error;
    assert_non_null(ms_drawing_data(drawing, "part", "x,y"));
    assert_null(ms_drawing_table(drawing, "part", "Title", "a|b"));
    ms_table_row(NULL, json_array());
    return MS_OK;
}

static void test_names_of_files(void **state)
{
    (void)state;
    const ms_figure figure = {.id = "test:toy", .title = "Twice", .source = "this test", .draw = draw_twice};
    json_t *answer = NULL;
    ms_error error = {0};
    assert_int_equal(ms_figure_draw(&figure, folder, NULL, NULL, &answer, &error), MS_INVALID);
    assert_non_null(strstr(error.text, "'part'"));
}

/* A graph has what was printed beside it, with how far what was measured is from that; what is no number is not there. */
static int draw_marked_graph(ms_drawing *drawing, ms_error *error)
{
    (void)error;
    char *text = strdup("digraph {\n    a -> b;\n}\n");
    assert_non_null(text);
    ms_drawing_graph(drawing, text);
    ms_drawing_check_number(drawing, "nodes", 5.0, 2.0, 0.0, "a and b");
    ms_drawing_check(drawing, "values", json_pack("[i,i]", 1, -1), json_pack("[f,i]", 1.25, -1), NULL,
                     MS_DEVIATES, "one by one");
    ms_drawing_check_claim(drawing, "grows", "yes", json_real(2.0), true, "twice");
    return MS_OK;
}

static void test_marked_graph(void **state)
{
    (void)state;
    const ms_figure figure = {
        .id = "test:toy", .title = "A graph", .source = "this test", .draw = draw_marked_graph};
    char path[2 * PATH_LENGTH];
    json_t *answer = NULL;
    ms_error error = {0};
    if (ms_figure_draw(&figure, folder, NULL, NULL, &answer, &error) != MS_OK)
        fail_msg("%s", error.text);
    json_decref(answer);
    assert_contains("test-toy.dot", "    a -> b;\n    published [");
    assert_contains("test-toy.dot",
                    "label=\"nodes: published 5 (-3)\\lvalues: published 1, -1 (+0.25)\\l\"];\n}\n");
    snprintf(path, sizeof path, "%s/test-toy.dot", folder);
    unlink(path);
}

static int draw_run(ms_drawing *drawing, ms_error *error)
{
    ms_study study;
    assert_int_equal(ms_study_run(drawing, NULL, &study, error, "run no-such-model"), MS_INVALID);
    ms_study_destroy(&study);
    assert_int_equal(ms_study_run(drawing, NULL, &study, error, "fly quarter-car"), MS_INVALID);
    ms_study_destroy(&study);
    assert_int_equal(ms_study_run(drawing, NULL, &study, error, "run quarter-car %2000s", ""), MS_INVALID);
    assert_non_null(strstr(error->text, "too long"));
    ms_study_destroy(&study);
    const int status = ms_study_run(drawing, &(ms_simulation_options){.trajectory = true}, &study, error,
                                    "run quarter-car --step-size %g", 0.01);
    assert_int_equal(status, MS_OK);
    assert_int_equal(study.simulation.result.macro_steps, 100);
    assert_int_equal(ms_study_column(&study, "chassis.x.v"), 2);
    assert_int_equal(ms_study_column(&study, "chassis.x.none"), -1);
    ms_data *data = ms_drawing_data(drawing, "", "time,v");
    for (long i = 0; i < study.simulation.trajectory.rows; i++)
        ms_data_row(data, ms_trajectory_row(&study.simulation.trajectory, i) + 1);
    assert_int_equal(ms_study_reference(&study, error), MS_OK);
    for (long i = 0; i < study.simulation.trajectory.rows; i++)
        assert_true(fabs(study.exact[4 * i] -
                         study.simulation.trajectory.row[i * study.simulation.trajectory.columns + 1]) <
                    0.01);
    ms_study_destroy(&study);
    return status;
}

static void test_runs_inside(void **state)
{
    (void)state;
    const ms_figure figure = {.id = "test:toy", .title = "Runs", .source = "this test", .draw = draw_run};
    ms_drawing *drawing = NULL;
    ms_error error = {0};
    assert_int_equal(ms_drawing_create(&figure, NULL, &drawing, &error), MS_OK);
    assert_int_equal(ms_drawing_fill(drawing, &error), MS_OK);
    json_t *answer = ms_drawing_answer(drawing);
    const json_t *commands = json_object_get(answer, "commands");
    assert_int_equal(json_array_size(commands), 1);
    assert_string_equal(json_string_value(json_array_get(commands, 0)),
                        "macrostep run quarter-car --step-size 0.01");
    assert_string_equal(json_string_value(json_object_get(answer, "status")), "drawn");
    json_decref(answer);
    ms_drawing_destroy(&drawing);
}

/* The registry ------------------------------------------------------------------------------------------- */

static void test_registry(void **state)
{
    (void)state;
    for (int k = 0; ms_figure_at(k) != NULL; k++) {
        char name[128], other[128];
        assert_ptr_equal(ms_figure_find(ms_figure_at(k)->id), ms_figure_at(k));
        assert_non_null(strchr(ms_figure_at(k)->id, ':'));
        assert_true(ms_figure_at(k)->title[0] != '\0' && ms_figure_at(k)->source[0] != '\0');
        ms_figure_name(ms_figure_at(k), name, sizeof name);
        for (int j = 0; j < k; j++) {
            ms_figure_name(ms_figure_at(j), other, sizeof other);
            assert_string_not_equal(name, other);
        }
    }
    assert_null(ms_figure_find("andersson2016:fig9"));
    assert_string_equal(ms_figure_nearest("andersson2016-fig9.15"), "andersson2016:fig9.15");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_and_answer),
        cmocka_unit_test(test_thinning),
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_script_alone),
        cmocka_unit_test(test_faulty_script),
        cmocka_unit_test(test_unwritable_folder),
        cmocka_unit_test(test_stopped_while_drawing),
        cmocka_unit_test(test_missing_gnuplot),
        cmocka_unit_test(test_names_of_files),
        cmocka_unit_test(test_missing_values),
        cmocka_unit_test(test_marked_graph),
        cmocka_unit_test(test_runs_inside),
        cmocka_unit_test(test_registry),
        cmocka_unit_test(test_curves),
        cmocka_unit_test(test_cells),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
