/* SPDX-License-Identifier: GPL-3.0-or-later */
/* series_read.c - a time series from a CSV file, line by line. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <macrostep/series_read.h>
#include "csv_cell.h"
#include "input_file.h"
#include "number.h"

/* A file being read into a series. */
typedef struct reader {
    FILE *file;
    const char *path;
    char *text; /* the current line, without its end, joined with those on which a quoted cell continues */
    size_t size;
    /* number of the current line, number of lines of its record, and the next line */
    long line, lines, next_line;
    long blank; /* number of an empty line before it; 0: none */
    ms_series *series;
    bool jumps;    /* two rows may have the same time */
    long capacity; /* number of rows that fit */
    ms_error *error;
} reader;

enum { CELL_SHOWN = 40 }; /* how much of a cell an error shows */

static int no_memory(reader *r)
{
    return ms_fail(r->error, MS_NO_MEMORY, "not enough memory for %s, line %ld", r->path, r->line);
}

/* Reads a line into r->text. *found is false at the end of the file. */
static int next_line(reader *r, bool *found)
{
    errno = 0;
    const ssize_t length = ms_csv_record(r->file, &r->text, &r->size, &r->lines);
    *found = length >= 0;
    if (length < 0 && errno == ENOMEM)
        return no_memory(r);
    if (length < 0 && ferror(r->file))
        return ms_fail(r->error, MS_IO, "%s: cannot be read: %s", r->path, strerror(errno));
    if (length < 0)
        return MS_OK;
    r->line = r->next_line;
    r->next_line += r->lines;
    if (strlen(r->text) != (size_t)length)
        return ms_fail(r->error, MS_INVALID, "%s, line %ld: a zero byte; the file must be text", r->path,
                       r->line);
    if (r->text[0] != '#' && ms_csv_is_open(r->text))
        return ms_fail(r->error, MS_INVALID, "%s, line %ld: a quote that is not closed", r->path, r->line);
    if (r->line == 1 && strncmp(r->text, "\xEF\xBB\xBF", 3) == 0) /* byte order mark of UTF-8 */
        memmove(r->text, r->text + 3, (size_t)length - 2);
    return MS_OK;
}

static bool is_blank(const char *text)
{
    return text[strspn(text, " \t")] == '\0';
}

/* Names -------------------------------------------------------------------------------------------------- */

static int bad_name(reader *r, int k, const char *name)
{
    if (k == 0)
        return ms_fail(r->error, MS_INVALID,
                       "%s, line %ld: the first column is %.*s%s; it must be time, as in time,NAME,NAME,..",
                       r->path, r->line, CELL_SHOWN, name[0] != '\0' ? name : "without a name",
                       strlen(name) > CELL_SHOWN ? ".." : "");
    return ms_fail(r->error, MS_INVALID, "%s, line %ld: column %d has no name", r->path, r->line, k + 1);
}

static int compare_names(const void *a, const void *b)
{
    const char *const *left = a, *const *right = b;
    return strcmp(*left, *right);
}

static int refuse_repeated_names(reader *r)
{
    const ms_series *s = r->series;
    int status = MS_OK;
    const char **sorted = malloc(sizeof *sorted * (size_t)s->columns);
    MS_TRY_MEMORY_OR(sorted != NULL, no_memory(r));
    for (int k = 0; k < s->columns; k++)
        sorted[k] = s->name[k];
    qsort(sorted, (size_t)s->columns, sizeof *sorted, compare_names);
    for (int k = 0; k < s->columns && status == MS_OK; k++)
        if (strcmp(sorted[k], "time") == 0 || (k > 0 && strcmp(sorted[k], sorted[k - 1]) == 0))
            status = ms_fail(r->error, MS_INVALID, "%s, line %ld: column %.*s occurs twice", r->path, r->line,
                             CELL_SHOWN, sorted[k]);
    free(sorted);
    return status;
}

/* Reads the line of names into a series without rows. */
static int read_names(reader *r)
{
    const int columns = ms_csv_count(r->text) - 1;
    MS_TRY(ms_series_create(0, NULL, 0, &r->series, r->error));
    ms_series *series = r->series;
    free(series->name);
    series->name_line = r->next_line - 1;
    series->name = calloc((size_t)columns + 1, sizeof *series->name);
    MS_TRY_MEMORY_OR(series->name != NULL, no_memory(r));
    char *next = r->text;
    for (int k = 0; next != NULL; k++) {
        const char *name = ms_csv_cut(&next, NULL);
        if (k == 0 ? strcasecmp(name, "time") != 0 : name[0] == '\0')
            return bad_name(r, k, name);
        if (k == 0)
            continue;
        series->name[series->columns] = strdup(name);
        MS_TRY_MEMORY_OR(series->name[series->columns] != NULL, no_memory(r));
        series->columns++;
    }
    if (series->columns == 0)
        return ms_fail(r->error, MS_INVALID,
                       "%s, line %ld: no column beside time; the line must be "
                       "time,NAME,NAME,..",
                       r->path, r->line);
    return refuse_repeated_names(r);
}

/* Rows --------------------------------------------------------------------------------------------------- */

/* Room for one more row. */
static int make_room(reader *r)
{
    ms_series *s = r->series;
    if (s->rows < r->capacity)
        return MS_OK;
    const long capacity = 2 * r->capacity + 64;
    double *time = realloc(s->time, sizeof *time * (size_t)capacity);
    MS_TRY_MEMORY_OR(time != NULL, no_memory(r));
    s->time = time;
    double *value = realloc(s->value, sizeof *value * (size_t)capacity * ((size_t)s->columns + 1));
    MS_TRY_MEMORY_OR(value != NULL, no_memory(r));
    s->value = value;
    r->capacity = capacity;
    return MS_OK;
}

/* A boolean as tools write it; false: the cell is none. */
static bool read_boolean(const char *cell, double *value)
{
    *value = strcasecmp(cell, "true") == 0 ? 1.0 : 0.0;
    return *value != 0.0 || strcasecmp(cell, "false") == 0;
}

static int read_cell(reader *r, int k, const char *cell, double *value)
{
    const char *name = k == 0 ? "time" : r->series->name[k - 1];
    char *end;
    if (k > 0 && read_boolean(cell, value))
        return MS_OK;
    *value = ms_number_read(cell, &end);
    if (cell[0] == '\0' && k > 0 && !r->jumps) {
        *value = NAN;
        return MS_OK;
    }
    if (cell[0] == '\0')
        return ms_fail(r->error, MS_INVALID,
                       "%s, line %ld: no value in column %s; each row must have a number in each column",
                       r->path, r->line, name);
    if (*end != '\0')
        return ms_fail(r->error, MS_INVALID, "%s, line %ld: %.*s%s in column %s is not a number", r->path,
                       r->line, CELL_SHOWN, cell, strlen(cell) > CELL_SHOWN ? ".." : "", name);
    if (!isfinite(*value))
        return ms_fail(r->error, MS_INVALID, "%s, line %ld: %.*s in column %s; it must be a finite number",
                       r->path, r->line, CELL_SHOWN, cell, name);
    return MS_OK;
}

/* If rows have the same time, the first one ends the interval before the jump, and the last one begins the next; those in between pass. */
static void make_jump(const reader *r)
{
    ms_series *s = r->series;
    double *t = s->time + s->rows;
    const double before = t[0] - ms_series_jump(t[0]);
    if (t[0] != t[-1])
        return;
    if (s->rows < 2 || t[-2] < before) {
        t[-1] = before;
    } else if (t[-2] == before) {
        double *row = s->value + (size_t)s->rows * (size_t)s->columns;
        memcpy(row - s->columns, row, sizeof *row * (size_t)s->columns);
        s->rows--;
    }
}

static int read_row(reader *r)
{
    ms_series *s = r->series;
    const int cells = ms_csv_count(r->text);
    if (cells != s->columns + 1)
        return ms_fail(r->error, MS_INVALID,
                       "%s, line %ld: %d values, but the line of names (%ld) has %d columns", r->path,
                       r->line, cells, s->name_line, s->columns + 1);
    MS_TRY(make_room(r));
    char *next = r->text;
    MS_TRY(read_cell(r, 0, ms_csv_cut(&next, NULL), &s->time[s->rows]));
    double *value = s->value + (size_t)s->rows * (size_t)s->columns;
    for (int k = 1; k < cells; k++)
        MS_TRY(read_cell(r, k, ms_csv_cut(&next, NULL), &value[k - 1]));
    if (s->rows > 0 && r->jumps)
        make_jump(r);
    if (s->rows > 0 && s->time[s->rows] <= s->time[s->rows - 1])
        return ms_fail(r->error, MS_INVALID,
                       "%s, line %ld: time %.15g after %.15g in the row before; times must ascend", r->path,
                       r->line, s->time[s->rows], s->time[s->rows - 1]);
    s->rows++;
    return MS_OK;
}

/* Files -------------------------------------------------------------------------------------------------- */

/* Takes one line: a remark, the names, or a row. Empty lines are allowed only at the end of the file. */
static int take_line(reader *r)
{
    if (is_blank(r->text)) {
        r->blank = r->blank == 0 ? r->line : r->blank;
        return MS_OK;
    }
    if (r->blank != 0)
        return ms_fail(r->error, MS_INVALID, "%s, line %ld: an empty line; rows must follow each other",
                       r->path, r->blank);
    if (r->text[0] == '#')
        return MS_OK;
    return r->series == NULL ? read_names(r) : read_row(r);
}

static int read_all(reader *r)
{
    bool found = true;
    int status = MS_OK;
    while (found && status == MS_OK) {
        status = next_line(r, &found);
        if (found && status == MS_OK)
            status = take_line(r);
    }
    if (status == MS_OK && r->series == NULL)
        return ms_fail(r->error, MS_INVALID,
                       "%s, line %ld: the file ends without the line of names time,NAME,..", r->path,
                       r->line);
    if (status == MS_OK && r->series->rows == 0)
        return ms_fail(r->error, MS_INVALID, "%s, line %ld: the file ends without rows of numbers", r->path,
                       r->line);
    return status;
}

static int read_file(const char *path, bool jumps, ms_series **series, ms_error *error)
{
    reader r = {.path = path, .next_line = 1, .jumps = jumps, .error = error};
    *series = NULL;
    if (ms_input_check(path, MS_INPUT_ROWS_BYTES, error) != MS_OK)
        return MS_INVALID;
    r.file = fopen(path, "re");
    if (r.file == NULL)
        return ms_fail(error, MS_IO, "%s: cannot be read: %s", path, strerror(errno));
    int status = read_all(&r);
    if (status == MS_OK) {
        char *copy = strdup(path);
        if (copy == NULL) {
            status = no_memory(&r);
        } else {
            free(r.series->path);
            r.series->path = copy;
            *series = r.series;
            r.series = NULL;
        }
    }
    ms_series_destroy(&r.series);
    free(r.text);
    fclose(r.file);
    return status;
}

int ms_series_read(const char *path, ms_series **series, ms_error *error)
{
    return read_file(path, false, series, error);
}

int ms_series_read_inputs(const char *path, ms_series **series, ms_error *error)
{
    return read_file(path, true, series, error);
}
