/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all commands do that share their rows: compute them here and on other ranks, or a part, or read them. */
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "progress.h"
#include "provenance.h"
#include "sweep_file.h"

/* Parts -------------------------------------------------------------------------------------------------- */

/* Of a part also the format of the whole, which its own file does not show, and what file names hide. */
static int make_provenance(const ms_call *call, json_t **provenance, ms_error *error)
{
    static const char *const formats[] = {[MS_FORMAT_TABLE] = "table",
                                          [MS_FORMAT_CSV] = "csv",
                                          [MS_FORMAT_JSON] = "json",
                                          [MS_FORMAT_JSONL] = "jsonl"};
    const ms_arguments *arguments = &call->arguments;
    *provenance = ms_provenance_of_part(ms_provenance(arguments->line), &arguments->shard);
    ms_json_set(provenance, "format", json_string(formats[arguments->format]));
    if (*provenance == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the provenance");
    const int status =
        ms_provenance_digest(*provenance, "system_digest", arguments->text[MS_ARGUMENT_SYSTEM], error);
    return status == MS_OK ? ms_provenance_digest(*provenance, "inputs_digest",
                                                  arguments->text[MS_ARGUMENT_INPUTS], error)
                           : status;
}

static uint64_t digest_of(const json_t *provenance, long rows)
{
    char *text = json_dumps(provenance, JSON_COMPACT), number[32];
    snprintf(number, sizeof number, "%ld", rows);
    const uint64_t digest = text != NULL ? ms_ranks_digest(ms_ranks_digest(0, text), number) : 0;
    free(text);
    return digest;
}

/* The job, whose rows are delivered to a file. */
typedef struct part_job {
    const ms_row_job *job;
    ms_sweep_file *file;
} part_job;

static int compute_for_part(void *self, void *context, long k, json_t **record, ms_error *error)
{
    const ms_row_job *job = ((part_job *)self)->job;
    return job->compute(job->self, context, k, record, error);
}

static void name_for_part(void *self, void *context, long k, char *text, size_t size)
{
    const ms_row_job *job = ((part_job *)self)->job;
    job->name(job->self, context, k, text, size);
}

static int deliver_to_part(void *self, long k, json_t *record, ms_error *error)
{
    ms_sweep_file *file = ((part_job *)self)->file;
    (void)k;
    char *text = ms_sweep_file_text(file, record);
    const int status = text != NULL ? ms_sweep_file_append(file, text, error)
                                    : ms_fail(error, MS_NO_MEMORY, "not enough memory for a row");
    free(text);
    return status;
}

static int write_rows(const ms_row_job *job, ms_row_plan *plan, ms_sweep_file *file, ms_error *error)
{
    const long rows = ms_shard_rows(&plan->shard, job->n);
    part_job self = {job, file};
    ms_row_job part = *job;
    part.self = &self;
    part.compute = compute_for_part;
    part.deliver = deliver_to_part;
    part.name = job->name != NULL ? name_for_part : NULL;
    plan->done = file->rows;
    const int status = ms_row_work(&part, plan, error);
    return status == MS_INTERRUPTED
               ? ms_fail(error, status, "interrupted after %ld of %ld rows%s", file->rows, rows,
                         file->regular ? "; the same call with --resume goes on" : "")
               : status;
}

static int write_part(ms_call *call, const ms_row_job *job, ms_row_plan *plan, const json_t *provenance,
                      ms_error *error)
{
    const char *path = call->arguments.text[MS_ARGUMENT_OUTPUT];
    const bool named = path != NULL && strcmp(path, "-") != 0, writes = call->ranks.rank == 0;
    ms_sweep_file file;
    ms_error closing;
    int status =
        ms_sweep_file_create(named ? path : NULL, MS_FORMAT_JSON, NULL, provenance, job->n, &file, error);
    if (status == MS_OK && writes)
        status =
            call->arguments.resume ? ms_sweep_file_resume(&file, error) : ms_sweep_file_begin(&file, error);
    if (status == MS_OK)
        status = write_rows(job, plan, &file, error);
    const int closed = ms_sweep_file_close(&file, &closing);
    return status == MS_OK && closed != MS_OK ? ms_fail(error, closed, "%s", closing.text) : status;
}

/* Merging ------------------------------------------------------------------------------------------------ */

/* The rows that others have computed, for a grid that has to be the same. */
static int deliver_given(ms_call *call, const ms_row_job *job, ms_error *error)
{
    ms_parts *parts = call->given;
    int status = MS_OK;
    if (parts->rows != job->n)
        return ms_fail(error, MS_INVALID, "%s: is of a grid of %ld rows, but the call now has %ld",
                       parts->part[0].path, parts->rows, job->n);
    for (long k = 0; k < job->n && status == MS_OK; k++) {
        const char *text;
        size_t length;
        status = ms_parts_row(parts, k, &text, &length, error);
        json_t *record = status == MS_OK ? json_loadb(text, length, 0, NULL) : NULL;
        if (status == MS_OK && record == NULL)
            status = ms_fail(error, MS_INVALID, "row %ld of the grid is no JSON object: %.60s", k, text);
        if (status == MS_OK)
            status = job->deliver(job->self, k, record, error);
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
                        .digest = digest_of(provenance, job->n),
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
    json_t *provenance = NULL;
    if (call->given != NULL)
        return deliver_given(call, job, error);
    int status = make_provenance(call, &provenance, error);
    if (status == MS_OK)
        status = compute_rows(call, job, provenance, error);
    json_decref(provenance);
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
