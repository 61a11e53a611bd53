/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include <macrostep/integrate.h>
#include "call.h"
#include "drive.h"
#include "plots.h"
#include "provenance.h"

enum { STEP_COLUMNS = 3 }; /* as those of ms_integrate's history */

enum { TRAJECTORY, HISTORY };

typedef struct drive_call {
    ms_call base;
    ms_drive_call wanted;
    ms_open_loop *open_loop;
    ms_open_loop_result result;
} drive_call;

static int read_drive(void *self, ms_error *error)
{
    drive_call *call = self;
    const char *solver = ms_open_loop_solver(&call->base.arguments.options);
    MS_TRY(ms_call_check_solver(&call->base, solver, error));
    return ms_drive_read(&call->base.arguments, call->base.system, &call->wanted, error);
}

static int run(drive_call *call, ms_error *error)
{
    const ms_open_loop_options request = {.steps = call->base.file[HISTORY].file != NULL,
                                          .stop = &ms_interrupted};
    int status = ms_drive_create(&call->wanted, call->base.system, &call->open_loop, error);
    if (status == MS_SOLVER_FAILED) /* a fault of the problem asked for */
        status = MS_INVALID;
    return status == MS_OK ? ms_open_loop_run(call->open_loop, &call->base.arguments.options, &request,
                                              &call->result, error)
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

/* Copies n numbers of v to `to`. Returns the place behind them. */
static double *put(double *to, int n, const double *v)
{
    if (n > 0)
        memcpy(to, v, sizeof *to * (size_t)n);
    return to + n;
}

/* The grid points reached; u is u~ from that point on, and u(T_n) in the last row. Returns their number. */
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
                    steps = {.columns = STEP_COLUMNS, .name = ms_integration_history_name};
    const size_t point_size = (size_t)(d->segments + 1) * (size_t)points.columns,
                 step_size = (size_t)call->result.n_steps * STEP_COLUMNS;
    double *row = malloc(sizeof *row * (point_size + step_size));
    MS_TRY_MEMORY_FOR(row != NULL, error, "the rows");
    points.row = row;
    points.rows = fill_points(d, &call->result, row);
    steps.row = row + point_size;
    steps.rows = fill_steps(&call->result, row + point_size);
    int status =
        ms_series_file_write(&points, ms_provenance_of_model(call->base.arguments.line, call->base.system),
                             &call->base.file[TRAJECTORY], error);
    MS_THEN(status,
            ms_series_file_write(&steps, ms_provenance_of_model(call->base.arguments.line, call->base.system),
                                 &call->base.file[HISTORY], error));
    free(row);
    return status;
}

/* Command ---------------------------------------------------------------------------------------------- */

static int compute(void *self, ms_error *error)
{
    drive_call *call = self;
    MS_TRY(run(call, error));
    MS_TRY(write_files(call, error));
    call->base.answer.value = ms_drive_answer(call->open_loop, &call->base.arguments.options, &call->result);
    if (call->result.reason == MS_REASON_INTERRUPTED)
        call->base.exit_status = MS_EXIT_INTERRUPTED;
    return MS_OK;
}

static int plot(ms_drawing *drawing, ms_error *error)
{
    const drive_call *call = ms_drawing_subject(drawing);
    const ms_open_loop *d = call->open_loop;
    ms_series_table points = {.columns = 1 + 3 * d->nx + d->nu, .of = d, .name = name_of_point};
    double *row = malloc(sizeof *row * (size_t)(d->segments + 1) * (size_t)points.columns);
    MS_TRY_MEMORY_FOR(row != NULL, error, "the rows");
    points.row = row;
    points.rows = fill_points(d, &call->result, row);
    const int status = ms_plot_drive(drawing, &points, d->nx);
    free(row);
    return status;
}

static void destroy(void *self)
{
    drive_call *call = self;
    ms_open_loop_result_destroy(&call->result);
    ms_open_loop_destroy(&call->open_loop);
}

const ms_call_steps ms_command_drive = {.size = sizeof(drive_call),
                                        .binds = MS_BINDS_SYSTEM,
                                        .files = {MS_ARGUMENT_TRAJECTORY, MS_ARGUMENT_HISTORY},
                                        .n_files = 2,
                                        .check = read_drive,
                                        .compute = compute,
                                        .plot = plot,
                                        .destroy = destroy};
