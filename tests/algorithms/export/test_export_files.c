/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that are written for an export: a copy is whole, or there is an error that says what could not be read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "export_files.h"
#include "support.h"

enum { PATH = 512 };

static char folder[PATH];

static int make_folder(void **state)
{
    (void)state;
    support_temporary(folder, sizeof folder);
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static void a_copy_has_the_same_bytes(void **state)
{
    (void)state;
    enum { LENGTH = 200000 }; /* more than is read at once */
    char path[PATH], copy[PATH + 8], *text = malloc(LENGTH + 1);
    assert_non_null(text);
    for (int k = 0; k < LENGTH; k++)
        text[k] = (char)('a' + k % 23);
    text[LENGTH] = '\0';
    support_temporary_file(text, path, sizeof path);
    ms_error error = {""};
    assert_int_equal(ms_export_file_copy(path, folder, "copy", &error), MS_OK);
    snprintf(copy, sizeof copy, "%s/copy", folder);
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
    char path[PATH + 8], copy[PATH + 8];
    ms_error error = {""};
    assert_int_equal(ms_export_file_copy(folder, folder, "copy", &error), MS_IO);
    assert_non_null(strstr(error.text, "cannot be read: Is a directory"));
    snprintf(path, sizeof path, "%s/none", folder);
    assert_int_equal(ms_export_file_copy(path, folder, "copy", &error), MS_IO);
    assert_non_null(strstr(error.text, "none cannot be read: No such file"));
    snprintf(copy, sizeof copy, "%s/copy", folder);
    remove(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_copy_has_the_same_bytes),
                                       cmocka_unit_test(what_cannot_be_read_is_named)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
