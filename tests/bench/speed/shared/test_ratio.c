/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shared piece of the benchmarks, given made-up seconds: rounds, medians, scatter, verdicts, exit statuses, stored runs. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmark.h"
#include "json_schema.h"
#include "record.h"
#include "rounds.h"
#include "support.h"
#include "unit_test.h"

#define CLOSE(a, b) assert_true(fabs((a) - (b)) <= 1e-12 * fabs(b))

/* A clock whose calls take what a list says; a log of who was called. */
typedef struct clock_of {
    const double *seconds;
    int calls;
    char mark, *log;
} clock_of;

static double take(void *self, ms_error *error)
{
    clock_of *c = self;
    const double seconds = c->seconds[c->calls++];
    if (c->log != NULL)
        strncat(c->log, &c->mark, 1);
    if (seconds < 0.0)
        ms_fail(error, MS_INVALID, "the clock stands still");
    return seconds;
}

/* Rounds ------------------------------------------------------------------------------------------------- */

static void median_and_scatter_are_those_of_a_list(void **state)
{
    const double odd[] = {5.0, 1.0, 4.0, 2.0, 3.0}, even[] = {4.0, 1.0, 2.0, 3.0}, same[] = {7.0, 7.0, 7.0};
    (void)state;
    CLOSE(ms_rounds_median(5, odd), 3.0);
    CLOSE(ms_rounds_quantile(5, odd, 0.25), 2.0);
    CLOSE(ms_rounds_scatter(5, odd), 0.5 * (4.0 - 2.0) / 3.0);
    CLOSE(odd[0], 5.0); /* they keep their order */
    CLOSE(ms_rounds_median(4, even), 2.5);
    CLOSE(ms_rounds_scatter(4, even), 0.5 * (3.25 - 1.75) / 2.5);
    assert_true(ms_rounds_scatter(3, same) == 0.0);
    assert_true(ms_rounds_scatter(1, odd) == 0.0);
}

static void rounds_alternate(void **state)
{
    const double seconds[] = {1.0, 2.0, 3.0};
    char log[16] = "";
    clock_of a = {seconds, 0, 'a', log}, b = {seconds, 0, 'b', log};
    ms_timing x = {.name = "x", .take = take, .self = &a}, y = {.name = "y", .take = take, .self = &b};
    ms_timing filled = {.name = "filled in", .taken = {9.0}};
    ms_timing *const timings[] = {&x, &filled, &y};
    (void)state;
    assert_int_equal(ms_rounds_take(3, 3, timings, NULL), MS_OK);
    assert_string_equal(log, "abbaab");
    CLOSE(x.taken[2], 3.0);
    CLOSE(filled.taken[0], 9.0);
}

static void a_timing_that_fails_is_named(void **state)
{
    const double seconds[] = {1.0, -1.0}, nothing[] = {NAN};
    clock_of a = {seconds, 0, 'a', NULL}, b = {nothing, 0, 'b', NULL};
    ms_timing x = {.name = "engine", .take = take, .self = &a},
              y = {.name = "loop", .take = take, .self = &b};
    ms_timing *const first[] = {&x}, *const second[] = {&y};
    ms_error error;
    (void)state;
    assert_true(ms_rounds_take(2, 1, first, &error) != MS_OK);
    assert_string_equal(error.text, "engine: the clock stands still");
    assert_true(ms_rounds_take(1, 1, second, &error) != MS_OK);
    assert_int_equal(ms_rounds_take(MS_ROUNDS_MAX + 1, 1, second, &error), MS_INVALID);
    assert_int_equal(ms_rounds_take(0, 1, second, &error), MS_INVALID);
}

/* Ratios ------------------------------------------------------------------------------------------------- */

static void ratios_are_of_one_round_and_by_unit(void **state)
{
    const ms_timing a = {.per = 10.0, .taken = {20.0, 60.0}}, b = {.per = 2.0, .taken = {2.0, 2.0}},
                    c = {.taken = {3.0, 8.0}}, d = {.taken = {6.0, 4.0}};
    const ms_ratio plain = {.work = &a, .peer = &b}, alone = {.work = &a},
                   efficiency = {.work = &a, .peer = &b, .to_work = &c, .to_peer = &d};
    (void)state;
    CLOSE(ms_ratio_of_round(&plain, 0), 2.0);
    CLOSE(ms_ratio_of_round(&plain, 1), 6.0);
    CLOSE(ms_ratio_of_round(&alone, 1), 6.0);
    CLOSE(ms_ratio_of_round(&efficiency, 0), 4.0);
    CLOSE(ms_ratio_of_round(&efficiency, 1), 3.0);
}

static void a_bound_is_met_missed_or_undecided(void **state)
{
    (void)state;
    assert_int_equal(ms_ratio_verdict(1.5, 0.0, MS_WANTED_AT_MOST, 1.5), MS_VERDICT_MET);
    assert_int_equal(ms_ratio_verdict(1.6, 0.05, MS_WANTED_AT_MOST, 1.5), MS_VERDICT_MISSED);
    assert_int_equal(ms_ratio_verdict(1.6, 0.07, MS_WANTED_AT_MOST, 1.5), MS_VERDICT_UNDECIDED);
    assert_int_equal(ms_ratio_verdict(0.95, 0.0, MS_WANTED_AT_LEAST, 0.9), MS_VERDICT_MET);
    assert_int_equal(ms_ratio_verdict(0.8, 0.1, MS_WANTED_AT_LEAST, 0.9), MS_VERDICT_MISSED);
    assert_int_equal(ms_ratio_verdict(0.8, 0.13, MS_WANTED_AT_LEAST, 0.9), MS_VERDICT_UNDECIDED);
    assert_int_equal(ms_ratio_verdict(9.0, 9.0, MS_WANTED_NOTHING, 0.0), MS_VERDICT_NONE);
    assert_int_equal(ms_ratio_verdict(NAN, 0.0, MS_WANTED_AT_MOST, 1.0), MS_VERDICT_MISSED);
}

static void exit_statuses_follow(void **state)
{
    (void)state;
    assert_int_equal(ms_ratio_exit(MS_VERDICT_MET, 0.2), 0);
    assert_int_equal(ms_ratio_exit(MS_VERDICT_MET, 0.21), 3);
    assert_int_equal(ms_ratio_exit(MS_VERDICT_UNDECIDED, 0.1), 3);
    assert_int_equal(ms_ratio_exit(MS_VERDICT_MISSED, 0.1), 1);
    assert_int_equal(ms_ratio_exit(MS_VERDICT_MISSED, 0.5), 1);
    assert_int_equal(ms_ratio_exit(MS_VERDICT_NONE, 0.5), 0);
    assert_int_equal(ms_exit_both(MS_EXIT_SCATTERED, MS_EXIT_MISSED), 1);
    assert_int_equal(ms_exit_both(MS_EXIT_MISSED, MS_EXIT_FAILED), 2);
    assert_int_equal(ms_exit_both(MS_EXIT_MET, MS_EXIT_SCATTERED), 3);
}

static void a_change_is_beyond_both_scatters(void **state)
{
    (void)state;
    assert_int_equal(ms_ratio_change(1.1, 0.05, 1.0, 0.06, MS_WANTED_AT_MOST), MS_CHANGE_SAME);
    assert_int_equal(ms_ratio_change(1.1, 0.02, 1.0, 0.02, MS_WANTED_AT_MOST), MS_CHANGE_WORSE);
    assert_int_equal(ms_ratio_change(0.9, 0.02, 1.0, 0.02, MS_WANTED_NOTHING), MS_CHANGE_BETTER);
    assert_int_equal(ms_ratio_change(1.1, 0.02, 1.0, 0.02, MS_WANTED_AT_LEAST), MS_CHANGE_BETTER);
    assert_int_equal(ms_ratio_change(0.9, 0.02, 1.0, 0.02, MS_WANTED_AT_LEAST), MS_CHANGE_WORSE);
}

/* Whole benchmarks --------------------------------------------------------------------------------------- */

static char path[256]; /* of a file that the test may write */

static int create_path(void **state)
{
    (void)state;
    support_temporary(path, sizeof path);
    return 0;
}

static int remove_path(void **state)
{
    (void)state;
    remove(path);
    return 0;
}

/* A work of the given seconds against a peer of one second, of which at most 1.5 is wanted; the exit status. With --base
 * of the file where `compare`; the answer (owned by the caller) as it was printed. */
static int benchmark(int rounds, const double *seconds, bool compare, json_t **answer)
{
    static const double ones[] = {1.0, 1.0, 1.0, 1.0, 1.0};
    char *argv[] = {"program", "--format", "json", "--base", path, NULL}, why[512];
    int argc = compare ? 5 : 3;
    clock_of a = {seconds, 0, 'a', NULL}, b = {ones, 0, 'b', NULL};
    ms_timing work = {.name = "work", .take = take, .self = &a},
              peer = {.name = "peer", .take = take, .self = &b};
    ms_timing *const timings[] = {&work, &peer};
    const ms_ratio ratio = {"work / peer", &work, &peer, .wanted = MS_WANTED_AT_MOST, .bound = 1.5};
    ms_benchmark bench;
    assert_true(ms_benchmark_begin(&bench, "program", &argc, argv));
    assert_int_equal(argc, 1);
    bench.file = tmpfile();
    assert_non_null(bench.file);
    FILE *file = bench.file;
    ms_benchmark_measure(&bench, "subject", rounds, 2, timings, 1, &ratio);
    const int status = ms_benchmark_end(&bench);
    rewind(file);
    *answer = json_loadf(file, 0, NULL);
    fclose(file);
    assert_non_null(*answer);
    if (!support_schema_fits("bench/speed", "ratios.json", *answer, why, sizeof why))
        fail_msg("%s", why);
    return status;
}

static int benchmark_status(int rounds, const double *seconds)
{
    json_t *answer;
    const int status = benchmark(rounds, seconds, false, &answer);
    json_decref(answer);
    return status;
}

static void a_benchmark_ends_with_the_status_of_its_rounds(void **state)
{
    (void)state;
    assert_int_equal(benchmark_status(5, (double[]){1.4, 1.4, 1.5, 1.4, 9.0}), 0); /* one disturbance */
    assert_int_equal(benchmark_status(5, (double[]){1.6, 1.6, 1.7, 1.6, 1.6}), 1);
    assert_int_equal(benchmark_status(5, (double[]){1.4, 1.5, 1.6, 1.6, 1.4}), 0);
    assert_int_equal(benchmark_status(5, (double[]){1.4, 1.4, 1.55, 1.6, 1.6}), 3);
    assert_int_equal(benchmark_status(5, (double[]){0.5, 0.5, 1.0, 1.4, 1.4}), 3);
    assert_int_equal(benchmark_status(5, (double[]){2.0, 2.0, 4.0, 6.0, 6.0}), 1);
}

static const json_t *base_of(const json_t *answer)
{
    return json_object_get(json_array_get(json_object_get(answer, "rows"), 0), "base");
}

static void a_stored_run_is_compared(void **state)
{
    json_t *stored, *answer;
    (void)state;
    assert_int_equal(benchmark(1, (double[]){1.25}, false, &stored), 0);
    assert_true(json_is_null(base_of(stored)));
    assert_int_equal(json_dump_file(stored, path, 0), 0);
    assert_int_equal(benchmark(1, (double[]){1.375}, true, &answer), 0);
    CLOSE(json_number_value(json_object_get(base_of(answer), "ratio")), 1.25);
    CLOSE(json_number_value(json_object_get(base_of(answer), "change")), 0.1);
    assert_string_equal(json_string_value(json_object_get(base_of(answer), "verdict")), "worse");
    json_decref(answer);
    json_decref(stored);
}

static void rows_that_only_the_stored_run_has_are_listed(void **state)
{
    json_t *stored, *answer;
    (void)state;
    assert_int_equal(benchmark(1, (double[]){1.25}, false, &stored), 0);
    json_object_set_new(json_array_get(json_object_get(stored, "rows"), 0), "name", json_string("another"));
    assert_int_equal(json_dump_file(stored, path, 0), 0);
    assert_int_equal(benchmark(1, (double[]){1.25}, true, &answer), 0);
    assert_true(json_is_null(base_of(answer)));
    const json_t *absent = json_array_get(json_object_get(answer, "not_measured"), 0);
    assert_string_equal(json_string_value(json_object_get(absent, "name")), "another");
    json_decref(answer);
    json_decref(stored);
}

/* The status of a call that must not begin. */
static int refused(char *option, char *value)
{
    char *argv[] = {"program", option, value, NULL};
    int argc = value != NULL ? 3 : 2;
    ms_benchmark bench;
    assert_false(ms_benchmark_begin(&bench, "program", &argc, argv));
    return (int)bench.exit;
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("{\"rows\": [{\"program\": \"a\"}]}", file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(refused("--format", "xml"), 2);
    assert_int_equal(refused("--effort", "none"), 2);
    assert_int_equal(refused("--format", NULL), 2);
    assert_int_equal(refused("--colour", "red"), 2);
    assert_int_equal(refused("--base", "/no/such/file"), 2);
    assert_int_equal(refused("--base", path), 2);
}

static void arguments_are_left_to_the_program(void **state)
{
    char *argv[] = {"program", "mpi", "--effort", "short", "3", NULL};
    int argc = 5;
    ms_benchmark bench;
    (void)state;
    assert_true(ms_benchmark_begin(&bench, "program", &argc, argv));
    assert_int_equal(argc, 3);
    assert_string_equal(argv[1], "mpi");
    assert_string_equal(argv[2], "3");
    assert_int_equal(ms_benchmark_count(&bench, 100, 7), 7);
    json_decref(bench.rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(median_and_scatter_are_those_of_a_list),
        cmocka_unit_test(rounds_alternate),
        cmocka_unit_test(a_timing_that_fails_is_named),
        cmocka_unit_test(ratios_are_of_one_round_and_by_unit),
        cmocka_unit_test(a_bound_is_met_missed_or_undecided),
        cmocka_unit_test(exit_statuses_follow),
        cmocka_unit_test(a_change_is_beyond_both_scatters),
        cmocka_unit_test(a_benchmark_ends_with_the_status_of_its_rounds),
        cmocka_unit_test(a_stored_run_is_compared),
        cmocka_unit_test(rows_that_only_the_stored_run_has_are_listed),
        cmocka_unit_test(wrong_calls_are_refused),
        cmocka_unit_test(arguments_are_left_to_the_program),
    };
    return cmocka_run_group_tests(tests, create_path, remove_path);
}
