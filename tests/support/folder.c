/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "support.h"
#include "unit_test.h"

enum { PATH = 256, BUFFERS = 4 };
static char folder[PATH];

int support_folder_create(void **state)
{
    (void)state;
    support_folder_new(folder, sizeof folder);
    return setenv("TMPDIR", folder, 1);
}

int support_folder_remove(void **state)
{
    (void)state;
    unsetenv("TMPDIR");
    support_shell("rm -r '%s'", folder);
    return 0;
}

void support_folder_goes_empty(void **state)
{
    (void)state;
    unsetenv("TMPDIR");
    assert_int_equal(rmdir(folder), 0);
}

const char *support_folder(void)
{
    return folder;
}

const char *support_folder_path(const char *format, ...)
{
    static char path[BUFFERS][4 * PATH];
    static int turn;
    turn = (turn + 1) % BUFFERS;
    const int length = snprintf(path[turn], sizeof path[turn], "%s/", folder);
    va_list list;
    va_start(list, format);
    vsnprintf(path[turn] + length, sizeof path[turn] - (size_t)length, format, list);
    va_end(list);
    return path[turn];
}

const char *support_folder_write(const char *name, const char *text)
{
    const char *path = support_folder_path("%s", name);
    support_write_file(path, text);
    return path;
}

void support_folder_new(char *path, size_t size)
{
    support_temporary(path, size);
    assert_non_null(mkdtemp(path));
}

void support_write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

void support_shell(const char *format, ...)
{
    char command[8 * PATH];
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(command, sizeof command, format, list);
    va_end(list);
    assert_true(length > 0 && (size_t)length < sizeof command);
    if (system(command) != 0) // NOLINT(cert-env33-c): on paths of the test's own
        fail_msg("%s", command);
}
