/* SPDX-License-Identifier: GPL-3.0-or-later */
/* instance_step.h - an instance is made, takes its macro-steps, and goes. */
#ifndef MS_INSTANCE_STEP_H
#define MS_INSTANCE_STEP_H

#include <macrostep/c_linkage.h>
#include <macrostep/instance.h>

MS_C_LINKAGE_BEGIN

/* What an instance is made of. */
typedef struct ms_instance_parts {
    const ms_system *system;
    int index; /* of the subsystem */
    const ms_solver *solver;
    const ms_solver_options *options; /* read by ms_instance_create alone */
    double *x, *z, *memory;           /* (nx), (nz), (solver->memory): they outlive the instance */
    ms_input_room room;               /* of the inputs; of no pieces: as much as there can be */
    double *coefficients;             /* (ms_input_size), zero: they outlive the instance; NULL: its own */
    const double *hold;               /* OPTIONAL (nu): ms_instance_hold */
    /* OPTIONAL: an instance of the same matrices and options, whose scratch this one uses, and its solver_data where the solver
     * can share. Both are never used at a time, and the lender is destroyed later. */
    ms_instance *lender;
    bool elsewhere; /* another process integrates it: no solver_data */
    /* OPTIONAL (n_feedback): laws that hold in every macro-step. Their outputs do not depend directly on their
     * inputs */
    const ms_input_law *feedback;
    int n_feedback;
} ms_instance_parts;

/* An instance of a subsystem with full capabilities.
 * Where the options ask for integrals it integrates its outputs over each macro-step: q' = g(t, x, u) with
 * q = 0 at the start are further states of the micro-solver, outside its error control. Errors:
 * MS_UNSUPPORTED (the solver does not fit the subsystem), MS_NO_MEMORY. */
int ms_instance_create(const ms_instance_parts *parts, ms_instance **instance, ms_error *error);
void ms_instance_destroy(ms_instance **instance);

/* The state is sampled at n ascending fractions in (0, 1] of each macro-step from now on. Returns MS_OK or MS_NO_MEMORY. */
int ms_instance_sample(ms_instance *instance, int n, const double *fractions);
/* And, where `work` says so, the work through its ports is kept (port_work.h). */
int ms_instance_observe(ms_instance *instance, int n, const double *fractions, bool work);

/* Are samples and work wanted of the macro-steps to come? They are until somebody says that they are not; states at ends have the same
 * bits. */
void ms_instance_watch(ms_instance *instance, bool watched);

/* For a subsystem that brings its own solver: begins anew at t. Others have their start values. Returns MS_OK or
 * MS_SOLVER_FAILED. */
int ms_instance_start(ms_instance *instance, double t);

/* The same: has what the blocks do not hold kept, so that they can be restored: of the last MS_OWN_SNAPSHOTS times. */
int ms_instance_keep(ms_instance *instance);

/* Makes the algebraic variables in x consistent with the others and the first piece of the input at t, before
 * a macro-step of length h. Returns MS_OK or MS_SOLVER_FAILED. */
int ms_instance_make_consistent(ms_instance *instance, double t, double h);

/* Whatever is there of inputs that are to keep a value (hold), they do on all pieces. Steps do it themselves. */
void ms_instance_hold(const ms_instance *instance);

/* Advances x from t to t + h under instance->input, whose last piece must end at h.
 * Returns MS_OK or MS_SOLVER_FAILED. */
int ms_instance_step(ms_instance *instance, double t, double h);

MS_C_LINKAGE_END

#endif
