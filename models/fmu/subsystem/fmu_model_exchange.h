/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_model_exchange.h - an FMU for model exchange as a subsystem with equations: f, g, Jacobians by directional derivatives where
 * it declares them, events. In the words of Andersson (2016), 2.1: x' = f, y = g (2.1), event indicators (2.2), the next time event (2.3),
 * step events by completedIntegratorStep (2.4), and what an initialisation makes of start values (2.5); partial derivatives (2.8).
 *
 * Functions of a subsystem are pure and may be called by any number of threads; components are neither. Each evaluation takes a
 * component for itself and sets time, states and inputs before it reads. What events leave behind within an FMU (discrete states,
 * which branch of a condition holds) is not in its continuous states: where it can be, the FMUState is kept after each event, and its number is the
 * discrete variable z[0], which is saved and restored with all others; an evaluation at another number restores that FMUState first. The
 * last 1024 are kept, and that of the start. z[1] is the next time event. So an FMU with events has one component, and its
 * evaluations take turns; without events there are as many components as threads evaluate at once.
 *
 * An FMU whose state cannot be kept goes through its events once: a run that has to go back before one ends.
 *
 * Discrete inputs that are wired may change in event mode alone: that they are others than at the last event is an event, of the one
 * event indicator behind those of the FMU, and from z[2] on stands what they were there. Functions at other ones go through such an
 * event and back. Where it has none that change there is nothing of this.
 *
 * Events are looked for where an FMU has event indicators, a time event at its start, or asks for completedIntegratorStep. */
#ifndef MS_FMU_MODEL_EXCHANGE_H
#define MS_FMU_MODEL_EXCHANGE_H

#include <macrostep/model.h>
#include "fmu.h"

/* Fills *sub; of the setup name, settings and start time count, and are copied but for the name. The structure owns memory and components;
 * the FMU (of MS_FMU_MODEL_EXCHANGE) outlives it. driven: its inputs are external ones. x0 are the states after an initialisation with the inputs' start values.
 * Errors: MS_INVALID, MS_SOLVER_FAILED (it does not start, in its own
 * words), MS_NO_MEMORY. */
int ms_fmu_model_exchange(const ms_fmu *fmu, const ms_fmu_setup *setup, const ms_fmu_map *const *map,
                          bool driven, ms_structure *structure, ms_subsystem *sub, ms_error *error);

#endif
