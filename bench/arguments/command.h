/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.h - the commands of macrostep: what each takes, how it fails, when it is interrupted.
 *
 * A new command is one file bench/commands/cmd_NAME.c, its name in commands.h and its entry in
 * command_table.c. */
#ifndef MS_COMMAND_H
#define MS_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "status.h"

/* Exit statuses. */
enum {
    MS_EXIT_DONE = 0,
    MS_EXIT_BROKEN = 1,
    MS_EXIT_WRONG = 2,
    MS_EXIT_DIFFERENT = 3,
    MS_EXIT_INTERRUPTED = 130
};

enum { MS_NO_OPTION = -1, MS_EVERY_OPTION = -2 };

typedef struct ms_command {
    const char *name, *summary;
    const char *operand; /* "MODEL", "[WHAT]" or "" */
    const char *help;    /* what the summary and the tables of options do not say */
    uint64_t takes;      /* bit k: the command option k of arguments.h */
    const int *
        options; /* ms_option_id of a run, ended by MS_NO_OPTION; MS_EVERY_OPTION first: all but those; NULL: none */
    bool
        couples; /* subsystems: by the default family where no option names one (others that take schemes take all, or none) */
    bool lists;    /* a list may stand where one value does */
    bool threaded; /* --num-threads are threads of its own, not those of a run */
    bool ranks;    /* --execution mpi: the ranks that mpirun starts take subsystems of one run */
} ms_command;

extern const ms_command ms_commands[]; /* ends with a NULL name */

/* The command of that name, or NULL. */
const ms_command *ms_command_find(const char *name);

/* The nearest name among the commands. */
const char *ms_command_nearest(const char *name);

/* Is that option of a run (ms_option_id) one of the command's? */
bool ms_command_takes_option(const ms_command *command, int option);

/* Are there as many as choose a scheme? */
bool ms_command_takes_scheme(const ms_command *command);

/* Are its rows shared? With the ranks that mpirun starts, and by --shard. */
bool ms_command_shares(const ms_command *command);

/* "compare, best and sweep": the commands of which that holds, in text. Returns text. */
const char *ms_command_names(bool (*holds)(const ms_command *command), char *text, size_t size);

/* Prints "macrostep: " and the line on standard error; returns the exit status that fits the status. */
int ms_command_fail(int status, const ms_error *error);

/* Becomes non-zero with SIGINT, SIGTERM and SIGHUP. */
extern volatile sig_atomic_t ms_interrupted;

#endif
