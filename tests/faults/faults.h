/* SPDX-License-Identifier: GPL-3.0-or-later */
/* faults.h - what the files of faults share: faults.c goes through the commands, runs.c runs one, judge.c says what came of it. */
#ifndef FAULTS_FAULTS_H
#define FAULTS_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "refuse.h"

enum { SECONDS = 30 }; /* of a run at most */

typedef enum verdict {
    DONE,
    TOLD,
    SIGNALLED,
    KNOWN,
    TIMED_OUT,
    DIFFERS,
    LEFT,
    WORDS_WRONG,
    STATUS_WRONG,
    VERDICTS
} verdict;

typedef struct outcome {
    int status; /* as waitpid has it */
    char *out, *err, *files;
} outcome;

typedef struct command {
    char *line;
    long calls[FAULT_KINDS];
    long *first[FAULT_KINDS], firsts[FAULT_KINDS]; /* calls at places where no command before it has called */
    outcome clean[2];
} command;

typedef struct task {
    int command;
    fault_kind kind;
    long at;
    verdict verdict;
    int allowed;     /* its line where KNOWN */
    char text[1000]; /* what happened, and where */
} task;

enum { ALLOWED = 20 };

typedef struct allowed_place {
    char kind[10], file[100], symbol[100]; /* symbol: "" where any will do */
    long seen;
} allowed_place;

typedef struct allowed_places {
    int n;
    allowed_place line[ALLOWED];
} allowed_places;

/* Where runs take place, and of what. */
typedef struct runner {
    const char *folder, *program, *preload;
} runner;

extern const char *const fault_names[FAULT_KINDS];

/* The text of a file; what ends a text is '?' in it. Never NULL; freed by the caller. */
char *read_file(const char *path);

/* Runs a command in the worker's folder with call number `at` of a kind refused (0: none); *report: the text of refuse.c. */
outcome run_command(const runner *of, int worker, const char *line, fault_kind kind, long at, char **report);
void outcome_destroy(outcome *o);

/* Fills verdict, allowed and text of a task. */
void judge(task *t, const command *c, const outcome *o, const char *report, const allowed_places *allowed);

/* What stands behind the word in a report; NULL: nothing. */
const char *report_line(const char *report, const char *word);

#endif
