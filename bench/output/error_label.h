/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error_label.h - a description of the error of a run: its norm and its scale. */
#pragma once

#include <jansson.h>

/* Of an answer with "norm" ("max" where it has none) and "error_scale" ("none"): for an axis, "error / range" and behind a tab "(max over states)";
 * as the head of a column "max error / range". */
const char *ms_error_label(const json_t *answer);
const char *ms_error_head(const json_t *answer);
