/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "row_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "text_stream.h"

/* The longest rest of a row of JSON that is followed by what is left of the end of the file before it. */
enum { REST = 4, HEAD_MAX = 1 << 24 };

/* Adds a line to the text; false at the end of the file, and where it cannot be read. */
static bool add_line(ms_row_reader *r)
{
    char *line = NULL;
    size_t capacity = 0;
    errno = 0;
    const ssize_t n = getline(&line, &capacity, r->file);
    char *grown = n > 0 ? realloc(r->text, r->all + (size_t)n + 1) : NULL;
    if (grown != NULL) {
        memcpy(grown + r->all, line, (size_t)n + 1);
        r->text = grown;
        r->all += (size_t)n;
        r->lines++;
    } else if (n > 0 || ferror(r->file) || errno == ENOMEM) {
        r->failure = errno;
    }
    free(line);
    return grown != NULL;
}

/* Head ---------------------------------------------------------------------------------------------------- */

/* By the first line; TABLE: none of the formats of rows. */
static ms_format format_of(const char *line)
{
    const size_t length = strlen(line);
    return line[0] == '#'                                        ? MS_FORMAT_CSV
           : line[0] != '{'                                      ? MS_FORMAT_TABLE
           : length > 2 && strcmp(line + length - 2, "}\n") == 0 ? MS_FORMAT_JSONL
                                                                 : MS_FORMAT_JSON;
}

/* Is the head whole with this line as its last? In CSV it is the first one that is no remark. */
static bool ends_head(ms_format format, const char *line)
{
    return format == MS_FORMAT_CSV     ? line[0] != '#'
           : format == MS_FORMAT_JSONL ? true
                                       : strcmp(line, "\"rows\": [\n") == 0;
}

char *ms_row_reader_head(ms_row_reader *r, bool *whole)
{
    ms_text_stream text;
    FILE *head = ms_text_open(&text);
    *whole = false;
    for (; head != NULL && !*whole && r->end < HEAD_MAX && add_line(r); r->all = 0) {
        if (r->format == MS_FORMAT_TABLE)
            r->format = format_of(r->text);
        if (r->format == MS_FORMAT_TABLE)
            break;
        fwrite(r->text, 1, r->all, head);
        r->end += (off_t)r->all;
        *whole = r->text[r->all - 1] == '\n' && ends_head(r->format, r->text);
    }
    r->line += r->lines;
    r->lines = 0;
    return ms_text_close(&text);
}

/* Rows ---------------------------------------------------------------------------------------------------- */

static bool ends(const ms_row_reader *r, const char *with)
{
    const size_t n = strlen(with);
    return r->all >= n && memcmp(r->text + r->all - n, with, n) == 0;
}

/* Does the text go on? A cell of CSV does behind a newline, and an empty line is where JSON without rows ends. */
static bool goes_on(const ms_row_reader *r)
{
    bool quoted = false;
    if (r->format != MS_FORMAT_CSV)
        return r->all == 1 && r->text[0] == '\n';
    for (size_t k = 0; k < r->all; k++)
        quoted ^= r->text[k] == '"';
    return quoted;
}

static bool is_last(FILE *file)
{
    const int next = getc(file);
    return next == EOF || ungetc(next, file) == EOF;
}

/* What a process leaves that is killed while it writes a row: its beginning, and what that leaves of the end of the file.
 * ROW,]} is a row as well behind which the next one was begun; it is made anew. */
static bool is_torn(const ms_row_reader *r)
{
    const bool of_end = r->format == MS_FORMAT_JSON && (r->all <= REST || ends(r, ",]}\n"));
    return (of_end || !ends(r, "\n")) && is_last(r->file);
}

bool ms_row_reader_next(ms_row_reader *r)
{
    r->joined = r->comma || r->lines == 0;
    r->line += r->lines;
    r->lines = 0;
    r->all = 0;
    while (add_line(r) && goes_on(r))
        continue;
    if (r->all == 0 || r->failure != 0 || is_torn(r))
        return false;
    r->begin = r->end;
    r->end += (off_t)r->all;
    r->comma = r->format != MS_FORMAT_JSON || ends(r, ",\n");
    r->length = r->format != MS_FORMAT_JSON ? r->all : r->all - ends(r, "\n") - r->comma;
    return true;
}

void ms_row_reader_destroy(ms_row_reader *r)
{
    free(r->text);
    *r = (ms_row_reader){0};
}
