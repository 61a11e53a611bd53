/* SPDX-License-Identifier: GPL-3.0-or-later */
/* integrate_answer.h - what is said of an integration: the answer of `integrate`, and its rows. */
#ifndef MS_INTEGRATE_ANSWER_H
#define MS_INTEGRATE_ANSWER_H

#include <jansson.h>

#include <macrostep/integrate.h>
#include "arguments.h"

/* The answer as bench/README.md prints it ("One model, one solver"); `list`: with each event. NULL without
 * memory. */
json_t *ms_integrate_answer(const ms_integration *run, bool list);

/* The row of a solver that does not fit, in the same shape. NULL without memory. */
json_t *ms_integrate_answer_incompatible(const ms_system *system, const ms_options *options, const char *why);

/* Solver, tolerances or step size, times. NULL without memory. */
json_t *ms_integrate_solver_json(const ms_options *options);

#endif
