/* SPDX-License-Identifier: GPL-3.0-or-later */
/* series_variables.h - maps columns of a time series to variables of a system.
 *
 * SUB.x.NAME, SUB.u.NAME and SUB.y.NAME are the names of states, inputs and outputs in trajectories (trajectory.h). Other
 * tools write SUB.NAME: the state of that name, or otherwise the output. Other columns are ignored, and those with
 * empty cells. */
#pragma once

#include <macrostep/system.h>

typedef enum ms_variable_kind { MS_VARIABLE_STATE, MS_VARIABLE_INPUT, MS_VARIABLE_OUTPUT } ms_variable_kind;

enum { MS_VARIABLE_NAME_SIZE = 160 };

typedef struct ms_series_variables {
    int n;         /* columns that are variables */
    int *column;   /* (n) ascending, in the series */
    int *variable; /* (n) index in x, u, y of the system, one behind the other */
    int n_ignored;
    int *ignored; /* (n_ignored) the others */
} ms_series_variables;

/* Errors: MS_INVALID with file and line (no column is a variable, two columns are the same one, a short name fits
 * several), MS_NO_MEMORY; nothing is left to destroy then. */
int ms_series_variables_find(const ms_system *system, const ms_series *series, ms_series_variables *variables,
                             ms_error *error);
void ms_series_variables_destroy(ms_series_variables *variables);

/* Of a variable, and its name "SUB.x.NAME", written into name (MS_VARIABLE_NAME_SIZE). */
ms_variable_kind ms_series_variable_kind(const ms_system *system, int variable);
void ms_series_variable_name(const ms_system *system, int variable, char *name);

/* Is there a column of that variable? */
bool ms_series_variables_have(const ms_series_variables *variables, int variable);
