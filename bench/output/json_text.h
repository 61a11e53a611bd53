/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json_text.h - JSON values as text: numbers by number.h, so that reading back gives the same bits. */
#pragma once

#include <jansson.h>
#include <stdio.h>

typedef enum ms_json_layout {
    MS_JSON_ON_LINES, /* a member a line, two blanks further in; an array without containers, as a row of a matrix is, on one */
    MS_JSON_ON_ONE_LINE /* {"a": 1, "b": [2, 3]} */
} ms_json_layout;

/* Writes the value, without a newline behind it. Returns 0, or -1 without memory. */
int ms_json_write(const json_t *value, ms_json_layout layout, FILE *file);

/* The same of a value, not NULL, on one line; freed by the caller. NULL: no memory. */
char *ms_json_line(const json_t *value);
