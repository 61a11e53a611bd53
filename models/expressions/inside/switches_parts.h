/* SPDX-License-Identifier: GPL-3.0-or-later */
/* switches_parts.h - the switches of time of some expressions: found when these are read (switches.c), followed in a run
 * (switches_search.c). */
#pragma once

#include "expressions_parts.h"
#include "switches.h"

/* How a switching function counts: each is a step function that rises with it. At a KINK the expression bends, and does not jump:
 * it makes no difference whether one starts there or right behind. */
typedef enum ms_counting { POSITIVE, NOT_NEGATIVE, WHOLE_NUMBERS, KINK } ms_counting;

enum { SWITCHES_MAX = 4000, DEPENDS_MAX = 8 };

struct ms_switches {
    unsigned id; /* unique */
    int n;
    const ms_counting *counts; /* (n) how each counts */
    ms_program program;        /* of the switching functions (n) */
    /* scale of the terms whose difference each function is (n); 0: it is not a difference */
    ms_program terms;
    int n_depends; /* parameters and discrete variables; more than DEPENDS_MAX: not kept */
    ms_read_variable depends[DEPENDS_MAX];
};

/* enclosure.c: what a program of time takes for values, and its slope, over an interval of time.
 *
 * Sums, products and quotients of the ends are rounded as values are, and rounding is monotone: so the enclosure holds what the
 * program evaluates to at every time in between, up to an ulp or two of what the mathematical library gives.
 *
 * Source: Moore, Kearfott, Cloud, Introduction to Interval Analysis (2009), ch. 5 and 6. */

typedef struct ms_interval {
    double lo, hi;
} ms_interval;

typedef struct ms_enclosure {
    ms_interval value, slope;
} ms_enclosure;

/* All results of the program for times in `t`; the other values are those of `of`. */
void ms_program_enclose(const ms_program *program, ms_interval t, const double *const of[MS_NAME_GROUPS],
                        ms_enclosure *result);

/* pulses.c: the derivative of a node by one variable; -1: of what is not known there, or of more than *left nodes. */
int ms_tree_derivative(ms_tree *tree, int node, ms_read_variable by, int *left);

/* Functions of states and inputs that are zero where a smooth pulse that node makes, as exp(-((x - a)/b)^2) is one, begins to be felt, on its
 * flanks. Returns how many there are. */
enum { PULSE_ENDS_MAX = 48 };
int ms_pulse_ends(ms_tree *tree, int node, int function[PULSE_ENDS_MAX]);
