/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.h - every choice of a run, with its name, range and meaning in one table.
 *
 * The command line, the sweeps and the JSON answers all read the table in options.c; a new option is a
 * member here and a line there. Which options a scheme family knows is said in its ms_scheme; which ones
 * formulas and claims know, in lists of modelled.h. */
#ifndef MS_OPTIONS_H
#define MS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "choices.h"
#include "status.h"

enum { MS_MASKS_MAX = 64, MS_TEXT_MAX = 512, MS_OPTIONS_MAX = 64 };

struct ms_options {
    /* scheme */
    char scheme[32];
    int extrapolation_order;
    int derivatives;
    int outputs;
    int smooth_coupling;
    char sweep_order[MS_TEXT_MAX]; /* Gauss-Seidel: names of subsystems, commas between; empty: the model's
                                      order */
    int as_printed;
    int balance_error, balance_hat, balance_steps;
    int at_events;
    int at_time_events;
    int fallback;
    double fallback_threshold; /* not given: the scheme's own */
    int calibration, error_normalization, scheduler;
    double damping;                      /* [1/s] */
    char smooth_subsystems[MS_TEXT_MAX]; /* names, separated by commas; empty: all */
    double ratio_min, ratio_max;         /* of a step to the one before */
    int solver_nonlinear, backend;
    double epsilon;
    int max_iterations;
    int step_rule;
    int start;
    int initial_inputs;
    int output_derivatives;
    int execution;
    /* Of the execution parallel; 0: as many as OpenMP takes. Not in the table: no result depends on it. */
    int num_threads;
    /* macro-steps */
    double step_size; /* [s] */
    int error_controlled;
    double rtol, atol;
    double min_step, max_step; /* [s] */
    /* micro-solver */
    char solver[32]; /* empty: exact for linear models, cvode-bdf for others */
    double solver_rtol, solver_atol;
    int input_change;
    int micro_steps;
    /* run */
    double start_time, stop_time; /* [s] */
    int norm;
    char mask[MS_MASKS_MAX][64]; /* SUBSYSTEM:CAPABILITY[=VALUE] */
    int n_masks;
    /* which options were given (bit k: line k of ms_option_table) */
    bool given[MS_OPTIONS_MAX];
};

typedef enum ms_option_kind {
    MS_OPTION_CHOICE, /* int: index in choices */
    MS_OPTION_INTEGER,
    MS_OPTION_REAL,
    MS_OPTION_TEXT,  /* char[] of length size */
    MS_OPTION_FLAGS, /* int: bits, a comma list of choices; no value: all */
    MS_OPTION_LIST   /* repeated char[64] with a count behind it: masks */
} ms_option_kind;

typedef struct ms_option {
    const char *name; /* without the leading dashes */
    ms_option_kind kind;
    size_t offset, size;
    const char *const *choices;        /* ends with NULL */
    const char *(*name_of)(int index); /* or, where they are names of a registry: NULL beyond the last */
    int bare;                          /* value of a choice given without one; -1: a value is needed */
    double min, max;
    bool min_excluded;
    bool common; /* every scheme knows it */
    /* Macro-steps of given length are the same whatever it is, up to tolerances: it chooses lengths, where a
     * run begins and ends, how errors are measured, or where the work is done. What does not say so may
     * matter, see modelled.h. */
    bool same_step;
    const char *summary;
} ms_option;

extern const ms_option ms_option_table[]; /* ends with an empty name */

/* The index of the option in the table, or -1. */
int ms_option_find(const char *name);

/* Defaults; step size and times are left 0 (to be taken from the model's case). */
void ms_options_default(ms_options *options);

/* Sets one option from text; value may be NULL for options that allow it. "linear-correction" stands for
 * outputs = corrected. Errors: MS_INVALID with a line that names the option, the value and what would be
 * right. */
int ms_options_set(ms_options *options, const char *name, const char *value, ms_error *error);

/* Has the option choices? */
static inline bool ms_option_has_choices(const ms_option *option)
{
    return option->kind == MS_OPTION_CHOICE || option->kind == MS_OPTION_FLAGS;
}

/* Choice k of an option that has them, or NULL beyond the last. */
static inline const char *ms_option_choice_at(const ms_option *option, int k)
{
    return option->name_of != NULL ? option->name_of(k) : option->choices[k];
}

/* The name of a choice's current value. */
const char *ms_option_choice(const ms_options *options, const char *name);

#endif
