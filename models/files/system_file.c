/* SPDX-License-Identifier: GPL-3.0-or-later */
/* system_file.c - a system from a JSON file:
 *
 *     {"name": "pair", "parameters": {"k": 1}, "subsystems": [{"name": "s1", ..}, ..], "wires": [..],
 *      "stop_time": 10, "step_size": 0.01}
 *
 * A subsystem is given by matrices (matrices_read.c), by equations (equations_read.c), or as one of the catalogue
 * (catalogued_read.c), or as an FMU (fmu_read.c).
 *
 * Matrices are lists of rows; A is nx x nx, B nx x nu, C ny x nx, D ny x nu, L (all inputs) x (all outputs) in the order
 * of the subsystems. A matrix without entries may be written [], whatever its shape. With an empty A the subsystem is
 * static and may omit B and C. Optional: name (s1, s2, ..), x0 and D (zero), start_time (0 s), stop_time (10 s after it;
 * its former name, end, is read as well), step_size (0.01 s, or the least common multiple of all imposed steps), and a
 * "name" of the whole (the file's name). Instead of L: wires (wires_read.c), and in addition lines (lines_read.c).
 * "$schema" is for editors. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/system.h>
#include <macrostep/system_file.h>
#include "common_step.h"
#include "equations.h"
#include "file_model.h"
#include "file_source.h"
#include "fmu_archive.h"
#include "structure.h"
#include "xml_write.h"

/* Subsystems --------------------------------------------------------------------------------------------- */

static int read_name(ms_structure *owner, const json_t *object, size_t index, ms_json_place *at,
                     ms_error *error)
{
    const json_t *name = json_object_get(object, "name");
    const char *given =
        name == NULL ? ms_structure_name(owner, "s%zu", index + 1)
                     : ms_structure_name(owner, "%s", json_is_string(name) ? json_string_value(name) : "");
    MS_TRY_MEMORY_OR(given != NULL, ms_json_no_memory(at, error));
    const char *allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    if (given[0] == '\0' || given[strspn(given, allowed)] != '\0' || strlen(given) > MS_FILE_NAME_MAX)
        return ms_json_fail(at, error,
                            "name of subsystem %zu: at most %d letters, digits, '-' and '_' are expected",
                            index + 1, MS_FILE_NAME_MAX);
    at->name = given;
    return MS_OK;
}

static int read_subsystem(ms_file_model *file, json_t *object, size_t index, const ms_source *source,
                          ms_error *error)
{
    ms_subsystem *sub = &file->structure.subsystems[index];
    ms_json_place at = {.path = source->path, .text = source->text, .line = source->line, .index = index};
    if (!json_is_object(object))
        return ms_json_fail(
            &at, error,
            "subsystem %zu is not an object: matrices A, B, C, or states and outputs, a model, or an fmu",
            index + 1);
    MS_TRY(read_name(&file->structure, object, index, &at, error));
    sub->name = at.name;
    if (json_object_get(object, "model") != NULL)
        return ms_file_read_catalogued(file, object, &at, sub, error);
    if (json_object_get(object, "fmu") != NULL)
        return ms_file_read_fmu(file, object, &at, sub, error);
    if (json_object_get(object, "states") != NULL || json_object_get(object, "outputs") != NULL)
        return ms_file_read_equations(file, object, &at, sub, error);
    return ms_file_read_matrices(file, object, &at, sub, error);
}

static int compare_names(const void *a, const void *b)
{
    const ms_file_name *first = a, *second = b;
    return strcmp(first->name, second->name);
}

/* Sorts the names, which must be unique. */
static int sort_names(ms_file_model *file, const ms_json_place *at, ms_error *error)
{
    const int n = file->n_sorted = file->structure.n_subsystems;
    file->sorted = ms_structure_alloc(&file->structure, (size_t)n, sizeof *file->sorted);
    MS_TRY_MEMORY_OR(file->sorted != NULL, ms_json_no_memory(at, error));
    for (int i = 0; i < n; i++)
        file->sorted[i] = (ms_file_name){file->structure.subsystems[i].name, i};
    qsort(file->sorted, (size_t)n, sizeof *file->sorted, compare_names);
    for (int i = 1; i < n; i++)
        if (strcmp(file->sorted[i - 1].name, file->sorted[i].name) == 0)
            return ms_json_fail(at, error, "two subsystems have the name %s", file->sorted[i].name);
    return MS_OK;
}

static int read_subsystems(ms_file_model *file, const ms_source *source, const ms_json_place *at,
                           ms_error *error)
{
    const json_t *root = source->root, *list = json_object_get(root, "subsystems");
    const size_t n = json_array_size(list);
    if (n == 0 || n > INT_MAX / 4)
        return ms_json_fail(at, error, "subsystems is not a list of at least one subsystem");
    ms_structure *s = &file->structure;
    s->subsystems = ms_structure_alloc(s, n + 1, sizeof *s->subsystems); /* one more for offsets */
    MS_TRY_MEMORY_OR(s->subsystems != NULL, ms_json_no_memory(at, error));
    s->n_subsystems = (int)n;
    for (size_t i = 0; i < n; i++)
        MS_TRY(read_subsystem(file, json_array_get(list, i), i, source, error));
    return sort_names(file, at, error);
}

/* Model -------------------------------------------------------------------------------------------------- */

/* The model's build(), for subsystems that depend on parameters other than through p. */
static int build(const double *p, ms_structure *structure, ms_error *error)
{
    const ms_file_model *file = structure->model->data;
    const ms_structure *s = &file->structure;
    const size_t lines = (size_t)file->n_lines;
    structure->n_subsystems = s->n_subsystems;
    structure->n_wires = s->n_wires;
    structure->subsystems =
        ms_structure_alloc(structure, (size_t)s->n_subsystems + lines, sizeof *s->subsystems);
    structure->wires = ms_structure_alloc(structure, (size_t)s->n_wires + 4 * lines + 1, sizeof *s->wires);
    MS_TRY_MEMORY_FOR(structure->subsystems != NULL && structure->wires != NULL, error, "model %s",
                      file->model.name);
    memcpy(structure->subsystems, s->subsystems, (size_t)s->n_subsystems * sizeof *s->subsystems);
    if (s->n_wires > 0)
        memcpy(structure->wires, s->wires, (size_t)s->n_wires * sizeof *s->wires);
    int status = ms_catalogued_bind(file->catalogued, p, structure, error);
    MS_THEN(status, ms_file_fmus_bind(file->fmus, p, structure, error));
    for (int k = file->first_start; k < s->n_wires && status == MS_OK; k++) {
        ms_wire *wire = &structure->wires[k];
        wire->gain = structure->subsystems[wire->to].u0[wire->input];
    }
    MS_THEN(status, ms_file_bind_lines(file, p, structure, error));
    return status;
}

/* Letters allowed in answers and pictures: no control characters, and UTF-8 or otherwise ASCII. NULL: no memory. */
static const char *clean_name(ms_structure *owner, const char *text)
{
    char *copy = strdup(text);
    json_t *utf8 = json_string(text);
    for (char *c = copy; c != NULL && *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 127 || (utf8 == NULL && (unsigned char)*c > 127))
            *c = '?';
    const char *name = copy != NULL ? ms_structure_name(owner, "%s", copy) : NULL;
    json_decref(utf8);
    free(copy);
    return name;
}

/* The name given by the file, or the file's name without folder and extension. */
static const char *model_name(ms_structure *owner, const json_t *name, const char *path)
{
    const char *given = json_string_value(name);
    const char *slash = strrchr(path, '/');
    const char *file = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(file, '.');
    const int length = dot != NULL && dot != file ? (int)(dot - file) : (int)strlen(file);
    const char *text = given != NULL ? given : ms_structure_name(owner, "%.*s", length, file);
    return text != NULL ? clean_name(owner, text) : NULL;
}

/* The length of the run [s]. `end` is the former name of `stop_time`. */
static int read_times(const json_t *root, const ms_json_place *at, double *length, ms_error *error)
{
    const char *name = json_object_get(root, "end") != NULL ? "end" : "stop_time";
    const json_t *start = json_object_get(root, "start_time"), *stop = json_object_get(root, name);
    const double begin = json_number_value(start);
    if (start != NULL && !json_is_number(start))
        return ms_json_fail(at, error, "start_time must be a number");
    if (stop == NULL)
        return MS_OK;
    if (strcmp(name, "end") == 0 && (start != NULL || json_object_get(root, "stop_time") != NULL))
        return ms_json_fail(at, error, "end is the former name of stop_time; give stop_time instead");
    if (!json_is_number(stop) || !(json_number_value(stop) > begin))
        return ms_json_fail(at, error, "%s must be a number greater than %s", name,
                            start != NULL ? "start_time" : "0");
    *length = json_number_value(stop) - begin;
    return MS_OK;
}

/* Reads everything except parameters, subsystems and wires. */
static int read_head(ms_file_model *file, json_t *root, const ms_json_place *at, ms_error *error)
{
    static const char *const members[] = {"name",       "parameters", "subsystems", "L",   "wires",  "lines",
                                          "start_time", "stop_time",  "step_size",  "end", "$schema"};
    ms_model *model = &file->model;
    const json_t *name = json_object_get(root, "name"), *schema = json_object_get(root, "$schema");
    if (!json_is_object(root))
        return ms_json_fail(at, error, "an object with subsystems and L or wires is expected");
    if (name != NULL && !json_is_string(name))
        return ms_json_fail(at, error, "name is not a string");
    if (schema != NULL && !json_is_string(schema))
        return ms_json_fail(at, error, "$schema is not a string");
    file->only_case = (ms_case){.name = "default", .summary = "as in the file", .source = at->path};
    *model = (ms_model){.summary = "system from a file",
                        .cases = &file->only_case,
                        .n_cases = 1,
                        .stop_time = 10.0,
                        .step_size = 0.01,
                        .data = file};
    model->name = model_name(&file->structure, name, at->path);
    model->source = file->only_case.source = clean_name(&file->structure, at->path);
    MS_TRY_MEMORY_OR(model->name != NULL && model->source != NULL, ms_json_no_memory(at, error));
    MS_TRY(ms_json_members(root, members, MS_COUNT(members), at, error));
    MS_TRY(read_times(root, at, &model->stop_time, error));
    return ms_json_positive(root, "step_size", at, &model->step_size, error);
}

/* The least common multiple of the imposed steps [s]; 0: none is imposed, or there is none. */
static double find_step(const ms_file_model *file)
{
    double common = 0.0;
    for (int i = 0; i < file->structure.n_subsystems && !isnan(common); i++) {
        const ms_subsystem *sub = &file->structure.subsystems[i];
        ms_capabilities can = {.step = sub->imposed_step};
        if (sub->stepper != NULL)
            sub->stepper->capabilities(sub, &can);
        common = ms_common_step(common, can.step);
    }
    return isnan(common) ? 0.0 : common;
}

/* The step if the file gives none: that of a single FMU, or an imposed one of which the default is not a multiple. */
static void choose_step(ms_file_model *file, bool says)
{
    const double imposed = find_step(file);
    ms_fmu_experiment e = {0};
    if (file->is_fmu)
        ms_file_fmu_experiment(file->fmus, &e);
    else if (says || imposed == 0.0)
        return;
    const bool own = file->is_fmu && (imposed == 0.0 || ms_steps_within(imposed, e.step_size) > 0.0);
    file->model.step_size = own ? e.step_size : ms_fitted_step(imposed, file->model.stop_time);
}

/* The default experiment of a file that is a single FMU. */
static int find_experiment(ms_file_model *file, const char *path, ms_error *error)
{
    char number[MS_XML_NUMBER];
    ms_model *model = &file->model;
    ms_structure *owner = &file->structure;
    ms_fmu_experiment e;
    ms_default *list = ms_structure_alloc(owner, 2, sizeof *list);
    ms_file_fmu_experiment(file->fmus, &e);
    model->stop_time = e.stop_time - e.start_time;
    const struct {
        const char *option;
        double value;
    } said[] = {{"start-time", e.start_time}, {"solver-rtol", e.tolerance}};
    for (int k = 0; k < MS_COUNT(said) && list != NULL; k++) {
        if (said[k].value == 0.0)
            continue;
        const char *text = ms_structure_name(owner, "%s", ms_xml_number_text(said[k].value, number)),
                   *of = ms_structure_name(owner, "%s", path);
        if (text == NULL || of == NULL)
            return ms_fail(error, MS_NO_MEMORY, "%s: not enough memory", path);
        list[model->n_defaults++] = (ms_default){said[k].option, text, of, 1};
    }
    model->defaults = list;
    return list != NULL ? MS_OK : ms_fail(error, MS_NO_MEMORY, "%s: not enough memory", path);
}

/* Reads everything that files and descriptions give. */
static int read_outline(ms_file_model *file, const ms_source *source, ms_error *error)
{
    const ms_json_place at = {.path = source->path};
    json_t *root = source->root;
    ms_model *model = &file->model;
    int status = read_head(file, root, &at, error);
    file->passes_over = source->ssp.n_components > 0;
    file->is_fmu = source->is_fmu;
    model->text = ms_structure_name(&file->structure, "%s", source->text);
    if (status == MS_OK &&
        (model->text == NULL ||
         ms_source_defaults(source, &file->structure, &model->defaults, &model->n_defaults) != MS_OK))
        status = ms_json_no_memory(&at, error);
    MS_THEN(status, ms_file_read_parameters(file, root, &at, error));
    MS_THEN(status, read_subsystems(file, source, &at, error));
    MS_THEN(status, ms_file_read_lines(file, root, &at, error));
    MS_THEN(status, ms_file_read_wires(file, root, &at, error));
    if (status == MS_OK)
        ms_equations_mark_carried(&file->structure);
    if (status == MS_OK && source->is_fmu)
        status = find_experiment(file, source->path, error);
    model->subsystems = file->structure.subsystems;
    model->n_subsystems = file->structure.n_subsystems;
    model->wires = file->structure.wires;
    model->n_wires = file->structure.n_wires;
    model->build = file->catalogued != NULL || file->fmus != NULL || file->n_lines > 0 ? build : NULL;
    return status;
}

/* Opens binaries of FMUs after everything else has been checked. Their steps may differ from the declared ones. */
static int read_model(ms_file_model *file, const ms_source *source, ms_error *error)
{
    const ms_fmu_reading *reading = &file->reading;
    const bool says = json_object_get(source->root, "step_size") != NULL;
    MS_TRY(read_outline(file, source, error));
    choose_step(file, says);
    if (reading->check != NULL)
        MS_TRY(reading->check(reading->self, &file->model, error));
    MS_TRY(ms_file_fmus_start(file, error));
    choose_step(file, says);
    return MS_OK;
}

static void close_archive(void *object)
{
    ms_fmu_archive *archive = object;
    ms_fmu_archive_close(&archive);
}

/* FMUs from an SSP are kept as long as the model (ms_model_fmu). */
static int keep_archive(ms_file_model *file, ms_source *source, ms_error *error)
{
    ms_fmu_archive *archive = source->ssp.archive;
    source->ssp.archive = NULL;
    return archive == NULL || ms_structure_own(&file->structure, close_archive, archive) == MS_OK
               ? MS_OK
               : ms_fail(error, MS_NO_MEMORY, "%s: not enough memory", source->path);
}

int ms_model_read(const char *path, ms_model **model, ms_error *error)
{
    return ms_model_read_with(path, &(ms_fmu_reading){0}, model, error);
}

int ms_model_read_with(const char *path, const ms_fmu_reading *reading, ms_model **model, ms_error *error)
{
    *model = NULL;
    ms_source source;
    ms_file_model *file = calloc(1, sizeof *file);
    MS_TRY_MEMORY_OR(file != NULL, ms_fail(error, MS_NO_MEMORY, "%s: not enough memory", path));
    ms_model *read = &file->model;
    file->reading = *reading;
    int status = ms_source_open(path, reading->kind, &source, error);
    MS_THEN(status, read_model(file, &source, error));
    MS_THEN(status, keep_archive(file, &source, error));
    ms_source_close(&source);
    if (status == MS_OK)
        *model = read;
    else
        ms_model_destroy(&read);
    return status;
}

int ms_model_check_units(const ms_model *model, ms_error *error)
{
    const ms_file_model *file = model->text != NULL ? model->data : NULL;
    return file == NULL || file->units.text[0] == '\0' ? MS_OK
                                                       : ms_fail(error, MS_INVALID, "%s", file->units.text);
}

void ms_model_destroy(ms_model **model)
{
    if (model == NULL || *model == NULL)
        return;
    ms_file_model *file = (ms_file_model *)*model;
    ms_structure_free(&file->structure);
    free(file);
    *model = NULL;
}
