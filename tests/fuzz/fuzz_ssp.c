/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_ssp.c - systems of SSP: an archive where the input begins as one, else a system structure. What is read is written, read again
 * and written again: the same bytes. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"
#include "ssp.h"

enum { ROOM = 1 << 20 };

/* The system as it is written, to be freed. */
static char *written(const ms_ssp *ssp)
{
    ms_error error = {{0}};
    const char *path = harness_path("written.ssd");
    char *text = calloc(ROOM, 1);
    harness_require(harness_check(ms_ssp_write(ssp, path, &error), &error), "a system that is not written");
    FILE *file = fopen(path, "r");
    harness_require(text != NULL && file != NULL && fread(text, 1, ROOM - 1, file) > 0, "nothing is written");
    fclose(file);
    return text;
}

static void write_twice(const ms_ssp *ssp)
{
    ms_ssp again;
    ms_error error = {{0}};
    char *first = written(ssp);
    const int status = ms_ssp_read(harness_path("written.ssd"), &again, &error);
    if (status != MS_OK)
        fprintf(stderr, "%s\n%s", error.text, first);
    harness_require(status == MS_OK, "what is written cannot be read");
    char *second = written(&again);
    if (strcmp(first, second) != 0)
        fprintf(stderr, "%s\n%s", first, second);
    harness_require(strcmp(first, second) == 0, "what is read again is written otherwise");
    ms_ssp_free(&again);
    free(first);
    free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const bool archive = size >= 2 && memcmp(data, "PK", 2) == 0;
    ms_ssp ssp;
    ms_error error = {{0}};
    if (harness_check(ms_ssp_read(harness_file(data, size, archive ? ".ssp" : ".ssd"), &ssp, &error),
                      &error)) {
        json_decref(ms_ssp_json(&ssp));
        write_twice(&ssp);
    }
    ms_ssp_free(&ssp);
    return 0;
}
