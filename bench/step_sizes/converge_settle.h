/* SPDX-License-Identifier: GPL-3.0-or-later */
/* converge_settle.h - the result of a study, once all rows are known: an order, or why there is none.
 *
 * A scheme that is not zero-stable on the system (zero_stability.h) has no order, and claims none. On nonlinear systems this is checked if errors
 * rise or runs diverge. There is no order either if all errors are zero or if they rise.
 *
 * Else rows may be at a floor: those within reach of what is estimated of their uncertainties from where they fall neither as expected nor as
 * before, and the finest ones from where errors fall at less than half the rate of before, or of what is expected. The finest of them is tried (converge_settle.c); the cause that is found is tried on the
 * next coarser one, and so on until one is free of it. Rows that nothing holds count, and the order is fitted anew. */
#pragma once

#include "converge_study.h"

/* Fills order, radius, notes and messages. try_floors: false after an interruption. Errors: MS_INTERRUPTED, MS_NO_MEMORY. */
int ms_converge_study_settle(ms_converge_study *study, bool try_floors, ms_error *error);

/* Does the scheme claim an order on this system? */
bool ms_converge_study_claims(const ms_converge_study *study);
