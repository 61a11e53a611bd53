/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input_file.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

/* Does the kernel make the file while it is read? Such a one may have no end, whatever its size says. */
static bool is_kernels(const char *path)
{
    struct statfs of;
    return statfs(path, &of) == 0 && (of.f_type == PROC_SUPER_MAGIC || of.f_type == SYSFS_MAGIC ||
                                      of.f_type == TRACEFS_MAGIC || of.f_type == DEBUGFS_MAGIC);
}

int ms_input_check(const char *path, double most, ms_error *error)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return MS_OK;
    if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode) && !S_ISDIR(status.st_mode))
        return ms_fail(error, MS_INVALID, "%s: is a device or a socket; a file or a pipe is expected", path);
    if (S_ISREG(status.st_mode) && is_kernels(path))
        return ms_fail(error, MS_INVALID, "%s: is made by the kernel; a file or a pipe is expected", path);
    if ((double)status.st_size > most)
        return ms_fail(error, MS_INVALID, "%s: has %.3g bytes; at most %.3g are read", path,
                       (double)status.st_size, most);
    return MS_OK;
}

char *ms_input_stream(FILE *stream, size_t *size)
{
    size_t used = 0, room = 1 << 16;
    char *text = malloc(room);
    errno = text != NULL ? 0 : ENOMEM;
    while (text != NULL) {
        used += fread(text + used, 1, room - used - 1, stream);
        if (used + 1 < room)
            break;
        const bool too_much = (double)used > MS_INPUT_TEXT_BYTES; /* of a pipe */
        char *more = too_much ? NULL : realloc(text, room *= 2);
        if (more == NULL) {
            free(text);
            errno = too_much ? EFBIG : ENOMEM;
        }
        text = more;
    }
    if (text != NULL && ferror(stream)) {
        const int why = errno;
        free(text);
        errno = why;
        return NULL;
    }
    if (text != NULL)
        text[used] = '\0';
    *size = used;
    return text;
}

int ms_input_text(const char *path, char **text, ms_error *error)
{
    size_t size;
    *text = NULL;
    if (ms_input_check(path, MS_INPUT_TEXT_BYTES, error) != MS_OK)
        return MS_INVALID;
    FILE *file = fopen(path, "rbe");
    if (file != NULL)
        *text = ms_input_stream(file, &size);
    const int why = errno;
    if (file != NULL)
        fclose(file);
    return *text != NULL ? MS_OK
                         : ms_fail(error, why == ENOMEM ? MS_NO_MEMORY : MS_IO, "%s: %s", path,
                                   why != 0 ? strerror(why) : "it cannot be read");
}
