/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/status.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static ms_respell *respelled;

void ms_fail_respelled(ms_respell *respell)
{
    respelled = respell;
}

/* Is it a letter of U+0080 .. U+009F, which terminals take for orders, too? */
static bool is_control(const char *c)
{
    const unsigned char here = (unsigned char)c[0], next = (unsigned char)c[1];
    return here == 0xc2 && next >= 0x80 && next < 0xa0;
}

int ms_fail(ms_error *error, int status, const char *format, ...)
{
    static const char cut[] = ".."; /* the end of a line without room for the rest */
    if (error == NULL)
        return status;
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(error->text, sizeof error->text, format, arguments) >= (int)sizeof error->text)
        memcpy(error->text + sizeof error->text - sizeof cut, cut, sizeof cut);
    va_end(arguments);
    for (char *c = error->text; *c != '\0'; c++) { /* names and paths may hold anything; the line stays one */
        if (is_control(c))
            c[0] = c[1] = ' ';
        if ((*c > 0 && *c < ' ') || *c == 127)
            *c = ' ';
    }
    if (respelled != NULL)
        respelled(error->text);
    return status;
}
