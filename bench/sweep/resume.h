/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resume.h - what a file that is resumed is held against. */
#ifndef MS_RESUME_H
#define MS_RESUME_H

#include <jansson.h>
#include <stdbool.h>

#include "status.h"

/* What a file that is resumed ought to hold. */
typedef struct ms_sweep_resume {
    long rows; /* at most */
    void *self;
    /* REQUIRED: the row of place k in the file without its run, freed by the caller; k ascends. A row that does not fit is
     * held against that of the same place that `again` gives, NULL: there is only one. */
    int (*shape)(void *self, long k, bool again, json_t **row, ms_error *error);
    bool more;         /* rows have other members than their shapes, which are not looked at */
    bool repair;       /* rows from the first wrong one on are dropped; else they are refused */
    ms_error repaired; /* the line that says so; empty: nothing was wrong */
} ms_sweep_resume;

#endif
