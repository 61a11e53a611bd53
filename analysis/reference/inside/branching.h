/* SPDX-License-Identifier: GPL-3.0-or-later */
/* branching.h - points from which a solution may go on in several ways.
 *
 * Where x' has an infinite derivative it satisfies no Lipschitz condition (Hairer, Norsett, Wanner 1993, I.7): x' = -sqrt(|x|) reaches zero, and
 * leaves it at any time. Two methods that leave it at the same time agree, and both say nothing. */
#ifndef MS_BRANCHING_H
#define MS_BRANCHING_H

#include <macrostep/instance.h>

/* Do solutions part at t and x (nx)? size (nx): of the states. So they do where x' drives a state away from x the more in proportion the
 * nearer it is, and by as much as x' is itself: where x' is larger, x is passed, and no solution stays. False where there is no memory. */
bool ms_solution_branches(ms_instance *instance, double t, const double *x, const double *size);

#endif
