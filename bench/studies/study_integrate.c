/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study_integrate.h"

#include <string.h>

#include "arguments.h"
#include "integrate_answer.h"

enum { CURVES_MAX = 16 };

int ms_study_integrate(ms_drawing *drawing, bool errors, ms_integrate_study *study, ms_error *error,
                       const char *command, ...)
{
    MS_STUDY_LINE(line, status, command, error);
    *study = (ms_integrate_study){0};
    const ms_integrate_options request = {
        .errors = errors, .history = true, .stop = ms_drawing_stop(drawing)};
    if (status == MS_OK)
        status = ms_study_bind(drawing, &study->study, error, "%s", line);
    if (status == MS_OK)
        status = ms_arguments_refuse_lists(study->study.arguments, error);
    if (status == MS_OK) {
        ms_integrate_defaults(&study->study.arguments->options);
        status = ms_integrate(study->study.system, &study->study.arguments->options,
                              study->study.arguments->output_points, &request, &study->run, error);
    }
    if (status == MS_OK && study->run.reason == MS_REASON_INTERRUPTED)
        status = ms_fail(error, MS_INTERRUPTED, "interrupted");
    return status;
}

void ms_study_integrate_destroy(ms_integrate_study *study)
{
    ms_integration_destroy(&study->run);
    ms_study_destroy(&study->study);
}

/* Column of the trajectory by name ("bell.x.theta"), or -1. */
static int column_of(const ms_integrate_study *study, const char *name)
{
    char column[320];
    for (int k = 0; k < study->run.trajectory.columns; k++) {
        ms_integration_trajectory_name(&study->run, k, column, sizeof column);
        if (strcmp(column, name) == 0)
            return k;
    }
    return -1;
}

int ms_study_integrate_curves(const ms_integrate_study *study, const char *const *names, int n, ms_data *data,
                              ms_error *error)
{
    const ms_run_series *rows = &study->run.trajectory;
    int column[CURVES_MAX];
    if (n > CURVES_MAX)
        return ms_fail(error, MS_INVALID, "%d curves are more than %d", n, CURVES_MAX);
    for (int k = 0; k < n; k++) {
        column[k] = column_of(study, names[k]);
        if (column[k] < 0)
            return ms_fail(error, MS_INVALID, "%s: the trajectory has no such column", names[k]);
    }
    for (long i = 0; i < rows->rows; i++) {
        const double *row = ms_run_series_row(rows, i);
        ms_data_cell(data, row[0]);
        for (int k = 0; k < n; k++)
            ms_data_cell(data, row[column[k]]);
    }
    return MS_OK;
}

int ms_study_integrate_events(const ms_integrate_study *study, int indicator, const char *state)
{
    const ms_integration *run = &study->run;
    const int first = 4 + run->n_indicators, half = (run->events.columns - first) / 2;
    const int j = column_of(study, state) - 2;
    int n = 0;
    for (long i = 0; i < run->events.rows && j >= 0; i++) {
        const double *row = ms_run_series_row(&run->events, i);
        const bool crossed = indicator > 0 ? row[3 + indicator] > 0.0 : row[3 - indicator] < 0.0;
        n += crossed && row[first + j] != row[first + half + j];
    }
    return n;
}
