/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_functions.h - the functions that are watched for changes of sign, at a point. */
#ifndef MS_EVENT_FUNCTIONS_H
#define MS_EVENT_FUNCTIONS_H

#include <macrostep/instance.h>

/* Event indicators and switches r (n) at a point under a piece of the input; those that are released are 1, and those along which
 * the solution slides what tells that it leaves. Returns what they return. */
int ms_events_functions(ms_instance *instance, int piece, ms_point *at, double *r);

/* The same at (t, x), those that their side holds as the smallest number of that side. Returns 0
 * where they are defined and finite. */
int ms_events_indicators(ms_instance *instance, int piece, double t, const double *x, double *r);

#endif
