/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pairs.h - a list "NAME=VALUE,NAME,..", whose values are numbers. */
#pragma once

#include <macrostep/status.h>

typedef struct ms_pair {
    const char *name; /* what comes before the '=', or all of the word */
    const char *text; /* the rest; NULL: none */
    double value;     /* of that, or of the name where it is a number; else not a number */
} ms_pair;

typedef struct ms_pairs {
    int n;         /* 0: the list was not given */
    ms_pair *pair; /* (n), owned */
    char *words;   /* owned; what the names point into */
} ms_pairs;

/* `option` is named in errors: MS_INVALID where a value is no finite number, MS_NO_MEMORY. */
int ms_pairs_create(const char *option, const char *text, ms_pairs *pairs, ms_error *error);
void ms_pairs_destroy(ms_pairs *pairs);
