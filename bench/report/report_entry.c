/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/options.h>
#include <macrostep/scheme_registry.h>
#include "command.h"
#include "input_file.h"
#include "json_memory.h"
#include "text_stream.h"

enum { PATH_LENGTH = 4096, LABEL_LENGTH = 160, SIDE_MAX = 20000 };

static int no_memory(ms_error *error)
{
    return ms_fail(error, MS_NO_MEMORY, "not enough memory for the report");
}

/* The file of that kind, for the caller to free; NULL where it cannot be read. Errors: MS_NO_MEMORY. */
static int read_figure_file(const char *directory, const ms_report_entry *entry, const char *suffix,
                            char **text, ms_error *error)
{
    char path[PATH_LENGTH];
    snprintf(path, sizeof path, "%s/figures/%s.%s", directory, entry->name, suffix);
    return ms_input_text(path, text, NULL) == MS_NO_MEMORY ? no_memory(error) : MS_OK;
}

/* What the commands run ---------------------------------------------------------------------------------- */

/* list, where it lacks the word, with it after a space; false: no memory. */
static bool add_word(char **list, const char *word)
{
    const size_t n = strlen(word), old = *list != NULL ? strlen(*list) : 0;
    for (const char *c = *list; c != NULL; c = strchr(c, ' '), c += c != NULL)
        if (strcspn(c, " ") == n && strncmp(c, word, n) == 0)
            return true;
    char *grown = realloc(*list, old + n + 2);
    if (grown == NULL)
        return false;
    snprintf(grown + old, n + 2, "%s%s", old > 0 ? " " : "", word);
    *list = grown;
    return true;
}

/* Does a command of that name take the default family where it names none? */
static bool is_coupled(const char *name)
{
    const ms_command *command = ms_command_find(name);
    return command != NULL && command->couples;
}

/* Adds the models and scheme families that the command line names, alone or in lists with commas; the line is a copy, and is cut into
 * words. False: no memory. */
static bool add_command(ms_report_entry *entry, char *line)
{
    ms_options options;
    const bool named = strstr(line, " --scheme ") != NULL || strstr(line, " --as ") != NULL;
    bool added = true;
    char *rest = line;
    (void)strtok_r(line, " ", &rest); /* macrostep */
    const char *command = strtok_r(NULL, " ", &rest), *name;
    const bool by_default = !named && (command == NULL || is_coupled(command));
    while (added && (name = strtok_r(NULL, " ,", &rest)) != NULL) {
        if (ms_catalogue_find(name) != NULL)
            added = add_word(&entry->models, name);
        if (ms_scheme_find(name) != NULL)
            added = added && add_word(&entry->schemes, name);
    }
    ms_options_default(&options);
    return added && (!by_default || add_word(&entry->schemes, options.scheme));
}

static int read_commands(ms_report_entry *entry, ms_error *error)
{
    size_t k;
    json_t *command;
    json_array_foreach (json_object_get(entry->answer, "commands"), k, command) {
        char *line = json_is_string(command) ? strdup(json_string_value(command)) : NULL;
        const bool added = line != NULL ? add_command(entry, line) : !json_is_string(command);
        free(line);
        MS_TRY_MEMORY_OR(added, no_memory(error));
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

/* A sentence for readers who cannot see the picture. script: gnuplot's, NULL for a graph. */
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
    MS_FREE(entry->models, entry->schemes, entry->alt, entry->svg);
    *entry = (ms_report_entry){0};
}
