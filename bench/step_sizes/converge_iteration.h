/* SPDX-License-Identifier: GPL-3.0-or-later */
/* converge_iteration.h - how `converge` runs a scheme that iterates: with an epsilon so small that the scheme
 * is measured and not its iteration, with macro-steps of equal length, and with an estimate of what epsilon
 * leaves.
 *
 * Where --epsilon is not given, runs begin with the tightest epsilon, 1e-12, and take a hundred times as
 * much, up to the scheme's default, where the iteration does not reach it. Where --step-rule is not given, it
 * is fixed. */
#ifndef MS_CONVERGE_ITERATION_H
#define MS_CONVERGE_ITERATION_H

#include <jansson.h>

#include <macrostep/choices.h>
#include <macrostep/simulation.h>

typedef struct ms_converge_iteration {
    bool iterates;        /* all else is of no meaning where the scheme does not */
    bool chosen;          /* epsilon was not given */
    double epsilon;       /* of the next run */
    double loosest;       /* of all runs that ended */
    double amplification; /* the largest change of the error seen, in units of the change of epsilon (1 +
                          scale) */
    int companions;       /* runs with ten times epsilon that measured it */
    bool sought;          /* another method was looked for where a run failed, */
    char method[32];      /* and this one ended; empty: none did */
    double step_size;     /* there [s] */
} ms_converge_iteration;

/* With the options as given. */
ms_converge_iteration ms_converge_iteration_of(const ms_options *options);

/* ms_simulation_run, again with a larger epsilon where the iteration has failed and epsilon is to be
 * chosen. */
int ms_converge_iteration_run(ms_converge_iteration *iteration, const ms_system *system, ms_options options,
                              const ms_simulation_options *request, ms_simulation *simulation,
                              ms_error *error);

/* Of the first runs that end: how far the error moves with ten times epsilon, asked for as `request` did. Returns MS_OK, MS_INTERRUPTED,
 * or a status of ms_simulation_run. */
int ms_converge_iteration_measure(ms_converge_iteration *iteration, const ms_simulation *simulation,
                                  const ms_simulation_options *request, ms_error *error);

/* What epsilon leaves of the error of that run, in the unit of its states; 0 where nothing iterates. */
double ms_converge_iteration_error(const ms_converge_iteration *iteration, const ms_simulation *simulation);

/* Looks, once, for another method of the native backend that ends where this run failed. The return values of
 * ms_converge_iteration_measure. */
int ms_converge_iteration_seek(ms_converge_iteration *iteration, const ms_simulation *simulation,
                               const volatile sig_atomic_t *stop, ms_error *error);

/* {"epsilon", "chosen", "amplification"}; null where nothing iterates. */
json_t *ms_converge_iteration_json(const ms_converge_iteration *iteration);

#endif
