/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "benchmark.h"

#include <string.h>

#include <macrostep/catalogue.h>
#include "json.h"
#include "json_text.h"
#include "record.h"

static const char *const efforts[] = {
    [MS_BENCH_SHORT] = "short", [MS_BENCH_USUAL] = "usual", [MS_BENCH_LONG] = "long"};

void ms_benchmark_fail(ms_benchmark *benchmark, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    fprintf(stderr, "%s: ", benchmark->program);
    vfprintf(stderr, format, rest);
    fputc('\n', stderr);
    va_end(rest);
    benchmark->exit = MS_EXIT_FAILED;
}

/* Calls -------------------------------------------------------------------------------------------------- */

static void read_format(ms_benchmark *b, const char *value)
{
    b->json = strcmp(value, "json") == 0;
    if (!b->json && strcmp(value, "table") != 0)
        ms_benchmark_fail(b, "--format is table or json, not '%s'", value);
}

static void read_effort(ms_benchmark *b, const char *value)
{
    for (int k = MS_BENCH_SHORT; k <= MS_BENCH_LONG; k++)
        if (strcmp(value, efforts[k]) == 0) {
            b->effort = (ms_bench_effort)k;
            return;
        }
    ms_benchmark_fail(b, "--effort is short, usual or long, not '%s'", value);
}

static void read_base(ms_benchmark *b, const char *path)
{
    ms_error error;
    json_decref(b->stored);
    if (ms_record_read(path, &b->stored, &error) != MS_OK)
        ms_benchmark_fail(b, "--base %s", error.text);
}

static void (*reader_of(const char *option))(ms_benchmark *, const char *)
{
    static const struct {
        const char *name;
        void (*read)(ms_benchmark *, const char *);
    } options[] = {{"--format", read_format}, {"--effort", read_effort}, {"--base", read_base}};
    for (size_t k = 0; k < sizeof options / sizeof *options; k++)
        if (strcmp(option, options[k].name) == 0)
            return options[k].read;
    return NULL;
}

bool ms_benchmark_begin(ms_benchmark *b, const char *program, int *argc, char **argv)
{
    *b = (ms_benchmark){.program = program, .effort = MS_BENCH_USUAL, .file = stdout, .rows = json_array()};
    int kept = 1;
    for (int k = 1; k < *argc && b->exit == MS_EXIT_MET; k++) {
        void (*read)(ms_benchmark *, const char *) = reader_of(argv[k]);
        if (read != NULL && k + 1 < *argc)
            read(b, argv[++k]);
        else if (read != NULL || strncmp(argv[k], "--", 2) == 0)
            ms_benchmark_fail(
                b, "%s: options are --format table|json, --base FILE, --effort short|usual|long", argv[k]);
        else
            argv[kept++] = argv[k];
    }
    *argc = kept;
    if (b->exit == MS_EXIT_MET)
        return true;
    json_decref(b->stored);
    json_decref(b->rows);
    return false;
}

int ms_benchmark_count(const ms_benchmark *b, int usual, int few)
{
    return b->effort == MS_BENCH_SHORT ? few : usual;
}

/* Rows --------------------------------------------------------------------------------------------------- */

void ms_benchmark_add_row(ms_benchmark *b, json_t *row)
{
    if (row == NULL || ms_record_compare(row, b->stored) != MS_OK) {
        json_decref(row);
        ms_benchmark_fail(b, "not enough memory for a row");
        return;
    }
    b->exit = ms_exit_both(b->exit, ms_record_exit(row));
    if (!b->json)
        ms_record_print_row(row, b->file);
    ms_json_append(&b->rows, row);
}

void ms_benchmark_add(ms_benchmark *b, const char *subject, int rounds, int n_ratios, const ms_ratio *ratios)
{
    for (int k = 0; k < n_ratios; k++)
        ms_benchmark_add_row(b, ms_record_row(b->program, subject, rounds, &ratios[k]));
}

bool ms_benchmark_measure(ms_benchmark *b, const char *subject, int rounds, int n_timings,
                          ms_timing *const *timings, int n_ratios, const ms_ratio *ratios)
{
    ms_error error;
    rounds = ms_benchmark_count(b, rounds, 1);
    if (ms_rounds_take(rounds, n_timings, timings, &error) != MS_OK) {
        ms_benchmark_fail(b, "%s: %s", subject, error.text);
        return false;
    }
    ms_benchmark_add(b, subject, rounds, n_ratios, ratios);
    return true;
}

bool ms_benchmark_compare(ms_benchmark *b, const char *subject, int rounds, ms_timing *work, ms_timing *peer,
                          const char *ratio, double most)
{
    ms_timing *const timings[] = {work, peer};
    const ms_ratio one = {ratio, work, peer, .wanted = most > 0.0 ? MS_WANTED_AT_MOST : MS_WANTED_NOTHING,
                          .bound = most};
    return ms_benchmark_measure(b, subject, rounds, 2, timings, 1, &one);
}

int ms_benchmark_of_model(const char *program, const char *model,
                          void (*measure)(ms_benchmark *benchmark, const ms_system *system), int argc,
                          char **argv)
{
    ms_benchmark b;
    ms_error error;
    ms_system *system = NULL;
    if (!ms_benchmark_begin(&b, program, &argc, argv))
        return (int)b.exit;
    if (ms_system_create(ms_catalogue_find(model), NULL, NULL, 0, &system, &error) == MS_OK)
        measure(&b, system);
    else
        ms_benchmark_fail(&b, "%s", error.text);
    ms_system_destroy(&system);
    return ms_benchmark_end(&b);
}

int ms_benchmark_end(ms_benchmark *b)
{
    json_t *document = ms_record_document(efforts[b->effort], b->rows, b->stored);
    if (document == NULL)
        ms_benchmark_fail(b, "not enough memory for the rows");
    else if (!b->json)
        ms_record_print_end(document, b->file);
    else if (ms_json_write(document, MS_JSON_ON_LINES, b->file) != 0 || fputc('\n', b->file) == EOF ||
             fflush(b->file) != 0)
        ms_benchmark_fail(b, "standard output: not written");
    json_decref(document);
    json_decref(b->stored);
    return (int)b->exit;
}
