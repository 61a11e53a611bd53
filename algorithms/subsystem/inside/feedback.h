/* SPDX-License-Identifier: GPL-3.0-or-later */
/* feedback.h - laws that hold in every macro-step of an instance: u_k = p_k + g y_j (input_law.h). instance_step.c makes and
 * destroys them; private to these files. */
#ifndef MS_FEEDBACK_H
#define MS_FEEDBACK_H

#include <macrostep/instance.h>

/* The instance has n laws from now on. The matrices that they make of a linear one are instance->closed: with b and d the columns
 * of B and D of u_k, and c, d_j, f the rows of C, D, F of y_j,
 *
 *     A + g b c,   B + g b d_j,   E + g b f,   C + g d c,   D + g d d_j,   F + g d f,
 *
 * all of them added up. Returns MS_OK or MS_NO_MEMORY. */
int ms_feedback_create(ms_instance *instance, int n, const ms_input_law *laws);
void ms_feedback_destroy(ms_instance *instance); /* safe where there is none */

#endif
