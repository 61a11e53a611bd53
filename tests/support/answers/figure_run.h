/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_run.h - figures inside tests. Whatever fails here fails the test. */
#pragma once

#include <jansson.h>

#include "figure.h"

/* Calls a draw function as that of a figure. */
void support_figure_run(int (*draw)(ms_drawing *drawing, ms_error *error));

/* The answer of the figure of that ID, to be released by the caller; no files are written. */
json_t *support_figure_answer(const char *id);

/* The same of a figure that the test makes. */
json_t *support_figure_answer_of(const ms_figure *figure);

/* The verdict of the check whose name contains the part. */
typedef struct support_figure_verdict {
    const char *part, *verdict;
} support_figure_verdict;

/* Has the answer that many checks, all of them reproduced but n? The first part that a check's name contains gives its
 * verdict; each part belongs to one check. */
void support_figure_expect(const json_t *answer, size_t checks, size_t n,
                           const support_figure_verdict *verdicts);

/* The same of the figure of that ID, which is drawn for it. */
void support_figure_expect_verdicts(const char *id, size_t checks, size_t n,
                                    const support_figure_verdict *verdicts);
