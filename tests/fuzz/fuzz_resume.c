/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_resume.c - the file of a sweep that is resumed. The first byte of the input chooses the format, whether rows are repaired, and
 * whether the head of the file is the sweep's own; the rest stands behind it, or is the whole file. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "harness.h"
#include "json.h"
#include "sweep_file.h"

enum { ROWS = 4 };

/* Row k without its run: alike but for the step size, and for what a pair that does not fit lacks. */
static json_t *shape_of(long k, bool resolved)
{
    return json_pack("{s:s, s:s, s:{s:f}, s:{s:s, s:f, s:f}, s:s, s:s, s:n, s:i, s:{s:n, s:{s:{s:n}}}, "
                     "s:[{s:s, s:i}], s:[], s:n, "
                     "s:s}",
                     "model", "m", "case", "c", "parameters", "k", 0.5, "scheme", "scheme", "jacobi",
                     "step_size", 1.0 / (double)(k + 1), resolved ? "solver_rtol" : "rtol", 1e-10, "reason",
                     "", "message", "", "end_time", "macro_steps", 0, "errors", "max", "per_state", "a.x",
                     "max", "work", "subsystem", "a", "micro_steps", 0, "degraded", "agree", "note", "");
}

static int shape_at(void *self, long k, bool again, json_t **row, ms_error *error)
{
    (void)self;
    harness_require(k >= 0 && k < ROWS, "a row that the grid does not have");
    *row = shape_of(k, !again);
    return *row != NULL ? MS_OK : ms_fail(error, MS_NO_MEMORY, "no memory for a row");
}

static json_t *columns_of_csv(void)
{
    ms_csv_columns all = {json_array(), json_object()};
    json_t *shape = shape_of(0, true), *flat = ms_json_flatten(shape);
    ms_csv_columns_add(&all, flat);
    json_decref(flat);
    json_decref(shape);
    return ms_csv_columns_take(&all);
}

/* The head where it is to be there, and the rest behind it. */
static const char *write_file(const char *head, const uint8_t *data, size_t size)
{
    char *all = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&all, &length);
    harness_require(stream != NULL, "no memory for the file");
    fputs(head, stream);
    fwrite(data, 1, size, stream);
    fclose(stream);
    const char *path = harness_file((const uint8_t *)all, length, "");
    free(all);
    return path;
}

static void resume(ms_sweep_file *file, bool repair)
{
    ms_row_keys keys = {.n = ROWS, .shape = shape_at, .resume = true, .repair = repair};
    ms_error error = {{0}};
    const bool taken = harness_check(ms_sweep_file_open(file, &keys, &error), &error);
    harness_require(file->rows >= 0 && file->rows <= ROWS, "more rows than the grid has");
    harness_require(!taken || file->end >= (off_t)strlen(file->head), "rows that end within the head");
    (void)ms_sweep_file_close(file, &error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const ms_format formats[] = {MS_FORMAT_CSV, MS_FORMAT_JSON, MS_FORMAT_JSONL};
    ms_sweep_file file;
    ms_error error = {{0}};
    if (size == 0)
        return -1;
    const ms_format format = formats[(data[0] >> 2 & 3) % 3];
    json_t *provenance = json_pack("{s:s}", "command", "macrostep sweep");
    json_t *columns = format == MS_FORMAT_CSV ? columns_of_csv() : NULL;
    if (harness_check(ms_sweep_file_create(NULL, format, columns, provenance, ROWS, &file, &error), &error)) {
        file.path = write_file((data[0] & 2) != 0 ? "" : file.head, data + 1, size - 1);
        file.form.wide = true;
        resume(&file, data[0] & 1);
    } else
        (void)ms_sweep_file_close(&file, &error);
    json_decref(provenance);
    return 0;
}
