/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "figure_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "axis.h"
#include "figure_parts.h"
#include "input_file.h"
#include "published.h"
#include "value_form.h"

static const char ending[] = ".json", script_ending[] = ".gp";

/* Drawing ------------------------------------------------------------------------------------------------- */

/* Works through the whole file; in a dry run nothing is run, and what does not fit is refused. */
static int work_through(const ms_figure_file *file, ms_drawing *drawing, bool dry, ms_error *error)
{
    const json_t *published = json_object_get(file->spec, "published");
    ms_figure_work work = {.file = file,
                           .drawing = drawing,
                           .dry = dry,
                           .published = published != NULL ? published : ms_drawing_published_entry(drawing)};
    int status = ms_figure_systems_make(&work, error);
    MS_THEN(status, ms_figure_families_make(&work, error));
    MS_THEN(status, ms_figure_data_make(&work, error));
    MS_THEN(status, ms_figure_script_make(&work, error));
    MS_THEN(status, ms_figure_checks_make(&work, error));
    ms_figure_families_free(&work);
    ms_part_file_drop(&work.systems);
    return status;
}

static int draw(ms_drawing *drawing, ms_error *error)
{
    const ms_figure_file *file = ms_drawing_subject(drawing);
    const json_t *size = json_object_get(file->spec, "size");
    int status = work_through(file, drawing, true, error);
    MS_THEN(status, work_through(file, drawing, false, error));
    if (status == MS_OK && size != NULL)
        ms_drawing_size(drawing, (int)json_number_value(json_array_get(size, 0)),
                        (int)json_number_value(json_array_get(size, 1)));
    if (status == MS_OK && file->script != NULL)
        ms_drawing_commands(drawing, file->script_path, file->script);
    return status;
}

/* Reading ------------------------------------------------------------------------------------------------- */

static int no_memory(ms_error *error)
{
    ms_fail(error, MS_NO_MEMORY, "not enough memory for the figure");
    return MS_NO_MEMORY;
}

/* The path of `name` in the folder of `path`; owned, NULL: no memory. */
static char *beside(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    const size_t folder = slash != NULL ? (size_t)(slash - path) + 1 : 0, size = folder + strlen(name) + 1;
    char *whole = malloc(size);
    if (whole != NULL)
        snprintf(whole, size, "%.*s%s", (int)folder, path, name);
    return whole;
}

/* The path with .gp instead of .json; owned, NULL: no memory. */
static char *script_path(const char *path)
{
    const size_t stem = strlen(path) - (sizeof ending - 1), size = stem + sizeof script_ending;
    char *script = malloc(size);
    if (script != NULL)
        snprintf(script, size, "%.*s%s", (int)stem, path, script_ending);
    return script;
}

bool ms_figure_file_is_path(const char *word)
{
    const size_t length = strlen(word), size = sizeof ending - 1;
    return length > size && strcmp(word + length - size, ending) == 0;
}

static int parse(const char *path, const char *text, json_t **spec, ms_error *error)
{
    json_error_t why;
    if (text == NULL || text[strspn(text, " \t\r\n")] == '\0')
        return ms_fail(error, MS_INVALID, "%s is empty; a figure, {\"id\": \"PAPER:NAME\", ..}, is expected",
                       path);
    *spec = json_loads(text, JSON_REJECT_DUPLICATES, &why);
    return *spec != NULL ? MS_OK : ms_fail(error, MS_INVALID, "%s: line %d: %s", path, why.line, why.text);
}

/* Reads texts: of files in a folder, or of those compiled in. */
typedef int read_function(const char *path, char **text, ms_error *error);

/* A merge patch (RFC 7396): replaces members of objects one by one; null removes a member. */
static json_t *patched(json_t *target, json_t *patch)
{
    const char *key;
    json_t *value;
    json_object_foreach (patch, key, value) {
        json_t *old = json_object_get(target, key);
        if (json_is_null(value))
            json_object_del(target, key);
        else if (json_is_object(value) && json_is_object(old))
            patched(old, value);
        else
            json_object_set(target, key, value);
    }
    return target;
}

/* "like": the members of another file, overridden by those of this one. */
static int read_like(ms_figure_file *file, read_function *read, ms_error *error)
{
    const ms_passage at = {.file = file->path, .text = file->text}, here = ms_passage_member(&at, "like");
    const json_t *like = json_object_get(file->spec, "like");
    json_t *base = NULL;
    char *text = NULL;
    if (like == NULL)
        return MS_OK;
    if (!json_is_string(like) || !ms_figure_file_is_path(json_string_value(like)))
        return ms_passage_fail(&here, error, "the name of a figure file is expected");
    file->like = beside(file->path, json_string_value(like));
    int status = file->like != NULL ? read(file->like, &text, error) : no_memory(error);
    MS_THEN(status, parse(file->like, text, &base, error));
    if (status == MS_OK && json_object_get(base, "like") != NULL)
        status = ms_passage_fail(&here, error, "%s has a member like itself", file->like);
    if (status == MS_OK) {
        patched(base, file->spec);
        json_decref(file->spec);
        file->spec = json_incref(base);
    }
    json_decref(base);
    free(text);
    return status;
}

/* Replaces a list "from:to:lin:count" by its numbers. */
static int expand_lists(json_t *spec, const ms_passage *at, ms_error *error)
{
    json_t *lists = json_object_get(spec, "lists"), *items;
    const ms_passage lists_at = ms_passage_member(at, "lists");
    const char *name;
    void *next;
    json_object_foreach_safe (lists, next, name, items) {
        const ms_passage here = ms_passage_member(&lists_at, name);
        ms_axis axis;
        if (!json_is_string(items))
            continue;
        const int status = ms_axis_create(name, name, json_string_value(items), &axis, error);
        if (status != MS_OK)
            return ms_passage_locate(&here, status, error);
        json_t *numbers = json_array();
        double value;
        for (int k = 0; k < axis.n && ms_axis_number(&axis, k, &value); k++)
            ms_json_append(&numbers, json_real(value));
        ms_axis_destroy(&axis);
        if (json_object_set_new(lists, name, numbers) != 0)
            return no_memory(error);
    }
    return MS_OK;
}

static int read_width(ms_figure_file *file, const ms_passage *at, ms_error *error)
{
    const json_t *width = json_object_get(file->spec, "width");
    const ms_passage here = ms_passage_member(at, "width");
    ms_error why;
    return width == NULL || ms_length_read("width", json_string_value(width), MS_WIDTH_LEAST, MS_WIDTH_MOST,
                                           &file->figure.width, &why) == MS_OK
               ? MS_OK
               : ms_passage_fail(&here, error, "a length from 4cm to 60cm is expected, as 8cm");
}

/* Builds spec and figure from the texts. */
static int understand(ms_figure_file *file, read_function *read, ms_error *error)
{
    const ms_passage at = {.file = file->path, .text = file->text};
    MS_TRY(parse(file->path, file->text, &file->spec, error));
    MS_TRY(read_like(file, read, error));
    MS_TRY(expand_lists(file->spec, &at, error));
    MS_TRY(ms_figure_members_check(&at, file->spec, error));
    file->figure = (ms_figure){.id = json_string_value(json_object_get(file->spec, "id")),
                               .title = json_string_value(json_object_get(file->spec, "title")),
                               .source = json_string_value(json_object_get(file->spec, "source")),
                               .draw = draw,
                               .subject = file};
    MS_TRY(read_width(file, &at, error));
    return MS_OK;
}

static int begin(const char *path, ms_figure_file **created, ms_error *error)
{
    ms_figure_file *file = *created = calloc(1, sizeof *file);
    if (file != NULL)
        file->path = strdup(path);
    return file != NULL && file->path != NULL ? MS_OK : no_memory(error);
}

static int read_script_of(ms_figure_file *file, const char *of, read_function *read, ms_error *error)
{
    free(file->script_path);
    file->script_path = script_path(of);
    return file->script_path != NULL ? read(file->script_path, &file->script, error) : no_memory(error);
}

/* The commands of the picture, if there is one: its own, or those of the file in "like". */
static int read_script(ms_figure_file *file, read_function *read, ms_error *error)
{
    if (json_is_false(json_object_get(file->spec, "picture")))
        return MS_OK;
    ms_error why, other;
    int status = read_script_of(file, file->path, read, &why);
    if (status == MS_IO && file->like != NULL && read_script_of(file, file->like, read, &other) == MS_OK)
        return MS_OK;
    if (status == MS_IO)
        return ms_fail(error, MS_IO, "%s: with the picture's gnuplot commands, or \"picture\": false",
                       why.text);
    return status == MS_OK ? MS_OK : ms_fail(error, status, "%s", why.text);
}

static int end(ms_figure_file **file, int status)
{
    if (status != MS_OK)
        ms_figure_file_destroy(file);
    return status;
}

int ms_figure_file_read(const char *path, ms_figure_file **file, ms_error *error)
{
    *file = NULL;
    if (!ms_figure_file_is_path(path))
        return ms_fail(error, MS_INVALID, "%s: a figure file is called NAME%s", path, ending);
    int status = begin(path, file, error);
    MS_THEN(status, ms_input_text(path, &(*file)->text, error));
    MS_THEN(status, understand(*file, ms_input_text, error));
    MS_THEN(status, read_script(*file, ms_input_text, error));
    if (status == MS_OK)
        (*file)->figure.path = (*file)->path;
    return end(file, status);
}

void ms_figure_file_destroy(ms_figure_file **file)
{
    if (*file == NULL)
        return;
    json_decref((*file)->spec);
    MS_FREE((*file)->path, (*file)->like, (*file)->text, (*file)->script, (*file)->script_path, *file);
    *file = NULL;
}

const ms_figure *ms_figure_file_figure(const ms_figure_file *file)
{
    return &file->figure;
}

/* Compiled in --------------------------------------------------------------------------------------------- */

/* The text of figure NAME, "moshagen2021_fig5.json" for its ID; *text owned. */
static int copy_text(const char *name, char **text, ms_error *error)
{
    const char *found = ms_published_text(ms_figure_texts, name);
    if (found == NULL)
        return ms_fail(error, MS_IO, "%s: there is no such figure file", name);
    *text = strdup(found);
    return *text != NULL ? MS_OK : no_memory(error);
}

int ms_figure_file_compiled(const char *id, ms_figure_file **file, ms_error *error)
{
    char name[128];
    const size_t paper = strcspn(id, ":");
    const char *rest = id[paper] == ':' ? id + paper + 1 : id + paper;
    snprintf(name, sizeof name, "%.*s_%s%s", (int)paper, id, rest, ending);
    int status = begin(name, file, error);
    MS_THEN(status, copy_text(name, &(*file)->text, error));
    MS_THEN(status, understand(*file, copy_text, error));
    MS_THEN(status, read_script(*file, copy_text, error));
    return end(file, status);
}

int ms_figure_systems_make(ms_figure_work *work, ms_error *error)
{
    json_t *systems = json_object_get(work->file->spec, "systems"), *system;
    const char *name;
    if (systems == NULL)
        return MS_OK;
    if (ms_part_folder_temporary(&work->systems) != 0)
        return ms_fail(error, MS_IO, "no folder for the systems of the figure in %s: %s",
                       ms_temporary_place(), strerror(errno));
    json_object_foreach (systems, name, system) {
        const char *path = ms_drawing_text(work->drawing, "%s/%s.json", work->systems.folder, name);
        if (strchr(name, '/') != NULL)
            return ms_fail(error, MS_INVALID, "\"systems\": a name without / is expected, not %s", name);
        if (json_dump_file(system, path, JSON_INDENT(2)) != 0)
            return ms_fail(error, MS_IO, "the system %s of the figure could not be written: %s", name,
                           strerror(errno));
    }
    return MS_OK;
}
