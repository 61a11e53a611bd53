/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shared_reference.h - a reference that many runs of one system read. */
#pragma once

#include <macrostep/system.h>

typedef struct ms_shared_reference ms_shared_reference;

enum { MS_SHARED_REFERENCE_BYTES = 256 << 20 };

/* A reference shared by runs of the same system, on any number of threads: the pieces of its dense solution from the
 * start time on, computed once, as many as fit into `most` bytes. `system` must outlive it. For a nonsmooth model they
 * share steps, if they take the same ones from the start on. Errors: those of ms_reference_create. */
int ms_shared_reference_create(const ms_system *system, double start_time, size_t most,
                               ms_shared_reference **shared, ms_error *error);
void ms_shared_reference_destroy(ms_shared_reference **shared); /* NULL-safe */

/* Is it of the same model, parameters, start values, external inputs and start time? */
bool ms_shared_reference_fits(const ms_shared_reference *shared, const ms_system *system, double start_time);
