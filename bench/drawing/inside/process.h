/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process.h - runs another program: words without a shell, and its output on standard error. */
#pragma once

#include <signal.h>
#include <stddef.h>

#include <macrostep/status.h>

enum { MS_PROCESS_SAID_MAX = 4096 };

typedef struct ms_process {
    const char *const *words; /* the program, looked up on PATH, and its arguments; ends with NULL */
    const char *folder;       /* where it runs; NULL: here */
    int input, output;        /* descriptors; -1: nothing */
    const char *package;      /* Debian's package, for the line where it is not installed */
    const char *use;          /* "figures need it" */
} ms_process;

/* Runs to the end; said (MS_PROCESS_SAID_MAX) gets its standard error. Errors: MS_IO if it is not on PATH,
 * could not be started, was killed by a signal or failed (with its message, in one line); MS_INTERRUPTED
 * if stop (may be NULL) has become non-zero. what: the file on which it works, for messages. */
int ms_process_run(const ms_process *process, const char *what, const volatile sig_atomic_t *stop, char *said,
                   ms_error *error);

/* The lines of the text that say something, in one; lines of blanks and carets (echoes) are dropped. */
void ms_process_join(const char *text, char *line, size_t size);
