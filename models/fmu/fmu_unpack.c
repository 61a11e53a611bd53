/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_unpack.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "fmu_description_read.h"

const char *const ms_fmu_platforms[] = {
    "linux64",  "x86_64-linux",   "linux32",        "x86-linux",   "aarch64-linux",
    "win64",    "x86_64-windows", "win32",          "x86-windows", "aarch64-windows",
    "darwin64", "x86_64-darwin",  "aarch64-darwin", NULL};

static int describe(const char *path, ms_fmu_archive **archive, ms_fmu_description **description,
                    ms_error *error)
{
    size_t size = 0;
    errno = 0;
    char *text = ms_fmu_archive_text(*archive, MS_FMU_DESCRIPTION, &size);
    int status = MS_OK;
    if (text != NULL)
        status = ms_fmu_description_read(path, text, size, description, error);
    else if (errno == ENOMEM)
        status = ms_fail(error, MS_NO_MEMORY, "%s: not enough memory", path);
    else
        status = ms_fail(error, MS_INVALID, MS_FMU_NO_DESCRIPTION, path);
    free(text);
    if (status != MS_OK)
        ms_fmu_archive_close(archive);
    return status;
}

int ms_fmu_unpack(const char *path, ms_fmu_archive **archive, ms_fmu_description **description,
                  ms_error *error)
{
    *description = NULL;
    const int status = ms_fmu_archive_open(path, archive, error);
    return status == MS_OK ? describe(path, archive, description, error) : status;
}

int ms_fmu_unpacked(const char *folder, const char *path, ms_fmu_archive **archive,
                    ms_fmu_description **description, ms_error *error)
{
    *description = NULL;
    const int status = ms_fmu_archive_borrow(folder, archive, error);
    return status == MS_OK ? describe(path, archive, description, error) : status;
}

bool ms_fmu_has_folder(const ms_fmu_archive *archive, const char *name)
{
    char path[4096];
    int n = 0;
    const int length = snprintf(path, sizeof path, "%s/%s", ms_fmu_archive_folder(archive), name);
    DIR *list = length > 0 && (size_t)length < sizeof path ? opendir(path) : NULL;
    if (list == NULL)
        return false;
    while (n < 3 && readdir(list) != NULL) /* . and .. NOLINT(concurrency-mt-unsafe): a stream of our own */
        n++;
    closedir(list);
    return n == 3;
}
