/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "error_label.h"
#include "grid.h"
#include "letters.h"
#include "rounded.h"
#include "text_stream.h"

enum { CELL_LENGTH = 64, INDENT = 2, TABLE_DIGITS = 6 };

static const char *const unnamed = " "; /* heading of a column of names */

/* A text, or the cell above it where they are alike, as most are in columns of types: so a long table has few texts. */
static json_t *shared(const char *text, json_t *above)
{
    const char *same = json_string_value(above);
    return same != NULL && strcmp(same, text) == 0 ? json_incref(above) : json_string(text);
}

/* Cells of numbers have that many digits at most, and no more than what is stated as their error leaves (NaN: nothing is). */
static json_t *rounded_cell(const json_t *value, int digits, double error, json_t *above)
{
    char text[CELL_LENGTH] = "-";
    if (json_is_string(value))
        return json_incref((json_t *)value); /* which is never modified */
    if (json_is_integer(value))
        snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_real(value))
        ms_rounded_text(json_real_value(value), error, digits, text);
    else if (json_is_boolean(value))
        snprintf(text, sizeof text, "%s", json_is_true(value) ? "yes" : "no");
    else if (json_is_array(value) || json_is_object(value))
        return json_string("");
    return shared(text, above);
}

static json_t *cell(const ms_answer *answer, const json_t *value, json_t *above)
{
    return rounded_cell(value, answer->digits > 0 ? answer->digits : TABLE_DIGITS, (double)NAN, above);
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), n = strlen(end);
    return length >= n && strcmp(text + length - n, end) == 0;
}

/* The member that states how far a number of that path may be off, in its unit; NULL: none does. */
static const char *error_member(const json_t *row, const char *path)
{
    const char *norm = json_string_value(json_object_get(row, "norm"));
    const bool relative = ends_with(path, ".l2") || ends_with(path, ".l2_normalized_mean") ||
                          (norm != NULL && strcmp(norm, "l2") == 0);
    if (strcmp(path, "estimate") == 0)
        return "standard_error";
    return (strcmp(path, "error") == 0 || strncmp(path, "errors.", strlen("errors.")) == 0) && !relative
               ? "reference_error"
               : NULL;
}

/* What is stated as the error of that number of a row, there or by the answer; NaN: nothing. */
static double stated_error(const ms_answer *answer, const json_t *row, const char *path)
{
    const char *name = json_string_value(json_object_get(row, "name"));
    const char *member = error_member(row, strcmp(path, "value") == 0 && name != NULL ? name : path);
    const json_t *error = member != NULL ? json_object_get(row, member) : NULL;
    if (error == NULL && member != NULL)
        error = json_object_get(answer->value, member);
    return json_is_number(error) ? json_number_value(error) : (double)NAN;
}

/* Is it a number that was chosen, not found? */
static bool is_setting(const char *path)
{
    return strcmp(path, "step_size") == 0 || ends_with(path, ".step_size") ||
           strcmp(path, "tolerance") == 0 || strncmp(path, "parameters.", strlen("parameters.")) == 0;
}

/* Pages say where a run has not come to its end. Their numbers have what is known, or the digits that are chosen, zeros at the end as
 * well, but for settings, which are exact. */
static json_t *cell_of_row(const ms_answer *answer, const json_t *row, const char *path, json_t *above)
{
    static const char done[] = "end-time";
    const json_t *value = ms_json_at(row, path);
    const char *text = json_string_value(value);
    if (answer->markup != MS_MARKUP_NONE && strcmp(path, "reason") == 0 && text != NULL &&
        strcmp(text, done) == 0)
        return json_string(""); /* runs are expected to end at their end */
    if (answer->markup == MS_MARKUP_NONE)
        return cell(answer, value, above);
    if (answer->digits > 0 && !is_setting(path))
        return rounded_cell(value, answer->digits, 0.0, above);
    return rounded_cell(value, TABLE_DIGITS, stated_error(answer, row, path), above);
}

/* Rows --------------------------------------------------------------------------------------------------- */

/* The columns that are scalars in the first row. */
static json_t *default_heading(json_t *rows)
{
    json_t *heading = json_array();
    const char *key;
    json_t *value;
    json_object_foreach (json_array_get(rows, 0), key, value) {
        if (!json_is_object(value) && !json_is_array(value))
            json_array_append_new(heading, json_string(key));
    }
    return heading;
}

/* Numbers in order, others behind them as they came: an insertion sort of indices. */
static void sort_rows(json_t *rows, const char *rank, size_t *order)
{
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *key = rank != NULL ? ms_json_at(json_array_get(rows, i), rank) : NULL;
        size_t at = i;
        for (; at > 0 && json_is_number(key); at--) {
            const json_t *before = ms_json_at(json_array_get(rows, order[at - 1]), rank);
            if (json_is_number(before) && json_number_value(before) <= json_number_value(key))
                break;
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

static int write_grid(const ms_answer *answer, const json_t *grid, size_t indent, FILE *file)
{
    return answer->markup == MS_MARKUP_NONE
               ? ms_grid_text(grid, indent, file)
               : ms_grid_marked_up(grid, answer->markup, answer->chosen != NULL, file);
}

/* The head of a column; of errors with their norm, and what they are relative to, of step sizes on pages with their unit. */
static const char *title_of(const ms_answer *answer, const ms_column *column)
{
    static const char *const steps[][2] = {{"step size", "step size / s"},
                                           {"critical step size", "critical step size / s"},
                                           {"stable intervals", "stable intervals / s"}};
    for (int k = 0; k < MS_COUNT(steps) && answer->markup != MS_MARKUP_NONE; k++)
        if (strcmp(column->title, steps[k][0]) == 0)
            return steps[k][1];
    const bool is_error = strcmp(column->path, "error") == 0 && strcmp(column->title, "error") == 0;
    return is_error && json_object_get(answer->value, "norm") != NULL ? ms_error_head(answer->value)
                                                                      : column->title;
}

/* Heads and paths of the columns of such rows. */
static int find_columns(const ms_answer *answer, json_t *rows, const ms_column *columns, json_t **heading,
                        json_t **paths)
{
    const bool chosen = answer->chosen != NULL && rows == ms_json_rows(answer->value);
    const char *path;
    json_t *title;
    *heading = columns == NULL && !chosen ? default_heading(rows) : json_array();
    *paths = chosen            ? ms_answer_paths(answer->chosen)
             : columns == NULL ? json_deep_copy(*heading)
                               : json_array();
    json_object_foreach (chosen ? answer->chosen : NULL, path, title) {
        const ms_column column = {path, json_string_value(title)};
        ms_json_append(heading, json_string(title_of(answer, &column)));
    }
    for (int k = 0; !chosen && columns != NULL && columns[k].path != NULL; k++) {
        ms_json_append(heading, json_string(title_of(answer, &columns[k])));
        ms_json_append(paths, json_string(columns[k].path));
    }
    return *heading != NULL && *paths != NULL ? MS_OK : MS_NO_MEMORY;
}

static int write_rows(const ms_answer *answer, json_t *rows, const ms_column *columns, size_t indent,
                      FILE *file)
{
    const char *rank = rows == ms_json_rows(answer->value) ? answer->rank : NULL;
    const size_t n = json_array_size(rows);
    json_t *grid = json_array(), *heading = NULL, *paths = NULL;
    size_t *order = calloc(n + 1, sizeof *order);
    int status = grid != NULL && order != NULL ? MS_OK : MS_NO_MEMORY;
    MS_THEN(status, find_columns(answer, rows, columns, &heading, &paths));
    json_array_append(grid, heading);
    if (status == MS_OK)
        sort_rows(rows, rank, order);
    for (size_t i = 0; i < n && status == MS_OK; i++) {
        json_t *row = json_array(), *above = json_array_get(grid, i);
        for (size_t k = 0; k < json_array_size(paths); k++) {
            const char *path = json_string_value(json_array_get(paths, k));
            json_array_append_new(
                row, cell_of_row(answer, json_array_get(rows, order[i]), path, json_array_get(above, k)));
        }
        if (json_array_append_new(grid, row) != 0)
            status = MS_NO_MEMORY;
    }
    MS_THEN(status, write_grid(answer, grid, indent, file));
    free(order);
    json_decref(grid);
    json_decref(heading);
    json_decref(paths);
    return status;
}

/* Objects ------------------------------------------------------------------------------------------------ */

/* Are all members objects? They are then the rows of a table with their names in front. */
static bool is_table(json_t *object)
{
    const char *key;
    json_t *value;
    json_object_foreach (object, key, value) {
        if (!json_is_object(value))
            return false;
    }
    return json_object_size(object) > 1;
}

static json_t *named_rows(json_t *object)
{
    json_t *rows = json_array();
    const char *key;
    json_t *value;
    json_object_foreach (object, key, value) {
        json_t *row = json_pack("{s:s}", unnamed, key);
        json_object_update(row, value);
        json_array_append_new(rows, row);
    }
    return rows;
}

/* "a, b, c" of scalars; arrays inside in brackets. */
static void write_list(const ms_answer *answer, const json_t *array, FILE *file)
{
    for (size_t k = 0; k < json_array_size(array); k++) {
        const json_t *value = json_array_get(array, k);
        fputs(k > 0 ? ", " : "", file);
        if (json_is_array(value)) {
            fputc('[', file);
            write_list(answer, value, file);
            fputc(']', file);
        } else {
            json_t *text = cell(answer, value, NULL);
            ms_letters_print(json_is_string(text) ? json_string_value(text) : "", file);
            json_decref(text);
        }
    }
    fputs(json_array_size(array) == 0 ? "-" : "", file);
}

static size_t key_width(json_t *object)
{
    size_t width = 0;
    const char *key;
    json_t *value;
    json_object_foreach (object, key, value) {
        width = strlen(key) > width ? strlen(key) : width;
    }
    return width;
}

static int write_object(json_t *object, const ms_answer *answer, size_t indent, FILE *file);

/* What comes after the name of a member. */
static int write_member(json_t *value, const ms_answer *answer, size_t space, size_t indent, FILE *file)
{
    int status = MS_OK;
    if (json_is_object(value) && json_object_size(value) > 0) {
        fputc('\n', file);
        json_t *rows = is_table(value) ? named_rows(value) : NULL;
        status = rows != NULL ? write_rows(answer, rows, NULL, indent, file)
                              : write_object(value, answer, indent, file);
        json_decref(rows);
    } else if (json_is_array(value) && json_is_object(json_array_get(value, 0))) {
        fputc('\n', file);
        status = write_rows(answer, value, NULL, indent, file);
    } else {
        ms_grid_pad(space, file);
        if (json_is_array(value)) {
            write_list(answer, value, file);
        } else {
            json_t *text = cell(answer, value, NULL);
            const bool shown = json_is_string(text) && json_string_length(text) > 0;
            ms_letters_print(shown ? json_string_value(text) : "-", file);
            json_decref(text);
        }
        fputc('\n', file);
    }
    return status;
}

static int write_object(json_t *object, const ms_answer *answer, size_t indent, FILE *file)
{
    const size_t width = key_width(object);
    const char *key;
    json_t *value;
    int status = MS_OK;
    json_object_foreach (object, key, value) {
        if (status != MS_OK || value == ms_json_rows(answer->value))
            continue;
        ms_grid_pad(indent, file);
        ms_letters_print(key, file);
        status = write_member(value, answer, width - strlen(key) + 2, indent + INDENT, file);
    }
    return status;
}

/* Pages ---------------------------------------------------------------------------------------------------- */

/* An object as rows of names and values, all or those that are chosen. */
static json_t *members_of(const ms_answer *answer)
{
    json_t *flat = ms_json_flatten(answer->value), *rows = json_array(), *value;
    const char *path;
    json_object_foreach (answer->chosen != NULL ? answer->chosen : flat, path, value) {
        ms_json_append(&rows, ms_json_object("name:s value:O", path, json_object_get(flat, path)));
    }
    json_decref(flat);
    return rows;
}

const char *ms_answer_page_remark(ms_markup markup)
{
    return markup == MS_MARKUP_MARKDOWN ? "    " : "% ";
}

static void write_remarks(const ms_answer *answer, const char *text, FILE *file)
{
    for (const char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        fprintf(file, "%s%.*s\n", ms_answer_page_remark(answer->markup), (int)length, line);
        line += length + (line[length] == '\n');
    }
}

/* The rest of the answer as remarks of the page. */
static int write_rest(const ms_answer *answer, FILE *file)
{
    ms_text_stream stream;
    ms_answer plain = *answer;
    plain.markup = MS_MARKUP_NONE;
    plain.digits = 0;
    FILE *rest = ms_text_open(&stream);
    int status = rest != NULL ? write_object(answer->value, &plain, 0, rest) : MS_NO_MEMORY;
    char *text = ms_text_close(&stream);
    status = text != NULL ? status : MS_NO_MEMORY;
    if (status == MS_OK)
        write_remarks(answer, text, file);
    free(text);
    return status;
}

static int write_page(const ms_answer *answer, bool remarks, FILE *file)
{
    json_t *rows = ms_json_rows(answer->value), *own = rows == NULL ? members_of(answer) : NULL;
    int status = rows != NULL || own != NULL ? MS_OK : MS_NO_MEMORY;
    MS_THEN(status,
            write_rows(answer, rows != NULL ? rows : own, rows != NULL ? answer->columns : NULL, 0, file));
    fputs(answer->markup == MS_MARKUP_MARKDOWN ? "\n" : "", file); /* the table ends */
    if (status == MS_OK && rows != NULL && json_is_object(answer->value) && remarks)
        status = write_rest(answer, file);
    json_decref(own);
    return status;
}

int ms_answer_table(const ms_answer *answer, bool remarks, FILE *file)
{
    json_t *rows = ms_json_rows(answer->value);
    if (answer->markup != MS_MARKUP_NONE || (answer->chosen != NULL && rows == NULL))
        return write_page(answer, remarks, file);
    int status = rows != NULL ? write_rows(answer, rows, answer->columns, 0, file) : MS_OK;
    if (status == MS_OK && json_is_object(answer->value))
        status = write_object(answer->value, answer, 0, file);
    return status;
}
