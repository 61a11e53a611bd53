/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "number.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_MAX = 17, POSITIONAL_MIN = -4, POSITIONAL_MAX = 16 };

/* glibc makes nothing anew for "C". */
locale_t ms_number_locale(void)
{
    return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

double ms_number_read(const char *text, char **end)
{
    const locale_t before = ms_number_locale();
    const double value = strtod(text, end);
    uselocale(before);
    return value;
}

/* The next larger decimal of as many digits, of "d.ddde+XX"; false where all of them are nines. */
static bool increase(char *decimal)
{
    char *digit = strchr(decimal, 'e') - 1;
    for (; digit >= decimal && (*digit == '9' || *digit == '.'); digit--)
        if (*digit == '9')
            *digit = '0';
    if (digit < decimal)
        return false;
    ++*digit;
    return true;
}

/* The decimal of 17 digits rounded to fewer: the nearest of that length to the value, unless it lies half way between two or between nines
 * and the next power of ten: false. */
static bool round_digits(const char *seventeen, int digits, char *decimal)
{
    const char *rest = seventeen + digits + 1, *exponent = strchr(seventeen, 'e');
    const bool tie = rest[0] == '5' && rest + 1 + strspn(rest + 1, "0") == exponent;
    const bool up = rest[0] >= '5';
    memcpy(decimal, seventeen, (size_t)digits + 1);
    memcpy(decimal + digits + 1, exponent, strlen(exponent) + 1);
    return !tie && (!up || increase(decimal));
}

/* A positive value of this number of digits as "d.ddde+XX". Does it read back? The doubles below a power of two lie half as far
 * apart as those above it: there the second nearest decimal may, where the nearest does not. */
static bool reads_back(double value, const char *seventeen, int digits, char *decimal)
{
    int exponent;
    if (digits < DBL_DIG || !round_digits(seventeen, digits, decimal))
        snprintf(decimal, MS_NUMBER_SIZE, "%.*e", digits - 1, value);
    if (strtod(decimal, NULL) == value)
        return true;
    return frexp(value, &exponent) == 0.5 && increase(decimal) && strtod(decimal, NULL) == value;
}

/* Normal doubles distinguish all decimals of up to DBL_DIG digits, so that fewer digits need not be
 * tried: trailing zeros are removed. */
static void shortest(double value, char *decimal)
{
    char seventeen[MS_NUMBER_SIZE];
    const locale_t before = ms_number_locale();
    int digits = isnormal(value) ? DBL_DIG : 1;
    snprintf(seventeen, sizeof seventeen, "%.*e", DIGITS_MAX - 1, value);
    while (digits < DIGITS_MAX && !reads_back(value, seventeen, digits, decimal))
        digits++;
    if (digits == DIGITS_MAX)
        memcpy(decimal, seventeen, sizeof seventeen);
    uselocale(before);
}

/* The digits of "d.ddde+XX" without zeros at their end; their number. */
static int collect_digits(const char *decimal, char *digit)
{
    int n = 0;
    for (; *decimal != 'e'; decimal++)
        if (*decimal != '.')
            digit[n++] = *decimal;
    while (n > 1 && digit[n - 1] == '0')
        n--;
    digit[n] = '\0';
    return n;
}

/* n characters at `to`; what is behind them. */
static char *put(char *to, const char *from, int n)
{
    memcpy(to, from, (size_t)n);
    return to + n;
}

/* n digits with the point behind the first 1 + exponent of them; the length. */
static int lay_out(const char *digit, int n, int exponent, char *text)
{
    static const char zeros[] = "000000000000000";
    const int whole = exponent + 1; /* digits before the point */
    if (exponent < POSITIONAL_MIN || exponent >= POSITIONAL_MAX)
        return sprintf(text, "%c%s%se%d", digit[0], n > 1 ? "." : "", digit + 1, exponent);
    char *end = text;
    if (exponent < 0) {
        end = put(put(put(end, "0.", 2), zeros, -whole), digit, n);
    } else if (n <= whole) {
        end = put(put(end, digit, n), zeros, whole - n);
    } else {
        end = put(put(put(end, digit, whole), ".", 1), digit + whole, n - whole);
    }
    *end = '\0';
    return (int)(end - text);
}

/* A whole number of as many digits as every decimal may have, whose shortest decimal is its digits. */
static bool is_short_integer(double value)
{
    return fabs(value) < 1e15 && trunc(value) == value && value != 0.0;
}

int ms_number_text(double value, char *text)
{
    if (is_short_integer(value))
        return sprintf(text, "%lld", (long long)value);
    char decimal[MS_NUMBER_SIZE], digit[MS_NUMBER_SIZE];
    const int sign = signbit(value) ? 1 : 0;
    text[0] = '-';
    shortest(fabs(value), decimal);
    const int n = collect_digits(decimal, digit);
    return sign + lay_out(digit, n, atoi(strchr(decimal, 'e') + 1), text + sign);
}
