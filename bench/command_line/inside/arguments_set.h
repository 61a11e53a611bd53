/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arguments_set.h - --set: numbers, lists and distributions of parameters, while the command line is read. */
#ifndef MS_ARGUMENTS_SET_H
#define MS_ARGUMENTS_SET_H

#include "arguments.h"

/* "PARAMETER=VALUE,PARAMETER=VALUE,..": a comma begins another setting where NAME= follows, outside of parentheses. There is
 * room for as many settings as commas. Errors: MS_INVALID, MS_NO_MEMORY. */
int ms_arguments_read_settings(ms_arguments *arguments, const char *text, ms_error *error);

/* Go distributions, --sample and what belongs to it together, and does the command take them? */
int ms_arguments_check_sample(const ms_arguments *arguments, ms_error *error);

#endif
