/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command_answer.h - JSON answers of the command itself: MACROSTEP, or build/macrostep. */
#pragma once

#include <jansson.h>

/* Where the schemas of all answers are, COMMAND.json each. */
#define SUPPORT_SCHEMAS "bench/schemas"

/* The answer of `macrostep ARGUMENTS --format json`; the test fails where the command does, or where the answer does
 * not fit the schema of its command. */
json_t *support_answer(const char *arguments);
/* The same of a formatted text. */
json_t *support_answer_of(const char *format, ...) __attribute__((format(printf, 1, 2)));
