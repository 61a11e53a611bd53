/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export_answer.h - a model as files for other tools, and what is said of them. */
#pragma once

#include "answer.h"
#include "arguments.h"

extern const ms_column ms_export_columns[];

/* Exports the system as the arguments say; on failure the answer is partial. Errors: MS_INVALID, MS_UNSUPPORTED,
 * MS_IO, MS_NO_MEMORY, MS_INTERRUPTED. */
int ms_export_write(const ms_arguments *arguments, const ms_system *system, json_t **answer, ms_error *error);
