/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "commands.h"
#include "drive.h"
#include "integrate.h"
#include "provenance.h"
#include "series_file.h"

enum { STEP_COLUMNS = 3 }; /* as those of ms_integrate's history */

/* Everything that one call owns. */
typedef struct drive_call {
    ms_arguments arguments;
    ms_model *owned;
    ms_system *system;
    ms_drive_call wanted;
    ms_open_loop *open_loop;
    ms_open_loop_result result;
    ms_output output, trajectory, steps;
    ms_answer answer;
} drive_call;

static int prepare(int argc, char **argv, drive_call *call, ms_error *error)
{
    ms_arguments *arguments = &call->arguments;
    const ms_model *model = NULL;
    int status = ms_arguments_read(argc, argv, arguments, error);
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
    const ms_open_loop_options request = {.steps = call->steps.file != NULL, .stop = &ms_interrupted};
    int status = ms_drive_create(&call->wanted, call->system, &call->open_loop, error);
    if (status == MS_SOLVER_FAILED) /* of the problem that was asked for */
        status = MS_INVALID;
    return status == MS_OK
               ? ms_open_loop_run(call->open_loop, &call->arguments.options, &request, &call->result, error)
               : status;
}

/* Files ------------------------------------------------------------------------------------------------ */

/* time, x, u, own, coupled */
static void name_of_point(const void *of, int column, char *name, size_t size)
{
    const ms_open_loop *d = of;
    const ms_subsystem *sub = &d->system->sub[d->subsystem];
    const struct {
        const char *prefix;
        int n;
        const ms_variable *variables;
    } parts[] = {
        {"x", d->nx, sub->x}, {"u", d->nu, sub->u}, {"own", d->nx, sub->x}, {"coupled", d->nx, sub->x}};
    int j = column - 1;
    snprintf(name, size, "time");
    for (int k = 0; k < MS_COUNT(parts) && j >= 0; j -= parts[k++].n)
        if (j < parts[k].n) {
            snprintf(name, size, "%s.%s", parts[k].prefix, parts[k].variables[j].name);
            return;
        }
}

static void name_of_step(const void *of, int column, char *name, size_t size)
{
    ms_integration_history_name(of, column, name, size);
}

/* (n) numbers of v behind `to`. Returns what is behind them. */
static double *put(double *to, int n, const double *v)
{
    if (n > 0)
        memcpy(to, v, sizeof *to * (size_t)n);
    return to + n;
}

/* The grid points reached; u is u~ from there on, and u(T_n) in the last row. Returns how many. */
static long fill_points(const ms_open_loop *d, const ms_open_loop_result *result, double *row)
{
    long n = 0;
    for (; n <= d->segments && d->time[n] <= result->end_time; n++) {
        row = put(row, 1, d->time + n);
        row = put(row, d->nx, result->x + n * d->nx);
        row = put(row, d->nu, d->value + n * d->nu);
        row = put(row, d->nx, d->tight + n * d->nx);
        row = put(row, d->nx, d->coupled + n * d->nx);
    }
    return n;
}

static long fill_steps(const ms_open_loop_result *result, double *row)
{
    for (long n = 0; n < result->n_steps; n++) {
        const ms_open_loop_step *s = &result->step[n];
        row = put(row, STEP_COLUMNS, (const double[]){s->to, s->to - s->from, s->order});
    }
    return result->n_steps;
}

static int write_files(drive_call *call, ms_error *error)
{
    const ms_open_loop *d = call->open_loop;
    ms_series_table points = {.columns = 1 + 3 * d->nx + d->nu, .of = d, .name = name_of_point},
                    steps = {.columns = STEP_COLUMNS, .name = name_of_step};
    const size_t point_size = (size_t)(d->segments + 1) * (size_t)points.columns,
                 step_size = (size_t)call->result.n_steps * STEP_COLUMNS;
    double *row = malloc(sizeof *row * (point_size + step_size));
    if (row == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the rows");
    points.row = row;
    points.rows = fill_points(d, &call->result, row);
    steps.row = row + point_size;
    steps.rows = fill_steps(&call->result, row + point_size);
    int status = ms_series_file_write(&points, ms_provenance_of_model(call->arguments.line, call->system),
                                      &call->trajectory, error);
    if (status == MS_OK)
        status = ms_series_file_write(&steps, ms_provenance_of_model(call->arguments.line, call->system),
                                      &call->steps, error);
    free(row);
    return status;
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
        status = write_files(call, error);
    if (status != MS_OK)
        return status;
    call->answer.value = ms_drive_answer(call->open_loop, &call->arguments.options, &call->result);
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
    ms_open_loop_result_destroy(&call.result);
    ms_open_loop_destroy(&call.open_loop);
    ms_system_destroy(&call.system);
    ms_model_destroy(&call.owned);
    ms_arguments_destroy(&call.arguments);
    if (status == MS_INTERRUPTED)
        return MS_EXIT_INTERRUPTED;
    return status == MS_OK ? MS_EXIT_DONE : ms_command_fail(status, &error);
}
