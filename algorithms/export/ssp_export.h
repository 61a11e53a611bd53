/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ssp_export.h - a coupled model as a system structure (SSP) of the FMUs of its subsystems, for other tools. */
#ifndef MS_SSP_EXPORT_H
#define MS_SSP_EXPORT_H

#include "system.h"

/* Packs the FMUs, fmu (system->n) their paths in the order of the subsystems, with a SystemStructure.ssd into `path`, written
 * beside and renamed. Wires have their gains; those from the subsystem `constant` that offsets of a system file make become
 * offsets, and it stays out. Errors: MS_UNSUPPORTED (an input is the sum of several outputs, which SSP has no connection for), MS_IO,
 * MS_INVALID, MS_NO_MEMORY. */
int ms_ssp_export_write(const ms_system *system, const char *const *fmu, const char *path, ms_error *error);

#endif
