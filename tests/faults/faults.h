/* SPDX-License-Identifier: GPL-3.0-or-later */
/* faults.h - what the files of faults share: faults.c goes through the commands, runs.c runs one, judge.c says what came of it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "refuse.h"

enum { FAULT_SECONDS = 120 }; /* of a run at most */

typedef enum fault_verdict {
    FAULT_DONE,
    FAULT_TOLD,
    FAULT_CONFESSED, /* by a solver that failed: the answer says so, or has the same numbers up to tolerances */
    FAULT_SIGNALLED,
    FAULT_KNOWN,
    FAULT_TIMED_OUT,
    FAULT_DIFFERS,
    FAULT_LEFT,
    FAULT_WORDS_WRONG,
    FAULT_STATUS_WRONG,
    FAULT_VERDICTS
} fault_verdict;

typedef struct fault_outcome {
    int status; /* as waitpid has it */
    char *out, *err, *files;
} fault_outcome;

typedef struct fault_command {
    char *line;
    long calls[FAULT_KINDS];
    long *first[FAULT_KINDS], firsts[FAULT_KINDS]; /* calls at places where no command before it has called */
    fault_outcome clean[2];
} fault_command;

typedef struct fault_task {
    int command;
    fault_kind kind;
    long at;
    fault_verdict verdict;
    int allowed;     /* its line where FAULT_KNOWN */
    char text[1000]; /* what happened, and where */
} fault_task;

enum { FAULT_ALLOWED_MOST = 20 };

typedef struct fault_allowed_place {
    char kind[10], file[100], symbol[100]; /* symbol: "" where any will do */
    long seen;
} fault_allowed_place;

typedef struct fault_allowed_places {
    int n;
    fault_allowed_place line[FAULT_ALLOWED_MOST];
} fault_allowed_places;

/* Where runs take place, and of what. */
typedef struct fault_runner {
    const char *folder, *program, *preload;
} fault_runner;

extern const char *const fault_names[FAULT_KINDS];

/* The text of a file; what ends a text is '?' in it. Never NULL; freed by the caller. */
char *fault_read_file(const char *path);

/* Runs a command in the worker's folder with call number `at` of a kind refused (0: none); *report: the text of refuse.c. */
fault_outcome fault_run_command(const fault_runner *of, int worker, const char *line, fault_kind kind,
                                long at, char **report);
void fault_outcome_destroy(fault_outcome *o);

/* Fills verdict, allowed and text of a task. */
void fault_judge(fault_task *t, const fault_command *c, const fault_outcome *o, const char *report,
                 const fault_allowed_places *allowed);

/* What stands behind the word in a report; NULL: nothing. */
const char *fault_report_line(const char *report, const char *word);
