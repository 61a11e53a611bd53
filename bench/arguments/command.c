/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command.h"

#include <stdbool.h>
#include <stdio.h>

volatile sig_atomic_t ms_interrupted;

int ms_command_fail(int status, const ms_error *error)
{
    const bool silent = status == MS_INTERRUPTED && error->text[0] == '\0';
    fprintf(stderr, "macrostep: %s\n", silent ? "interrupted" : error->text);
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
