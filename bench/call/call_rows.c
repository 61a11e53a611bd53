/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all commands do that share their rows: compute them here and on other ranks, or a part, or read them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "progress.h"
#include "provenance.h"
#include "sweep_file.h"

/* Rows that are shared ------------------------------------------------------------------------------------ */

int ms_call_rows_provenance(const ms_call *call, bool answers, json_t **provenance, ms_error *error)
{
    static const char *const formats[] = {[MS_FORMAT_TABLE] = "table",
                                          [MS_FORMAT_CSV] = "csv",
                                          [MS_FORMAT_JSON] = "json",
                                          [MS_FORMAT_JSONL] = "jsonl"};
    const ms_arguments *arguments = &call->arguments;
    *provenance = ms_provenance_of_part(ms_provenance(arguments->line), &arguments->shard);
    if (!answers)
        ms_json_set(provenance, "format", json_string(formats[arguments->format]));
    if (*provenance == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the provenance");
    const int status =
        ms_provenance_digest(*provenance, "system_digest", arguments->text[MS_ARGUMENT_SYSTEM], error);
    return status == MS_OK ? ms_provenance_digest(*provenance, "inputs_digest",
                                                  arguments->text[MS_ARGUMENT_INPUTS], error)
                           : status;
}

/* So that ranks know that they share the same. */
static uint64_t digest_of(const ms_call *call, const ms_call_shared *rows)
{
    char *text = json_dumps(rows->provenance, JSON_COMPACT), numbers[48];
    snprintf(numbers, sizeof numbers, "%ld %d", rows->n, (int)call->arguments.format);
    const uint64_t digest = text != NULL ? ms_ranks_digest(ms_ranks_digest(0, text), numbers) : 0;
    free(text);
    return digest;
}

/* A new file, or the one that is there. */
static int open_file(const ms_call *call, const ms_call_shared *rows, ms_sweep_file *file, ms_error *error)
{
    const char *path = call->arguments.text[MS_ARGUMENT_OUTPUT];
    const bool named = path != NULL && strcmp(path, "-") != 0;
    ms_sweep_resume resume = {.rows = rows->n,
                              .shard = call->arguments.shard,
                              .self = rows->self,
                              .shape = rows->shape,
                              .repair = call->arguments.repair};
    int status =
        ms_sweep_file_create(named ? path : NULL, rows->form, rows->provenance, rows->n, file, error);
    if (status != MS_OK || call->ranks.rank > 0)
        return status;
    status = call->arguments.resume ? ms_sweep_file_resume(file, &resume, error)
                                    : ms_sweep_file_begin(file, error);
    if (resume.repaired.text[0] != '\0')
        fprintf(stderr, "macrostep: --repair: %s\n", resume.repaired.text);
    return status;
}

static int work(ms_call *call, const ms_call_shared *rows, ms_sweep_file *file, ms_error *error)
{
    ms_progress progress;
    ms_row_plan plan = {.shard = call->arguments.shard,
                        .done = file->rows,
                        .ranks = &call->ranks,
                        .digest = digest_of(call, rows),
                        .stop = &ms_interrupted,
                        .progress = &progress};
    ms_progress_begin(&progress, rows->what, 1);
    const int status = rows->work(rows->self, &plan, file, error);
    ms_progress_end(&progress);
    return status == MS_INTERRUPTED && rows->form != NULL
               ? ms_fail(error, status, "interrupted after %ld of %ld rows%s", file->rows,
                         ms_shard_rows(&plan.shard, rows->n),
                         file->regular ? "; the same call with --resume goes on" : "")
               : status;
}

int ms_call_share(ms_call *call, const ms_call_shared *rows, ms_error *error)
{
    ms_sweep_file file = {.descriptor = -1};
    ms_error closing;
    int status = rows->form != NULL ? open_file(call, rows, &file, error) : MS_OK;
    if (status == MS_OK)
        status = work(call, rows, &file, error);
    const int closed = ms_sweep_file_close(&file, &closing);
    return status == MS_OK && closed != MS_OK ? ms_fail(error, closed, "%s", closing.text) : status;
}

/* Parts -------------------------------------------------------------------------------------------------- */

/* A row of a part has its place in the grid as "row", its key. */
static int keep_row(void *keeper, long k, json_t *record, ms_error *error)
{
    ms_sweep_file *file = keeper;
    char *text =
        json_object_set_new(record, "row", json_integer(k)) == 0 ? ms_row_text(&file->form, record) : NULL;
    const int status = text != NULL ? ms_sweep_file_append(file, text, error)
                                    : ms_fail(error, MS_NO_MEMORY, "not enough memory for a row");
    free(text);
    return status;
}

static int key_of(void *self, long k, bool again, json_t **row, ms_error *error)
{
    (void)self, (void)again;
    *row = json_pack("{s:I}", "row", (json_int_t)k);
    return *row != NULL ? MS_OK : ms_fail(error, MS_NO_MEMORY, "not enough memory for a row");
}

static int work_on_job(void *self, ms_row_plan *plan, ms_sweep_file *file, ms_error *error)
{
    const bool is_part = plan->shard.of > 0;
    plan->gaps = !is_part;
    plan->deliver = is_part ? keep_row : NULL;
    plan->keeper = file;
    return ms_row_work(self, plan, error);
}

/* Merging ------------------------------------------------------------------------------------------------ */

/* Does the row know that it is this one? Then it forgets. */
static int check_place(json_t *record, long k, ms_error *error)
{
    const json_t *place = json_object_get(record, "row");
    if (!json_is_integer(place))
        return ms_fail(error, MS_INVALID, "row %ld of the grid does not say which row it is", k);
    if (json_integer_value(place) != k)
        return ms_fail(error, MS_INVALID,
                       "row %" JSON_INTEGER_FORMAT " stands where row %ld of the grid belongs",
                       json_integer_value(place), k);
    json_object_del(record, "row");
    return MS_OK;
}

/* The rows that others have computed, for a grid that has to be the same. */
static int deliver_given(ms_call *call, const ms_row_job *job, ms_error *error)
{
    ms_parts *parts = call->given;
    int status = MS_OK;
    if (parts->rows != job->n)
        return ms_fail(error, MS_INVALID, "%s: is of a grid of %ld rows, but the call now has %ld",
                       parts->first, parts->rows, job->n);
    for (long k = 0; k < job->n && status == MS_OK; k++) {
        const char *text;
        size_t length;
        status = ms_parts_row(parts, k, &text, &length, error);
        json_t *record = status == MS_OK ? json_loadb(text, length, 0, NULL) : NULL;
        if (status == MS_OK && record == NULL)
            status = ms_fail(error, MS_INVALID, "row %ld of the grid is no JSON object: %.60s", k, text);
        if (status == MS_OK)
            status = check_place(record, k, error);
        if (status == MS_OK)
            status = job->deliver(job->self, k, record, error);
        json_decref(record);
    }
    return status;
}

/* All together ------------------------------------------------------------------------------------------- */

int ms_call_rows(ms_call *call, ms_row_job *job, ms_error *error)
{
    const ms_row_form form = {.format = MS_FORMAT_JSON, .more = true};
    const bool is_part = call->arguments.shard.of > 0;
    ms_call_shared rows = {.what = job->what,
                           .n = job->n,
                           .form = is_part ? &form : NULL,
                           .self = job,
                           .shape = key_of,
                           .work = work_on_job};
    json_t *provenance = NULL;
    if (call->given != NULL)
        return deliver_given(call, job, error);
    int status = ms_call_rows_provenance(call, false, &provenance, error);
    rows.provenance = provenance;
    if (status == MS_OK)
        status = ms_call_share(call, &rows, error);
    json_decref(provenance);
    call->written = is_part || call->ranks.rank > 0;
    return status;
}

json_t *ms_call_provenance(const ms_call *call)
{
    static const char *const of_parts[] = {"format", "system_digest", "inputs_digest"};
    if (call->given == NULL)
        return ms_provenance(call->arguments.line);
    json_t *provenance = json_copy(call->given->provenance);
    for (int k = 0; k < MS_COUNT(of_parts); k++)
        (void)json_object_del(provenance, of_parts[k]);
    return provenance;
}
