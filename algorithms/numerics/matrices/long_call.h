/* SPDX-License-Identifier: GPL-3.0-or-later */
/* long_call.h - calls of libraries that may take minutes, during which the program cannot check whether it should end.
 *
 * A program with a signal handler registers what to do if a signal arrives during such a call, or
 * arrived before it unnoticed. */
#pragma once

#include <signal.h>
#include <stdbool.h>

/* Encloses a call of about this many operations on numbers; calls of less than a second do not count. */
void ms_long_call_begin(double operations);
void ms_long_call_end(double operations);

/* Is any thread within one? May be called by a handler of signals. */
bool ms_long_call_at_work(void);

/* What is done at the beginning of a long call where *stop is not zero; it need not return. To be said before there is a
 * second thread; NULL: nothing. */
void ms_long_call_refused(const volatile sig_atomic_t *stop, void (*refuse)(void));

/* Is *stop not zero? For loops below those that are given a `stop` of their own. */
bool ms_long_call_stopped(void);
