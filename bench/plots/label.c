/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "label.h"

#include <string.h>

#include "letters.h"

static const char dots[] = "...";
enum { DOTS = sizeof dots - 1 };

void ms_label_fit(const char *text, int most, char *to, size_t size)
{
    const size_t length = strlen(text);
    const int letters = (int)ms_letters(text);
    if (letters <= most && length < size) {
        memcpy(to, text, length + 1);
        return;
    }
    int kept = (most < letters ? most : letters) - DOTS;
    const char *head_end, *tail;
    do {
        kept = kept > 0 ? kept : 0;
        head_end = ms_letter(text, (size_t)(kept + 1) / 2);
        tail = ms_letter(text, (size_t)(letters - kept / 2));
    } while (kept-- > 0 && (size_t)(head_end - text) + DOTS + strlen(tail) >= size);
    const size_t head = (size_t)(head_end - text), rest = strlen(tail);
    memcpy(to, text, head);
    memcpy(to + head, dots, DOTS);
    memcpy(to + head + DOTS, tail, rest + 1);
}
