/* hybrid.h - events of a subsystem while it is integrated: state, time and step events.
 *
 * After each micro-step the event indicators are compared with those at its start. Where one has changed its
 * sign the root is found on the micro-solver's dense output by Brent's method, and the micro-step ends at the
 * upper end of the bracket, a few units in the last place behind the root: so the sign has changed when the
 * handler is called, and integration goes on from right limits on the same input. An indicator that is zero
 * after an event gets its sign from the next micro-step. A micro-step in which an indicator changes its sign
 * an even number of times hides these events, as with any solver that looks at its own steps only.
 *
 * Sources: Andersson 2016, 8.3 and 8.4; Brent, Algorithms for Minimization without Derivatives (1973), ch. 4. */
#ifndef MS_HYBRID_H
#define MS_HYBRID_H

#include "micro_step.h"

/* More events in one macro-step than this are chattering: the micro-solver has failed. */
enum { MS_HYBRID_EVENTS_MAX = 1000 };

typedef struct ms_hybrid {
    double t;       /* of the event at which the micro-solver stopped [s] */
    bool state, step; /* its causes */
    double resumed; /* samples up to that time after the start of the macro-step are taken [s] */
    int n_events;   /* handled in the current or last macro-step */
    double last;    /* time of the last of them [s] */
    int *crossed;   /* (n_indicators) */
    double *r0, *r1, *r; /* (n_indicators) indicators at the start of the micro-step, at its end, between */
    double *x, *z;  /* (nx), (nz): before the event */
    void *root;     /* Brent's method */
} ms_hybrid;

/* For subsystems with events. Sets instance->hybrid. Errors: MS_UNSUPPORTED (the solver does not stop at
 * events), MS_NO_MEMORY. */
int ms_hybrid_create(ms_instance *instance, ms_error *error);
void ms_hybrid_destroy(ms_instance *instance); /* safe where there is none */

/* Advances over [t, t + h] of a piece of the input, from event to event. Returns MS_OK or MS_SOLVER_FAILED. */
int ms_hybrid_advance(ms_instance *instance, int piece, double t, double h);

/* For ms_micro_done. */
int ms_hybrid_look(ms_instance *instance, int piece, double from, double *to, ms_micro_dense *dense,
                   void *solver);

#endif
