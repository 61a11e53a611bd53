/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers have the digits that are known. */
#include <math.h>

#include "rounded.h"
#include "unit_test.h"

static void digits_are_those_that_the_error_leaves(void **state)
{
    (void)state;
    static const struct {
        double value, error;
        int digits;
        const char *text;
    } cases[] = {
        {1.23456e-3, 1e-6, 6, "0.001235"},
        {1.23456e-3, 2e-5, 6, "0.00123"},
        {-1.23456e-8, 3e-10, 6, "-1.23e-08"},
        {15000.3, 150.0, 6, "1.50e+04"},
        {0.5, 1e-16, 6, "0.500000"},
        {2.0, 1e-3, 6, "2.000"},
        {2.0, 0.5, 6, "2.0"},
        {2.0, 30.0, 6, "2"},
        {100.0, 1.0, 6, "100"},
        {0.0, 1e-9, 6, "0"},
        {3e-8, 1e-8, 6, "3e-08"},
        {1.0 / 3.0, 0.0, 4, "0.3333"},
        {2.5, (double)NAN, 6, "2.5"},
        {1.0 / 3.0, (double)NAN, 3, "0.333"},
        {1e22, (double)NAN, 6, "1e+22"},
        {123456.0, (double)NAN, 3, "1.23e+05"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[MS_ROUNDED_SIZE];
        ms_rounded_text(cases[k].value, cases[k].error, cases[k].digits, text);
        assert_string_equal(text, cases[k].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(digits_are_those_that_the_error_leaves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
