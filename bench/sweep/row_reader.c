/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "row_reader.h"

#include <stdlib.h>
#include <string.h>

/* The longest rest after a row of JSON, when the former end of the file is only partly overwritten; the longest head. */
enum { REST = 4, HEAD_MAX = 1 << 20 };

static bool ends(const ms_row_reader *r, const char *with)
{
    const size_t n = strlen(with);
    return r->length >= n && memcmp(r->text + r->length - n, with, n) == 0;
}

/* Appends one line to the text; an odd number of quotation marks toggles *quoted. False: there is none, or no memory. */
static bool append_line(ms_row_reader *r, bool *quoted)
{
    char *line = NULL;
    size_t capacity = 0;
    const ssize_t n = getline(&line, &capacity, r->file);
    const size_t length = n > 0 ? (size_t)n : 0;
    char *grown = realloc(r->text, r->length + length + 1);
    if (grown != NULL) {
        r->text = grown;
        memcpy(r->text + r->length, n > 0 ? line : "", length + 1);
        r->length += length;
        r->lines += n > 0;
        for (size_t k = 0; k < length; k++)
            *quoted ^= line[k] == '"';
    }
    free(line);
    r->status = grown == NULL || (n < 0 && !feof(r->file) && !ferror(r->file)) ? MS_NO_MEMORY
                : ferror(r->file)                                              ? MS_IO
                                                                               : MS_OK;
    return n > 0 && r->status == MS_OK;
}

/* Appends the next line; for cells of CSV including line breaks within quotation marks. */
static void read_line(ms_row_reader *r, bool cells)
{
    const size_t begin = r->length;
    bool quoted = false;
    while (append_line(r, &quoted) && cells && quoted)
        continue;
    r->at += (off_t)(r->length - begin);
    const int next = getc(r->file);
    r->last = next == EOF;
    if (!r->last)
        ungetc(next, r->file);
}

/* Heads ---------------------------------------------------------------------------------------------------- */

/* CSV: remarks follow the line of names, or precede it in files of older versions. A first line alone does not tell. */
static bool has_remarks(const char *head)
{
    const size_t length = strcspn(head, "\n");
    return head[0] == '#' || head[length] == '\0' || strchr("#", head[length + 1]) != NULL;
}

ms_format ms_row_format(const char *head)
{
    const size_t length = strcspn(head, "\n");
    return head[0] != '{'                          ? (has_remarks(head) ? MS_FORMAT_CSV : MS_FORMAT_TABLE)
           : length > 1 && head[length - 1] == '}' ? MS_FORMAT_JSONL
                                                   : MS_FORMAT_JSON;
}

/* CSV: is it the last remark, or in files of older versions the line of names after the remarks? */
static bool ends_remarks(const char *head, const char *line)
{
    static const char last[] = "# " MS_ROWS_OF_GRID ": ";
    return head[0] == '#' ? line[0] != '#' : strncmp(line, last, sizeof last - 1) == 0;
}

/* Is the head complete with this line? */
static bool ends_head(const ms_row_reader *r, const char *line)
{
    return ends(r, "\n") && (r->format == MS_FORMAT_CSV    ? ends_remarks(r->text, line)
                             : r->format == MS_FORMAT_JSON ? strcmp(line, "\"rows\": [\n") == 0
                                                           : r->format == MS_FORMAT_JSONL);
}

void ms_row_reader_begin(ms_row_reader *r)
{
    size_t begin;
    r->line = 1;
    do {
        begin = r->length;
        read_line(r, false);
        if (r->status != MS_OK || r->length == begin)
            break;
        r->format = ms_row_format(r->text);
        r->whole = ends_head(r, r->text + begin);
    } while (!r->whole && r->format != MS_FORMAT_TABLE && r->length < HEAD_MAX);
    r->head = r->text;
    r->text = NULL;
}

/* Rows ----------------------------------------------------------------------------------------------------- */

/* JSON: without rows the end of the file begins on a line of its own. */
static bool read_empty_line(ms_row_reader *r)
{
    if (r->format != MS_FORMAT_JSON || r->begun || r->last || strcmp(r->text, "\n") != 0)
        return false;
    read_line(r, false);
    return true;
}

/* JSON: removes the comma of a row. `ROW,]}` is a row where the next one was begun. */
static void cut_comma(ms_row_reader *r)
{
    r->length--;
    if (r->last && ends(r, ",]}"))
        r->length -= strlen("]}");
    r->comma = ends(r, ",");
    r->length -= r->comma;
    r->text[r->length] = '\0';
}

bool ms_row_reader_next(ms_row_reader *r)
{
    const bool json = r->format == MS_FORMAT_JSON;
    const off_t begin = r->at;
    r->line += r->lines;
    r->length = 0;
    r->lines = 0;
    read_line(r, r->format == MS_FORMAT_CSV);
    const bool behind_empty = r->status == MS_OK && read_empty_line(r);
    if (r->status != MS_OK || !ends(r, "\n") || (json && r->last && r->length <= REST))
        return false;
    r->wrong = behind_empty            ? "comes after an empty line"
               : r->begun && !r->comma ? "comes after a row that does not end with a comma"
               : ends(r, "\r\n")
                   ? "ends with CR LF, the end of lines of another system; this program writes LF alone"
                   : NULL;
    r->begun = r->comma = true;
    if (json)
        cut_comma(r);
    r->end = begin + (off_t)r->length;
    return true;
}

void ms_row_reader_end(ms_row_reader *r)
{
    MS_FREE(r->head, r->text);
    *r = (ms_row_reader){0};
}
