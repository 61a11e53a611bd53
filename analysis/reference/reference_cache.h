/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference_cache.h - references stored on disk between calls of the program.
 *
 * One folder for the whole program, since the reference of a system is the same for all runs: pieces of dense solutions, and
 * steps of nonsmooth models. A file holds one reference, at most as much as a shared reference keeps in memory; files are never
 * deleted automatically: to free space, remove *.reference.
 *
 * A file records its key: the program (its bytes, the libraries and the processor, on which bits depend), model, case,
 * parameters, start values, wires, matrices, external inputs, start time, kind of solution, tolerance. If one of them, or the
 * digest over all, differs, the reference is recomputed and replaces the file. So no number depends on the contents of the
 * folder, nor on concurrent users: temporary files are renamed. */
#pragma once

#include <stdbool.h>

#include <macrostep/status.h>

/* Stores all references from now on in the folder, which is created if missing. To be called before other threads
 * start. Errors: MS_IO (it cannot be written), MS_INVALID (its name is too long), MS_NO_MEMORY. */
int ms_reference_cache_open(const char *folder, ms_error *error);

/* No reference is kept from now on. Returns whether there is a note: a line on files that were not read or could not
 * be written. */
bool ms_reference_cache_close(ms_error *note);
