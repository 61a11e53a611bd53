/* SPDX-License-Identifier: GPL-3.0-or-later */
/* study.h - co-simulations inside figures, each given by the command line that repeats it.
 *
 *     ms_study study;
 *     status = ms_study_run(drawing, &(ms_simulation_options){.errors = true}, &study, error,
 *                           "run quarter-car --extrapolation-order %d --step-size %.17g", order, h);
 *     ... study.simulation.result.macro_steps ...
 *     ms_study_destroy(&study);
 *
 * The commands are listed in the figure's answer, so that a reader can repeat each run. */
#pragma once

#include <macrostep/simulation.h>
#include "study_checks.h"

/* What runs are asked for: a trajectory, or errors, and nothing else. */
extern const ms_simulation_options ms_simulation_trajectory, ms_simulation_errors;

typedef struct ms_study {
    ms_arguments *arguments; /* owned; arguments.h has what it holds */
    char **words;            /* owned */
    ms_model *owned;
    ms_system *system;
    ms_simulation simulation;
    double *exact; /* (rows x nx), owned; NULL until ms_study_reference */
} ms_study;

/* Runs the command "run MODEL [OPTION ..]" (words separated by single spaces, nothing quoted). request may be
 * NULL; its stop is the drawing's. A run that diverges is MS_OK. Errors: those of the command line and of
 * ms_simulation_run, of ms_study_ended, MS_INTERRUPTED. ms_study_destroy is safe after all of them. */
int ms_study_run(ms_drawing *drawing, const ms_simulation_options *request, ms_study *study, ms_error *error,
                 const char *command, ...) __attribute__((format(printf, 5, 6)));

/* MS_OK, or MS_SOLVER_FAILED where a run came neither to its end nor diverged: its work and rows are not those of the run that was asked for. */
int ms_study_ended(const ms_simulation *run, ms_error *error);

/* The same of a command that is a text already, however its run ends; shown: what is listed in its place, NULL: the command. */
int ms_study_run_shown(ms_drawing *drawing, const ms_simulation_options *request, ms_study *study,
                       ms_error *error, const char *shown, const char *command);

/* The same without running: system, and options in study->arguments->options, for analyses other than runs.
 * The command may be any that takes a model. */
int ms_study_bind(ms_drawing *drawing, ms_study *study, ms_error *error, const char *command, ...)
    __attribute__((format(printf, 4, 5)));

void ms_study_destroy(ms_study *study);

/* One more run of the study's system with other options (a copy of study->arguments->options, changed); its
 * command is not listed. Errors: as ms_study_run; nothing is left to destroy then. */
int ms_study_repeat(ms_drawing *drawing, const ms_study *study, const ms_options *options,
                    const ms_simulation_options *request, ms_simulation *simulation, ms_error *error);

/* MS_OK, or MS_INTERRUPTED where the figure shall end early. */
int ms_study_interrupted(const ms_drawing *drawing, ms_error *error);

/* run(self, k, stop, error) for k = n - 1, .., 0 on two threads, so that long runs come last in k; it must not use
 * the drawing. Errors: that of the smallest k that failed; MS_INTERRUPTED. */
int ms_study_parallel(ms_drawing *drawing, int n,
                      int (*run)(void *self, int k, const volatile sig_atomic_t *stop, ms_error *error),
                      void *self, ms_error *error);

/* Column of the trajectory by name ("wheel.x.position"), or -1. */
int ms_study_column(const ms_study *study, const char *name);

/* study->exact: the reference's states at the times of the trajectory. Errors: those of the reference. */
int ms_study_reference(ms_study *study, ms_error *error);

/* Follows the reference over `steps` steps of length h from 0: visit is called with its state at 0, h, 2 h, ..
 * *own_error (may be NULL): the reference's own. Errors: those of the reference. */
int ms_study_follow_reference(const ms_system *system, long steps, double h,
                              void (*visit)(void *self, long n, const double *x), void *self,
                              double *own_error, ms_error *error);
