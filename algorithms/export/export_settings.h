/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export_settings.h - the settings of an exported FMU: the file macrostep.json in its resources, and, if the model comes
 * from a file, that file next to it. */
#pragma once

#include <macrostep/solver.h>
#include "exported.h"

#define MS_EXPORT_SETTINGS_FILE "macrostep.json"
#define MS_EXPORT_MODEL_FILE    "model.json"
enum { MS_EXPORT_TOKEN = 40 };

/* The micro-solver of co-simulation. */
typedef struct ms_export_solver {
    const ms_solver *solver;
    double rtol, atol;
    int micro_steps;
} ms_export_solver;

typedef struct ms_export_settings {
    const ms_model *model;
    ms_model *owned; /* the same where it comes from a file; else NULL */
    /* .. which has the name that it had there, whatever that of the file in the resources is */
    char *owned_name;
    char *case_name;
    char *subsystem; /* NULL: the whole */
    double *p;       /* (model->n_parameters) */
    ms_export_solver solver;
    char token[MS_EXPORT_TOKEN];
} ms_export_settings;

/* The text of the file, to be freed; NULL: no memory. */
char *ms_export_settings_text(const ms_exported *exported, const ms_export_solver *solver, int fmi);

/* guid or instantiationToken: a hash of that text, of the model's file (NULL: none), and of the version. */
void ms_export_token(const char *settings, const char *model_file, char token[MS_EXPORT_TOKEN]);

/* Reads both files from a folder; the token is computed from their texts. Errors: MS_IO, MS_INVALID, MS_NO_MEMORY; *settings must be freed in any
 * case. */
int ms_export_settings_read(const char *folder, ms_export_settings *settings, ms_error *error);
void ms_export_settings_free(ms_export_settings *settings); /* safe where it is zeroed */

/* Version of the export and of the program. */
const char *ms_export_version(void);
