/* SPDX-License-Identifier: GPL-3.0-or-later */
/* long_call.h - calls of libraries that may take minutes, during which nobody asks whether the program is to end.
 *
 * A program that has a handler of signals says what it wants to be done where one comes while such a call is at work, or
 * came before it without anybody having asked. */
#ifndef MS_LONG_CALL_H
#define MS_LONG_CALL_H

#include <signal.h>
#include <stdbool.h>

/* Stands around a call of about so many operations on numbers; those that take no second do not count. */
void ms_long_call_begin(double operations);
void ms_long_call_end(double operations);

/* Is any thread within one? May be called by a handler of signals. */
bool ms_long_call_at_work(void);

/* What is done at the beginning of a long call where *stop is not zero; it need not return. To be said before there is a
 * second thread; NULL: nothing. */
void ms_long_call_refused(const volatile sig_atomic_t *stop, void (*refuse)(void));

#endif
