/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pdf_date.h"

#include <errno.h>
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

static int overwrite(FILE *file, char *bytes, size_t n)
{
    size_t length = 0;
    if (fread(bytes, 1, n, file) != n)
        return -1;
    char *at = find_entry(bytes, n, &length);
    if (at == NULL)
        return 0;
    memset(at, ' ', length);
    return fseek(file, (long)(at - bytes), SEEK_SET) == 0 && fwrite(at, 1, length, file) == length ? 0 : -1;
}

int ms_pdf_drop_date(const char *path, ms_error *error)
{
    FILE *file = fopen(path, "r+b");
    char *bytes = NULL;
    long size = -1;
    int failed = file == NULL || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0 ||
                 fseek(file, 0, SEEK_SET) != 0;
    if (!failed) {
        bytes = malloc((size_t)size + 1);
        failed = bytes == NULL || overwrite(file, bytes, (size_t)size) != 0;
    }
    const int reason = errno;
    if (file != NULL && fclose(file) != 0)
        failed = 1;
    free(bytes);
    return failed ? ms_fail(error, MS_IO, "%s: %s", path, strerror(reason)) : MS_OK;
}
