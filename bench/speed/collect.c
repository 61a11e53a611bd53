/* SPDX-License-Identifier: GPL-3.0-or-later */
/* collect.c - runs benchmarks one after the other, and combines their results.
 *
 *     collect [--format table|json] [--base FILE] [--effort short|usual|long] COMMAND ..
 *
 * Each COMMAND is a line for the shell, to which --format json and the effort are added; its rows are compared with those of
 * the stored run FILE. A command that fails is omitted, and the exit status is MS_EXIT_FAILED; see ratio.h for the others. */
#include <stdlib.h>
#include <sys/wait.h>

#include "benchmark.h"
#include "record.h"

static const char *const efforts[] = {
    [MS_BENCH_SHORT] = "short", [MS_BENCH_USUAL] = "usual", [MS_BENCH_LONG] = "long"};

/* The JSON output of the command; NULL with the reason: invalid. The status is the command's, -1 if it was killed by a signal. */
static json_t *run(const char *command, ms_bench_effort effort, int *status, char *why, size_t size)
{
    char line[4096];
    json_error_t error;
    snprintf(line, sizeof line, "%s --format json --effort %s", command, efforts[effort]);
    FILE *output = popen(line, "r");
    *status = -1;
    snprintf(why, size, "not started");
    if (output == NULL)
        return NULL;
    json_t *document = json_loadf(output, JSON_DISABLE_EOF_CHECK, &error);
    const int ended = pclose(output);
    *status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
    snprintf(why, size, "exit status %d, %s", *status, document == NULL ? error.text : "no rows");
    return document;
}

static void collect(ms_benchmark *b, const char *command)
{
    char why[256];
    ms_error error;
    int status;
    json_t *document = run(command, b->effort, &status, why, sizeof why),
           *rows = json_object_get(document, "rows");
    if (document == NULL)
        ms_benchmark_fail(b, "%s: %s", command, why);
    else if (ms_record_check(document, command, &error) != MS_OK)
        ms_benchmark_fail(b, "%s", error.text);
    else
        for (size_t k = 0; k < json_array_size(rows); k++)
            ms_benchmark_add_row(b, json_incref(json_array_get(rows, k)));
    if (document != NULL && status != MS_EXIT_MET && status != MS_EXIT_MISSED && status != MS_EXIT_SCATTERED)
        ms_benchmark_fail(b, "%s: exit status %d", command, status);
    json_decref(document);
}

int main(int argc, char **argv)
{
    ms_benchmark b;
    if (!ms_benchmark_begin(&b, "collect", &argc, argv))
        return (int)b.exit;
    if (argc < 2)
        ms_benchmark_fail(&b, "no COMMAND; make bench calls it with all benchmarks");
    for (int k = 1; k < argc; k++)
        collect(&b, argv[k]);
    return ms_benchmark_end(&b);
}
