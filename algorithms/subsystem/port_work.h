/* SPDX-License-Identifier: GPL-3.0-or-later */
/* port_work.h - the work that enters a subsystem through its ports over a macro-step, by quadrature that never integrates over a kink.
 *
 * Through a port the power P = gain y u enters (ms_port), with the inputs u that the subsystem really has and its own outputs y for
 * them; W = int P dt. P is smooth between the ends of the input's pieces, the rows of `inputs`, the times that the subsystem
 * announces (next_time), and its events. The first three are known before the macro-step: from one to the next the state is sampled
 * at the nodes of Gauss and Legendre, four on a stretch, four on each half of one that is longer than half the macro-step. Where
 * events are located, or a law of power has a threshold, what is smooth comes to light micro-step by micro-step: each of them has
 * five nodes on the micro-solver's dense output.
 *
 * With four nodes on a length l the error is at most 1.1e-12 l^9 max |d^8 P / dt^8|, beside that of the states that the micro-solver
 * gives there. Of known times in one macro-step MS_PORT_WORK_KINKS are split at, beside the ends of pieces. Work never changes a
 * run. That of a subsystem whose outputs depend on u' (uses_du), or that steps itself, is NaN. */
#ifndef MS_PORT_WORK_H
#define MS_PORT_WORK_H

#include <macrostep/instance.h>

enum { MS_PORT_WORK_KINKS = 32 };

/* From now on the work of each macro-step is kept: ms_port_work_values. To be called after ms_instance_sample. Nothing where there are
 * no ports. Returns MS_OK or MS_NO_MEMORY. */
int ms_port_work_create(ms_instance *instance);
void ms_port_work_destroy(ms_instance *instance); /* safe where there is none */

/* Before a macro-step, and after it has been taken. */
void ms_port_work_begin(ms_instance *instance);
void ms_port_work_end(ms_instance *instance);

/* After a micro-step from `from` to `to`, for ms_micro_done. */
void ms_port_work_inside(ms_instance *instance, int piece, double from, double to, ms_micro_dense *dense,
                         void *solver);

/* [J] through each port over the last macro-step (n_ports). */
double *ms_port_work_values(const ms_instance *instance);

#endif
