/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "execution_here.h"

#include "equal_rows.h"

/* One subsystem ------------------------------------------------------------------------------------------- */

/* Inputs at the end of the step and, if needed, their slopes, in instance->du. Returns what g returns. */
static int read_inputs(ms_instance *instance, ms_reading reading, bool slopes, double *u)
{
    if (reading == MS_READING_LAWS)
        return ms_instance_inputs(instance, instance->input.pieces - 1, instance->t + instance->h,
                                  instance->x, u);
    ms_input_left(&instance->input, u);
    if (slopes)
        ms_input_left_derivative(&instance->input, 1, instance->du);
    return 0;
}

ms_outcome ms_execution_read_all(ms_instance *instance, ms_reading reading, double *u, double *y, double *dy)
{
    const bool uses_du = instance->sub->uses_du;
    const double t = instance->t + instance->h;
    if (read_inputs(instance, reading, uses_du || dy != NULL, u) != 0)
        return MS_OUTPUTS_FAILED;
    if (reading == MS_READING_START)
        u = ms_input_coefficients(&instance->input, 0, 0);
    if (ms_instance_outputs(instance, t, u, uses_du ? instance->du : NULL, y) != 0)
        return MS_OUTPUTS_FAILED;
    if (dy == NULL)
        return MS_ADVANCED;
    return ms_instance_output_derivative(instance, t, u, instance->du, dy) == MS_OK ? MS_ADVANCED
                                                                                    : MS_OUTPUTS_FAILED;
}

static inline ms_outcome advance_over(const ms_cosim *cosim, int i, double t, double h, double *dy)
{
    const ms_system *s = cosim->system;
    ms_instance *instance = cosim->instance[i];
    if (ms_instance_step(instance, t, h) != MS_OK)
        return MS_STEP_FAILED;
    return ms_execution_read(instance, cosim->reading, cosim->u_left + s->u_at[i], cosim->y_raw + s->y_at[i],
                             dy != NULL ? dy + s->y_at[i] : NULL);
}

ms_outcome ms_execution_advance_here(const ms_cosim *cosim, int i, double *dy)
{
    return advance_over(cosim, i, cosim->instance[i]->t, cosim->instance[i]->h, dy);
}

int ms_execution_one_outcome(ms_cosim *cosim, int i, ms_outcome outcome)
{
    const ms_instance *instance = cosim->instance[i];
    if (outcome == MS_ADVANCED)
        return MS_OK;
    if (outcome == MS_STEP_FAILED || ms_instance_ended(instance))
        return ms_cosim_step_failed(cosim, i, instance->t, instance->h);
    const char *why = ms_instance_failure(instance);
    return ms_fail(&cosim->error, MS_SOLVER_FAILED,
                   "the outputs of subsystem %s are not defined at %.6g s%s%s", instance->sub->name,
                   instance->t + instance->h, why[0] != '\0' ? ": " : "", why);
}

int ms_execution_outcome(ms_cosim *cosim, const bool *which, const ms_outcome *outcome)
{
    for (int i = 0; i < cosim->system->n; i++)
        if (ms_execution_is_meant(which, i) && outcome[i] != MS_ADVANCED)
            return ms_execution_one_outcome(cosim, i, outcome[i]);
    return MS_OK;
}

/* On this thread ------------------------------------------------------------------------------------------ */

/* Memory is prefetched this many subsystems ahead. */
enum { AHEAD = 4 };

/* status: of the subsystems before. */
static int each(ms_cosim *cosim, int first, int last, double t, double h, double *dy, int status)
{
    for (int i = first; i < last; i++) {
        if (i + AHEAD < last)
            ms_instance_prefetch(cosim->instance[i + AHEAD]);
        const ms_outcome outcome = advance_over(cosim, i, t, h, dy);
        if (outcome != MS_ADVANCED && status == MS_OK)
            status = ms_execution_one_outcome(cosim, i, outcome);
    }
    return status;
}

static int each_row(ms_cosim *cosim, double t, double h)
{
    int status = MS_OK;
    ms_equal_rows_prepare(cosim, t, h);
    const ms_equal_row *row = cosim->rows->row, *behind = row + cosim->rows->n;
    for (; row < behind; row++) {
        if (row->advance == NULL) {
            status = each(cosim, row->first, row->last, t, h, NULL, status);
            continue;
        }
        if (row->start != NULL)
            ms_equal_row_keep(row);
        row->advance(row);
    }
    return status;
}

int ms_execution_all_here(ms_cosim *cosim, double t, double h, double *dy)
{
    if (dy == NULL && ms_equal_rows_serve(cosim))
        return each_row(cosim, t, h);
    ms_equal_rows_settle(cosim);
    return each(cosim, 0, cosim->own, t, h, dy, MS_OK);
}

static int advance_some(ms_cosim *cosim, const bool *which, double *dy)
{
    int status = MS_OK;
    ms_equal_rows_settle(cosim);
    for (int i = 0; i < cosim->system->n; i++) {
        const ms_outcome outcome = which[i] ? ms_execution_advance_here(cosim, i, dy) : MS_ADVANCED;
        if (outcome != MS_ADVANCED && status == MS_OK)
            status = ms_execution_one_outcome(cosim, i, outcome);
    }
    return status;
}

/* For a scheme that steps them one after another: each has a row. Returns false without one. */
static bool one_row(ms_cosim *cosim, int i)
{
    ms_instance *instance = cosim->instance[i];
    if (!ms_equal_rows_fit(cosim->rows, instance->h))
        ms_equal_rows_set_maps(cosim, instance->h);
    const ms_equal_row *row = &cosim->rows->row[i];
    if (row->advance == NULL)
        return false;
    if (row->start != NULL)
        ms_equal_row_keep(row);
    row->advance(row);
    instance->work.micro_steps++;
    return true;
}

int ms_execution_one_here(ms_cosim *cosim, int i, double *dy)
{
    if (cosim->scheme->sequential && dy == NULL && ms_equal_rows_serve(cosim) && one_row(cosim, i))
        return MS_OK;
    return ms_execution_one_outcome(cosim, i, ms_execution_advance_here(cosim, i, dy));
}

const ms_executor ms_executor_serial = {
    .advance = ms_execution_all_here, .advance_some = advance_some, .advance_one = ms_execution_one_here};
