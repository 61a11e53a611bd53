/* SPDX-License-Identifier: GPL-3.0-or-later */
/* converge_floor.h - what holds the error of a row at a floor, found by trying: each tolerance is tightened in turn, and what moves the
 * error by a tenth of it or more is the cause.
 *
 * The micro-solver's tolerances are taken a hundred times smaller, the iteration's epsilon 1e-12 or a hundred times smaller; where such a run does
 * not end, ten times larger, of which a ninth counts. A reference in finer steps is taken in steps of half the length. One that moves the error
 * by half of it ends the search. Other references have no tolerance that could be tightened: theirs is the cause where nothing else is, and
 * their own stated error is a tenth of the row's or more. Round-off is, where nothing else is and the error is within ten times what
 * one rounding of the largest state in each macro-step adds up to.
 */
#ifndef MS_CONVERGE_FLOOR_H
#define MS_CONVERGE_FLOOR_H

#include "converge_study.h"

/* Tries row k, three runs where all end. *found: MS_CAUSE_NONE where its error moves with none of them and is more than round-off. Errors:
 * MS_INTERRUPTED, MS_NO_MEMORY. */
int ms_converge_floor_try(const ms_converge_study *study, int k, ms_converge_floor *found, ms_error *error);

/* Does the same cause hold row k as well? One run at most. The same errors. */
int ms_converge_floor_holds(const ms_converge_study *study, int k, ms_converge_cause cause,
                            ms_converge_floor *found, ms_error *error);

/* The sentence that says so. */
void ms_converge_floor_text(const ms_converge_study *study, int k, char *text, size_t size);

#endif
