/* SPDX-License-Identifier: GPL-3.0-or-later */
/* enhanced.c - mathematics of LaTeX as gnuplot's enhanced text: $m_2$ with its subscript, $\lambda_{\max}$ with its letter. */
#include "enhanced.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "letters.h"
#include "printable.h"

size_t ms_mathematics(const char *text)
{
    size_t n = 1, length;
    int depth = 0;
    for (; text[n] != '$'; n += length) {
        if (text[n] == '\\' && text[n + 1] != '\0')
            n++;
        else
            depth += (text[n] == '{') - (text[n] == '}');
        const bool letter = ms_printable(text + n, &length) && text[n] != '\n' && text[n] != '\t';
        if (depth < 0 || !letter || strchr("%#&", text[n]) != NULL)
            return 0;
    }
    return depth == 0 && n > 1 ? n + 1 : 0;
}

static bool is_among(const char *words, const char *name, size_t length)
{
    const char *at = words;
    while ((at = strstr(at, " ")) != NULL && (strncmp(++at, name, length) != 0 || at[length] != ' '))
        ;
    return at != NULL && length > 0;
}

/* A command, at its backslash: a letter, a space, the name of a function, or a font, which is left out. */
static bool put_command(const char **text, FILE *to)
{
    static const char functions[] = " max min log ln exp sin cos tan det sup inf arg Re Im ",
                      fonts[] = " mathrm text mathbf mathit mathsf operatorname ";
    const char *name = *text + 1;
    const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    const char *symbol = ms_tex_symbol(name, length);
    *text = name + (length > 0 ? length : 1);
    if (length == 0)
        return strchr(",;: ", *name) != NULL && fputc(' ', to) != EOF;
    if (symbol != NULL)
        fputs(symbol, to);
    else if (is_among(functions, name, length))
        fprintf(to, "%.*s", (int)length, name);
    else if (!is_among(fonts, name, length))
        return false;
    *text += strspn(*text, " ");
    return true;
}

/* A brace of gnuplot's begins a font, a size or a width where one of these follows. */
static bool put_letter(const char **text, FILE *to)
{
    const char letter = *(*text)++;
    if (letter == '{' && strchr("/:*=", **text) != NULL)
        return false;
    if (strchr("@~", letter) != NULL)
        fputc('\\', to);
    return fputc(letter, to) != EOF;
}

static bool put_mathematics(const char *text, const char *end, FILE *to)
{
    bool known = true;
    while (text < end && known) {
        const bool script = (*text == '_' || *text == '^') && text[1] == '\\';
        if (script)
            fprintf(to, "%c{", *text++);
        known = *text == '\\' ? put_command(&text, to) : put_letter(&text, to);
        if (script)
            fputc('}', to);
    }
    return known;
}

/* The letters of a text, as they are. */
static void put_text(const char *text, size_t length, FILE *to)
{
    for (; length > 0; length--, text++)
        fprintf(to, "%s%c", strchr("{}^_@&~\\", *text) != NULL ? "\\" : "", *text);
}

static bool put_all(const char *text, FILE *to)
{
    bool found = false;
    while (*text != '\0') {
        const size_t plain = strcspn(text, "$"),
                     length = text[plain] != '\0' ? ms_mathematics(text + plain) : 0;
        put_text(text, plain, to);
        text += plain;
        if (*text != '\0' && (length == 0 || !put_mathematics(text + 1, text + length - 1, to)))
            return false;
        found = found || length > 0;
        text += length;
    }
    return found;
}

char *ms_enhanced(const char *text)
{
    char *enhanced = NULL;
    size_t size;
    FILE *to = open_memstream(&enhanced, &size);
    if (to == NULL)
        return NULL;
    const bool found = put_all(text, to);
    if (fclose(to) == 0 && found)
        return enhanced;
    free(enhanced);
    return NULL;
}
