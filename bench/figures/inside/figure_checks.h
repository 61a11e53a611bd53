/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_checks.h - the kinds of checks that a figure file may have, and what each must say. */
#ifndef MS_FIGURE_CHECKS_H
#define MS_FIGURE_CHECKS_H

#include "drawing.h"

/* A check, filled in. */
typedef struct ms_filled_check {
    const char *what, *note, *expected;
    const json_t *published;
    json_t *made;                 /* what was published, where it is measured; owned by the caller */
    json_t *measured, *tolerance; /* given away */
    json_t *runs, *range; /* of nine runs what each says; numbers whose ends are told; owned by the caller */
    double holds, determined; /* not 0: so it is */
} ms_filled_check;

enum { MS_FIGURE_CHECK_NEEDS = 4 };

typedef struct ms_figure_check_kind {
    const char *name;
    const char *needs[MS_FIGURE_CHECK_NEEDS]; /* members; NULL: no more */
    bool of_a_number;                         /* what is measured is one number */
    bool of_nine;                             /* "runs" are nine numbers */
    void (*give)(ms_drawing *drawing, const ms_filled_check *check);
} ms_figure_check_kind;

extern const ms_figure_check_kind ms_figure_check_kinds[]; /* ends with a NULL name */

/* Members whose texts are remarks of the report. */
enum { MS_FIGURE_REMARKS = 3 };
extern const char *const ms_figure_remarks[MS_FIGURE_REMARKS];

#endif
