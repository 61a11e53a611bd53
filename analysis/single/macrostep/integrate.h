/* SPDX-License-Identifier: GPL-3.0-or-later */
/* integrate.h - one model integrated by one micro-solver from start to end, without communication points:
 * the solver's own behaviour and errors.
 *
 * A model of one subsystem without wires is that subsystem, another its monolithic form (monolithic.h).
 * Adaptive solvers choose their steps over the whole run, and values at the output points come from their
 * dense output; fixed-step solvers take steps of options.step_size, and `exact` goes from output point to
 * output point. */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/error_scale.h>
#include <macrostep/options.h>
#include <macrostep/run_series.h>
#include <macrostep/work.h>

MS_C_LINKAGE_BEGIN

enum {
    MS_INTEGRATE_STEPS_MAX = 10000000,  /* micro-steps of one integration */
    MS_INTEGRATE_OUTPUTS_MAX = 1000000, /* output points */
    MS_INTEGRATE_OUTPUTS = 500          /* unless given: PyFMI's ncp */
};

/* What a row of a trajectory means. */
enum { MS_ROW_OUTPUT = 0, MS_ROW_LEFT = -1, MS_ROW_RIGHT = 1 };

/* Of a state against the reference at the output points. */
typedef struct ms_integration_error {
    double max, rmse, end;
} ms_integration_error;

typedef struct ms_integration {
    const ms_system *system;
    ms_options options; /* resolved: solver, times, and the step size of fixed-step solvers */
    int output_points;
    ms_reason reason;
    char message[512];       /* empty after end-time, unless the reference ends before that */
    double end_time;         /* time reached [s] */
    double wall_seconds;     /* of the integration alone */
    ms_work work;            /* without that of dense output at output points, ... */
    long output_evaluations; /* ... of f and g there */
    long state_events, time_events, step_events; /* an event of two kinds counts as both */
    /* Micro-steps [s], the smallest of those not cut short by a state event; NaN: none. */
    double smallest_step, largest_step;
    int lowest_order, highest_order; /* of the method; 0: fixed or not known */

    int nz;                   /* discrete variables of all subsystems */
    ms_run_series trajectory; /* time, event (MS_ROW_..), x (nx), z (nz), w (nw) */
    ms_run_series history;    /* of each micro-step: the time of its end, its length, order */
    /* Time, state, time, step (1 or 0), crossed (1, 0, -1; n_indicators), then x, z before the event and x, z
     * behind it. */
    ms_run_series events;
    int n_indicators; /* of all subsystems */

    /* there are errors, up to the time to which the reference is accurate: message gives the reason if that is not
     * the end */
    bool errors_valid;
    ms_integration_error *error; /* (nx) */
    double max, rmse, end;       /* the largest of all states */
    double reference_error;      /* of the reference itself */
    /* the last output point at which the reference was of use (reference.h) [s]; at the end NaN */
    double known_until;
    /* errors have been divided by that of their state, which has none where they are NaN */
    ms_error_scale scale;
    bool energy_known;
    double energy_start, energy_end; /* [J] */
    /* The largest |E - E_reference| at the output points where the reference is accurate, relative to |E(0)| (absolute if that is 0);
     * without errors E_reference is E(0). */
    double energy_drift;
} ms_integration;

typedef struct ms_integrate_options {
    bool errors;                                   /* against the reference */
    bool history;                                  /* of all micro-steps; else none is kept */
    const volatile sig_atomic_t *stop;             /* becomes non-zero to interrupt; may be NULL */
    void (*progress)(void *self, double fraction); /* OPTIONAL: called now and then */
    void *self;
} ms_integrate_options;

/* Integrates with options' solver, tolerances, step size (of fixed-step solvers) and times; what is not given
 * comes from the model's case, or is ms_cosim_default_solver. output_points: equal intervals, with an output
 * at each of their ends; 0: an output after each micro-step. A run that fails is MS_OK with its reason.
 * Errors: MS_INVALID (unknown solver, times, a step size that needs too many steps), MS_UNSUPPORTED (the
 * solver does not fit the model), MS_NO_SOLUTION, MS_NO_MEMORY; nothing is left to destroy then. */
int ms_integrate(const ms_system *system, const ms_options *options, int output_points,
                 const ms_integrate_options *request, ms_integration *integration, ms_error *error);
void ms_integration_destroy(ms_integration *integration); /* NULL-safe */

/* Tolerances that are not given become 1e-6 (Assimulo's): the solver is what is looked at here. */
void ms_integrate_defaults(ms_options *options);

/* The name of a column of the trajectory ("time", "event", "SUB.x.NAME", "SUB.z.NAME", "SUB.w.NAME"), of the
 * history and of the events. */
void ms_integration_trajectory_name(const void *integration, int column, char *name, size_t size);
void ms_integration_history_name(const void *integration, int column, char *name, size_t size);
void ms_integration_events_name(const void *integration, int column, char *name, size_t size);

MS_C_LINKAGE_END
