/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep_scan.h"

#include <stdlib.h>
#include <string.h>

/* The longest rest of a row of JSON that is followed by what is left of the end of the file before it. */
enum { REST = 4 };

/* A line of the file, or of CSV several where a cell has a newline. */
typedef struct record {
    char *text;
    size_t capacity, length;
    long lines;
    bool last; /* of the file */
} record;

static bool is_open(const char *text, size_t length)
{
    bool quoted = false;
    for (size_t k = 0; k < length; k++)
        quoted ^= text[k] == '"';
    return quoted;
}

/* One more line behind what there is; false at the end of the file, or without memory. */
static bool add_line(record *r, FILE *stream)
{
    char *line = NULL;
    size_t capacity = 0;
    const ssize_t n = getline(&line, &capacity, stream);
    char *grown = n > 0 ? realloc(r->text, r->length + (size_t)n + 1) : NULL;
    if (grown != NULL) {
        memcpy(grown + r->length, line, (size_t)n + 1);
        r->text = grown;
        r->length += (size_t)n;
        r->lines++;
    }
    free(line);
    return grown != NULL;
}

static bool read_record(record *r, ms_format format, FILE *stream)
{
    r->length = 0;
    r->lines = 0;
    while (add_line(r, stream) && format == MS_FORMAT_CSV && is_open(r->text, r->length))
        continue;
    const int next = getc(stream);
    r->last = next == EOF;
    if (!r->last)
        ungetc(next, stream);
    return r->length > 0;
}

static bool ends(const record *r, const char *with)
{
    const size_t n = strlen(with);
    return r->length >= n && memcmp(r->text + r->length - n, with, n) == 0;
}

/* Of a file that a sweep was writing when it ended: the rest of a row, and what that has left of the tail. */
static bool is_torn(const record *r, ms_format format)
{
    return r->last && (!ends(r, "\n") || (format == MS_FORMAT_JSON && r->length <= REST));
}

static void damage(ms_sweep_scan *scan, const char *what)
{
    scan->damaged = true;
    ms_fail(&scan->what, MS_INVALID, "%s", what);
}

/* Compares the row with the one or the other that may stand there. MS_INVALID: it is wrong. */
static int check_shape(ms_sweep_scan *scan, const record *r, size_t length, bool again, ms_error *error)
{
    json_t *shape = NULL;
    ms_error what;
    int status = scan->places->shape(scan->places->self, scan->rows, again, &shape, error);
    if (status != MS_OK || shape == NULL)
        return status == MS_OK ? MS_INVALID : status;
    status = ms_row_check(&scan->form, r->text, length, shape, &what);
    if (status == MS_INVALID && !again)
        ms_fail(&scan->what, status, "%s", what.text);
    else if (status != MS_OK)
        ms_fail(error, status, "%s", what.text);
    json_decref(shape);
    return status;
}

/* Compares the row with its place. MS_INVALID: it is wrong, and scan->damaged. */
static int check_row(ms_sweep_scan *scan, const record *r, size_t length, ms_error *error)
{
    int status = MS_INVALID;
    if (ends(r, "\r\n"))
        damage(scan, "ends with CR LF, the end of lines of another system; this program writes LF alone");
    else if (scan->rows >= scan->places->rows)
        damage(scan, "stands behind the last row");
    else
        status = check_shape(scan, r, length, false, error);
    if (status == MS_INVALID && !scan->damaged)
        status = check_shape(scan, r, length, true, error);
    scan->damaged = status == MS_INVALID;
    return status;
}

/* JSON: the row without its comma, and whether there was one. `ROW,]}` is a row where the next one was begun. */
static size_t row_length(const record *r, bool *comma)
{
    size_t length = r->length - ends(r, "\n");
    if (r->last && ends(r, ",]}\n"))
        length -= strlen("]}");
    *comma = length > 0 && r->text[length - 1] == ',';
    return length - *comma;
}

/* JSON: does what ends the file begin on a line of its own? So it does where there is no row yet. */
static bool begins_end(const ms_sweep_scan *scan, const record *r)
{
    return scan->form.format == MS_FORMAT_JSON && scan->rows == 0 && !r->last && strcmp(r->text, "\n") == 0;
}

int ms_sweep_scan_rows(ms_sweep_scan *scan, FILE *stream, ms_error *error)
{
    const bool json = scan->form.format == MS_FORMAT_JSON;
    record r = {0};
    bool comma = true;
    int status = MS_OK;
    for (off_t begin = scan->end; read_record(&r, scan->form.format, stream); begin += (off_t)r.length) {
        const bool without_rows = begins_end(scan, &r) && read_record(&r, scan->form.format, stream);
        if (is_torn(&r, scan->form.format))
            break; /* "]}" is as short */
        if (without_rows)
            damage(scan, "stands behind an empty line");
        if (without_rows)
            break;
        if (json && !comma) {
            damage(scan, "stands behind a row that no comma ends");
            break;
        }
        const size_t length = json ? row_length(&r, &comma) : r.length;
        status = check_row(scan, &r, length - (scan->form.format == MS_FORMAT_JSONL), error);
        if (status != MS_OK)
            break;
        scan->end = begin + (off_t)length;
        scan->rows++;
        scan->line += r.lines;
    }
    free(r.text);
    return scan->damaged ? MS_OK : status;
}
