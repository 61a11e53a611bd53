/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "row_head.h"

static int no_memory(ms_error *error)
{
    (void)ms_fail(error, MS_NO_MEMORY, "not enough memory for the parts");
    return MS_NO_MEMORY;
}

static int no_part(const char *path, ms_error *error)
{
    (void)ms_fail(error, MS_INVALID, "%s: is no part of a command's rows; --shard I/N makes them", path);
    return MS_INVALID;
}

static int unreadable(const char *path, int failure, ms_error *error)
{
    if (failure == ENOMEM)
        return no_memory(error);
    (void)ms_fail(error, MS_INVALID, "%s: %s", path, failure != 0 ? strerror(failure) : "cannot be read");
    return MS_INVALID;
}

static void leave(ms_parts *parts)
{
    if (parts->reader.file != NULL)
        fclose(parts->reader.file);
    parts->reader.file = NULL;
    parts->open = NULL;
}

/* Reads on in that file. */
static int turn_to(ms_parts *parts, const ms_part *part, ms_error *error)
{
    if (parts->open == part)
        return MS_OK;
    leave(parts);
    errno = 0;
    parts->reader.file = fopen(part->path, "r");
    if (parts->reader.file == NULL || fseeko(parts->reader.file, part->at, SEEK_SET) != 0)
        return unreadable(part->path, errno, error);
    parts->reader.end = part->at;
    parts->open = part;
    return MS_OK;
}

/* Heads -------------------------------------------------------------------------------------------------- */

/* How a head says which part it is of, from what is before it to what is behind it, and of how many rows. */
static const struct {
    const char *shard;
    char end;
    const char *rows;
} of_head[] = {[MS_FORMAT_CSV] = {"\n# shard: ", '\n', "\n# rows_of_grid: "},
               [MS_FORMAT_JSON] = {"\n  \"shard\": \"", '\n', "\n\"rows_of_grid\": "},
               [MS_FORMAT_JSONL] = {" \"shard\": \"", ' ', ", \"rows_of_grid\": "}};

/* Takes the shard out of the head, and reads how many rows the whole has. */
static int read_shard(char *head, ms_format format, ms_part *part, long *rows, ms_error *error)
{
    char *at = strstr(head, of_head[format].shard);
    const char *count = strstr(head, of_head[format].rows);
    const char *number = at != NULL ? at + strlen(of_head[format].shard) : NULL;
    const char *end = at != NULL ? strchr(number, of_head[format].end) : NULL;
    if (end == NULL || count == NULL || sscanf(number, "%d/%d", &part->shard.index, &part->shard.of) != 2 ||
        part->shard.index < 1 || part->shard.index > part->shard.of || part->shard.of > MS_SHARDS_MAX)
        return no_part(part->path, error);
    *rows = strtol(count + strlen(of_head[format].rows), NULL, 10);
    memmove(at, end, strlen(end) + 1);
    return MS_OK;
}

/* The head without its shard, owned by the caller. */
static int read_head(ms_parts *parts, ms_part *part, char **head, long *rows, ms_error *error)
{
    ms_row_reader *reader = &parts->reader;
    bool whole = false;
    int status = turn_to(parts, part, error);
    if (status != MS_OK)
        return status;
    reader->format = MS_FORMAT_TABLE;
    *head = ms_row_reader_head(reader, &whole);
    if (*head == NULL)
        return no_memory(error);
    if (reader->failure != 0)
        return unreadable(part->path, reader->failure, error);
    part->at = reader->end;
    return whole ? read_shard(*head, reader->format, part, rows, error) : no_part(part->path, error);
}

/* The first part says what the others have to be. */
static int begin(ms_parts *parts, const ms_part *part, char **head, long rows, ms_error *error)
{
    parts->first = part->path;
    parts->head = *head;
    *head = NULL;
    parts->rows = rows;
    parts->part = calloc((size_t)part->shard.of, sizeof *parts->part);
    parts->n = parts->part != NULL ? part->shard.of : 0;
    return parts->part != NULL ? MS_OK : no_memory(error);
}

/* Puts the part where it belongs. */
static int place(ms_parts *parts, const ms_part *part, const char *head, ms_error *error)
{
    ms_part *there = &parts->part[part->shard.index - 1];
    const ms_row_heads heads = {"", part->path, head, parts->first, parts->head};
    if (part->shard.of != parts->n)
        return ms_fail(error, MS_INVALID, "%s: is part %d of %d, but %s is one of %d", part->path,
                       part->shard.index, part->shard.of, parts->first, parts->n);
    if (head != NULL && strcmp(head, parts->head) != 0)
        return ms_row_heads_differ(&heads, error);
    if (there->path != NULL)
        return ms_fail(error, MS_INVALID, "%s: is part %d/%d, as %s is", part->path, part->shard.index,
                       part->shard.of, there->path);
    *there = *part;
    return MS_OK;
}

static int add_part(ms_parts *parts, const char *path, ms_error *error)
{
    ms_part part = {.path = path};
    char *head = NULL;
    long rows = 0;
    int status = read_head(parts, &part, &head, &rows, error);
    if (status == MS_OK && parts->head == NULL)
        status = begin(parts, &part, &head, rows, error);
    if (status == MS_OK)
        status = place(parts, &part, head, error);
    free(head);
    leave(parts);
    return status;
}

/* The first parts that are missing, by name. */
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

static int read_provenance(ms_parts *parts, ms_error *error)
{
    json_t *head = ms_row_head_value(parts->head);
    parts->provenance = json_incref(json_object_get(head, "provenance"));
    json_decref(head);
    return json_is_object(parts->provenance) ? MS_OK : no_part(parts->first, error);
}

/* Rows --------------------------------------------------------------------------------------------------- */

/* Does what the reader has found begin and end as a row does? */
static bool is_row(const ms_row_reader *r)
{
    const char *last = r->text + r->length - 1;
    return r->format == MS_FORMAT_CSV ||
           (r->text[0] == '{' && last[r->format == MS_FORMAT_JSONL ? -1 : 0] == '}');
}

/* The next row of the part; false where there is none. */
static bool next_row(ms_parts *parts, ms_part *part)
{
    const bool there = ms_row_reader_next(&parts->reader) && is_row(&parts->reader);
    if (there)
        part->at = parts->reader.end;
    return there;
}

int ms_parts_row(ms_parts *parts, long k, const char **text, size_t *length, ms_error *error)
{
    ms_part *owner = &parts->part[k / ms_shard_block(parts->rows, parts->n) % parts->n];
    const int status = turn_to(parts, owner, error);
    if (status != MS_OK)
        return status;
    const bool there = next_row(parts, owner);
    *text = parts->reader.text;
    *length = parts->reader.length;
    if (parts->reader.failure != 0)
        return unreadable(owner->path, parts->reader.failure, error);
    return there ? MS_OK : ms_fail(error, MS_INVALID, "%s: has changed", owner->path);
}

/* Has the file its rows, all of them and no more? */
static int check_rows(ms_parts *parts, ms_part *part, ms_error *error)
{
    const ms_shard *shard = &part->shard;
    const off_t first = part->at;
    const long rows = ms_shard_rows(shard, parts->rows);
    long n = 0;
    int status = turn_to(parts, part, error);
    while (status == MS_OK && next_row(parts, part))
        n++;
    if (status == MS_OK && parts->reader.failure != 0)
        status = unreadable(part->path, parts->reader.failure, error);
    if (status == MS_OK && n < rows)
        status =
            ms_fail(error, MS_INVALID, "%s: holds %ld of the %ld rows of part %d/%d; --resume goes on in it",
                    part->path, n, rows, shard->index, shard->of);
    else if (status == MS_OK && n > rows)
        status = ms_fail(error, MS_INVALID, "%s: has more than the %ld rows of part %d/%d", part->path, rows,
                         shard->index, shard->of);
    part->at = first;
    leave(parts);
    return status;
}

/* All together ------------------------------------------------------------------------------------------- */

int ms_parts_open(char *const *paths, int n, ms_parts *parts, ms_error *error)
{
    int status = MS_OK;
    *parts = (ms_parts){0};
    for (int k = 0; k < n && status == MS_OK; k++)
        status = add_part(parts, paths[k], error);
    if (status == MS_OK)
        status = check_complete(parts, error);
    if (status == MS_OK && parts->reader.format == MS_FORMAT_JSON)
        status = read_provenance(parts, error);
    for (int k = 0; k < parts->n && status == MS_OK; k++)
        status = check_rows(parts, &parts->part[k], error);
    return status;
}

void ms_parts_close(ms_parts *parts)
{
    leave(parts);
    ms_row_reader_destroy(&parts->reader);
    json_decref(parts->provenance);
    free(parts->part);
    free(parts->head);
    *parts = (ms_parts){0};
}
