/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands.h - the commands at work: ms_command_NAME of each, its steps. Calls return an exit status; argv[0] is the command's name. */
#ifndef MS_COMMANDS_H
#define MS_COMMANDS_H

#include <stdio.h>

#include "call.h"

#define MS_COMMANDS(_)                                                                                       \
    _(list)                                                                                                  \
    _(show)                                                                                                  \
    _(graph)                                                                                                 \
    _(run)                                                                                                   \
    _(compare)                                                                                               \
    _(best)                                                                                                  \
    _(work_precision)                                                                                        \
    _(integrate)                                                                                             \
    _(sweep)                                                                                                 \
    _(converge)                                                                                              \
    _(stability)                                                                                             \
    _(spectral)                                                                                              \
    _(linearise)                                                                                             \
    _(estimate)                                                                                              \
    _(drive)                                                                                                 \
    _(judge)                                                                                                 \
    _(diff)                                                                                                  \
    _(export)                                                                                                \
    _(figure)                                                                                                \
    _(figures)                                                                                               \
    _(report)                                                                                                \
    _(ledger)                                                                                                \
    _(merge)                                                                                                 \
    _(new)                                                                                                   \
    _(demo)                                                                                                  \
    _(check)

#define MS_COMMAND(name) extern const ms_call_steps ms_command_##name;
MS_COMMANDS(MS_COMMAND)
#undef MS_COMMAND

/* Runs the command. */
int ms_command_call(const ms_command *command, int argc, char **argv);

/* The same with rows that are given, not computed. */
int ms_command_call_with(ms_parts *given, const ms_command *command, int argc, char **argv);

/* As ms_command_call from inside a command, which has progress, cache and ranks already. */
int ms_command_call_within(const ms_command *command, int argc, char **argv);

/* All commands; or one, with the options that one needs first. */
void ms_help_all(FILE *file);
void ms_help_command(const ms_command *command, FILE *file);

/* One command with all options, by topics. schemes: names with commas between; of the options of a run those that one of them
 * takes. NULL: all. Errors: MS_INVALID (there is no such scheme). */
int ms_help_command_all(const ms_command *command, const char *schemes, FILE *file, ms_error *error);

/* A command for programs: {"kind": "command", "name", "summary", "source", "operand", "text", "options": [{"name", "value", "summary"}]},
 * text as in help, value the form of an option's value, "" where it takes none. NULL: no memory. */
json_t *ms_help_row(const ms_command *command);

#endif
