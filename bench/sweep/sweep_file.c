/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "answer.h"
#include "json_text.h"
#include "memory.h"
#include "sweep_head.h"
#include "sweep_scan.h"
#include "text_stream.h"

static const char json_tail[] = "\n]}\n";

static int failed(const ms_sweep_file *file, ms_error *error)
{
    return ms_fail(error, MS_IO, "%s: %s", file->path != NULL ? file->path : "standard output",
                   errno != 0 ? strerror(errno) : "could not be written");
}

/* Texts -------------------------------------------------------------------------------------------------- */

static int write_json_head(const json_t *provenance, long rows, FILE *stream)
{
    fputs("{\"provenance\":\n", stream);
    const int status = ms_json_write(provenance, MS_JSON_ON_LINES, stream);
    fprintf(stream, ",\n\"rows_of_grid\": %ld,\n\"rows\": [\n", rows);
    return status == 0 ? MS_OK : MS_NO_MEMORY;
}

int ms_sweep_file_create(const char *path, ms_format format, json_t *columns, const json_t *provenance,
                         long rows, ms_sweep_file *file, ms_error *error)
{
    ms_text_stream text;
    *file = (ms_sweep_file){.path = path, .format = format, .columns = columns, .descriptor = -1};
    FILE *stream = ms_text_open(&text);
    int status = stream != NULL && provenance != NULL ? MS_OK : MS_NO_MEMORY;
    if (status == MS_OK && format == MS_FORMAT_JSON) {
        status = write_json_head(provenance, rows, stream);
    } else if (status == MS_OK && format == MS_FORMAT_JSONL) {
        fputs("{\"provenance\": ", stream);
        status = ms_json_write(provenance, MS_JSON_ON_ONE_LINE, stream) == 0 ? MS_OK : MS_NO_MEMORY;
        fprintf(stream, ", \"rows_of_grid\": %ld}\n", rows);
    } else if (status == MS_OK) {
        json_t *copy = json_copy((json_t *)provenance);
        status = copy != NULL ? ms_answer_remarks(copy, stream) : MS_NO_MEMORY;
        json_decref(copy);
        fprintf(stream, "# rows_of_grid: %ld\n", rows);
        ms_csv_header(columns, stream);
    }
    file->head = ms_text_close(&text);
    if (file->head == NULL)
        status = MS_NO_MEMORY;
    return status == MS_OK ? MS_OK
                           : ms_fail(error, MS_NO_MEMORY, "not enough memory for the head of the file");
}

static ms_row_form form_of(const ms_sweep_file *file)
{
    return (ms_row_form){.format = file->format, .columns = file->columns, .wide = file->wide};
}

static char *row_text(const ms_sweep_file *file, json_t *row)
{
    const ms_row_form form = form_of(file);
    return ms_row_text(&form, row);
}

char *ms_sweep_file_text(const ms_sweep_file *file, json_t *row)
{
    char *text = row_text(file, row);
    if (!ms_memory_refused())
        return text;
    free(text); /* the row may lack members */
    return NULL;
}

/* Writing ------------------------------------------------------------------------------------------------ */

/* All bytes, at the place or (place < 0) where the file stands. */
static int write_all(const ms_sweep_file *file, const char *text, size_t size, off_t place, ms_error *error)
{
    for (size_t done = 0; done < size;) {
        errno = 0;
        const ssize_t n = place >= 0 ? pwrite(file->descriptor, text + done, size - done, place + (off_t)done)
                                     : write(file->descriptor, text + done, size - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return failed(file, error);
        done += (size_t)n;
    }
    return MS_OK;
}

/* The text at the end of the rows, and behind it what ends the file. */
static int write_end(ms_sweep_file *file, const char *before, const char *text, ms_error *error)
{
    const char *tail = file->format == MS_FORMAT_JSON && file->regular ? json_tail : "";
    const size_t size = strlen(before) + strlen(text), all = size + strlen(tail);
    char *joined = malloc(all + 1);
    if (joined == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for a row");
    snprintf(joined, all + 1, "%s%s%s", before, text, tail);
    const int status = write_all(file, joined, all, file->regular ? file->end : -1, error);
    free(joined);
    if (status == MS_OK)
        file->end += (off_t)size;
    return status;
}

int ms_sweep_file_append(ms_sweep_file *file, const char *text, ms_error *error)
{
    const int status =
        write_end(file, file->format == MS_FORMAT_JSON && file->rows > 0 ? ",\n" : "", text, error);
    file->rows += status == MS_OK;
    return status;
}

/* Makes sure that no other sweep writes the file. */
static int lock(const ms_sweep_file *file, ms_error *error)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (file->regular && fcntl(file->descriptor, F_SETLK, &whole) != 0 &&
        (errno == EACCES || errno == EAGAIN))
        return ms_fail(error, MS_IO, "%s: another sweep is writing it", file->path);
    return MS_OK;
}

static int open_locked(ms_sweep_file *file, ms_error *error)
{
    struct stat status;
    const bool missing = file->path != NULL && stat(file->path, &status) != 0;
    file->regular = missing || (file->path != NULL && S_ISREG(status.st_mode));
    errno = 0;
    file->descriptor = file->path == NULL ? dup(STDOUT_FILENO)
                       : file->regular    ? open(file->path, O_RDWR | O_CREAT, 0666)
                                          : open(file->path, O_WRONLY);
    if (file->descriptor < 0)
        return failed(file, error);
    return lock(file, error);
}

/* No rows: the head, and what ends the file. */
static int start_anew(ms_sweep_file *file, ms_error *error)
{
    errno = 0;
    file->end = 0;
    file->rows = 0;
    if (file->regular && ftruncate(file->descriptor, 0) != 0)
        return failed(file, error);
    return write_end(file, "", file->head, error);
}

int ms_sweep_file_begin(ms_sweep_file *file, ms_error *error)
{
    const int status = open_locked(file, error);
    return status == MS_OK ? start_anew(file, error) : status;
}

/* Resuming ----------------------------------------------------------------------------------------------- */

/* Lines that a transfer or an editor has ended in the way of another system? */
static bool has_foreign_lines(const char *head)
{
    const size_t length = strlen(head);
    return strstr(head, "\r\n") != NULL || (length > 0 && head[length - 1] == '\r');
}

/* What the head of the file differs in. One on one line may be longer than ours: it is read again as a whole. */
static int refuse_head(const ms_sweep_file *file, const char *old, FILE *stream, ms_error *error)
{
    char *line = NULL;
    size_t capacity = 0;
    const bool longer = file->format == MS_FORMAT_JSONL && fseek(stream, 0, SEEK_SET) == 0 &&
                        getline(&line, &capacity, stream) > 0;
    const int status = ms_sweep_head_differ(
        &(ms_sweep_heads){"--resume: ", file->path, longer ? line : old, "this call", file->head}, error);
    free(line);
    return status;
}

/* Compares the head with that of the file, which *whole tells to be as long at least. */
static int read_head(ms_sweep_file *file, FILE *stream, bool *whole, ms_error *error)
{
    const size_t size = strlen(file->head);
    char *old = calloc(size + 1, 1);
    if (old == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for %zu bytes, the head of %s", size,
                       file->path);
    const size_t n = fread(old, 1, size, stream);
    int status = MS_OK;
    *whole = n == size;
    if (ferror(stream))
        status = failed(file, error);
    else if (has_foreign_lines(old))
        status = ms_fail(
            error, MS_INVALID,
            "--resume: %s: its lines end with CR LF, those of this program with LF alone; turn them back",
            file->path);
    else if (n < size && strncmp(old, file->head, n) == 0)
        status = start_anew(file, error); /* ended before its head was written */
    else if (strcmp(old, file->head) != 0)
        status = refuse_head(file, old, stream, error);
    free(old);
    return status;
}

static long count_lines(const char *text)
{
    long lines = 0;
    for (; *text != '\0'; text++)
        lines += *text == '\n';
    return lines;
}

/* Refuses a file with a wrong row, or says that it goes. */
static int judge(const ms_sweep_file *file, const ms_sweep_scan *scan, ms_sweep_resume *resume,
                 ms_error *error)
{
    if (!scan->damaged)
        return MS_OK;
    if (!resume->repair)
        return ms_fail(error, MS_INVALID,
                       "--resume: %s: line %ld: %s; with --repair rows are made anew from there", file->path,
                       scan->line, scan->what.text);
    ms_fail(&resume->repaired, MS_OK, "%s: line %ld: %s; made anew from there", file->path, scan->line,
            scan->what.text);
    return MS_OK;
}

static int read_rows(ms_sweep_file *file, FILE *stream, ms_sweep_resume *resume, ms_error *error)
{
    ms_sweep_scan scan = {.form = form_of(file),
                          .places = resume,
                          .end = (off_t)strlen(file->head),
                          .line = count_lines(file->head) + 1};
    scan.form.more = resume->more;
    int status = ms_sweep_scan_rows(&scan, stream, error);
    if (status == MS_OK)
        status = judge(file, &scan, resume, error);
    if (status != MS_OK)
        return status;
    file->end = scan.end;
    file->rows = scan.rows;
    return MS_OK;
}

/* The file ends with its rows. */
static int cut(ms_sweep_file *file, ms_error *error)
{
    const int status = write_end(file, "", "", error);
    const size_t tail = file->format == MS_FORMAT_JSON ? strlen(json_tail) : 0;
    errno = 0;
    return status == MS_OK && ftruncate(file->descriptor, file->end + (off_t)tail) != 0 ? failed(file, error)
                                                                                        : status;
}

static int read_file(ms_sweep_file *file, FILE *stream, ms_sweep_resume *resume, ms_error *error)
{
    bool whole = false;
    int status = read_head(file, stream, &whole, error);
    if (status != MS_OK || !whole)
        return status;
    status = read_rows(file, stream, resume, error);
    return status == MS_OK ? cut(file, error) : status;
}

int ms_sweep_file_resume(ms_sweep_file *file, ms_sweep_resume *resume, ms_error *error)
{
    int status = open_locked(file, error);
    if (status == MS_OK && !file->regular)
        status = ms_fail(error, MS_INVALID, "--resume: %s is no regular file", file->path);
    if (status != MS_OK)
        return status;
    errno = 0;
    const int twin = dup(file->descriptor);
    FILE *stream = twin >= 0 ? fdopen(twin, "r") : NULL;
    if (stream == NULL)
        return failed(file, error);
    status = read_file(file, stream, resume, error);
    fclose(stream); /* and with it every lock of the file */
    return status == MS_OK ? lock(file, error) : status;
}

int ms_sweep_file_close(ms_sweep_file *file, ms_error *error)
{
    int status = MS_OK;
    errno = 0;
    if (file->descriptor >= 0 && !file->regular && file->format == MS_FORMAT_JSON)
        status = write_all(file, json_tail, strlen(json_tail), -1, error);
    if (file->descriptor >= 0 && close(file->descriptor) != 0 && status == MS_OK)
        status = failed(file, error);
    json_decref(file->columns);
    free(file->head);
    *file = (ms_sweep_file){.descriptor = -1};
    return status;
}
