/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.h - progress on standard error of whatever takes longer than two seconds.
 *
 * On a terminal one line is rewritten; elsewhere a line comes every few seconds. */
#ifndef MS_PROGRESS_H
#define MS_PROGRESS_H

#include <stdbool.h>

#include "run.h"

typedef struct ms_progress {
    const char *what;
    double begun, shown; /* of a clock that never goes back [s] */
    int parts;           /* in all */
    double part, share;  /* where the run at work begins, and how much of a part it is */
    double start, stop;  /* of the run at work [s] */
    double looked;       /* when a run at work looked at the clock last [s] */
    int apart, wait;     /* macro-steps between two looks, and until the next one */
    bool terminal, visible;
} ms_progress;

void ms_progress_begin(ms_progress *progress, const char *what, int parts);

/* What is done next begins at `part` (of all parts) and is `share` of one. */
void ms_progress_part(ms_progress *progress, double part, double share);

/* It is done to that fraction in [0, 1]. */
void ms_progress_update(ms_progress *progress, double fraction);
/* The same for who asks for a function; self is the progress. */
void ms_progress_follow(void *self, double fraction);

/* Clears the line of a terminal. */
void ms_progress_end(ms_progress *progress);

/* An observer that follows a run; self is the progress. */
ms_observer ms_progress_observer(ms_progress *progress);

#endif
