/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_export.h - writes a subsystem, or the whole coupled model, as an FMU. */
#pragma once

#include "export_settings.h"

/* A file that goes with it, by the layered standard for references (FMI-LS-REF): in extra/org.fmi-standard.fmi-ls-ref. */
typedef struct ms_fmu_extra {
    const char *name, *text;
} ms_fmu_extra;

typedef struct ms_fmu_export {
    const ms_system *system;
    const char *subsystem; /* NULL: the whole */
    int fmi;               /* 2 or 3 */
    ms_export_solver solver;
    bool sources;              /* in C as well, where it has that form (export_sources.h) */
    const ms_fmu_extra *extra; /* (n_extra) */
    int n_extra;
} ms_fmu_export;

/* What has become of it. */
typedef struct ms_fmu_exported {
    char identifier[MS_EXPORTED_NAME];
    bool model_exchange;
    const char *why_not;    /* NULL where it has it */
    const char *no_sources; /* why it has no source form; NULL where it has one */
} ms_fmu_exported;

/* Writes it to `path`, by renaming a temporary file. The export has been tested by then: the component of its binary has been created from the
 * same resources. Errors: MS_INVALID, MS_UNSUPPORTED (the solver does not fit; the binary of exported FMUs is missing, or libzip),
 * MS_IO, MS_NO_MEMORY. */
int ms_fmu_export_write(const ms_fmu_export *what, const char *path, ms_fmu_exported *exported,
                        ms_error *error);

/* Into a folder that is there and empty, unpacked. */
int ms_fmu_export_folder(const ms_fmu_export *what, const char *folder, ms_fmu_exported *exported,
                         ms_error *error);
