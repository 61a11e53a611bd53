/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "answer.h"
#include "catalogue.h"
#include "commands.h"
#include "execution.h"
#include "progress.h"
#include "provenance.h"
#include "run_answer.h"
#include "series_file.h"

/* Everything that one call owns. */
typedef struct run_call {
    ms_arguments arguments;
    ms_model *owned;
    ms_system *system;
    ms_output output, trajectory, energy;
    ms_simulation simulation;
    ms_answer answer;
} run_call;

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
    const char *file = call->arguments.text[MS_ARGUMENT_ENERGY];
    char names[512];
    if (file == NULL || ms_energy_declared(call->system))
        return MS_OK;
    list_with_energies(names, sizeof names);
    return ms_fail(error, MS_INVALID, "--energy %s: model %s declares no energies; these do: %s", file,
                   call->system->model->name, names);
}

static int prepare(int argc, char **argv, run_call *call, ms_error *error)
{
    ms_arguments *arguments = &call->arguments;
    const ms_model *model = NULL;
    int status = ms_arguments_read(argc, argv, arguments, error);
    if (status == MS_OK)
        status = ms_arguments_refuse_lists(arguments, error);
    if (status == MS_OK)
        status = ms_arguments_model(arguments, &model, &call->owned, error);
    return status == MS_OK ? ms_arguments_bind(arguments, model, &call->system, error) : status;
}

/* Before the work is done, so that a folder that is missing costs none. */
static int open_files(run_call *call, ms_error *error)
{
    const ms_arguments *arguments = &call->arguments;
    int status = check_energy(call, error);
    if (status == MS_OK)
        status = ms_output_open(arguments->text[MS_ARGUMENT_OUTPUT], &call->output, error);
    if (status == MS_OK && arguments->text[MS_ARGUMENT_TRAJECTORY] != NULL)
        status = ms_output_open(arguments->text[MS_ARGUMENT_TRAJECTORY], &call->trajectory, error);
    if (status == MS_OK && arguments->text[MS_ARGUMENT_ENERGY] != NULL)
        status = ms_output_open(arguments->text[MS_ARGUMENT_ENERGY], &call->energy, error);
    return status;
}

static int run(run_call *call, ms_error *error)
{
    ms_progress progress;
    ms_progress_begin(&progress, "run", 1);
    const ms_observer observer = ms_progress_observer(&progress);
    const ms_simulation_options request = {.errors = true,
                                           .trajectory = call->arguments.text[MS_ARGUMENT_TRAJECTORY] != NULL,
                                           .energies = call->arguments.text[MS_ARGUMENT_ENERGY] != NULL,
                                           .observers = &observer,
                                           .n_observers = 1,
                                           .stop = &ms_interrupted};
    const int status =
        ms_simulation_run(call->system, &call->arguments.options, &request, &call->simulation, error);
    ms_progress_end(&progress);
    return status;
}

static void name_of_trajectory(const void *of, int column, char *name, size_t size)
{
    ms_trajectory_name(of, column, name, size);
}

static void name_of_ledger(const void *of, int column, char *name, size_t size)
{
    ms_energy_name(of, column, name, size);
}

static int write_table(run_call *call, const ms_series_table *table, ms_output *output, ms_error *error)
{
    if (output->file == NULL)
        return MS_OK;
    json_t *provenance = ms_provenance_of_run(call->arguments.line, call->system, call->simulation.options);
    return ms_series_file_write(table, provenance, output, error);
}

static int write_tables(run_call *call, ms_error *error)
{
    const ms_trajectory *rows = &call->simulation.trajectory;
    const ms_energy *ledger = &call->simulation.ledger;
    const ms_series_table trajectory = {rows->columns, rows->rows, rows->row, rows, name_of_trajectory},
                          energies = {ledger->columns, ledger->rows, ledger->row, ledger, name_of_ledger};
    const int status = write_table(call, &trajectory, &call->trajectory, error);
    return status == MS_OK ? write_table(call, &energies, &call->energy, error) : status;
}

/* What one process alone does, or rank 0. */
static int carry_out(run_call *call, ms_error *error)
{
    int status = open_files(call, error);
    if (status == MS_OK)
        status = run(call, error);
    if (status == MS_OK)
        status = write_tables(call, error);
    if (status != MS_OK)
        return status;
    call->answer.value = ms_run_answer(&call->simulation);
    call->answer.provenance = ms_provenance(call->arguments.line);
    status = ms_answer_finish(&call->answer, &call->arguments, &call->output, error);
    if (status == MS_OK && call->simulation.result.reason == MS_REASON_INTERRUPTED)
        status = MS_INTERRUPTED;
    return status;
}

/* Other ranks than 0 work for it until it ends, and end as it does. */
static int work(run_call *call, ms_error *error)
{
    int rank = 0, status = MS_OK;
    if (call->arguments.options.execution == MS_EXECUTION_MPI)
        status = ms_execution_mpi_begin(&rank, error);
    if (status == MS_OK)
        status = rank > 0 ? ms_execution_mpi_serve(call->system) : carry_out(call, error);
    ms_execution_mpi_end(status);
    return status;
}

int ms_command_run(int argc, char **argv)
{
    run_call call = {0};
    ms_error error = {0};
    int status = prepare(argc, argv, &call, &error);
    if (status == MS_OK)
        status = work(&call, &error);
    ms_output_discard(&call.trajectory);
    ms_output_discard(&call.energy);
    ms_output_discard(&call.output);
    ms_simulation_destroy(&call.simulation);
    ms_system_destroy(&call.system);
    ms_model_destroy(&call.owned);
    ms_arguments_destroy(&call.arguments);
    if (status == MS_INTERRUPTED)
        return MS_EXIT_INTERRUPTED;
    return status == MS_OK ? MS_EXIT_DONE : ms_command_fail(status, &error);
}
