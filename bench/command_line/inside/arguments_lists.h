/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arguments_lists.h - lists where one value stands, while the command line is read. */
#ifndef MS_ARGUMENTS_LISTS_H
#define MS_ARGUMENTS_LISTS_H

#include "arguments.h"

/* Adds the list `text` of an option or, where setting is its index, of a parameter; the first value stays where one value
 * stands. what: "--step-size", for lines. Errors: those of ms_axis_create, and of each value. */
int ms_arguments_add_list(ms_arguments *arguments, const char *what, const char *name, const char *text,
                          int setting, ms_error *error);

/* --scheme all, whose values wait for those of --load, and are filled in when these are there. */
int ms_arguments_add_all_schemes(ms_arguments *arguments, ms_error *error);
int ms_arguments_fill_all_schemes(ms_arguments *arguments, ms_error *error);

/* Is every family that is named one? Those of --load are. */
int ms_arguments_check_schemes(const ms_arguments *arguments, ms_error *error);

#endif
