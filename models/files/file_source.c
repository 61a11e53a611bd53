/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700 /* realpath */

#include "file_source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "input_file.h"
#include "json_memory.h"
#include "printable.h"
#include "xml_write.h"

static int no_memory(const char *path, ms_error *error)
{
    return ms_fail(error, MS_NO_MEMORY, "%s: not enough memory", path);
}

/* JSON --------------------------------------------------------------------------------------------------- */

static bool has_controls(const char *text)
{
    return !ms_text_printable(text) || strpbrk(text, "\n\t") != NULL;
}

/* Names and values of variables of FMUs may contain ends of lines and tabs. */
static bool is_of_fmus(const char *key)
{
    return strcmp(key, "from") == 0 || strcmp(key, "to") == 0 || strcmp(key, "set") == 0;
}

/* A name or text with control characters, which would get into terminals and pictures; NULL: none. */
static const char *find_controls(json_t *value)
{
    const char *found = NULL, *key;
    json_t *inner;
    size_t k;
    if (json_is_string(value) && has_controls(json_string_value(value)))
        return json_string_value(value);
    json_array_foreach (value, k, inner)
        found = found != NULL ? found : find_controls(inner);
    json_object_foreach (value, key, inner)
        found = found != NULL || is_of_fmus(key) ? found : has_controls(key) ? key : find_controls(inner);
    return found;
}

static int open_json(const char *path, ms_source *source, ms_error *error)
{
    json_error_t why;
    size_t length = 0;
    if (ms_input_check(path, MS_INPUT_TEXT_BYTES, error) != MS_OK)
        return MS_INVALID;
    FILE *stream = fopen(path, "re");
    if (stream == NULL)
        return ms_fail(error, MS_IO, "%s: %s", path, strerror(errno));
    source->text = ms_input_stream(stream, &length);
    const int failed = source->text == NULL ? errno : 0;
    fclose(stream);
    if (failed == ENOMEM)
        return no_memory(path, error);
    if (source->text == NULL)
        return ms_fail(error, MS_IO, "%s: %s", path, strerror(failed));
    if (source->text[strspn(source->text, " \t\r\n")] == '\0' && strlen(source->text) == length)
        return ms_fail(error, MS_INVALID,
                       "%s is empty; a system, {\"subsystems\": [..], \"wires\": [..]}, is expected", path);
    source->root = json_loadb(source->text, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &why);
    if (source->root == NULL && ms_json_lacks_memory(&why))
        return no_memory(path, error);
    if (source->root == NULL)
        return ms_fail(error, MS_INVALID, "%s: line %d, column %d: %s", path, why.line, why.column, why.text);
    source->start_line = 1;
    const char *wrong = find_controls(source->root);
    if (wrong != NULL)
        return ms_fail(error, MS_INVALID,
                       "%s: '%.60s' has a control character; letters, digits and signs are expected", path,
                       wrong);
    return MS_OK;
}

/* Others ------------------------------------------------------------------------------------------------- */

/* The text of a source converted to JSON. */
static int set_root(const char *path, ms_source *source, json_t *root, ms_error *error)
{
    json_t *name = root == NULL ? json_string(path) : NULL;
    const bool utf8 = root != NULL || name != NULL;
    json_decref(name);
    if (!utf8)
        return ms_fail(error, MS_INVALID, "%s: the name of an FMU or SSP must be UTF-8, as in JSON", path);
    source->root = root;
    source->text = root != NULL ? json_dumps(root, JSON_INDENT(1)) : NULL;
    return source->text != NULL ? MS_OK : no_memory(path, error);
}

/* Removes the temporary folder of the archive from the text: what is read must not depend on it. */
static void leave_out(char *text, const char *folder)
{
    const size_t length = strlen(folder);
    for (char *at = strstr(text, folder); at != NULL; at = strstr(at, folder))
        memmove(at, at + length, strlen(at + length) + 1);
}

/* kind: of all its components, NULL: as it says. */
static json_t *ssp_root(const ms_ssp *ssp, const char *kind)
{
    json_t *root = ms_ssp_json(ssp), *component;
    size_t k;
    json_array_foreach (json_object_get(root, "subsystems"), k, component)
        if (kind != NULL && json_object_set_new(component, "kind", json_string(kind)) != 0) {
            json_decref(root);
            return NULL;
        }
    return root;
}

static int open_ssp(const char *path, const char *kind, ms_source *source, ms_error *error)
{
    MS_TRY(ms_ssp_read(path, &source->ssp, error));
    const ms_ssp *ssp = &source->ssp;
    long *line = ms_structure_alloc(&source->ssp.memory, (size_t)ssp->n_components + 1, sizeof *line);
    MS_TRY_MEMORY_OR(line != NULL, no_memory(path, error));
    for (int k = 0; k < ssp->n_components; k++)
        line[k] = ssp->components[k].line;
    source->line = line;
    source->start_line = ssp->experiment_line;
    const int made = set_root(path, source, ssp_root(ssp, kind), error);
    if (made == MS_OK && ssp->archive != NULL)
        leave_out(source->text, ms_fmu_archive_folder(ssp->archive));
    return made;
}

/* A system of one subsystem whose inputs keep their start values; the FMU determines the run. */
static int open_fmu(const char *path, const char *kind, ms_source *source, ms_error *error)
{
    static const long nowhere[] = {0};
    char *absolute = realpath(path, NULL);
    if (absolute == NULL)
        return ms_fail(error, MS_IO, "%s: %s", path, strerror(errno));
    json_t *root = json_pack("{s:[{s:s, s:s, s:s*}], s:[]}", "subsystems", "name", "fmu", "fmu", absolute,
                             "kind", kind, "wires");
    free(absolute);
    source->line = nowhere;
    source->is_fmu = true;
    return set_root(path, source, root, error);
}

int ms_source_open(const char *path, const char *kind, ms_source *source, ms_error *error)
{
    const char *ending = strrchr(path, '.');
    *source = (ms_source){.path = path};
    if (ending != NULL && (strcmp(ending, ".ssd") == 0 || strcmp(ending, ".ssp") == 0))
        return open_ssp(path, kind, source, error);
    if (ending != NULL && strcmp(ending, ".fmu") == 0)
        return open_fmu(path, kind, source, error);
    return open_json(path, source, error);
}

int ms_source_defaults(const ms_source *source, ms_structure *owner, const ms_default **list, int *n)
{
    const ms_ssp *ssp = &source->ssp;
    ms_default *copy = ms_structure_alloc(owner, (size_t)ssp->n_options + 1, sizeof *copy);
    const char *path = ms_structure_name(owner, "%s", source->path);
    char number[MS_XML_NUMBER];
    bool missing = copy == NULL || path == NULL;
    *n = missing ? 0 : ssp->n_options;
    for (int k = 0; k < *n; k++) {
        const ms_default *of = &ssp->options[k];
        copy[k] = (ms_default){ms_structure_name(owner, "%s", of->option),
                               ms_structure_name(owner, "%s", of->value),
                               ms_structure_name(owner, "%s", of->path), of->line};
        missing = missing || copy[k].option == NULL || copy[k].value == NULL || copy[k].path == NULL;
    }
    const double start = json_number_value(json_object_get(source->root, "start_time"));
    if (!missing && start != 0.0) {
        copy[*n] =
            (ms_default){"start-time", ms_structure_name(owner, "%s", ms_xml_number_text(start, number)),
                         path, source->start_line};
        missing = copy[(*n)++].value == NULL;
    }
    *list = copy;
    return missing ? MS_NO_MEMORY : MS_OK;
}

void ms_source_close(ms_source *source)
{
    json_decref(source->root);
    free(source->text);
    ms_ssp_free(&source->ssp);
}
