/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"

volatile sig_atomic_t ms_interrupted;

int ms_command_fail(int status, const ms_error *error)
{
    const char *text = error->text;
    if (ms_memory_refused() && status != MS_INTERRUPTED && status != MS_IO)
        status = MS_NO_MEMORY; /* what else it says may be but what it had read */
    if (status == MS_NO_MEMORY && strstr(text, "memory") == NULL)
        text = "not enough memory";
    if (status == MS_INTERRUPTED && text[0] == '\0')
        text = "interrupted";
    fprintf(stderr, "macrostep: %s\n", text);
    switch (status) {
    case MS_OK:
        return MS_EXIT_DONE;
    case MS_INVALID:
    case MS_UNSUPPORTED:
    case MS_NO_SOLUTION:
        return MS_EXIT_WRONG;
    case MS_INTERRUPTED:
        return MS_EXIT_INTERRUPTED;
    default:
        return MS_EXIT_BROKEN;
    }
}
