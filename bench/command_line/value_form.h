/* SPDX-License-Identifier: GPL-3.0-or-later */
/* value_form.h - the form of an option's value, as help and refusals show it. */
#ifndef MS_VALUE_FORM_H
#define MS_VALUE_FORM_H

#include <macrostep/options.h>

/* May the value be left out? */
bool ms_value_may_lack(const ms_option *option);

/* " a|b|c", " 1..3", " NAME"; "[=a|b|c]" where it may be left out, "" where the option takes none. Returns text. */
enum { MS_VALUE_FORM_MAX = 256 };
const char *ms_value_form(const ms_option *option, char text[MS_VALUE_FORM_MAX]);

#endif
