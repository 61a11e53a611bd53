/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/cosim.h>
#include <macrostep/execution_ranks.h>
#include <macrostep/reference.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/trajectory.h>
#include "call.h"
#include "memory.h"
#include "model_fmu.h"
#include "options_digest.h"
#include "plots.h"
#include "progress.h"
#include "provenance.h"
#include "run_answer.h"
#include "version.h"

/* Errors over time ---------------------------------------------------------------------------------------- */

/* Rows of time and x - reference (1 + nx). table.row is NULL if there is no reference, as for systems without a monolithic form. */
typedef struct ms_run_errors {
    ms_series_table table;
    double *row; /* owned */
} ms_run_errors;

static void name_of(const void *of, int column, char *name, size_t size)
{
    ms_trajectory_name(of, column, name, size);
}

static const char *unit_of(const void *of, int column)
{
    return ms_trajectory_unit(of, column);
}

/* The table of a trajectory, with names and units of its columns. */
static ms_series_table trajectory_table(const ms_trajectory *trajectory)
{
    return (ms_series_table){trajectory->columns, trajectory->rows, trajectory->row,
                             trajectory,          name_of,          unit_of};
}

/* Fills row by row while the reference exists and is accurate; returns the number of rows. */
static long fill(const ms_trajectory *trajectory, ms_reference *reference, double *row)
{
    const int nx = trajectory->nx;
    long n = 0, known = 0;
    for (double before = 0.0; n < trajectory->rows; n++) {
        const double *at = ms_trajectory_row(trajectory, n), t = at[0];
        const int status = n > 0 && t > before ? ms_reference_step(reference, before, t - before) : MS_OK;
        if (status == MS_NO_MEMORY)
            ms_memory_note();
        if (status != MS_OK)
            break;
        const double *x = ms_reference_state(reference);
        double *to = row + (size_t)n * (size_t)(nx + 1);
        to[0] = before = t;
        for (int i = 0; i < nx; i++)
            to[1 + i] = at[1 + i] - x[i];
        if (n == 0 || ms_reference_usable(ms_reference_error(reference), ms_reference_largest(reference)))
            known = n + 1;
    }
    return known;
}

/* Errors: MS_NO_MEMORY. */
static int run_errors_compute(const ms_trajectory *trajectory, ms_run_errors *errors, ms_error *error)
{
    ms_reference *reference = NULL;
    ms_error none;
    *errors = (ms_run_errors){0};
    const ms_reference_reading reading = {.uneven_steps = true};
    if (trajectory->nx == 0 || trajectory->rows == 0)
        return MS_OK;
    const int status = ms_reference_create_reading(trajectory->system, &reading, &reference, &none);
    if (status != MS_OK)
        return status == MS_NO_MEMORY ? ms_fail(error, status, "not enough memory for the errors") : MS_OK;
    errors->row = calloc((size_t)trajectory->rows * (size_t)(trajectory->nx + 1), sizeof *errors->row);
    if (errors->row != NULL) {
        errors->table = trajectory_table(trajectory);
        errors->table.columns = trajectory->nx + 1;
        errors->table.rows = fill(trajectory, reference, errors->row);
        errors->table.row = errors->row;
    }
    ms_reference_destroy(&reference);
    return errors->row != NULL ? MS_OK : ms_fail(error, MS_NO_MEMORY, "not enough memory for the errors");
}

static void run_errors_free(ms_run_errors *errors)
{
    free(errors->row);
    *errors = (ms_run_errors){0};
}

/* The call ----------------------------------------------------------------------------------------------- */

enum { TRAJECTORY, ENERGY };

typedef struct run_call run_call;

/* Rows that are written to their file as they are computed. */
typedef struct row_stream {
    run_call *call;
    ms_series_table (*table)(const run_call *call);
    ms_output *output;
    bool begun;
    int reason; /* errno of a failed write */
    ms_error error;
} row_stream;

struct run_call {
    ms_call base;
    ms_simulation simulation;
    row_stream stream[2]; /* TRAJECTORY, ENERGY */
    bool streams;         /* they are in use, otherwise rows are kept in memory until the end */
};

/* "NAME, NAME": the models of the catalogue that declare the energies of all their subsystems. */
static void list_with_energies(char *names, size_t size)
{
    names[0] = '\0';
    for (int k = 0; ms_catalogue[k] != NULL; k++) {
        ms_system *system = NULL;
        ms_error why;
        const size_t length = strlen(names);
        if (ms_system_create(ms_catalogue[k], NULL, NULL, 0, &system, &why) == MS_OK &&
            ms_energy_declared(system))
            snprintf(names + length, size - length, "%s%s", length > 0 ? ", " : "", ms_catalogue[k]->name);
        ms_system_destroy(&system);
    }
}

static int check_energy(const run_call *call, ms_error *error)
{
    const char *file = call->base.arguments.text[MS_ARGUMENT_ENERGY];
    char names[512];
    if (file == NULL || ms_energy_declared(call->base.system))
        return MS_OK;
    list_with_energies(names, sizeof names);
    return ms_fail(error, MS_INVALID, "--energy %s: model %s declares no energies; these do: %s", file,
                   call->base.system->model->name, names);
}

static int bind(void *self, ms_error *error)
{
    const run_call *call = self;
    const ms_options *o = &call->base.arguments.options;
    return ms_call_check_solver(&call->base, ms_cosim_solver(call->base.system, ms_scheme_find(o->scheme), o),
                                error);
}

static int check(void *self, ms_error *error)
{
    const run_call *call = self;
    if (call->base.arguments.verbose && call->base.arguments.format != MS_FORMAT_TABLE)
        return ms_fail(error, MS_INVALID,
                       "--verbose applies only to the table; csv and json have everything");
    MS_TRY(ms_plot_check(&call->base.arguments, call->base.system, error));
    return check_energy(call, error);
}

static void name_of_ledger(const void *of, int column, char *name, size_t size)
{
    ms_energy_name(of, column, name, size);
}

static ms_series_table table_of_trajectory(const run_call *call)
{
    return trajectory_table(&call->simulation.trajectory);
}

static ms_series_table table_of_ledger(const run_call *call)
{
    const ms_energy *rows = &call->simulation.ledger;
    return (ms_series_table){rows->columns, rows->rows, rows->row, rows, name_of_ledger, NULL};
}

/* Rows go into their files while they are made --------------------------------------------------------------- */

static int begin_rows(void *self, const ms_cosim *cosim)
{
    row_stream *stream = self;
    const run_call *call = stream->call;
    const ms_series_table table = stream->table(call);
    stream->begun = true;
    return ms_series_file_begin(
        &table, ms_provenance_of_run(call->base.arguments.line, call->base.system, cosim->options),
        stream->output, &stream->error);
}

static int take_rows(void *self, long n, const double *row)
{
    row_stream *stream = self;
    ms_series_table table = stream->table(stream->call);
    table.rows = n;
    table.row = row;
    errno = 0;
    const int status = ms_series_file_rows(&table, stream->output);
    stream->reason = status != MS_OK ? errno : 0;
    return status;
}

/* Its status and error, or the reason why rows could not be written. */
static int broken(const row_stream *stream, int status, ms_error *error)
{
    const char *path = stream->output->path != NULL ? stream->output->path : "standard output";
    if (stream->reason != 0)
        return ms_fail(error, MS_IO, "%s: %s", path, strerror(stream->reason));
    return ms_fail(error, status, "%s", stream->error.text[0] != '\0' ? stream->error.text : error->text);
}

/* A picture, or errors against a trajectory, need all rows at once. */
static int run(run_call *call, ms_error *error)
{
    ms_progress progress;
    const char *const *text = call->base.arguments.text;
    const bool plots = text[MS_ARGUMENT_PLOT] != NULL;
    ms_progress_begin(&progress, "run", 1);
    const ms_observer observer = ms_progress_observer(&progress);
    const ms_against against = ms_run_against(&call->base.arguments);
    row_stream *states = &call->stream[TRAJECTORY], *energies = &call->stream[ENERGY];
    const ms_series_sink sinks[] = {{states, begin_rows, take_rows}, {energies, begin_rows, take_rows}};
    *states =
        (row_stream){.call = call, .table = table_of_trajectory, .output = &call->base.file[TRAJECTORY]};
    *energies = (row_stream){.call = call, .table = table_of_ledger, .output = &call->base.file[ENERGY]};
    call->streams = !plots && against.name == NULL;
    const ms_simulation_options request = {
        .errors = true,
        .against = against.name != NULL ? &against : NULL,
        .trajectory = plots || text[MS_ARGUMENT_TRAJECTORY] != NULL,
        .energies = text[MS_ARGUMENT_ENERGY] != NULL || (plots && ms_energy_declared(call->base.system)),
        .trajectory_sink = call->streams && states->output->file != NULL ? &sinks[0] : NULL,
        .energies_sink = call->streams && energies->output->file != NULL ? &sinks[1] : NULL,
        .observers = &observer,
        .n_observers = 1,
        .stop = &ms_interrupted};
    const int status = ms_simulation_run(call->base.system, &call->base.arguments.options, &request,
                                         &call->simulation, error);
    ms_progress_end(&progress);
    for (int k = 0; k < 2 && status != MS_OK; k++)
        if (call->stream[k].reason != 0 || call->stream[k].error.text[0] != '\0')
            return broken(&call->stream[k], status, error);
    return status;
}

/* A run that could not start has no rows. */
static int write_table(run_call *call, const row_stream *stream, ms_error *error)
{
    const ms_series_table table = stream->table(call);
    if (stream->output->file == NULL)
        return MS_OK;
    if (call->streams && stream->begun)
        return ms_output_close(stream->output, error);
    json_t *provenance =
        ms_provenance_of_run(call->base.arguments.line, call->base.system, call->simulation.options);
    return ms_series_file_write(&table, provenance, stream->output, error);
}

static int write_tables(run_call *call, ms_error *error)
{
    const int status = write_table(call, &call->stream[TRAJECTORY], error);
    return status == MS_OK ? write_table(call, &call->stream[ENERGY], error) : status;
}

static void summarise(run_call *call)
{
    json_t *answer = call->base.answer.value;
    call->base.answer.value = ms_run_summary(answer, &call->base.arguments);
    json_decref(answer);
}

static int compute(void *self, ms_error *error)
{
    run_call *call = self;
    MS_TRY(run(call, error));
    MS_TRY(write_tables(call, error));
    call->base.answer.value = ms_run_answer(&call->simulation);
    if (call->base.answer.value != NULL && call->base.arguments.format == MS_FORMAT_TABLE &&
        !call->base.arguments.verbose)
        summarise(call);
    if (call->simulation.result.reason == MS_REASON_INTERRUPTED)
        call->base.exit_status = MS_EXIT_INTERRUPTED;
    return MS_OK;
}

/* Draws errors of states against the monolithic model; with another reference only the answer reports them. */
static int plot(ms_drawing *drawing, ms_error *error)
{
    const run_call *call = ms_drawing_subject(drawing);
    const ms_series_table trajectory = table_of_trajectory(call), energies = table_of_ledger(call);
    const bool against_model = call->simulation.options->errors != MS_AGAINST_NONE &&
                               call->base.arguments.text[MS_ARGUMENT_REFERENCE] == NULL;
    ms_run_errors errors = {0};
    int status = against_model ? run_errors_compute(&call->simulation.trajectory, &errors, error) : MS_OK;
    MS_THEN(status, ms_plot_run(drawing, &trajectory, errors.row != NULL ? &errors.table : NULL,
                                ms_energy_declared(call->base.system) ? &energies : NULL));
    run_errors_free(&errors);
    return status;
}

static void destroy(void *self)
{
    ms_simulation_destroy(&((run_call *)self)->simulation);
}

/* Is this a rank other than 0, according to the launcher? */
static bool rank_is_other(void)
{
    int rank;
    (void)ms_ranks_launched(&rank);
    return rank > 0;
}

/* What determines the answer besides the system. An FMU that has become unreadable is noticed when it is used. */
static ms_rank_run run_of(const run_call *call)
{
    const ms_system *s = call->base.system;
    ms_rank_run run = {.files = ms_digest_empty};
    ms_model_fmu_found fmu;
    snprintf(run.program, sizeof run.program, "macrostep %s, commit %s", ms_version(), ms_commit());
    ms_options_digest(&call->base.arguments.options, &run.options);
    for (int i = 0; i < s->n; i++)
        if (ms_model_fmu(s->model, s->sub[i].name, &fmu))
            ms_digest_add_int(&run.files, ms_digest_add_file(&run.files, fmu.path));
    return run;
}

/* Runs on one process, or on rank 0 while the other ranks work for it until it ends. */
static int share(const ms_call_steps *steps, void *self, ms_error *error)
{
    run_call *call = self;
    int launched_as, status = MS_OK;
    ms_execution_mpi *mpi = NULL;
    const bool launched = ms_ranks_launched(&launched_as) > 1;
    if (call->base.arguments.options.execution == MS_EXECUTION_MPI) {
        const ms_rank_run run = run_of(call);
        status = ms_execution_mpi_begin(launched, &run, &mpi, error);
    }
    if (status != MS_OK && rank_is_other())
        return MS_IO; /* rank 0 may be waiting for this one: MS_IO ends all ranks */
    call->base.arguments.options.ranks = mpi;
    if (mpi != NULL && ms_execution_mpi_rank(mpi) > 0)
        (void)ms_execution_mpi_serve(mpi, call->base.system, ms_scheme_find); /* rank 0 reports the end */
    else if (status == MS_OK)
        status = ms_call_work(steps, &call->base, error);
    const bool interrupted = call->base.exit_status == MS_EXIT_INTERRUPTED;
    ms_execution_mpi_end(&mpi, status == MS_OK && interrupted ? MS_INTERRUPTED : status);
    return status;
}

/* Rank 0 prints the reason. The launcher may end this rank while it waits for a rank 0 that was refused as well. */
static void refuse(const ms_error *error)
{
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    (void)ms_execution_mpi_refuse(error->text);
}

const ms_call_steps ms_command_run = {.size = sizeof(run_call),
                                      .binds = MS_BINDS_SYSTEM,
                                      .files = {MS_ARGUMENT_TRAJECTORY, MS_ARGUMENT_ENERGY},
                                      .n_files = 2,
                                      .check = check,
                                      .bind = bind,
                                      .around = share,
                                      .refuse = refuse,
                                      .compute = compute,
                                      .plot = plot,
                                      .destroy = destroy};
