/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_archive.c - archives unpacked into folders, which are removed with them. They are in one folder of the process, which is removed with the
 * last of them, or by ms_part_files_remove. A process forked from this one removes nothing of it. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fmu_archive_parts.h"
#include "part_file.h"
#include "structure.h"

struct ms_fmu_archive {
    pid_t owner;         /* of its folder */
    const char *folder;  /* NULL: not made yet */
    ms_structure memory; /* owns paths */
};

/* The folder -------------------------------------------------------------------------------------------- */

/* Where this process unpacks. */
static struct {
    ms_part_file part;
    pid_t owner;
    int open, made; /* archives that are there, and all so far */
} place;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Enters the archive's folder, which is created if needed, and returns its number; -1 with errno on failure. */
static int enter(void)
{
    int number = -1;
    pthread_mutex_lock(&lock);
    if (place.owner != getpid())
        place.open = 0;
    if (place.open > 0 || ms_part_folder_temporary(&place.part) == 0) {
        place.owner = getpid();
        place.open++;
        number = ++place.made;
    }
    pthread_mutex_unlock(&lock);
    return number;
}

static void leave(void)
{
    pthread_mutex_lock(&lock);
    if (--place.open == 0)
        ms_part_file_drop(&place.part);
    pthread_mutex_unlock(&lock);
}

void ms_fmu_archive_close(ms_fmu_archive **archive)
{
    ms_fmu_archive *a = archive != NULL ? *archive : NULL;
    if (a == NULL)
        return;
    if (a->folder != NULL && a->owner == getpid()) {
        ms_folder_remove(a->folder);
        leave();
    }
    ms_structure_free(&a->memory);
    free(a);
    *archive = NULL;
}

int ms_archive_no_memory(const char *path, ms_error *error)
{
    return ms_fail(error, MS_NO_MEMORY, "%s: not enough memory", path);
}

const char *ms_fmu_archive_add(ms_fmu_archive *archive, const char *name)
{
    for (const char *slash = strchr(name, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        const char *folder =
            ms_structure_name(&archive->memory, "%s/%.*s", archive->folder, (int)(slash - name), name);
        if (folder == NULL || (mkdir(folder, S_IRWXU) != 0 && errno != EEXIST))
            return NULL;
    }
    return ms_structure_name(&archive->memory, "%s/%s", archive->folder, name);
}

int ms_archive_make_folder(ms_fmu_archive *archive, const char *path, ms_error *error)
{
    const int number = enter();
    if (number < 0)
        return errno == ENOMEM ? ms_archive_no_memory(path, error)
                               : ms_fail(error, MS_IO, "%s: there is no place to unpack it, %s: %s", path,
                                         ms_temporary_place(), strerror(errno));
    const char *folder = ms_structure_name(&archive->memory, "%s/%d", place.part.folder, number);
    if (folder != NULL && mkdir(folder, S_IRWXU) == 0) {
        archive->owner = getpid();
        archive->folder = folder;
        return MS_OK;
    }
    const int reason = errno;
    leave();
    return folder == NULL ? ms_archive_no_memory(path, error)
                          : ms_fail(error, MS_IO, "%s: there is no place to unpack it, %s: %s", path,
                                    ms_temporary_place(), strerror(reason));
}

/* Archives ----------------------------------------------------------------------------------------------- */

ms_fmu_archive *ms_archive_new(void)
{
    return calloc(1, sizeof(ms_fmu_archive));
}

int ms_fmu_archive_borrow(const char *folder, ms_fmu_archive **archive, ms_error *error)
{
    ms_fmu_archive *a = *archive = ms_archive_new();
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

/* The whole file as text; NULL with errno. */
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
