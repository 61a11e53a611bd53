/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names where there is little room: no letter is cut, either end stays. */
#include <string.h>

#include "label.h"
#include "letters.h"
#include "unit_test.h"

enum { SIZE = 64 };

static void becomes(const char *text, int most, size_t size, const char *expected)
{
    char to[SIZE];
    memset(to, '#', sizeof to);
    ms_label_fit(text, most, to, size);
    assert_string_equal(to, expected);
    assert_int_equal(to[size], '#');
}

static void what_fits_stays(void **state)
{
    (void)state;
    becomes("", 5, 8, "");
    becomes("jacobi", 6, 8, "jacobi");
    becomes("τ/H → 1", 7, 12, "τ/H → 1"); /* 7 letters of 10 bytes */
}

static void the_middle_is_left_out(void **state)
{
    (void)state;
    becomes("abcdefghij", 9, 32, "abc...hij");
    becomes("abcdefghij", 8, 32, "abc...ij");
    becomes("abcdefghij", 5, 32, "a...j");
    becomes("abcdefghij", 10, 9, "abc...ij"); /* for the room */
}

static void no_letter_is_cut(void **state)
{
    (void)state;
    assert_int_equal(ms_letters("äöüß€𝄞"), 6);
    becomes("äöüß€𝄞xyz", 8, 32, "äöü...yz");
    becomes("€€€€€€€€€€", 10, 14, "€€...€"); /* three bytes each: 12 and 0 */
    becomes("𝄞𝄞𝄞𝄞", 4, 8, "𝄞...");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fits_stays),
        cmocka_unit_test(the_middle_is_left_out),
        cmocka_unit_test(no_letter_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
