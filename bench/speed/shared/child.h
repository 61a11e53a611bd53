/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child.h - calls of the command as a user makes them, as processes of their own. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <macrostep/status.h>

enum { MS_CHILD_PATH = 4096, MS_CHILD_WORDS = 40 };

typedef struct ms_child {
    const char *words[MS_CHILD_WORDS]; /* the first is the program's path; ends with NULL */
    bool processor; /* times its processor time, user and system, of all threads; else the clock's */
    int threads;    /* OMP_NUM_THREADS of the call; 0: as it is */
} ms_child;

/* This program, and the command in the folder above its own. */
void ms_child_own_path(char path[MS_CHILD_PATH]);
void ms_child_command_path(char path[MS_CHILD_PATH]);

/* One call, whose output is thrown away [s]; self is the ms_child. NaN and a line where it does not end with
 * status 0. Fits ms_timing.take. */
double ms_child_take(void *self, ms_error *error);
