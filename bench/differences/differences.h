/* SPDX-License-Identifier: GPL-3.0-or-later */
/* differences.h - two JSON values held against each other. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include <macrostep/status.h>

/* Numbers a and b are the same up to absolute + relative max(|a|, |b|). */
typedef struct ms_tolerances {
    double relative, absolute;
} ms_tolerances;

/* Most important first: the order of a table. */
typedef enum ms_difference_kind {
    MS_DIFFERENCE_MISSING, /* a file, a member, a row, a check is in one of them alone */
    MS_DIFFERENCE_VERDICT, /* status, verdict, reason, agree, stable */
    MS_DIFFERENCE_CHECK,   /* other members of a check */
    MS_DIFFERENCE_NUMBER,
    MS_DIFFERENCE_TEXT,
    MS_DIFFERENCE_KINDS
} ms_difference_kind;

typedef struct ms_differences {
    ms_tolerances tolerances;
    json_t *ignored; /* owned: names of members that are ignored everywhere */
    json_t *group;   /* owned: "KIND FILE PATH" -> its row; NULL: there was no memory */
    long files, numbers, differences, of_kind[MS_DIFFERENCE_KINDS];
} ms_differences;

/* Ignores times and provenance, and the names of the list "NAME,NAME" (NULL: none). */
void ms_differences_begin(const ms_tolerances *tolerances, const char *ignored, ms_differences *differences);
void ms_differences_end(ms_differences *differences);

/* All that differs between two values, of a file of that name. Objects are compared by member, elements of arrays by place, or
 * where all of them say `what` they check or have an `id`, by that. */
void ms_differences_compare(ms_differences *differences, const char *file, const json_t *a, const json_t *b);

/* A file that one of them alone has. */
void ms_differences_missing(ms_differences *differences, const char *file, bool in_a);

/* [{"kind", "file", "where", "a", "b", "difference", "count"}, ..]: of numbers of one column or matrix the one that is furthest
 * apart, and how many differ; kinds in their order. NULL without memory. */
json_t *ms_differences_rows(const ms_differences *differences);

const char *ms_difference_kind_name(ms_difference_kind kind);

/* result_folder.c: the results of two folders, paired by their paths. */

/* Compares two files, or all files of two folders that ms_result_file_is knows, at any depth. Errors: those of
 * ms_result_file_read; MS_INVALID where one is a folder and the other is none. */
int ms_result_compare(ms_differences *differences, const char *a, const char *b, ms_error *error);
