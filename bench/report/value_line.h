/* SPDX-License-Identifier: GPL-3.0-or-later */
/* value_line.h - a value of an answer, for readers. */
#pragma once

#include <jansson.h>
#include <stdio.h>

/* Writes a text on a page: markup of the page is escaped. */
typedef void ms_value_writer(const char *text, FILE *file);

/* A check's value as one line for readers, six digits. */
void ms_value_line(json_t *value, ms_value_writer *write, FILE *file);

/* The same as a text, unescaped, of at most that many letters: longer ones end in "..". To be released by the caller. NULL: no memory. */
json_t *ms_value_text(json_t *value, size_t most);
