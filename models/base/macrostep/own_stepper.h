/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own_stepper.h - a subsystem that brings its own solver: it is given its inputs and steps itself, and its equations are never
 * evaluated equations, as with FMUs for co-simulation.
 *
 * Such a subsystem has neither f, g nor matrices, and no events; its external inputs (nw), if any, are its only inputs; x names its
 * readable states, possibly not all. Functions that return int give 0 (MS_OK), or MS_SOLVER_FAILED if the component cannot do that;
 * said() then has the message. */
#pragma once

#include <stdbool.h>

#include <macrostep/c_linkage.h>
#include <macrostep/status.h>

MS_C_LINKAGE_BEGIN

typedef struct ms_subsystem ms_subsystem;
typedef struct ms_structure ms_structure;

/* What a subsystem can do. A mask only removes. */
typedef struct ms_capabilities {
    bool rollback;                /* save and restore */
    int input_degree;             /* highest degree of input polynomials */
    int output_derivatives;       /* highest order: 0, 1, 2 */
    bool directional_derivatives; /* gives D = dg/du */
    bool reevaluate_outputs;      /* gives outputs for other inputs without a step */
    double step;                  /* imposed macro-step [s]; 0: any, */
    bool several_steps;           /* or several of it, or */
    bool constant_step;           /* any but one for the whole run */
} ms_capabilities;

/* What a component is made for. */
typedef struct ms_stepper_setup {
    const ms_subsystem *sub;
    const double *p;  /* the run's parameter values */
    double tolerance; /* relative, of its solver where it asks for one */
} ms_stepper_setup;

/* A step under polynomial inputs: u_i(t + tau) = sum_k c[k nu + i] tau^k, 0 <= tau <= h. */
typedef struct ms_stepper_step {
    double t, h; /* [s] */
    int nu, degree;
    const double *c; /* ((degree + 1) x nu) */
} ms_stepper_step;

typedef struct ms_own_stepper {
    const char *kind; /* REQUIRED: its kind for messages: "an FMU for co-simulation" */

    /* REQUIRED. What it can do; `can` arrives with nothing. */
    void (*capabilities)(const ms_subsystem *sub, ms_capabilities *can);
    /* OPTIONAL. Sentence k about removed capabilities or other changes; NULL after the last. */
    const char *(*remark)(const ms_subsystem *sub, int k);

    /* A component is one such subsystem at work, in one thread at a time. REQUIRED; destroy is NULL-safe. Errors: with a line. */
    int (*create)(const ms_stepper_setup *setup, void **component, ms_error *error);
    void (*destroy)(void **component);

    /* REQUIRED. Begins anew at t with its start values. Up to the first step or save, outputs() answers for any inputs. */
    int (*start)(void *component, double t);
    /* REQUIRED with outputs. y (ny) for inputs u (nu); if outputs cannot be evaluated again, those of its last step. */
    int (*outputs)(void *component, const double *u, double *y);
    int (*states)(void *component, double *x);                 /* REQUIRED where nx > 0 (nx) */
    int (*step)(void *component, const ms_stepper_step *step); /* REQUIRED */

    /* REQUIRED with output_derivatives. The derivative of that order of its outputs (ny), at the end of its last step under the
     * inputs of that step, or at the start with inputs held. */
    int (*output_derivatives)(void *component, int order, double *dy);
    /* REQUIRED with directional_derivatives. D (ny x nu, by rows), which arrives zeroed. */
    int (*feed_through)(void *component, const double *u, double *D);

    /* REQUIRED with rollback. A snapshot of all that a component is; *snapshot NULL: a new one, else it is overwritten. */
    int (*save)(void *component, void **snapshot);
    int (*restore)(void *component, void *snapshot);
    void (*release)(void *component, void **snapshot);

    /* OPTIONAL. Of one that is nothing but its states, in which, and in its inputs, its steps and outputs are linear: they are written
     * before whatever it is asked for. It is saved and restored by that, whether or not it has save and restore. */
    int (*set_states)(void *component, const double *x);

    /* OPTIONAL. Makes *linear the linearisation at the start of this subsystem, or gives the reason why there is none (MS_UNSUPPORTED).
     * Memory comes from the structure; members of `sub` that do not depend on a run outlive it. Errors: MS_NO_MEMORY, without a message. */
    int (*linearise)(const ms_subsystem *sub, ms_structure *structure, ms_subsystem *linear, ms_error *error);

    const char *(*said)(const void *component); /* OPTIONAL: why it has failed; "": it did not say */
    bool (*ended)(
        const void *component); /* OPTIONAL: has it failed because it asks for the end of the run? */
} ms_own_stepper;

MS_C_LINKAGE_END
