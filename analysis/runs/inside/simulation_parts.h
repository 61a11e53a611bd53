/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulation_parts.h - steps of ms_simulation_run. */
#pragma once

#include <macrostep/simulation.h>

/* The same without a comparison (request->against), whose options are checked here. */
int ms_simulation_alone(const ms_system *system, const ms_options *options,
                        const ms_simulation_options *request, ms_simulation *simulation, ms_error *error);

/* The errors of a simulation that has come to its end, from its trajectory, against request->against: fills errors, of_outputs and
 * errors_valid. Errors: MS_INVALID (nothing in common, a series that does not reach as far, step size control that leaves no
 * sixteenth), those of the other model or of the finer runs, MS_NO_MEMORY. */
int ms_simulation_compare(ms_simulation *simulation, const ms_simulation_options *request, ms_error *error);

/* Behind the note that is there. */
void ms_simulation_add_note(ms_simulation *simulation, const char *text);

/* From when on the reference says nothing, behind the note that is there. */
void ms_simulation_note_horizon(ms_simulation *simulation);

/* An interruption is how a run ends; a failure destroys it. Returns the status. */
int ms_simulation_end(ms_simulation *simulation, int status);
