/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_state.h - where a subsystem with events is between micro-steps; events.h: what is done with
 * it. */
#ifndef MS_EVENT_STATE_H
#define MS_EVENT_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include <macrostep/c_linkage.h>

MS_C_LINKAGE_BEGIN

/* More events in one macro-step than this are chattering: the micro-solver has failed. */
enum { MS_EVENTS_MAX = 1000 };

/* Doubles that the watch works in, for each indicator. */
enum { MS_EVENTS_WATCHED = 14 };

typedef struct ms_chatter ms_chatter;     /* event_sides.c */
typedef struct ms_sliding ms_sliding;     /* event_sliding.c */
typedef struct ms_round_off ms_round_off; /* event_round_off.c */

typedef struct ms_events {
    double t; /* of the event at which the micro-solver stopped [s] */
    bool state, switched,
        step; /* its causes: indicators and switches that have changed their signs, a step event */
    bool after_discontinuity; /* the next micro-step is the first one after a jump of input or state */
    bool handled;             /* so it is, after an event: multistep methods start anew */
    bool step_handled;        /* the step event at which the micro-solver stops has been handled */
    double from, to;          /* the micro-solver is at work from there, up to there [s], ... */
    bool starts, ends;        /* ... which are the ends of the piece */
    double earliest, latest;  /* f and indicators are not evaluated outside while it is at work [s] */
    int n_events;             /* handled in the current or last macro-step, ... */
    int n_jumps;              /* ... and of them those that are more than the end of a micro-step */
    long flips;               /* of switches in the current or last macro-step */
    double attempted;         /* length of the micro-step in which was looked last [s] */
    double pending;           /* an announced time that is counted and not yet served [s]; NaN: none */
    double last;              /* time of the last of them [s] */
    const char *failure;      /* why the last macro-step could not go on; NULL: the micro-solver knows */
    char failure_text[96];    /* room for it, where it holds a number or comes from another rank */
    int n;                    /* functions that are watched: indicators, and behind them switches */
    int n_sides, first_side;  /* of them, those that are switches */
    double *sides;            /* (n_sides) where f and g are taken; 0: where their operands say */
    ms_chatter *chatter;      /* (n_sides) */
    ms_sliding *sliding;      /* NULL: no solution slides */
    bool *woken;              /* (n_sides) watched again from the end of this micro-step on */
    ms_round_off *round_off;  /* of the times of events (event_round_off.h); NULL: not kept */
    int *crossed;             /* (n) 1: has risen through zero, -1: fallen */
    double *indicator_sign;   /* (n) behind the discrete variables: where each was seen
                                          last, by its sign, and how far back across zero it is held there,
                                          |indicator_sign| - 1 */
    double *r0, *r1, *r;      /* (n) functions at the start of the micro-step, at its end, between */
    double *root;             /* (n) */
    double *r_start;          /* (n) at the start of the micro-step, where the watch begins, ... */
    double *r_end;            /* ... and where it ends */
    double *watched;          /* (MS_EVENTS_WATCHED x n) */
    double *x, *z;            /* (n_state), (nz): before the event */
    double *seen[2];          /* (nx + ny) each: x' and y before and behind a step event */
    void *brent, *minimum;    /* for roots and minima */
} ms_events;

/* t, but on the right side of time events at both ends of what is integrated: f and w may jump there. */
static inline double ms_events_time(const ms_events *events, double t)
{
    if (events == NULL)
        return t;
    return t < events->earliest ? events->earliest : t > events->latest ? events->latest : t;
}

MS_C_LINKAGE_END

#endif
