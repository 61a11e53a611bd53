/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arguments_parts.h - what reads the parts of a command line for arguments.c. */
#pragma once

#include "arguments.h"

/* arguments_line.c: the command line as it is repeated in files. */

/* Appends a word, in quotes where a shell wants them. */
void ms_arguments_append_word(char *line, const char *word);

/* The words from argv[first] to argv[last], unless they are an option that changes no result. */
void ms_arguments_append(char *line, char **argv, int first, int last);

/* arguments_lists.c: lists where one value stands, while the command line is read. */

/* Adds the list `text` of an option or, where setting is its index, of a parameter; the first value stays where one value
 * stands. what: "--step-size", for lines. Errors: those of ms_axis_create, and of each value. */
int ms_arguments_add_list(ms_arguments *arguments, const char *what, const char *name, const char *text,
                          int setting, ms_error *error);

/* --scheme all, whose values wait for those of --load, and are filled in when these are there. */
int ms_arguments_add_all_schemes(ms_arguments *arguments, ms_error *error);
int ms_arguments_fill_all_schemes(ms_arguments *arguments, ms_error *error);

/* Is every family that is named one? Those of --load are. */
int ms_arguments_check_schemes(const ms_arguments *arguments, ms_error *error);

/* arguments_set.c: --set: numbers, lists and distributions of parameters, while the command line is read. */

/* "PARAMETER=VALUE,PARAMETER=VALUE,..": a comma begins another setting where NAME= follows, outside of parentheses. There is
 * room for as many settings as commas. Errors: MS_INVALID, MS_NO_MEMORY. */
int ms_arguments_read_settings(ms_arguments *arguments, const char *text, ms_error *error);

/* Go distributions, --sample and what belongs to it together, and does the command take them? */
int ms_arguments_check_sample(const ms_arguments *arguments, ms_error *error);
