/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drawing_parts.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char entry[] = "/CreationDate (";

/* Where the entry begins in the n bytes, and its length; NULL: nowhere. */
static char *find_entry(char *bytes, size_t n, size_t *length)
{
    const size_t start = strlen(entry);
    char *end = bytes + n;
    for (char *c = bytes; c + start < end && (c = memchr(c, '/', (size_t)(end - c) - start)) != NULL; c++) {
        char *close = memcmp(c, entry, start) == 0 ? memchr(c, ')', (size_t)(end - c)) : NULL;
        if (close != NULL) {
            *length = (size_t)(close - c) + 1;
            return c;
        }
    }
    return NULL;
}

/* Returns 0, or the error; a file that ends before its n bytes, because another process has cut it, sets none by itself. */
static int overwrite(FILE *file, char *bytes, size_t n)
{
    size_t length = 0;
    errno = 0;
    if (fread(bytes, 1, n, file) != n)
        return errno != 0 ? errno : EIO;
    char *at = find_entry(bytes, n, &length);
    if (at == NULL)
        return 0;
    memset(at, ' ', length);
    return fseek(file, (long)(at - bytes), SEEK_SET) == 0 && fwrite(at, 1, length, file) == length ? 0
                                                                                                   : errno;
}

/* Returns 0, or the error; *size is the length of the file in bytes. */
static int measure(FILE *file, long *size)
{
    return fseek(file, 0, SEEK_END) == 0 && (*size = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0
               ? 0
               : errno;
}

int ms_pdf_drop_date(const char *path, ms_error *error)
{
    FILE *file = fopen(path, "r+be");
    if (file == NULL)
        return ms_fail(error, MS_IO, "%s: %s", path, strerror(errno));
    long size = 0;
    int failed = measure(file, &size);
    char *bytes = failed == 0 ? malloc((size_t)size + 1) : NULL;
    const bool lacking = failed == 0 && bytes == NULL;
    if (bytes != NULL)
        failed = overwrite(file, bytes, (size_t)size);
    if (fclose(file) != 0 && failed == 0)
        failed = errno;
    free(bytes);
    if (lacking)
        return ms_fail(error, MS_NO_MEMORY, "%s: not enough memory for its %ld bytes", path, size);
    return failed != 0 ? ms_fail(error, MS_IO, "%s: %s", path, strerror(failed)) : MS_OK;
}
