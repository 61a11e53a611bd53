/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.h - measured ratios as JSON, as ratios.json in this folder has it, and as lines of a table. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "ratio.h"

/* A ratio over its rounds, named "SUBJECT: NAME". NULL without memory. */
json_t *ms_record_row(const char *program, const char *subject, int rounds, const ms_ratio *ratio);

/* A stored run. Errors: MS_IO, with what is wrong with the file. */
int ms_record_read(const char *path, json_t **document, ms_error *error);

/* Is this a run as ms_record_document makes it, each of whose rows has what is read here? */
int ms_record_check(const json_t *document, const char *of, ms_error *error);

/* Sets the row's member "base" from the row of that program and name in a stored run (NULL: none). */
int ms_record_compare(json_t *row, const json_t *stored);

/* What a row says for the exit status. */
ms_exit ms_record_exit(const json_t *row);

/* All rows (stolen), how many of them are met, missed, .., and which rows of the stored run (may be NULL) are not among
 * them. NULL without memory. */
json_t *ms_record_document(const char *effort, json_t *rows, const json_t *stored);

/* A line for each row; at the end those that are not met once more, and the counts. */
void ms_record_print_row(const json_t *row, FILE *file);
void ms_record_print_end(const json_t *document, FILE *file);
