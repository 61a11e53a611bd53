/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_control_method.h - a method of step control, for the files of step_control.h. */
#pragma once

#include "step_control.h"

/* Equal steps base + n H up to the end; where H does not divide the way there, a shorter one at last. */
typedef struct ms_step_grid {
    double base, H, end;
    long whole, steps, n; /* numbers of whole steps, of all, and of those taken */
} ms_step_grid;

/* A step from attempt->t of length attempt->h, with its estimate, and a proposal for the next attempt [s]. Returns MS_OK or
 * MS_STEP_REJECTED, with the state restored. */
typedef int ms_step_trial(ms_step_control *control, ms_step_attempt *attempt, double *proposed);

typedef struct ms_step_method {
    bool watches; /* it looks at inputs and outputs after each macro-step, wherever they are kept */
    /* OPTIONAL. Allocates and prepares. Errors: MS_UNSUPPORTED, MS_NO_MEMORY. */
    int (*create)(ms_step_control *control, ms_error *error);
    /* One of the two. As ms_step_control_attempt; t and nothing else of *attempt is set. trial: of ms_step_by_trial, and how it judges. */
    int (*attempt)(ms_step_control *control, ms_step_attempt *attempt);
    ms_step_trial *trial;
    const void *rule;
} ms_step_method;

extern const ms_step_method ms_step_richardson, ms_step_pyfmi, ms_step_predictor_corrector, ms_step_ecco,
    ms_step_oms;

struct ms_step_control {
    const ms_step_method *method;
    ms_cosim *cosim;
    double h;          /* length of the next step unless cut by an event or the end [s] */
    ms_step_grid grid; /* of equal steps; with halving since they are equal */
    int order;         /* of the scheme: error estimates */
    double error;      /* of the last step, ecco; 0: there was none */
    double *before;    /* the saved state (ms_cosim_state_size) */
    double *full;      /* states or outputs after the full step */
    bool *able,
        *others; /* oms: which subsystems roll back and are judged, and which step afterwards (n each); NULL: all are judged */
};

/* The attempt by method->trial: of length control->h, cut by time events and the end. */
int ms_step_by_trial(ms_step_control *control, ms_step_attempt *attempt);
/* Allocates the state before a trial, followed by `values` doubles, and sets control->full and the first length. Errors:
 * MS_UNSUPPORTED (a subsystem cannot roll back), MS_NO_MEMORY. */
int ms_step_trials_create(ms_step_control *control, size_t values, ms_error *error);
/* The same without checking rollback. Errors: MS_NO_MEMORY. */
int ms_step_trials_allocate(ms_step_control *control, size_t values, ms_error *error);

/* The shortest step that advances the time at t [s]. */
double ms_step_smallest(const ms_cosim *cosim, double t);
