/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inner_outputs.h - outputs inside macro-steps, for schemes that hand them on: those of subsystem i at j/m of its macro-step,
 * j = 1 .. m, by its own number m. */
#pragma once

#include <macrostep/cosim.h>

enum { MS_INNER_MAX = 16 };

typedef struct ms_inner_outputs {
    int *count; /* m of a subsystem (n); the owner's memory */
    int index[(MS_INNER_MAX + 1) *
              (MS_INNER_MAX + 1)]; /* of the instances' sample at j/m: [m (MS_INNER_MAX + 1) + j] */
} ms_inner_outputs;

/* Of create(): reads the counts from the option's `text` (ms_variant_counts) and has states sampled there. Errors: MS_INVALID,
 * MS_NO_MEMORY, MS_UNSUPPORTED (a subsystem without outputs inside a macro-step that should give some). */
int ms_inner_outputs_create(ms_cosim *cosim, const char *option, const char *text, ms_inner_outputs *outputs,
                            ms_error *error);

/* For start(): finds the indices of the samples, since observers have requested theirs. */
void ms_inner_outputs_start(const ms_cosim *cosim, ms_inner_outputs *outputs);

/* Outputs of subsystem i in its last macro-step: at 1/m, then at 2/m, .. (m x ny_i); the last are those of y_raw. Returns MS_OK, or
 * MS_SOLVER_FAILED with the line in cosim->error. */
int ms_inner_outputs_read(ms_cosim *cosim, const ms_inner_outputs *outputs, int i, double *values);
