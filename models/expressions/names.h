/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.h - the names that expressions are made of. */
#pragma once

/* The names that an expression may use, by the array of their values. Time is always present, as t. */
enum {
    MS_NAMES_TIME,
    MS_NAMES_PARAMETERS,
    MS_NAMES_STATES,
    MS_NAMES_INPUTS,
    MS_NAMES_EXTERNAL,
    MS_NAMES_DISCRETE,
    MS_NAME_GROUPS
};

typedef struct ms_names {
    int n[MS_NAME_GROUPS];
    const char *const *name[MS_NAME_GROUPS];
    const char *const *unit[MS_NAME_GROUPS]; /* as in ms_variable; NULL: of none is one known (units.h) */
} ms_names;

/* Longer ones are refused. */
enum { MS_EXPRESSION_LENGTH_MAX = 10000 };
