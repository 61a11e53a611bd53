/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report_entry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalogue.h"
#include "scheme_registry.h"

enum { PATH_LENGTH = 4096, WORD_LENGTH = 128, LABEL_LENGTH = 160, SIDE_MAX = 20000 };

/* The whole file, ended by a zero byte; NULL where it cannot be read. */
static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t used = 0, capacity = 0, n = 1;
    while (file != NULL && n > 0) {
        if (capacity - used < 2) {
            capacity = capacity > 0 ? 2 * capacity : 65536;
            char *grown = realloc(text, capacity);
            if (grown == NULL)
                break;
            text = grown;
        }
        n = fread(text + used, 1, capacity - used - 1, file);
        used += n;
    }
    const int whole = file != NULL && n == 0 && !ferror(file);
    if (file != NULL)
        fclose(file);
    if (!whole) {
        free(text);
        return NULL;
    }
    text[used] = '\0';
    return text;
}

static char *read_beside(const char *directory, const ms_report_entry *entry, const char *suffix)
{
    char path[PATH_LENGTH];
    snprintf(path, sizeof path, "%s/figures/%s.%s", directory, entry->name, suffix);
    return read_file(path);
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

/* list, where it lacks the word, with it. Without memory it stays as it is. */
static void add_word(char **list, const char *word)
{
    if (holds_word(*list != NULL ? *list : "", word))
        return;
    const size_t old = *list != NULL ? strlen(*list) : 0, more = strlen(word) + 2;
    char *grown = realloc(*list, old + more);
    if (grown == NULL)
        return;
    snprintf(grown + old, more, "%s%s", old > 0 ? " " : "", word);
    *list = grown;
}

/* Names of models and scheme families that stand in the text, commas between them. */
static void add_names(ms_report_entry *entry, char *text)
{
    for (char *rest = text, *name = strtok_r(text, ",", &rest); name != NULL;
         name = strtok_r(NULL, ",", &rest)) {
        if (ms_catalogue_find(name) != NULL)
            add_word(&entry->models, name);
        if (ms_scheme_find(name) != NULL)
            add_word(&entry->schemes, name);
    }
}

/* A co-simulation that names no family is one of the default. */
static void add_command(ms_report_entry *entry, const char *line)
{
    static const char *const coupled[] = {"run", "converge", "spectral", "stability"};
    char word[WORD_LENGTH];
    const char *c = line;
    bool is_coupled = false;
    const bool named = strstr(line, " --scheme ") != NULL || strstr(line, " --as ") != NULL;
    for (int n = 0; next_word(&c, word, sizeof word); n++) {
        for (size_t k = 0; k < sizeof coupled / sizeof coupled[0] && n == 1; k++)
            is_coupled = is_coupled || strcmp(word, coupled[k]) == 0;
        if (n > 1)
            add_names(entry, word);
    }
    if (is_coupled && !named)
        add_word(&entry->schemes, "jacobi");
}

static void read_commands(ms_report_entry *entry)
{
    size_t k;
    json_t *command;
    json_array_foreach (json_object_get(entry->answer, "commands"), k, command) {
        if (json_is_string(command))
            add_command(entry, json_string_value(command));
    }
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
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
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
    if (fclose(file) == 0)
        return text;
    free(text);
    return NULL;
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

static void read_picture(const char *directory, bool embed, ms_report_entry *entry)
{
    char *svg = has_file(entry, ".svg") ? read_beside(directory, entry, "svg") : NULL;
    if (svg == NULL)
        return;
    char *script = read_beside(directory, entry, "gp");
    read_size(entry, svg);
    entry->alt = describe(entry->figure->title, script);
    entry->svg = embed ? svg : NULL;
    if (!embed)
        free(svg);
    free(script);
}

/* The whole ---------------------------------------------------------------------------------------------- */

/* Does the answer have what the report reads from it? */
static bool is_answer(const json_t *answer, const char *id)
{
    const char *own = json_string_value(json_object_get(answer, "id"));
    return own != NULL && strcmp(own, id) == 0 && json_is_string(json_object_get(answer, "status")) &&
           json_is_array(json_object_get(answer, "checks"));
}

void ms_report_entry_read(const char *directory, bool embed, ms_report_entry *entry)
{
    char path[PATH_LENGTH];
    ms_figure_name(entry->figure, entry->name, sizeof entry->name);
    snprintf(path, sizeof path, "%s/figures/%s.json", directory, entry->name);
    entry->answer = json_load_file(path, 0, NULL);
    if (!is_answer(entry->answer, entry->figure->id)) {
        json_decref(entry->answer);
        entry->answer = NULL;
        return;
    }
    read_commands(entry);
    read_picture(directory, embed, entry);
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
