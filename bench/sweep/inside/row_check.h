/* SPDX-License-Identifier: GPL-3.0-or-later */
/* row_check.h - is what a file holds the row that belongs there?
 *
 * It is where it has the key of its place in the grid (model, case, parameters, scheme, and the names of subsystems), where all else
 * is what is computed: numbers, counts, words, and where it can be written again to the same bytes. Which numbers these are is not
 * known without the run. */
#ifndef MS_ROW_CHECK_H
#define MS_ROW_CHECK_H

#include <macrostep/status.h>
#include "row_text.h"

/* The text is that of ms_row_text. shape: the row of its place without a run, borrowed. MS_INVALID with what is wrong, which follows
 * on "line N: "; MS_NO_MEMORY. */
int ms_row_check(const ms_row_form *form, const char *text, size_t length, json_t *shape, ms_error *why);

#endif
