/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report_entry.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/options.h>
#include <macrostep/scheme_registry.h>
#include "command.h"
#include "json_memory.h"
#include "text_stream.h"

enum { PATH_LENGTH = 4096, WORD_LENGTH = 128, LABEL_LENGTH = 160, SIDE_MAX = 20000 };

static int no_memory(ms_error *error)
{
    return ms_fail(error, MS_NO_MEMORY, "not enough memory for the report");
}

/* The whole stream, ended by a zero byte; *text is NULL where it cannot be read. Errors: MS_NO_MEMORY. */
static int read_stream(FILE *file, char **text, ms_error *error)
{
    size_t used = 0, capacity = 0, n = 1;
    while (n > 0) {
        if (capacity - used < 2) {
            capacity = capacity > 0 ? 2 * capacity : 65536;
            char *grown = realloc(*text, capacity);
            if (grown == NULL)
                return no_memory(error);
            *text = grown;
        }
        n = fread(*text + used, 1, capacity - used - 1, file);
        used += n;
    }
    (*text)[used] = '\0';
    if (ferror(file)) {
        free(*text);
        *text = NULL;
    }
    return MS_OK;
}

/* The file of that kind, for the caller to free; NULL where there is none. Errors: MS_NO_MEMORY. */
static int read_figure_file(const char *directory, const ms_report_entry *entry, const char *suffix,
                            char **text, ms_error *error)
{
    char path[PATH_LENGTH];
    *text = NULL;
    snprintf(path, sizeof path, "%s/figures/%s.%s", directory, entry->name, suffix);
    FILE *file = fopen(path, "rbe");
    if (file == NULL)
        return errno == ENOMEM ? no_memory(error) : MS_OK;
    const int status = read_stream(file, text, error);
    fclose(file);
    return status;
}

/* What the commands run ---------------------------------------------------------------------------------- */

/* The next word of the line at *c, at most `size` - 1 letters of it; false at the end. */
static bool next_word(const char **c, char *word, size_t size)
{
    *c += strspn(*c, " ");
    const size_t length = strcspn(*c, " ");
    snprintf(word, size, "%.*s", (int)(length < size ? length : size - 1), *c);
    *c += length;
    return length > 0;
}

static bool holds_word(const char *list, const char *word)
{
    char one[WORD_LENGTH];
    for (const char *c = list; next_word(&c, one, sizeof one);)
        if (strcmp(one, word) == 0)
            return true;
    return false;
}

/* list, where it lacks the word, with it; false: no memory. */
static bool add_word(char **list, const char *word)
{
    if (holds_word(*list != NULL ? *list : "", word))
        return true;
    const size_t old = *list != NULL ? strlen(*list) : 0, more = strlen(word) + 2;
    char *grown = realloc(*list, old + more);
    if (grown == NULL)
        return false;
    snprintf(grown + old, more, "%s%s", old > 0 ? " " : "", word);
    *list = grown;
    return true;
}

/* Names of models and scheme families that are in the text, commas between them; false: no memory. */
static bool add_names(ms_report_entry *entry, char *text)
{
    bool added = true;
    for (char *rest = text, *name = strtok_r(text, ",", &rest); name != NULL && added;
         name = strtok_r(NULL, ",", &rest)) {
        if (ms_catalogue_find(name) != NULL)
            added = add_word(&entry->models, name);
        if (ms_scheme_find(name) != NULL)
            added = added && add_word(&entry->schemes, name);
    }
    return added;
}

/* Does a command of that name take the default family where it names none? */
static bool is_coupled(const char *name)
{
    const ms_command *command = ms_command_find(name);
    return command != NULL && command->couples;
}

static bool add_command(ms_report_entry *entry, const char *line)
{
    char word[WORD_LENGTH];
    const char *c = line;
    bool added = true, by_default = strstr(line, " --scheme ") == NULL && strstr(line, " --as ") == NULL;
    for (int n = 0; added && next_word(&c, word, sizeof word); n++) {
        by_default = by_default && (n != 1 || is_coupled(word));
        if (n > 1)
            added = add_names(entry, word);
    }
    ms_options options;
    ms_options_default(&options);
    return added && (!by_default || add_word(&entry->schemes, options.scheme));
}

static int read_commands(ms_report_entry *entry, ms_error *error)
{
    size_t k;
    json_t *command;
    json_array_foreach (json_object_get(entry->answer, "commands"), k, command) {
        if (json_is_string(command) && !add_command(entry, json_string_value(command)))
            return no_memory(error);
    }
    return MS_OK;
}

/* The picture -------------------------------------------------------------------------------------------- */

/* Width and height of a viewBox, which gnuplot's and Graphviz's pictures have, in whole points. */
static void read_size(ms_report_entry *entry, const char *svg)
{
    double width = 0.0, height = 0.0;
    const char *box = strstr(svg, "viewBox=\"");
    if (box == NULL || sscanf(box, "viewBox=\"%*f %*f %lf %lf", &width, &height) != 2)
        return;
    if (!(width >= 1.0 && width <= SIDE_MAX && height >= 1.0 && height <= SIDE_MAX))
        return;
    entry->width = (int)width;
    entry->height = (int)height;
}

/* What gnuplot writes of `set xlabel 'time t / s'`, without its marks for indices; the first such label that is not
 * empty, or "". */
static void read_label(const char *script, const char *command, char *label)
{
    label[0] = '\0';
    for (const char *c = strstr(script, command); c != NULL && label[0] == '\0'; c = strstr(c, command)) {
        size_t n = 0;
        c += strlen(command);
        const char quote = *c;
        if (quote != '\'' && quote != '"')
            continue;
        for (c++; *c != '\0' && *c != '\n' && *c != quote && n < LABEL_LENGTH - 1; c++)
            if (strchr("{}_^", *c) == NULL)
                label[n++] = *c;
        label[n] = '\0';
    }
}

static int count(const char *text, const char *what)
{
    int n = 0;
    for (const char *c = strstr(text, what); c != NULL; c = strstr(c + 1, what))
        n++;
    return n;
}

/* A sentence for readers who do not see the picture. script: gnuplot's, NULL for a graph. */
static char *describe(const char *title, const char *script)
{
    char x[LABEL_LENGTH], y[LABEL_LENGTH];
    ms_text_stream stream;
    FILE *file = ms_text_open(&stream);
    if (file == NULL)
        return NULL;
    fprintf(file, "%s: %s", title, script != NULL ? "plot" : "graph of nodes and arrows");
    if (script != NULL) {
        read_label(script, "set xlabel ", x);
        read_label(script, "set ylabel ", y);
        if (y[0] != '\0')
            fprintf(file, " of %s", y);
        if (x[0] != '\0')
            fprintf(file, " over %s", x);
        if (count(script, "\nplot ") > 1)
            fprintf(file, ", in %d panels", count(script, "\nplot "));
    }
    fputc('.', file);
    return ms_text_close(&stream);
}

/* Does the answer name such a file? */
static bool has_file(const ms_report_entry *entry, const char *suffix)
{
    size_t k;
    json_t *stored;
    bool found = false;
    json_array_foreach (json_object_get(entry->answer, "files"), k, stored) {
        const char *name = json_string_value(stored);
        const size_t length = name != NULL ? strlen(name) : 0, n = strlen(suffix);
        found = found || (length > n && strcmp(name + length - n, suffix) == 0);
    }
    return found;
}

static int read_picture(const char *directory, bool embed, ms_report_entry *entry, ms_error *error)
{
    char *script = NULL;
    if (!has_file(entry, ".svg"))
        return MS_OK;
    int status = read_figure_file(directory, entry, "svg", &entry->svg, error);
    if (status == MS_OK && entry->svg != NULL)
        status = read_figure_file(directory, entry, "gp", &script, error);
    if (status == MS_OK && entry->svg != NULL) {
        read_size(entry, entry->svg);
        entry->alt = describe(entry->figure->title, script);
        status = entry->alt != NULL ? MS_OK : no_memory(error);
    }
    if (!embed) {
        free(entry->svg);
        entry->svg = NULL;
    }
    free(script);
    return status;
}

/* The whole ---------------------------------------------------------------------------------------------- */

/* Does the answer have what the report reads from it? */
static bool is_answer(const json_t *answer, const char *id)
{
    const char *own = json_string_value(json_object_get(answer, "id"));
    return own != NULL && strcmp(own, id) == 0 && json_is_string(json_object_get(answer, "status")) &&
           json_is_array(json_object_get(answer, "checks"));
}

int ms_report_entry_read(const char *directory, bool embed, ms_report_entry *entry, ms_error *error)
{
    char path[PATH_LENGTH];
    json_error_t why;
    ms_figure_name(entry->figure, entry->name, sizeof entry->name);
    ms_report_paper(entry->figure->id, entry->paper, sizeof entry->paper);
    ms_report_paper_short(entry->figure->id, entry->paper_short, sizeof entry->paper_short);
    if (entry->fault != NULL)
        return MS_OK;
    snprintf(path, sizeof path, "%s/figures/%s.json", directory, entry->name);
    errno = 0;
    entry->answer = json_load_file(path, 0, &why);
    if (entry->answer == NULL && (ms_json_lacks_memory(&why) || errno == ENOMEM))
        return no_memory(error);
    if (!is_answer(entry->answer, entry->figure->id)) {
        json_decref(entry->answer);
        entry->answer = NULL;
        return MS_OK;
    }
    const int status = read_commands(entry, error);
    return status == MS_OK ? read_picture(directory, embed, entry, error) : status;
}

void ms_report_entry_clear(ms_report_entry *entry)
{
    json_decref(entry->answer);
    free(entry->models);
    free(entry->schemes);
    free(entry->alt);
    free(entry->svg);
    *entry = (ms_report_entry){0};
}
