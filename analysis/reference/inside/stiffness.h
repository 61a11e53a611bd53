/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stiffness.h - whether stability bounds the steps of an explicit method. */
#ifndef MS_STIFFNESS_H
#define MS_STIFFNESS_H

#include <macrostep/instance.h>

/* Has the Jacobian of an instance that is at time t an eigenvalue with a real part below -rate [1/s]? False where it is not
 * known. Returns MS_OK or MS_NO_MEMORY. */
int ms_stiffness_exceeds(ms_instance *instance, double t, double rate, bool *exceeds);

#endif
