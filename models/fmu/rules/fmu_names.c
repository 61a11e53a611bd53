/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_names.c - the grammar of structured names, FMI 2.0.x, 2.2.9 and 3.0.x, 2.4.7.5.1:
 *
 *     name       = identifier | "der(" identifier ["," unsigned] ")"
 *     identifier = B-name [indices] {"." B-name [indices]}
 *     B-name     = (letter | "_") {letter | "_" | digit} | "'" character {character} "'"
 *     indices    = "[" unsigned {"," unsigned} "]" */
#include <string.h>

#include "fmu_check_parts.h"

static const char digits[] = "0123456789";
static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
static const char quotable[] = "!#$%&()*+,-./:;<>=?@[]^{}|~ ";

/* Each returns the text after its part, or NULL. */

static const char *take_unsigned(const char *c)
{
    const size_t length = strspn(c, digits);
    return length > 0 ? c + length : NULL;
}

static const char *take_quoted(const char *c)
{
    const char *start = ++c;
    while (*c != '\0' && *c != '\'') {
        const bool escape = *c == '\\' && c[1] != '\0' && strchr("'\"?\\abfnrtv", c[1]) != NULL;
        if (!escape && strchr(letters, *c) == NULL && strchr(digits, *c) == NULL &&
            strchr(quotable, *c) == NULL)
            return NULL;
        c += escape ? 2 : 1;
    }
    return *c == '\'' && c > start ? c + 1 : NULL;
}

static const char *take_simple(const char *c)
{
    const size_t first = strspn(c, letters);
    if (first == 0)
        return NULL;
    for (c += first; *c != '\0' && (strchr(letters, *c) != NULL || strchr(digits, *c) != NULL);)
        c++;
    return c;
}

static const char *take_indices(const char *c)
{
    do
        c = take_unsigned(c + 1);
    while (c != NULL && *c == ',');
    return c != NULL && *c == ']' ? c + 1 : NULL;
}

static const char *take_identifier(const char *c)
{
    for (;;) {
        c = *c == '\'' ? take_quoted(c) : take_simple(c);
        if (c != NULL && *c == '[')
            c = take_indices(c);
        if (c == NULL || *c != '.')
            return c;
        c++;
    }
}

static const char *take_derivative(const char *c)
{
    c = take_identifier(c + strlen("der("));
    if (c != NULL && *c == ',')
        c = take_unsigned(c + 1);
    return c != NULL && *c == ')' ? c + 1 : NULL;
}

bool ms_fmu_is_structured(const char *name)
{
    const char *end = strncmp(name, "der(", 4) == 0 ? take_derivative(name) : take_identifier(name);
    return end != NULL && *end == '\0';
}
