/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer.h"

#include <math.h>

#include "arguments.h"
#include "json_text.h"
#include "memory.h"
#include "number.h"

/* CSV ---------------------------------------------------------------------------------------------------- */

void ms_csv_number(double value, FILE *file)
{
    char text[MS_NUMBER_SIZE];
    if (!isfinite(value))
        return;
    ms_number_text(value, text);
    fputs(text, file);
}

void ms_csv_numbers(int n, const double *value, FILE *file)
{
    for (int k = 0; k < n; k++) {
        fputs(k > 0 ? "," : "", file);
        ms_csv_number(value[k], file);
    }
    fputc('\n', file);
}

void ms_csv_text(const char *text, FILE *file)
{
    if (text[strcspn(text, ",\"\r\n")] == '\0') {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

static void write_scalar(const json_t *value, FILE *file)
{
    if (json_is_string(value))
        ms_csv_text(json_string_value(value), file);
    else if (json_is_integer(value))
        fprintf(file, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_real(value))
        ms_csv_number(json_real_value(value), file);
    else if (json_is_boolean(value))
        fputs(json_is_true(value) ? "true" : "false", file);
}

static bool without_remarks;

void ms_answer_leave_out_remarks(bool left_out)
{
    without_remarks = left_out;
}

/* Lines that begin with what makes them remarks. */
static int write_remarks(json_t *value, const char *begin, FILE *file)
{
    json_t *flat = without_remarks ? json_object() : ms_json_flatten(value);
    MS_TRY_MEMORY(flat);
    const char *path;
    json_t *scalar;
    json_object_foreach (flat, path, scalar) {
        fprintf(file, "%s%s: ", begin, path);
        if (json_is_string(scalar))
            for (const char *c = json_string_value(scalar); *c != '\0'; c++)
                fputc(*c == '\n' || *c == '\r' ? ' ' : *c, file);
        else
            write_scalar(scalar, file);
        fputc('\n', file);
    }
    json_decref(flat);
    return MS_OK;
}

int ms_answer_remarks(json_t *value, FILE *file)
{
    return write_remarks(value, "# ", file);
}

void ms_csv_columns_add(ms_csv_columns *columns, json_t *flat_row)
{
    json_t *paths = columns->paths;
    size_t at = 0;
    const char *path;
    json_t *value;
    if (flat_row == NULL)
        ms_json_append(&columns->paths, NULL);
    json_object_foreach (flat_row, path, value) {
        if (json_object_get(columns->known, path) == NULL) {
            if (json_array_insert_new(paths, at++, json_string(path)) != 0) {
                ms_json_append(&columns->paths, NULL);
                return;
            }
            ms_json_set(&columns->known, path, json_true());
            continue;
        }
        while (at < json_array_size(paths) && strcmp(json_string_value(json_array_get(paths, at)), path) != 0)
            at++;
        at = at < json_array_size(paths) ? at + 1 : at;
    }
}

/* Is the column empty in all rows because its name is an object or array in others? */
static int is_shadow(const json_t *columns, const char *path)
{
    const size_t length = strlen(path);
    for (size_t k = 0; k < json_array_size(columns); k++) {
        const char *other = json_string_value(json_array_get(columns, k));
        if (strncmp(other, path, length) == 0 && other[length] == '.')
            return 1;
    }
    return 0;
}

json_t *ms_csv_columns_take(ms_csv_columns *columns)
{
    json_t *kept = columns->paths != NULL && columns->known != NULL ? json_array() : NULL;
    for (size_t k = 0; k < json_array_size(columns->paths); k++)
        if (!is_shadow(columns->paths, json_string_value(json_array_get(columns->paths, k))))
            ms_json_append(&kept, json_incref(json_array_get(columns->paths, k)));
    json_decref(columns->paths);
    json_decref(columns->known);
    return kept;
}

void ms_csv_header(const json_t *columns, FILE *file)
{
    for (size_t k = 0; k < json_array_size(columns); k++) {
        fputs(k > 0 ? "," : "", file);
        ms_csv_text(json_string_value(json_array_get(columns, k)), file);
    }
    fputc('\n', file);
}

/* Names of members, and sentences. They have semicolons for commas, so that a reader that knows no quotes finds the columns. */
static bool is_prose(const char *column)
{
    static const char *const prose[] = {"member", "note", "message"};
    const char *point = strrchr(column, '.'), *name = point != NULL ? point + 1 : column;
    for (size_t k = 0; k < MS_COUNT(prose); k++)
        if (strcmp(name, prose[k]) == 0)
            return true;
    return false;
}

/* Writes text with quotes only around what contains more than commas. */
static void write_prose(const char *text, FILE *file)
{
    if (strpbrk(text, "\"\r\n") != NULL) {
        ms_csv_text(text, file);
        return;
    }
    for (; *text != '\0'; text++)
        fputc(*text == ',' ? ';' : *text, file);
}

void ms_csv_row(const json_t *columns, const json_t *flat_row, FILE *file)
{
    for (size_t k = 0; k < json_array_size(columns); k++) {
        const char *column = json_string_value(json_array_get(columns, k));
        const json_t *value = json_object_get(flat_row, column);
        fputs(k > 0 ? "," : "", file);
        if (is_prose(column) && json_is_string(value))
            write_prose(json_string_value(value), file);
        else
            write_scalar(value, file);
    }
    fputc('\n', file);
}

/* JSON --------------------------------------------------------------------------------------------------- */

static int write_json(const ms_answer *answer, FILE *file)
{
    json_t *value = json_copy(answer->value);
    int status = value != NULL ? MS_OK : MS_NO_MEMORY;
    if (json_is_object(value) && json_object_set(value, "provenance", answer->provenance) != 0)
        status = MS_NO_MEMORY;
    if (status == MS_OK && ms_json_write(value, MS_JSON_ON_LINES, file) != 0)
        status = MS_NO_MEMORY;
    fputc('\n', file);
    json_decref(value);
    return status;
}

/* The answer on one line; of one with rows what is no row, and then each of them. */
static int write_jsonl(const ms_answer *answer, FILE *file)
{
    const json_t *rows = ms_json_rows(answer->value);
    json_t *head = json_is_object(answer->value) ? json_copy(answer->value) : json_object();
    int status = MS_OK;
    if (rows != NULL)
        json_object_del(head, "rows");
    if (json_object_set(head, "provenance", answer->provenance) != 0 ||
        ms_json_write(head, MS_JSON_ON_ONE_LINE, file) != 0)
        status = MS_NO_MEMORY;
    fputc('\n', file);
    for (size_t i = 0; i < json_array_size(rows) && status == MS_OK; i++) {
        if (ms_json_write(json_array_get(rows, i), MS_JSON_ON_ONE_LINE, file) != 0)
            status = MS_NO_MEMORY;
        fputc('\n', file);
    }
    json_decref(head);
    return status;
}

/* Complex numbers -------------------------------------------------------------------------------------------- */

/* {"re", "im", "modulus"} of each pair. */
static json_t *name_parts(const json_t *pairs)
{
    json_t *named = json_array();
    for (size_t k = 0; k < json_array_size(pairs); k++) {
        const json_t *re = json_array_get(json_array_get(pairs, k), 0),
                     *im = json_array_get(json_array_get(pairs, k), 1);
        ms_json_append(&named, ms_json_object("re:O im:O modulus:r", re, im,
                                              hypot(json_number_value(re), json_number_value(im))));
    }
    return named;
}

/* The object, with names for the parts of its eigenvalues, which are pairs in JSON. */
static json_t *with_parts(json_t *object)
{
    static const char key[] = "eigenvalues";
    const json_t *pairs = json_object_get(object, key);
    json_t *copy = json_copy(object);
    if (json_array_size(pairs) > 0)
        ms_json_set(&copy, key, name_parts(pairs));
    return copy;
}

/* What tables are made of: the same value, or one with rows in which parts of complex numbers have names. */
static json_t *with_named_parts(json_t *value)
{
    const json_t *rows = ms_json_rows(value);
    if (rows == NULL)
        return with_parts(value);
    json_t *named = json_array(), *copy = json_copy(value);
    for (size_t k = 0; k < json_array_size(rows); k++)
        ms_json_append(&named, with_parts(json_array_get(rows, k)));
    if (json_is_object(copy)) {
        ms_json_set(&copy, "rows", named);
        return copy;
    }
    json_decref(copy);
    return named;
}

/* Rows of CSV ---------------------------------------------------------------------------------------------- */

/* One row by its paths; NULL: no memory. */
static json_t *flat_row(json_t *row)
{
    json_t *named = with_parts(row), *flat = ms_json_flatten(named);
    json_decref(named);
    return flat;
}

/* Its rows, or the value as the only one. */
static size_t count_rows(const json_t *value)
{
    const json_t *rows = ms_json_rows(value);
    return rows != NULL ? json_array_size(rows) : 1;
}

static json_t *row_at(json_t *value, size_t k)
{
    const json_t *rows = ms_json_rows(value);
    return flat_row(rows != NULL ? json_array_get(rows, k) : value);
}

/* Values that are no row are written into the remarks. */
static int write_rest(const json_t *value, FILE *file)
{
    if (!json_is_object(value) || ms_json_rows(value) == NULL)
        return MS_OK;
    json_t *rest = json_copy((json_t *)value);
    json_object_del(rest, "rows");
    const int status = ms_answer_remarks(rest, file);
    json_decref(rest);
    return status;
}

/* The paths of all rows, of which one at a time is flat: they are many. NULL: no memory. */
static json_t *columns_of(json_t *value)
{
    ms_csv_columns all = {json_array(), json_object()};
    const size_t n = count_rows(value);
    for (size_t k = 0; k < n; k++) {
        json_t *row = row_at(value, k);
        ms_csv_columns_add(&all, row);
        json_decref(row);
    }
    return ms_csv_columns_take(&all);
}

static int write_csv(const ms_answer *answer, FILE *file)
{
    const size_t n = count_rows(answer->value);
    json_t *columns = answer->chosen != NULL ? ms_answer_paths(answer->chosen) : columns_of(answer->value);
    int status = columns != NULL ? MS_OK : MS_NO_MEMORY;
    ms_csv_header(columns, file);
    MS_THEN(status, ms_answer_remarks(answer->provenance, file));
    MS_THEN(status, write_rest(answer->value, file));
    for (size_t k = 0; k < n && status == MS_OK; k++) {
        json_t *row = row_at(answer->value, k);
        status = row != NULL ? MS_OK : MS_NO_MEMORY;
        ms_csv_row(columns, row, file);
        json_decref(row);
    }
    json_decref(columns);
    return status;
}

/* All formats ------------------------------------------------------------------------------------------------ */

static int write_table(const ms_answer *answer, const ms_output *output)
{
    ms_answer named = *answer;
    named.value = with_named_parts(answer->value);
    int status = named.value != NULL ? MS_OK : MS_NO_MEMORY;
    const bool page = answer->markup != MS_MARKUP_NONE, says = output->path != NULL;
    if (status == MS_OK && says && !page)
        status = ms_answer_remarks(answer->provenance, output->file);
    MS_THEN(status, ms_answer_table(&named, !without_remarks, output->file));
    if (status == MS_OK && says && page)
        status = write_remarks(answer->provenance, ms_answer_page_remark(answer->markup), output->file);
    json_decref(named.value);
    return status;
}

/* Without closing. Errors: MS_NO_MEMORY. */
static int write_answer(const ms_answer *answer, ms_format format, const ms_output *output, ms_error *error)
{
    const int status = format == MS_FORMAT_JSON    ? write_json(answer, output->file)
                       : format == MS_FORMAT_JSONL ? write_jsonl(answer, output->file)
                       : format == MS_FORMAT_CSV   ? write_csv(answer, output->file)
                                                   : write_table(answer, output);
    return status == MS_OK ? MS_OK : ms_fail(error, status, "not enough memory for the answer");
}

int ms_answer_save(const ms_answer *answer, ms_format format, const char *path, ms_error *error)
{
    ms_output output = {0};
    int status = ms_output_open(path, &output, error);
    MS_THEN(status, write_answer(answer, format, &output, error));
    if (status == MS_OK)
        return ms_output_close(&output, error);
    ms_output_discard(&output);
    return status;
}

/* What is wrong with the names is said when the answer is safe. */
static int choose(ms_answer *answer, const char *names, ms_error *error)
{
    if (names == NULL || count_rows(answer->value) == 0)
        return MS_OK;
    json_t *paths = columns_of(answer->value);
    const int status = ms_answer_choose(names, answer->columns, paths, &answer->chosen, error);
    json_decref(paths);
    return status;
}

int ms_answer_finish(ms_answer *answer, const ms_arguments *arguments, ms_output *output, ms_error *error)
{
    int status = MS_OK;
    answer->markup = arguments->markup;
    answer->digits = arguments->digits;
    if (answer->value == NULL || answer->provenance == NULL || ms_memory_refused())
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the answer");
    if (status == MS_OK && output->file == NULL)
        status = ms_output_open(arguments->text[MS_ARGUMENT_OUTPUT], output, error);
    const int choice = status == MS_OK ? choose(answer, arguments->text[MS_ARGUMENT_COLUMNS], error) : MS_OK;
    MS_THEN(status, write_answer(answer, arguments->format, output, error));
    if (status == MS_OK)
        status = ms_output_close(output, error);
    else
        ms_output_discard(output);
    ms_answer_discard(answer);
    return status != MS_OK ? status : choice;
}

void ms_answer_discard(ms_answer *answer)
{
    json_decref(answer->value);
    json_decref(answer->provenance);
    json_decref(answer->chosen);
    *answer = (ms_answer){0};
}
