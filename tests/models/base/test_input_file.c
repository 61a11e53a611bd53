/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_input_file.c - what may be read: files and pipes of limited size. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "input_file.h"
#include "unit_test.h"

static void files_and_pipes_are_read_and_devices_are_not(void **state)
{
    (void)state;
    char file[512], pipe[512];
    ms_error error;
    snprintf(file, sizeof file, "%s/file", support_folder());
    snprintf(pipe, sizeof pipe, "%s/pipe", support_folder());
    FILE *stream = fopen(file, "w");
    assert_non_null(stream);
    fputs("12345678", stream);
    fclose(stream);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_int_equal(ms_input_check(file, 8.0, &error), MS_OK);
    assert_int_equal(ms_input_check(pipe, 8.0, &error), MS_OK);
    assert_int_equal(ms_input_check("/missing/file", 8.0, &error), MS_OK);
    assert_int_equal(ms_input_check(file, 7.0, &error), MS_INVALID);
    assert_non_null(strstr(error.text, "has 8 bytes; at most 7 are read"));
    assert_int_equal(ms_input_check("/dev/zero", 8.0, &error), MS_INVALID);
    assert_string_equal(error.text, "/dev/zero: is a device or a socket; a file or a pipe is expected");
    assert_int_equal(ms_input_check("/proc/self/pagemap", 8.0, &error),
                     MS_INVALID); /* 2^39 bytes are in it */
    assert_string_equal(error.text,
                        "/proc/self/pagemap: is made by the kernel; a file or a pipe is expected");
    char open_one[64]; /* what is open is a file all the same */
    stream = fopen(file, "r");
    assert_non_null(stream);
    snprintf(open_one, sizeof open_one, "/proc/self/fd/%d", fileno(stream));
    assert_int_equal(ms_input_check(open_one, 8.0, &error), MS_OK);
    fclose(stream);
    unlink(file);
    unlink(pipe);
}

/* Whatever the length is beside that of the memory that is asked for. */
static void texts_are_read_whole(void **state)
{
    static const size_t lengths[] = {0, 1, 65534, 65535, 65536, 131071, 131072, 200000};
    char file[512], *text;
    ms_error error;
    (void)state;
    snprintf(file, sizeof file, "%s/text", support_folder());
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        FILE *stream = fopen(file, "w");
        assert_non_null(stream);
        for (size_t i = 0; i < lengths[k]; i++)
            fputc((int)('a' + i % 26), stream);
        fclose(stream);
        assert_int_equal(ms_input_text(file, &text, &error), MS_OK);
        assert_int_equal(strlen(text), lengths[k]);
        for (size_t i = 0; i < lengths[k]; i++)
            if (text[i] != (char)('a' + i % 26))
                fail_msg("byte %zu of %zu is '%c'", i, lengths[k], text[i]);
        free(text);
    }
    unlink(file);
    assert_int_equal(ms_input_text(file, &text, &error), MS_IO);
    assert_null(text);
    assert_non_null(strstr(error.text, "/text: No such file"));
    assert_int_equal(ms_input_text(support_folder(), &text, &error), MS_IO);
    assert_null(text);
    assert_non_null(strstr(error.text, "Is a directory"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(files_and_pipes_are_read_and_devices_are_not),
                                       cmocka_unit_test(texts_are_read_whole)};
    return cmocka_run_group_tests(tests, support_folder_create, support_folder_remove);
}
