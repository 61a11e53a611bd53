/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include <macrostep/series_read.h>
#include "call.h"
#include "judge_answer.h"
#include "progress.h"
#include "provenance.h"
#include "shared_reference.h"

typedef struct judge_call {
    ms_call base;
    int n;              /* files */
    ms_series **series; /* (n) */
    ms_series_errors *errors;
    ms_shared_reference *reference; /* of all of them */
} judge_call;

static int read_files(void *self, ms_error *error)
{
    judge_call *call = self;
    const ms_arguments *arguments = &call->base.arguments;
    const int n = arguments->n_operands;
    int status = MS_OK;
    if (n == 0)
        return ms_fail(error, MS_INVALID, "judge: a result is missing: macrostep judge RESULT.csv.. MODEL");
    call->series = calloc((size_t)n, sizeof(ms_series *));
    call->errors = calloc((size_t)n, sizeof *call->errors);
    if (call->series == NULL || call->errors == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for %d files", n);
    for (; call->n < n && status == MS_OK; call->n++)
        status = ms_series_read(arguments->operands[call->n], &call->series[call->n], error);
    return status;
}

static int measure(judge_call *call, ms_error *error)
{
    const ms_system *system = call->base.system;
    const double start = call->base.arguments.options.start_time;
    ms_progress progress;
    int status =
        ms_shared_reference_create(system, start, MS_SHARED_REFERENCE_BYTES, &call->reference, error);
    ms_progress_begin(&progress, "judge", call->n);
    for (int k = 0; k < call->n && status == MS_OK; k++) {
        ms_progress_part(&progress, k, 1.0);
        status =
            ms_series_errors_measure(system, call->series[k], start, call->base.arguments.options.error_scale,
                                     call->reference, &ms_interrupted, &call->errors[k], error);
    }
    ms_progress_end(&progress);
    return status;
}

/* Which bytes each row is of. */
static int add_digests(judge_call *call, ms_error *error)
{
    json_t *rows = json_object_get(call->base.answer.value, "rows");
    int status = MS_OK;
    for (int k = 0; k < call->n && status == MS_OK && rows != NULL; k++)
        status =
            ms_provenance_digest(json_array_get(rows, (size_t)k), "digest", call->series[k]->path, error);
    return status;
}

static int compute(void *self, ms_error *error)
{
    judge_call *call = self;
    MS_TRY(measure(call, error));
    call->base.answer.columns = ms_judge_columns;
    call->base.answer.value = ms_judge_answer(call->n, call->errors, &call->base.arguments.options);
    return add_digests(call, error);
}

static void destroy(void *self)
{
    judge_call *call = self;
    for (int k = 0; k < call->n; k++) {
        ms_series_errors_destroy(&call->errors[k]);
        ms_series_destroy(&call->series[k]);
    }
    free(call->errors);
    free(call->series);
    ms_shared_reference_destroy(&call->reference);
}

const ms_call_steps ms_command_judge = {.size = sizeof(judge_call),
                                        .binds = MS_BINDS_SYSTEM,
                                        .read = read_files,
                                        .compute = compute,
                                        .destroy = destroy};
