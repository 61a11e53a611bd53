/* SPDX-License-Identifier: GPL-3.0-or-later */
/* port_work.h - the work that enters a subsystem through its ports over a macro-step, by quadrature that never integrates across a
 * kink.
 *
 * Through a port the power P = gain y u enters (ms_port), with the inputs u actually applied and the outputs y for them; W = int P
 * dt. P is smooth between the ends of the input's pieces, the rows of `inputs`, the times that the subsystem announces (next_time),
 * and its events. `exact` gives the state at any time: from one of the first three, which are known before the macro-step, to the next it
 * is sampled at the nodes of Gauss and Legendre, four on a panel. There is one panel on a stretch, two on one that is longer than
 * half the macro-step, and more (at most 128) where the fastest motion of the subsystem asks for them. Any other micro-solver ends its
 * micro-steps at all of these: on its dense output panels of five nodes are halved until a panel agrees with its halves to 1e-11 of
 * int |P| dt.
 *
 * With four nodes on a length l the error is at most 1.1e-12 l^9 max |d^8 P / dt^8|, plus that of the micro-solver's states there.
 * Besides the ends of pieces, a macro-step is split at up to MS_PORT_WORK_KINKS known times. Computing work never changes a run. It
 * is NaN for a subsystem whose outputs depend on u' (uses_du) or that steps itself. */
#pragma once

#include <macrostep/instance.h>

enum { MS_PORT_WORK_KINKS = 32 };

/* Records the work of each macro-step from now on: ms_port_work_values. To be called after ms_instance_sample. Does nothing without
 * ports. Returns MS_OK or MS_NO_MEMORY. */
int ms_port_work_create(ms_instance *instance);
void ms_port_work_destroy(ms_instance *instance); /* NULL-safe */

/* Called before a macro-step, and after it. */
void ms_port_work_begin(ms_instance *instance);
void ms_port_work_end(ms_instance *instance);

/* Called by ms_micro_done after a micro-step from `from` to `to`. */
void ms_port_work_inside(ms_instance *instance, int piece, double from, double to, ms_micro_dense *dense,
                         void *solver);

/* Work [J] through each port over the last macro-step (n_ports). */
double *ms_port_work_values(const ms_instance *instance);
