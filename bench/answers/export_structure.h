/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export_structure.h - the coupled model as an .ssp: its FMUs and the wires between them. */
#ifndef MS_EXPORT_STRUCTURE_H
#define MS_EXPORT_STRUCTURE_H

#include "system.h"

/* Packs the FMUs of all subsystems, fmu[i] (paths), and a SystemStructure.ssd into `path`, beside and renamed. Errors: MS_UNSUPPORTED (an
 * input that more than one wire leads to, which SSP does not have), MS_IO, MS_INVALID, MS_NO_MEMORY. */
int ms_export_structure(const ms_system *system, const char *const *fmu, const char *path, ms_error *error);

#endif
