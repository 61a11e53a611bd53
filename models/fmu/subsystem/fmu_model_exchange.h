/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_model_exchange.h - an FMU for model exchange as a subsystem with equations: f, g, Jacobians by directional derivatives if declared, events.
 * In the words of Andersson (2016), 2.1: x' = f, y = g (2.1), event indicators (2.2), the next time event (2.3), step events by
 * completedIntegratorStep (2.4), and the initialisation of start values (2.5); partial derivatives (2.8).
 *
 * Functions of a subsystem are pure and may be called by any number of threads; components are neither. Each evaluation takes a component
 * exclusively and sets time, states and inputs before it reads. Effects of events inside an FMU (discrete states, active branches of conditions)
 * are not in its continuous states: if possible, the FMUState is stored after each event, and its number is the discrete variable z[0], which is
 * saved and restored with all others; an evaluation at another number restores that FMUState first. The last 1024 are stored, and that of the
 * start. z[1] is the next time event. So an FMU with events has one component, and its evaluations take turns; without events there are as many
 * components as threads evaluate at once.
 *
 * An FMU whose state cannot be stored passes its events once: a run that must go back before an event ends.
 *
 * Connected discrete inputs may change only in event mode: a change since the last event is an event of one additional event indicator after
 * those of the FMU, and their values at the last event are stored from z[2] on. Evaluations at other values pass through such an event and back.
 * This applies only if such inputs can change.
 *
 * Events are detected if an FMU has event indicators, a time event at its start, or asks for completedIntegratorStep. */
#pragma once

#include <macrostep/model.h>
#include "fmu.h"

/* Fills *sub; name, settings and start time of the setup are used, and all but the name are copied. The structure owns memory and components; the FMU
 * (of MS_FMU_MODEL_EXCHANGE) outlives it. x0 are the states after an initialisation with the inputs' start
 * values. Errors: MS_INVALID, MS_SOLVER_FAILED (it does not start, with its own message), MS_NO_MEMORY. */
int ms_fmu_model_exchange(const ms_fmu *fmu, const ms_fmu_setup *setup, const ms_fmu_wiring *wiring,
                          ms_structure *structure, ms_subsystem *sub, ms_error *error);
