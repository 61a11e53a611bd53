/* SPDX-License-Identifier: GPL-3.0-or-later */
/* folder.h - a folder of a test program's own. Whatever fails here fails the test. */
#pragma once

#include <stddef.h>

/* Setup of a group of tests, or of one: a new folder, in which temporary files are made as well (TMPDIR). */
int support_folder_create(void **state);
/* Their teardown, which fails no group: the folder goes with all that is in it. */
int support_folder_remove(void **state);
/* The last test of a group instead, where nothing may be left in it: fails, and keeps it, where something is. */
void support_folder_goes_empty(void **state);

/* The folder itself; the path of a file in it, in one of four buffers; such a file with that text. */
const char *support_folder(void);
const char *support_folder_path(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *support_folder_write(const char *name, const char *text);

/* One more new folder, which the caller removes. */
void support_folder_new(char *path, size_t size);

/* A file with that text at any path. */
void support_write_file(const char *path, const char *text);

/* A command of the shell, which must succeed. */
void support_shell(const char *format, ...) __attribute__((format(printf, 1, 2)));
