/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input_file.h"

#include <sys/stat.h>

int ms_input_check(const char *path, double most, ms_error *error)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return MS_OK;
    if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode) && !S_ISDIR(status.st_mode))
        return ms_fail(error, MS_INVALID, "%s: is a device or a socket; a file or a pipe is expected", path);
    if ((double)status.st_size > most)
        return ms_fail(error, MS_INVALID, "%s: has %.3g bytes; at most %.3g are read", path,
                       (double)status.st_size, most);
    return MS_OK;
}
