/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "row_head.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "json_text.h"
#include "text_stream.h"

static const char json_tail[] = "\n]}\n";

/* Writing ------------------------------------------------------------------------------------------------- */

static int write_head(const ms_row_form *form, json_t *provenance, long n, FILE *stream)
{
    int status;
    if (form->format == MS_FORMAT_CSV) {
        status = ms_answer_remarks(provenance, stream);
        fprintf(stream, "# rows_of_grid: %ld\n", n);
        ms_csv_header(form->columns, stream);
        return status;
    }
    const bool lines = form->format == MS_FORMAT_JSON;
    fprintf(stream, "{\"provenance\":%s", lines ? "\n" : " ");
    status = ms_json_write(provenance, lines ? MS_JSON_ON_LINES : MS_JSON_ON_ONE_LINE, stream);
    fprintf(stream, lines ? ",\n\"rows_of_grid\": %ld,\n\"rows\": [\n" : ", \"rows_of_grid\": %ld}\n", n);
    return status;
}

char *ms_row_head(const ms_row_form *form, const json_t *provenance, long n)
{
    ms_text_stream text;
    json_t *copy = json_copy((json_t *)provenance);
    FILE *stream = ms_text_open(&text);
    const int status = stream != NULL && copy != NULL ? write_head(form, copy, n, stream) : MS_NO_MEMORY;
    char *head = ms_text_close(&text);
    json_decref(copy);
    if (status == MS_OK)
        return head;
    free(head);
    return NULL;
}

const char *ms_row_tail(ms_format format)
{
    return format == MS_FORMAT_JSON ? json_tail : "";
}

/* Reading ------------------------------------------------------------------------------------------------- */

json_t *ms_row_head_value(const char *head)
{
    json_t *value = json_loads(head, 0, NULL); /* on one line it is whole */
    const size_t size = strlen(head) + sizeof json_tail;
    char *text = value == NULL ? malloc(size) : NULL;
    if (text != NULL) {
        snprintf(text, size, "%s%s", head, json_tail);
        value = json_loads(text, 0, NULL);
        free(text);
    }
    return value;
}

static json_t *read_remarks(const char *head)
{
    json_t *members = json_object();
    for (size_t length; *head != '\0'; head += length + (head[length] == '\n')) {
        length = strcspn(head, "\n");
        const size_t name = strcspn(head, ":\n");
        if (strncmp(head, "# ", 2) == 0 && name + 2 <= length)
            ms_json_set_as(&members, json_stringn(head + name + 2, length - name - 2), "%.*s", (int)name - 2,
                           head + 2);
    }
    return members;
}

/* Name -> value of what the head says, in its order. */
static json_t *members_of(const char *head)
{
    if (head[0] == '#')
        return read_remarks(head);
    json_t *value = ms_row_head_value(head), *members = ms_json_flatten(json_object_get(value, "provenance"));
    json_t *rows = json_object_get(value, "rows_of_grid");
    if (rows != NULL)
        ms_json_set(&members, "rows_of_grid", json_incref(rows));
    json_decref(value);
    return members;
}

/* Differences --------------------------------------------------------------------------------------------- */

/* The options of a command, "--NAME VALUE" -> "--NAME". */
static json_t *options_of(const char *command)
{
    json_t *options = json_object();
    for (const char *at = strstr(command, " --"), *next; at != NULL; at = next) {
        next = strstr(at + 1, " --");
        const size_t length = next != NULL ? (size_t)(next - at) - 1 : strlen(at + 1);
        const size_t name = strcspn(at + 1, " =");
        ms_json_set_as(&options, json_stringn(at + 1, name < length ? name : length), "%.*s", (int)length,
                       at + 1);
    }
    return options;
}

/* The first option of one that the other has not, or the first of that name; NULL: there is none. */
static const char *find_option(json_t *of, const json_t *missing_in, const json_t *name)
{
    const char *option;
    json_t *its;
    json_object_foreach (of, option, its)
        if (name != NULL ? json_equal(its, name) : json_object_get(missing_in, option) == NULL)
            return option;
    return NULL;
}

static int commands_differ(const ms_row_heads *h, const char *old_command, const char *new_command,
                           ms_error *error)
{
    json_t *old = options_of(old_command), *new = options_of(new_command);
    const char *was = find_option(old, new, NULL), *is = find_option(new, old, NULL);
    const char *now = was != NULL ? find_option(new, NULL, json_object_get(old, was)) : NULL;
    if (was != NULL && now != NULL)
        ms_fail(error, MS_INVALID, "%s%s was made with %s, %s has %s", h->what, h->path, was, h->other, now);
    else if (was != NULL)
        ms_fail(error, MS_INVALID, "%s%s was made with %s, which %s lacks", h->what, h->path, was, h->other);
    else if (is != NULL)
        ms_fail(error, MS_INVALID, "%s%s was made without %s", h->what, h->path, is);
    else
        ms_fail(error, MS_INVALID, "%s%s was made with another command, or options in another order: %s",
                h->what, h->path, old_command);
    json_decref(old);
    json_decref(new);
    return MS_INVALID;
}

static int member_differs(const ms_row_heads *h, const char *name, const json_t *old, const json_t *new,
                          ms_error *error)
{
    if (strcmp(name, "command") == 0)
        return commands_differ(h, json_string_value(old), json_string_value(new), error);
    char *was = json_is_string(old) ? strdup(json_string_value(old)) : ms_json_line(old);
    char *is = json_is_string(new) ? strdup(json_string_value(new)) : ms_json_line(new);
    (void)ms_fail(error, MS_INVALID, "%sthe %s of %s is %s, of %s %s", h->what, name, h->path,
                  was != NULL ? was : "", h->other, is != NULL ? is : "");
    free(was);
    free(is);
    return MS_INVALID;
}

int ms_row_heads_differ(const ms_row_heads *h, ms_error *error)
{
    json_t *old = members_of(h->old_head), *new = members_of(h->new_head), *value;
    const char *name;
    int status = MS_OK;
    json_object_foreach (new, name, value) {
        const json_t *was = json_object_get(old, name);
        if (status == MS_OK && was != NULL && json_typeof(was) == json_typeof(value) &&
            !json_equal(was, value))
            status = member_differs(h, name, was, value, error);
    }
    if (status == MS_OK)
        status = ms_fail(error, MS_INVALID, "%s%s is no %s in the format of %s", h->what, h->path,
                         h->what[0] != '\0' ? "sweep" : "part", h->other);
    json_decref(old);
    json_decref(new);
    return status;
}
