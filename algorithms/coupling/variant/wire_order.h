/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wire_order.h - what the wires of a system, and the order in which a scheme takes its subsystems, say of orders of convergence.
 *
 * A wire is felt unless its gain is zero, or linear subsystems at its ends give or take nothing: a row of C and D, or a column of B and
 * D, that is zero. rank (n): the place of each subsystem in the order. */
#ifndef MS_WIRE_ORDER_H
#define MS_WIRE_ORDER_H

#include <macrostep/system.h>

/* Does every wire that is felt lead from a subsystem to one that comes later? */
bool ms_wires_run_forward(const ms_system *system, const int *rank);

/* An output of b that answers directly to an input makes a path from what feeds the input, a, over b to what reads the output, c.
 * Do all of these run straight through the order, a before b before c or the other way round? */
bool ms_feed_through_runs_straight(const ms_system *system, const int *rank);

/* Is there a path of two such outputs, the one answering to the other? In an algebraic loop there is. */
bool ms_feed_through_is_chained(const ms_system *system);

#endif
