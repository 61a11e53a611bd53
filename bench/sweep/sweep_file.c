/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "row_check.h"
#include "row_head.h"
#include "row_reader.h"

static int failed(const ms_sweep_file *file, ms_error *error)
{
    return ms_fail(error, MS_IO, "%s: %s", file->path != NULL ? file->path : "standard output",
                   errno != 0 ? strerror(errno) : "could not be written");
}

int ms_sweep_file_create(const char *path, const ms_row_form *form, const json_t *provenance, long rows,
                         ms_sweep_file *file, ms_error *error)
{
    *file = (ms_sweep_file){.path = path, .form = *form, .descriptor = -1};
    file->head = ms_row_head(form, provenance, rows);
    return file->head != NULL ? MS_OK
                              : ms_fail(error, MS_NO_MEMORY, "not enough memory for the head of the file");
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

static bool is_json(const ms_sweep_file *file)
{
    return file->form.format == MS_FORMAT_JSON;
}

/* The text at the end of the rows, and behind it what ends the file. */
static int write_end(ms_sweep_file *file, const char *before, const char *text, ms_error *error)
{
    const char *tail = file->regular ? ms_row_tail(file->form.format) : "";
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
    const int status = write_end(file, is_json(file) && file->rows > 0 ? ",\n" : "", text, error);
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

/* Compares the head of the file with that of this call; without the rest of it the file begins anew. */
static int check_head(ms_sweep_file *file, const char *old, bool whole, ms_error *error)
{
    const ms_row_heads heads = {"--resume: ", file->path, old, "this call", file->head};
    if (strcmp(old, file->head) == 0)
        return MS_OK;
    if (!whole && strncmp(old, file->head, strlen(old)) == 0)
        return start_anew(file, error);
    if (strstr(old, "\r\n") != NULL)
        return ms_fail(
            error, MS_INVALID,
            "--resume: %s: its lines end with CR LF, those of this program with LF alone; turn them back",
            file->path);
    return ms_row_heads_differ(&heads, error);
}

/* Compares the row with one that has run in its place, and else with one that has not. MS_INVALID with what is wrong. */
static int check_key(const ms_sweep_file *file, const ms_row_reader *r, const ms_sweep_resume *resume, long k,
                     ms_error *why)
{
    ms_error ignored, *wrong = why;
    int status = MS_INVALID;
    for (int again = 0; again < 2 && status == MS_INVALID; again++) {
        json_t *shape = NULL;
        status = resume->shape(resume->self, k, again, &shape, wrong);
        if (status == MS_OK)
            status = ms_row_check(&file->form, r->text, r->length, shape, wrong);
        json_decref(shape);
        wrong = &ignored;
    }
    return status;
}

/* MS_INVALID where the row is not row k of the grid. */
static int check_row(const ms_sweep_file *file, const ms_row_reader *r, const ms_sweep_resume *resume, long k,
                     ms_error *why)
{
    if (r->all > 1 && r->text[r->all - 2] == '\r')
        return ms_fail(why, MS_INVALID,
                       "ends with CR LF, the end of lines of another system; this program writes LF alone");
    if (is_json(file) && r->text[0] == '\n')
        return ms_fail(why, MS_INVALID, "stands behind an empty line");
    if (!r->joined)
        return ms_fail(why, MS_INVALID, "stands behind a row that no comma ends");
    if (k >= resume->rows)
        return ms_fail(why, MS_INVALID, "stands behind the last row");
    return check_key(file, r, resume, k, why);
}

/* Refuses the file with what is wrong in a line of it, or says that its rest goes. */
static int judge(const ms_sweep_file *file, long line, const char *what, ms_sweep_resume *resume,
                 ms_error *error)
{
    if (!resume->repair)
        return ms_fail(error, MS_INVALID,
                       "--resume: %s: line %ld: %s; with --repair rows are made anew from there", file->path,
                       line, what);
    ms_fail(&resume->repaired, MS_OK, "%s: line %ld: %s; made anew from there", file->path, line, what);
    return MS_OK;
}

/* Counts the rows that are there. */
static int read_rows(ms_sweep_file *file, ms_row_reader *r, ms_sweep_resume *resume, ms_error *error)
{
    int status = MS_OK;
    long k = ms_shard_next(&resume->shard, resume->rows, 0);
    ms_error why = {0};
    file->end = r->end;
    while (status == MS_OK && ms_row_reader_next(r)) {
        status = check_row(file, r, resume, k, &why);
        if (status == MS_OK) {
            file->end = r->begin + (off_t)r->length;
            file->rows++;
            k = ms_shard_next(&resume->shard, resume->rows, k + 1);
        }
    }
    if (status == MS_INVALID)
        return judge(file, r->line, why.text, resume, error);
    return status == MS_OK ? MS_OK : ms_fail(error, status, "%s", why.text);
}

/* The file ends with its rows. */
static int cut(ms_sweep_file *file, ms_error *error)
{
    const int status = write_end(file, "", "", error);
    const size_t tail = strlen(ms_row_tail(file->form.format));
    errno = 0;
    return status == MS_OK && ftruncate(file->descriptor, file->end + (off_t)tail) != 0 ? failed(file, error)
                                                                                        : status;
}

static int read_file(ms_sweep_file *file, ms_row_reader *r, ms_sweep_resume *resume, ms_error *error)
{
    bool whole;
    char *head = ms_row_reader_head(r, &whole);
    int status = head == NULL
                     ? ms_fail(error, MS_NO_MEMORY, "not enough memory for the head of %s", file->path)
                     : MS_OK;
    if (status == MS_OK && r->failure == 0)
        status = check_head(file, head, whole, error);
    free(head);
    if (status == MS_OK && r->failure == 0 && whole)
        status = read_rows(file, r, resume, error);
    if (status == MS_OK && r->failure == ENOMEM)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for a line of %s", file->path);
    errno = r->failure;
    if (status == MS_OK && errno != 0)
        return failed(file, error);
    return status == MS_OK && whole ? cut(file, error) : status;
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
    ms_row_reader reader = {
        .file = twin >= 0 ? fdopen(twin, "r") : NULL, .format = file->form.format, .line = 1};
    if (reader.file == NULL)
        return failed(file, error);
    status = read_file(file, &reader, resume, error);
    fclose(reader.file); /* and with it every lock of the file */
    ms_row_reader_destroy(&reader);
    return status == MS_OK ? lock(file, error) : status;
}

int ms_sweep_file_close(ms_sweep_file *file, ms_error *error)
{
    int status = MS_OK;
    errno = 0;
    if (file->descriptor >= 0 && !file->regular && is_json(file))
        status = write_end(file, "", ms_row_tail(MS_FORMAT_JSON), error);
    if (file->descriptor >= 0 && close(file->descriptor) != 0 && status == MS_OK)
        status = failed(file, error);
    json_decref(file->form.columns);
    free(file->head);
    *file = (ms_sweep_file){.descriptor = -1};
    return status;
}
