/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_archive_peek.c - one file of an archive, of which nothing is unpacked. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fmu_archive_parts.h"

typedef struct peek {
    char *text;
    size_t used, size;
} peek;

/* ms_plugin_take */
static bool take(void *self, const void *bytes, size_t size)
{
    peek *p = self;
    if (size > p->size - p->used)
        return false;
    memcpy(p->text + p->used, bytes, size);
    p->used += size;
    return true;
}

/* Entry k. As much as the archive says, if that is not beyond what its packed bytes can be. */
static int extract(const ms_plugin_archives *library, void *zip, long long k, const ms_plugin_entry *entry,
                   const char *path, peek *p, ms_error *error)
{
    char why[MS_PLUGIN_WHY];
    if (entry->size > MS_FMU_ARCHIVE_BYTES ||
        (entry->size > MS_FMU_ARCHIVE_SMALL && entry->size / MS_FMU_ARCHIVE_RATIO > entry->packed))
        return ms_fail(error, MS_INVALID, "%s: entry %.100s would be %llu bytes", path, entry->name,
                       entry->size);
    p->size = (size_t)entry->size;
    p->text = calloc(p->size + 1, 1);
    MS_TRY_MEMORY_OR(p->text != NULL, ms_fail(error, MS_NO_MEMORY, "%s: not enough memory", path));
    if (library->extract(zip, k, take, p, why) && p->used == p->size)
        return MS_OK;
    free(p->text);
    p->text = NULL;
    return strcmp(why, MS_PLUGIN_NO_MEMORY) == 0
               ? ms_fail(error, MS_NO_MEMORY, "%s: not enough memory", path)
               : ms_fail(error, MS_INVALID, "%s: entry %.100s cannot be unpacked: %s", path, entry->name,
                         why[0] != '\0' ? why : "it has another size than the archive says");
}

static int find(const ms_plugin_archives *library, void *zip, const char *path, const char *name, peek *p,
                ms_error *error)
{
    char why[MS_PLUGIN_WHY];
    const long long n = library->count(zip);
    for (long long k = 0; k < n && k < MS_FMU_ARCHIVE_ENTRIES; k++) {
        ms_archive_entry found;
        if (ms_archive_find_entry(library, zip, k, &found, why) && strcmp(found.entry.name, name) == 0)
            return extract(library, zip, k, &found.entry, path, p, error);
    }
    return MS_OK;
}

int ms_fmu_archive_peek(const char *path, const char *name, char **text, size_t *size, ms_error *error)
{
    const ms_plugin_archives *library;
    char why[MS_PLUGIN_WHY];
    struct stat file;
    peek p = {0};
    *text = NULL;
    *size = 0;
    if (stat(path, &file) != 0)
        return ms_fail(error, MS_IO, "%s: %s", path, strerror(errno));
    if (!S_ISREG(file.st_mode))
        return ms_fail(error, MS_IO, "%s: is not a file; a ZIP archive is expected", path);
    MS_TRY(ms_archives_open(path, &library, error));
    void *zip = library->open(path, why);
    if (zip == NULL)
        return strcmp(why, MS_PLUGIN_NO_MEMORY) == 0
                   ? ms_fail(error, MS_NO_MEMORY, "%s: not enough memory", path)
                   : ms_fail(error, MS_INVALID, "%s: cannot be read as a ZIP archive: %s", path, why);
    int status = find(library, zip, path, name, &p, error);
    library->close(zip);
    *text = p.text;
    *size = p.used;
    return status;
}
