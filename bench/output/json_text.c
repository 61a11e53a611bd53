/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "json_text.h"

#include "grid.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "printable.h"
#include "text_stream.h"

enum { INDENT = 2 };

typedef struct json_writer {
    FILE *file;
    bool lines; /* the layout */
    int depth;
    int status;
} json_writer;

static bool is_container(const json_t *value)
{
    return json_is_array(value) || json_is_object(value);
}

/* Has the array a line for each element? */
static bool is_broken(const json_writer *w, const json_t *array)
{
    for (size_t k = 0; k < json_array_size(array) && w->lines; k++)
        if (is_container(json_array_get(array, k)))
            return true;
    return false;
}

static void write_real(const json_writer *w, double value)
{
    char text[MS_NUMBER_SIZE];
    ms_number_text(value, text);
    fprintf(w->file, "%s%s", text, text[strcspn(text, ".e")] == '\0' ? ".0" : ""); /* no integer */
}

/* JSON escapes control characters anyway. */
static bool is_shown(const char *text)
{
    size_t length = 0;
    while (*text != '\0' && (ms_printable(text, &length) || (unsigned char)*text < ' '))
        text += length;
    return *text == '\0';
}

/* In a text with unprintable characters all non-ASCII characters are escaped, \u202E. */
static void write_escaped(json_writer *w, const char *text)
{
    json_t *value = json_string(text); /* NULL: no memory */
    const size_t flags = JSON_ENCODE_ANY | (is_shown(text) ? 0 : JSON_ENSURE_ASCII);
    if (value == NULL || (json_dumpf(value, w->file, flags) != 0 && !ferror(w->file)))
        w->status = -1;
    json_decref(value);
}

/* Is it printable ASCII without escapes, as nearly all texts are? */
static bool is_plain(const char *text)
{
    while (*text >= ' ' && *text <= '~' && *text != '"' && *text != '\\')
        text++;
    return *text == '\0';
}

static void write_string(json_writer *w, const char *text)
{
    if (!is_plain(text)) {
        write_escaped(w, text);
        return;
    }
    fputc('"', w->file);
    fputs(text, w->file);
    fputc('"', w->file);
}

static void write_scalar(json_writer *w, const json_t *value)
{
    if (json_is_real(value))
        write_real(w, json_real_value(value));
    else if (json_is_integer(value))
        fprintf(w->file, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_string(value))
        write_string(w, json_string_value(value));
    else
        fputs(json_is_true(value) ? "true" : json_is_false(value) ? "false" : "null", w->file);
}

/* What comes before an element or behind the last one. */
static void separate(const json_writer *w, bool first, bool broken)
{
    fputs(first ? "" : broken ? "," : ", ", w->file);
    if (broken) {
        fputc('\n', w->file);
        ms_grid_pad(INDENT * (size_t)w->depth, w->file);
    }
}

static void finish(json_writer *w, bool empty, bool broken, char bracket)
{
    w->depth--;
    separate(w, true, broken && !empty);
    fputc(bracket, w->file);
}

static void write_value(json_writer *w, const json_t *value);

static void write_array(json_writer *w, const json_t *array)
{
    const bool broken = is_broken(w, array);
    const size_t n = json_array_size(array);
    fputc('[', w->file);
    w->depth++;
    for (size_t k = 0; k < n; k++) {
        separate(w, k == 0, broken);
        write_value(w, json_array_get(array, k));
    }
    finish(w, n == 0, broken, ']');
}

static void write_object(json_writer *w, const json_t *object)
{
    json_t *members = (json_t *)object; /* that they are gone through leaves them as they are */
    bool first = true;
    fputc('{', w->file);
    w->depth++;
    for (void *at = json_object_iter(members); at != NULL; at = json_object_iter_next(members, at)) {
        separate(w, first, w->lines);
        write_string(w, json_object_iter_key(at));
        fputs(": ", w->file);
        write_value(w, json_object_iter_value(at));
        first = false;
    }
    finish(w, first, w->lines, '}');
}

static void write_value(json_writer *w, const json_t *value)
{
    if (json_is_array(value))
        write_array(w, value);
    else if (json_is_object(value))
        write_object(w, value);
    else
        write_scalar(w, value);
}

int ms_json_write(const json_t *value, ms_json_layout layout, FILE *file)
{
    json_writer w = {.file = file, .lines = layout == MS_JSON_ON_LINES};
    if (value == NULL)
        return -1;
    write_value(&w, value);
    return w.status;
}

char *ms_json_line(const json_t *value)
{
    ms_text_stream stream;
    FILE *file = ms_text_open(&stream);
    const int status = file != NULL ? ms_json_write(value, MS_JSON_ON_ONE_LINE, file) : -1;
    char *text = ms_text_close(&stream);
    if (status == 0 && text != NULL)
        return text;
    ms_memory_note();
    free(text);
    return NULL;
}
