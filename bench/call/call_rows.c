/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by all commands whose rows can be shared: rows are computed here and on other ranks, computed in part, or
 * read. */
#include <stdlib.h>

#include "call.h"
#include "progress.h"
#include "provenance.h"
#include "standard_output.h"

/* Parts -------------------------------------------------------------------------------------------------- */

int ms_call_rows_provenance(const ms_call *call, const char *format, json_t **provenance, ms_error *error)
{
    const ms_arguments *arguments = &call->arguments;
    *provenance = ms_provenance_of_part(ms_provenance(arguments->line), &arguments->shard);
    if (format != NULL)
        ms_json_set(provenance, "format", json_string(format));
    MS_TRY_MEMORY_FOR(*provenance != NULL, error, "the provenance");
    const int status =
        ms_provenance_digest(*provenance, "system_digest", arguments->text[MS_ARGUMENT_SYSTEM], error);
    return status == MS_OK ? ms_provenance_digest(*provenance, "inputs_digest",
                                                  arguments->text[MS_ARGUMENT_INPUTS], error)
                           : status;
}

uint64_t ms_call_digest(const ms_call *call, const json_t *provenance, long rows)
{
    char *text = json_dumps(provenance, JSON_COMPACT), numbers[48];
    snprintf(numbers, sizeof numbers, "%ld %d", rows, (int)call->arguments.format);
    const uint64_t digest = text != NULL ? ms_ranks_digest(ms_ranks_digest(0, text), numbers) : 0;
    free(text);
    return digest;
}

int ms_call_open_rows(const ms_call *call, ms_row_keys *keys, ms_sweep_file *file, ms_error *error)
{
    keys->shard = call->arguments.shard;
    keys->resume = call->arguments.resume;
    keys->repair = call->arguments.repair;
    const int status = call->ranks.rank == 0 ? ms_sweep_file_open(file, keys, error) : MS_OK;
    if (keys->repaired.text[0] != '\0')
        ms_command_note("--repair", keys->repaired.text);
    return status;
}

int ms_call_close_rows(int status, const ms_row_keys *keys, ms_sweep_file *file, ms_error *error)
{
    ms_error closing;
    if (status == MS_INTERRUPTED)
        ms_fail(error, status, "interrupted after %ld of %ld rows%s", file->rows,
                ms_shard_rows(&keys->shard, keys->n),
                file->regular ? "; the same call with --resume continues" : "");
    const int closed = ms_sweep_file_close(file, &closing);
    return status == MS_OK && closed != MS_OK ? ms_fail(error, closed, "%s", closing.text) : status;
}

const char *ms_call_output(const ms_call *call)
{
    const char *path = call->arguments.text[MS_ARGUMENT_OUTPUT];
    return path != NULL && !ms_standard_output_is(path) ? path : NULL;
}

/* A row of a part carries its key, its number in the grid, as "row". */
static int deliver_to_part(void *receiver, long k, json_t *record, ms_error *error)
{
    ms_sweep_file *file = receiver;
    const bool keyed = json_object_set_new(record, "row", json_integer(k)) == 0;
    char *text = keyed ? ms_row_text(&file->form, record) : NULL;
    const int status = text != NULL ? ms_sweep_file_append(file, text, error)
                                    : ms_fail(error, MS_NO_MEMORY, "not enough memory for a row");
    free(text);
    return status;
}

static int key_of_part(void *self, long k, bool again, json_t **row, ms_error *error)
{
    (void)self;
    *row = again ? NULL : ms_json_object("row:l", k);
    return again || *row != NULL ? MS_OK : ms_fail(error, MS_NO_MEMORY, "not enough memory for a row");
}

static int write_part(ms_call *call, const ms_row_job *job, const ms_row_plan *of_all,
                      const json_t *provenance, ms_error *error)
{
    ms_row_keys keys = {.n = job->n, .shape = key_of_part};
    ms_row_plan plan = *of_all;
    ms_sweep_file file;
    int status =
        ms_sweep_file_create(ms_call_output(call), MS_FORMAT_JSON, NULL, provenance, job->n, &file, error);
    file.form.more = true;
    MS_THEN(status, ms_call_open_rows(call, &keys, &file, error));
    plan.done = file.rows;
    plan.deliver = deliver_to_part;
    plan.receiver = &file;
    MS_THEN(status, ms_row_work(job, &plan, error));
    return ms_call_close_rows(status, &keys, &file, error);
}

/* Merging ------------------------------------------------------------------------------------------------ */

/* The row without its key, which must be k. NULL with the error. */
static json_t *read_row(const char *text, long k, ms_error *error)
{
    json_t *record = json_loads(text, 0, NULL);
    const json_t *key = json_object_get(record, "row");
    if (json_is_integer(key) && json_integer_value(key) == k) {
        json_object_del(record, "row");
        return record;
    }
    if (json_is_integer(key))
        ms_fail(error, MS_INVALID, "row %" JSON_INTEGER_FORMAT " is in the place of row %ld of the grid",
                json_integer_value(key), k);
    else if (record != NULL)
        ms_fail(error, MS_INVALID, "row %ld of the grid does not say which row it is", k);
    else
        ms_fail(error, MS_INVALID, "row %ld of the grid is not a JSON object: %.60s", k, text);
    json_decref(record);
    return NULL;
}

/* Delivers rows that others have computed, for a grid that must be the same. */
static int deliver_given(ms_call *call, const ms_row_job *job, ms_error *error)
{
    ms_parts *parts = call->given;
    int status = MS_OK;
    if (parts->rows != job->n)
        return ms_fail(error, MS_INVALID, "%s: was made for a grid of %ld rows, but the call now has %ld",
                       parts->first, parts->rows, job->n);
    for (long k = 0; k < job->n && status == MS_OK; k++) {
        status = ms_parts_row(parts, k, error);
        json_t *record = status == MS_OK ? read_row(parts->reader.text, k, error) : NULL;
        MS_THEN(status, record != NULL ? job->deliver(job->self, k, record, error) : MS_INVALID);
        json_decref(record);
    }
    return status;
}

/* All together ------------------------------------------------------------------------------------------- */

static int compute_rows(ms_call *call, ms_row_job *job, const json_t *provenance, ms_error *error)
{
    const bool is_part = call->arguments.shard.of > 0;
    ms_progress progress;
    ms_row_plan plan = {.shard = call->arguments.shard,
                        .gaps = !is_part,
                        .ranks = &call->ranks,
                        .digest = ms_call_digest(call, provenance, job->n),
                        .stop = &ms_interrupted,
                        .progress = &progress};
    ms_progress_begin(&progress, job->what, 1);
    const int status =
        is_part ? write_part(call, job, &plan, provenance, error) : ms_row_work(job, &plan, error);
    ms_progress_end(&progress);
    call->written = is_part || call->ranks.rank > 0;
    return status;
}

int ms_call_rows(ms_call *call, ms_row_job *job, ms_error *error)
{
    const char *format = call->arguments.text[MS_ARGUMENT_FORMAT];
    json_t *provenance = NULL;
    if (call->given != NULL)
        return deliver_given(call, job, error);
    int status = ms_call_rows_provenance(call, format != NULL ? format : "table", &provenance, error);
    MS_THEN(status, compute_rows(call, job, provenance, error));
    json_decref(provenance);
    return status;
}

json_t *ms_call_provenance(const ms_call *call)
{
    static const char *const of_parts[] = {"format", "system_digest", "inputs_digest", "rows_of_grid"};
    if (call->given == NULL)
        return ms_provenance(call->arguments.line);
    json_t *provenance = json_copy(call->given->provenance);
    for (int k = 0; k < MS_COUNT(of_parts); k++)
        (void)json_object_del(provenance, of_parts[k]);
    return provenance;
}
