/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_members.h - the members that a figure file may have, and must. */
#ifndef MS_FIGURE_MEMBERS_H
#define MS_FIGURE_MEMBERS_H

#include "passage.h"

/* Are there all that there must be, none that is unknown, and each of its type? Errors: MS_INVALID. */
int ms_figure_members_check(const ms_passage *file, json_t *spec, ms_error *error);

#endif
