/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_archive_write.c - a folder packed into an archive. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fmu_archive_parts.h"
#include "growing.h"
#include "structure.h"

/* The files of a folder. */
typedef struct listing {
    const char *folder, *path; /* of what is packed, of the archive */
    int n;
    size_t capacity;
    const char **name; /* (n) within the folder */
    const char **file; /* (n) as paths */
    ms_structure memory;
    ms_error *error;
} listing;

static bool add_name(listing *l, const char *name)
{
    if (!ms_grow(&l->name, &l->capacity, (size_t)l->n + 1, sizeof(char *)))
        return false;
    l->name[l->n++] = name;
    return name != NULL;
}

static int list_folder(listing *l, const char *below);

/* A file, or all of a folder. */
static int list_entry(listing *l, const char *name)
{
    struct stat there;
    const char *fault = ms_archive_name_fault(name);
    if (fault != NULL)
        return ms_fail(l->error, MS_INVALID, "%s: the name %.100s %s", l->path, name, fault);
    const char *path = ms_structure_name(&l->memory, "%s/%s", l->folder, name);
    MS_TRY_MEMORY_OR(path != NULL, ms_archive_no_memory(l->path, l->error));
    if (lstat(path, &there) != 0)
        return ms_fail(l->error, MS_IO, "%s: %s: %s", l->path, path, strerror(errno));
    if (S_ISDIR(there.st_mode))
        return list_folder(l, name);
    if (!S_ISREG(there.st_mode))
        return ms_fail(l->error, MS_INVALID, "%s: %s is neither a file nor a folder", l->path, path);
    if (l->n == MS_FMU_ARCHIVE_ENTRIES)
        return ms_fail(l->error, MS_INVALID, "%s: more than %d files", l->path, MS_FMU_ARCHIVE_ENTRIES);
    return add_name(l, name) ? MS_OK : ms_archive_no_memory(l->path, l->error);
}

/* All that is in the folder `below` within l->folder; "": in that itself. */
static int list_folder(listing *l, const char *below)
{
    const char *path = ms_structure_name(&l->memory, "%s/%s", l->folder, below);
    DIR *stream = path != NULL ? opendir(path) : NULL;
    struct dirent *entry;
    int status = MS_OK;
    MS_TRY_MEMORY_OR(path != NULL, ms_archive_no_memory(l->path, l->error));
    if (stream == NULL)
        return ms_fail(l->error, MS_IO, "%s: %s: %s", l->path, path, strerror(errno));
    while (status == MS_OK && (entry = readdir(stream)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        const char *name =
            ms_structure_name(&l->memory, "%s%s%s", below, below[0] != '\0' ? "/" : "", entry->d_name);
        status = name != NULL ? list_entry(l, name) : ms_archive_no_memory(l->path, l->error);
    }
    closedir(stream);
    return status;
}

static int compare(const void *a, const void *b)
{
    const char *const *left = a, *const *right = b;
    return strcmp(*left, *right);
}

/* Sorts the names, and puts the folder before each of them. */
static int find_files(listing *l)
{
    MS_TRY(list_folder(l, ""));
    if (l->n == 0)
        return ms_fail(l->error, MS_INVALID, "%s: there is nothing in %s to pack", l->path, l->folder);
    qsort(l->name, (size_t)l->n, sizeof *l->name, compare);
    l->file = ms_structure_alloc(&l->memory, (size_t)l->n, sizeof *l->file);
    for (int k = 0; k < l->n && l->file != NULL; k++) {
        l->file[k] = ms_structure_name(&l->memory, "%s/%s", l->folder, l->name[k]);
        if (l->file[k] == NULL)
            l->file = NULL;
    }
    return l->file != NULL ? MS_OK : ms_archive_no_memory(l->path, l->error);
}

int ms_fmu_archive_write(const char *folder, const char *path, ms_error *error)
{
    const ms_plugin_archives *library;
    char why[MS_PLUGIN_WHY];
    listing l = {.folder = folder, .path = path, .error = error};
    int status = ms_archives_open(path, &library, error);
    MS_THEN(status, find_files(&l));
    if (status == MS_OK && !library->write(path, l.n, l.name, l.file, why))
        status = ms_fail(error, MS_IO, "%s: cannot be written: %s", path, why);
    ms_structure_free(&l.memory);
    free(l.name);
    return status;
}
