/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulated_output.c - which columns and times are asked for. */
#include "simulated_output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/scheme_registry.h>
#include "nearest.h"

/* Columns ------------------------------------------------------------------------------------------------ */

enum { NAME_SIZE = 160 };

/* All names "SUB.x.NAME", "SUB.y.NAME", in the order of x, then y. */
static int list_names(const ms_system *s, char (**text)[NAME_SIZE], const char ***names)
{
    const size_t n = (size_t)(s->nx + s->ny);
    *text = calloc(n + 1, sizeof **text);
    *names = calloc(n + 1, sizeof **names);
    MS_TRY_MEMORY(*text != NULL && *names != NULL);
    for (size_t k = 0; k < n; k++)
        (*names)[k] = (*text)[k];
    for (int i = 0; i < s->n; i++) {
        const ms_subsystem *sub = &s->sub[i];
        for (int j = 0; j < sub->nx; j++)
            snprintf((*text)[s->x_at[i] + j], NAME_SIZE, "%s.x.%s", sub->name, sub->x[j].name);
        for (int j = 0; j < sub->ny; j++)
            snprintf((*text)[s->nx + s->y_at[i] + j], NAME_SIZE, "%s.y.%s", sub->name, sub->y[j].name);
    }
    return MS_OK;
}

/* Is it SUB.u.NAME of an input? */
static bool is_input(const ms_system *s, const char *name)
{
    char text[NAME_SIZE];
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->sub[i].nu; j++) {
            snprintf(text, sizeof text, "%s.u.%s", s->sub[i].name, s->sub[i].u[j].name);
            if (strcmp(text, name) == 0)
                return true;
        }
    return false;
}

static int check_gaps(const ms_series *series, int column, ms_error *error)
{
    long row = 0;
    if (!ms_series_has_gaps(series, column))
        return MS_OK;
    while (!isnan(series->value[row * series->columns + column]))
        row++;
    return ms_fail(error, MS_INVALID,
                   "%s, line %ld: no value in column %.60s; a measurement is expected in each row",
                   series->path, series->name_line + 1 + row, series->name[column]);
}

static int find_columns(const ms_system *s, const ms_series *series, const char *const *names,
                        ms_simulated_output *simulated, ms_error *error)
{
    const int n = s->nx + s->ny;
    for (int k = 0; k < series->columns; k++) {
        int at = 0;
        while (at < n && strcmp(names[at], series->name[k]) != 0)
            at++;
        if (at == n && is_input(s, series->name[k]))
            continue;
        if (at == n)
            return ms_fail(
                error, MS_INVALID,
                "%s, line %ld: column %.60s names no state or output of model %s; the nearest is %s",
                series->path, series->name_line, series->name[k], s->model->name,
                ms_nearest(series->name[k], names, n));
        MS_TRY(check_gaps(series, k, error));
        simulated->source[simulated->columns] = at;
        simulated->name[simulated->columns] = series->name[k];
        simulated->column[simulated->columns++] = k;
    }
    if (simulated->columns == 0)
        return ms_fail(error, MS_INVALID,
                       "%s, line %ld: no column SUBSYSTEM.x.NAME or SUBSYSTEM.y.NAME of model %s",
                       series->path, series->name_line, s->model->name);
    return MS_OK;
}

/* Times -------------------------------------------------------------------------------------------------- */

static int check_times(const ms_series *series, double start, ms_error *error)
{
    if (series->time[0] < start)
        return ms_fail(error, MS_INVALID,
                       "%s, line %ld: time %.15g is before the start at %.15g s (`start-time`)", series->path,
                       series->name_line + 1, series->time[0], start);
    if (!(series->time[series->rows - 1] > start))
        return ms_fail(error, MS_INVALID, "%s, line %ld: no time after the start at %.15g s (`start-time`)",
                       series->path, series->name_line + series->rows, start);
    return MS_OK;
}

int ms_simulated_output_create(const ms_system *system, const ms_series *series, const ms_options *options,
                               bool cosimulated, ms_simulated_output *simulated, ms_error *error)
{
    char(*text)[NAME_SIZE] = NULL;
    const char **names = NULL;
    *simulated = (ms_simulated_output){.rows = series->rows, .time = series->time, .options = *options};
    simulated->scheme = cosimulated ? ms_scheme_choose(options->scheme, error) : NULL;
    if (cosimulated && simulated->scheme == NULL)
        return MS_INVALID;
    simulated->options.stop_time = series->time[series->rows - 1];
    simulated->options.given[MS_OPTION_STOP_TIME] = true;
    simulated->source = calloc((size_t)series->columns + 1, sizeof *simulated->source);
    simulated->name = calloc((size_t)series->columns + 1, sizeof *simulated->name);
    simulated->column = calloc((size_t)series->columns + 1, sizeof *simulated->column);
    int status = list_names(system, &text, &names);
    if (status != MS_OK || simulated->source == NULL || simulated->name == NULL ||
        simulated->column == NULL) {
        ms_fail(error, MS_NO_MEMORY, "not enough memory for %d columns", series->columns);
        status = MS_NO_MEMORY;
    }
    MS_THEN(status, find_columns(system, series, names, simulated, error));
    MS_THEN(status, check_times(series, options->start_time, error));
    free(text);
    free(names);
    if (status != MS_OK)
        ms_simulated_output_destroy(simulated);
    return status;
}

void ms_simulated_output_destroy(ms_simulated_output *simulated)
{
    MS_FREE(simulated->source, simulated->name, simulated->column);
    *simulated = (ms_simulated_output){0};
}

int ms_simulated_output_run(const ms_simulated_output *simulated, const ms_system *system,
                            const volatile sig_atomic_t *stop, double *value, ms_error *error)
{
    MS_TRY(
        ms_system_check_inputs(system, simulated->options.start_time, simulated->options.stop_time, error));
    return simulated->scheme != NULL ? ms_simulated_output_cosim(simulated, system, stop, value, error)
                                     : ms_simulated_output_monolithic(simulated, system, stop, value, error);
}
