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
#include "row_parts.h"
#include "row_reader.h"
#include "standard_output.h"
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

/* The number of rows comes last: with it the head is complete. */
static int write_csv_head(const json_t *columns, const json_t *provenance, long rows, FILE *stream)
{
    json_t *remarks = json_copy((json_t *)provenance);
    ms_json_set(&remarks, MS_ROWS_OF_GRID, json_integer(rows));
    ms_csv_header(columns, stream);
    const int status = remarks != NULL ? ms_answer_remarks(remarks, stream) : MS_NO_MEMORY;
    json_decref(remarks);
    return status;
}

int ms_sweep_file_create(const char *path, ms_format format, json_t *columns, const json_t *provenance,
                         long rows, ms_sweep_file *file, ms_error *error)
{
    ms_text_stream text;
    *file = (ms_sweep_file){.path = path, .form = {format, columns, false, false}, .descriptor = -1};
    FILE *stream = ms_text_open(&text);
    int status = stream != NULL && provenance != NULL ? MS_OK : MS_NO_MEMORY;
    if (status == MS_OK && format == MS_FORMAT_JSON) {
        status = write_json_head(provenance, rows, stream);
    } else if (status == MS_OK && format == MS_FORMAT_JSONL) {
        fputs("{\"provenance\": ", stream);
        status = ms_json_write(provenance, MS_JSON_ON_ONE_LINE, stream) == 0 ? MS_OK : MS_NO_MEMORY;
        fprintf(stream, ", \"rows_of_grid\": %ld}\n", rows);
    } else if (status == MS_OK) {
        status = write_csv_head(columns, provenance, rows, stream);
    }
    file->head = ms_text_close(&text);
    return file->head != NULL && status == MS_OK
               ? MS_OK
               : ms_fail(error, MS_NO_MEMORY, "not enough memory for the head of the file");
}

/* Writing ------------------------------------------------------------------------------------------------ */

/* Writes all bytes, at `place` or (place < 0) at the current position. */
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

/* Writes the text after the rows, followed by the end of the file. */
static int write_end(ms_sweep_file *file, const char *before, const char *text, ms_error *error)
{
    const char *tail = file->form.format == MS_FORMAT_JSON && file->regular ? json_tail : "";
    const size_t size = strlen(before) + strlen(text), all = size + strlen(tail);
    char *joined = malloc(all + 1);
    MS_TRY_MEMORY_FOR(joined != NULL, error, "a row");
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
        write_end(file, file->form.format == MS_FORMAT_JSON && file->rows > 0 ? ",\n" : "", text, error);
    file->rows += status == MS_OK;
    return status;
}

/* Locks the file against other sweeps. */
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
    file->descriptor = file->path == NULL ? fcntl(fileno(ms_standard_output()), F_DUPFD_CLOEXEC, 0)
                       : file->regular    ? open(file->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666)
                                          : open(file->path, O_WRONLY | O_CLOEXEC);
    if (file->descriptor < 0)
        return failed(file, error);
    return lock(file, error);
}

/* Resuming ----------------------------------------------------------------------------------------------- */

/* Is it the head of this call? A file cut off in its head has a part of it. */
static int check_head(const ms_sweep_file *file, const char *head, ms_error *error)
{
    if (strstr(head, "\r\n") != NULL)
        return ms_fail(
            error, MS_INVALID,
            "--resume: %s: its lines end with CR LF, those of this program with LF alone; turn them back",
            file->path);
    return strncmp(head, file->head, strlen(head)) == 0
               ? MS_OK
               : ms_row_head_differ(&(ms_row_heads){"--resume: ", file->path, head, "this call", file->head},
                                    error);
}

/* Compares the row with both candidates for row k. MS_INVALID: `what` is wrong with it. */
static int check_shape(const ms_sweep_file *file, const ms_row_reader *r, const ms_row_keys *keys, long k,
                       ms_error *what, ms_error *error)
{
    int status = MS_INVALID;
    for (int again = 0; again < 2 && status == MS_INVALID; again++) {
        json_t *shape = NULL;
        ms_error why = {0};
        const int made = keys->shape(keys->self, k, again != 0, &shape, error);
        if (made != MS_OK)
            return made;
        if (shape != NULL)
            status = ms_row_check(&file->form, r->text, r->length, shape, &why);
        json_decref(shape);
        if (!again || status == MS_NO_MEMORY)
            ms_fail(status == MS_NO_MEMORY ? error : what, status, "%s", why.text);
    }
    return status;
}

static int check_row(const ms_sweep_file *file, const ms_row_reader *r, const ms_row_keys *keys, long k,
                     ms_error *what, ms_error *error)
{
    if (r->wrong == NULL && k < keys->n)
        return check_shape(file, r, keys, k, what, error);
    return ms_fail(what, MS_INVALID, "%s", r->wrong != NULL ? r->wrong : "comes after the last row");
}

/* Up to the last correct row; a wrong one is refused, or reported as dropped. */
static int read_rows(ms_sweep_file *file, ms_row_reader *r, ms_row_keys *keys, ms_error *error)
{
    ms_error what = {0};
    int status = MS_OK;
    for (long k = 0; status == MS_OK && ms_row_reader_next(r); k++) {
        k = ms_shard_next(&keys->shard, keys->n, k);
        status = check_row(file, r, keys, k, &what, error);
        file->end = status == MS_OK ? r->end : file->end;
        file->rows += status == MS_OK;
    }
    if (status != MS_INVALID)
        return status;
    if (!keys->repair)
        return ms_fail(error, MS_INVALID,
                       "--resume: %s: line %ld: %s; with --repair rows are computed again from there",
                       file->path, r->line, what.text);
    ms_fail(&keys->repaired, MS_OK, "%s: line %ld: %s; computed again from there", file->path, r->line,
            what.text);
    return MS_OK;
}

/* A restarted job without --resume must not lose the rows of its part. */
static int keep_part(const ms_sweep_file *file, ms_row_reader *r, const ms_row_keys *keys, ms_error *error)
{
    const long all = ms_shard_rows(&keys->shard, keys->n);
    long rows = 0;
    if (strcmp(r->head, file->head) != 0)
        return MS_OK;
    while (ms_row_reader_next(r))
        rows++;
    return rows == 0 || rows >= all ? MS_OK
                                    : ms_fail(error, MS_INVALID,
                                              "%s: holds %ld of the %ld rows of part %d/%d; --resume "
                                              "continues it, or remove it first",
                                              file->path, rows, all, keys->shard.index, keys->shard.of);
}

static int read_file(ms_sweep_file *file, ms_row_reader *r, ms_row_keys *keys, ms_error *error)
{
    ms_row_reader_begin(r);
    if (r->status != MS_OK)
        return MS_OK;
    if (!keys->resume)
        return keep_part(file, r, keys, error);
    const int status = check_head(file, r->head, error);
    if (status != MS_OK || strlen(r->head) < strlen(file->head))
        return status;
    file->end = (off_t)strlen(file->head);
    return read_rows(file, r, keys, error);
}

/* Examines the existing file; file->end = 0: nothing is kept. */
static int look(ms_sweep_file *file, ms_row_keys *keys, ms_error *error)
{
    errno = 0;
    const int twin = fcntl(file->descriptor, F_DUPFD_CLOEXEC, 0);
    ms_row_reader r = {.file = twin >= 0 ? fdopen(twin, "r") : NULL};
    if (r.file == NULL)
        return failed(file, error);
    int status = read_file(file, &r, keys, error);
    if (status == MS_OK && r.status != MS_OK)
        status = r.status == MS_IO ? failed(file, error)
                                   : ms_fail(error, r.status, "not enough memory to read %s", file->path);
    fclose(r.file); /* and with it every lock of the file */
    ms_row_reader_end(&r);
    return status == MS_OK ? lock(file, error) : status;
}

/* Truncates the file after its rows, or restarts it with its head. */
static int cut(ms_sweep_file *file, ms_error *error)
{
    const bool anew = file->end == 0;
    const off_t tail = file->form.format == MS_FORMAT_JSON ? (off_t)strlen(json_tail) : 0;
    errno = 0;
    if (anew && file->regular && ftruncate(file->descriptor, 0) != 0)
        return failed(file, error);
    const int status = write_end(file, "", anew ? file->head : "", error);
    errno = 0;
    return status == MS_OK && file->regular && ftruncate(file->descriptor, file->end + tail) != 0
               ? failed(file, error)
               : status;
}

int ms_sweep_file_open(ms_sweep_file *file, ms_row_keys *keys, ms_error *error)
{
    int status = open_locked(file, error);
    if (status == MS_OK && keys != NULL && keys->resume && !file->regular)
        status = ms_fail(error, MS_INVALID, "--resume: %s is not a regular file", file->path);
    if (status == MS_OK && keys != NULL && (keys->resume || (file->regular && keys->shard.of > 0)))
        status = look(file, keys, error);
    return status == MS_OK ? cut(file, error) : status;
}

int ms_sweep_file_close(ms_sweep_file *file, ms_error *error)
{
    int status = MS_OK;
    errno = 0;
    if (file->descriptor >= 0 && !file->regular && file->form.format == MS_FORMAT_JSON)
        status = write_all(file, json_tail, strlen(json_tail), -1, error);
    if (file->descriptor >= 0 && close(file->descriptor) != 0 && status == MS_OK)
        status = failed(file, error);
    json_decref(file->form.columns);
    free(file->head);
    *file = (ms_sweep_file){.descriptor = -1};
    return status;
}
