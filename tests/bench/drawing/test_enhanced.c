/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mathematics of LaTeX as gnuplot's enhanced text, and what it has no notation for. */
#include <stdlib.h>

#include "enhanced.h"
#include "unit_test.h"

static void same(const char *typed, const char *wanted)
{
    char *enhanced = ms_enhanced(typed);
    if (wanted == NULL)
        assert_null(enhanced);
    else
        assert_string_equal(enhanced, wanted);
    free(enhanced);
}

static void letters_and_scripts(void **state)
{
    (void)state;
    same("$m_2$", "m_2");
    same("step $H/\\omega_1$, a_b", "step H/ω_1, a\\_b");
    same("$\\lambda_\\max$ and $x^{\\alpha}$", "λ_{max} and x^{α}");
    same("$e_{\\mathrm{J}}$ {x} 50 \\", "e_{{J}} \\{x\\} 50 \\\\");
    same("$a\\,b\\cdot c$", "a b·c");
}

static void what_is_no_mathematics(void **state)
{
    (void)state;
    same("plain_text", NULL);
    same("cost $5", NULL);
    same("$\\frac{1}{2}$", NULL);
    same("${/Symbol a}$", NULL);
    same("$a}b{$", NULL);
    same("$$", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(letters_and_scripts),
                                       cmocka_unit_test(what_is_no_mathematics)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
