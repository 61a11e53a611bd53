/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_explorer.c - what a page gets from explorer.h, here compiled as everything else; tests/browser/explorer.py tries it in a page. */
#include "explorer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support.h"
#include "unit_test.h"

static void say(ms_explorer *e, const char *text)
{
    snprintf(ms_explorer_text(e), MS_EXPLORER_TEXT, "%s", text);
}

/* Jacobi's scheme, held inputs: the factors of a macro-step stand in the header of models/test_equation.c. */
static void radius_has_closed_form(void **state)
{
    (void)state;
    ms_explorer *e = ms_explorer_open();
    const double h = 0.7, re = -1.5, w = 0.4;
    say(e, "test-equation");
    assert_int_equal(ms_explorer_model(e), 3);
    ms_explorer_values(e)[0] = re;
    ms_explorer_values(e)[1] = 0.0;
    ms_explorer_values(e)[2] = w;
    const double g = exp((1.0 - w) * h * re), d = (g - 1.0) * w / (1.0 - w);
    assert_true(fabs(ms_explorer_radius(e, h) - fmax(fabs(g + d), fabs(g - d))) <= 1e-14);
    ms_explorer_close(e);
}

/* Far apart and uncoupled each copy is z' = lambda z, which held inputs solve exactly. */
static void run_is_that_of_the_scheme(void **state)
{
    (void)state;
    ms_explorer *e = ms_explorer_open();
    say(e, "test-equation");
    ms_explorer_model(e);
    ms_explorer_values(e)[1] = 0.0;
    ms_explorer_values(e)[2] = 0.0;
    assert_int_equal(ms_explorer_run(e, 0.5, 4.0), 9);
    assert_string_equal(ms_explorer_text(e), "");
    for (int n = 0; n < 9; n++) {
        const double *row = ms_explorer_rows(e) + 5 * n;
        assert_true(fabs(row[0] - 0.5 * n) <= 1e-15 && fabs(row[1] - exp(-0.25 * n)) <= 1e-14);
    }
    assert_int_equal(ms_explorer_run(e, 1e-3, 4.0), MS_EXPLORER_STEPS + 1);
    ms_explorer_close(e);
}

/* Feed-through of 2 in a loop doubles outputs each macro-step: the run ends long before its end, and says so. */
static void growth_ends_a_run(void **state)
{
    (void)state;
    ms_explorer *e = ms_explorer_open();
    say(e, "linear-pair");
    ms_explorer_model(e);
    ms_explorer_values(e)[0] = ms_explorer_values(e)[1] = 2.0;
    const int n = ms_explorer_run(e, 0.01, 10.0);
    assert_true(n > 1 && n < 200);
    assert_non_null(strstr(ms_explorer_text(e), "grew beyond"));
    ms_explorer_close(e);
}

static void wrong_words_are_told(void **state)
{
    (void)state;
    ms_explorer *e = ms_explorer_open();
    assert_true(isnan(ms_explorer_radius(e, 0.1)));
    say(e, "no-such-model");
    assert_int_equal(ms_explorer_model(e), -1);
    assert_non_null(strstr(ms_explorer_text(e), "does not have this model"));
    say(e, "quarter-car");
    assert_true(ms_explorer_model(e) > 0);
    say(e, "scheme");
    assert_int_equal(ms_explorer_option(e), -1);
    say(e, "extrapolation-order=7");
    assert_int_equal(ms_explorer_option(e), -1);
    say(e, "scheme=strang");
    assert_int_equal(ms_explorer_option(e), 0);
    ms_explorer_values(e)[0] = -1.0; /* a mass */
    assert_true(isnan(ms_explorer_radius(e, 0.1)));
    assert_int_equal(ms_explorer_run(e, 0.1, 1.0), -1);
    assert_non_null(strstr(ms_explorer_text(e), "mc"));
    ms_explorer_close(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(radius_has_closed_form),
        cmocka_unit_test(run_is_that_of_the_scheme),
        cmocka_unit_test(growth_ends_a_run),
        cmocka_unit_test(wrong_words_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
