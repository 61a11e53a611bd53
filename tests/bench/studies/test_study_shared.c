/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_study_shared.c - what studies share: checks, rows of tables, texts, references, runs on two threads,
 * memory. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arguments.h"
#include "figure_run.h"
#include "study.h"
#include "support.h"
#include "unit_test.h"

/* The answer of a figure with that draw function and subject; its ID has published values. */
static json_t *answer_of(int (*draw)(ms_drawing *drawing, ms_error *error), const void *subject)
{
    const ms_figure figure = {.id = "moshagen2021:fig9",
                              .title = "Shared",
                              .source = "this test",
                              .draw = draw,
                              .subject = subject};
    return support_figure_answer_of(&figure);
}

/* A member of check k as JSON text. */
static void check_has(const json_t *answer, size_t k, const char *key, const char *expected)
{
    const json_t *value = json_object_get(json_array_get(json_object_get(answer, "checks"), k), key);
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    assert_string_equal(text, expected);
    free(text);
}

static int draw_checks(ms_drawing *drawing, ms_error *error)
{
    (void)error;
    ms_study_number(drawing, "order", "orders.linear", 2.05, 0.1, "From %d runs.", 3);
    ms_study_number(drawing, "order", "orders.linear", 2.2, 0.1, "%s", "");
    ms_study_claim(drawing, "claim", "gain", MS_REALS({"a", 0.5}, {"b", NAN}), false, "%s", "");
    ms_study_undetermined(drawing, "open", "gain", MS_COUNTS({"n", 2}, {"m", -3L}), "%s", "");
    return MS_OK;
}

static void test_checks(void **state)
{
    (void)state;
    json_t *answer = answer_of(draw_checks, NULL);
    check_has(answer, 0, "published", "2");
    check_has(answer, 0, "verdict", "\"reproduced\"");
    check_has(answer, 0, "note", "\"From 3 runs.\"");
    check_has(answer, 1, "verdict", "\"deviates\"");
    check_has(answer, 2, "measured", "{\"a\":0.5,\"b\":null}");
    check_has(answer, 2, "verdict", "\"deviates\"");
    assert_true(
        json_is_string(json_object_get(json_array_get(json_object_get(answer, "checks"), 2), "published")));
    check_has(answer, 3, "measured", "{\"n\":2,\"m\":-3}");
    check_has(answer, 3, "tolerance", "null");
    check_has(answer, 3, "verdict", "\"not-determined\"");
    json_decref(answer);
}

static int draw_row(ms_drawing *drawing, ms_error *error)
{
    (void)error;
    const char *first = ms_drawing_text(drawing, "%s-%d", "part", 1);
    for (int k = 0; k < 100; k++)
        ms_drawing_text(drawing, "%d", k);
    assert_string_equal(first, "part-1");
    assert_string_equal(ms_drawing_subject(drawing), "subject");
    ms_table *table = ms_drawing_table(drawing, first, "Cells", "a|b|c|d|e|f");
    ms_table_add(table, "siIrno", "text", -1, (json_int_t)1 << 40, INFINITY, json_pack("[i, i]", 1, 2));
    return MS_OK;
}

static void test_rows(void **state)
{
    (void)state;
    json_t *answer = answer_of(draw_row, "subject");
    char *rows = json_dumps(json_object_get(json_object_get(answer, "tables"), "Cells"), JSON_COMPACT);
    assert_string_equal(rows,
                        "[{\"a\":\"text\",\"b\":-1,\"c\":1099511627776,\"d\":null,\"e\":null,\"f\":[1,2]}]");
    free(rows);
    json_decref(answer);
}

static void keep_last(void *self, long n, const double *x)
{
    double *last = self;
    last[0] = (double)n;
    last[1] = x[0];
}

static int draw_reference(ms_drawing *drawing, ms_error *error)
{
    ms_study study;
    ms_simulation simulation;
    double last[2] = {0.0, 0.0}, own = NAN;
    assert_int_equal(ms_study_run(drawing, &ms_simulation_errors, &study, error,
                                  "run spring-mass --step-size 0.2 --stop-time 1"),
                     MS_OK);
    assert_int_equal(ms_study_follow_reference(study.system, 10, 0.1, keep_last, last, &own, error), MS_OK);
    assert_true(last[0] == 10.0);
    assert_true(fabs(last[1] - cos(1.0)) < 1e-12);
    assert_true(own >= 0.0 && own < 1e-10);
    ms_options options = study.arguments->options;
    options.step_size *= 0.5;
    assert_int_equal(ms_study_repeat(drawing, &study, &options, &ms_simulation_errors, &simulation, error),
                     MS_OK);
    assert_int_equal(simulation.result.macro_steps, 2 * study.simulation.result.macro_steps);
    ms_simulation_destroy(&simulation);
    ms_study_destroy(&study);
    return MS_OK;
}

static void test_reference(void **state)
{
    (void)state;
    support_figure_run(draw_reference);
}

/* Sixteen runs that square their number; those of `failing` end with a line of their own. */
typedef struct squares {
    int square[16], failing[2];
    volatile sig_atomic_t *stop; /* becomes 1 in the run that begins first, the last one; or NULL */
    int runs;
} squares;

static int square_one(void *self, int k, const volatile sig_atomic_t *stop, ms_error *error)
{
    squares *all = self;
    (void)stop;
#pragma omp atomic
    all->runs++;
    if (all->stop != NULL)
        *all->stop = 1;
    all->square[k] = k * k;
    return k == all->failing[0] || k == all->failing[1] ? ms_fail(error, MS_IO, "run %d failed", k) : MS_OK;
}

static int draw_parallel(ms_drawing *drawing, ms_error *error)
{
    squares all = {.failing = {-1, -1}}, two = {.failing = {11, 3}};
    assert_int_equal(ms_study_parallel(drawing, 16, square_one, &all, error), MS_OK);
    for (int k = 0; k < 16; k++)
        assert_int_equal(all.square[k], k * k);
    assert_int_equal(ms_study_parallel(drawing, 16, square_one, &two, error), MS_IO);
    assert_string_equal(error->text, "run 3 failed"); /* whichever came first */
    return MS_OK;
}

static void test_parallel(void **state)
{
    (void)state;
    support_figure_run(draw_parallel);
}

static squares interrupted = {.failing = {-1, -1}};

static int draw_interrupted(ms_drawing *drawing, ms_error *error)
{
    return ms_study_parallel(drawing, 16, square_one, &interrupted, error);
}

/* At most the other thread's run, which has begun, goes on. */
static void test_parallel_interrupted(void **state)
{
    (void)state;
    const ms_figure figure = {
        .id = "test:toy", .title = "Runs", .source = "this test", .draw = draw_interrupted};
    volatile sig_atomic_t stop = 0;
    ms_drawing *drawing = NULL;
    ms_error error = {0};
    interrupted.stop = &stop;
    assert_int_equal(ms_drawing_create(&figure, &stop, &drawing, &error), MS_OK);
    assert_int_equal(ms_drawing_fill(drawing, &error), MS_INTERRUPTED);
    assert_in_range(interrupted.runs, 1, 2);
    ms_drawing_destroy(&drawing);
}

/* Zero at its beginning, and the same for the whole drawing. */
static int draw_in_memory(ms_drawing *drawing, ms_error *error)
{
    (void)error;
    const long *numbers = ms_drawing_memory(drawing);
    for (int k = 0; k < 1000; k++)
        assert_int_equal(numbers[k], 0);
    assert_ptr_equal(ms_drawing_memory(drawing), numbers);
    char wide[3001];
    memset(wide, 'x', sizeof wide - 1);
    wide[sizeof wide - 1] = '\0';
    assert_int_equal(strlen(ms_drawing_text(drawing, "%s%s", wide, wide)), 6000);
    return MS_OK;
}

static void test_memory(void **state)
{
    (void)state;
    const ms_figure figure = {.id = "test:toy",
                              .title = "Memory",
                              .source = "this test",
                              .draw = draw_in_memory,
                              .memory = 1000 * sizeof(long)},
                    none = {.id = "test:toy", .title = "Memory", .source = "this test"};
    ms_drawing *drawing = NULL;
    ms_error error = {0};
    assert_int_equal(ms_drawing_create(&figure, NULL, &drawing, &error), MS_OK);
    assert_int_equal(ms_drawing_fill(drawing, &error), MS_OK);
    ms_drawing_destroy(&drawing);
    assert_int_equal(ms_drawing_create(&none, NULL, &drawing, &error), MS_OK);
    assert_null(ms_drawing_memory(drawing));
    ms_drawing_destroy(&drawing);
}

static void test_numbers(void **state)
{
    (void)state;
    const double values[] = {2.0, NAN, -1.0}, others[] = {2.5, 0.0, -3.0};
    double low, high;
    json_t *array = ms_json_of_vector(3, values);
    char *text = json_dumps(array, JSON_COMPACT);
    assert_string_equal(text, "[2.0,null,-1.0]");
    ms_extremes(3, values, &low, &high);
    assert_true(low == -1.0 && high == 2.0);
    assert_true(ms_largest_difference(3, values, others) == 2.0);
    free(text);
    json_decref(array);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_checks),    cmocka_unit_test(test_rows),
        cmocka_unit_test(test_reference), cmocka_unit_test(test_memory),
        cmocka_unit_test(test_parallel),  cmocka_unit_test(test_parallel_interrupted),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
