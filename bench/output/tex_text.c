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
               {"α", "$\\alpha$"},
               {"β", "$\\beta$"},
               {"γ", "$\\gamma$"},
               {"δ", "$\\delta$"},
               {"ε", "$\\varepsilon$"},
               {"ε", "$\\epsilon$"},
               {"ζ", "$\\zeta$"},
               {"η", "$\\eta$"},
               {"θ", "$\\theta$"},
               {"κ", "$\\kappa$"},
               {"λ", "$\\lambda$"},
               {"μ", "$\\mu$"},
               {"ν", "$\\nu$"},
               {"ξ", "$\\xi$"},
               {"π", "$\\pi$"},
               {"ρ", "$\\rho$"},
               {"σ", "$\\sigma$"},
               {"τ", "$\\tau$"},
               {"φ", "$\\varphi$"},
               {"φ", "$\\phi$"},
               {"χ", "$\\chi$"},
               {"ψ", "$\\psi$"},
               {"ω", "$\\omega$"},
               {"Γ", "$\\Gamma$"},
               {"Δ", "$\\Delta$"},
               {"Θ", "$\\Theta$"},
               {"Λ", "$\\Lambda$"},
               {"Σ", "$\\Sigma$"},
               {"Φ", "$\\Phi$"},
               {"Ψ", "$\\Psi$"},
               {"Ω", "$\\Omega$"},
               {"∞", "$\\infty$"},
               {"≤", "$\\le$"},
               {"≥", "$\\ge$"},
               {"≈", "$\\approx$"},
               {"∂", "$\\partial$"},
               {"→", "$\\to$"},
               {"·", "$\\cdot$"},
               {"×", "$\\times$"},
               {"±", "$\\pm$"},
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

const char *ms_tex_symbol(const char *name, size_t length)
{
    for (size_t k = 0; k < sizeof spelled / sizeof *spelled; k++)
        if (strncmp(spelled[k].tex, "$\\", 2) == 0 && strncmp(spelled[k].tex + 2, name, length) == 0 &&
            strcmp(spelled[k].tex + 2 + length, "$") == 0)
            return spelled[k].text;
    return NULL;
}
