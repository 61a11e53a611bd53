/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700 /* realpath */

#include "output.h"

#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_beside(ms_output *output)
{
    const size_t size = strlen(output->path) + 32;
    output->beside = malloc(size);
    if (output->beside == NULL)
        return -1;
    snprintf(output->beside, size, "%s.%ld.part", output->path, (long)getpid());
    const int descriptor = open(output->beside, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (descriptor < 0) {
        free(output->beside);
        output->beside = NULL;
    }
    return descriptor;
}

int ms_output_open(const char *path, ms_output *output, ms_error *error)
{
    *output = (ms_output){.file = stdout};
    if (path == NULL || strcmp(path, "-") == 0)
        return MS_OK;
    struct stat status;
    const int exists = stat(path, &status) == 0;
    output->file = NULL;
    output->path =
        exists ? realpath(path, NULL) : strdup(path); /* renaming must not replace a symbolic link */
    if (output->path == NULL)
        return ms_fail(error, MS_IO, "%s: %s", path, strerror(errno));
    int descriptor = -1;
    if (exists && S_ISDIR(status.st_mode))
        errno = EISDIR;
    else if (exists && !S_ISREG(status.st_mode))
        descriptor = open(output->path, O_WRONLY);
    else if (!exists || access(output->path, W_OK) == 0)
        descriptor = open_beside(output);
    if (descriptor >= 0 && output->beside != NULL && exists)
        (void)fchmod(descriptor, status.st_mode & 07777);
    if (descriptor >= 0)
        output->file = fdopen(descriptor, "w");
    if (output->file != NULL)
        return MS_OK;
    const int code = ms_fail(error, MS_IO, "%s: %s", path, strerror(errno));
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
    int failed = ferror(file) != 0 || fflush(file) != 0;
    int reason = failed ? errno : 0;
    output->file = NULL;
    if (file != stdout && fclose(file) != 0 && !failed) {
        failed = 1;
        reason = errno;
    }
    if (!failed && output->beside != NULL && rename(output->beside, output->path) != 0) {
        failed = 1;
        reason = errno;
    }
    int status = MS_OK;
    if (failed)
        status =
            ms_fail(error, MS_IO, "%s: %s", name, reason != 0 ? strerror(reason) : "could not be written");
    else {
        free(output->beside);
        output->beside = NULL;
    }
    ms_output_discard(output);
    return status;
}

void ms_output_discard(ms_output *output)
{
    if (output->file != NULL && output->file != stdout)
        fclose(output->file);
    if (output->beside != NULL)
        unlink(output->beside);
    free(output->beside);
    free(output->path);
    *output = (ms_output){0};
}

int ms_output_folder(const char *path, ms_error *error)
{
    struct stat status;
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &status) == 0 && S_ISDIR(status.st_mode)))
        return MS_OK;
    return ms_fail(error, MS_IO, "%s: %s", path, errno == EEXIST ? "is no folder" : strerror(errno));
}
