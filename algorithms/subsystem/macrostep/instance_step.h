/* SPDX-License-Identifier: GPL-3.0-or-later */
/* instance_step.h - creates and destroys an instance, and advances it by a macro-step. */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/instance.h>

MS_C_LINKAGE_BEGIN

/* Arguments of ms_instance_create. */
typedef struct ms_instance_parts {
    const ms_system *system;
    int index; /* of the subsystem */
    const ms_solver *solver;
    const ms_solver_options *options; /* read only by ms_instance_create */
    double *x, *z, *memory;           /* (nx), (nz), (solver->memory): they outlive the instance */
    ms_input_room room;               /* capacity of the inputs; no pieces: the maximum */
    /* (ms_input_size), zero: they outlive the instance; NULL: allocated by the instance */
    double *coefficients;
    const double *hold; /* OPTIONAL (nu): ms_instance_hold */
    /* OPTIONAL: an instance with the same matrices and options; its scratch is shared, and its solver_data if the solver
     * supports it. The two are never used at the same time, and the lender is destroyed later. */
    ms_instance *lender;
    bool unsolved; /* it is not integrated in this process, or not so far, and has no solver_data */
    /* OPTIONAL (n_feedback): laws that hold in every macro-step. Their outputs do not depend directly on their
     * inputs */
    const ms_input_law *feedback;
    int n_feedback;
} ms_instance_parts;

/* An instance of a subsystem with full capabilities.
 * If the options ask for integrals, it integrates its outputs over each macro-step: q' = g(t, x, u) with q = 0 at the
 * start are additional states of the micro-solver, outside its error control. Errors: MS_UNSUPPORTED (the solver does
 * not fit the subsystem), MS_NO_MEMORY. */
int ms_instance_create(const ms_instance_parts *parts, ms_instance **instance, ms_error *error);
void ms_instance_destroy(ms_instance **instance);

/* Gives an unsolved one the data of its solver. Errors: MS_INVALID (tolerances), those of the solver, MS_NO_MEMORY. */
int ms_instance_solve(ms_instance *instance, const ms_solver_options *options, ms_error *error);

/* Samples the state at n ascending fractions in (0, 1] of each macro-step from now on. Returns MS_OK or MS_NO_MEMORY. */
int ms_instance_sample(ms_instance *instance, int n, const double *fractions);
/* The same; if `work` is set, also records the work through its ports (port_work.h). */
int ms_instance_observe(ms_instance *instance, int n, const double *fractions, bool work);

/* Switches samples and work of the following macro-steps on or off; initially they are on. States at ends have the same bits
 * either way. */
void ms_instance_watch(ms_instance *instance, bool watched);

/* For a subsystem that brings its own solver: restarts at t. Others keep their start values. Returns MS_OK or
 * MS_SOLVER_FAILED. */
int ms_instance_start(ms_instance *instance, double t);

/* For such a subsystem: stores what the blocks do not hold, so that they can be restored: for the last MS_COMPONENT_SNAPSHOTS times. */
int ms_instance_keep(ms_instance *instance);

/* Makes the algebraic variables in x consistent with the others and the first piece of the input at t, before
 * a macro-step of length h. Returns MS_OK or MS_SOLVER_FAILED. */
int ms_instance_make_consistent(ms_instance *instance, double t, double h);

/* Sets the inputs that keep a value (hold) to it on all pieces. Steps do this themselves. */
void ms_instance_hold(const ms_instance *instance);

/* Advances x from t to t + h under instance->input, whose last piece must end at h.
 * Returns MS_OK or MS_SOLVER_FAILED. */
int ms_instance_step(ms_instance *instance, double t, double h);

MS_C_LINKAGE_END
