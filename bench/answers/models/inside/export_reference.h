/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export_reference.h - references for exported models: the coupled reference as rows, and inside each FMU an experiment with
 * its result.
 *
 * The experiment of a subsystem is the open-loop problem with inputs read from the coupled reference, linear between the rows,
 * and its tight solution (open_loop.h); that of a whole model is the reference itself.
 *
 * Source: Layered Standard References (FMI-LS-REF) 1.0.0-alpha.1, and its schema of experiments. */
#pragma once

#include "exported.h"
#include "fmu_export.h"

/* Rows of time, states and outputs at the communication points. */
typedef struct ms_coupled_rows {
    const ms_system *system;
    long n; /* number of rows without the first */
    int columns;
    double *row; /* (n + 1, columns) */
} ms_coupled_rows;

/* Errors: those of the reference and of ms_coupled_outputs_at, MS_NO_MEMORY, MS_INTERRUPTED; free the rows in any case. */
int ms_coupled_rows_compute(const ms_system *system, ms_coupled_rows *rows, ms_error *error);
void ms_coupled_rows_free(ms_coupled_rows *rows);
/* The name of a column, as judge reads it; for ms_series_table, of: the system. */
void ms_coupled_rows_name(const void *of, int column, char *name, size_t size);

enum { MS_EXPERIMENT_FILES = 4, MS_EXPERIMENT_ROWS = 1000 };

typedef struct ms_experiment {
    ms_fmu_extra file[MS_EXPERIMENT_FILES];
    int n;
    char *stimuli, *reference, *description; /* owned */
} ms_experiment;

/* The experiment of the export; rows: the coupled ones. Errors: MS_UNSUPPORTED and others (there is none, with the reason),
 * MS_NO_MEMORY, MS_INTERRUPTED; free the experiment in any case. */
int ms_experiment_compute(const ms_exported *exported, const ms_coupled_rows *rows, ms_experiment *experiment,
                          ms_error *error);
void ms_experiment_free(ms_experiment *experiment);
