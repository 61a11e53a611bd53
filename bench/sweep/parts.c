/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "input_file.h"
#include "row_parts.h"

static int no_memory(ms_error *error)
{
    return ms_fail(error, MS_NO_MEMORY, "not enough memory for the parts");
}

static int no_part(const char *path, ms_error *error)
{
    return ms_fail(error, MS_INVALID, "%s: is not a part of a command's rows; --shard I/N makes them", path);
}

/* The message of errno. */
static int unreadable(const char *path, ms_error *error)
{
    if (errno == ENOMEM)
        return no_memory(error);
    return ms_fail(error, MS_IO, "%s: %s", path, errno != 0 ? strerror(errno) : "cannot be read");
}

static int failure_of(const ms_row_reader *r, const char *path, ms_error *error)
{
    return r->status == MS_OK ? MS_OK : r->status == MS_IO ? unreadable(path, error) : no_memory(error);
}

/* Heads -------------------------------------------------------------------------------------------------- */

/* Takes the shard out of the head. False: there is none. */
static bool take_shard(ms_row_reader *r, ms_shard *shard)
{
    static const struct {
        const char *before;
        char behind;
    } of_head[] = {[MS_FORMAT_CSV] = {"\n# shard: ", '\n'},
                   [MS_FORMAT_JSON] = {"\n  \"shard\": \"", '\n'},
                   [MS_FORMAT_JSONL] = {" \"shard\": \"", ' '}};
    const char *before = of_head[r->format].before;
    char *at = r->whole && before != NULL ? strstr(r->head, before) : NULL;
    if (at == NULL || sscanf(at + strlen(before), "%d/%d", &shard->index, &shard->of) != 2 ||
        shard->index < 1 || shard->index > shard->of || shard->of > MS_SHARDS_MAX)
        return false;
    const char *end = strchr(at + strlen(before), of_head[r->format].behind);
    if (end == NULL)
        return false;
    memmove(at, end, strlen(end) + 1);
    return true;
}

/* The first part determines what the others must be. */
static int take_first(ms_parts *parts, const char *path, ms_row_reader *r, const ms_shard *shard,
                      ms_error *error)
{
    parts->provenance = ms_row_head_members(r->head);
    const char *rows = json_string_value(json_object_get(parts->provenance, "rows_of_grid"));
    parts->part = calloc((size_t)shard->of + 1, sizeof *parts->part);
    MS_TRY_MEMORY_OR(parts->part != NULL, no_memory(error));
    if (rows == NULL)
        return no_part(path, error);
    parts->n = shard->of;
    parts->first = path;
    parts->format = r->format;
    parts->rows = strtol(rows, NULL, 10);
    parts->head = r->head;
    r->head = NULL;
    return MS_OK;
}

/* Compares another part with the first one. */
static int check_part(const ms_parts *parts, const char *path, const ms_row_reader *r, const ms_shard *shard,
                      ms_error *error)
{
    const char *there = shard->of == parts->n ? parts->part[shard->index - 1].path : NULL;
    if (shard->of != parts->n)
        return ms_fail(error, MS_INVALID, "%s: is part %d of %d, but %s is one of %d", path, shard->index,
                       shard->of, parts->first, parts->n);
    if (strcmp(r->head, parts->head) != 0)
        return ms_row_head_differ(&(ms_row_heads){"", path, r->head, parts->first, parts->head}, error);
    return there == NULL ? MS_OK
                         : ms_fail(error, MS_INVALID, "%s: is part %d/%d, as %s is", path, shard->index,
                                   shard->of, there);
}

/* Rows --------------------------------------------------------------------------------------------------- */

static bool next_row(ms_row_reader *r)
{
    return ms_row_reader_next(r) && r->wrong == NULL;
}

/* Does the file have exactly its rows? */
static int count_rows(const ms_parts *parts, const char *path, ms_row_reader *r, const ms_shard *shard,
                      ms_error *error)
{
    const long rows = ms_shard_rows(shard, parts->rows);
    long n = 0;
    while (next_row(r))
        n++;
    if (r->status == MS_OK && n < rows)
        return ms_fail(error, MS_INVALID,
                       "%s: holds %ld of the %ld rows of part %d/%d; --resume continues it", path, n, rows,
                       shard->index, shard->of);
    if (r->status == MS_OK && n > rows)
        return ms_fail(error, MS_INVALID, "%s: has more than the %ld rows of part %d/%d", path, rows,
                       shard->index, shard->of);
    return failure_of(r, path, error);
}

static int read_part(ms_parts *parts, const char *path, ms_row_reader *r, ms_error *error)
{
    ms_shard shard = {0};
    errno = 0;
    ms_row_reader_begin(r);
    const off_t at = r->at;
    MS_TRY(failure_of(r, path, error));
    if (!take_shard(r, &shard))
        MS_TRY(no_part(path, error));
    MS_TRY(parts->part == NULL ? take_first(parts, path, r, &shard, error)
                               : check_part(parts, path, r, &shard, error));
    MS_TRY(count_rows(parts, path, r, &shard, error));
    parts->part[shard.index - 1] = (ms_part){path, at};
    return MS_OK;
}

static void close_reader(ms_parts *parts)
{
    if (parts->reader.file != NULL)
        fclose(parts->reader.file);
    ms_row_reader_end(&parts->reader);
    parts->open = -1;
}

static int open_reader(ms_parts *parts, const char *path, ms_error *error)
{
    close_reader(parts);
    if (ms_input_check(path, MS_INPUT_ROWS_BYTES, error) != MS_OK)
        return MS_INVALID;
    errno = 0;
    parts->reader.file = fopen(path, "re");
    return parts->reader.file != NULL ? MS_OK : unreadable(path, error);
}

int ms_parts_row(ms_parts *parts, long k, ms_error *error)
{
    const int owner = (int)(k / ms_shard_block(parts->rows, parts->n) % parts->n);
    ms_part *part = &parts->part[owner];
    ms_row_reader *r = &parts->reader;
    if (parts->open != owner) {
        const int status = open_reader(parts, part->path, error);
        if (status != MS_OK || fseeko(r->file, part->at, SEEK_SET) != 0)
            return status != MS_OK ? status : unreadable(part->path, error);
        parts->open = owner;
        r->format = parts->format;
        r->at = part->at;
    }
    const bool found = next_row(r);
    part->at = r->at;
    if (found || r->status != MS_OK)
        return failure_of(r, part->path, error);
    return ms_fail(error, MS_INVALID, "%s: has changed", part->path);
}

/* Files -------------------------------------------------------------------------------------------------- */

/* Names the first missing parts. */
static int check_complete(const ms_parts *parts, ms_error *error)
{
    char names[160] = "";
    int missing = 0;
    for (int k = 0; k < parts->n; k++) {
        const size_t length = strlen(names);
        if (parts->part[k].path == NULL && missing++ < 8)
            snprintf(names + length, sizeof names - length, "%s%d/%d", missing > 1 ? ", " : "", k + 1,
                     parts->n);
    }
    return missing == 0 ? MS_OK
                        : ms_fail(error, MS_INVALID, "part%s %s%s %s missing", missing > 1 ? "s" : "", names,
                                  missing > 8 ? ", .." : "", missing > 1 ? "are" : "is");
}

int ms_parts_open(char *const *paths, int n, ms_parts *parts, ms_error *error)
{
    int status = MS_OK;
    *parts = (ms_parts){.open = -1};
    for (int k = 0; k < n && status == MS_OK; k++) {
        status = open_reader(parts, paths[k], error);
        MS_THEN(status, read_part(parts, paths[k], &parts->reader, error));
    }
    close_reader(parts);
    return status == MS_OK ? check_complete(parts, error) : status;
}

void ms_parts_close(ms_parts *parts)
{
    close_reader(parts);
    json_decref(parts->provenance);
    MS_FREE(parts->head, parts->part);
    *parts = (ms_parts){.open = -1};
}
