/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lines_read.h - the lines of a system file. */
#ifndef MS_LINES_READ_H
#define MS_LINES_READ_H

#include "file_model.h"

/* Those of the file, whose subsystems are read. Errors: MS_INVALID, MS_NO_MEMORY. */
int ms_file_read_lines(ms_file_model *file, const json_t *root, const ms_json_place *at, ms_error *error);

/* Adds them to the structure, in which there is room for as many subsystems and four times as many wires more. Errors: MS_INVALID
 * (a value that is not finite), MS_NO_MEMORY. */
int ms_file_bind_lines(const ms_file_model *file, const double *p, ms_structure *structure, ms_error *error);

#endif
