/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "fmu_archive_parts.h"

static int open_zip(const char *path, const ms_plugin_archives *library, void **zip, ms_error *error)
{
    char why[MS_PLUGIN_WHY];
    *zip = library->open(path, why);
    if (*zip == NULL && strcmp(why, MS_PLUGIN_NO_MEMORY) == 0)
        return ms_archive_no_memory(path, error);
    return *zip != NULL ? MS_OK
                        : ms_fail(error, MS_INVALID, "%s: cannot be read as a ZIP archive: %s", path, why);
}

static int unpack(ms_fmu_archive *archive, const char *path, unsigned long long size, ms_error *error)
{
    const ms_plugin_archives *library;
    void *zip = NULL;
    MS_TRY(ms_archives_open(path, &library, error));
    int status = open_zip(path, library, &zip, error);
    MS_THEN(status, ms_archive_unpack(archive, library, zip, path, size, error));
    library->close(zip);
    return status;
}

int ms_fmu_archive_open(const char *path, ms_fmu_archive **archive, ms_error *error)
{
    struct stat file;
    *archive = NULL;
    if (stat(path, &file) != 0)
        return ms_fail(error, MS_IO, "%s: %s", path, strerror(errno));
    if (!S_ISREG(file.st_mode))
        return ms_fail(error, MS_IO, "%s: is not a file; a ZIP archive is expected", path);
    ms_fmu_archive *a = ms_archive_new();
    MS_TRY_MEMORY_OR(a != NULL, ms_archive_no_memory(path, error));
    const int status = unpack(a, path, (unsigned long long)file.st_size, error);
    if (status == MS_OK)
        *archive = a;
    else
        ms_fmu_archive_close(&a);
    return status;
}
