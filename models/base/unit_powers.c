/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit_powers.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const ms_unit_bases[MS_UNIT_BASES] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};

/* Symbols without prefixes or factors. */
static const struct {
    const char *symbol;
    int power[MS_UNIT_BASES];
} symbols[] = {{"1", {0}},
               {"kg", {1}},
               {"m", {0, 1}},
               {"s", {0, 0, 1}},
               {"A", {0, 0, 0, 1}},
               {"K", {0, 0, 0, 0, 1}},
               {"mol", {0, 0, 0, 0, 0, 1}},
               {"cd", {0, 0, 0, 0, 0, 0, 1}},
               {"rad", {0, 0, 0, 0, 0, 0, 0, 1}},
               {"Hz", {0, 0, -1}},
               {"N", {1, 1, -2}},
               {"Pa", {1, -1, -2}},
               {"J", {1, 2, -2}},
               {"W", {1, 2, -3}},
               {"C", {0, 0, 1, 1}},
               {"V", {1, 2, -3, -1}},
               {"Ohm", {1, 2, -3, -2}},
               {"F", {-1, -2, 4, 2}},
               {"Wb", {1, 2, -2, -1}},
               {"T", {1, 0, -2, -1}},
               {"H", {1, 2, -2, -2}}};

static const int *find(const char *symbol, size_t length)
{
    for (size_t k = 0; k < sizeof symbols / sizeof *symbols; k++)
        if (strlen(symbols[k].symbol) == length && strncmp(symbols[k].symbol, symbol, length) == 0)
            return symbols[k].power;
    return NULL;
}

static size_t symbol_length(const char *unit)
{
    size_t length = 0;
    if (unit[0] == '1')
        return 1;
    while (isalpha((unsigned char)unit[length]))
        length++;
    return length;
}

/* Adds one factor, SYMBOL or SYMBOL^EXPONENT, and moves behind it. */
static bool add_factor(const char **unit, int sign, int power[MS_UNIT_BASES])
{
    const size_t length = symbol_length(*unit);
    const int *of = find(*unit, length);
    char *end = (char *)*unit + length;
    long exponent = 1;
    if (of == NULL)
        return false;
    if (*end == '^')
        exponent = strtol(*unit + length + 1, &end, 10);
    if (end == *unit + length + 1 || labs(exponent) > 20)
        return false;
    for (int k = 0; k < MS_UNIT_BASES; k++)
        power[k] += sign * (int)exponent * of[k];
    *unit = end;
    return true;
}

bool ms_unit_powers(const char *unit, int power[MS_UNIT_BASES])
{
    int sign = 1;
    memset(power, 0, sizeof *power * MS_UNIT_BASES);
    while (add_factor(&unit, sign, power)) {
        if (*unit == '\0')
            return true;
        if (strchr(" */", *unit) == NULL)
            return false;
        sign = *unit++ == '/' ? -1 : 1;
    }
    return false;
}

const char *ms_unit_name(const double power[MS_UNIT_BASES], char *name, size_t size)
{
    size_t at = 0;
    name[0] = '\0';
    for (int sign = 1; sign >= -1; sign -= 2)
        for (int k = 0; k < MS_UNIT_BASES && at < size; k++) {
            const double of = sign * power[k];
            if (of <= 0.0)
                continue;
            const char *before = sign < 0 ? (at == 0 ? "1/" : "/") : at == 0 ? "" : " ";
            at += (size_t)snprintf(name + at, size - at, of != 1.0 ? "%s%s^%g" : "%s%s", before,
                                   ms_unit_bases[k], of);
        }
    return at > 0 ? name : "1";
}
