/* SPDX-License-Identifier: GPL-3.0-or-later */
/* observation.h - samples and work of macro-steps that schemes repeat: observers see only the last sweep.
 *
 * A sample inside a macro-step may cost as much as the macro-step itself. So subsystems are integrated without samples while a scheme
 * iterates, and once more from its start afterwards. States at ends have the same bits with and without samples. */
#pragma once

#include <macrostep/cosim.h>

/* Observers get no samples from now on. The call changes nothing where they ask for none, with multistep micro-solvers, whose samples cost
 * next to nothing, and for subsystems with solvers of their own, whose steps are not repeated for observers. */
void ms_observation_pause(ms_cosim *cosim);

/* Observers watch again. Nothing happens where they have not been paused. */
void ms_observation_resume(ms_cosim *cosim);

/* Before that, repeats the step of all subsystems from the state `before` over [t, t + h] under their present inputs for
 * observers. It is not counted as work. Returns what ms_execution_advance returns. */
int ms_observation_repeat(ms_cosim *cosim, const double *before, double t, double h);
