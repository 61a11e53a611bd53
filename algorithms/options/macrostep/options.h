/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.h - every choice of a run, with its name, range and meaning in one table.
 *
 * The command line, the sweeps and the JSON answers all read the table in option_table.c; a new option is its name in
 * option_id.h, a member here or in family_options.h, and a line there. Which options a scheme family knows is said in its ms_scheme; which ones
 * formulas and claims know, in lists of modelled.h. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <macrostep/c_linkage.h>
#include <macrostep/family_options.h>
#include <macrostep/option_id.h>
#include <macrostep/status.h>

MS_C_LINKAGE_BEGIN

enum { MS_MASKS_MAX = 64, MS_MASK_MAX = 64, MS_WORK_FACTOR = 1000 };

/* Who else than the user has set an option: `as`, by a default or for good, or a model's file, by a default (file_defaults.h). */
typedef enum ms_set_by { MS_SET_BY_NO_OTHER, MS_SET_BY_PRESET, MS_FIXED_BY_PRESET, MS_SET_BY_FILE } ms_set_by;

struct ms_options {
    char scheme[32];
    int as; /* the master of another tool that these options mean (preset.h); 0: none */
    /* Gauss-Seidel: names of subsystems, commas between; empty: the model's order */
    char sequence[MS_TEXT_MAX];
    ms_extrapolation_options extrapolation;
    ms_balance_options balance;
    ms_f3ornits_options f3ornits;
    ms_iteration_options iteration;
    ms_multirate_options multirate;
    ms_line_options lines;
    ms_initial_options initial;
    ms_control_settings control;
    int at_time_events;
    int execution;
    /* Of the execution parallel; 0: the number that OpenMP takes. Not in the table: no result depends on it. */
    int num_threads;
    struct ms_execution_mpi *
        ranks; /* of the execution mpi (execution_ranks.h), not in the table either; NULL: MPI does not run */
    /* micro-solver */
    char solver[32];             /* empty: exact for linear models, automatic for others */
    char solver_of[MS_TEXT_MAX]; /* SUBSYSTEM=NAME with commas between; empty: all have `solver` */
    double solver_rtol, solver_atol;
    int input_change;
    int micro_steps;
    /* run */
    double step_size, start_time, stop_time; /* [s] */
    double max_steps;   /* macro-steps and attempts; 0: work_factor times those planned */
    double work_factor; /* MS_WORK_FACTOR */
    int norm, error_scale, errors;
    char mask[MS_MASKS_MAX][MS_MASK_MAX]; /* SUBSYSTEM:CAPABILITY[=VALUE] */
    int n_masks;
    /* which options were given, by `as` too where it leaves no choice, or by a file */
    bool given[MS_OPTIONS];
    unsigned char set_by[MS_OPTIONS]; /* ms_set_by: which of them `as` or a file has set */
};

/* Was it given, other than by a file? Then it must be applicable. */
static inline bool ms_option_asked(const ms_options *options, int k)
{
    return options->given[k] && options->set_by[k] != MS_SET_BY_FILE;
}

typedef enum ms_option_kind {
    MS_KIND_CHOICE, /* int: index in choices */
    MS_KIND_INTEGER,
    MS_KIND_REAL,
    MS_KIND_TEXT,   /* char[] of length size; size 0: a text that its owner keeps */
    MS_KIND_FLAG,   /* bool: was it given? Takes no value */
    MS_KIND_FLAGS,  /* int: bits, a comma list of choices; no value: all */
    MS_KIND_LIST,   /* repeated char[64] with a count (int) behind the array: masks */
    MS_KIND_PAIRS,  /* "NAME[=VALUE],..", */
    MS_KIND_RANGE,  /* "NAME=RANGE", */
    MS_KIND_SHARD,  /* "I/N" and */
    MS_KIND_LENGTH, /* double: "8cm", [cm]: read by the commands, whose options these are alone */
} ms_option_kind;

typedef struct ms_option {
    const char *name; /* without the leading dashes */
    ms_option_kind kind;
    size_t offset, size;
    const char *const *choices;        /* ends with NULL */
    const char *(*name_of)(int index); /* or, where they are names of a registry: NULL beyond the last */
    int bare;                          /* value of a choice given without one; -1: a value is needed */
    /* what means a value in help; NULL: its choices, its range, or a word for the kind */
    const char *value;
    const char *alias;       /* OPTIONAL: the name of an option without a value, which means this one with */
    const char *alias_value; /* that value */
    const char *former;      /* OPTIONAL: the name that the option once had; it is read, and shown nowhere */
    double min, max;
    bool min_excluded, max_excluded;
    bool common; /* every scheme knows it */
    /* Macro-steps of given length are the same whatever it is, up to tolerances: it chooses lengths, where a
     * run begins and ends, how errors are measured, or where the work is done. What does not say so may
     * matter, see modelled.h. */
    bool same_step;
    const char *summary;
} ms_option;

extern const ms_option ms_option_table[MS_OPTIONS + 1]; /* by ms_option_id; ends with a NULL name */

/* The index of the option of that name, or of that former name, in the table, or -1. */
int ms_option_find(const char *name);

/* The index of the option that has the alias, or -1. */
int ms_option_find_alias(const char *alias);

/* Defaults; step size and times are left 0 (to be taken from the model's case). */
void ms_options_default(ms_options *options);

/* The text as a decimal number; false if it is not a number, not finite, or followed by other text. */
bool ms_option_number(const char *text, double *value);
bool ms_option_has_unit(const char *text); /* a number with letters behind it, as 1ms or 15kN/m */

/* Reads a value into the option's member of `structure`, whichever structure its offset belongs to; value may be
 * NULL for options that allow it. Errors: MS_INVALID with a line that names the option, the value and what
 * would be right. */
int ms_option_read(const ms_option *option, const char *value, void *structure, ms_error *error);

/* Has the option choices? */
static inline bool ms_option_has_choices(const ms_option *option)
{
    return option->kind == MS_KIND_CHOICE || option->kind == MS_KIND_FLAGS;
}

/* The index of the choice that is the first `length` characters of word, or -1. */
int ms_option_choice_index(const ms_option *option, const char *word, size_t length);

/* Choice k of an option that has them, or NULL beyond the last. */
static inline const char *ms_option_choice_at(const ms_option *option, int k)
{
    return option->name_of != NULL ? option->name_of(k) : option->choices[k];
}

/* The name of a choice's current value. */
const char *ms_option_choice(const ms_options *options, ms_option_id option);

/* What a run takes from the model's case where it was left open: the step size [s], and the stop time, which is
 * the case's length [s] after the start; and the most steps, work_factor times those from start to stop. The length of the run, of
 * which the difference of the two times has lost digits. */
double ms_options_stop_time(const ms_options *options, double length);
double ms_options_length(const ms_options *options, double length);
void ms_options_resolve_times(ms_options *options, double step_size, double length);

MS_C_LINKAGE_END
