/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include <macrostep/linearisation_jacobian.h>
#include "call.h"
#include "evaluation_order_answer.h"
#include "fmu_answer.h"
#include "fmu_co_simulation.h"
#include "fmu_description_read.h"
#include "matrix.h"
#include "strong_components.h"

static bool feeds_through(const ms_system *system, int i)
{
    for (int k = 0; k < system->sub[i].nu; k++)
        if (ms_input_feeds_through(system, i, k))
            return true;
    return false;
}

/* Power into the subsystem: gain * input * output. */
static json_t *ports(const ms_subsystem *sub)
{
    json_t *rows = json_array();
    for (int k = 0; k < sub->n_ports; k++) {
        const ms_port *port = &sub->ports[k];
        ms_json_append(&rows,
                       ms_json_object("name:s input:s output:s gain:r", port->name, sub->u[port->input].name,
                                      sub->y[port->output].name, port->gain));
    }
    return rows;
}

/* The quantity of each of n inputs or outputs. */
static json_t *signals(int n, const ms_signal *signal)
{
    json_t *names = json_array();
    for (int k = 0; k < n; k++)
        ms_json_append(&names,
                       json_string(ms_signal_names[signal != NULL ? signal[k] : MS_SIGNAL_CONTINUOUS]));
    return names;
}

/* Eguillon et al. (2022), Fig. 2: by the kinds of coupling variables. */
static const char *topology(const ms_subsystem *sub)
{
    static const char *const names[2][2] = {{"NINO", "NI"}, {"NO", "IO"}};
    return names[sub->nu > 0][sub->ny > 0];
}

static json_t *subsystems(const ms_system *system)
{
    json_t *rows = json_array();
    for (int i = 0; i < ms_system_shown(system); i++) {
        const ms_subsystem *sub = &system->sub[i];
        ms_json_append(
            &rows, ms_json_object(
                       "name:s states:i inputs:i outputs:i topology:s linear:b feed_through:b state_names:o "
                       "input_names:o output_names:o input_signals:o output_signals:o ports:o",
                       sub->name, sub->nx, sub->nu, sub->ny, topology(sub), sub->matrices != NULL,
                       feeds_through(system, i), ms_json_names(sub->nx, sub->x, NULL),
                       ms_json_names(sub->nu, sub->u, NULL), ms_json_names(sub->ny, sub->y, NULL),
                       signals(sub->nu, sub->u_signal), signals(sub->ny, sub->y_signal), ports(sub)));
    }
    return rows;
}

static json_t *parameters(const ms_system *system)
{
    json_t *rows = json_array();
    for (int k = 0; k < system->model->n_parameters; k++) {
        const ms_parameter *p = &system->model->parameters[k];
        ms_json_append(&rows, ms_json_object("name:s unit:s default:r value:r min:r max:r summary:s", p->name,
                                             p->unit, p->value, system->p[k], p->min, p->max, p->summary));
    }
    return rows;
}

/* Options of a run that the file sets. */
static json_t *defaults(const ms_model *model)
{
    json_t *rows = json_array();
    for (int k = 0; k < model->n_defaults; k++)
        ms_json_append(
            &rows, ms_json_object("option:s value:s", model->defaults[k].option, model->defaults[k].value));
    return rows;
}

static json_t *case_names(const ms_model *model)
{
    json_t *names = json_array();
    for (int k = 0; k < model->n_cases; k++)
        ms_json_append(&names, json_string(model->cases[k].name));
    return names;
}

static json_t *case_details(const ms_model *model)
{
    json_t *rows = json_array();
    for (int k = 0; k < model->n_cases; k++) {
        const ms_case *c = &model->cases[k];
        json_t *settings = json_object();
        for (int j = 0; j < c->n_settings; j++)
            ms_json_set(&settings, c->settings[j].parameter, ms_json_real(c->settings[j].value));
        const double stop = c->stop_time > 0.0 ? c->stop_time : model->stop_time;
        const double step = c->step_size > 0.0 ? c->step_size : model->step_size;
        json_t *row = ms_json_object("name:s summary:s* source:s* stop_time:f step_size:f settings:o",
                                     c->name, c->summary, c->source, stop, step, settings);
        ms_json_append(&rows, row);
    }
    return rows;
}

/* "SUB.NAME". */
static json_t *qualified(const ms_subsystem *sub, const ms_variable *variable)
{
    return json_sprintf("%s.%s", sub->name, variable->name);
}

/* Connections between subsystems, or the terms of offsets and start values. */
static json_t *couplings(const ms_system *system, bool offsets)
{
    json_t *rows = json_array();
    for (int i = 0; i < system->n; i++)
        for (int input = system->u_at[i]; input < system->u_at[i + 1]; input++)
            for (int wire = system->row_at[input]; wire < system->row_at[input + 1]; wire++) {
                const int output = system->wire_output[wire], from = ms_system_owner(system, output);
                const ms_subsystem *to = &system->sub[i], *source = &system->sub[from];
                if (source->gives_offsets != offsets)
                    continue;
                json_t *row = ms_json_object("input:o", qualified(to, &to->u[input - system->u_at[i]]));
                if (!offsets)
                    ms_json_set(&row, "output", qualified(source, &source->y[output - system->y_at[from]]));
                ms_json_set(&row, offsets ? "value" : "gain", ms_json_real(system->wire_gain[wire]));
                ms_json_append(&rows, row);
            }
    return rows;
}

/* The two ends of each bond as "SUB.PORT". */
static json_t *bonds(const ms_system *system)
{
    json_t *rows = json_array();
    for (int b = 0; b < system->n_bonds; b++) {
        json_t *end[2];
        for (int e = 0; e < 2; e++) {
            const ms_subsystem *sub = &system->sub[system->bond[b].subsystem[e]];
            end[e] = json_sprintf("%s.%s", sub->name, sub->ports[system->bond[b].port[e]].name);
        }
        ms_json_append(&rows, json_pack("[o, o]", end[0], end[1]));
    }
    return rows;
}

static json_t *evaluation_order(const ms_system *system)
{
    ms_digraph graph;
    int count = 0, *component = calloc((size_t)system->n + 1, sizeof *component);
    json_t *groups = json_array();
    int status = component != NULL ? ms_digraph_of_subsystems(system, &graph) : MS_NO_MEMORY;
    if (status == MS_OK) {
        status = ms_strong_components(&graph, component, &count);
        ms_digraph_destroy(&graph);
    }
    for (int c = 0; c < count && status == MS_OK; c++)
        ms_json_append(&groups, json_array());
    for (int i = 0; i < ms_system_shown(system) && groups != NULL && status == MS_OK; i++)
        json_array_append_new(json_array_get(groups, (size_t)component[i]), json_string(system->sub[i].name));
    for (size_t c = json_array_size(groups); c-- > 0;)
        if (json_array_size(json_array_get(groups, c)) == 0) /* the source of offsets is not shown */
            (void)json_array_remove(groups, c);
    if (status != MS_OK)
        ms_json_append(&groups, NULL);
    free(component);
    return groups;
}

/* Eigenvalues -------------------------------------------------------------------------------------------- */

/* Above this number of states or outputs eigenvalues, which need a full matrix, are not computed. */
enum { EIGENVALUES_MAX = 2000 };

/* Results at the start; notes say what could not be computed. */
typedef struct start_analysis {
    json_t *radius, *eigenvalues, *notes;
    bool from_file;
} start_analysis;

/* Only lack of memory and an algebraic loop of the file without solution end the command; everything else becomes
 * a note. */
static int note(start_analysis *found, int status, ms_error *error)
{
    if (status == MS_OK || status == MS_NO_MEMORY || (status == MS_NO_SOLUTION && found->from_file))
        return status;
    ms_json_append(&found->notes, ms_json_text(error->text));
    return MS_OK;
}

static int analyse_loop(const ms_system *system, const double *x, const double *u, double *matrix,
                        double *eigenvalues, start_analysis *found, ms_error *error)
{
    int status = ms_linearisation_loop(system, 0.0, x, u, matrix, error);
    if (status == MS_OK) {
        status = ms_matrix_eigenvalues(system->ny, matrix, eigenvalues);
        if (status == MS_OK)
            found->radius = ms_json_real(ms_spectral_radius(system->ny, eigenvalues));
        else
            ms_fail(error, status, "the eigenvalues of D L were not found");
    }
    return note(found, status, error);
}

static int analyse_monolithic(const ms_system *system, const double *x, double *matrix, double *eigenvalues,
                              start_analysis *found, ms_error *error)
{
    int status = ms_linearisation_monolithic(system, 0.0, x, matrix, error);
    if (status == MS_OK) {
        status = ms_matrix_eigenvalues(system->nx, matrix, eigenvalues);
        if (status == MS_OK)
            found->eigenvalues = ms_json_of_pairs(system->nx, eigenvalues);
        else
            ms_fail(error, status, "the eigenvalues of the coupled model were not found");
    }
    return note(found, status, error);
}

/* Notes that the system is too large for full matrices. */
static void note_size(const ms_system *system, start_analysis *found)
{
    char text[256];
    bool through = false;
    for (int j = 0; j < system->ny; j++)
        through = through || system->feed_through[j];
    if (!through)
        found->radius = json_real(0.0);
    snprintf(text, sizeof text,
             "%d states and %d outputs: eigenvalues are computed for at most %d, because they "
             "require a full matrix",
             system->nx, system->ny, EIGENVALUES_MAX);
    ms_json_append(&found->notes, json_string(text));
}

static int analyse_start(const ms_system *system, bool from_file, start_analysis *found, ms_error *error)
{
    const size_t nx = (size_t)system->nx, nu = (size_t)system->nu, ny = (size_t)system->ny;
    const size_t larger = nx > ny ? nx : ny, n = larger > EIGENVALUES_MAX ? 0 : larger;
    double *x = calloc(nx + nu + n * n + 2 * larger + 1, sizeof *x), *u = x + nx, *matrix = u + nu;
    double *eigenvalues = matrix + n * n;
    *found = (start_analysis){.notes = json_array(), .from_file = from_file};
    int status = x != NULL ? MS_OK : ms_fail(error, MS_NO_MEMORY, "not enough memory for the start values");
    MS_THEN(status,
            note(found, ms_system_needs_equations(system, "everything that follows from the matrices", error),
                 error));
    const bool shown = json_array_size(found->notes) == 0;
    if (status == MS_OK && shown)
        status = note(found, ms_linearisation_start(system, x, u, error), error);
    if (status == MS_OK && shown && n < larger)
        note_size(system, found);
    else if (status == MS_OK && shown)
        status = analyse_loop(system, x, u, matrix, eigenvalues, found, error);
    if (status == MS_OK && json_array_size(found->notes) == 0)
        status = analyse_monolithic(system, x, matrix, eigenvalues, found, error);
    if (found->radius == NULL)
        found->radius = json_null();
    if (found->eigenvalues == NULL)
        found->eigenvalues = json_null();
    free(x);
    return status;
}

static int compute_model(ms_call *call, ms_error *error)
{
    const ms_system *system = call->system;
    const ms_model *model = system->model;
    start_analysis found;
    ms_evaluation_order_pair pair;
    const int status = analyse_start(system, call->arguments.text[MS_ARGUMENT_SYSTEM] != NULL, &found, error);
    const bool ordered = ms_evaluation_order_pair_create(system, &pair) == MS_OK;
    call->answer.value = ms_json_object(
        "name:s summary:s* source:s* case:s stop_time:f step_size:f defaults:o subsystems:o couplings:o "
        "offsets:o bonds:o parameters:o cases:o case_details:o evaluation_order:o variable_order:o "
        "loops:o model_evaluations:o feed_through_spectral_radius:o linearised:s? eigenvalues:o notes:o",
        model->name, model->summary, model->source, system->case_name, system->stop_time, system->step_size,
        defaults(model), subsystems(system), couplings(system, false), couplings(system, true), bonds(system),
        parameters(system), case_names(model), case_details(model), evaluation_order(system),
        ordered ? ms_evaluation_order_groups(system, &pair.reduced, false) : NULL,
        ordered ? ms_evaluation_order_groups(system, &pair.reduced, true) : NULL,
        ordered ? ms_evaluation_order_counts(system, &pair) : NULL, found.radius,
        json_is_array(found.eigenvalues) && !system->linear ? "start" : NULL, found.eigenvalues, found.notes);
    ms_evaluation_order_pair_destroy(&pair);
    return status;
}

/* FMUs --------------------------------------------------------------------------------------------------- */

static int compute_fmu(ms_call *call, ms_error *error)
{
    const char *path = call->arguments.text[MS_ARGUMENT_SYSTEM];
    ms_fmu_archive *archive = NULL;
    ms_fmu_description *description = NULL;
    ms_fmu_findings findings = {0};
    int status = ms_fmu_unpack(path, &archive, &description, error);
    MS_THEN(status, ms_fmu_check(description, &findings, error));
    if (status == MS_OK)
        call->answer.value = ms_fmu_answer(path, archive, description, &findings);
    if (status == MS_OK && call->arguments.text[MS_ARGUMENT_PROBE] != NULL &&
        call->arguments.fmus.probing == MS_FMU_PROBE_ON)
        status = ms_fmu_answer_probe(&call->answer.value, path, &call->arguments.fmus.use,
                                     description->flags[MS_FMU_CO_SIMULATION].present, error);
    if (call->arguments.format == MS_FORMAT_TABLE)
        ms_fmu_answer_for_table(call->answer.value);
    ms_fmu_findings_free(&findings);
    ms_fmu_description_free(&description);
    ms_fmu_archive_close(&archive);
    return status;
}

/* Both --------------------------------------------------------------------------------------------------- */

static bool is_fmu(const ms_call *call)
{
    const char *file = call->arguments.text[MS_ARGUMENT_SYSTEM];
    return call->arguments.operand == NULL && file != NULL && ms_arguments_ends_with(file, ".fmu");
}

/* An FMU is shown as such: it is not a system with parameters and cases. */
static int bind(void *self, ms_error *error)
{
    ms_call *call = self;
    const ms_arguments *arguments = &call->arguments;
    if (is_fmu(call))
        return arguments->n_settings == 0 && arguments->text[MS_ARGUMENT_CASE] == NULL
                   ? MS_OK
                   : ms_fail(error, MS_INVALID, "--set and --case apply only to models, not to %s",
                             arguments->text[MS_ARGUMENT_SYSTEM]);
    const int status = ms_arguments_model(arguments, &call->model, &call->owned, error);
    return status == MS_OK ? ms_arguments_bind(arguments, call->model, &call->system, error) : status;
}

static int compute(void *self, ms_error *error)
{
    return is_fmu(self) ? compute_fmu(self, error) : compute_model(self, error);
}

const ms_call_steps ms_command_show = {.size = sizeof(ms_call), .bind = bind, .compute = compute};
