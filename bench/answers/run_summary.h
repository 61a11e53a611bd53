/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_summary.h - of the answer of a run what fits a screen, for its table. */
#ifndef MS_RUN_SUMMARY_H
#define MS_RUN_SUMMARY_H

#include <jansson.h>

#include "arguments.h"

/* How the run ended, its errors and its work; of options and parameters those that were given, of states those with the largest
 * errors, of many subsystems their sum. The answer is that of ms_run_answer (borrowed). NULL without memory. */
json_t *ms_run_summary(const json_t *answer, const ms_arguments *arguments);

#endif
