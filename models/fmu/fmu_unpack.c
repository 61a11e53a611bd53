/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_unpack.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "fmu_description_read.h"

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

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

int ms_fmu_list(const ms_fmu_archive *archive, const char *folder, struct dirent ***entry)
{
    char path[PATH_MAX + 1]; /* what does not fit is too long for scandir, too */
    snprintf(path, sizeof path, "%s/%s", ms_fmu_archive_folder(archive), folder);
    const int n = scandir(path, entry, is_shown, alphasort);
    if (n <= 0)
        *entry = NULL;
    return n < 0 ? 0 : n;
}

void ms_fmu_list_free(struct dirent ***entry, int n)
{
    for (int k = 0; k < n; k++)
        free((*entry)[k]);
    free(*entry);
    *entry = NULL;
}

bool ms_fmu_has_folder(const ms_fmu_archive *archive, const char *folder)
{
    struct dirent **entry;
    const int n = ms_fmu_list(archive, folder, &entry);
    ms_fmu_list_free(&entry, n);
    return n > 0;
}
