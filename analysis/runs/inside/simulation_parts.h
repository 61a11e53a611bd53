/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulation_parts.h - a step of ms_simulation_run. */
#ifndef MS_SIMULATION_PARTS_H
#define MS_SIMULATION_PARTS_H

#include <macrostep/simulation.h>

/* The errors of a simulation that has come to its end, from its trajectory, against request->against: fills errors, of_outputs and
 * errors_valid. Errors: MS_INVALID (nothing in common, a series that does not reach as far, step size control that leaves no
 * sixteenth), those of the other model or of the finer runs, MS_NO_MEMORY. */
int ms_simulation_compare(ms_simulation *simulation, const ms_simulation_options *request, ms_error *error);

/* Before the run: can options be compared with it? MS_INVALID. */
int ms_simulation_comparable(const ms_variant *variant, const ms_against *against, ms_error *error);

#endif
