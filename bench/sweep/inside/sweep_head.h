/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_head.h - in what the heads of two files of sweeps differ, for who wants to resume one. */
#ifndef MS_SWEEP_HEAD_H
#define MS_SWEEP_HEAD_H

#include "status.h"

/* MS_INVALID with a line that names the first difference between the head that stands in the file and the one
 * that this call would write; of the command, the option. */
int ms_sweep_head_differ(const char *path, const char *old_head, const char *new_head, ms_error *error);

#endif
