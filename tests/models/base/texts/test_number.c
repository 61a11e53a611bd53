/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shortest decimals: known ones, and by the exact expansion of a double that no shorter one reads back. */
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "number.h"
#include "unit_test.h"

static void is_text(double value, const char *expected)
{
    char text[MS_NUMBER_SIZE];
    assert_int_equal(ms_number_text(value, text), (int)strlen(expected));
    assert_string_equal(text, expected);
}

static void numbers_that_one_writes_down_stay_so(void **state)
{
    (void)state;
    is_text(0.0, "0");
    is_text(-0.0, "-0");
    is_text(0.1, "0.1");
    is_text(-0.3, "-0.3");
    is_text(1e-4, "0.0001");
    is_text(1e-5, "1e-5");
    is_text(2.5e-7, "2.5e-7");
    is_text(9.5, "9.5");
    is_text(100.0, "100");
    is_text(123456789012345.0, "123456789012345");
    is_text(-120.0, "-120");
    is_text(999999999999999.0, "999999999999999");
    is_text(1e15, "1000000000000000");
    is_text(1e16, "1e16");
    is_text(1.0 / 3.0, "0.3333333333333333");
    is_text(2.0 / 3.0, "0.6666666666666666");
    is_text(0.1 + 0.2, "0.30000000000000004");
    is_text(8.95, "8.95");
}

static void the_ends_of_the_range_are_written(void **state)
{
    (void)state;
    is_text(DBL_MAX, "1.7976931348623157e308");
    is_text(-DBL_MIN, "-2.2250738585072014e-308");
    is_text(5e-324, "5e-324");
    is_text(1.5e-323, "1.5e-323");
    is_text(ldexp(1.0, -44), "5.684341886080802e-14"); /* the nearest of 16 digits does not read back */
}

/* Significant digits of a decimal, without zeros at either end. */
static int digits_of(const char *text)
{
    int n = 0, zeros = 0;
    for (; *text != '\0' && *text != 'e'; text++) {
        if (*text == '0' && n > 0)
            zeros++;
        if (*text >= '1' && *text <= '9') {
            n += zeros + 1;
            zeros = 0;
        }
    }
    return n;
}

/* Does the decimal of this number of digits below the positive value, or the one above it, read back? They enclose all of as many
 * digits that are further off. */
static bool has_decimal(double value, int digits)
{
    char below[1200], above[1200];
    snprintf(below, sizeof below, "%.1100e", value); /* exact */
    const char *exponent = strchr(below, 'e');
    snprintf(above, sizeof above, "%.*s", digits == 1 ? 1 : digits + 1, below);
    snprintf(above + strlen(above), sizeof above - strlen(above), "%s", exponent);
    if (strtod(above, NULL) == value)
        return true;
    const double place = strtod(exponent + 1, NULL) - (double)(digits - 1);
    uint64_t number = 0;
    for (const char *c = above; *c != 'e'; c++)
        number = *c == '.' ? number : 10 * number + (uint64_t)(*c - '0');
    snprintf(above, sizeof above, "%llue%.0f", (unsigned long long)(number + 1), place);
    return strtod(above, NULL) == value;
}

static void check(double value)
{
    char text[MS_NUMBER_SIZE];
    ms_number_text(value, text);
    const double back = strtod(text, NULL);
    assert_memory_equal(&back, &value, sizeof value);
    const int digits = digits_of(text);
    if (value > 0.0 && digits > 1 && has_decimal(value, digits - 1))
        fail_msg("%s is not the shortest", text);
}

static void powers_of_two_and_their_neighbours_are_shortest(void **state)
{
    (void)state;
    for (int k = -1074; k < 1024; k++) {
        const double power = ldexp(1.0, k);
        check(power);
        check(nextafter(power, 0.0));
        check(nextafter(power, DBL_MAX));
    }
}

static void any_bits_are_read_back(void **state)
{
    uint64_t bits = UINT64_C(0x9E3779B97F4A7C15);
    (void)state;
    for (int k = 0; k < 20000; k++) {
        double value;
        bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            check(value);
    }
}

/* The locale is made here, so that there is one on every machine. */
static void decimal_commas_change_nothing(void **state)
{
    (void)state;
    char text[MS_NUMBER_SIZE], *end;
    support_shell("localedef -c -i de_DE -f UTF-8 %s || true", support_folder_path("de_DE.UTF-8"));
    setenv("LOCPATH", support_folder(), 1);
    assert_non_null(setlocale(LC_ALL, "de_DE.UTF-8"));
    assert_true(strtod("0,5", NULL) == 0.5);
    assert_true(ms_number_read("-2.5e-1x", &end) == -0.25);
    assert_string_equal(end, "x");
    ms_number_text(-0.1, text);
    assert_string_equal(text, "-0.1");
    assert_true(strtod("0,5", NULL) == 0.5); /* that of the thread is its own again */
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_that_one_writes_down_stay_so),
        cmocka_unit_test(the_ends_of_the_range_are_written),
        cmocka_unit_test(powers_of_two_and_their_neighbours_are_shortest),
        cmocka_unit_test(any_bits_are_read_back),
        cmocka_unit_test(decimal_commas_change_nothing),
    };
    return cmocka_run_group_tests(tests, support_folder_create, support_folder_remove);
}
