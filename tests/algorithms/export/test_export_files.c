/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that are written for an export: a copy is whole, or there is an error that says what could not be read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "export_files.h"
#include "folder.h"
#include "support.h"
#include "unit_test.h"

enum { PATH = 512 };

static void a_copy_has_the_same_bytes(void **state)
{
    (void)state;
    enum { LENGTH = 200000 }; /* more than is read at once */
    char path[PATH], *text = malloc(LENGTH + 1);
    assert_non_null(text);
    for (int k = 0; k < LENGTH; k++)
        text[k] = (char)('a' + k % 23);
    text[LENGTH] = '\0';
    support_temporary_file(text, path, sizeof path);
    ms_error error = {""};
    assert_int_equal(ms_export_file_copy(path, support_folder(), "copy", &error), MS_OK);
    const char *copy = support_folder_path("copy");
    size_t size;
    char *bytes = support_read_file(copy, &size);
    assert_int_equal(size, LENGTH);
    assert_memory_equal(bytes, text, LENGTH);
    free(bytes);
    free(text);
    remove(copy);
    remove(path);
}

/* A folder can be opened, and not read. */
static void what_cannot_be_read_is_named(void **state)
{
    (void)state;
    ms_error error = {""};
    assert_int_equal(ms_export_file_copy(support_folder(), support_folder(), "copy", &error), MS_IO);
    assert_non_null(strstr(error.text, "cannot be read: Is a directory"));
    assert_int_equal(ms_export_file_copy(support_folder_path("none"), support_folder(), "copy", &error),
                     MS_IO);
    assert_non_null(strstr(error.text, "none cannot be read: No such file"));
    remove(support_folder_path("copy"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_copy_has_the_same_bytes),
                                       cmocka_unit_test(what_cannot_be_read_is_named),
                                       cmocka_unit_test(support_folder_goes_empty)};
    return cmocka_run_group_tests(tests, support_folder_create, NULL);
}
