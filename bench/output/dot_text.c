/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dot_text.h"

void ms_dot_text(const char *text, FILE *file)
{
    for (; *text != '\0'; text++)
        switch (*text) {
        case '&':
            fputs("&amp;", file);
            break;
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        case '\\':
            fputs("&#92;", file);
            break;
        default:
            fputc(*text, file);
        }
}
