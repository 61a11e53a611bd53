/* SPDX-License-Identifier: GPL-3.0-or-later */
/* switches_parts.h - the switches of time of some expressions: found when these are read (switches.c), followed in a run
 * (switches_search.c). */
#ifndef MS_SWITCHES_PARTS_H
#define MS_SWITCHES_PARTS_H

#include "expressions_parts.h"
#include "switches.h"

/* How a switching function counts: each is a step function that rises with it. At a KINK the expression bends, and does not jump:
 * it makes no difference whether one starts there or right behind. */
typedef enum ms_counting { POSITIVE, NOT_NEGATIVE, WHOLE_NUMBERS, KINK } ms_counting;

enum { SWITCHES_MAX = 4000, DEPENDS_MAX = 8 };

struct ms_switches {
    unsigned id; /* no two are alike */
    int n;
    const ms_counting *counts; /* (n) how each counts */
    ms_program program;        /* of the switching functions (n) */
    ms_program terms;          /* how large the terms are whose difference each is (n); 0: it is none */
    int n_depends;             /* parameters and discrete variables; more than DEPENDS_MAX: not kept */
    ms_read_variable depends[DEPENDS_MAX];
};

#endif
