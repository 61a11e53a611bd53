/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ssp_export.h - a coupled model as a system structure (SSP) of the FMUs of its subsystems, for other tools. */
#pragma once

#include <macrostep/system.h>

/* Contents besides the system: FMUs, their paths in the order of the subsystems, and options of a run (n_options). */
typedef struct ms_ssp_content {
    const char *const *fmu; /* (system->n) */
    const ms_default *options;
    int n_options;
} ms_ssp_content;

/* Packs the FMUs with a SystemStructure.ssd into `path`, by renaming a temporary file. Wires keep their gains; those from the subsystem `constant`,
 * the source of offsets of a system file, become offsets, and it is omitted. Errors: MS_UNSUPPORTED (an input is the sum of several outputs, which
 * SSP has no connection for), MS_IO, MS_INVALID, MS_NO_MEMORY. */
int ms_ssp_export_write(const ms_system *system, const ms_ssp_content *content, const char *path,
                        ms_error *error);
