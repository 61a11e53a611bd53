/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export_answer.h"

#include <math.h>
#include <stdlib.h>

#include <macrostep/catalogue.h>
#include <macrostep/cosim.h>
#include <macrostep/cosim_create.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/solver_registry.h>
#include "export_files.h"
#include "export_libraries.h"
#include "export_reference.h"
#include "json_text.h"
#include "memory.h"
#include "provenance.h"
#include "series_file.h"
#include "ssp_export.h"
#include "structure.h"

/* Options for the system structure ----------------------------------------------------------------------- */

/* What export takes for the FMUs themselves says nothing of a scheme. */
static bool is_of_solver(int k)
{
    return k == MS_OPTION_SOLVER || k == MS_OPTION_SOLVER_RTOL || k == MS_OPTION_SOLVER_ATOL ||
           k == MS_OPTION_MICRO_STEPS;
}

static int try_options(const ms_options *options, const ms_system *system, ms_error *error)
{
    ms_cosim *cosim = NULL;
    bool any = false;
    for (int k = 0; k < MS_OPTIONS; k++)
        any = any || (ms_option_asked(options, k) && !is_of_solver(k));
    const int status = any ? ms_cosim_of_options(system, options, &cosim, error) : MS_OK;
    ms_cosim_destroy(&cosim);
    return status;
}

/* A value as on a command line, owned by the structure: of flags the names, commas between. NULL: there is no memory. */
static const char *value_text(const json_t *value, ms_structure *memory)
{
    const char *text = json_is_array(value) ? "" : json_string_value(value);
    for (size_t k = 0; k < json_array_size(value) && text != NULL; k++)
        text = ms_structure_name(memory, "%s%s%s", text, k > 0 ? "," : "",
                                 json_string_value(json_array_get(value, k)));
    char *line = text == NULL && json_is_number(value) ? ms_json_line(value) : NULL;
    text = line != NULL ? ms_structure_name(memory, "%s", line) : text;
    free(line);
    return text;
}

/* Appends the option with its value; a list is one entry for each of its words. */
static bool append(const char *option, json_t *value, ms_structure *memory, ms_default *list, int *n)
{
    const bool repeats = ms_option_table[ms_option_find(option)].kind == MS_KIND_LIST;
    const size_t words = repeats ? json_array_size(value) : 1;
    bool done = true;
    for (size_t k = 0; k < words && done; k++) {
        const char *text = value_text(repeats ? json_array_get(value, k) : value, memory);
        const char *copy = text != NULL ? ms_structure_name(memory, "%s", text) : NULL;
        list[(*n)++] = (ms_default){.option = option, .value = copy};
        done = copy != NULL;
    }
    return done;
}

static bool append_given(const ms_options *options, ms_structure *memory, ms_default *list, int *n)
{
    json_t *values = ms_options_json(options);
    bool done = values != NULL;
    for (int k = 0; k < MS_OPTIONS && done; k++) {
        const char *name = ms_option_table[k].name;
        json_t *value = ms_options_value(values, name); /* NULL: as if it were not given (--as none) */
        if (options->given[k] && options->set_by[k] == MS_SET_BY_NO_OTHER && value != NULL)
            done = append(name, value, memory, list, n);
    }
    json_decref(values);
    return done;
}

/* The options of the command line, in the order of their table. They are tried on the system: the errors are those of a run that is
 * made ready. `memory` owns the list. */
static int list_defaults(const ms_arguments *arguments, const ms_system *system, ms_structure *memory,
                         const ms_default **list, int *n, ms_error *error)
{
    const ms_options *o = &arguments->options;
    *n = 0;
    MS_TRY(try_options(o, system, error));
    ms_default *all = ms_structure_alloc(memory, MS_OPTIONS + MS_MASKS_MAX, sizeof *all);
    if (all == NULL || !append_given(o, memory, all, n))
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the options of the system structure");
    *list = all;
    return MS_OK;
}

const ms_column ms_export_columns[] = {{"file", "file"},           {"kind", "kind"},
                                       {"subsystem", "subsystem"}, {"model_exchange", "model exchange"},
                                       {"note", "note"},           {0}};

/* One call of the command. */
typedef struct export_call {
    const ms_arguments *arguments;
    const ms_system *system;
    ms_fmu_export what;
    ms_coupled_rows coupled;
    bool has_reference;
    ms_error why; /* .. it has none */
    json_t *rows;
    char **fmu; /* (n_fmus <= subsystems) paths of those that were written, bytes as they are; owned */
    int n_fmus;
    const ms_default *defaults; /* (n_defaults) of the system structure */
    int n_defaults;
    ms_structure memory; /* owns them */
} export_call;

static int file_path(const export_call *call, const char *name, const char *ending, char path[PATH_MAX],
                     ms_error *error)
{
    const char *folder = ms_arguments_directory(call->arguments);
    if (snprintf(path, PATH_MAX, "%s/%s%s", folder, name, ending) < PATH_MAX)
        return MS_OK;
    return ms_fail(error, MS_INVALID, "--directory %.100s..: the path is too long", folder);
}

/* A path from the model's name, which may hold anything: what would lead out of the folder, or be no name of a file, becomes '_'. */
static int model_path(const export_call *call, const char *ending, char path[PATH_MAX], ms_error *error)
{
    char name[101];
    snprintf(name, sizeof name, "%s", call->system->model->name);
    for (char *c = name; *c != '\0'; c++)
        if (*c == '/' || *c == '\\' || (unsigned char)*c < ' ' || *c == 127 || (*c == '.' && c == name))
            *c = '_';
    if (strlen(name) == sizeof name - 1) /* a letter of several bytes is not cut */
        for (size_t n = sizeof name - 1; n > 0 && ((unsigned char)name[n - 1] & 0x80U) != 0; n--)
            name[n - 1] = '\0';
    return file_path(call, name, ending, path, error);
}

/* path NULL: it was not written, and the note says why. */
static void add_row(export_call *call, const char *path, const char *kind, const char *subsystem,
                    bool model_exchange, const char *note)
{
    ms_json_append(&call->rows, ms_json_object("file:o kind:s subsystem:s? model_exchange:b note:s",
                                               path != NULL ? ms_json_text(path) : json_null(), kind,
                                               subsystem, (int)model_exchange, note));
}

/* FMUs --------------------------------------------------------------------------------------------------- */

/* Does the status only mean that there is no reference to compare with? */
static bool is_lack(int status)
{
    return status == MS_UNSUPPORTED || status == MS_NO_SOLUTION || status == MS_SOLVER_FAILED ||
           status == MS_INVALID;
}

/* With its experiment; where it has none, *why says so. */
static int write_fmu(export_call *call, const ms_exported *of, const char *path, ms_fmu_exported *made,
                     ms_error *why, ms_error *error)
{
    ms_experiment experiment = {0};
    int status = call->has_reference ? ms_experiment_compute(of, &call->coupled, &experiment, why) : MS_OK;
    if (status != MS_OK && !is_lack(status)) {
        *error = *why;
    } else {
        ms_fmu_export what = call->what;
        what.extra = experiment.file;
        what.n_extra = experiment.n;
        status = ms_fmu_export_write(&what, path, made, error);
    }
    ms_experiment_free(&experiment);
    return status;
}

/* Adds "WHAT: WHY" to a note; why NULL: nothing. */
static void remark(char *note, size_t size, const char *what, const char *why)
{
    const size_t at = strlen(note);
    if (why != NULL)
        snprintf(note + at, size - at, "%s%s: %s", at > 0 ? "; " : "", what, why);
}

static int note_path(export_call *call, const char *path, ms_error *error)
{
    if (call->fmu == NULL)
        call->fmu = calloc((size_t)call->system->n, sizeof *call->fmu);
    char *copy = call->fmu != NULL ? strdup(path) : NULL;
    MS_TRY_MEMORY_FOR(copy != NULL, error, "the names of %d FMUs", call->system->n);
    call->fmu[call->n_fmus++] = copy;
    return MS_OK;
}

static bool is_same_file(const char *one, const char *other)
{
    struct stat a, b;
    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Written to a temporary file, then renamed. */
static int copy_file(const char *from, const char *path, ms_error *error)
{
    ms_output output = {0};
    int status = ms_output_open(path, &output, error);
    MS_THEN(status, ms_export_stream_copy(from, output.file, error));
    MS_THEN(status, ms_output_close(&output, error));
    ms_output_discard(&output);
    return status;
}

/* Does another subsystem before it bring another FMU of that name? */
static int check_alone(const export_call *call, const char *subsystem, const ms_model_fmu_found *found,
                       ms_error *error)
{
    const ms_system *s = call->system;
    ms_model_fmu_found other;
    if (call->arguments->text[MS_ARGUMENT_SUBSYSTEM] != NULL) /* it alone is written */
        return MS_OK;
    for (int i = 0; i < s->n && strcmp(s->sub[i].name, subsystem) != 0; i++)
        if (ms_model_fmu(s->model, s->sub[i].name, &other) && !is_same_file(other.path, found->path) &&
            strcmp(ms_export_name_of(other.path), ms_export_name_of(found->path)) == 0)
            return ms_fail(error, MS_UNSUPPORTED,
                           "subsystems %s and %s would be two FMUs with the name %s in one folder; rename "
                           "one of them",
                           s->sub[i].name, subsystem, ms_export_name_of(found->path));
    return MS_OK;
}

/* A subsystem that is an FMU is taken as it is. */
static int copy_fmu(export_call *call, const char *subsystem, const ms_model_fmu_found *found,
                    ms_error *error)
{
    char path[PATH_MAX];
    const char *name = ms_export_name_of(found->path);
    int status = check_alone(call, subsystem, found, error);
    MS_THEN(status, file_path(call, name, "", path, error));
    const bool there = status == MS_OK && is_same_file(found->path, path);
    if (status == MS_OK && !there)
        status = copy_file(found->path, path, error);
    MS_THEN(status, note_path(call, path, error));
    if (status == MS_OK)
        add_row(call, path, "fmu", subsystem, found->model_exchange,
                there ? "it is an FMU already, at that place" : "an FMU already: copied unchanged");
    return status;
}

static int write_one(export_call *call, const char *subsystem, ms_error *error)
{
    char name[MS_EXPORTED_NAME], path[PATH_MAX], note[1024] = "";
    ms_fmu_exported made = {0};
    ms_exported of = {0};
    ms_error why = {0};
    call->what.subsystem = subsystem;
    int status = ms_exported_create(call->system, subsystem, &of, error);
    MS_THEN(status, file_path(call, ms_exported_identifier(&of, name), ".fmu", path, error));
    MS_THEN(status, write_fmu(call, &of, path, &made, &why, error));
    ms_exported_destroy(&of);
    MS_THEN(status, note_path(call, path, error));
    if (status != MS_OK)
        return status;
    remark(note, sizeof note, "co-simulation only", made.why_not);
    remark(note, sizeof note, "no sources", call->what.sources ? made.no_sources : NULL);
    remark(note, sizeof note, "no experiment inside", why.text[0] != '\0' ? why.text : NULL);
    add_row(call, path, "fmu", subsystem != NULL ? subsystem : "whole", made.model_exchange, note);
    return MS_OK;
}

static int export_one(export_call *call, const char *subsystem, ms_error *error)
{
    ms_model_fmu_found found;
    if (subsystem != NULL && ms_model_fmu(call->system->model, subsystem, &found))
        return copy_fmu(call, subsystem, &found, error);
    return write_one(call, subsystem, error);
}

static int export_fmus(export_call *call, ms_error *error)
{
    const char *chosen = call->arguments->text[MS_ARGUMENT_SUBSYSTEM];
    int status = MS_OK;
    if (chosen != NULL)
        return export_one(call, strcmp(chosen, "whole") != 0 ? chosen : NULL, error);
    for (int i = 0; i < ms_system_shown(call->system) && status == MS_OK; i++)
        status = ms_interrupted ? MS_INTERRUPTED : export_one(call, call->system->sub[i].name, error);
    return status;
}

/* All of them as one SSP; a system that SSP has no form for goes without, and it is said why. */
static int export_ssp(export_call *call, ms_error *error)
{
    char path[PATH_MAX];
    ms_error why = {0};
    int status = model_path(call, ".ssp", path, error);
    if (status == MS_OK && ms_memory_refused()) /* not all names of FMUs are there */
        status = ms_fail(&why, MS_NO_MEMORY, "not enough memory for the answer");
    const ms_ssp_content content = {(const char *const *)call->fmu, call->defaults, call->n_defaults};
    MS_THEN(status, ms_ssp_export_write(call->system, &content, path, &why));
    if (status != MS_OK && status != MS_UNSUPPORTED)
        *error = why.text[0] != '\0' ? why : *error;
    else
        add_row(call, status == MS_OK ? path : NULL, "ssp", NULL, false, why.text);
    return status == MS_UNSUPPORTED ? MS_OK : status;
}

/* The reference ------------------------------------------------------------------------------------------ */

static int compute_reference(export_call *call, ms_error *error)
{
    const int status = ms_coupled_rows_compute(call->system, &call->coupled, &call->why);
    call->has_reference = status == MS_OK;
    if (!call->has_reference && !is_lack(status))
        *error = call->why;
    return call->has_reference || is_lack(status) ? MS_OK : status;
}

static int write_reference(export_call *call, const char *path, ms_error *error)
{
    const ms_coupled_rows *r = &call->coupled;
    const ms_series_table table = {.columns = r->columns,
                                   .rows = r->n + 1,
                                   .row = r->row,
                                   .of = r->system,
                                   .name = ms_coupled_rows_name};
    ms_output output = {0};
    const int status = ms_output_open(path, &output, error);
    return status == MS_OK
               ? ms_series_file_write(&table, ms_provenance_of_model(call->arguments->line, r->system),
                                      &output, error)
               : status;
}

/* A model that has no reference is exported all the same, and it is said why. */
static int export_reference(export_call *call, ms_error *error)
{
    char path[PATH_MAX];
    MS_TRY(model_path(call, "_ref.csv", path, error));
    if (call->has_reference)
        MS_TRY(write_reference(call, path, error));
    add_row(call, call->has_reference ? path : NULL, "reference", NULL, false,
            call->has_reference ? "" : call->why.text);
    return MS_OK;
}

/* All ---------------------------------------------------------------------------------------------------- */

static void add_library(void *self, const char *name)
{
    json_t **list = self;
    ms_json_append(list, ms_json_text(name));
}

/* The model has to be known to the binaries: from the catalogue of this project, or from a file that goes with them. */
static int check_model(const ms_system *system, ms_error *error)
{
    const ms_model *model = system->model;
    if (model->text != NULL || ms_catalogue_own(model))
        return MS_OK;
    return ms_fail(error, MS_UNSUPPORTED,
                   "model %s comes from --load, and exported FMUs would not find it; one of the catalogue or "
                   "of a file is "
                   "expected",
                   model->name);
}

static int resolve_solver(export_call *call, ms_error *error)
{
    const ms_options *o = &call->arguments->options;
    const ms_solver *solver = ms_solver_choose(ms_cosim_solver(call->system, NULL, o), error);
    call->what.solver = (ms_export_solver){solver, o->solver_rtol, o->solver_atol, o->micro_steps};
    return solver != NULL ? MS_OK : MS_INVALID;
}

static json_t *say(const export_call *call, json_t *libraries)
{
    const ms_export_solver *s = &call->what.solver;
    return ms_json_object("model:s case:s parameters:o fmi:s solver:o rows:O libraries:o",
                          call->system->model->name, call->system->case_name,
                          ms_parameters_json(call->system), call->what.fmi == 2 ? "2.0" : "3.0",
                          ms_json_object("name:s rtol:f atol:f micro_steps:i", s->solver->name, s->rtol,
                                         s->atol, s->micro_steps),
                          call->rows, libraries);
}

int ms_export_write(const ms_arguments *arguments, const ms_system *system, json_t **answer, ms_error *error)
{
    export_call call = {.arguments = arguments,
                        .system = system,
                        .what = {.system = system, .fmi = arguments->fmi, .sources = arguments->sources},
                        .rows = json_array()};
    json_t *libraries = json_array();
    int status = check_model(system, error);
    MS_THEN(status, resolve_solver(&call, error));
    MS_THEN(status, list_defaults(arguments, system, &call.memory, &call.defaults, &call.n_defaults, error));
    MS_THEN(status, ms_output_folder(ms_arguments_directory(arguments), error));
    MS_THEN(status, compute_reference(&call, error));
    MS_THEN(status, export_fmus(&call, error));
    if (status == MS_OK && arguments->text[MS_ARGUMENT_SUBSYSTEM] == NULL)
        status = export_ssp(&call, error);
    MS_THEN(status, export_reference(&call, error));
    MS_THEN(status, ms_export_libraries(arguments->fmi, add_library, &libraries, error));
    *answer = status == MS_OK ? say(&call, libraries) : NULL;
    if (status != MS_OK)
        json_decref(libraries);
    for (int i = 0; i < call.n_fmus; i++)
        free(call.fmu[i]);
    free(call.fmu);
    json_decref(call.rows);
    ms_coupled_rows_free(&call.coupled);
    ms_structure_free(&call.memory);
    return status;
}
