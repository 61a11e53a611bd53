/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>

#include <macrostep/cosim.h>
#include <macrostep/integrate.h>
#include <macrostep/solver_registry.h>
#include <macrostep/trajectory.h>
#include "call.h"
#include "plots.h"
#include "progress.h"
#include "provenance.h"
#include "scheme_variants.h"

/* The answer ---------------------------------------------------------------------------------------------- */

/* Solver, tolerances or step size, times. NULL: no memory. */
static json_t *integrate_solver_json(const ms_options *o)
{
    const ms_solver *solver = ms_solver_find(o->solver);
    const bool adaptive = solver != NULL && solver->adaptive, fixed = solver != NULL && solver->order > 0;
    return ms_json_object("name:s rtol:o atol:o step_size:o start_time:r stop_time:r", o->solver,
                          adaptive ? ms_json_real(o->solver_rtol) : json_null(),
                          adaptive ? ms_json_real(o->solver_atol) : json_null(),
                          fixed ? ms_json_real(o->step_size) : json_null(), o->start_time, o->stop_time);
}

/* Errors ------------------------------------------------------------------------------------------------- */

static json_t *error_json(double max, double rmse, double end)
{
    return ms_json_object("max:r rmse:r end:r", max, rmse, end);
}

static json_t *errors_json(const ms_system *s, const ms_options *options, const ms_integration *run)
{
    if (options->errors == MS_AGAINST_NONE)
        return json_null();
    const bool valid = run->errors_valid;
    json_t *all = valid ? error_json(run->max, run->rmse, run->end) : error_json(NAN, NAN, NAN);
    json_t *states = json_object();
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->sub[i].nx; j++) {
            const ms_integration_error none = {NAN, NAN, NAN};
            const ms_integration_error e = valid ? run->error[s->x_at[i] + j] : none;
            json_t *object = error_json(e.max, e.rmse, e.end);
            if (valid && run->scale.by != MS_SCALE_NONE)
                ms_json_set(&object, "scale", ms_json_real(run->scale.of[s->x_at[i] + j]));
            ms_json_set_as(&states, object, "%s.%s", s->sub[i].name, s->sub[i].x[j].name);
        }
    ms_json_set(&all, "per_state", states);
    return all;
}

static double reference_error_of(const ms_integration *run)
{
    return run->errors_valid ? run->reference_error * ms_error_scale_unit(&run->scale) : NAN;
}

static json_t *energy_json(const ms_integration *run)
{
    if (!run->energy_known)
        return json_null();
    return ms_json_object("start:r end:r drift:r", run->energy_start, run->energy_end, run->energy_drift);
}

/* Events ------------------------------------------------------------------------------------------------- */

/* "state", "time+step", .. */
static json_t *kind_json(const double *row)
{
    static const char *const names[] = {"state", "time", "step"};
    char text[32] = "";
    size_t length = 0;
    for (int k = 0; k < MS_COUNT(names); k++)
        if (row[1 + k] != 0.0)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", length > 0 ? "+" : "",
                                       names[k]);
    return json_string(text);
}

/* Indices, from 1, of the indicators that changed sign; negative for a fall. */
static json_t *crossed_json(const ms_integration *run, const double *row)
{
    json_t *crossed = json_array();
    for (int k = 0; k < run->n_indicators; k++)
        if (row[4 + k] != 0.0)
            ms_json_append(&crossed, json_integer(row[4 + k] > 0.0 ? k + 1 : -(k + 1)));
    return crossed;
}

static json_t *event_list(const ms_integration *run)
{
    json_t *list = json_array();
    for (long n = 0; n < run->events.rows; n++) {
        const double *row = ms_run_series_row(&run->events, n);
        ms_json_append(&list, ms_json_object("time:r kind:o indicators:o", row[0], kind_json(row),
                                             crossed_json(run, row)));
    }
    return list;
}

static json_t *events_json(const ms_integration *run, bool list)
{
    json_t *events = ms_json_object("total:l state:l time:l step:l announced:l switches:l slides:l",
                                    run->events.rows, run->state_events, run->time_events, run->step_events,
                                    run->work.announced, run->work.switches, run->work.slides);
    if (list)
        ms_json_set(&events, "list", event_list(run));
    return events;
}

/* Answers ------------------------------------------------------------------------------------------------ */

/* The answer as bench/README.md prints it ("One model, one solver"); `list`: with every event. NULL: no memory. */
static json_t *integrate_answer(const ms_integration *run, bool list)
{
    const ms_system *s = run->system;
    const ms_options *options = &run->options;
    const ms_work *work = &run->work;
    return ms_json_object(
        "model:s case:s parameters:o solver:o reason:s message:s end_time:r output_points:o "
        "micro_steps:l rhs_evaluations:l jacobian_evaluations:l error_test_failures:l "
        "output_evaluations:l step_sizes:o orders:o events:o errors:o error_scale:s reference_error:r "
        "reference_known_until:r energy:o wall_seconds:r",
        s->model->name, s->case_name, ms_parameters_json(s), integrate_solver_json(options),
        ms_reason_name(run->reason), run->message, run->end_time,
        run->reason != MS_REASON_INCOMPATIBLE ? json_integer(run->output_points) : json_null(),
        work->micro_steps, work->rhs_evaluations, work->jacobian_evaluations, work->error_test_failures,
        run->output_evaluations,
        ms_json_object("smallest:r largest:r", run->smallest_step, run->largest_step),
        ms_json_object("lowest:i highest:i", run->lowest_order, run->highest_order), events_json(run, list),
        errors_json(s, options, run), ms_option_choice(options, MS_OPTION_ERROR_SCALE),
        reference_error_of(run), run->known_until, energy_json(run), run->wall_seconds);
}

/* The row of a solver that does not fit, in the same shape. NULL: no memory. */
static json_t *integrate_answer_incompatible(const ms_system *system, const ms_options *options,
                                             const char *why)
{
    ms_integration none = {.system = system,
                           .options = *options,
                           .reason = MS_REASON_INCOMPATIBLE,
                           .end_time = NAN,
                           .smallest_step = NAN,
                           .largest_step = NAN,
                           .known_until = NAN,
                           .wall_seconds = NAN};
    ms_cosim_resolve(system, NULL, &none.options);
    snprintf(none.message, sizeof none.message, "%s", why);
    return integrate_answer(&none, false);
}

/* The call ----------------------------------------------------------------------------------------------- */

/* The files of rows written beside the answer. */
static const struct {
    ms_argument argument;
    void (*name)(const void *integration, int column, char *name, size_t size);
    size_t series; /* of ms_integration */
} files[] = {{MS_ARGUMENT_TRAJECTORY, ms_integration_trajectory_name, offsetof(ms_integration, trajectory)},
             {MS_ARGUMENT_HISTORY, ms_integration_history_name, offsetof(ms_integration, history)},
             {MS_ARGUMENT_EVENTS, ms_integration_events_name, offsetof(ms_integration, events)}};

typedef struct integrate_call {
    ms_call base;
    ms_axis all;  /* of --solver all */
    ms_grid grid; /* n > 0: the answer has rows */
    ms_progress progress;
    ms_system *system;  /* of one integration, */
    ms_integration run; /* kept for its picture */
    bool interrupted;
} integrate_call;

/* The call ----------------------------------------------------------------------------------------------- */

static int check_solvers(const ms_axis *axis, ms_error *error)
{
    for (int k = 0; k < axis->n; k++)
        if (ms_solver_choose(ms_axis_value(axis, k), error) == NULL)
            return MS_INVALID;
    return MS_OK;
}

/* The rows: lists of parameters vary slowest and solvers fastest, so that rows to compare are adjacent. */
static int make_grid(integrate_call *call, ms_error *error)
{
    const ms_arguments *arguments = &call->base.arguments;
    ms_grid *grid = &call->grid;
    int status = MS_OK;
    if (arguments->n_axes + 1 >= MS_GRID_AXES_MAX)
        return ms_fail(error, MS_INVALID, "integrate: %d lists are too many", arguments->n_axes);
    for (int k = 0; k < arguments->n_axes; k++) {
        const ms_axis *axis = &arguments->axes[k];
        grid->axis[grid->n++] = axis;
        if (status == MS_OK && ms_axis_is(axis, MS_OPTION_SOLVER))
            status = check_solvers(axis, error);
    }
    if (status == MS_OK && strcmp(arguments->options.solver, "all") == 0) {
        status = ms_axis_of_option(&ms_option_table[MS_OPTION_SOLVER], &call->all, error);
        grid->axis[grid->n++] = &call->all;
    }
    return status;
}

/* Several rows have no single series to write. */
static int refuse_files(const integrate_call *call, ms_error *error)
{
    for (int k = 0; k < MS_COUNT(files) && call->grid.n > 0; k++) {
        const char *path = call->base.arguments.text[files[k].argument];
        if (path != NULL)
            return ms_fail(error, MS_INVALID, "--%s %s: requires one integration, not lists",
                           ms_argument_table[files[k].argument].option.name, path);
    }
    return MS_OK;
}

static int bind(void *self, ms_error *error)
{
    integrate_call *call = self;
    ms_integrate_defaults(&call->base.arguments.options);
    int status = make_grid(call, error);
    if (status == MS_OK && call->grid.n == 0)
        status = ms_call_check_solver(&call->base, call->base.arguments.options.solver, error);
    return status == MS_OK ? refuse_files(call, error) : status;
}

/* Integrations ------------------------------------------------------------------------------------------- */

static ms_integrate_options options_of(integrate_call *call, const ms_options *options)
{
    return (ms_integrate_options){
        .errors = options->errors == MS_AGAINST_REFERENCE,
        .history = call->base.arguments.text[MS_ARGUMENT_HISTORY] != NULL ||
                   (call->grid.n == 0 && call->base.arguments.text[MS_ARGUMENT_PLOT] != NULL),
        .stop = &ms_interrupted,
        .progress = ms_progress_follow,
        .self = &call->progress};
}

static json_t *provenance_of(const integrate_call *call, const ms_integration *run)
{
    json_t *provenance = ms_provenance_of_model(call->base.arguments.line, run->system);
    ms_json_set(&provenance, "solver", integrate_solver_json(&run->options));
    return provenance;
}

static int write_files(integrate_call *call, const ms_integration *run, ms_error *error)
{
    int status = MS_OK;
    for (int k = 0; k < MS_COUNT(files) && status == MS_OK; k++) {
        const ms_run_series *series =
            (const ms_run_series *)(const void *)((const char *)run + files[k].series);
        const ms_series_table table = {series->columns, series->rows, series->row, run, files[k].name, NULL};
        if (call->base.file[k].file != NULL)
            status = ms_series_file_write(&table, provenance_of(call, run), &call->base.file[k], error);
    }
    return status;
}

static int integrate_one(integrate_call *call, ms_error *error)
{
    const ms_integrate_options request = options_of(call, &call->base.arguments.options);
    MS_TRY(ms_arguments_bind(&call->base.arguments, call->base.model, &call->system, error));
    MS_TRY(ms_integrate(call->system, &call->base.arguments.options, call->base.arguments.output_points,
                        &request, &call->run, error));
    MS_TRY(write_files(call, &call->run, error));
    call->base.answer.value = integrate_answer(&call->run, call->base.arguments.format >= MS_FORMAT_JSON);
    call->interrupted = call->run.reason == MS_REASON_INTERRUPTED;
    return MS_OK;
}

/* The current row of the grid. */
static int integrate_row(integrate_call *call, json_t **row, ms_error *error)
{
    ms_options options = call->base.arguments.options;
    ms_system *system = NULL;
    ms_integration run = {0};
    ms_error why = {0};
    int status = MS_OK;
    for (int k = 0; k < call->grid.n && status == MS_OK; k++)
        status =
            ms_arguments_apply(&call->base.arguments, call->grid.axis[k], call->grid.at[k], &options, error);
    MS_THEN(status, ms_arguments_bind(&call->base.arguments, call->base.model, &system, error));
    if (status != MS_OK)
        return status;
    const ms_integrate_options request = options_of(call, &options);
    const ms_solver *solver = ms_solver_find(options.solver);
    if (solver != NULL && solver->order == 0) /* those with fixed steps alone take it */
        options.given[MS_OPTION_STEP_SIZE] = false;
    status = ms_integrate(system, &options, call->base.arguments.output_points, &request, &run, &why);
    if (status == MS_OK)
        *row = integrate_answer(&run, false);
    else if (status == MS_UNSUPPORTED)
        *row = integrate_answer_incompatible(system, &options, why.text);
    else
        ms_fail(error, status, "%s", why.text);
    call->interrupted = run.reason == MS_REASON_INTERRUPTED;
    ms_integration_destroy(&run);
    ms_system_destroy(&system);
    return status == MS_UNSUPPORTED ? MS_OK : status;
}

static int integrate_rows(integrate_call *call, ms_error *error)
{
    static const ms_column columns[] = {{"solver.name", "solver"},
                                        {"solver.rtol", "rtol"},
                                        {"solver.step_size", "step size"},
                                        {"micro_steps", "steps"},
                                        {"rhs_evaluations", "f evaluations"},
                                        {"jacobian_evaluations", "Jacobians"},
                                        {"error_test_failures", "error fails"},
                                        {"events.total", "events"},
                                        {"errors.max", "error"},
                                        {"errors.end", "error at end"},
                                        {"wall_seconds", "seconds"},
                                        {"reason", "reason"},
                                        {"message", "message"},
                                        {0}};
    json_t *rows = json_array();
    const double size = ms_grid_size(&call->grid);
    int status = MS_OK;
    bool more = true;
    for (double done = 0.0; more && status == MS_OK && !call->interrupted; done++) {
        json_t *row = NULL;
        ms_progress_part(&call->progress, done / size, 1.0 / size);
        status = integrate_row(call, &row, error);
        if (status == MS_OK && json_array_append_new(rows, row) != 0)
            status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the rows");
        more = ms_grid_advance(&call->grid);
    }
    if (status == MS_OK)
        call->base.answer.value = ms_json_object("model:s rows:O", call->base.model->name, rows);
    call->base.answer.columns = columns;
    json_decref(rows);
    return status;
}

static int compute(void *self, ms_error *error)
{
    integrate_call *call = self;
    ms_progress_begin(&call->progress, "integrate", 1);
    const int status = call->grid.n > 0 ? integrate_rows(call, error) : integrate_one(call, error);
    ms_progress_end(&call->progress);
    call->base.exit_status = call->interrupted ? MS_EXIT_INTERRUPTED : MS_EXIT_DONE;
    return status;
}

/* A row is time, event, then the states in the order of a run's trajectory. */
static const char *unit_of_state(const void *of, int column)
{
    const ms_integration *run = of;
    return ms_trajectory_unit(&(ms_trajectory){.system = run->system}, column - 1);
}

static int plot(ms_drawing *drawing, ms_error *error)
{
    const integrate_call *call = ms_drawing_subject(drawing);
    const ms_run_series *t = &call->run.trajectory, *h = &call->run.history;
    const ms_series_table
        trajectory = {t->columns, t->rows, t->row, &call->run, ms_integration_trajectory_name, unit_of_state},
        history = {h->columns, h->rows, h->row, &call->run, ms_integration_history_name, NULL};
    (void)error;
    return ms_plot_integrate(drawing, call->base.answer.value, call->grid.n == 0 ? &trajectory : NULL,
                             &history);
}

static void destroy(void *self)
{
    integrate_call *call = self;
    ms_axis_destroy(&call->all);
    ms_integration_destroy(&call->run);
    ms_system_destroy(&call->system);
}

const ms_call_steps ms_command_integrate = {
    .size = sizeof(integrate_call),
    .binds = MS_BINDS_MODEL,
    .files = {MS_ARGUMENT_TRAJECTORY, MS_ARGUMENT_HISTORY, MS_ARGUMENT_EVENTS},
    .n_files = 3,
    .bind = bind,
    .compute = compute,
    .plot = plot,
    .destroy = destroy};
