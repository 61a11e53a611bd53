/* SPDX-License-Identifier: GPL-3.0-or-later */
/* system_parts.h - what the files of a system share. */
#pragma once

#include <macrostep/status.h>
#include <macrostep/system.h>

/* What follows from the subsystems of a system, for who makes one: system.c of a model, system_part.c of some
 * subsystems of another. Private to these files. */

/* Totals and offsets, from the subsystems of the structure. Returns MS_OK or MS_NO_MEMORY. */
int ms_system_lay_out(ms_system *system, ms_error *error);

/* feed_through, from matrices and wires. Returns MS_OK or MS_NO_MEMORY. */
int ms_system_mark_feed_through(ms_system *system, ms_error *error);

/* x_scale and u_scale: nominal values where they are given, else start values; those that are zero have the size of the largest
 * start value of the subsystem, where that is below 1, else 1. Too small is the safe side: of a step a million times too small round-off
 * takes half the digits that are left, of one a thousand times too large the curvature does. Returns MS_OK or MS_NO_MEMORY. */
int ms_system_find_scales(ms_system *system, ms_error *error);

/* system_matrices.c: a step of ms_system_create; of use to system.c only. */

typedef struct ms_system ms_system;

/* Sets blocks, equal_to and linear of a system that is laid out. Errors: MS_NO_MEMORY. */
int ms_system_fill_matrices(ms_system *system, ms_error *error);
