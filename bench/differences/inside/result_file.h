/* SPDX-License-Identifier: GPL-3.0-or-later */
/* result_file.h - a file that a command has written, as a JSON value. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include <macrostep/status.h>

/* Does the name end in .json, .jsonl or .csv? */
bool ms_result_file_is(const char *name);

/* JSON as it is. Of lines of JSON {"head": the first, "rows": the others}; of CSV {"rows": objects of the cells by the names of
 * the columns}, numbers as such, empty cells null; lines with # are left out. Another ending is read as JSON where the file begins
 * with a bracket, as CSV otherwise. Errors: MS_IO, MS_INVALID with the line that is wrong, MS_NO_MEMORY. */
int ms_result_file_read(const char *path, json_t **value, ms_error *error);
