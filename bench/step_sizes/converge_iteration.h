/* SPDX-License-Identifier: GPL-3.0-or-later */
/* converge_iteration.h - how `converge` runs an iterative scheme: with an epsilon so small that the discretisation
 * error and not the iteration error is measured, with macro-steps of equal length, and with an estimate of the
 * iteration error.
 *
 * Unless --epsilon is given, runs begin with the tightest epsilon, 1e-12, and increase it by factors of 100, up to
 * the scheme's default, while the iteration does not converge. Unless --step-rule is given, it is fixed. */
#pragma once

#include <jansson.h>

#include <macrostep/simulation.h>

typedef struct ms_converge_iteration {
    bool iterates;        /* otherwise the rest is unused */
    bool chosen;          /* epsilon was not given */
    double epsilon;       /* of the next run */
    double loosest;       /* largest of all completed runs */
    double amplification; /* the largest change of the error seen, relative to the change of epsilon (1 +
                          scale) */
    int companions;       /* number of runs with ten times epsilon that measured it */
    bool sought;          /* another method was tried after a run had failed, */
    char method[32];      /* and this one converged; empty: none did */
    double step_size;     /* at this step size [s] */
} ms_converge_iteration;

/* For the given options. */
ms_converge_iteration ms_converge_iteration_of(const ms_options *options);

/* ms_simulation_run, repeated with a larger epsilon if the iteration fails and epsilon may be chosen. */
int ms_converge_iteration_run(ms_converge_iteration *iteration, const ms_system *system, ms_options options,
                              const ms_simulation_options *request, ms_simulation *simulation,
                              ms_error *error);

/* For the first completed runs: how far the error moves with ten times epsilon, with the same `request`. Returns MS_OK, MS_INTERRUPTED,
 * or a status of ms_simulation_run. */
int ms_converge_iteration_measure(ms_converge_iteration *iteration, const ms_simulation *simulation,
                                  const ms_simulation_options *request, ms_error *error);

/* The iteration error of that run, in the unit of its states; 0 without iteration. */
double ms_converge_iteration_error(const ms_converge_iteration *iteration, const ms_simulation *simulation);

/* Tries, once, other methods of the native backend if this run failed. Returns as
 * ms_converge_iteration_measure. */
int ms_converge_iteration_seek(ms_converge_iteration *iteration, const ms_simulation *simulation,
                               const volatile sig_atomic_t *stop, ms_error *error);

/* {"epsilon", "chosen", "amplification"}; null without iteration. */
json_t *ms_converge_iteration_json(const ms_converge_iteration *iteration);
