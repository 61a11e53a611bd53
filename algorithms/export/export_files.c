/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export_files.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "fmu_archive.h"
#include "part_file.h"

static int cannot_write(const char *path, ms_error *error)
{
    return ms_fail(error, MS_IO, "%s cannot be written: %s", path, strerror(errno));
}

int ms_export_path(const char *folder, const char *name, char path[PATH_MAX], ms_error *error)
{
    if (snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX)
        return MS_OK;
    return ms_fail(error, MS_INVALID, "folder %.100s..: its path is too long", folder);
}

int ms_export_folder(const char *in, const char *name, char path[PATH_MAX], ms_error *error)
{
    MS_TRY(ms_export_path(in, name, path, error));
    return mkdir(path, 0777) == 0 ? MS_OK : cannot_write(path, error);
}

int ms_export_file_open(const char *folder, const char *name, ms_export_file *file, ms_error *error)
{
    MS_TRY(ms_export_path(folder, name, file->path, error));
    file->stream = fopen(file->path, "we");
    return file->stream != NULL ? MS_OK : cannot_write(file->path, error);
}

int ms_export_file_close(ms_export_file *file, ms_error *error)
{
    const bool broken = ferror(file->stream) != 0;
    return fclose(file->stream) == 0 && !broken ? MS_OK : cannot_write(file->path, error);
}

int ms_export_file_text(const char *folder, const char *name, const char *text, ms_error *error)
{
    ms_export_file file;
    MS_TRY(ms_export_file_open(folder, name, &file, error));
    fputs(text, file.stream);
    return ms_export_file_close(&file, error);
}

int ms_export_stream_copy(const char *from, FILE *to, ms_error *error)
{
    char bytes[65536];
    size_t n;
    FILE *of = fopen(from, "re");
    if (of == NULL)
        return ms_fail(error, MS_IO, "%s cannot be read: %s", from, strerror(errno));
    while ((n = fread(bytes, 1, sizeof bytes, of)) > 0)
        fwrite(bytes, 1, n, to);
    const int reason = ferror(of) != 0 ? errno : 0;
    fclose(of);
    return reason != 0 ? ms_fail(error, MS_IO, "%s cannot be read: %s", from, strerror(reason)) : MS_OK;
}

int ms_export_file_copy(const char *from, const char *folder, const char *name, ms_error *error)
{
    ms_export_file to;
    ms_error closing = {0};
    MS_TRY(ms_export_file_open(folder, name, &to, error));
    int status = ms_export_stream_copy(from, to.stream, error);
    const int closed = ms_export_file_close(&to, &closing);
    return status == MS_OK && closed != MS_OK ? ms_fail(error, closed, "%s", closing.text) : status;
}

const char *ms_export_name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

int ms_export_pack(const char *path, int (*fill)(void *self, const char *folder, ms_error *error), void *self,
                   ms_error *error)
{
    ms_part_file temporary;
    if (ms_part_folder_create(path, &temporary) != 0)
        return errno == ENOMEM ? ms_fail(error, MS_NO_MEMORY, "%s: not enough memory", path)
                               : cannot_write(path, error);
    int status = fill(self, temporary.folder, error);
    MS_THEN(status, ms_fmu_archive_write(temporary.folder, path, error));
    ms_part_file_drop(&temporary);
    return status;
}
