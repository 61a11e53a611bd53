/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.h - shows progress on standard error after two seconds: the fraction done, the current item, and
 * the remaining time if known.
 *
 * On a terminal one line is rewritten; elsewhere a line is printed every few seconds. With --quiet there is none. */
#pragma once

#include <macrostep/run.h>

enum { MS_PROGRESS_SAMPLES = 64, MS_PROGRESS_AT = 64 };

/* How much of the work was done when: thinned out where it gets long, so that its spacing grows with the time. */
typedef struct ms_pace {
    int n, wait; /* samples; calls until the next one is taken */
    int apart;   /* calls between two samples */
    double time[MS_PROGRESS_SAMPLES], done[MS_PROGRESS_SAMPLES];
} ms_pace;

/* Takes in that at that time [s] so much is done, in [0, 1]; the first call is the start. */
void ms_pace_note(ms_pace *pace, double time, double done);

/* The time left [s], by the pace since the start and by that of the last third of the time: the smaller and the larger one. False
 * where nothing says so: at the start, and where nothing has moved for a third of the time. */
bool ms_pace_left(const ms_pace *pace, double *least, double *most);

typedef struct ms_progress {
    const char *what;
    double begun, shown; /* of a clock that never goes back [s] */
    int parts;           /* in all */
    double part, share;  /* where the run at work begins, and how much of a part it is */
    double start, stop;  /* of the run at work [s] */
    double looked;       /* when a run at work looked at the clock last [s] */
    int apart, wait;     /* macro-steps between two looks, and until the next one */
    bool terminal, visible;
    char at[MS_PROGRESS_AT]; /* what is at work */
    ms_pace pace;
} ms_progress;

/* No progress from now on, or again. */
void ms_progress_silence(bool silent);

/* A line on standard error about what begins. */
void ms_progress_announce(const char *format, ...) __attribute__((format(printf, 1, 2)));

void ms_progress_begin(ms_progress *progress, const char *what, int parts);

/* What is done next begins at `part` (of all parts) and is `share` of one. */
void ms_progress_part(ms_progress *progress, double part, double share);

/* It is done to that fraction in [0, 1]. */
void ms_progress_update(ms_progress *progress, double fraction);
/* The same as a callback; self is the progress. */
void ms_progress_follow(void *self, double fraction);

/* What is at work, shown from the next update on. */
void ms_progress_at(ms_progress *progress, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Clears the line of a terminal. Work that was interrupted is answered from here on. */
void ms_progress_end(ms_progress *progress);

/* An observer that follows a run; self is the progress. */
ms_observer ms_progress_observer(ms_progress *progress);
