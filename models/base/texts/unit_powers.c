/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit_powers.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

#define PI      3.14159265358979323846
#define CELSIUS "degC"

const char *const ms_unit_bases[MS_UNIT_BASES] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};

/* Symbols of the SI and of what is used with it. */
static const struct {
    const char *symbol;
    double factor;
    int power[MS_UNIT_BASES];
    bool prefixes;
} symbols[] = {{"1", 1.0, {0}, false},
               {"kg", 1.0, {1}, false},
               {"g", 1e-3, {1}, true},
               {"m", 1.0, {0, 1}, true},
               {"s", 1.0, {0, 0, 1}, true},
               {"A", 1.0, {0, 0, 0, 1}, true},
               {"K", 1.0, {0, 0, 0, 0, 1}, true},
               {"mol", 1.0, {0, 0, 0, 0, 0, 1}, true},
               {"cd", 1.0, {0, 0, 0, 0, 0, 0, 1}, false},
               {"rad", 1.0, {0, 0, 0, 0, 0, 0, 0, 1}, true},
               {"Hz", 1.0, {0, 0, -1}, true},
               {"N", 1.0, {1, 1, -2}, true},
               {"Pa", 1.0, {1, -1, -2}, true},
               {"J", 1.0, {1, 2, -2}, true},
               {"W", 1.0, {1, 2, -3}, true},
               {"C", 1.0, {0, 0, 1, 1}, true},
               {"V", 1.0, {1, 2, -3, -1}, true},
               {"Ohm", 1.0, {1, 2, -3, -2}, true},
               {"F", 1.0, {-1, -2, 4, 2}, true},
               {"Wb", 1.0, {1, 2, -2, -1}, true},
               {"T", 1.0, {1, 0, -2, -1}, true},
               {"H", 1.0, {1, 2, -2, -2}, true},
               {"t", 1e3, {1}, false},
               {"l", 1e-3, {0, 3}, true},
               {"bar", 1e5, {1, -1, -2}, true},
               {"min", 60.0, {0, 0, 1}, false},
               {"h", 3600.0, {0, 0, 1}, false},
               {"deg", PI / 180.0, {0, 0, 0, 0, 0, 0, 0, 1}, false},
               {"rev", 2.0 * PI, {0, 0, 0, 0, 0, 0, 0, 1}, false},
               {"rpm", PI / 30.0, {0, 0, -1, 0, 0, 0, 0, 1}, false},
               {CELSIUS, 1.0, {0, 0, 0, 0, 1}, false}};

static const struct {
    char letter;
    double factor;
} prefixes[] = {{'p', 1e-12}, {'n', 1e-9}, {'u', 1e-6}, {'m', 1e-3}, {'c', 1e-2},
                {'d', 1e-1},  {'k', 1e3},  {'M', 1e6},  {'G', 1e9},  {'T', 1e12}};

/* The row of symbols; -1: none. */
static int find(const char *symbol, size_t length)
{
    for (int k = 0; k < (int)(sizeof symbols / sizeof *symbols); k++)
        if (strlen(symbols[k].symbol) == length && strncmp(symbols[k].symbol, symbol, length) == 0)
            return k;
    return -1;
}

/* The same with a prefix, whose factor it sets. */
static int find_prefixed(const char *symbol, size_t length, double *factor)
{
    *factor = 1.0;
    int found = find(symbol, length);
    for (size_t k = 0; found < 0 && length > 1 && k < sizeof prefixes / sizeof *prefixes; k++) {
        if (symbol[0] != prefixes[k].letter)
            continue;
        found = find(symbol + 1, length - 1);
        *factor = prefixes[k].factor;
        return found >= 0 && symbols[found].prefixes ? found : -1;
    }
    return found;
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

/* Multiplies by one factor, SYMBOL, SYMBOL^EXPONENT or SYMBOLEXPONENT, and moves behind it. */
static bool add_factor(const char **text, int sign, ms_unit *unit)
{
    const size_t length = symbol_length(*text);
    double factor;
    const int of = find_prefixed(*text, length, &factor);
    const char *at = *text + length;
    char *end = (char *)at;
    long exponent = 1;
    if (of < 0)
        return false;
    if (*at == '^' || (*text[0] != '1' && (isdigit((unsigned char)*at) || *at == '-'))) {
        at += *at == '^';
        exponent = strtol(at, &end, 10);
        if (end == at || labs(exponent) > 20)
            return false;
    }
    for (int k = 0; k < MS_UNIT_BASES; k++)
        unit->power[k] += sign * (int)exponent * symbols[of].power[k];
    factor = pow(factor * symbols[of].factor, (double)labs(exponent));
    unit->factor = sign * exponent > 0 ? unit->factor * factor : unit->factor / factor;
    *text = end;
    return true;
}

bool ms_unit_read(const char *text, ms_unit *unit)
{
    int sign = 1;
    *unit = (ms_unit){.factor = 1.0, .offset = strcmp(text, CELSIUS) == 0 ? 273.15 : 0.0};
    while (add_factor(&text, sign, unit)) {
        if (*text == '\0')
            return true;
        if (strchr(" */.", *text) == NULL)
            return false;
        sign = *text++ == '/' ? -1 : 1;
    }
    return false;
}

bool ms_unit_convert(const ms_unit *from, const ms_unit *to, double *gain, double *offset)
{
    *gain = from->factor / to->factor;
    *offset = (from->offset - to->offset) / to->factor;
    return memcmp(from->power, to->power, sizeof from->power) == 0;
}

bool ms_unit_powers(const char *text, int power[MS_UNIT_BASES])
{
    ms_unit unit;
    const bool known = ms_unit_read(text, &unit);
    memcpy(power, unit.power, sizeof unit.power);
    return known && fabs(unit.factor - 1.0) < 1e-12 && !(unit.offset > 0.0);
}

const char *ms_unit_name(const double power[MS_UNIT_BASES], char *name, size_t size)
{
    const locale_t locale = ms_number_locale();
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
    uselocale(locale);
    return at > 0 ? name : "1";
}
