/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands.h - the implementation of the commands: ms_command_NAME has the steps of each. Calls return an exit status; argv[0] is the command's
 * name. */
#pragma once

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

int ms_command_call(const ms_command *command, int argc, char **argv);

/* Runs the command with given rows instead of computing them. */
int ms_command_call_with(ms_parts *given, const ms_command *command, int argc, char **argv);

/* As ms_command_call, called from inside a command, which has progress, cache and ranks already. */
int ms_command_call_within(const ms_command *command, int argc, char **argv);

/* Help on all commands, or on one with its most needed options. */
void ms_help_all(FILE *file);
void ms_help_command(const ms_command *command, FILE *file);

/* Help on a command with all options, by topic. schemes: names separated by commas; only options that one of them takes are listed. NULL: all.
 * Errors: MS_INVALID (no such scheme). */
int ms_help_command_all(const ms_command *command, const char *schemes, FILE *file, ms_error *error);

/* A command as JSON: {"kind": "command", "name", "summary", "source", "operand", "text", "options": [{"name", "value", "summary"}]};
 * text as in help, value the form of an option's value, "" if it takes none. NULL: no memory. */
json_t *ms_help_row(const ms_command *command);
