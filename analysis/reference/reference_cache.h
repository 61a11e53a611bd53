/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference_cache.h - references that are kept on disk from one program call to the next.
 *
 * One folder for the whole program, because every reference of a system is the same whoever asks: pieces of dense
 * solutions, and steps of models that are not smooth. A file holds one of them, at most as much as a shared reference keeps
 * in memory; nothing is ever deleted: whoever wants the room removes *.reference.
 *
 * A file tells what it is of: the program (its bytes, the libraries and the processor, on which bits depend), model, case,
 * parameters, start values, wires, matrices, external inputs, start time, kind of solution, tolerance. Where one of them
 * differs, or the digest over all of it, the reference is made anew and takes the file's place. So no number depends on what is
 * in the folder, nor on who else uses it: files are written beside and renamed. */
#ifndef MS_REFERENCE_CACHE_H
#define MS_REFERENCE_CACHE_H

#include <stdbool.h>

#include <macrostep/status.h>

/* All references made from now on are kept in the folder, which is made where there is none. Before other threads
 * start. Errors: MS_INVALID (it cannot be written, its name is too long), MS_NO_MEMORY. */
int ms_reference_cache_open(const char *folder, ms_error *error);

/* No reference is kept from now on. Returns whether there is a note: a line on files that were not read or could not
 * be written. */
bool ms_reference_cache_close(ms_error *note);

#endif
