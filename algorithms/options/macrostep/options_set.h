/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options_set.h - sets one option from text, unless a preset determines it. */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/options.h>

MS_C_LINKAGE_BEGIN

/* Sets one option from text; value may be NULL for options that allow it. The name may be an alias.
 * Errors: MS_INVALID with a line that names the option, the value and what would be right. */
int ms_options_set(ms_options *options, const char *name, const char *value, ms_error *error);

MS_C_LINKAGE_END
