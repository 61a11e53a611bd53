/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dot_text.h"

void ms_dot_text(const char *text, FILE *file)
{
    static const char *const entities[128] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\\'] = "&#92;"};
    for (; *text != '\0'; text++) {
        const unsigned char letter = (unsigned char)*text;
        if (letter < 128 && entities[letter] != NULL)
            fputs(entities[letter], file);
        else
            fputc(letter, file);
    }
}
