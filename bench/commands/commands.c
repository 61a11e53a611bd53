/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"

#include <stdbool.h>

static const struct {
    const char *name;
    const ms_call_steps *steps;
} runs[] = {
#define MS_COMMAND(name) {#name, &ms_command_##name},
    MS_COMMANDS(MS_COMMAND)
#undef MS_COMMAND
};

/* The name in C has _ instead of -. */
static bool is_called(const char *name, const char *command)
{
    size_t k = 0;
    while (name[k] != '\0' && (name[k] == command[k] || (name[k] == '_' && command[k] == '-')))
        k++;
    return name[k] == command[k];
}

int ms_command_call_with(ms_parts *given, const ms_command *command, int argc, char **argv)
{
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++)
        if (is_called(runs[k].name, command->name))
            return ms_call_run(runs[k].steps, given, argc, argv);
    return MS_EXIT_BROKEN;
}

int ms_command_call(const ms_command *command, int argc, char **argv)
{
    return ms_command_call_with(NULL, command, argc, argv);
}

int ms_command_call_within(const ms_command *command, int argc, char **argv)
{
    const bool before = ms_call_within(true);
    const int ended = ms_command_call(command, argc, argv);
    (void)ms_call_within(before);
    return ended;
}
