/* SPDX-License-Identifier: GPL-3.0-or-later */
/* system_file.h - a model from a file that describes a system: matrices, equations, subsystems of the catalogue. */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/model.h>

MS_C_LINKAGE_BEGIN

/* Reads a system from a JSON file (bench/README.md, "A system as a file") as a model of its own that the caller frees.
 * Errors: MS_IO, MS_INVALID with the line, the subsystem and what was expected, MS_NO_MEMORY. */
int ms_model_read(const char *path, ms_model **model, ms_error *error);

/* Do the units fit that the file declares, in all its expressions (units.h)? A model of the catalogue has none. Errors: MS_INVALID
 * with file, line, subsystem, the expression and both units, of the first place where they do not. */
int ms_model_check_units(const ms_model *model, ms_error *error);

void ms_model_destroy(ms_model **model); /* only of models from ms_model_read; NULL-safe */

MS_C_LINKAGE_END
