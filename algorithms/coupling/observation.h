/* SPDX-License-Identifier: GPL-3.0-or-later */
/* observation.h - samples and work of macro-steps that schemes repeat: those of the last sweep alone are for observers.
 *
 * A sample inside a macro-step may cost as much as the macro-step itself. So subsystems are integrated unwatched as long as a scheme
 * iterates, and once more from its start where it has done so. States at ends have the same bits with and without samples. */
#ifndef MS_OBSERVATION_H
#define MS_OBSERVATION_H

#include <macrostep/cosim.h>

/* Observers get no samples from now on. The call changes nothing where they ask for none, with multistep micro-solvers, whose samples cost
 * next to nothing, and for subsystems with solvers of their own, whose steps are not repeated for observers. */
void ms_observation_pause(ms_cosim *cosim);

/* Observers watch again. Nothing happens where they have not been paused. */
void ms_observation_resume(ms_cosim *cosim);

/* And, before that, what all subsystems did from the state `before` over [t, t + h], under the inputs that they have, is done again for
 * them. It counts as no work. Returns what ms_execution_advance returns. */
int ms_observation_repeat(ms_cosim *cosim, const double *before, double t, double h);

#endif
