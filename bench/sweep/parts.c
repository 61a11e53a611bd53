/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sweep_head.h"
#include "text_stream.h"

static const char rows_line[] = "\"rows\": [\n";

static int no_memory(ms_error *error)
{
    (void)ms_fail(error, MS_NO_MEMORY, "not enough memory for the parts");
    return MS_NO_MEMORY;
}

static int no_part(const char *path, ms_error *error)
{
    if (errno == ENOMEM)
        return no_memory(error);
    (void)ms_fail(error, MS_INVALID, "%s: is no part of a command's rows; --shard I/N makes them", path);
    return MS_INVALID;
}

static int unreadable(const char *path, ms_error *error)
{
    if (errno == ENOMEM)
        return no_memory(error);
    (void)ms_fail(error, MS_INVALID, "%s: %s", path, errno != 0 ? strerror(errno) : "cannot be read");
    return MS_INVALID;
}

/* Heads -------------------------------------------------------------------------------------------------- */

/* Is the head whole with this line as its last? In CSV it is the first one that is no remark. */
static bool ends_head(ms_format format, const char *line)
{
    return format == MS_FORMAT_CSV     ? line[0] != '#'
           : format == MS_FORMAT_JSONL ? true
                                       : strcmp(line, rows_line) == 0;
}

/* By its first line; TABLE: none of the formats of parts. */
static ms_format format_of(const char *line)
{
    const size_t length = strlen(line);
    return line[0] == '#'                                        ? MS_FORMAT_CSV
           : line[0] != '{'                                      ? MS_FORMAT_TABLE
           : length > 2 && strcmp(line + length - 2, "}\n") == 0 ? MS_FORMAT_JSONL
                                                                 : MS_FORMAT_JSON;
}

/* All lines up to where rows begin, into part->head. */
static int read_head(ms_part *part, FILE *file, ms_format *format, ms_error *error)
{
    size_t capacity = 0;
    char *line = NULL;
    ms_text_stream text;
    FILE *head = ms_text_open(&text);
    bool whole = false;
    *format = MS_FORMAT_TABLE;
    if (head == NULL)
        return no_memory(error);
    for (ssize_t n; !whole && (n = getline(&line, &capacity, file)) > 0; part->at += n) {
        if (part->at == 0)
            *format = format_of(line);
        if (*format == MS_FORMAT_TABLE || part->at > 1 << 20)
            break;
        fputs(line, head);
        whole = line[n - 1] == '\n' && ends_head(*format, line);
    }
    free(line);
    part->head = ms_text_close(&text);
    if (part->head == NULL)
        return no_memory(error);
    return whole ? MS_OK : ferror(file) ? unreadable(part->path, error) : no_part(part->path, error);
}

/* How a head says which part it is of, from what is before it to what is behind it, and of how many rows. */
static const struct {
    const char *shard;
    char end;
    const char *rows;
} of_head[] = {[MS_FORMAT_CSV] = {"\n# shard: ", '\n', "\n# rows_of_grid: "},
               [MS_FORMAT_JSON] = {"\n  \"shard\": \"", '\n', "\n\"rows_of_grid\": "},
               [MS_FORMAT_JSONL] = {" \"shard\": \"", ' ', ", \"rows_of_grid\": "}};

/* Reads the numbers of the head, and takes the shard out of it. */
static int read_shard(ms_part *part, ms_format format, ms_error *error)
{
    char *at = strstr(part->head, of_head[format].shard);
    const char *rows = strstr(part->head, of_head[format].rows);
    char *end = at != NULL ? strchr(at + strlen(of_head[format].shard), of_head[format].end) : NULL;
    if (end == NULL || rows == NULL ||
        sscanf(at + strlen(of_head[format].shard), "%d/%d", &part->shard.index, &part->shard.of) != 2 ||
        part->shard.index < 1 || part->shard.index > part->shard.of || part->shard.of > MS_SHARDS_MAX)
        return no_part(part->path, error);
    part->rows = strtol(strchr(rows, ':') + 1, NULL, 10);
    memmove(at, end, strlen(end) + 1);
    return MS_OK;
}

static int open_part(const char *path, ms_part *part, ms_format *format, ms_error *error)
{
    errno = 0;
    FILE *file = fopen(path, "r");
    *part = (ms_part){.path = path};
    if (file == NULL)
        return unreadable(path, error);
    int status = read_head(part, file, format, error);
    if (status == MS_OK)
        status = read_shard(part, *format, error);
    fclose(file);
    return status;
}

/* Puts the part where it belongs. */
static int place(ms_parts *parts, ms_part *part, const ms_part *first, ms_error *error)
{
    ms_part *there = &parts->part[part->shard.index - 1];
    const ms_sweep_heads heads = {"", part->path, part->head, first->path, first->head};
    if (part->shard.of != first->shard.of)
        return ms_fail(error, MS_INVALID, "%s: is part %d of %d, but %s is one of %d", part->path,
                       part->shard.index, part->shard.of, first->path, first->shard.of);
    if (strcmp(part->head, first->head) != 0)
        return ms_sweep_head_differ(&heads, error);
    if (there->path != NULL)
        return ms_fail(error, MS_INVALID, "%s: is part %d/%d, as %s is", part->path, part->shard.index,
                       part->shard.of, there->path);
    *there = *part;
    part->head = NULL;
    return MS_OK;
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
    const size_t size = strlen(parts->head) + 4;
    char *text = malloc(size);
    if (text == NULL)
        return no_memory(error);
    snprintf(text, size, "%s]}", parts->head);
    json_t *head = json_loads(text, 0, NULL);
    parts->provenance = json_incref(json_object_get(head, "provenance"));
    json_decref(head);
    free(text);
    return json_is_object(parts->provenance) ? MS_OK : no_part(parts->part[0].path, error);
}

static int add_parts(char *const *paths, int n, ms_parts *parts, ms_error *error)
{
    ms_part first = {0};
    int status = open_part(paths[0], &first, &parts->format, error);
    parts->n = status == MS_OK ? first.shard.of : 0;
    parts->part = calloc((size_t)parts->n + 1, sizeof *parts->part);
    if (status == MS_OK && parts->part == NULL)
        status = no_memory(error);
    for (int k = 0; k < n && status == MS_OK; k++) {
        ms_part part = {0};
        ms_format format;
        status = open_part(paths[k], &part, &format, error);
        if (status == MS_OK)
            status = place(parts, &part, &first, error);
        free(part.head);
    }
    free(first.head);
    return status;
}

void ms_parts_close(ms_parts *parts)
{
    for (int k = 0; k < parts->n && parts->part != NULL; k++)
        free(parts->part[k].head);
    if (parts->file != NULL)
        fclose(parts->file);
    json_decref(parts->provenance);
    free(parts->part);
    free(parts->line);
    *parts = (ms_parts){.open = -1};
}

/* Rows --------------------------------------------------------------------------------------------------- */

/* Has the file of part k open, at its next row. */
static int turn_to(ms_parts *parts, int k, ms_error *error)
{
    if (parts->open == k)
        return MS_OK;
    if (parts->file != NULL)
        fclose(parts->file);
    errno = 0;
    parts->open = -1;
    parts->file = fopen(parts->part[k].path, "r");
    if (parts->file == NULL || fseek(parts->file, parts->part[k].at, SEEK_SET) != 0)
        return unreadable(parts->part[k].path, error);
    parts->open = k;
    return MS_OK;
}

/* The next line of the part; its length without what sets rows apart, 0 where there is no whole row. */
static size_t next_row(ms_parts *parts, ms_part *part)
{
    const ssize_t n = getline(&parts->line, &parts->capacity, parts->file);
    if (n <= 0 || parts->line[n - 1] != '\n')
        return 0;
    part->at += n;
    size_t length = (size_t)n;
    if (parts->format == MS_FORMAT_CSV)
        return length;
    size_t inner = length - 1;
    inner -= inner > 0 && parts->line[inner - 1] == ',';
    const bool whole = inner > 0 && parts->line[0] == '{' && parts->line[inner - 1] == '}';
    return !whole ? 0 : parts->format == MS_FORMAT_JSONL ? length : inner;
}

int ms_parts_row(ms_parts *parts, long k, const char **text, size_t *length, ms_error *error)
{
    const int owner = (int)(k / ms_shard_block(parts->rows, parts->n) % parts->n);
    const int status = turn_to(parts, owner, error);
    if (status != MS_OK)
        return status;
    errno = 0;
    *length = next_row(parts, &parts->part[owner]);
    *text = parts->line;
    if (*length == 0 && errno == ENOMEM)
        return no_memory(error);
    return *length > 0 ? MS_OK : ms_fail(error, MS_INVALID, "%s: has changed", parts->part[owner].path);
}

/* Has every file its rows, all of them and no more? */
static int check_rows(ms_parts *parts, ms_error *error)
{
    int status = MS_OK;
    for (int k = 0; k < parts->n && status == MS_OK; k++) {
        ms_part *part = &parts->part[k];
        const long begin = part->at, rows = ms_shard_rows(&part->shard, parts->rows);
        long n = 0;
        status = turn_to(parts, k, error);
        errno = 0;
        while (status == MS_OK && next_row(parts, part) > 0)
            n++;
        if (status == MS_OK && errno == ENOMEM)
            status = no_memory(error);
        if (status == MS_OK && n < rows)
            status = ms_fail(error, MS_INVALID,
                             "%s: holds %ld of the %ld rows of part %d/%d; --resume goes on in it",
                             part->path, n, rows, k + 1, parts->n);
        else if (status == MS_OK && n > rows)
            status = ms_fail(error, MS_INVALID, "%s: has more than the %ld rows of part %d/%d", part->path,
                             rows, k + 1, parts->n);
        part->at = begin;
    }
    parts->open = -1;
    return status;
}

const char *ms_parts_tail(const ms_parts *parts)
{
    return parts->format == MS_FORMAT_JSON ? "\n]}\n" : "";
}

int ms_parts_open(char *const *paths, int n, ms_parts *parts, ms_error *error)
{
    *parts = (ms_parts){.open = -1};
    int status = add_parts(paths, n, parts, error);
    if (status == MS_OK)
        status = check_complete(parts, error);
    if (status != MS_OK)
        return status;
    parts->head = parts->part[0].head;
    if (parts->head == NULL)
        return no_part(paths[0], error);
    parts->rows = parts->part[0].rows;
    if (parts->format == MS_FORMAT_JSON)
        status = read_provenance(parts, error);
    return status == MS_OK ? check_rows(parts, error) : status;
}
