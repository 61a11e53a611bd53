/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_control.h - what decides the length of macro-steps where they are not equal. */
#ifndef MS_STEP_CONTROL_H
#define MS_STEP_CONTROL_H

#include "cosim.h"

/* The outcome of one call of a controller. */
typedef struct ms_step_outcome {
    double h;        /* length of the accepted step, or of the rejected attempt [s] */
    double estimate; /* error estimate in units of the tolerance */
    double next;     /* proposal for the next attempt [s] */
} ms_step_outcome;

typedef struct ms_step_control {
    int kind;  /* ms_error_control */
    int order; /* extrapolation order + 1: the order of the scheme */
    double rtol, atol, min_step, max_step;
    double *before; /* the saved state (ms_cosim_state_size) */
    double *full;   /* states or outputs after the full step */
} ms_step_control;

/* For the cosim's options. Errors: MS_UNSUPPORTED (a subsystem cannot roll back), MS_NO_MEMORY. */
int ms_step_control_create(const ms_cosim *cosim, ms_step_control *control, ms_error *error);
void ms_step_control_destroy(ms_step_control *control);

/* Attempts a step of length h from t. Returns MS_OK (the co-simulation stands at t + h), MS_STEP_REJECTED (it
 * stands at t again) or what the scheme's step returned. */
int ms_step_control_attempt(const ms_step_control *control, ms_cosim *cosim, double t, double h,
                            ms_step_outcome *outcome);

#endif
