/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "series_variables.h"

#include <stdlib.h>
#include <string.h>

#include <macrostep/trajectory.h>
#include "nearest.h"

enum { NOT_FOUND = -1, COLUMN_SHOWN = 60 };

/* The names of all variables, for many comparisons. */
typedef struct name_table {
    const ms_system *system;
    int n;
    char (*text)[MS_VARIABLE_NAME_SIZE]; /* (n) */
    const char **name;                   /* (n) */
} name_table;

ms_variable_kind ms_series_variable_kind(const ms_system *system, int variable)
{
    if (variable < system->nx)
        return MS_VARIABLE_STATE;
    return variable < system->nx + system->nu ? MS_VARIABLE_INPUT : MS_VARIABLE_OUTPUT;
}

void ms_series_variable_name(const ms_system *system, int variable, char *name)
{
    const ms_trajectory columns = {.nx = system->nx, .nu = system->nu, .ny = system->ny, .system = system};
    ms_trajectory_name(&columns, 1 + variable, name, MS_VARIABLE_NAME_SIZE);
}

bool ms_series_variables_have(const ms_series_variables *variables, int variable)
{
    for (int k = 0; k < variables->n; k++)
        if (variables->variable[k] == variable)
            return true;
    return false;
}

/* Names -------------------------------------------------------------------------------------------------- */

static int create_names(const ms_system *system, name_table *names)
{
    *names = (name_table){.system = system, .n = system->nx + system->nu + system->ny};
    names->text = calloc((size_t)names->n + 1, sizeof *names->text);
    names->name = calloc((size_t)names->n + 1, sizeof *names->name);
    MS_TRY_MEMORY(names->text != NULL && names->name != NULL);
    for (int j = 0; j < names->n; j++) {
        ms_series_variable_name(system, j, names->text[j]);
        names->name[j] = names->text[j];
    }
    return MS_OK;
}

static void destroy_names(name_table *names)
{
    free(names->text);
    free(names->name);
}

/* Is it "SUB.NAME"? */
static bool is_short(const char *text, const char *subsystem, const char *name)
{
    const size_t length = strlen(subsystem);
    return strncmp(text, subsystem, length) == 0 && text[length] == '.' &&
           strcmp(text + length + 1, name) == 0;
}

/* The states, or the outputs, whose short name it is: how many, and the first one. */
static int count_short(const ms_system *s, bool states, const char *text, int *first)
{
    int count = 0;
    for (int i = 0; i < s->n; i++) {
        const ms_subsystem *sub = &s->sub[i];
        const ms_variable *variable = states ? sub->x : sub->y;
        for (int j = 0; j < (states ? sub->nx : sub->ny); j++)
            if (is_short(text, sub->name, variable[j].name) && count++ == 0)
                *first = (states ? s->x_at[i] : s->nx + s->nu + s->y_at[i]) + j;
    }
    return count;
}

/* The variable of column k, or NOT_FOUND. */
static int find(const name_table *names, const ms_series *series, int k, int *variable, ms_error *error)
{
    const char *text = series->name[k];
    *variable = NOT_FOUND;
    for (int j = 0; j < names->n; j++)
        if (strcmp(names->name[j], text) == 0) {
            *variable = j;
            return MS_OK;
        }
    int count = count_short(names->system, true, text, variable);
    if (count == 0)
        count = count_short(names->system, false, text, variable);
    if (count > 1)
        return ms_fail(
            error, MS_INVALID,
            "%s, line %ld: column %.*s may be several variables of model %s; write the whole name, as %s",
            series->path, series->name_line, COLUMN_SHOWN, text, names->system->model->name,
            names->name[*variable]);
    return MS_OK;
}

/* Columns ------------------------------------------------------------------------------------------------ */

/* Another column of the same variable. */
static int refuse_twin(const name_table *names, const ms_series *series, const ms_series_variables *v, int k,
                       int variable, ms_error *error)
{
    for (int i = 0; i < v->n; i++)
        if (v->variable[i] == variable)
            return ms_fail(error, MS_INVALID,
                           "%s, line %ld: columns %.*s and %.*s are both %s; leave one of them out",
                           series->path, series->name_line, COLUMN_SHOWN, series->name[v->column[i]],
                           COLUMN_SHOWN, series->name[k], names->name[variable]);
    return MS_OK;
}

static int sort_columns(const name_table *names, const ms_series *series, ms_series_variables *v,
                        ms_error *error)
{
    const char *gap = NULL;
    for (int k = 0; k < series->columns; k++) {
        int variable = NOT_FOUND;
        int status = find(names, series, k, &variable, error);
        if (status == MS_OK && variable != NOT_FOUND)
            status = refuse_twin(names, series, v, k, variable, error);
        if (status != MS_OK)
            return status;
        const bool gaps = variable != NOT_FOUND && ms_series_has_gaps(series, k);
        if (gaps)
            gap = series->name[k];
        if (variable == NOT_FOUND || gaps) {
            v->ignored[v->n_ignored++] = k;
            continue;
        }
        v->column[v->n] = k;
        v->variable[v->n++] = variable;
    }
    if (v->n > 0)
        return MS_OK;
    if (gap != NULL)
        return ms_fail(
            error, MS_INVALID,
            "%s: no value in some rows of column %.*s, and no other one is complete; a column with "
            "a number in each row is expected",
            series->path, COLUMN_SHOWN, gap);
    return ms_fail(
        error, MS_INVALID,
        "%s, line %ld: no column is a variable of model %s; of %.*s the nearest is %s (or SUB.NAME)",
        series->path, series->name_line, names->system->model->name, COLUMN_SHOWN, series->name[0],
        ms_nearest(series->name[0], names->name, names->n));
}

int ms_series_variables_find(const ms_system *system, const ms_series *series, ms_series_variables *variables,
                             ms_error *error)
{
    const size_t n = (size_t)series->columns + 1;
    name_table names;
    *variables = (ms_series_variables){.column = calloc(n, sizeof *variables->column),
                                       .variable = calloc(n, sizeof *variables->variable),
                                       .ignored = calloc(n, sizeof *variables->ignored)};
    int status = create_names(system, &names);
    if (status != MS_OK || variables->column == NULL || variables->variable == NULL ||
        variables->ignored == NULL) {
        ms_fail(error, MS_NO_MEMORY, "not enough memory for %d columns", series->columns);
        status = MS_NO_MEMORY;
    }
    MS_THEN(status, sort_columns(&names, series, variables, error));
    destroy_names(&names);
    if (status != MS_OK)
        ms_series_variables_destroy(variables);
    return status;
}

void ms_series_variables_destroy(ms_series_variables *variables)
{
    MS_FREE(variables->column, variables->variable, variables->ignored);
    *variables = (ms_series_variables){0};
}
