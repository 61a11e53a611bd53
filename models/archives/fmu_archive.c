/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_archive.c - archives unpacked into folders, which go with them.
 *
 * What has been unpacked is in a list that a handler of signals can walk: it is changed under a lock, and each archive keeps
 * the paths that it has made, in their order. A process that was forked from this one removes nothing. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fmu_archive_folder.h"
#include "structure.h"

/* A file or folder that was made. */
typedef struct made {
    const char *path;
    struct made *_Atomic before;
} made;

struct ms_fmu_archive {
    ms_fmu_archive *_Atomic next;
    pid_t owner;
    const char *folder; /* NULL: not made yet */
    made *_Atomic last;
    ms_structure memory; /* owns paths */
};

static ms_fmu_archive *_Atomic all_open;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enlist(ms_fmu_archive *archive)
{
    pthread_mutex_lock(&lock);
    atomic_store(&archive->next, atomic_load(&all_open));
    atomic_store(&all_open, archive);
    pthread_mutex_unlock(&lock);
}

static void strike(ms_fmu_archive *archive)
{
    pthread_mutex_lock(&lock);
    ms_fmu_archive *_Atomic *at = &all_open;
    while (atomic_load(at) != NULL && atomic_load(at) != archive)
        at = &atomic_load(at)->next;
    if (atomic_load(at) == archive)
        atomic_store(at, atomic_load(&archive->next));
    pthread_mutex_unlock(&lock);
}

/* Removing ----------------------------------------------------------------------------------------------- */

/* All that is in a folder, whose descriptor is closed. */
static void empty_folder(int folder)
{
    DIR *list = fdopendir(folder);
    struct dirent *entry;
    if (list == NULL) {
        close(folder);
        return;
    }
    while ((entry = readdir(list)) != NULL) { /* NOLINT(concurrency-mt-unsafe): a stream of our own */
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || unlinkat(dirfd(list), name, 0) == 0)
            continue;
        const int below = openat(dirfd(list), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (below >= 0)
            empty_folder(below);
        unlinkat(dirfd(list), name, AT_REMOVEDIR);
    }
    closedir(list);
}

static int remove_folder(const char *path)
{
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0)
        empty_folder(folder);
    return rmdir(path);
}

/* What was made, the newest first, without looking into folders. */
static void remove_made(ms_fmu_archive *a)
{
    for (made *m = atomic_load(&a->last); m != NULL; m = atomic_load(&m->before))
        if (unlink(m->path) != 0)
            rmdir(m->path);
}

void ms_fmu_archive_remove_all(void)
{
    const pid_t self = getpid();
    for (ms_fmu_archive *a = atomic_load(&all_open); a != NULL; a = atomic_load(&a->next)) {
        if (a->owner == self)
            remove_made(a);
    }
}

void ms_fmu_archive_close(ms_fmu_archive **archive)
{
    ms_fmu_archive *a = archive != NULL ? *archive : NULL;
    if (a == NULL)
        return;
    if (a->folder != NULL && a->owner == getpid() && remove_folder(a->folder) != 0)
        remove_made(a); /* a folder is read with memory */
    strike(a);
    ms_structure_free(&a->memory);
    free(a);
    *archive = NULL;
}

/* The folder --------------------------------------------------------------------------------------------- */

int ms_archive_no_memory(const char *path, ms_error *error)
{
    return ms_fail(error, MS_NO_MEMORY, "%s: not enough memory", path);
}

static const char *note_path(ms_fmu_archive *archive, const char *path)
{
    made *m = path != NULL ? ms_structure_alloc(&archive->memory, 1, sizeof *m) : NULL;
    if (m == NULL)
        return NULL;
    m->path = path;
    atomic_store(&m->before, atomic_load(&archive->last));
    atomic_store(&archive->last, m);
    return path;
}

const char *ms_archive_note(ms_fmu_archive *archive, const char *name)
{
    return note_path(archive, ms_structure_name(&archive->memory, "%s/%s", archive->folder, name));
}

const char *ms_fmu_archive_add(ms_fmu_archive *archive, const char *name)
{
    for (const char *slash = strchr(name, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        const char *folder =
            note_path(archive, ms_structure_name(&archive->memory, "%s/%.*s", archive->folder,
                                                 (int)(slash - name), name));
        if (folder == NULL || (mkdir(folder, S_IRWXU) != 0 && errno != EEXIST))
            return NULL;
    }
    return ms_archive_note(archive, name);
}

int ms_archive_make_folder(ms_fmu_archive *archive, const char *path, ms_error *error)
{
    static const char pattern[] = "/macrostep-XXXXXX";
    const char *place = getenv("TMPDIR"); /* NOLINT(concurrency-mt-unsafe): the program does not set it */
    if (place == NULL || place[0] != '/')
        place = "/tmp";
    const size_t size = strlen(place) + sizeof pattern;
    char *folder = ms_structure_alloc(&archive->memory, size, 1);
    if (note_path(archive, folder) == NULL)
        return ms_archive_no_memory(path, error);
    snprintf(folder, size, "%s%s", place, pattern);
    if (mkdtemp(folder) == NULL)
        return ms_fail(error, MS_IO, "%s: there is no place to unpack it, %s: %s", path, place,
                       strerror(errno));
    archive->folder = folder;
    return MS_OK;
}

/* Opening ------------------------------------------------------------------------------------------------ */

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
    int status = ms_archives_open(path, &library, error);
    if (status != MS_OK)
        return status;
    status = open_zip(path, library, &zip, error);
    if (status == MS_OK)
        status = ms_archive_unpack(archive, library, zip, path, size, error);
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
        return ms_fail(error, MS_INVALID, "%s: is no file; a ZIP archive is expected", path);
    ms_fmu_archive *a = calloc(1, sizeof *a);
    if (a == NULL)
        return ms_archive_no_memory(path, error);
    a->owner = getpid();
    enlist(a);
    const int status = unpack(a, path, (unsigned long long)file.st_size, error);
    if (status == MS_OK)
        *archive = a;
    else
        ms_fmu_archive_close(&a);
    return status;
}

int ms_fmu_archive_borrow(const char *folder, ms_fmu_archive **archive, ms_error *error)
{
    ms_fmu_archive *a = *archive = calloc(1, sizeof *a);
    if (a != NULL)
        a->folder = ms_structure_name(&a->memory, "%s", folder);
    if (a != NULL && a->folder != NULL)
        return MS_OK;
    ms_fmu_archive_close(archive);
    return ms_archive_no_memory(folder, error);
}

const char *ms_fmu_archive_folder(const ms_fmu_archive *archive)
{
    return archive->folder;
}

/* The whole file as text; NULL: it cannot be read, or there is no memory. */
static char *read_file(int file, size_t size)
{
    size_t at = 0;
    char *text = malloc(size + 1);
    while (text != NULL && at < size) {
        const ssize_t got = read(file, text + at, size - at);
        if (got <= 0 && !(got < 0 && errno == EINTR)) {
            free(text);
            return NULL;
        }
        at += got > 0 ? (size_t)got : 0;
    }
    if (text != NULL)
        text[size] = '\0';
    return text;
}

char *ms_fmu_archive_text(const ms_fmu_archive *archive, const char *name, size_t *size)
{
    char path[4096], *text = NULL;
    struct stat there;
    const int length = snprintf(path, sizeof path, "%s/%s", archive->folder, name);
    if (ms_archive_name_fault(name) != NULL || length < 0 || (size_t)length >= sizeof path)
        return NULL;
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0)
        return NULL;
    if (fstat(file, &there) == 0 && S_ISREG(there.st_mode)) {
        *size = (size_t)there.st_size;
        text = read_file(file, *size);
    }
    close(file);
    return text;
}
