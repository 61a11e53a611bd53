/* figure_run.h - figures inside tests. Whatever fails here fails the test. */
#ifndef MS_FIGURE_RUN_H
#define MS_FIGURE_RUN_H

#include "figure.h"

/* Calls a draw function as that of a figure. */
void figure_run(int (*draw)(ms_drawing *drawing, ms_error *error));

/* The answer of the figure of that ID, to be released by the caller; no files are written. */
json_t *figure_answer(const char *id);

#endif
