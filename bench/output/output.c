/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700 /* realpath */

#include "output.h"

#include "memory.h"
#include "standard_output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Why no temporary file can be made next to that one, with advice. */
static int no_part(const char *path, bool exists, int reason, ms_error *error)
{
    if (!exists || (reason != EACCES && reason != EPERM && reason != EROFS))
        return ms_fail(error, MS_IO, "%s: %s", path, strerror(reason));
    return ms_fail(error, MS_IO,
                   "%s: no new file can be made in its folder (%s), and an answer is written to a new file, "
                   "which is then renamed; `output` - with the shell's > writes in place",
                   path, strerror(reason));
}

/* A descriptor to write to, or -1 with errno. */
static int open_for(ms_output *output, const struct stat *status, bool exists)
{
    if (exists && S_ISDIR(status->st_mode)) {
        errno = EISDIR;
        return -1;
    }
    if (exists && !S_ISREG(status->st_mode))
        return open(output->path, O_WRONLY | O_CLOEXEC);
    if ((exists && access(output->path, W_OK) != 0) || ms_part_file_create(output->path, &output->part) != 0)
        return -1;
    if (exists)
        (void)fchmod(output->part.descriptor, status->st_mode & 07777);
    return output->part.descriptor;
}

/* The absolute path of a new file, independent of later changes of the working folder, as by an FMU. NULL, with errno, on failure. */
static char *absolute(const char *path)
{
    char *folder = path[0] == '/' ? strdup("") : getcwd(NULL, 0);
    const size_t size = folder != NULL ? strlen(folder) + strlen(path) + 2 : 0;
    char *place = folder != NULL ? malloc(size) : NULL;
    if (place != NULL)
        snprintf(place, size, "%s%s%s", folder, path[0] == '/' ? "" : "/", path);
    free(folder);
    return place;
}

int ms_output_open(const char *path, ms_output *output, ms_error *error)
{
    *output = (ms_output){.file = ms_standard_output()};
    if (path == NULL || ms_standard_output_is(path))
        return MS_OK;
    struct stat status;
    const bool exists = stat(path, &status) == 0;
    output->file = NULL;
    output->path =
        exists ? realpath(path, NULL) : absolute(path); /* renaming must not replace a symbolic link */
    if (output->path == NULL)
        return ms_fail(error, MS_IO, "%s: %s", path, strerror(errno));
    const int descriptor = open_for(output, &status, exists);
    if (descriptor >= 0)
        output->file = fdopen(descriptor, "w");
    if (output->file != NULL)
        return MS_OK;
    const int code = no_part(path, exists && access(output->path, W_OK) == 0, errno, error);
    if (descriptor >= 0)
        close(descriptor);
    ms_output_discard(output);
    return code;
}

int ms_output_close(ms_output *output, ms_error *error)
{
    const char *name = output->path != NULL ? output->path : "standard output";
    FILE *file = output->file;
    if (file == NULL)
        return MS_OK;
    if (ms_memory_refused()) {
        ms_output_discard(output);
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the answer");
    }
    if (output->path == NULL && ms_standard_output_lost()) {
        ms_output_discard(output);
        return ms_fail(error, MS_IO,
                       "standard output was closed by an FMU or a library that the command called");
    }
    int failed = ferror(file) != 0 || fflush(file) != 0;
    int reason = failed ? errno : 0;
    output->file = NULL;
    if (output->path != NULL && fclose(file) != 0 && !failed) {
        failed = 1;
        reason = errno;
    }
    if (!failed && output->part.path != NULL && ms_part_file_keep(&output->part, output->path) != 0) {
        failed = 1;
        reason = errno;
    }
    const int status = !failed ? MS_OK
                               : ms_fail(error, MS_IO, "%s: %s", name,
                                         reason != 0 ? strerror(reason) : "could not be written");
    ms_output_discard(output);
    return status;
}

void ms_output_discard(ms_output *output)
{
    if (output->file != NULL && output->path != NULL)
        fclose(output->file);
    ms_part_file_drop(&output->part);
    free(output->path);
    *output = (ms_output){0};
}

FILE *ms_output_append(const char *path)
{
    struct stat status;
    const int descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (descriptor < 0)
        return NULL;
    FILE *file = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) ? fdopen(descriptor, "a") : NULL;
    if (file == NULL)
        close(descriptor);
    return file;
}

/* Folders that this process has created, in that order. */
enum { CREATED = 16 };
static char *_Atomic created[CREATED];
static atomic_int n_created;

static void remember(const char *path)
{
    const int k = atomic_fetch_add(&n_created, 1);
    if (k < CREATED)
        atomic_store(&created[k], strdup(path));
}

void ms_output_folders_drop_empty(void)
{
    for (int k = CREATED - 1; k >= 0; k--) {
        const char *path = atomic_load(&created[k]);
        if (path != NULL)
            rmdir(path);
    }
}

int ms_output_folder(const char *path, ms_error *error)
{
    struct stat status;
    if (mkdir(path, 0777) == 0) {
        remember(path);
        return MS_OK;
    }
    if (errno == EEXIST && stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return MS_OK;
    return ms_fail(error, MS_IO, "%s: %s", path, errno == EEXIST ? "is no folder" : strerror(errno));
}
