/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_columns.c - the columns of a sweep's table: what every row has, and what the lists of the call change besides. */
#include "sweep_columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ms_column usual[] = {{"scheme.as", "as"}, /* where presets are swept */
                                  {"model", "model"},
                                  {"case", "case"},
                                  {"scheme.scheme", "scheme"},
                                  {"scheme.extrapolation_order", "order"},
                                  {"scheme.derivatives", "derivatives"},
                                  {"scheme.outputs", "outputs"},
                                  {"scheme.smooth_coupling", "smooth"},
                                  {"scheme.step_size", "step size"},
                                  {"error", "error"},
                                  {"energy.residual", "energy residual"},
                                  {"growth_predicted", "predicted"},
                                  {"growth_observed", "observed"},
                                  {"agree", "agree"},
                                  {"reason", "reason"},
                                  {"note", "note"}};

enum { STEP_SIZE = 8 }; /* lists stand before that column */

/* "parameters.kc", "scheme.micro_steps" */
static void write_path(const ms_axis *axis, char path[MS_SWEEP_PATH])
{
    const bool parameter = axis->setting >= 0;
    snprintf(path, MS_SWEEP_PATH, "%s.%s", parameter ? "parameters" : "scheme", axis->name);
    for (char *c = path; *c != '\0' && !parameter; c++)
        *c = *c == '-' ? '_' : *c;
}

static bool is_usual(const char *path)
{
    for (int k = 0; k < MS_COUNT(usual); k++)
        if (strcmp(usual[k].path, path) == 0)
            return true;
    return false;
}

int ms_sweep_columns_create(const ms_axis *lists, int n_lists, bool presets, ms_sweep_columns *columns,
                            ms_error *error)
{
    int n = 0;
    columns->column = calloc(MS_COUNT(usual) + (size_t)n_lists + 1, sizeof *columns->column);
    columns->path = calloc((size_t)n_lists + 1, sizeof *columns->path);
    if (columns->column == NULL || columns->path == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the columns");
    for (int k = presets ? 0 : 1; k < STEP_SIZE; k++)
        columns->column[n++] = usual[k];
    for (int k = 0; k < n_lists; k++) {
        const ms_axis *axis = &lists[k];
        write_path(axis, columns->path[k]);
        if (!is_usual(columns->path[k]))
            columns->column[n++] = (ms_column){columns->path[k], axis->name};
    }
    for (int k = STEP_SIZE; k < MS_COUNT(usual); k++)
        columns->column[n++] = usual[k];
    return MS_OK;
}

void ms_sweep_columns_destroy(ms_sweep_columns *columns)
{
    MS_FREE(columns->column, columns->path);
    *columns = (ms_sweep_columns){0};
}

json_t *ms_sweep_columns_cells(const json_t *row, bool all)
{
    static const char *const shown[] = {"model", "case",   "parameters",       "scheme",
                                        "error", "energy", "growth_predicted", "growth_observed",
                                        "agree", "reason"};
    json_t *cells = all ? json_copy((json_t *)row) : json_object();
    for (int k = 0; k < MS_COUNT(shown); k++)
        ms_json_set(&cells, shown[k], json_incref(json_object_get(row, shown[k])));
    const char *message = json_string_value(json_object_get(row, "message"));
    const bool silent = message == NULL || message[0] == '\0';
    ms_json_set(&cells, "note", json_incref(json_object_get(row, silent ? "note" : "message")));
    return cells;
}
