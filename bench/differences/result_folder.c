/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "differences.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "json.h"
#include "result_file.h"

enum { PATH_SIZE = 4096 };

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* A link to a folder may lead back to one of its parents. */
static bool is_link(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

/* Adds the results in `folder`, and in folders below that are no links, to the object as keys, each behind `prefix`, in the order of
 * their names. */
static int list_results(const char *folder, const char *prefix, json_t **found, ms_error *error)
{
    struct dirent **entry = NULL;
    const int n = scandir(folder, &entry, NULL, alphasort);
    int status = n >= 0 ? MS_OK : ms_fail(error, MS_IO, "%s: %s", folder, strerror(errno));
    for (int k = 0; k < n; k++) {
        const char *name = entry[k]->d_name;
        char path[PATH_SIZE], inner[PATH_SIZE];
        const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
        const bool folder_too = is_folder(path);
        snprintf(inner, sizeof inner, "%s%s%s", prefix, name, folder_too ? "/" : "");
        const bool fits = length < PATH_SIZE - 1 && name[0] != '.' && !(folder_too && is_link(path));
        if (fits && status == MS_OK && folder_too)
            status = list_results(path, inner, found, error);
        else if (fits && ms_result_file_is(name))
            ms_json_set(found, inner, json_true());
        free(entry[k]);
    }
    free(entry);
    return status;
}

/* Two files, under that name. */
static int compare_files(ms_differences *d, const char *name, const char *a, const char *b, ms_error *error)
{
    json_t *of_a = NULL, *of_b = NULL;
    int status = ms_result_file_read(a, &of_a, error);
    MS_THEN(status, ms_result_file_read(b, &of_b, error));
    if (status == MS_OK)
        ms_differences_compare(d, name, of_a, of_b);
    json_decref(of_a);
    json_decref(of_b);
    return status;
}

static int compare_folders(ms_differences *d, const char *a, const char *b, ms_error *error)
{
    json_t *of_a = json_object(), *of_b = json_object(), *value;
    const char *name;
    int status = list_results(a, "", &of_a, error);
    MS_THEN(status, list_results(b, "", &of_b, error));
    if (status == MS_OK && (of_a == NULL || of_b == NULL))
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the names of files");
    if (status == MS_OK && json_object_size(of_a) + json_object_size(of_b) == 0)
        status = ms_fail(error, MS_INVALID, "%s and %s: hold no results, files .json, .jsonl or .csv", a, b);
    json_object_foreach (of_a, name, value) {
        char path_a[PATH_SIZE], path_b[PATH_SIZE];
        snprintf(path_a, sizeof path_a, "%s/%s", a, name);
        snprintf(path_b, sizeof path_b, "%s/%s", b, name);
        if (status == MS_OK && json_object_get(of_b, name) == NULL)
            ms_differences_missing(d, name, true);
        else if (status == MS_OK)
            status = compare_files(d, name, path_a, path_b, error);
    }
    json_object_foreach (of_b, name, value) {
        if (status == MS_OK && json_object_get(of_a, name) == NULL)
            ms_differences_missing(d, name, false);
    }
    json_decref(of_a);
    json_decref(of_b);
    return status;
}

/* MS_IO if there is no such file. */
static int check_there(const char *path, ms_error *error)
{
    struct stat status;
    return stat(path, &status) == 0 ? MS_OK : ms_fail(error, MS_IO, "%s: %s", path, strerror(errno));
}

int ms_result_compare(ms_differences *d, const char *a, const char *b, ms_error *error)
{
    const bool folder_a = is_folder(a), folder_b = is_folder(b);
    MS_TRY(check_there(a, error));
    MS_TRY(check_there(b, error));
    if (folder_a != folder_b)
        return ms_fail(error, MS_INVALID,
                       "%s: is a folder, and %s is none; two folders or two files are compared",
                       folder_a ? a : b, folder_a ? b : a);
    if (folder_a)
        return compare_folders(d, a, b, error);
    const char *slash = strrchr(a, '/');
    return compare_files(d, slash != NULL ? slash + 1 : a, a, b, error);
}
