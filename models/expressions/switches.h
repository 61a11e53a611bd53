/* SPDX-License-Identifier: GPL-3.0-or-later */
/* switches.h - the times at which expressions are not smooth.
 *
 * Comparisons, abs, sign, min, max, floor and its kind, remainders and choices have switching functions. Those that depend on time,
 * parameters and discrete variables alone are followed: the next time at which one switches is found before a step is taken, the
 * first number of double precision behind it. Intervals of time are halved until an enclosure of the switching function (enclosure.c)
 * says that there is none, or that it is monotone and its sign at the ends decides: so no pulse is too short, and what only
 * touches zero is found to be no switch. One that is zero but for round-off is none either, and does not hide others. Poles of time
 * (a denominator, tan) count, and so do middles and ends of what is smooth and may be short, as exp(-((t - a)/b)^2) and tanh((t - a)/b)
 * are, so that no method steps over them. Switches that depend on states or inputs are given as expressions, which solvers watch, and so
 * are the ends of smooth pulses of states (pulses.c). */
#pragma once

#include "expressions.h"

typedef struct ms_switches ms_switches;

/* The switching functions of some sets that depend on states, inputs or external inputs, the first MS_WATCHED_MAX of them: each changes its
 * sign where an expression jumps or bends, or where a smooth pulse begins to be felt. */
enum { MS_WATCHED_MAX = 100, MS_WATCHED_SETS = 3 };
typedef struct ms_watched {
    const ms_expressions *functions; /* NULL: there are none */
    /* of each instruction of a set the function that decides it; -1: none */
    const short *decided_by[MS_WATCHED_SETS];
} ms_watched;

/* Those of MS_WATCHED_SETS sets (NULL: none) over the same names. Errors: MS_NO_MEMORY. */
int ms_switches_watched(ms_structure *owner, const ms_expressions *const sets[MS_WATCHED_SETS],
                        ms_watched *watched);

/* As ms_expressions_evaluate of one of these sets, where comparisons, abs, min and their kind are decided by the signs of `sides`, one for
 * each function, and not by their operands; by them where a sign is 0. */
int ms_expressions_evaluate_sided(const ms_expressions *e, const ms_watched *watched, int set,
                                  const double *sides, const double *const of[MS_NAME_GROUPS], double *value);

/* Likewise ms_expressions_differentiate. */
int ms_expressions_differentiate_sided(const ms_expressions *e, const ms_watched *watched, int set,
                                       const double *sides, int group, const double *const of[MS_NAME_GROUPS],
                                       double *M);

/* The switches of time of n sets (NULL: none) over the same names. The expressions `external` (NULL: none) define
 * external inputs. *switches is NULL if there are none. Errors: MS_NO_MEMORY. */
int ms_switches_create(ms_structure *owner, int n, const ms_expressions *const *sets,
                       const ms_expressions *external, const ms_switches **switches);

/* The first time behind t at which one switches, or beyond which nothing is known so far; INFINITY: none does. p, z: parameters and
 * discrete variables. Whatever is nearer to t than round-off, 32 ulps, counts as that far behind it. */
double ms_switches_next(const ms_switches *switches, double t, const double *p, const double *z);

/* By how much a switch that was found at t may be off by round-off [s]: that of t, and that of the terms whose difference is zero there
 * over its slope, which is small near a crest. */
double ms_switches_round_off(const ms_switches *switches, double t, const double *p, const double *z);
