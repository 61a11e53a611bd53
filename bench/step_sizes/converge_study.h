/* SPDX-License-Identifier: GPL-3.0-or-later */
/* converge_study.h - the errors of one scheme on one system over step sizes, and the resulting order.
 *
 * A row is a record, a JSON value, so that it may come from another process (row_work.h). Rows of schemes that iterate need
 * their predecessors: epsilon goes from row to row. */
#pragma once

#include <macrostep/convergence_order.h>
#include "arguments.h"
#include "converge_iteration.h"
#include "shared_reference.h"

/* What an error may owe to something other than the step size, in its own unit, as it is estimated: grounds for suspicion, until it
 * has been tried (converge_settle.c). */
typedef struct ms_converge_uncertainty {
    double reference; /* error of the reference, and round-off */
    double solver;    /* micro-solver tolerances over one macro-step; 0: no tolerances */
    double iteration; /* epsilon; 0: no iteration */
    double epsilon;   /* of the run */
    double round_off; /* over all macro-steps */
} ms_converge_uncertainty;

/* The cause found to hold an error at its floor. */
typedef enum ms_converge_cause {
    MS_CAUSE_NONE,
    MS_CAUSE_ITERATION,
    MS_CAUSE_SOLVER,
    MS_CAUSE_REFERENCE,
    MS_CAUSE_ROUND_OFF
} ms_converge_cause;

typedef struct ms_converge_floor {
    ms_converge_cause cause;
    /* change of the error when the cause was tightened; for the reference and round-off: their possible
     * contributions */
    double moved;
} ms_converge_floor;

typedef struct ms_converge_study {
    const ms_system *system;
    ms_options options;
    int n, done;   /* number of rows, and of those taken */
    double *steps; /* (n) descending [s] */
    ms_convergence_row *rows;
    ms_converge_uncertainty *uncertain;
    ms_converge_floor *floor; /* (n) */
    char (*message)[512];     /* why a run did not end, or what limits its error */
    ms_converge_iteration iteration;
    ms_shared_reference *reference; /* for all runs; the caller's, may be NULL */
    ms_against against;             /* used instead; name NULL: none */
    int expected_order;
    json_t *scheme;             /* resolved options of the last run */
    ms_convergence_order order; /* as settled */
    double radius;              /* spectral radius of Psi(H) as H -> 0; NaN: unknown */
} ms_converge_study;

/* steps: the list, or NULL: the options' step size, or otherwise the case's, halved six times. Errors: MS_NO_MEMORY. Destroying is
 * safe after all of them. */
int ms_converge_study_create(const ms_arguments *arguments, const ms_system *system,
                             const ms_options *options, const ms_axis *steps, ms_converge_study *study,
                             ms_error *error);
void ms_converge_study_destroy(ms_converge_study *study);

/* The record of row k. Errors: those of the run; MS_INTERRUPTED, with a record. */
int ms_converge_study_run(ms_converge_study *study, int k, json_t **record, ms_error *error);

/* The record of a row that cannot run, with the reason. */
json_t *ms_converge_study_refused(const ms_converge_study *study, int k, const char *why);

/* Takes the next row, in order. */
void ms_converge_study_take(ms_converge_study *study, const json_t *record);

/* The error of row k in another run, with other options and another reference; *error_value is NaN if the run does not
 * end. Errors: MS_INTERRUPTED, MS_NO_MEMORY. */
int ms_converge_study_again(const ms_converge_study *study, int k, const ms_options *options, double epsilon,
                            const ms_against *against, double *error_value, ms_error *error);

/* The answer for the rows taken, of a settled study (converge_settle.h). NULL: no memory. */
json_t *ms_converge_study_answer(const ms_converge_study *study);
