/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scheme_members.h - what lists on the command line stand for: the runs, each with its options and settings.
 *
 * With several schemes an option applies to those that know it; the others appear once, as if it had not been given. */
#ifndef MS_SCHEME_MEMBERS_H
#define MS_SCHEME_MEMBERS_H

#include "scheme_variants.h"

typedef struct ms_scheme_member {
    ms_options options;
    ms_setting *settings; /* the call's, with this member's values; owned */
} ms_scheme_member;

typedef struct ms_scheme_members {
    ms_scheme_member *member;
    int n, capacity;
} ms_scheme_members;

/* Those that were asked for: one without lists. but: an option whose list is left to the caller, as an axis; MS_NO_OPTION:
 * none. Errors: MS_INVALID (an option that none knows), MS_NO_MEMORY. */
int ms_scheme_members_of_lists(ms_arguments *arguments, int but, ms_scheme_members *members, ms_error *error);

/* The variants of all families, or of those that were asked for. */
int ms_scheme_members_of_variants(ms_arguments *arguments, const ms_scheme_variants *variants,
                                  ms_scheme_members *members, ms_error *error);

void ms_scheme_members_destroy(ms_scheme_members *members); /* safe after any error, and to repeat */

/* The arguments' system with the settings of the member. */
int ms_scheme_member_bind(const ms_arguments *arguments, const ms_scheme_member *member,
                          const ms_model *model, ms_system **system, ms_error *error);

#endif
