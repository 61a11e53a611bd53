/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_head.h - in what the heads of two files of sweeps differ, for who wants to resume or to join them. */
#ifndef MS_SWEEP_HEAD_H
#define MS_SWEEP_HEAD_H

#include "status.h"

/* The head that stands in a file, and the one that it ought to have. */
typedef struct ms_sweep_heads {
    const char *what; /* the line begins with it: "--resume: ", or nothing */
    const char *path, *old_head;
    const char *other, *new_head; /* other: what the new head is of, a file or "this call" */
} ms_sweep_heads;

/* MS_INVALID with a line that names the first difference; of the command, the option. */
int ms_sweep_head_differ(const ms_sweep_heads *heads, ms_error *error);

#endif
