/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an FMU logs: as printf has it where the arguments are those of the format, and harmless where they are not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_parts.h"
#include "folder.h"
#include "made_fmu.h"
#include "support.h"
#include "unit_test.h"

enum { SIZE = 120 };

static void as_printf(const char *format, ...)
{
    char line[SIZE], expected[SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(expected, sizeof expected, format, arguments);
    va_end(arguments);
    va_start(arguments, format);
    ms_fmu_log_text(format, &arguments, line, sizeof line);
    va_end(arguments);
    assert_string_equal(line, expected);
}

static void formats_are_those_of_printf(void **state)
{
    (void)state;
    as_printf("no conversion, 100%%");
    as_printf("%s at %g s: %d of %u, %c%5.2f|%-8s|%08.3e|", "x", 0.25, -3, 7u, 'z', 1.0 / 3.0, "left", -2e10);
    as_printf("%ld %lu %lld %zu %hhd %hx %p", -1L, 2UL, -3LL, sizeof(int), 300, 70000, (void *)state);
    as_printf("%*d|%-*d|%.*f|%.*s|%.*s|", 5, 1, 5, 2, 3, 0.5, 2, "abc", -1, "whole");
    as_printf("%Lf %a %+i %#x % d %o", 0.1L, 0.1, 5, 255, 3, 8);
    as_printf("%s %s %s %s %s %s %s %s %d", "1", "2", "3", "4", "5", "6", "7", "8", 9);
    as_printf("%.0s|%.3s|%10s|", "nothing", "three", "ten");
    as_printf("%150s|", "too long");
}

/* What says (no text) has no text where it points. */
static void says(const char *what, const char *format, ...)
{
    char line[SIZE];
    va_list arguments;
    va_start(arguments, format);
    ms_fmu_log_text(format, &arguments, line, sizeof line);
    va_end(arguments);
    if (what != NULL)
        assert_string_equal(line, what);
    assert_non_null(memchr(line, '\0', sizeof line));
}

static void what_is_not_there_does_no_harm(void **state)
{
    (void)state;
    int count = 7;
    says("a (no text) b", "a %s b", (char *)8);
    says("a (no text) b", "a %s b", (char *)NULL);
    says("a  b", "a %n b", &count);
    assert_int_equal(count, 7);
    says("a  b 5", "a %ls b %d", L"wide", 5);
    says("5 %1$s is by places", "%d %1$s is by places", 5);
    says("100% Zn", "100% Zn");
    says("ends in %", "ends in %");
    says("(no text)", NULL);
    says("(no text)", (const char *)8);
    says(NULL, "%s %s %s %s %s %s %s %s %s %s %s %s %s %s");
    says(NULL, "%n %n %n %n %n %n %n %n %n %n %n %n %n %n");
    says(NULL, "%2000000000d %.2000000000d %999999999999999999999d", 1, 2, 3);
    says(NULL, "%------------------------------------------------------------------------------------d", 1);
}

/* In our process and in another one. */
static void a_run_ends_with_its_line(void **state)
{
    (void)state;
    static const char *const format[] = {"%s%n%n%n", "%s %s %s %s %s %s %s %s %s %s"};
    for (int k = 0; k < 2 * MS_COUNT(format); k++) {
        char path[256], define[200];
        const char *program = getenv("MACROSTEP");
        snprintf(define, sizeof define, "-DFAULT=ERROR '-DFORMAT=\"%s\"'", format[k / 2]);
        support_decay_fmu(&(support_decay){.fmi = 2, .define = define}, path, sizeof path);
        support_shell("%s run %s --kind co-simulation --errors none %s 2>&1 | grep -q 'it is broken'",
                      program != NULL ? program : "build/macrostep", path, k % 2 == 0 ? "" : "--isolate");
        remove(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(formats_are_those_of_printf),
                                       cmocka_unit_test(what_is_not_there_does_no_harm),
                                       cmocka_unit_test(a_run_ends_with_its_line)};
    return cmocka_run_group_tests(tests, support_folder_create, support_folder_remove);
}
