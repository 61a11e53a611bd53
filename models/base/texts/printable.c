/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "printable.h"

#include <stdint.h>
#include <string.h>

/* Of Unicode 15, categories Cc, Cf, Zl and Zp, but for those within words of living scripts. The last two of each plane are no
 * characters, and XML, as SVG is, has no place for them. */
static const struct {
    uint32_t first, last;
} unprintable[] = {{0x80, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},     {0x180e, 0x180e},
                   {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},   {0xd800, 0xdfff},
                   {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe0fff}, {0x110000, 0xffffffff}};

/* The character at the text, and its number of bytes; an invalid UTF-8 sequence has one. */
static uint32_t decode(const unsigned char *text, size_t *length)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t least;
    } forms[] = {{0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++)
        if ((text[0] & forms[k].mask) == forms[k].lead) {
            uint32_t c = text[0] & (unsigned char)~forms[k].mask;
            size_t n = 1;
            for (; n < k + 2 && (text[n] & 0xc0) == 0x80; n++)
                c = c << 6 | (text[n] & 0x3f);
            *length = n;
            return n == k + 2 && c >= forms[k].least ? c : UINT32_MAX;
        }
    *length = 1;
    return UINT32_MAX;
}

bool ms_printable(const char *text, size_t *length)
{
    const unsigned char first = (unsigned char)text[0];
    *length = 1;
    if (first < 0x80)
        return (first >= ' ' && first != 127) || first == '\n' || first == '\t';
    const uint32_t c = decode((const unsigned char *)text, length);
    if ((c & 0xfffe) == 0xfffe)
        return false;
    for (size_t k = 0; k < sizeof unprintable / sizeof *unprintable; k++)
        if (c >= unprintable[k].first && c <= unprintable[k].last)
            return false;
    return true;
}

bool ms_text_printable(const char *text)
{
    size_t length = 0;
    while (*text != '\0' && ms_printable(text, &length))
        text += length;
    return *text == '\0';
}

void ms_text_make_printable(char *text)
{
    char *to = text;
    for (size_t length; *text != '\0'; text += length) {
        if (ms_printable(text, &length)) {
            memmove(to, text, length);
            to += length;
        } else {
            *to++ = '?';
        }
    }
    *to = '\0';
}
