/* SPDX-License-Identifier: GPL-3.0-or-later */
/* value_form.h - the form of an option's value, as help and refusals show it, and lengths on paper, "8cm". */
#pragma once

#include <macrostep/options.h>

/* May the value be left out? */
bool ms_value_may_lack(const ms_option *option);

/* " a|b|c", " 1..3", " NAME"; "[=a|b|c]" where it may be left out, "" where the option takes none. Returns text. */
enum { MS_VALUE_FORM_MAX = 256 };
const char *ms_value_form(const ms_option *option, char text[MS_VALUE_FORM_MAX]);

enum { MS_WIDTH_LEAST = 4, MS_WIDTH_MOST = 60 }; /* of pictures [cm] */

/* The length [cm] that a text is. Errors: MS_INVALID, with the option's name. */
int ms_length_read(const char *name, const char *text, double least, double most, double *length,
                   ms_error *error);
