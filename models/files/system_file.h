/* SPDX-License-Identifier: GPL-3.0-or-later */
/* system_file.h - a model from a file that describes a system by its matrices. */
#ifndef MS_SYSTEM_FILE_H
#define MS_SYSTEM_FILE_H

#include "model.h"

/* Reads a linear system from a JSON file (bench/README.md, "A linear system as a file") as a model of its own
 * that the caller frees. Errors: MS_IO, MS_INVALID with the matrix and the shape that was expected. */
int ms_model_read(const char *path, ms_model **model, ms_error *error);
void ms_model_destroy(ms_model **model); /* only of models from ms_model_read; NULL-safe */

#endif
