/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver.h - micro-solvers, which integrate one subsystem over one piece of its input.
 *
 * A new micro-solver is one file and one line in solvers/inside/solver_list.h. All of them are tested by the
 * same conformance suite (tests/conformance/test_solvers.c). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <macrostep/c_linkage.h>
#include <macrostep/status.h>

MS_C_LINKAGE_BEGIN

typedef struct ms_instance ms_instance;
typedef struct ms_runge_kutta ms_runge_kutta;

/* How a solver reacts to a jump of the input (start of a macro-step or of a piece). */
typedef enum ms_input_change {
    MS_INPUT_RESTART,   /* order and step size restart, by the same rule every time */
    MS_INPUT_PROCEED,   /* the history is kept as if there were no jump */
    MS_INPUT_CORRECT_1, /* the predictor is corrected in x' (Andersson ch. 7) */
    MS_INPUT_CORRECT_2  /* ... in x' and x'' */
} ms_input_change;

/* When exact solves use a series (taylor.h), if it is accurate, instead of a map for each step length: useful if lengths
 * keep changing. */
typedef enum ms_series_use {
    MS_SERIES_NEVER,
    MS_SERIES_SAMPLES, /* for samples inside a step and external inputs; the end has the same bits as without samples */
    MS_SERIES_ALL
} ms_series_use;

typedef struct ms_solver_options {
    double rtol, atol;            /* of adaptive solvers */
    int micro_steps;              /* of fixed-step solvers: steps per piece of the input, at least 1 */
    ms_input_change input_change; /* of multistep solvers */
    bool integrals;               /* outputs are integrated too (ms_instance_create) */
    ms_series_use series;         /* of exact solves, without integrals */
} ms_solver_options;

/* How formulas that are written independently of a solver may model its steps on a linear subsystem. */
typedef enum ms_steps_form {
    MS_STEPS_OTHER,      /* unknown to them */
    MS_STEPS_EXACT,      /* the solution itself */
    MS_STEPS_RUNGE_KUTTA /* equal steps of an explicit Runge-Kutta method (ms_solver.method) */
} ms_steps_form;

/* The library whose code advances a subsystem. */
typedef enum ms_library { MS_LIBRARY_OWN, MS_LIBRARY_GSL, MS_LIBRARY_SUNDIALS } ms_library;

typedef struct ms_solver {
    const char *name, *summary, *source; /* REQUIRED */
    ms_library library;
    int order;                 /* of a fixed-step solver; 0: adaptive or exact */
    int stages;                /* of a fixed-step solver: evaluations of f in a micro-step */
    double tolerance_exponent; /* of an adaptive solver: errors of a run fall like tolerance^this; 0: like the
                                            tolerance. p/(p + 1) if errors of steps of order p are estimated by step doubling */
    bool linear_only;          /* needs the matrices of a linear subsystem */
    bool linear_map; /* state and input coefficients are mapped linearly if the subsystem is linear */
    ms_steps_form form;
    const ms_runge_kutta *method; /* REQUIRED with MS_STEPS_RUNGE_KUTTA, else NULL */
    bool adaptive;                /* controls its step size */
    bool implicit;                /* needs Jacobians */
    bool stiff;     /* on stiff subsystems it keeps its tolerance in steps longer than their fastest decay */
    bool allocates; /* its library allocates in advance() */
    bool events;    /* stops at events */
    bool residuals; /* integrates differential-algebraic subsystems */
    /* Its history spans several steps: it cannot be saved with `proceed`. Its data begin with an ms_history (micro_step.h). */
    bool multistep;
    bool corrects; /* a multistep solver that can correct its predictor */
    /* solver_data depend only on the matrices of a subsystem: instances with equal matrices can share them, one at a time */
    bool shares;
    int memory,
        state_memory; /* doubles that outlive a macro-step and are saved with the state (ms_instance.memory): per
                       instance, and per state */

    int kind;        /* OPTIONAL: distinguishes solvers with the same create() */
    const void *own; /* OPTIONAL: the same as data of its library */
    size_t
        data; /* REQUIRED: bytes of instance->solver_data, which are zero before create() and freed after destroy() */

    /* REQUIRED. Allocates everything that advance() needs. Tolerances have been checked. Errors: MS_INVALID, MS_UNSUPPORTED with
     * the reason, MS_NO_MEMORY, whose message the caller writes. */
    int (*create)(ms_instance *instance, const ms_solver_options *options, ms_error *error);
    void (*destroy)(ms_instance *instance); /* REQUIRED, safe after a failed create */

    /* REQUIRED. Integrates instance->state in place from t0 to t0 + h on the given piece of the input,
     * without evaluating the input beyond it; the input may jump at t0. Fills the places within (t0, t0 + h] (ms_micro_samples), counts instance->work, allocates nothing.
     * It calls ms_micro_done (micro_step.h) after each micro-step and passes on a stop at an event.
     * Returns MS_OK, MS_STOPPED (the state is at instance->events's time), or MS_SOLVER_FAILED. */
    int (*advance)(ms_instance *instance, int piece, double t0, double h);

    /* REQUIRED of adaptive solvers, whose advance() is ms_adaptive_advance (micro_done.h): the same, of subsystems with states and of
     * pieces that are not tiny. */
    int (*integrate)(ms_instance *instance, int piece, double t0, double h);

    /* OPTIONAL. If only the end of a step is needed and it is x = E x + G c, with x (nx) and the coefficients c of a piece:
     * E (nx x nx) and G (nx x (degree + 1) nu) for steps of length h, valid until the instance is asked for another map. Returns
     * false if it is not. */
    bool (*map)(ms_instance *instance, double h, int degree, const double **E, const double **G);

    /* REQUIRED with residuals. Makes the algebraic variables of a differential-algebraic subsystem in
     * instance->state consistent with the others and a piece of the input at t; the following steps are about h
     * long. Returns MS_OK or MS_SOLVER_FAILED. */
    int (*make_consistent)(ms_instance *instance, int piece, double t, double h);
} ms_solver;

/* Doubles of ms_instance.memory for a subsystem of nx states. */
static inline int ms_solver_memory(const ms_solver *solver, int nx)
{
    return solver->memory + solver->state_memory * nx;
}

MS_C_LINKAGE_END
