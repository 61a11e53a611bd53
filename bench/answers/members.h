/* SPDX-License-Identifier: GPL-3.0-or-later */
/* members.h - what tells rows apart that are answers of several schemes, step sizes or parameters. */
#ifndef MS_MEMBERS_H
#define MS_MEMBERS_H

#include <jansson.h>

/* The names of rows with "scheme" (resolved options) and "parameters": the family, then the values of as few options and
 * parameters as tell the rows of the family apart, as "ifosmondi, anderson" and "jacobi, order 1, k = 10". Words that say
 * nothing alone and numbers come with the option's name, none is not said. without (may be NULL): options that are left out, as
 * "step_size" where it is an axis; several with blanks between them. An array of strings; NULL: no memory. */
json_t *ms_member_names(const json_t *rows, const char *without);

/* Sets "member" of each row to its name. Errors: MS_NO_MEMORY. */
int ms_members_name(json_t *rows, const char *without);

#endif
