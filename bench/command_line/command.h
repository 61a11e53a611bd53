/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.h - the commands of macrostep: what each takes, its failures and interruption.
 *
 * A new command is one file bench/commands/cmd_NAME.c, its name in commands.h and its entry in
 * command_table.c. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include <macrostep/status.h>

/* Exit statuses. */
enum {
    MS_EXIT_DONE = 0,
    MS_EXIT_BROKEN = 1,
    MS_EXIT_WRONG = 2,
    MS_EXIT_DIFFERENT = 3,
    MS_EXIT_INTERRUPTED = 130
};

enum { MS_NO_OPTION = -1, MS_EVERY_OPTION = -2 };

/* Command options: those that are not in ms_option_table. */
typedef enum ms_argument {
#define MS_ARGUMENT_ROW(of, ...) MS_ARGUMENT_##of,
#include "argument_list.h"
#undef MS_ARGUMENT_ROW
    MS_ARGUMENTS
} ms_argument;

typedef struct ms_command {
    const char *name, *summary;
    const char *operand; /* "MODEL", "[WHAT]" or "" */
    const int *takes;    /* REQUIRED: ms_argument, ended by MS_NO_OPTION */
    /* ms_option_id of a run, ended by MS_NO_OPTION; MS_EVERY_OPTION first: all but those; NULL: none */
    const int *options;
    /* it couples subsystems, by the default family where no option names one; others that take schemes take all or none */
    bool couples;
    bool needs_equations; /* of all subsystems */
    bool lists;           /* lists are allowed in place of single values */
    bool threaded;        /* --num-threads are threads of its own, not those of a run */
    bool ranks;           /* --execution mpi: the ranks that mpirun starts take subsystems of one run */
} ms_command;

extern const ms_command ms_commands[]; /* ends with a NULL name */

/* The command of that name, or NULL. */
const ms_command *ms_command_find(const char *name);

/* The command that means the same, else the nearest name. */
const char *ms_command_nearest(const char *name);

/* Does the command take that option (ms_argument)? */
bool ms_argument_taken(const ms_command *command, int argument);

/* Is that option of a run (ms_option_id) one of the command's? */
bool ms_command_takes_option(const ms_command *command, int option);

/* Does it take the options of schemes? */
bool ms_command_takes_scheme(const ms_command *command);

/* Are its rows shared? With the ranks that mpirun starts, and by --shard. */
bool ms_command_shares(const ms_command *command);

/* "compare, best and sweep": the commands of which that holds, in text. Returns text. */
const char *ms_command_names(bool (*holds)(const ms_command *command), char *text, size_t size);

/* Destination of messages: a copy of standard error, since an FMU may close or replace it; without a copy, or if an FMU
 * has closed all files, stderr. To be called once. */
void ms_standard_error_keep(void);
FILE *ms_standard_error(void);

/* Is that file still open there? */
bool ms_descriptor_is(int descriptor, const struct stat *file);

/* Prints the line "macrostep: OF: TEXT" on standard error, of printable characters; `of` may be NULL. */
void ms_command_note(const char *of, const char *text);

/* The same of what ends the call; returns the exit status that fits the status. */
int ms_command_fail(int status, const ms_error *error);

/* Of a command that is called by another one on this thread: takes the line instead. */
extern _Thread_local ms_error *ms_command_caller;

/* Becomes non-zero with SIGINT, SIGTERM and SIGHUP. */
extern volatile sig_atomic_t ms_interrupted;

/* The line that says so is out. */
extern volatile sig_atomic_t ms_interruption_told;

/* What was done up to the signal is being answered, which takes its time. A command that is not so far ends soon after the signal without. */
extern volatile sig_atomic_t ms_answering;
