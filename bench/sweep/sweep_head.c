/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep_head.h"

#include <ctype.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_text.h"
#include "text_stream.h"

/* A stretch of text. */
typedef struct piece {
    const char *at;
    size_t length;
} piece;

static bool same(piece a, piece b)
{
    return a.length == b.length && strncmp(a.at, b.at, a.length) == 0;
}

/* A line, without what decorates it in CSV and JSON, is "NAME: VALUE". */
static piece trim(piece line)
{
    const char *end = line.at + line.length;
    while (line.at < end && strchr("# \"{,", *line.at) != NULL)
        line.at++;
    while (end > line.at && strchr(" \",", end[-1]) != NULL)
        end--;
    return (piece){line.at, (size_t)(end - line.at)};
}

static piece name_of(piece line)
{
    size_t length = 0;
    while (length < line.length && (isalnum((unsigned char)line.at[length]) || line.at[length] == '_'))
        length++;
    return (piece){line.at, length};
}

static piece value_of(piece line)
{
    const size_t skip = name_of(line).length;
    const char *at = line.at + skip, *end = line.at + line.length;
    while (at < end && strchr("\": ", *at) != NULL)
        at++;
    return (piece){at, (size_t)(end - at)};
}

/* The option "--name value" at the position, and the position behind it; length 0 at the end. */
static piece next_option(const char **at, const char *end)
{
    const char *begin = *at;
    while (begin < end && strncmp(begin, "--", 2) != 0)
        begin++;
    const char *to = begin;
    while (to < end && !(to > begin && strncmp(to, " --", 3) == 0))
        to++;
    *at = to;
    return (piece){begin, (size_t)(to - begin)};
}

static piece option_name(piece option)
{
    size_t length = 0;
    while (length < option.length && option.at[length] != ' ' && option.at[length] != '=')
        length++;
    return (piece){option.at, length};
}

/* The same option in the command, or one of the same name; length 0: neither. */
static piece find_option(piece command, piece option, bool by_name)
{
    const char *at = command.at, *end = command.at + command.length;
    for (piece other; (other = next_option(&at, end)).length > 0;)
        if (by_name ? same(option_name(other), option_name(option)) : same(other, option))
            return other;
    return (piece){NULL, 0};
}

/* An option of `a` that is not in `b`; length 0: there is none. */
static piece missing_option(piece a, piece b)
{
    const char *at = a.at, *end = a.at + a.length;
    for (piece option; (option = next_option(&at, end)).length > 0;)
        if (find_option(b, option, false).length == 0)
            return option;
    return (piece){NULL, 0};
}

static int commands_differ(const ms_sweep_heads *h, piece old_command, piece new_command, ms_error *error)
{
    const piece was = missing_option(old_command, new_command), is = missing_option(new_command, old_command);
    const piece now = was.length > 0 ? find_option(new_command, was, true) : (piece){NULL, 0};
    if (was.length > 0 && now.length > 0)
        return ms_fail(error, MS_INVALID, "%s%s was made with %.*s, %s has %.*s", h->what, h->path,
                       (int)was.length, was.at, h->other, (int)now.length, now.at);
    if (was.length > 0)
        return ms_fail(error, MS_INVALID, "%s%s was made with %.*s, which %s lacks", h->what, h->path,
                       (int)was.length, was.at, h->other);
    if (is.length > 0)
        return ms_fail(error, MS_INVALID, "%s%s was made without %.*s", h->what, h->path, (int)is.length,
                       is.at);
    return ms_fail(error, MS_INVALID, "%s%s was made with another command, or options in another order: %.*s",
                   h->what, h->path, (int)old_command.length, old_command.at);
}

static int heads_differ(const ms_sweep_heads *h, ms_error *error)
{
    const char *old_head = h->old_head, *new_head = h->new_head;
    while (*old_head != '\0' && *new_head != '\0') {
        const piece old_whole = {old_head, strcspn(old_head, "\n")},
                    new_whole = {new_head, strcspn(new_head, "\n")};
        old_head += old_whole.length + (old_head[old_whole.length] == '\n');
        new_head += new_whole.length + (new_head[new_whole.length] == '\n');
        if (same(old_whole, new_whole))
            continue;
        const piece old_line = trim(old_whole), new_line = trim(new_whole), name = name_of(new_line);
        if (name.length == 0 || !same(name_of(old_line), name))
            break;
        const piece was = value_of(old_line), is = value_of(new_line);
        if (name.length == strlen("command") && strncmp(name.at, "command", name.length) == 0)
            return commands_differ(h, was, is, error);
        return ms_fail(error, MS_INVALID, "%sthe %.*s of %s is %.*s, of %s %.*s", h->what, (int)name.length,
                       name.at, h->path, (int)was.length, was.at, h->other, (int)is.length, is.at);
    }
    return ms_fail(error, MS_INVALID, "%s%s is no %s in the format of %s", h->what, h->path,
                   h->what[0] != '\0' ? "sweep" : "part", h->other);
}

/* A head of one line of JSON with a line for each of its members; NULL where it is none. */
static char *spread(const char *head)
{
    ms_text_stream text = {0};
    const char *end = strchr(head, '\n');
    json_t *value = end != NULL && end[1] == '\0' ? json_loads(head, 0, NULL) : NULL;
    FILE *stream = value != NULL ? ms_text_open(&text) : NULL;
    if (stream != NULL)
        (void)ms_json_write(value, MS_JSON_ON_LINES, stream);
    json_decref(value);
    return ms_text_close(&text);
}

int ms_sweep_head_differ(const ms_sweep_heads *h, ms_error *error)
{
    char *old_head = spread(h->old_head), *new_head = spread(h->new_head);
    ms_sweep_heads heads = *h;
    if (old_head != NULL && new_head != NULL) {
        heads.old_head = old_head;
        heads.new_head = new_head;
    }
    const int status = heads_differ(&heads, error);
    free(old_head);
    free(new_head);
    return status;
}
