#include <string.h>

#include "answer.h"
#include "progress.h"
#include "provenance.h"
#include "run_answer.h"

/* Everything that one call owns. */
typedef struct run_call {
    ms_arguments arguments;
    ms_model *owned;
    ms_system *system;
    ms_output output, trajectory;
    ms_trial trial;
    ms_answer answer;
} run_call;

/* The answer and the trajectory would overwrite each other in one file. */
static int check_files(const ms_arguments *arguments, ms_error *error)
{
    const char *answer = arguments->text[MS_ARGUMENT_OUTPUT], *rows = arguments->text[MS_ARGUMENT_TRAJECTORY];
    answer = answer != NULL ? answer : "-";
    if (rows != NULL && strcmp(rows, answer) == 0)
        return ms_fail(error, MS_INVALID, "--trajectory %s: the answer goes there; name another file", rows);
    return MS_OK;
}

static int prepare(int argc, char **argv, run_call *call, ms_error *error)
{
    ms_arguments *arguments = &call->arguments;
    const ms_model *model = NULL;
    int status = ms_arguments_read(argc, argv, arguments, error);
    if (status == MS_OK)
        status = ms_arguments_refuse_lists(arguments, error);
    if (status == MS_OK)
        status = check_files(arguments, error);
    if (status == MS_OK)
        status = ms_arguments_model(arguments, &model, &call->owned, error);
    if (status == MS_OK)
        status = ms_arguments_bind(arguments, model, &call->system, error);
    if (status == MS_OK) /* before the work is done, so that a folder that is missing costs none */
        status = ms_output_open(arguments->text[MS_ARGUMENT_OUTPUT], &call->output, error);
    if (status == MS_OK && arguments->text[MS_ARGUMENT_TRAJECTORY] != NULL)
        status = ms_output_open(arguments->text[MS_ARGUMENT_TRAJECTORY], &call->trajectory, error);
    return status;
}

static int run(run_call *call, ms_error *error)
{
    ms_progress progress;
    ms_progress_begin(&progress, "run", 1);
    const ms_observer observer = ms_progress_observer(&progress);
    const ms_trial_wants wants = {.errors = true,
                                  .trajectory = call->arguments.text[MS_ARGUMENT_TRAJECTORY] != NULL,
                                  .observers = &observer,
                                  .n_observers = 1,
                                  .stop = &ms_interrupted};
    const int status = ms_trial_run(call->system, &call->arguments.options, &wants, &call->trial, error);
    ms_progress_end(&progress);
    return status;
}

/* One header line of column names, then the communication points. */
static int write_trajectory(run_call *call, ms_error *error)
{
    const ms_trajectory *rows = &call->trial.trajectory;
    FILE *file = call->trajectory.file;
    json_t *provenance = ms_provenance_of_run(call->arguments.line, call->system, &call->trial.options);
    const int status = provenance != NULL ? ms_answer_remarks(provenance, file) : MS_NO_MEMORY;
    json_decref(provenance);
    if (status != MS_OK)
        return ms_fail(error, status, "not enough memory for the trajectory");
    for (int k = 0; k < rows->columns; k++) {
        char name[160];
        ms_trajectory_name(rows, k, name, sizeof name);
        fprintf(file, "%s%s", k > 0 ? "," : "", name);
    }
    fputc('\n', file);
    const double *value = rows->row;
    for (long i = 0; i < rows->rows; i++) {
        for (int k = 0; k < rows->columns; k++, value++) {
            fputs(k > 0 ? "," : "", file);
            ms_csv_number(*value, file);
        }
        fputc('\n', file);
    }
    return ms_output_close(&call->trajectory, error);
}

int ms_command_run(int argc, char **argv)
{
    run_call call = {0};
    ms_error error = {0};
    int status = prepare(argc, argv, &call, &error);
    if (status == MS_OK)
        status = run(&call, &error);
    if (status == MS_OK && call.trajectory.file != NULL)
        status = write_trajectory(&call, &error);
    if (status == MS_OK) {
        call.answer.value = ms_run_answer(&call.trial);
        call.answer.provenance = ms_provenance(call.arguments.line);
        status = ms_answer_finish(&call.answer, &call.arguments, &call.output, &error);
    }
    const bool interrupted = status == MS_OK && call.trial.result.reason == MS_REASON_INTERRUPTED;
    ms_output_discard(&call.trajectory);
    ms_output_discard(&call.output);
    ms_trial_destroy(&call.trial);
    ms_system_destroy(&call.system);
    ms_model_destroy(&call.owned);
    ms_arguments_destroy(&call.arguments);
    if (status != MS_OK)
        return ms_command_fail(status, &error);
    return interrupted ? MS_EXIT_INTERRUPTED : MS_EXIT_DONE;
}
