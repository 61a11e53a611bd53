/* SPDX-License-Identifier: GPL-3.0-or-later */
/* member_run.h - one run of a member, as a record for row_work.h. */
#ifndef MS_MEMBER_RUN_H
#define MS_MEMBER_RUN_H

#include <jansson.h>

#include "scheme_members.h"
#include "shared_reference.h"

/* Runs the member on the model: {"answer": a run's, "fits": false where options or model do not go with the scheme, "why": or the
 * empty text}. reference may be NULL. Errors: those of the system and the run; MS_INTERRUPTED, with a record. */
int ms_member_run(const ms_arguments *arguments, const ms_model *model, const ms_scheme_member *member,
                  ms_shared_reference *reference, json_t **record, ms_error *error);

/* The reference that all runs of the call share, with the system that it belongs to; both NULL where errors are against
 * something else, or where there is none, which each run says for itself. */
void ms_member_reference(const ms_arguments *arguments, const ms_model *model, ms_system **system,
                         ms_shared_reference **reference);

#endif
