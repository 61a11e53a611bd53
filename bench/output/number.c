/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "number.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_MAX = 17, POSITIONAL_MIN = -4, POSITIONAL_MAX = 16 };

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

/* A positive value in so many digits as "d.ddde+XX". Does it read back? The doubles below a power of two lie half as far
 * apart as those above it: there the second nearest decimal may, where the nearest does not. */
static bool reads_back(double value, int digits, char *decimal)
{
    int exponent;
    snprintf(decimal, MS_NUMBER_SIZE, "%.*e", digits - 1, value);
    if (strtod(decimal, NULL) == value)
        return true;
    return frexp(value, &exponent) == 0.5 && increase(decimal) && strtod(decimal, NULL) == value;
}

/* Every decimal of up to DBL_DIG digits is told apart from its neighbours by normal doubles, so that there is no need to try
 * fewer: zeros at the end are none of the shortest decimal's. */
static void shortest(double value, char *decimal)
{
    int digits = isnormal(value) ? DBL_DIG : 1;
    while (!reads_back(value, digits, decimal) && digits < DIGITS_MAX)
        digits++;
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

/* Digits with the point behind the first 1 + exponent of them. */
static int lay_out(const char *digit, int n, int exponent, char *text)
{
    if (exponent < POSITIONAL_MIN || exponent >= POSITIONAL_MAX)
        return sprintf(text, "%c%s%se%d", digit[0], n > 1 ? "." : "", digit + 1, exponent);
    if (exponent < 0)
        return sprintf(text, "0.%.*s%s", -exponent - 1, "000", digit);
    if (n <= exponent + 1)
        return sprintf(text, "%s%.*s", digit, exponent + 1 - n, "0000000000000000");
    return sprintf(text, "%.*s.%s", exponent + 1, digit, digit + exponent + 1);
}

int ms_number_text(double value, char *text)
{
    char decimal[MS_NUMBER_SIZE], digit[MS_NUMBER_SIZE];
    const int sign = signbit(value) ? 1 : 0;
    text[0] = '-';
    shortest(fabs(value), decimal);
    const int n = collect_digits(decimal, digit);
    return sign + lay_out(digit, n, atoi(strchr(decimal, 'e') + 1), text + sign);
}
