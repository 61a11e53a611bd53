/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_archive.h"
#include "folder.h"
#include "support.h"
#include "unit_test.h"

static void one_file_is_read(void **state)
{
    (void)state;
    char folder[256], path[300], *text;
    size_t size;
    ms_error error = {""};
    support_folder_new(folder, sizeof folder);
    support_shell("mkdir %s/b && printf 'a text' >%s/a.xml && printf 'another' >%s/b/a.xml && : >%s/empty",
                  folder, folder, folder, folder);
    snprintf(path, sizeof path, "%s", support_folder_path("a.zip"));
    assert_int_equal(ms_fmu_archive_write(folder, path, &error), MS_OK);
    support_shell("rm -r %s", folder);
    static const struct {
        const char *name, *text;
    } files[] = {{"a.xml", "a text"}, {"b/a.xml", "another"}, {"empty", ""}, {"b", NULL}, {"c.xml", NULL}};
    for (int k = 0; k < MS_COUNT(files); k++) {
        assert_int_equal(ms_fmu_archive_peek(path, files[k].name, &text, &size, &error), MS_OK);
        assert_true((text == NULL) == (files[k].text == NULL));
        if (text != NULL) {
            assert_string_equal(text, files[k].text);
            assert_int_equal(size, strlen(files[k].text));
        }
        free(text);
    }
    remove(path);
}

static void what_is_none_is_said(void **state)
{
    (void)state;
    char *text;
    size_t size;
    ms_error error = {""};
    assert_int_equal(ms_fmu_archive_peek("no/such.zip", "a", &text, &size, &error), MS_IO);
    support_says(error.text, "no/such.zip: No such file");
    assert_int_equal(ms_fmu_archive_peek(".", "a", &text, &size, &error), MS_IO);
    const char *path = support_folder_write("no.zip", "PK");
    assert_int_equal(ms_fmu_archive_peek(path, "a", &text, &size, &error), MS_INVALID);
    support_says(error.text, "cannot be read as a ZIP archive");
    assert_null(text);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_file_is_read),
                                       cmocka_unit_test(what_is_none_is_said),
                                       cmocka_unit_test(support_folder_goes_empty)};
    return cmocka_run_group_tests(tests, support_folder_create, NULL);
}
