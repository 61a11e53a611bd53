/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_state.h - the state of a subsystem with events between micro-steps; handling: events.h. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <macrostep/c_linkage.h>

MS_C_LINKAGE_BEGIN

/* More events than this in one macro-step are chattering: the micro-solver has failed. */
enum { MS_EVENTS_MAX = 1000 };

/* Scratch doubles of the watch per indicator. */
enum { MS_EVENTS_WATCHED = 14 };

typedef struct ms_chatter ms_chatter;     /* event_sides.c */
typedef struct ms_sliding ms_sliding;     /* event_sliding.c */
typedef struct ms_round_off ms_round_off; /* event_round_off.c */

typedef struct ms_events {
    double t; /* time of the event at which the micro-solver stopped [s] */
    bool state, switched,
        step; /* its causes: indicators and switches that have changed their signs, a step event */
    bool after_discontinuity; /* the next micro-step is the first one after a jump of input or state */
    bool handled;             /* the same after an event: multistep methods restart */
    bool step_handled;        /* the step event at the micro-solver's time has been handled */
    double from, to;          /* the interval of the micro-solver [s], ... */
    bool starts, ends;        /* ... and whether its ends are those of the piece */
    double earliest, latest;  /* f and indicators are only evaluated between these times [s] */
    int n_events;             /* handled in the current or last macro-step, ... */
    int n_jumps;              /* ... and those among them that are more than the end of a micro-step */
    long flips;               /* of switches in the current or last macro-step */
    double attempted;         /* length of the micro-step examined last [s] */
    double pending;           /* an announced time that is counted and not yet served [s]; NaN: none */
    double last;              /* time of the last of them [s] */
    const char *failure;      /* why the last macro-step failed; NULL: the micro-solver has the reason */
    char failure_text[96];    /* storage for a message that holds a number or comes from another rank */
    int n;                    /* watched functions: indicators, followed by switches */
    int n_sides, first_side;  /* number of switches, and index of the first */
    double *sides;            /* (n_sides) sides on which f and g are evaluated; 0: as their operands say */
    ms_chatter *chatter;      /* (n_sides) */
    ms_sliding *sliding;      /* NULL: no sliding */
    bool *woken;              /* (n_sides) watched again from the end of this micro-step on */
    ms_round_off *round_off;  /* uncertainty of event times (event_round_off.h); NULL: not recorded */
    int *crossed;             /* (n) 1: has risen through zero, -1: fallen */
    double *indicator_sign;   /* (n) after the discrete variables: the last side of each function,
                                          as its sign, and how far beyond zero it is held there,
                                          |indicator_sign| - 1 */
    double *r0, *r1, *r;      /* (n) functions at the start of the micro-step, at its end, between */
    double *root;             /* (n) */
    double *r_start;          /* (n) at the start of the watched span, ... */
    double *r_end;            /* ... and where it ends */
    double *watched;          /* (MS_EVENTS_WATCHED x n) */
    double *x, *z;            /* (n_state), (nz): before the event */
    double *seen[2];          /* (nx + ny) each: x' and y before and after a step event */
    void *brent, *minimum;    /* for roots and minima */
} ms_events;

/* t, moved to the right side of time events at both ends of the interval: f and w may jump there. */
static inline double ms_events_time(const ms_events *events, double t)
{
    if (events == NULL)
        return t;
    return t < events->earliest ? events->earliest : t > events->latest ? events->latest : t;
}

MS_C_LINKAGE_END
