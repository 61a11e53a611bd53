/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_data.c - data files and tables of a figure file. */
#include <math.h>
#include <stdlib.h>

#include "figure_parts.h"
#include "growing.h"
#include "text_stream.h"

/* Rows ---------------------------------------------------------------------------------------------------- */

/* A data file being written. */
typedef struct data_part {
    ms_data *data;  /* NULL in a dry run */
    bool begun;     /* it has rows .. */
    double stretch; /* .. and the value of "break" of the last one */
} data_part;

static void write_rows(data_part *to, size_t n, size_t rows, const ms_number_column *column, bool breaks)
{
    for (size_t i = 0; i < rows; i++) {
        const double stretch = breaks ? ms_number_column_at(&column[n], i) : 0.0;
        if (breaks && to->begun && stretch != to->stretch)
            ms_data_break(to->data);
        to->begun = true;
        to->stretch = stretch;
        for (size_t j = 0; j < n; j++)
            ms_data_cell(to->data, ms_number_column_at(&column[j], i));
    }
}

/* One column of a data file: its name, its expression, and the place of the expression. */
typedef struct one_column {
    const char *name, *key; /* name in the data; key in the file, which may contain braces */
    const json_t *text;
    ms_figure_scope scope;
} one_column;

typedef struct column_list {
    size_t n, room;
    one_column *of; /* (n), owned */
} column_list;

static int add_column(column_list *list, const one_column *column, ms_error *error)
{
    MS_TRY_MEMORY_FOR(ms_grow(&list->of, &list->room, list->n + 1, sizeof *column), error, "the figure");
    list->of[list->n++] = *column;
    return MS_OK;
}

/* {"each": FAMILY, "value": EXPRESSION}: a column for each member with the items of the scope. */
static int add_each(const ms_figure_scope *scope, const char *name, const json_t *spec, const ms_passage *at,
                    column_list *list, ms_error *error)
{
    const ms_passage each_at = ms_passage_member(at, "each");
    const ms_figure_family *family;
    int status = ms_figure_family_get(scope->work, json_object_get(spec, "each"), &each_at, &family, error);
    for (size_t k = 0; status == MS_OK && k < family->n; k++) {
        one_column one = {.key = name,
                          .text = json_object_get(spec, "value"),
                          .scope = {.work = scope->work, .family = family, .member = &family->member[k]}};
        if (!ms_figure_scope_fits(scope, family, &family->member[k]))
            continue;
        status = ms_passage_locate(at, ms_figure_text(&one.scope, name, false, &one.name, error), error);
        MS_THEN(status, add_column(list, &one, error));
    }
    return status;
}

static int list_columns(const ms_figure_scope *scope, const json_t *spec, const ms_passage *at,
                        column_list *list, ms_error *error)
{
    const ms_passage columns_at = ms_passage_member(at, "columns");
    const char *name;
    json_t *text;
    int status = MS_OK;
    *list = (column_list){0};
    json_object_foreach (json_object_get(spec, "columns"), name, text) {
        const ms_passage here = ms_passage_member(&columns_at, name);
        MS_THEN(status, json_is_object(text)
                            ? add_each(scope, name, text, &here, list, error)
                            : add_column(list, &(one_column){name, name, text, *scope}, error));
    }
    return status;
}

/* Evaluates the columns, followed by "break" if given. */
static int evaluate(ms_figure_scope *scope, const json_t *spec, const ms_passage *at, column_list *list,
                    ms_number_column *column, ms_error *error)
{
    const json_t *breaks = json_object_get(spec, "break");
    const ms_passage columns_at = ms_passage_member(at, "columns"), break_at = ms_passage_member(at, "break");
    int status = MS_OK;
    for (size_t k = 0; k < list->n && status == MS_OK; k++) {
        const ms_passage here = ms_passage_member(&columns_at, list->of[k].key);
        status = ms_figure_column(&list->of[k].scope, list->of[k].text, &here, &column[k], error);
    }
    return status == MS_OK && breaks != NULL
               ? ms_figure_column(scope, breaks, &break_at, &column[list->n], error)
               : status;
}

/* Columns of the scope, all of the same length. */
static int write_columns(ms_figure_scope *scope, const json_t *spec, const ms_passage *at, data_part *to,
                         ms_error *error)
{
    const bool breaks = json_object_get(spec, "break") != NULL;
    column_list list;
    size_t rows = 0;
    bool single;
    int status = list_columns(scope, spec, at, &list, error);
    ms_number_column *column = calloc(list.n + 1, sizeof *column);
    if (status == MS_OK && column == NULL)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the figure");
    MS_THEN(status, evaluate(scope, spec, at, &list, column, error));
    if (status == MS_OK) {
        const ms_passage columns_at = ms_passage_member(at, "columns");
        status = ms_passage_locate(
            &columns_at, ms_number_columns_rows(list.n + breaks, column, &rows, &single, error), error);
    }
    if (status == MS_OK && to->data != NULL)
        write_rows(to, list.n, rows, column, breaks);
    for (size_t j = 0; column != NULL && j <= list.n; j++)
        ms_number_column_free(&column[j]);
    MS_FREE(column, list.of);
    return status;
}

/* "a,b,c" for the head of the file; owned, NULL: no memory. */
static char *head_of(const column_list *list)
{
    ms_text_stream stream;
    FILE *to = ms_text_open(&stream);
    for (size_t k = 0; to != NULL && k < list->n; k++)
        fprintf(to, "%s%s", k > 0 ? "," : "", list->of[k].name);
    return ms_text_close(&stream);
}

static int begin_part(ms_figure_scope *scope, const char *name, const json_t *spec, const ms_passage *at,
                      data_part *to, ms_error *error)
{
    const char *filled;
    column_list list = {0};
    *to = (data_part){0};
    int status = ms_passage_locate(at, ms_figure_text(scope, name, false, &filled, error), error);
    if (status != MS_OK || scope->work->dry)
        return status;
    status = list_columns(scope, spec, at, &list, error);
    char *head = status == MS_OK ? head_of(&list) : NULL;
    free(list.of);
    if (head != NULL)
        to->data = ms_drawing_data(scope->work->drawing, filled, head);
    if (json_is_false(json_object_get(spec, "thin")))
        ms_data_keep_all(to->data);
    if (status == MS_OK && head == NULL)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the figure");
    free(head);
    return status;
}

static void end_part(const json_t *spec, data_part *to)
{
    if (json_object_get(spec, "break") != NULL && to->begun)
        ms_data_break(to->data);
}

/* Data ---------------------------------------------------------------------------------------------------- */

/* A part for each member of "each"; a row for each member of "of"; otherwise columns of the figure. */
static int make_part(ms_figure_work *work, const char *name, json_t *spec, const ms_passage *at,
                     ms_error *error)
{
    json_t *each = json_object_get(spec, "each"), *of = json_object_get(spec, "of");
    const ms_passage family_at = ms_passage_member(at, each != NULL ? "each" : "of");
    const ms_figure_family *family = NULL;
    ms_figure_scope scope = {.work = work};
    data_part to = {0};
    int status = MS_OK;
    if (each != NULL || of != NULL)
        status = ms_figure_family_get(work, each != NULL ? each : of, &family_at, &family, error);
    if (status == MS_OK && each == NULL)
        status = begin_part(&scope, name, spec, at, &to, error);
    scope.family = family;
    for (size_t k = 0; k < (family != NULL ? family->n : 1) && status == MS_OK; k++) {
        scope.member = family != NULL ? &family->member[k] : NULL;
        if (each != NULL)
            status = begin_part(&scope, name, spec, at, &to, error);
        MS_THEN(status, write_columns(&scope, spec, at, &to, error));
        if (status == MS_OK && each != NULL)
            end_part(spec, &to);
    }
    if (status == MS_OK && each == NULL)
        end_part(spec, &to);
    return status;
}

/* Tables -------------------------------------------------------------------------------------------------- */

/* A cell is an expression; with {"text": ..} a text, null if that is empty, with "number" as well if that differs. */
static int make_cell(ms_figure_scope *scope, const json_t *spec, const ms_passage *at, json_t **cell,
                     ms_error *error)
{
    const json_t *text = json_object_get(spec, "text"),
                 *number = text != NULL ? json_object_get(spec, "number") : spec;
    const ms_passage number_at = ms_passage_member(at, "number");
    const char *filled = "";
    double value = NAN;
    int status =
        number != NULL ? ms_figure_one(scope, number, text != NULL ? &number_at : at, &value, error) : MS_OK;
    if (status == MS_OK && text != NULL)
        status = ms_passage_locate(at, ms_figure_text(scope, json_string_value(text), false, &filled, error),
                                   error);
    if (status == MS_OK)
        *cell = isfinite(value) || *filled == '\0' ? ms_check_value(value) : ms_json_text(filled);
    return status;
}

static int make_row(ms_figure_scope *scope, json_t *columns, const ms_passage *at, ms_table *table,
                    ms_error *error)
{
    json_t *cells = json_array(), *spec;
    const char *name;
    int status = MS_OK;
    json_object_foreach (columns, name, spec) {
        const ms_passage here = ms_passage_member(at, name);
        json_t *cell = NULL;
        MS_THEN(status, make_cell(scope, spec, &here, &cell, error));
        if (status == MS_OK)
            ms_json_append(&cells, cell);
    }
    if (status == MS_OK && !scope->work->dry)
        ms_table_row(table, cells);
    else
        json_decref(cells);
    return status;
}

/* "a|b|c"; owned, NULL: no memory. */
static char *table_head(json_t *columns)
{
    ms_text_stream stream;
    FILE *to = ms_text_open(&stream);
    const char *name, *between = "";
    json_t *text;
    json_object_foreach (columns, name, text) {
        if (to != NULL)
            fprintf(to, "%s%s", between, name);
        between = "|";
    }
    return ms_text_close(&stream);
}

static int begin_table(ms_figure_scope *scope, const char *part, const json_t *spec, json_t *columns,
                       ms_table **table, ms_error *error)
{
    const char *name, *title;
    *table = NULL;
    int status = ms_figure_text(scope, part, false, &name, error);
    MS_THEN(status,
            ms_figure_text(scope, json_string_value(json_object_get(spec, "title")), false, &title, error));
    if (status != MS_OK || scope->work->dry)
        return status;
    char *head = table_head(columns);
    if (head != NULL)
        *table = ms_drawing_table(scope->work->drawing, name, title, head);
    free(head);
    return head != NULL ? MS_OK : ms_fail(error, MS_NO_MEMORY, "not enough memory for the figure");
}

/* A row for each member of "of" with the items of the scope, followed by the rows of "then". */
static int make_rows(const ms_figure_scope *scope, json_t *spec, const ms_passage *at, ms_table *table,
                     ms_error *error)
{
    json_t *columns = json_object_get(spec, "columns"), *then = json_object_get(spec, "then");
    const ms_passage of_at = ms_passage_member(at, "of"), columns_at = ms_passage_member(at, "columns"),
                     then_at = ms_passage_member(at, "then");
    const ms_figure_family *family = NULL;
    int status = ms_figure_family_get(scope->work, json_object_get(spec, "of"), &of_at, &family, error);
    for (size_t k = 0; status == MS_OK && k < family->n; k++) {
        ms_figure_scope row = {.work = scope->work, .family = family, .member = &family->member[k]};
        if (ms_figure_scope_fits(scope, family, row.member))
            status = make_row(&row, columns, &columns_at, table, error);
    }
    return status == MS_OK && then != NULL ? make_rows(scope, then, &then_at, table, error) : status;
}

/* One table, or one per member of "each". */
static int make_table(ms_figure_work *work, const char *part, json_t *spec, const ms_passage *at,
                      ms_error *error)
{
    json_t *columns = json_object_get(spec, "columns"), *each = json_object_get(spec, "each");
    const ms_passage each_at = ms_passage_member(at, "each");
    const ms_figure_family *family = NULL;
    int status = each != NULL ? ms_figure_family_get(work, each, &each_at, &family, error) : MS_OK;
    for (size_t k = 0; k < (family != NULL ? family->n : 1) && status == MS_OK; k++) {
        ms_figure_scope scope = {
            .work = work, .family = family, .member = family != NULL ? &family->member[k] : NULL};
        ms_table *table = NULL;
        status = ms_passage_locate(at, begin_table(&scope, part, spec, columns, &table, error), error);
        MS_THEN(status, make_rows(&scope, spec, at, table, error));
    }
    return status;
}

static int make_all(ms_figure_work *work, const char *kind,
                    int (*make)(ms_figure_work *, const char *, json_t *, const ms_passage *, ms_error *),
                    ms_error *error)
{
    const ms_passage file = ms_figure_whole(work), at = ms_passage_member(&file, kind);
    const char *part;
    json_t *spec;
    json_object_foreach (json_object_get(work->file->spec, kind), part, spec) {
        const ms_passage here = ms_passage_member(&at, part);
        MS_TRY(make(work, part, spec, &here, error));
    }
    return MS_OK;
}

int ms_figure_data_make(ms_figure_work *work, ms_error *error)
{
    const int status = make_all(work, "data", make_part, error);
    return status == MS_OK ? make_all(work, "tables", make_table, error) : status;
}
