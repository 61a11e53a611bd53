/* SPDX-License-Identifier: GPL-3.0-or-later */
/* system_layout.h - what follows from the subsystems of a system, for who makes one: system.c of a model, system_part.c of some
 * subsystems of another. Private to these files. */
#ifndef MS_SYSTEM_LAYOUT_H
#define MS_SYSTEM_LAYOUT_H

#include <macrostep/system.h>

/* Totals and offsets, from the subsystems of the structure. Returns MS_OK or MS_NO_MEMORY. */
int ms_system_lay_out(ms_system *system, ms_error *error);

/* feed_through, from matrices and wires. Returns MS_OK or MS_NO_MEMORY. */
int ms_system_mark_feed_through(ms_system *system, ms_error *error);

/* x_scale and u_scale: nominal values where they are given, else start values; those that are zero have the size of the largest
 * start value of the subsystem, where that is below 1, else 1. Too small is the safe side: of a step a million times too small round-off
 * takes half the digits that are left, of one a thousand times too large the curvature does. Returns MS_OK or MS_NO_MEMORY. */
int ms_system_find_scales(ms_system *system, ms_error *error);

#endif
