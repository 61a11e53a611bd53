/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "letters.h"

#include "printable.h"

/* 1 where a letter begins with this byte. */
static size_t begins(char byte)
{
    return ((unsigned char)byte & 0xC0U) != 0x80U;
}

size_t ms_letters(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; text++)
        n += begins(*text);
    return n;
}

const char *ms_letter(const char *text, size_t number)
{
    while (*text != '\0' && number > 0)
        number -= begins(*++text);
    return text;
}

/* Bytes of ASCII that can be seen, which most texts are alone. */
static size_t plain(const char *text)
{
    size_t n = 0;
    while (text[n] >= ' ' && text[n] <= '~')
        n++;
    return n;
}

void ms_letters_print(const char *text, FILE *file)
{
    while (*text != '\0') {
        size_t run = plain(text), length = 0;
        for (; text[run] != '\0' && ms_printable(text + run, &length); run += length)
            ;
        fwrite(text, 1, run, file);
        text += run;
        if (*text != '\0') {
            fputc('?', file);
            text += length;
        }
    }
}
