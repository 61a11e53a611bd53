/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_functions.h - the functions that are watched for changes of sign, at a point. */
#ifndef MS_EVENT_FUNCTIONS_H
#define MS_EVENT_FUNCTIONS_H

#include <macrostep/instance.h>

/* The point (t, x) under a piece of the input. Returns what g returns. */
int ms_events_point(ms_instance *instance, int piece, double t, const double *x, ms_point *at);

/* Event indicators and switches r (n) at a point under a piece of the input; those that are released are 1, and those along which
 * the solution slides what tells that it leaves. Returns what they return. */
int ms_events_functions(ms_instance *instance, int piece, ms_point *at, double *r);

#endif
