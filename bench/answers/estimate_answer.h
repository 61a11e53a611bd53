/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate_answer.h - what is said of an estimation. */
#ifndef MS_ESTIMATE_ANSWER_H
#define MS_ESTIMATE_ANSWER_H

#include <macrostep/estimate.h>
#include "answer.h"

extern const ms_column ms_estimate_columns[]; /* of the table of rows */

/* The answer as bench/README.md prints it ("Recorded inputs and measurements"). NULL without memory. */
json_t *ms_estimate_answer(const ms_estimate_options *request, const ms_estimate *estimate);

/* Rows of time and, for each measured column, the fitted output and the measurement, with provenance;
 * nothing where the file is not open. Errors: MS_NO_MEMORY, MS_IO. */
int ms_estimate_write(const ms_estimate_options *request, const ms_estimate *estimate, const char *line,
                      ms_output *output, ms_error *error);

#endif
