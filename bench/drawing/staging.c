/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drawing_parts.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json.h"
#include "memory.h"

enum { PATH_LENGTH = 4096, FILES_MAX = 64 };

int ms_staging_create(const char *folder, ms_part_file *staging, ms_error *error)
{
    char path[PATH_LENGTH];
    *staging = (ms_part_file){.path = NULL};
    if (snprintf(path, sizeof path, "%s/.new", folder) >= (int)sizeof path)
        return ms_fail(error, MS_INVALID, "%s: the path is too long", folder);
    return ms_part_folder_create(path, staging) == 0
               ? MS_OK
               : ms_fail(error, MS_IO, "%s: %s", folder, strerror(errno));
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void free_names(int n, char **names)
{
    for (int k = 0; k < n; k++)
        free(names[k]);
}

/* The next file of a folder; NULL: that was the last. */
static const char *next_file(DIR *directory)
{
    const struct dirent *entry;
    do
        entry = readdir(directory);
    while (entry != NULL && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0));
    return entry != NULL ? entry->d_name : NULL;
}

/* The names of the files in the folder, in order; owned by the caller. Returns their number, or -1 and errno. */
static int list_files(const char *folder, char *names[FILES_MAX])
{
    DIR *directory = opendir(folder);
    const char *name;
    int n = 0;
    if (directory == NULL)
        return -1;
    bool listed = true;
    while (listed && n < FILES_MAX && (name = next_file(directory)) != NULL) {
        names[n] = strdup(name);
        listed = names[n] != NULL;
        n += listed;
    }
    closedir(directory);
    if (!listed) {
        free_names(n, names);
        errno = ENOMEM;
        return -1;
    }
    qsort(names, (size_t)n, sizeof names[0], by_name);
    return n;
}

int ms_staging_move(const char *from, const char *to, ms_error *error)
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

json_t *ms_staging_files(const char *folder, const char *prefix)
{
    char *names[FILES_MAX], path[PATH_LENGTH];
    const int n = list_files(folder, names);
    json_t *files = n >= 0 ? json_array() : NULL;
    if (n < 0 && errno == ENOMEM)
        ms_memory_note();
    for (int k = 0; k < n; k++) {
        snprintf(path, sizeof path, "%s%s%s", prefix, prefix[0] != '\0' ? "/" : "", names[k]);
        ms_json_append(&files, ms_json_text(path));
    }
    free_names(n, names);
    return files;
}
