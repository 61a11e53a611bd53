/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_control.h - decides the length of macro-steps: one method of a table for each run.
 *
 *     equal        H given, shorter before the end and at time events
 *     halving      half of a macro-step whose iteration failed, and longer again later (schemes that retry)
 *     scheme       the scheme decides itself
 *     richardson   error estimates by extrapolation, textbook
 *     pyfmi        the same as in PyFMI's master algorithm
 *     predictor-corrector   from the correction of predicted inputs, together with the degree of inputs
 *     ecco         from the energy that bonds lost in the last macro-step; no step is rejected
 *     oms          from the error of held inputs, as in OMSimulator
 *
 * A new method is declared in inside/step_control_method.h and gets a line in step_control.c; if users can select it,
 * also a value of `error-controlled` in control_options.c. */
#pragma once

#include <macrostep/cosim.h>

/* One attempt at a macro-step from the present time t. */
typedef struct ms_step_attempt {
    double t, h;     /* [s] */
    double next;     /* the time at its end [s]: t + h as all clocks have it */
    bool rejected;   /* the co-simulation is at t again, and a shorter attempt follows, */
    bool underflow;  /* unless it would be too short */
    bool judged;     /* there is an error estimate, */
    double estimate; /* in units of the tolerance */
} ms_step_attempt;

typedef struct ms_step_control ms_step_control;

/* For the co-simulation's variant. Errors: MS_UNSUPPORTED (a subsystem cannot roll back), MS_NO_MEMORY. */
int ms_step_control_create(ms_cosim *cosim, ms_step_control **control, ms_error *error);
void ms_step_control_destroy(ms_step_control **control); /* NULL-safe */

/* Does it look at inputs and outputs after each macro-step? */
bool ms_step_control_watches(const ms_step_control *control);

/* Attempts the next macro-step from t and describes it in *attempt. Returns MS_OK (the co-simulation is at
 * attempt->next), or a status with the message in cosim->error; MS_STEP_REJECTED if `rejected` is set. */
int ms_step_control_attempt(ms_step_control *control, double t, ms_step_attempt *attempt);
