/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "label.h"

#include <string.h>

static const char dots[] = "...";
enum { DOTS = sizeof dots - 1 };

/* Does a letter begin with this byte? */
static int is_first(char byte)
{
    return ((unsigned char)byte & 0xC0) != 0x80;
}

int ms_label_letters(const char *text)
{
    int n = 0;
    for (; *text != '\0'; text++)
        n += is_first(*text);
    return n;
}

/* The letter of that number. */
static const char *letter(const char *text, int number)
{
    while (*text != '\0' && number > 0)
        number -= is_first(*++text);
    return text;
}

void ms_label_fit(const char *text, int most, char *to, size_t size)
{
    const size_t length = strlen(text);
    const int letters = ms_label_letters(text);
    if (letters <= most && length < size) {
        memcpy(to, text, length + 1);
        return;
    }
    int kept = (most < letters ? most : letters) - DOTS;
    const char *head_end, *tail;
    do {
        head_end = letter(text, (kept + 1) / 2);
        tail = letter(text, letters - kept / 2);
        kept--;
    } while (kept > 0 && (size_t)(head_end - text) + DOTS + strlen(tail) >= size);
    const size_t head = (size_t)(head_end - text), rest = strlen(tail);
    memcpy(to, text, head);
    memcpy(to + head, dots, DOTS);
    memcpy(to + head + DOTS, tail, rest + 1);
}
