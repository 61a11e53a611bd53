/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "aside.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json.h"

enum { PATH_LENGTH = 4096, FILES_MAX = 64 };

int ms_aside_create(const char *folder, char *aside, size_t size, ms_error *error)
{
    if (snprintf(aside, size, "%s/.new-XXXXXX", folder) >= (int)size)
        return ms_fail(error, MS_INVALID, "%s: the path is too long", folder);
    return mkdtemp(aside) != NULL ? MS_OK : ms_fail(error, MS_IO, "%s: %s", folder, strerror(errno));
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names of the files in the folder, in order; owned by the caller. Returns their number, or -1. */
static int list_files(const char *folder, char *names[FILES_MAX])
{
    DIR *directory = opendir(folder);
    int n = 0;
    for (struct dirent *entry; directory != NULL && n < FILES_MAX && (entry = readdir(directory)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            (names[n] = strdup(entry->d_name)) != NULL)
            n++;
    if (directory == NULL)
        return -1;
    closedir(directory);
    qsort(names, (size_t)n, sizeof names[0], by_name);
    return n;
}

static void free_names(int n, char **names)
{
    for (int k = 0; k < n; k++)
        free(names[k]);
}

void ms_aside_remove(const char *folder)
{
    char *names[FILES_MAX], path[PATH_LENGTH];
    const int n = list_files(folder, names);
    for (int k = 0; k < n; k++)
        if (snprintf(path, sizeof path, "%s/%s", folder, names[k]) < (int)sizeof path)
            unlink(path);
    free_names(n, names);
    rmdir(folder);
}

int ms_aside_move(const char *from, const char *to, ms_error *error)
{
    char *names[FILES_MAX], old[PATH_LENGTH], new[PATH_LENGTH];
    int status = MS_OK;
    const int n = list_files(from, names);
    if (n < 0)
        return ms_fail(error, MS_IO, "%s: %s", from, strerror(errno));
    for (int k = 0; k < n && status == MS_OK; k++) {
        snprintf(old, sizeof old, "%s/%s", from, names[k]);
        snprintf(new, sizeof new, "%s/%s", to, names[k]);
        if (rename(old, new) != 0)
            status = ms_fail(error, MS_IO, "%s: %s", new, strerror(errno));
    }
    free_names(n, names);
    return status;
}

json_t *ms_aside_files(const char *folder, const char *prefix)
{
    char *names[FILES_MAX], path[PATH_LENGTH];
    const int n = list_files(folder, names);
    json_t *files = json_array();
    for (int k = 0; k < n; k++) {
        snprintf(path, sizeof path, "%s%s%s", prefix, prefix[0] != '\0' ? "/" : "", names[k]);
        ms_json_append(&files, ms_json_text(path));
    }
    free_names(n, names);
    return files;
}
