/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_answer.h - what is said of one run: the answer of `run` and the rows of `compare` and the sweeps. */
#pragma once

#include <jansson.h>

#include <macrostep/simulation.h>
#include "arguments.h"

/* The answer as bench/README.md prints it ("One run"). NULL without memory. */
json_t *ms_run_answer(const ms_simulation *simulation);

/* The row of a pair that does not fit, in the same shape. options: as they were given. NULL without
 * memory. */
json_t *ms_run_answer_incompatible(const ms_system *system, const ms_options *options, const char *why);

/* {"max", "rmse", "l2", "end"} of variable j, and its "scale" where errors have one. scale: may be NULL. NULL without memory. */
json_t *ms_state_errors_json(const ms_state_errors *errors, const ms_error_scale *scale, int j);

/* What --reference names, for ms_simulation_options.against; name NULL: nothing. */
ms_against ms_run_against(const ms_arguments *arguments);

/* run_summary.c: of the answer of a run what fits a screen, for its table. */

/* How the run ended, its errors and its work; of options and parameters those that were given, of states those with the largest
 * errors, of many subsystems their sum. The answer is that of ms_run_answer (borrowed). NULL without memory. */
json_t *ms_run_summary(const json_t *answer, const ms_arguments *arguments);
