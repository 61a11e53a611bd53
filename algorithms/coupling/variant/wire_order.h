/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wire_order.h - orders of convergence depending on the wires of a system and the sequence in which a scheme takes its subsystems.
 *
 * A wire has an effect unless its gain is zero, or linear subsystems at its ends do not use it: a row of C and D, or a column of B and
 * D, is zero. rank (n): the place of each subsystem in the sequence. */
#pragma once

#include <macrostep/system.h>

/* Does every wire with an effect lead to a subsystem that comes later? */
bool ms_wires_run_forward(const ms_system *system, const int *rank);

/* Does a wire with an effect lead from a subsystem to itself? */
bool ms_wires_turn_back(const ms_system *system);

/* An output of b that depends directly on an input defines a path from the feeder a of the input over b to the reader c of the output.
 * Do all of these run straight through the sequence, a before b before c or the reverse? */
bool ms_feed_through_runs_straight(const ms_system *system, const int *rank);

/* Is there a path of two such outputs, the one answering to the other? In an algebraic loop there is. */
bool ms_feed_through_is_chained(const ms_system *system);
