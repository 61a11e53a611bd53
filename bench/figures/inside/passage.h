/* SPDX-License-Identifier: GPL-3.0-or-later */
/* passage.h - places in a figure file, so that errors can name the line. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include <macrostep/status.h>

/* A member or an element of `in`; the file itself has no `in`. */
typedef struct ms_passage {
    const struct ms_passage *in;
    const char *key;         /* of a member; NULL: of an element */
    size_t index;            /* of an element */
    const char *file, *text; /* of the file itself: its name, and all of it */
} ms_passage;

static inline ms_passage ms_passage_member(const ms_passage *in, const char *key)
{
    return (ms_passage){.in = in, .key = key};
}

static inline ms_passage ms_passage_element(const ms_passage *in, size_t index)
{
    return (ms_passage){.in = in, .index = index};
}

/* MS_INVALID with "FILE: line N: PATH: " before the message, as in "fig3.json: line 12: checks.0.measured: ..". */
int ms_passage_fail(const ms_passage *at, ms_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds the place to an error with that status; MS_OK is passed on. */
int ms_passage_locate(const ms_passage *at, int status, ms_error *error);

/* Are all members of the object among the n names? Errors: MS_INVALID. */
int ms_passage_members(const ms_passage *at, json_t *object, const char *const *names, int n,
                       ms_error *error);
