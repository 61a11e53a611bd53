/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer.h"

#include <math.h>
#include <string.h>

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

static void write_text(const char *text, FILE *file)
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
        write_text(json_string_value(value), file);
    else if (json_is_integer(value))
        fprintf(file, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_real(value))
        ms_csv_number(json_real_value(value), file);
    else if (json_is_boolean(value))
        fputs(json_is_true(value) ? "true" : "false", file);
}

int ms_answer_remarks(json_t *value, FILE *file)
{
    json_t *flat = ms_json_flatten(value);
    if (flat == NULL)
        return MS_NO_MEMORY;
    const char *path;
    json_t *scalar;
    json_object_foreach (flat, path, scalar) {
        fprintf(file, "# %s: ", path);
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

/* The paths of all rows, each new one behind its predecessor in the row that brings it. */
static json_t *unite_columns(const json_t *flat_rows)
{
    json_t *columns = json_array(), *known = json_object();
    for (size_t i = 0; i < json_array_size(flat_rows); i++) {
        size_t at = 0;
        const char *path;
        json_t *value;
        json_object_foreach (json_array_get(flat_rows, i), path, value) {
            if (json_object_get(known, path) == NULL) {
                if (json_array_insert_new(columns, at++, json_string(path)) != 0)
                    ms_json_append(&columns, NULL);
                ms_json_set(&known, path, json_true());
                continue;
            }
            while (at < json_array_size(columns) &&
                   strcmp(json_string_value(json_array_get(columns, at)), path) != 0)
                at++;
            at = at < json_array_size(columns) ? at + 1 : at;
        }
    }
    if (known == NULL)
        ms_json_append(&columns, NULL);
    json_decref(known);
    return columns;
}

/* Is the column empty in all rows because what it names is an object or array in others? */
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

json_t *ms_csv_columns(const json_t *flat_rows)
{
    json_t *columns = unite_columns(flat_rows), *kept = columns != NULL ? json_array() : NULL;
    for (size_t k = 0; k < json_array_size(columns); k++)
        if (!is_shadow(columns, json_string_value(json_array_get(columns, k))))
            ms_json_append(&kept, json_incref(json_array_get(columns, k)));
    json_decref(columns);
    return kept;
}

void ms_csv_header(const json_t *columns, FILE *file)
{
    for (size_t k = 0; k < json_array_size(columns); k++) {
        fputs(k > 0 ? "," : "", file);
        write_text(json_string_value(json_array_get(columns, k)), file);
    }
    fputc('\n', file);
}

void ms_csv_row(const json_t *columns, const json_t *flat_row, FILE *file)
{
    for (size_t k = 0; k < json_array_size(columns); k++) {
        fputs(k > 0 ? "," : "", file);
        write_scalar(json_object_get(flat_row, json_string_value(json_array_get(columns, k))), file);
    }
    fputc('\n', file);
}

static json_t *flatten_rows(json_t *value)
{
    const json_t *rows = ms_json_rows(value);
    json_t *flat_rows = json_array();
    if (rows == NULL)
        ms_json_append(&flat_rows, ms_json_flatten(value));
    for (size_t i = 0; i < json_array_size(rows); i++)
        ms_json_append(&flat_rows, ms_json_flatten(json_array_get(rows, i)));
    return flat_rows;
}

static int write_csv(const ms_answer *answer, FILE *file)
{
    int status = ms_answer_remarks(answer->provenance, file);
    if (status == MS_OK && json_is_object(answer->value) && ms_json_rows(answer->value) != NULL) {
        json_t *rest = json_copy(answer->value);
        json_object_del(rest, "rows");
        status = ms_answer_remarks(rest, file);
        json_decref(rest);
    }
    json_t *flat_rows = flatten_rows(answer->value), *columns = ms_csv_columns(flat_rows);
    if (flat_rows == NULL || columns == NULL)
        status = MS_NO_MEMORY;
    if (status == MS_OK)
        ms_csv_header(columns, file);
    for (size_t i = 0; i < json_array_size(flat_rows) && status == MS_OK; i++)
        ms_csv_row(columns, json_array_get(flat_rows, i), file);
    json_decref(columns);
    json_decref(flat_rows);
    return status;
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
        ms_json_append(&named, json_pack("{s:O, s:O, s:o}", "re", re, "im", im, "modulus",
                                         ms_json_real(hypot(json_number_value(re), json_number_value(im)))));
    }
    return named;
}

/* The object, its eigenvalues with names for what in JSON are pairs. */
static json_t *with_parts(json_t *object)
{
    static const char key[] = "eigenvalues";
    const json_t *pairs = json_object_get(object, key);
    json_t *copy = json_copy(object);
    if (json_array_size(pairs) > 0)
        ms_json_set(&copy, key, name_parts(pairs));
    return copy;
}

/* What tables and CSV are made of: the same value, or one with rows in which parts of complex numbers have names. */
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

/* All formats ------------------------------------------------------------------------------------------------ */

static int write_named(const ms_answer *answer, ms_format format, const ms_output *output)
{
    ms_answer named = *answer;
    int status = MS_OK;
    named.value = with_named_parts(answer->value);
    if (named.value == NULL)
        return MS_NO_MEMORY;
    if (format == MS_FORMAT_TABLE && output->path != NULL)
        status = ms_answer_remarks(answer->provenance, output->file);
    if (status == MS_OK)
        status = format == MS_FORMAT_TABLE ? ms_answer_table(&named, output->file)
                                           : write_csv(&named, output->file);
    json_decref(named.value);
    return status;
}

/* Without closing. Errors: MS_NO_MEMORY. */
static int write_answer(const ms_answer *answer, ms_format format, const ms_output *output, ms_error *error)
{
    const int status = format == MS_FORMAT_JSON    ? write_json(answer, output->file)
                       : format == MS_FORMAT_JSONL ? write_jsonl(answer, output->file)
                                                   : write_named(answer, format, output);
    return status == MS_OK ? MS_OK : ms_fail(error, status, "not enough memory for the answer");
}

int ms_answer_save(const ms_answer *answer, ms_format format, const char *path, ms_error *error)
{
    ms_output output = {0};
    int status = ms_output_open(path, &output, error);
    if (status == MS_OK)
        status = write_answer(answer, format, &output, error);
    if (status == MS_OK)
        return ms_output_close(&output, error);
    ms_output_discard(&output);
    return status;
}

int ms_answer_finish(ms_answer *answer, const ms_arguments *arguments, ms_output *output, ms_error *error)
{
    int status = MS_OK;
    if (answer->value == NULL || answer->provenance == NULL || ms_memory_refused())
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the answer");
    if (status == MS_OK && output->file == NULL)
        status = ms_output_open(arguments->text[MS_ARGUMENT_OUTPUT], output, error);
    if (status == MS_OK)
        status = write_answer(answer, arguments->format, output, error);
    if (status == MS_OK)
        status = ms_output_close(output, error);
    else
        ms_output_discard(output);
    ms_answer_discard(answer);
    return status;
}

void ms_answer_discard(ms_answer *answer)
{
    json_decref(answer->value);
    json_decref(answer->provenance);
    *answer = (ms_answer){0};
}
