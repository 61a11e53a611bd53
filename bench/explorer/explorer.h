/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explorer.h - functions for the page explorer.html in the library compiled to WebAssembly (Makefile, explorer).
 *
 * A page passes numbers and bytes. So texts go through one buffer, and long results stay in memory. Every function except
 * the first takes the result of ms_explorer_open. */
#pragma once

#include <macrostep/model.h>

typedef struct ms_explorer ms_explorer;

/* The linear models, and the names of the schemes, that the page offers; both end with NULL. */
extern const ms_model *const ms_explorer_models[];
extern const char *const ms_explorer_schemes[];

ms_explorer *ms_explorer_open(void); /* NULL: no memory */
void ms_explorer_close(ms_explorer *explorer);

/* The buffer: a text from the page, ended by 0 (MS_EXPLORER_TEXT bytes with it), and after a call that failed one line that says why. */
enum { MS_EXPLORER_TEXT = 512 };
char *ms_explorer_text(ms_explorer *explorer);

/* Takes the model that the text names, with the values of its first case, and all options at their defaults. Returns the number of its
 * parameters, or -1. */
int ms_explorer_model(ms_explorer *explorer);

/* Their values (as many), which the page may change. */
double *ms_explorer_values(ms_explorer *explorer);

/* Sets an option from the text NAME=VALUE. Returns 0 or -1. */
int ms_explorer_option(ms_explorer *explorer);

/* The spectral radius of the propagation matrix for macro-steps of h [s]; NaN if there is none. */
double ms_explorer_radius(ms_explorer *explorer, double h);

/* Runs from 0 to `end` [s], or until the run diverges, by at most MS_EXPLORER_STEPS macro-steps of h, which `end` is lowered to. Returns the
 * number of rows of ms_explorer_rows, each the time [s] and the states at a communication point, or -1. Where the run has
 * ended before, the text says why; else it is empty. */
enum { MS_EXPLORER_STEPS = 2000 };
int ms_explorer_run(ms_explorer *explorer, double h, double end);
const double *ms_explorer_rows(const ms_explorer *explorer);
