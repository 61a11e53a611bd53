/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all commands do that share their rows: compute them here and on other ranks, or a part, or read them. */
#include <stdio.h>
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

/* The job, whose rows are delivered to a file, each with its place in the grid as "row". */
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
    char *text =
        json_object_set_new(record, "row", json_integer(k)) == 0 ? ms_sweep_file_text(file, record) : NULL;
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

/* Of the rows of a part, their places are known beforehand. */
typedef struct places {
    ms_shard shard;
    long n, next; /* rows of the grid; the next one of the part, or before it */
} places;

static int place_at(void *self, long k, bool again, json_t **row, ms_error *error)
{
    places *p = self;
    (void)k;
    *row = NULL;
    if (again)
        return MS_OK;
    p->next = ms_shard_next(&p->shard, p->n, p->next);
    *row = json_pack("{s:I}", "row", (json_int_t)p->next++);
    return *row != NULL ? MS_OK : ms_fail(error, MS_NO_MEMORY, "not enough memory for a row");
}

static int resume(const ms_call *call, long n, ms_sweep_file *file, ms_error *error)
{
    places p = {.shard = call->arguments.shard, .n = n};
    ms_sweep_resume request = {.rows = ms_shard_rows(&p.shard, n),
                               .self = &p,
                               .shape = place_at,
                               .more = true,
                               .repair = call->arguments.repair};
    const int status = ms_sweep_file_resume(file, &request, error);
    ms_call_repaired(&request);
    return status;
}

void ms_call_repaired(const ms_sweep_resume *resume)
{
    if (resume->repaired.text[0] != '\0')
        fprintf(stderr, "macrostep: --repair: %s\n", resume->repaired.text);
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
            call->arguments.resume ? resume(call, job->n, &file, error) : ms_sweep_file_begin(&file, error);
    if (status == MS_OK)
        status = write_rows(job, plan, &file, error);
    const int closed = ms_sweep_file_close(&file, &closing);
    return status == MS_OK && closed != MS_OK ? ms_fail(error, closed, "%s", closing.text) : status;
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
                       parts->part[0].path, parts->rows, job->n);
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
