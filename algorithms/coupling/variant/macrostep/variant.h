/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variant.h - the chosen coupling scheme: the options of a run, resolved once into types.
 *
 * Engines, claimed orders, formulas and limits all read this instead of names. The meaning of options is in the
 * table of option_table.c. */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/family_options.h>
#include <macrostep/scheme.h>
#include <macrostep/solver.h>

MS_C_LINKAGE_BEGIN

struct ms_variant {
    const ms_scheme *scheme; /* the family */
    const ms_solver *solver; /* NULL: none is named, and there was no system to choose for */

    /* as the options say */
    ms_extrapolation_options extrapolation;
    ms_balance_options balance;
    ms_f3ornits_options f3ornits;
    ms_iteration_options iteration;
    ms_multirate_options multirate;
    ms_line_options lines;
    ms_initial_options initial;
    ms_control_settings control;
    ms_at_time_events at_time_events;
    ms_execution execution;
    int num_threads;                         /* 0: the default of OpenMP */
    double start_time, stop_time, step_size; /* [s] */
    double max_steps;                        /* macro-steps and rejected attempts */

    /* what follows */
    bool integrals;                         /* micro-solvers integrate the outputs, too */
    unsigned sample_counts, substep_counts; /* bit m: some subsystem has, or may have, the number m */
    bool reduced_grid;
    ms_solver_options micro; /* options of the micro-solver */
};

/* The options as types, with the family and micro-solver that they name (solver may be NULL). Nothing is checked. */
void ms_variant_set(ms_variant *variant, const ms_scheme *scheme, const ms_solver *solver,
                    const ms_options *options);

/* Does it take macro-steps back? */
bool ms_variant_rolls_back(const ms_variant *variant);

/* The laws of feedback that the scheme gives subsystem i, into law (MS_INPUT_LAWS), and how many. */
int ms_variant_feedback(const ms_variant *variant, const ms_system *system, int i, ms_input_law *law);

/* The subsystems named in a comma-separated text: stores their indices, each once, in list (size system->n), and
 * returns their number; *twice is the first duplicate, or -1. what: for the message, as "--sequence". Errors:
 * MS_INVALID (an unknown name). */
int ms_variant_subsystems(const ms_system *system, const char *what, const char *names, int *list, int *n,
                          int *twice, ms_error *error);

/* The values of a comma-separated text NAME=VALUE for subsystems: calls take(self, i, VALUE) for each, VALUE of `length` bytes and
 * not zero-terminated. option: its name, for the message. Errors: MS_INVALID (an unknown subsystem), and what take returns. */
typedef int ms_variant_take(void *self, int i, const char *value, size_t length, ms_error *error);
int ms_variant_each(const ms_system *system, const char *option, const char *text, ms_variant_take *take,
                    void *self, ms_error *error);

/* The numbers in a text for subsystems: one for all, or comma-separated NAME=NUMBER, in 1 .. most; counts (n) is 1 if none is
 * given. option: its name, for the message. Errors: MS_INVALID. */
int ms_variant_counts(const ms_system *system, const char *option, const char *text, int most, int *counts,
                      ms_error *error);

/* The order in which Gauss-Seidel takes the subsystems, that of the options or else the model's: sequence (n), and
 * its inverse rank (n). Errors: MS_INVALID. */
int ms_variant_sequence(const ms_system *system, const ms_options *options, int *sequence, int *rank,
                        ms_error *error);

/* The inputs omitted by the option `wires`: held (nu), all false if it is not given. Errors: MS_INVALID (an unknown
 * input). */
int ms_variant_inputs(const ms_system *system, const ms_options *options, bool *held, ms_error *error);

MS_C_LINKAGE_END
