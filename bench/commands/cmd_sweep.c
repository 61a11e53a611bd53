/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "json_text.h"
#include "plots.h"
#include "sweep_columns.h"
#include "sweep_sample.h"

typedef struct sweep_call {
    ms_call base;
    ms_sweep sweep;
    ms_sweep_file file;
    ms_sweep_cursor cursor; /* the way through the grid beside a file that is resumed, */
    ms_sweep_point point;   /* and where it is */
    json_t *cells;          /* of a table: rows with the members that it shows */
    ms_sweep_columns columns;
    FILE *log;
    int threads;
    uint64_t digest; /* of the call */
    char *letters;   /* (rows) one letter for each row, in order; NULL without a picture */
    long rows_of_grid, rows, resumed, delivered, agreeing, disagreeing;
} sweep_call;

/* The call ----------------------------------------------------------------------------------------------- */

/* Rows of the grid, and of the part asked for. */
static int count_rows(sweep_call *call, ms_error *error)
{
    const ms_shard *shard = &call->base.arguments.shard;
    const int status = ms_sweep_count(&call->sweep, &call->rows_of_grid, error);
    call->rows = ms_shard_rows(shard, call->rows_of_grid);
    return status;
}

/* Announces the size of a large grid, and how many of its rows are variants not asked for by name. */
static int announce_rows(sweep_call *call, ms_error *error)
{
    enum { LARGE = 10000 };
    ms_arguments *arguments = &call->base.arguments;
    long rows = 0;
    if (call->rows_of_grid <= LARGE || call->base.ranks.rank > 0)
        return MS_OK;
    const int variants = arguments->variants;
    arguments->variants = MS_VARIANTS_DEFAULT;
    const int status = ms_sweep_count(&call->sweep, &rows, error);
    arguments->variants = variants;
    if (status == MS_OK && rows < call->rows_of_grid)
        ms_progress_announce("sweep: %ld rows, with all variants of each scheme; --variants default has %ld",
                             call->rows_of_grid, rows);
    else if (status != MS_INTERRUPTED)
        ms_progress_announce("sweep: %ld rows", call->rows_of_grid);
    return status == MS_INTERRUPTED ? status : MS_OK;
}

static int read_sweep(void *self, ms_error *error)
{
    sweep_call *call = self;
    ms_arguments *arguments = &call->base.arguments;
    const bool sampled = arguments->sample > 0;
    if (sampled)
        MS_TRY(ms_sweep_sample_check(arguments, error));
    if (!sampled && arguments->resume && arguments->format == MS_FORMAT_TABLE)
        return ms_fail(error, MS_INVALID, "--resume: requires --format csv, json or jsonl");
    if (arguments->wide && arguments->format != MS_FORMAT_CSV)
        return ms_fail(error, MS_INVALID, "--wide applies only to --format csv");
    if (!sampled && arguments->shard.of > 0 && arguments->format == MS_FORMAT_TABLE)
        return ms_fail(error, MS_INVALID, "--shard %s: requires --format csv, json or jsonl",
                       arguments->text[MS_ARGUMENT_SHARD]);
    if (!sampled && arguments->text[MS_ARGUMENT_COLUMNS] != NULL &&
        (arguments->resume || arguments->shard.of > 0))
        return ms_fail(error, MS_INVALID, "--columns %s: rows that are resumed or joined need all columns",
                       arguments->text[MS_ARGUMENT_COLUMNS]);
    if (arguments->resume && arguments->text[MS_ARGUMENT_PLOT] != NULL)
        return ms_fail(error, MS_INVALID, "--plot %s: --resume does not read all rows; leave one of them out",
                       arguments->text[MS_ARGUMENT_PLOT]);
    int status = ms_sweep_create(arguments, &call->sweep, error);
    MS_THEN(status, count_rows(call, error));
    if (status == MS_OK && arguments->text[MS_ARGUMENT_PLOT] != NULL && !sampled)
        call->letters = calloc((size_t)call->rows + 1, 1);
    return status;
}

static int make_provenance(sweep_call *call, json_t **provenance, ms_error *error)
{
    const int status = ms_call_rows_provenance(&call->base, NULL, provenance, error);
    call->digest = ms_call_digest(&call->base, *provenance, call->rows);
    return status;
}

/* Columns of CSV ----------------------------------------------------------------------------------------- */

/* Has each member a column of its own? Those of one model have, and those that are chosen. */
static bool is_wide(const sweep_call *call)
{
    const ms_arguments *arguments = &call->base.arguments;
    return arguments->wide || call->sweep.n_models == 1 || arguments->text[MS_ARGUMENT_COLUMNS] != NULL;
}

static void note_paths(const sweep_call *call, json_t *row, ms_csv_columns *all)
{
    const bool whole = is_wide(call) || ms_row_narrow(row) == 0;
    json_t *flat = whole ? ms_json_flatten(row) : NULL;
    ms_csv_columns_add(all, flat);
    json_decref(flat);
}

/* Rows differ in shape by model, case, parameters and scheme family. */
static bool same_shape(const ms_sweep_point *a, const ms_sweep_point *b)
{
    bool same = a->model == b->model && a->case_name == b->case_name &&
                strcmp(a->options.scheme, b->options.scheme) == 0;
    for (int k = 0; k < a->n_settings && same; k++)
        same = a->settings[k].value == b->settings[k].value;
    return same;
}

static int choose_columns(const sweep_call *call, json_t **paths, ms_error *error)
{
    const char *names = call->base.arguments.text[MS_ARGUMENT_COLUMNS];
    json_t *chosen = NULL;
    if (names == NULL)
        return MS_OK;
    const int status = ms_answer_choose(names, call->columns.column, *paths, &chosen, error);
    json_decref(*paths);
    *paths = status == MS_OK ? ms_answer_paths(chosen) : NULL;
    json_decref(chosen);
    return status;
}

/* A part has the columns of the whole. */
static int find_columns(const sweep_call *call, json_t **found, ms_error *error)
{
    ms_sweep_cursor cursor = {.sweep = &call->sweep};
    ms_sweep_point points[2] = {{0}, {0}};
    ms_csv_columns all = {json_array(), json_object()};
    bool more = true;
    int status = MS_OK;
    for (int k = 0; status == MS_OK && more; k++) {
        ms_sweep_point *point = &points[k % 2], *before = &points[(k + 1) % 2];
        json_t *row = NULL;
        status = ms_sweep_next(&cursor, point, &more, error);
        if (status != MS_OK || !more || (k > 0 && same_shape(point, before)))
            continue;
        status = ms_sweep_shape(point, false, &row, error);
        if (status == MS_OK)
            note_paths(call, row, &all);
        json_decref(row);
    }
    *found = ms_csv_columns_take(&all);
    if (status != MS_OK) {
        json_decref(*found);
        *found = NULL;
    }
    if (status == MS_OK && *found == NULL)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the columns");
    MS_THEN(status, choose_columns(call, found, error));
    ms_sweep_point_destroy(&points[0]);
    ms_sweep_point_destroy(&points[1]);
    ms_sweep_cursor_destroy(&cursor);
    return status;
}

/* Rows --------------------------------------------------------------------------------------------------- */

/* A row is passed on as its letter (whether its growth agrees) and its text (taken over). */
static json_t *with_letter(const json_t *row, char *text)
{
    const json_t *agree = json_object_get(row, "agree");
    const char letter = json_is_true(agree) ? 'T' : json_is_false(agree) ? 'F' : 'N';
    json_t *record = text != NULL ? json_sprintf("%c%s", letter, text) : NULL;
    free(text);
    return record;
}

static void count_agreement(sweep_call *call, char letter)
{
    if (call->letters != NULL && call->delivered < call->rows)
        call->letters[call->delivered] = letter;
    call->delivered++;
    call->agreeing += letter == 'T';
    call->disagreeing += letter == 'F';
}

static json_t *record_text(void *self, json_t *row)
{
    const sweep_call *call = self;
    return with_letter(row, ms_row_text(&call->file.form, row));
}

static int deliver_text(void *self, long k, json_t *record, ms_error *error)
{
    sweep_call *call = self;
    (void)k;
    const char *text = json_string_value(record);
    count_agreement(call, text[0]);
    return ms_sweep_file_append(&call->file, text + 1, error);
}

/* Of a row that goes into a table only what may be shown there is kept. */
static json_t *record_cells(void *self, json_t *row)
{
    const sweep_call *call = self;
    json_t *cells = ms_sweep_columns_cells(row, call->base.arguments.text[MS_ARGUMENT_COLUMNS] != NULL);
    char *text = ms_json_line(cells);
    json_decref(cells);
    return with_letter(row, text);
}

static int deliver_cells(void *self, long k, json_t *record, ms_error *error)
{
    sweep_call *call = self;
    (void)k;
    const char *text = json_string_value(record);
    count_agreement(call, text[0]);
    ms_json_append(&call->cells, json_loads(text + 1, 0, NULL));
    return call->cells != NULL ? MS_OK : ms_fail(error, MS_NO_MEMORY, "not enough memory for the rows");
}

static int run_rows(sweep_call *call, bool table, ms_error *error)
{
    ms_progress progress;
    const ms_sweep_options request = {.rows = call->rows_of_grid,
                                      .threads = call->threads,
                                      .self = call,
                                      .record = table ? record_cells : record_text,
                                      .deliver = table ? deliver_cells : deliver_text};
    const ms_row_plan plan = {.shard = call->base.arguments.shard,
                              .done = call->resumed,
                              .ranks = &call->base.ranks,
                              .digest = call->digest,
                              .stop = &ms_interrupted,
                              .progress = &progress};
    ms_progress_begin(&progress, "sweep", 1);
    const int status = ms_sweep_run(&call->sweep, &request, &plan, error);
    ms_progress_end(&progress);
    return status;
}

/* The log, beside the file: what must not be in it ------------------------------------------------------- */

static void write_time(FILE *file)
{
    char text[32] = "";
    const time_t now = time(NULL);
    struct tm parts;
    if (gmtime_r(&now, &parts) != NULL && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts) > 0)
        fputs(text, file);
}

static void begin_log(sweep_call *call)
{
    char path[PATH_MAX], host[128] = "";
    if (snprintf(path, sizeof path, "%s.log", call->file.path) < (int)sizeof path)
        call->log = ms_output_append(path);
    if (call->log == NULL)
        return; /* the file does not need it */
    gethostname(host, sizeof host - 1);
    write_time(call->log);
    fprintf(call->log, " %s; host %s; %d threads; rows %ld to %ld\n", call->base.arguments.line, host,
            call->threads, call->resumed, call->rows - 1);
    fflush(call->log);
}

static void end_log(sweep_call *call, int status)
{
    if (call->log == NULL)
        return;
    write_time(call->log);
    fprintf(call->log, " %s; %ld rows; of them growth as predicted %ld, otherwise %ld\n",
            status == MS_OK            ? "done"
            : status == MS_INTERRUPTED ? "interrupted"
                                       : "failed",
            call->delivered, call->agreeing, call->disagreeing);
    fclose(call->log);
    call->log = NULL;
}

/* The command -------------------------------------------------------------------------------------------- */

static int sweep_to_table(sweep_call *call, ms_error *error)
{
    ms_answer *answer = &call->base.answer;
    int status = make_provenance(call, &answer->provenance, error);
    call->cells = json_array();
    if (status == MS_OK && call->base.ranks.rank == 0)
        status = ms_output_open(call->base.arguments.text[MS_ARGUMENT_OUTPUT], &call->base.output, error);
    MS_THEN(status, run_rows(call, true, error));
    if (status != MS_OK && status != MS_INTERRUPTED)
        return status;
    answer->columns = call->columns.column;
    answer->value = ms_json_object("rows:O rows_of_grid:l agreeing:l disagreeing:l", call->cells, call->rows,
                                   call->agreeing, call->disagreeing);
    return status;
}

/* A row with the shape of row k; again: the shape of a row that does not fit (ms_sweep_shape). */
static int shape_at(void *self, long k, bool again, json_t **row, ms_error *error)
{
    sweep_call *call = self;
    const int status = again ? MS_OK : ms_sweep_seek(&call->cursor, k, &call->point, error);
    return status == MS_OK ? ms_sweep_shape(&call->point, !again, row, error) : status;
}

static int open_file(sweep_call *call, ms_row_keys *keys, ms_error *error)
{
    const ms_arguments *arguments = &call->base.arguments;
    json_t *provenance = NULL, *csv = NULL;
    int status = make_provenance(call, &provenance, error);
    if (status == MS_OK && arguments->format == MS_FORMAT_CSV)
        status = find_columns(call, &csv, error);
    MS_THEN(status, ms_sweep_file_create(ms_call_output(&call->base), arguments->format, csv, provenance,
                                         call->rows_of_grid, &call->file, error));
    call->file.form.wide = is_wide(call);
    json_decref(provenance);
    MS_THEN(status, ms_call_open_rows(&call->base, keys, &call->file, error));
    call->resumed = call->file.rows;
    return status;
}

static int sweep_to_file(sweep_call *call, ms_error *error)
{
    ms_row_keys keys = {.n = call->rows_of_grid, .self = call, .shape = shape_at};
    int status = open_file(call, &keys, error);
    if (status == MS_OK && call->file.path != NULL && call->file.regular)
        begin_log(call);
    MS_THEN(status, run_rows(call, false, error));
    end_log(call, status);
    return ms_call_close_rows(status, &keys, &call->file, error);
}

/* The picture ---------------------------------------------------------------------------------------------- */

/* [[[0, 0, 0], ..], ..]: models by families. */
static json_t *empty_cells(int models, int families)
{
    json_t *cells = json_array();
    for (int j = 0; j < models; j++) {
        json_t *line = json_array();
        for (int i = 0; i < families; i++)
            ms_json_append(&line, json_pack("[i, i, i]", 0, 0, 0));
        ms_json_append(&cells, line);
    }
    return cells;
}

static void count_row(const sweep_call *call, json_t *cells, const ms_sweep_point *point, char letter)
{
    const ms_sweep *sweep = &call->sweep;
    int j = 0, i = 0;
    while (j + 1 < sweep->n_models && sweep->models[j] != point->model)
        j++;
    while (i + 1 < sweep->variants.schemes.n &&
           strcmp(ms_axis_value(&sweep->variants.schemes, i), point->options.scheme) != 0)
        i++;
    json_t *cell = json_array_get(json_array_get(cells, (size_t)j), (size_t)i);
    const size_t kind = letter == 'T' ? 0 : letter == 'F' ? 1 : 2;
    (void)json_array_set_new(cell, kind, json_integer(json_integer_value(json_array_get(cell, kind)) + 1));
}

/* {"models", "schemes", "cells"}: how many rows of each model and family grew as predicted, otherwise, or could not be compared. */
static int count_cells(sweep_call *call, ms_error *error)
{
    const ms_sweep *sweep = &call->sweep;
    json_t *models = json_array(), *schemes = json_array(),
           *cells = empty_cells(sweep->n_models, sweep->variants.schemes.n);
    for (int k = 0; k < sweep->n_models; k++)
        ms_json_append(&models, ms_json_text(sweep->models[k]->name));
    for (int k = 0; k < sweep->variants.schemes.n; k++)
        ms_json_append(&schemes, ms_json_text(ms_axis_value(&sweep->variants.schemes, k)));
    ms_sweep_cursor cursor = {.sweep = sweep};
    ms_sweep_point point = {0};
    bool more = true;
    int status = MS_OK;
    for (long row = 0; row < call->delivered && more && status == MS_OK; row++) {
        status = ms_sweep_next(&cursor, &point, &more, error);
        if (status == MS_OK && more)
            count_row(call, cells, &point, call->letters[row]);
    }
    ms_sweep_point_destroy(&point);
    ms_sweep_cursor_destroy(&cursor);
    call->base.plotted = ms_json_object("models:o schemes:o cells:o", models, schemes, cells);
    return status;
}

static int compute(void *self, ms_error *error)
{
    sweep_call *call = self;
    const ms_arguments *arguments = &call->base.arguments;
    call->threads = ms_arguments_threads(arguments);
    const bool table = arguments->format == MS_FORMAT_TABLE;
    call->base.written = !table;
    int status = announce_rows(call, error);
    MS_THEN(status, ms_sweep_columns_create(arguments->axes, arguments->n_axes,
                                            arguments->options.given[MS_OPTION_AS], &call->columns, error));
    MS_THEN(status, table ? sweep_to_table(call, error) : sweep_to_file(call, error));
    return status == MS_OK && call->letters != NULL && call->base.ranks.rank == 0 ? count_cells(call, error)
                                                                                  : status;
}

static void destroy(void *self)
{
    sweep_call *call = self;
    ms_sweep_file_close(&call->file, &(ms_error){0});
    ms_sweep_point_destroy(&call->point);
    ms_sweep_cursor_destroy(&call->cursor);
    free(call->letters);
    json_decref(call->cells);
    ms_sweep_columns_destroy(&call->columns);
    ms_sweep_destroy(&call->sweep);
}

static void begin(void *self)
{
    sweep_call *call = self;
    call->file.descriptor = -1;
    call->cursor.sweep = &call->sweep;
}

/* Random parameters -------------------------------------------------------------------------------------- */

static int compute_sample(void *self, ms_error *error)
{
    sweep_call *call = self;
    MS_TRY(announce_rows(call, error));
    return ms_sweep_sample_compute(&call->base, &call->sweep, call->rows_of_grid, error);
}

static const ms_call_steps of_sample = {
    .size = sizeof(sweep_call), .compute = compute_sample, .plot_answer = ms_plot_fan, .destroy = destroy};

static int around(const ms_call_steps *steps, void *self, ms_error *error)
{
    sweep_call *call = self;
    call->base.steps = call->base.arguments.sample > 0 ? &of_sample : steps;
    return ms_call_work(call->base.steps, &call->base, error);
}

const ms_call_steps ms_command_sweep = {.size = sizeof(sweep_call),
                                        .begin = begin,
                                        .opens_itself = true,
                                        .read = read_sweep,
                                        .around = around,
                                        .compute = compute,
                                        .plot_answer = ms_plot_sweep,
                                        .destroy = destroy};
