/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_text_stream.c - what is printed into memory is whole, or is not there. */
#include <stdlib.h>
#include <string.h>

#include "allocations.h"
#include "support.h"
#include "text_stream.h"
#include "unit_test.h"

enum { NUMBERS = 3000, LENGTH = 5 * NUMBERS };

/* "1000,1001,..": longer than any buffer of stdio. */
static char *print(void)
{
    ms_text_stream stream;
    FILE *file = ms_text_open(&stream);
    for (int k = 0; k < NUMBERS && file != NULL; k++) {
        fprintf(file, "%d", 1000 + k);
        fputc(',', file);
    }
    return ms_text_close(&stream);
}

static void check(const char *text)
{
    char number[16];
    assert_int_equal(strlen(text), LENGTH);
    for (int k = 0; k < NUMBERS; k++) {
        snprintf(number, sizeof number, "%d,", 1000 + k);
        assert_memory_equal(text + 5 * k, number, 5);
    }
}

static void a_text_is_what_was_printed(void **state)
{
    (void)state;
    char *text = print();
    assert_non_null(text);
    check(text);
    free(text);
    ms_text_stream empty;
    assert_non_null(ms_text_open(&empty));
    text = ms_text_close(&empty);
    assert_string_equal(text, "");
    free(text);
}

/* stdio does without a buffer for which it has no memory. */
static void it_is_whole_or_not_there(void **state)
{
    (void)state;
    ms_allocations_count(true);
    free(print());
    const long n = ms_allocations_count(false);
    int lost = 0;
    assert_true(n > 3);
    for (long k = 1; k <= n; k++) {
        ms_allocations_refuse(k);
        char *text = print();
        ms_allocations_refuse(0);
        if (text != NULL)
            check(text);
        lost += text == NULL;
        free(text);
    }
    assert_true(lost >= n - 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_is_what_was_printed),
        cmocka_unit_test(it_is_whole_or_not_there),
    };
    ms_allocations_install();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
