/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_published.c - published values: the first line of the input is what a figure asks for, the rest the file, of which this harness
 * has one in place of those that are compiled in. */
#include <string.h>

#include "drawing.h"
#include "harness.h"
#include "published.h"

enum { ROOM = 4096 };
static unsigned char content[ROOM + 1];
static char key[ROOM + 1];

const ms_published ms_published_files[] = {{"fuzz.json", content, ROOM}, {0}};

static int draw(ms_drawing *drawing, ms_error *error)
{
    (void)error;
    const json_t *value = ms_drawing_published(drawing, key);
    const double number = ms_drawing_published_number(drawing, key);
    const char *text = ms_drawing_published_text(drawing, key);
    harness_require(json_is_number(value) || number != number, "a number that is none");
    harness_require(json_is_string(value) || text[0] == '\0', "a text that is none");
    return MS_OK;
}

static const ms_figure figure = {.id = "fuzz:f", .title = "fuzz", .source = "fuzz", .draw = draw};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ms_drawing *drawing = NULL;
    ms_error error = {{0}};
    const uint8_t *end = memchr(data, '\n', size);
    const size_t length = end != NULL ? (size_t)(end - data) : 0;
    if (end == NULL || size > ROOM)
        return -1;
    memcpy(key, data, length);
    key[length] = '\0';
    memset(content, ' ', ROOM);
    memcpy(content, end + 1, size - length - 1);
    if (harness_check(ms_drawing_create(&figure, NULL, &drawing, &error), &error))
        (void)harness_check(ms_drawing_fill(drawing, &error), &error);
    ms_drawing_destroy(&drawing);
    return 0;
}
