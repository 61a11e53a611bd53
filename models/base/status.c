/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "status.h"

#include <stdarg.h>
#include <stdio.h>

static ms_respell *respelled;

void ms_fail_respelled(ms_respell *respell)
{
    respelled = respell;
}

int ms_fail(ms_error *error, int status, const char *format, ...)
{
    if (error == NULL)
        return status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    for (char *c = error->text; *c != '\0'; c++) /* names and paths may hold anything; the line stays one */
        if ((*c > 0 && *c < ' ') || *c == 127)
            *c = ' ';
    if (respelled != NULL)
        respelled(error->text);
    return status;
}
