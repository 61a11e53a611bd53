/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judge_answer.h - what is said of results of other tools: their errors, and the order over several of them. */
#ifndef MS_JUDGE_ANSWER_H
#define MS_JUDGE_ANSWER_H

#include <jansson.h>

#include <macrostep/choices.h>
#include "answer.h"
#include "series_errors.h"

extern const ms_column ms_judge_columns[];

/* All that is said of n > 0 results of one system; options: those of the call, with the norm. NULL without memory. */
json_t *ms_judge_answer(int n, const ms_series_errors *errors, const ms_options *options);

#endif
