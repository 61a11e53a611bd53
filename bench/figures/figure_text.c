/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_text.c - fills in names and numbers in the braces of texts in figure files. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure_parts.h"
#include "number.h"
#include "text_stream.h"

enum { FORMAT_MAX = 16, PIECE_MAX = 1024, DEPTH_MAX = 8 };

static int fill(ms_figure_scope *scope, const char *c, bool command, int depth, FILE *to, ms_error *error);

/* Is it a format for one double, such as %.3g? */
static bool is_format(const char *format)
{
    const char *c = format;
    if (*c++ != '%')
        return false;
    c += strspn(c, "+-# 0");
    c += strspn(c, "0123456789");
    c += *c == '.';
    c += strspn(c, "0123456789");
    return strlen(c) == 1 && strchr("efgEG", *c) != NULL && strlen(format) < FORMAT_MAX;
}

/* Writes a number with all digits for a command, or as a text shows it. */
static void put_digits(double value, bool command, FILE *to)
{
    char number[MS_NUMBER_SIZE];
    if (command) {
        ms_number_text(value, number);
        fputs(number, to);
    } else {
        fprintf(to, "%g", value);
    }
}

/* The text of an item of a list, or its field, in the command; in other texts the name of an item. NULL: none of that name. */
static const char *item_text(const ms_figure_scope *scope, const char *name, bool command,
                             char buffer[MS_FIGURE_ITEM], const json_t **number)
{
    const json_t *says = NULL;
    for (int j = 0; scope->family != NULL && j < scope->family->n_lists; j++) {
        if (strcmp(scope->family->list[j], name) != 0)
            continue;
        const json_t *items = scope->family->items[j], *item = ms_figure_item(items, scope->member->item[j]);
        if (!command || json_is_object(item))
            return ms_figure_item_name(items, scope->member->item[j], buffer);
        *number = json_is_number(item) ? item : NULL;
        return json_is_string(item) ? json_string_value(item) : "";
    }
    if (scope->family == NULL || !ms_figure_field(scope->family, scope->member, name, &says))
        return NULL;
    *number = json_is_number(says) ? says : NULL;
    return json_is_string(says) ? json_string_value(says) : "";
}

/* {WORD}, or {WORD.LIST}: the word's text for this member's item, empty if it has none. NULL: there is no such word. */
static const char *word_text(const ms_figure_scope *scope, const char *name)
{
    char word[PIECE_MAX], buffer[MS_FIGURE_ITEM];
    const size_t length = strcspn(name, ".");
    memcpy(word, name, length);
    word[length] = '\0';
    const json_t *says = json_object_get(json_object_get(scope->work->file->spec, "words"), word);
    if (json_is_string(says) && name[length] == '\0')
        return json_string_value(says);
    for (int j = 0; scope->family != NULL && j < scope->family->n_lists && json_is_object(says); j++)
        if (name[length] == '.' && strcmp(scope->family->list[j], name + length + 1) == 0) {
            const json_t *text = json_object_get(
                says, ms_figure_item_name(scope->family->items[j], scope->member->item[j], buffer));
            return text != NULL ? json_string_value(text) : "";
        }
    return NULL;
}

/* {folder}: the folder of the file, for files that its commands name. */
static bool put_folder(const ms_figure_scope *scope, const char *name, FILE *to)
{
    const char *path = scope->work->file->path, *slash = strrchr(path, '/');
    if (strcmp(name, "folder") != 0)
        return false;
    fprintf(to, "%.*s", slash != NULL ? (int)(slash - path) : 1, slash != NULL ? path : ".");
    return true;
}

/* {system.NAME}: the file of one of its systems; in the answer only its name. */
static bool put_system(const ms_figure_scope *scope, const char *name, FILE *to)
{
    const ms_figure_work *work = scope->work;
    const char *of = strncmp(name, "system.", 7) == 0 ? name + 7 : "";
    if (json_object_get(json_object_get(work->file->spec, "systems"), of) == NULL)
        return false;
    if (!scope->shown)
        fprintf(to, "%s/", work->systems.folder);
    fprintf(to, "%s.json", of);
    return true;
}

/* {EXPRESSION:%format} */
static int put_number(ms_figure_scope *scope, char *piece, bool command, FILE *to, ms_error *error)
{
    const ms_figure_names names = ms_figure_names_of(scope);
    char *format = strstr(piece, ":%");
    double value;
    if (format != NULL)
        *format++ = '\0';
    if (format != NULL && !is_format(format))
        return ms_fail(error, MS_INVALID, "{%s:%s}: a format of one number is expected, as %%.3g", piece,
                       format);
    MS_TRY(ms_figure_number(piece, &names, &value, error));
    if (command && !isfinite(value)) {
        if (!scope->work->dry)
            return ms_fail(error, MS_INVALID, "{%s} is %g, which a command cannot take", piece, value);
        value = 1.0; /* not known yet */
    }
    if (format == NULL) {
        put_digits(value, command, to);
        return MS_OK;
    }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    fprintf(to, format, value);
#pragma GCC diagnostic pop
    return MS_OK;
}

/* {LIST[EXPRESSION]}, {LIST.FIELD[EXPRESSION]}: the item at that index, from 1; "-" if it is not a number. */
static int put_chosen(ms_figure_scope *scope, char *piece, int depth, FILE *to, ms_error *error)
{
    const ms_figure_names names = ms_figure_names_of(scope);
    char *place = strchr(piece, '['), *field = strchr(piece, '.'), buffer[MS_FIGURE_ITEM];
    double at;
    *place++ = '\0';
    place[strlen(place) - 1] = '\0';
    field = field != NULL && field < place ? field : NULL;
    if (field != NULL)
        *field++ = '\0';
    const json_t *items = json_object_get(json_object_get(scope->work->file->spec, "lists"), piece);
    if (items == NULL)
        return ms_fail(error, MS_INVALID, "unknown list %s", piece);
    MS_TRY(ms_figure_number(place, &names, &at, error));
    if (!(at >= 1.0 && at <= (double)ms_figure_items(items))) {
        fputc('-', to);
        return MS_OK;
    }
    const size_t k = (size_t)at - 1;
    const json_t *says = field != NULL ? json_object_get(ms_figure_item(items, k), field) : NULL;
    if (json_is_number(says))
        put_digits(json_number_value(says), false, to);
    const char *text = field == NULL ? ms_figure_item_name(items, k, buffer) : json_string_value(says);
    return text != NULL ? fill(scope, text, false, depth + 1, to, error) : MS_OK;
}

/* Items, fields and words may contain braces. */
static int put_piece(ms_figure_scope *scope, const char *from, size_t length, bool command, int depth,
                     FILE *to, ms_error *error)
{
    char piece[PIECE_MAX], buffer[MS_FIGURE_ITEM];
    const json_t *number = NULL;
    if (length >= sizeof piece)
        return ms_fail(error, MS_INVALID, "more than %d letters between braces", PIECE_MAX - 1);
    memcpy(piece, from, length);
    piece[length] = '\0';
    const char *text = item_text(scope, piece, command, buffer, &number);
    if (text == NULL)
        text = word_text(scope, piece);
    if (number != NULL)
        put_digits(json_number_value(number), command, to);
    if (text != NULL)
        return fill(scope, text, command, depth + 1, to, error);
    if (put_folder(scope, piece, to) || put_system(scope, piece, to))
        return MS_OK;
    if (length > 0 && strchr(piece, '[') != NULL && piece[length - 1] == ']')
        return put_chosen(scope, piece, depth, to, error);
    text = ms_figure_answer_text(scope, piece);
    if (text == NULL)
        return put_number(scope, piece, command, to, error);
    fputs(text, to);
    return MS_OK;
}

/* A piece that contains braces: the inner ones are filled in first. */
static int put_nested(ms_figure_scope *scope, const char *from, size_t length, bool command, int depth,
                      FILE *to, ms_error *error)
{
    ms_text_stream stream;
    FILE *inner = ms_text_open(&stream);
    const char *outer = ms_drawing_text(scope->work->drawing, "%.*s", (int)length, from);
    int status = inner != NULL ? fill(scope, outer, false, depth + 1, inner, error) : MS_NO_MEMORY;
    char *piece = ms_text_close(&stream);
    MS_THEN(status, piece != NULL ? put_piece(scope, piece, strlen(piece), command, depth, to, error)
                                  : ms_fail(error, MS_NO_MEMORY, "not enough memory for the figure"));
    free(piece);
    return status;
}

/* The brace that ends the one at c; NULL: none does. */
static const char *closing(const char *c)
{
    int depth = 0;
    for (; *c != '\0'; c++) {
        depth += (*c == '{') - (*c == '}');
        if (depth == 0)
            return c;
    }
    return NULL;
}

static int fill(ms_figure_scope *scope, const char *c, bool command, int depth, FILE *to, ms_error *error)
{
    int status = MS_OK;
    if (depth > DEPTH_MAX)
        return ms_fail(error, MS_INVALID, "texts refer to each other without end: %.40s", c);
    while (*c != '\0' && status == MS_OK) {
        const char *close = *c == '{' ? closing(c) : NULL;
        const size_t length = close != NULL ? (size_t)(close - c - 1) : 0;
        if ((c[0] == '{' && c[1] == '{') || (c[0] == '}' && c[1] == '}')) {
            fputc(*c, to);
            c += 2;
        } else if (*c != '{') {
            fputc(*c++, to);
        } else if (close == NULL) {
            return ms_fail(error, MS_INVALID, "a brace does not end: %.40s ({{ is one brace)", c);
        } else {
            status = memchr(c + 1, '{', length) != NULL
                         ? put_nested(scope, c + 1, length, command, depth, to, error)
                         : put_piece(scope, c + 1, length, command, depth, to, error);
            c = close + 1;
        }
    }
    return status;
}

int ms_figure_text(ms_figure_scope *scope, const char *text, bool command, const char **filled,
                   ms_error *error)
{
    ms_text_stream stream;
    FILE *to = ms_text_open(&stream);
    const int status = to != NULL ? fill(scope, text, command, 0, to, error) : MS_NO_MEMORY;
    char *whole = ms_text_close(&stream);
    *filled = "";
    if (status == MS_OK && whole != NULL)
        *filled = ms_drawing_text(scope->work->drawing, "%s", whole);
    else if (status == MS_OK || to == NULL)
        ms_fail(error, MS_NO_MEMORY, "not enough memory for the figure");
    const bool done = whole != NULL;
    free(whole);
    return status != MS_OK ? status : done ? MS_OK : MS_NO_MEMORY;
}

/* Expressions --------------------------------------------------------------------------------------------- */

int ms_figure_column(ms_figure_scope *scope, const json_t *text, const ms_passage *at,
                     ms_number_column *column, ms_error *error)
{
    const ms_figure_names names = ms_figure_names_of(scope);
    const char *filled;
    *column = (ms_number_column){0};
    if (json_is_number(text))
        return ms_number_column_single(json_number_value(text), column, error);
    if (!json_is_string(text))
        return ms_passage_fail(at, error, "an expression or a number is expected");
    int status = ms_figure_text(scope, json_string_value(text), false, &filled, error);
    MS_THEN(status, ms_figure_expression(filled, &names, column, error));
    return ms_passage_locate(at, status, error);
}

int ms_figure_one(ms_figure_scope *scope, const json_t *text, const ms_passage *at, double *value,
                  ms_error *error)
{
    ms_number_column column;
    int status = ms_figure_column(scope, text, at, &column, error);
    if (status == MS_OK && !column.single)
        status = ms_passage_fail(
            at, error, "a column of %zu rows where one number is expected: max, last, .. make one of it",
            column.n);
    if (status == MS_OK && column.value != NULL)
        *value = column.value[0];
    ms_number_column_free(&column);
    return status;
}
