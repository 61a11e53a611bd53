/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_printable.c - what a terminal shows as it is, and what becomes a question mark. */
#include <stdio.h>
#include <string.h>

#include "printable.h"
#include "unit_test.h"

static void letters_of_all_scripts_are_printable(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "abc ~", "two\nlines\tand a tab",
                                        "\u00e4\u00df\u03c1\u0416\u05d0\u0639\u4e2d\u20ac", "\U0001f600"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        char text[64];
        strcpy(text, texts[k]);
        assert_true(ms_text_printable(text));
        ms_text_make_printable(text);
        assert_string_equal(text, texts[k]);
    }
}

static void becomes_one_mark(const char *sign)
{
    char text[64];
    snprintf(text, sizeof text, "a%s", sign);
    assert_false(ms_text_printable(text));
    snprintf(text, sizeof text, "a%sb%s", sign, sign);
    ms_text_make_printable(text);
    assert_string_equal(text, "a?b?");
}

/* Unicode's controls, marks of direction and characters without width, each three bytes in UTF-8. */
static void marks_become_question_marks(void **state)
{
    (void)state;
    static const unsigned signs[] = {0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2060,
                                     0x2066, 0x2069, 0xfeff, 0xfff9, 0xd800, 0xfffe, 0xffff};
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++) {
        const unsigned c = signs[k];
        becomes_one_mark((const char[]){(char)(0xe0 | c >> 12), (char)(0x80 | (c >> 6 & 0x3f)),
                                        (char)(0x80 | (c & 0x3f)), '\0'});
    }
}

/* One and two bytes, and what is no UTF-8: cut off, too long, beyond the last character. */
static void the_rest_becomes_question_marks(void **state)
{
    (void)state;
    static const char *const signs[] = {
        "\033", "\177", "\r",       "\302\205", "\302\233",     "\302\255",         "\377",
        "\200", "\303", "\342\202", "\300\257", "\340\200\257", "\364\220\200\200", "\363\240\200\201"};
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
        becomes_one_mark(signs[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(letters_of_all_scripts_are_printable),
                                       cmocka_unit_test(marks_become_question_marks),
                                       cmocka_unit_test(the_rest_becomes_question_marks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
