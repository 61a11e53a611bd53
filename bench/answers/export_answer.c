/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export_answer.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "catalogue.h"
#include "command.h"
#include "cosim.h"
#include "coupled_outputs.h"
#include "export_libraries.h"
#include "fmu_export.h"
#include "provenance.h"
#include "reference.h"
#include "series_file.h"
#include "solver_registry.h"

const ms_column ms_export_columns[] = {{"file", "file"},           {"kind", "kind"},
                                       {"subsystem", "subsystem"}, {"model_exchange", "model exchange"},
                                       {"note", "note"},           {0}};

/* One call of the command. */
typedef struct export_call {
    const ms_arguments *arguments;
    const ms_system *system;
    ms_fmu_export what;
    json_t *rows;
} export_call;

static int file_path(const export_call *call, const char *name, const char *ending, char path[PATH_MAX],
                     ms_error *error)
{
    const char *folder = ms_arguments_directory(call->arguments);
    if (snprintf(path, PATH_MAX, "%s/%s%s", folder, name, ending) < PATH_MAX)
        return MS_OK;
    return ms_fail(error, MS_INVALID, "--directory %.100s..: the path is too long", folder);
}

/* path NULL: it was not written, and the note says why. */
static void add_row(export_call *call, const char *path, const char *subsystem, bool model_exchange,
                    const char *note)
{
    ms_json_append(&call->rows, json_pack("{s:o, s:s, s:s?, s:b, s:o}", "file",
                                          path != NULL ? ms_json_text(path) : json_null(), "kind",
                                          subsystem != NULL ? "fmu" : "reference", "subsystem", subsystem,
                                          "model_exchange", (int)model_exchange, "note", ms_json_text(note)));
}

/* FMUs --------------------------------------------------------------------------------------------------- */

static int export_one(export_call *call, const char *subsystem, ms_error *error)
{
    char name[MS_EXPORTED_NAME], path[PATH_MAX], note[128] = "";
    ms_fmu_exported made = {0};
    ms_exported of = {0};
    call->what.subsystem = subsystem;
    int status = ms_exported_create(call->system, subsystem, &of, error);
    if (status == MS_OK)
        status = file_path(call, ms_exported_identifier(&of, name), ".fmu", path, error);
    ms_exported_destroy(&of);
    if (status == MS_OK)
        status = ms_fmu_export_write(&call->what, path, &made, error);
    if (status != MS_OK)
        return status;
    if (made.why_not != NULL)
        snprintf(note, sizeof note, "co-simulation only: %s", made.why_not);
    add_row(call, path, subsystem != NULL ? subsystem : "whole", made.model_exchange, note);
    return MS_OK;
}

static int export_fmus(export_call *call, ms_error *error)
{
    const char *chosen = call->arguments->text[MS_ARGUMENT_SUBSYSTEM];
    int status = MS_OK;
    if (chosen != NULL)
        return export_one(call, strcmp(chosen, "whole") != 0 ? chosen : NULL, error);
    for (int i = 0; i < call->system->n && status == MS_OK; i++)
        status = ms_interrupted ? MS_INTERRUPTED : export_one(call, call->system->sub[i].name, error);
    return status;
}

/* The reference ------------------------------------------------------------------------------------------ */

/* Rows of time, states and outputs at the communication points. */
typedef struct reference_rows {
    const ms_system *system;
    ms_coupled_outputs outputs;
    ms_reference *reference;
    long n;
    int columns;
    double *row;
} reference_rows;

static void column_name(const void *of, int column, char *name, size_t size)
{
    const ms_system *s = of;
    const bool state = column <= s->nx;
    const int k = state ? column - 1 : column - 1 - s->nx;
    const int *at = state ? s->x_at : s->y_at;
    if (column == 0) {
        snprintf(name, size, "time");
        return;
    }
    const int i = ms_owner_of(at, s->n, k);
    const ms_variable *v = state ? s->sub[i].x : s->sub[i].y;
    snprintf(name, size, "%s.%c.%s", s->sub[i].name, state ? 'x' : 'y', v[k - at[i]].name);
}

static int read_row(reference_rows *r, long k, double t, ms_error *error)
{
    const ms_system *s = r->system;
    const double *x = ms_reference_state(r->reference);
    double *row = r->row + k * r->columns;
    const int status = ms_coupled_outputs_at(&r->outputs, t, x, ms_reference_discrete(r->reference), error);
    row[0] = t;
    memcpy(row + 1, x, sizeof *row * (size_t)s->nx);
    memcpy(row + 1 + s->nx, r->outputs.y, sizeof *row * (size_t)s->ny);
    return status;
}

static int compute_reference(reference_rows *r, ms_error *error)
{
    const ms_system *s = r->system;
    const double h = s->step_size;
    r->n = (long)ceil(s->stop_time / h * (1.0 - 1e-12));
    r->columns = 1 + s->nx + s->ny;
    r->row = calloc((size_t)(r->n + 1) * (size_t)r->columns, sizeof *r->row);
    if (r->row == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the reference");
    int status = ms_coupled_outputs_create(s, &r->outputs, error);
    if (status == MS_OK)
        status = ms_reference_create(s, 0, NULL, &r->reference, error);
    if (status == MS_OK)
        status = read_row(r, 0, 0.0, error);
    for (long k = 0; k < r->n && status == MS_OK; k++) {
        const double t = (double)k * h, to = k + 1 < r->n ? (double)(k + 1) * h : s->stop_time;
        status = ms_interrupted ? MS_INTERRUPTED : ms_reference_step(r->reference, t, to - t);
        if (status == MS_SOLVER_FAILED)
            return ms_fail(error, status, "the reference failed between %g s and %g s", t, to);
        if (status == MS_OK)
            status = read_row(r, k + 1, to, error);
    }
    return status;
}

static int write_reference(export_call *call, const reference_rows *r, const char *path, ms_error *error)
{
    const ms_series_table table = {
        .columns = r->columns, .rows = r->n + 1, .row = r->row, .of = r->system, .name = column_name};
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
    reference_rows r = {.system = call->system};
    int status = file_path(call, call->system->model->name, "_ref.csv", path, error);
    if (status != MS_OK)
        return status;
    status = compute_reference(&r, error);
    const bool none = status == MS_UNSUPPORTED || status == MS_NO_SOLUTION || status == MS_SOLVER_FAILED;
    if (status == MS_OK)
        status = write_reference(call, &r, path, error);
    if (status == MS_OK || none)
        add_row(call, none ? NULL : path, NULL, false, none ? error->text : "");
    ms_reference_destroy(&r.reference);
    ms_coupled_outputs_destroy(&r.outputs);
    free(r.row);
    return none ? MS_OK : status;
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
    const char *name = o->solver[0] != '\0' ? o->solver : ms_cosim_default_solver(call->system, NULL);
    call->what.solver =
        (ms_export_solver){ms_solver_choose(name, error), o->solver_rtol, o->solver_atol, o->micro_steps};
    return call->what.solver.solver != NULL ? MS_OK : MS_INVALID;
}

static json_t *say(const export_call *call, json_t *libraries)
{
    const ms_export_solver *s = &call->what.solver;
    return json_pack("{s:s, s:s, s:o, s:s, s:{s:s, s:f, s:f, s:i}, s:O, s:o}", "model",
                     call->system->model->name, "case", call->system->case_name, "parameters",
                     ms_parameters_json(call->system), "fmi", call->what.fmi == 2 ? "2.0" : "3.0", "solver",
                     "name", s->solver->name, "rtol", s->rtol, "atol", s->atol, "micro_steps", s->micro_steps,
                     "rows", call->rows, "libraries", libraries);
}

int ms_export_write(const ms_arguments *arguments, const ms_system *system, json_t **answer, ms_error *error)
{
    export_call call = {.arguments = arguments,
                        .system = system,
                        .what = {.system = system, .fmi = arguments->fmi},
                        .rows = json_array()};
    json_t *libraries = json_array();
    int status = check_model(system, error);
    if (status == MS_OK)
        status = resolve_solver(&call, error);
    if (status == MS_OK)
        status = ms_output_folder(ms_arguments_directory(arguments), error);
    if (status == MS_OK)
        status = export_fmus(&call, error);
    if (status == MS_OK)
        status = export_reference(&call, error);
    if (status == MS_OK)
        status = ms_export_libraries(arguments->fmi, add_library, &libraries, error);
    *answer = status == MS_OK ? say(&call, libraries) : NULL;
    if (status != MS_OK)
        json_decref(libraries);
    json_decref(call.rows);
    return status;
}
