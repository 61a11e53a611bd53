/* command.h - the commands of macrostep, and what they have in common.
 *
 * A new command is one file cmd_NAME.c, one prototype here and one line in command.c. */
#ifndef MS_COMMAND_H
#define MS_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "status.h"

/* Exit statuses. */
enum { MS_EXIT_DONE = 0, MS_EXIT_BROKEN = 1, MS_EXIT_WRONG = 2, MS_EXIT_INTERRUPTED = 130 };

typedef struct ms_command {
    const char *name, *summary;
    const char *operand;                /* "MODEL", "[WHAT]" or "" */
    const char *help;                   /* what the summary and the tables of options do not say */
    int (*run)(int argc, char **argv);  /* argv[0] is the command's name; returns an exit status */
    uint64_t takes;                     /* bit k: the command option k of arguments.h */
    bool options;                       /* takes those of a run as well (ms_option_table) */
} ms_command;

extern const ms_command ms_commands[]; /* ends with a NULL name */

/* The command of that name, or NULL. */
const ms_command *ms_command_find(const char *name);

/* The nearest name among the commands. */
const char *ms_command_nearest(const char *name);

/* Is that option of a run one of the command's? Some commands take a few of them alone. */
bool ms_command_is_selective(const ms_command *command);
bool ms_command_takes_option(const ms_command *command, const char *name);

/* Prints "macrostep: " and the line on standard error; returns the exit status that fits the status. */
int ms_command_fail(int status, const ms_error *error);

/* Becomes non-zero with SIGINT and SIGTERM. */
extern volatile sig_atomic_t ms_interrupted;

/* All commands (short), or one command with its options. */
void ms_help_all(FILE *file);
void ms_help_command(const ms_command *command, FILE *file);

int ms_command_list(int argc, char **argv);
int ms_command_show(int argc, char **argv);
int ms_command_graph(int argc, char **argv);
int ms_command_run(int argc, char **argv);
int ms_command_compare(int argc, char **argv);
int ms_command_integrate(int argc, char **argv);
int ms_command_sweep(int argc, char **argv);
int ms_command_converge(int argc, char **argv);
int ms_command_stability(int argc, char **argv);
int ms_command_spectral(int argc, char **argv);
int ms_command_linearise(int argc, char **argv);
int ms_command_estimate(int argc, char **argv);
int ms_command_drive(int argc, char **argv);
int ms_command_figure(int argc, char **argv);
int ms_command_figures(int argc, char **argv);
int ms_command_report(int argc, char **argv);

#endif
