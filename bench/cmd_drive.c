#include <string.h>

#include "answer.h"
#include "drive.h"
#include "provenance.h"

/* Everything that one call owns. */
typedef struct drive_call {
    ms_arguments arguments;
    ms_model *owned;
    ms_system *system;
    ms_drive_call wanted;
    ms_driven *driven;
    ms_driven_result result;
    ms_output output, trajectory, steps;
    ms_answer answer;
} drive_call;

/* In one file they would overwrite each other. */
static int check_files(const ms_arguments *arguments, ms_error *error)
{
    const char *answer = arguments->text[MS_ARGUMENT_OUTPUT], *rows = arguments->text[MS_ARGUMENT_TRAJECTORY],
               *steps = arguments->text[MS_ARGUMENT_HISTORY];
    answer = answer != NULL ? answer : "-";
    if (rows != NULL && strcmp(rows, answer) == 0)
        return ms_fail(error, MS_INVALID, "--trajectory %s: the answer goes there; name another file", rows);
    if (steps != NULL && strcmp(steps, answer) == 0)
        return ms_fail(error, MS_INVALID, "--history %s: the answer goes there; name another file", steps);
    if (steps != NULL && rows != NULL && strcmp(steps, rows) == 0)
        return ms_fail(error, MS_INVALID, "--history %s: the trajectory goes there; name another file",
                       steps);
    return MS_OK;
}

static int prepare(int argc, char **argv, drive_call *call, ms_error *error)
{
    ms_arguments *arguments = &call->arguments;
    const ms_model *model = NULL;
    int status = ms_arguments_read(argc, argv, arguments, error);
    if (status == MS_OK)
        status = check_files(arguments, error);
    if (status == MS_OK)
        status = ms_arguments_model(arguments, &model, &call->owned, error);
    if (status == MS_OK)
        status = ms_arguments_bind(arguments, model, &call->system, error);
    return status == MS_OK ? ms_drive_read(arguments, call->system, &call->wanted, error) : status;
}

static int open_files(drive_call *call, ms_error *error)
{
    const ms_arguments *arguments = &call->arguments;
    int status = ms_output_open(arguments->text[MS_ARGUMENT_OUTPUT], &call->output, error);
    if (status == MS_OK && arguments->text[MS_ARGUMENT_TRAJECTORY] != NULL)
        status = ms_output_open(arguments->text[MS_ARGUMENT_TRAJECTORY], &call->trajectory, error);
    if (status == MS_OK && arguments->text[MS_ARGUMENT_HISTORY] != NULL)
        status = ms_output_open(arguments->text[MS_ARGUMENT_HISTORY], &call->steps, error);
    return status;
}

static int run(drive_call *call, ms_error *error)
{
    const ms_driven_wants wants = {.steps = call->steps.file != NULL, .stop = &ms_interrupted};
    const int status = ms_drive_create(&call->wanted, call->system, &call->driven, error);
    return status == MS_OK
               ? ms_driven_run(call->driven, &call->arguments.options, &wants, &call->result, error)
               : status;
}

/* Files ------------------------------------------------------------------------------------------------ */

static int write_head(const drive_call *call, const ms_output *output, ms_error *error)
{
    json_t *provenance = ms_provenance(call->arguments.line);
    json_t *of = json_pack("{s:s, s:s, s:o}", "model", call->system->model->name, "case",
                           call->system->case_name, "parameters", ms_parameters_json(call->system));
    int status = MS_NO_MEMORY;
    if (provenance != NULL && of != NULL && json_object_update(provenance, of) == 0)
        status = ms_answer_remarks(provenance, output->file);
    json_decref(provenance);
    json_decref(of);
    return status == MS_OK ? MS_OK
                           : ms_fail(error, status, "not enough memory for the head of %s", output->path);
}

/* ",PREFIX.NAME" for each of the variables. */
static void write_names(const char *prefix, int n, const ms_variable *variables, FILE *file)
{
    for (int j = 0; j < n; j++)
        fprintf(file, ",%s.%s", prefix, variables[j].name);
}

static void write_numbers(int n, const double *values, FILE *file)
{
    for (int j = 0; j < n; j++) {
        fputc(',', file);
        ms_csv_number(values[j], file);
    }
}

/* The grid points reached; u is u~ from there on, and u(T_n) in the last row. */
static int write_trajectory(drive_call *call, ms_error *error)
{
    const ms_driven *d = call->driven;
    const ms_subsystem *sub = &d->system->sub[d->subsystem];
    FILE *file = call->trajectory.file;
    int status = file != NULL ? write_head(call, &call->trajectory, error) : MS_OK;
    if (status != MS_OK || file == NULL)
        return status;
    fputs("time", file);
    write_names("x", d->nx, sub->x, file);
    write_names("u", d->nu, sub->u, file);
    write_names("own", d->nx, sub->x, file);
    write_names("coupled", d->nx, sub->x, file);
    fputc('\n', file);
    for (int i = 0; i <= d->segments && d->time[i] <= call->result.end_time; i++) {
        const size_t x_at = (size_t)(i * d->nx);
        ms_csv_number(d->time[i], file);
        write_numbers(d->nx, call->result.x + x_at, file);
        write_numbers(d->nu, d->value + (size_t)(i * d->nu), file);
        write_numbers(d->nx, d->tight + x_at, file);
        write_numbers(d->nx, d->coupled + x_at, file);
        fputc('\n', file);
    }
    return ms_output_close(&call->trajectory, error);
}

static int write_steps(drive_call *call, ms_error *error)
{
    FILE *file = call->steps.file;
    const int status = file != NULL ? write_head(call, &call->steps, error) : MS_OK;
    if (status != MS_OK || file == NULL)
        return status;
    fputs("from,to,step,order\n", file);
    for (long k = 0; k < call->result.n_steps; k++) {
        const ms_driven_step *s = &call->result.step[k];
        ms_csv_number(s->from, file);
        write_numbers(2, (const double[]){s->to, s->to - s->from}, file);
        fprintf(file, ",%d\n", s->order);
    }
    return ms_output_close(&call->steps, error);
}

/* Command ---------------------------------------------------------------------------------------------- */

static int drive(int argc, char **argv, drive_call *call, ms_error *error)
{
    int status = prepare(argc, argv, call, error);
    if (status == MS_OK)
        status = open_files(call, error);
    if (status == MS_OK)
        status = run(call, error);
    if (status == MS_OK)
        status = write_trajectory(call, error);
    if (status == MS_OK)
        status = write_steps(call, error);
    if (status != MS_OK)
        return status;
    call->answer.value = ms_drive_answer(call->driven, &call->arguments.options, &call->result);
    call->answer.provenance = ms_provenance(call->arguments.line);
    status = ms_answer_finish(&call->answer, &call->arguments, &call->output, error);
    if (status == MS_OK && call->result.reason == MS_REASON_INTERRUPTED)
        status = MS_INTERRUPTED;
    return status;
}

int ms_command_drive(int argc, char **argv)
{
    drive_call call = {0};
    ms_error error = {0};
    const int status = drive(argc, argv, &call, &error);
    ms_output_discard(&call.trajectory);
    ms_output_discard(&call.steps);
    ms_output_discard(&call.output);
    ms_driven_result_destroy(&call.result);
    ms_driven_destroy(&call.driven);
    ms_system_destroy(&call.system);
    ms_model_destroy(&call.owned);
    ms_arguments_destroy(&call.arguments);
    if (status == MS_INTERRUPTED)
        return MS_EXIT_INTERRUPTED;
    return status == MS_OK ? MS_EXIT_DONE : ms_command_fail(status, &error);
}
