/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* fopencookie */
#include "text_stream.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "growing.h"

/* One byte more than there are, for the end of the text. */
static bool make_room(ms_text_stream *stream, size_t more)
{
    return ms_grow(&stream->text, &stream->room, stream->size + more + 1, 1);
}

static ssize_t append(void *cookie, const char *bytes, size_t n)
{
    ms_text_stream *stream = cookie;
    stream->failed = stream->failed || !make_room(stream, n);
    if (stream->failed)
        return 0;
    memcpy(stream->text + stream->size, bytes, n);
    stream->size += n;
    return (ssize_t)n;
}

FILE *ms_text_open(ms_text_stream *stream)
{
    *stream = (ms_text_stream){0};
    stream->file = fopencookie(stream, "w", (cookie_io_functions_t){.write = append});
    return stream->file;
}

char *ms_text_close(ms_text_stream *stream)
{
    bool whole = stream->file != NULL && ferror(stream->file) == 0;
    if (stream->file != NULL)
        whole = fclose(stream->file) == 0 && whole;
    whole = whole && !stream->failed && make_room(stream, 0);
    if (!whole) {
        free(stream->text);
        return NULL;
    }
    stream->text[stream->size] = '\0';
    return stream->text;
}
