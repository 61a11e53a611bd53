/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source: Extensible Markup Language (XML) 1.0, 4.3.3 and appendix F. */
#include "xml_encoding.h"

#include <errno.h>
#include <iconv.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Finding ------------------------------------------------------------------------------------------------ */

static bool begins_with(const char *text, size_t size, const char *bytes, size_t n)
{
    return size >= n && memcmp(text, bytes, n) == 0;
}

/* Where the value of encoding= is in <?xml .. ?>, and its length; NULL: it is not declared. */
static const char *declared(const char *text, size_t size, size_t *length)
{
    static const char name[] = "encoding";
    const char *end = memchr(text, '>', size < 200 ? size : 200), *at = text;
    if (end == NULL || !begins_with(text, size, "<?xml", 5))
        return NULL;
    while (at < end && strncmp(at, name, sizeof name - 1) != 0)
        at++;
    if (at == end)
        return NULL;
    at += sizeof name - 1;
    at += strspn(at, " \t\r\n=");
    const char *last = *at == '"' || *at == '\'' ? memchr(at + 1, *at, (size_t)(end - at)) : NULL;
    *length = last != NULL ? (size_t)(last - at) - 1 : 0;
    return last != NULL ? at + 1 : NULL;
}

/* NULL: they do not say. */
static const char *by_first_bytes(const char *text, size_t size)
{
    if (begins_with(text, size, "\xff\xfe", 2) || begins_with(text, size, "\xfe\xff", 2))
        return "UTF-16";
    if (begins_with(text, size, "<\0", 2))
        return "UTF-16LE";
    if (begins_with(text, size, "\0<", 2))
        return "UTF-16BE";
    return begins_with(text, size, "\xef\xbb\xbf", 3) ? "UTF-8" : NULL;
}

void ms_xml_encoding_find(const char *text, size_t size, char name[MS_XML_ENCODING])
{
    size_t length = 0;
    const char *found = by_first_bytes(text, size), *value = NULL;
    if (found == NULL)
        value = declared(text, size, &length);
    if (value == NULL || length >= MS_XML_ENCODING || strncasecmp(value, "UTF-16", 6) == 0) {
        value = found != NULL ? found : "UTF-8";
        length = strlen(value);
    }
    memcpy(name, value, length);
    name[length] = '\0';
}

/* Converting --------------------------------------------------------------------------------------------- */

/* Does it begin with a letter, followed by letters, digits and '.', '_', '-'? Other names that iconv accepts are not valid in XML. */
static bool is_name(const char *encoding)
{
    static const char characters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    const size_t n_letters = strspn(encoding, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
    return n_letters > 0 && encoding[strspn(encoding, characters)] == '\0';
}

static bool open_converter(const char *encoding, iconv_t *by)
{
    *by = iconv_open("UTF-8", encoding);
    return *by != (iconv_t)-1; /* NOLINT(performance-no-int-to-ptr): so it is said in POSIX */
}

static long line_of(const char *text, const char *at)
{
    long line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

/* All of it into *out, which grows. What iconv leaves: 0, or errno. */
static int convert(iconv_t by, const char **at, size_t left, char **out, size_t *size)
{
    size_t room = left + 64, used = 0;
    *out = malloc(room);
    while (*out != NULL) {
        char *from = (char *)*at, *to = *out + used;
        size_t free_bytes = room - used;
        errno = 0;
        const size_t done = iconv(by, &from, &left, &to, &free_bytes);
        used = (size_t)(to - *out);
        *at = from;
        *size = used;
        if (done != (size_t)-1)
            return 0;
        if (errno != E2BIG)
            return errno;
        char *more = realloc(*out, room *= 2);
        if (more == NULL)
            break;
        *out = more;
    }
    return ENOMEM;
}

char *ms_xml_convert(const char *path, const char *encoding, const char *text, size_t *size, int *status,
                     ms_error *error)
{
    const char *at = text;
    char *out = NULL;
    iconv_t by;
    if (!is_name(encoding) || !open_converter(encoding, &by)) {
        *status = ms_fail(error, MS_INVALID,
                          "%s: line 1: the encoding %s is not known; UTF-8, UTF-16, US-ASCII, ISO-8859-1 and "
                          "others are",
                          path, encoding);
        return NULL;
    }
    const int left = convert(by, &at, *size, &out, size);
    iconv_close(by);
    if (left == ENOMEM)
        *status = ms_fail(error, MS_NO_MEMORY, "%s: not enough memory", path);
    else if (left != 0)
        *status = ms_fail(error, MS_INVALID, "%s: line %ld: the text is not in its declared encoding, %s",
                          path, line_of(text, at), encoding);
    if (left != 0) {
        free(out);
        out = NULL;
    }
    return out;
}
