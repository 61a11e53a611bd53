/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "letters.h"

#include <string.h>

/* What LaTeX does not take as it is, by its first bytes; UTF-8 letters of Latin it does. */
static const struct {
    const char *text, *tex;
} spelled[] = {{"\\", "\\textbackslash{}"},
               {"{", "\\{"},
               {"}", "\\}"},
               {"$", "\\$"},
               {"&", "\\&"},
               {"#", "\\#"},
               {"_", "\\_"},
               {"%", "\\%"},
               {"~", "\\textasciitilde{}"},
               {"^", "\\textasciicircum{}"},
               {"<", "$<$"},
               {">", "$>$"},
               {"|", "$|$"},
               {"\"", "''"},
               {"'", "'"},
               {"Δ", "$\\Delta$"},
               {"ρ", "$\\rho$"},
               {"λ", "$\\lambda$"},
               {"ω", "$\\omega$"},
               {"μ", "$\\mu$"},
               {"≤", "$\\le$"},
               {"≥", "$\\ge$"},
               {"→", "$\\to$"},
               {"·", "$\\cdot$"},
               {"−", "$-$"},
               {"–", "--"}};

const char *ms_tex_letter(const char *text, size_t *length)
{
    for (size_t k = 0; k < sizeof spelled / sizeof *spelled; k++) {
        *length = strlen(spelled[k].text);
        if (strncmp(text, spelled[k].text, *length) == 0)
            return spelled[k].tex;
    }
    const unsigned char first = (unsigned char)*text;
    *length = 1;
    while (first >= 0xC0 && ((unsigned char)text[*length] & 0xC0) == 0x80)
        (*length)++;
    return first >= 0xC6 || (first >= 0x80 && first < 0xC0) ? "?" : NULL; /* beyond Latin letters */
}
