/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer.h"

#include "arguments.h"
#include "memory.h"

#include <math.h>
#include <string.h>

/* CSV ---------------------------------------------------------------------------------------------------- */

void ms_csv_number(double value, FILE *file)
{
    if (isfinite(value))
        fprintf(file, "%.17g", value);
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
    if (status == MS_OK && json_dumpf(value, file, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) != 0 &&
        !ferror(file))
        status = MS_NO_MEMORY;
    fputc('\n', file);
    json_decref(value);
    return status;
}

int ms_answer_write(const ms_answer *answer, ms_format format, const ms_output *output, ms_error *error)
{
    int status = MS_OK;
    if (format == MS_FORMAT_JSON) {
        status = write_json(answer, output->file);
    } else if (format == MS_FORMAT_CSV) {
        status = write_csv(answer, output->file);
    } else {
        if (output->path != NULL)
            status = ms_answer_remarks(answer->provenance, output->file);
        if (status == MS_OK)
            status = ms_answer_table(answer, output->file);
    }
    return status == MS_OK ? MS_OK : ms_fail(error, status, "not enough memory for the answer");
}

int ms_answer_save(const ms_answer *answer, ms_format format, const char *path, ms_error *error)
{
    ms_output output = {0};
    int status = ms_output_open(path, &output, error);
    if (status == MS_OK)
        status = ms_answer_write(answer, format, &output, error);
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
        status = ms_answer_write(answer, arguments->format, output, error);
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
