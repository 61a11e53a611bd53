/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answer_read.h - what plots read of answers. */
#pragma once

#include <jansson.h>

/* A member that is a number; otherwise NaN. */
double ms_answer_number(const json_t *object, const char *key);

/* A string, "" if it is not one. */
const char *ms_answer_word(const json_t *value);

/* Bytes of the longest of the strings. */
double ms_answer_longest(const json_t *names);

/* The answers of an answer: those of its rows that are answers with a scheme of their own, or itself alone. An array for the
 * caller to release; NULL: no memory. */
json_t *ms_answer_members(const json_t *answer);
