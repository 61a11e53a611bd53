/* SPDX-License-Identifier: GPL-3.0-or-later */
/* axis.h - a list in place of a single value: "a,b,c", "from:to:lin:count" or "from:to:log:count". */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <macrostep/option_id.h>
#include <macrostep/status.h>

typedef struct ms_option ms_option;

typedef struct ms_axis {
    const char *name; /* of the option or parameter */
    int setting;      /* of a parameter: its place among the settings; -1: an option */
    int n;            /* values */
    size_t stride;    /* value k begins at text + k stride */
    char *text;       /* owned */
} ms_axis;

static inline const char *ms_axis_value(const ms_axis *axis, int k)
{
    return axis->text + (size_t)k * axis->stride;
}

/* Does the text hold more than one value? Ranges are numbers only. */
bool ms_axis_is_list(const char *text, bool numeric);

/* Are its values those of that option of a run? */
bool ms_axis_is(const ms_axis *axis, ms_option_id option);

/* Splits the text, ranges with their ends exact and points between them without the round-off of their computation. `what` names the option in errors: MS_INVALID,
 * MS_NO_MEMORY. */
int ms_axis_create(const char *what, const char *name, const char *text, ms_axis *axis, ms_error *error);
int ms_axis_copy(const ms_axis *from, ms_axis *axis, ms_error *error); /* MS_NO_MEMORY */
void ms_axis_destroy(ms_axis *axis);

/* Value k as a number; false if it is not one. */
bool ms_axis_number(const ms_axis *axis, int k, double *value);

/* "NAME=RANGE": a list of at least two numbers with the name of what takes them. */
typedef struct ms_range {
    char *name; /* owned; NULL: not given */
    int n;
    double *value; /* (n), owned */
} ms_range;

/* `option` is named in errors: MS_INVALID, MS_NO_MEMORY. */
int ms_range_create(const char *option, const char *text, ms_range *range, ms_error *error);
void ms_range_destroy(ms_range *range);

/* May a list of values mean this option? Numbers, choices, and names of schemes and solvers. */
bool ms_axis_fits(const ms_option *option);

/* All values of an option: its choices, all schemes or solvers, or the whole numbers of its range (at most 16).
 * Errors: MS_NO_MEMORY. */
int ms_axis_of_option(const ms_option *option, ms_axis *axis, ms_error *error);
