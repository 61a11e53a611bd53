/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_sliding.h - solutions that slide along switches. What handles events, and what evaluates f and g meanwhile, ask for it; no other
 * file includes it.
 *
 * Where f on both sides of a switch leads to it the solution goes on along the surface s(t, x, u) = 0, as Filippov defines it: on one
 * surface x' = f- + alpha (f+ - f-), with the alpha in [0, 1] for which s' = 0; on n surfaces at a time x' = f0 + sum alpha_i (f_i - f0),
 * with f0 in front of all and f_i behind the i-th alone, which is right where f is a sum of what each of them adds. s' is exact
 * (ms_subsystem.switch_rates). While it slides alpha (1 - alpha) is watched in place of s: the solution leaves where that is zero.
 *
 * Switches whose gradients are parallel (x > y and y > x) are one surface. None slides where the subsystem gives no rates or is
 * differential-algebraic, inputs follow laws, or f is no such sum: then what ends chattering (event_sides.c) has to do.
 *
 * Where a run starts on surfaces, a macro-step begins on some, or others are reached that the solution cannot slide along as well, it may slide
 * along each or go to either side: the first choice for which f says the same is taken, first of all that it slides along all. So of surfaces
 * that are sums of others (v = 0, w = 0, v = w) as many are slid along as there are without them.
 *
 * Between calls of ms_events_advance a switch along which the solution slid has half a sign (indicator_sign), which is saved and
 * restored as all of them are; the next call tries again, with the input as it is then.
 *
 * Source: Filippov, Differential Equations with Discontinuous Righthand Sides (1988), 4; leaving: Dieci and Lopez, J. Comput. Appl. Math.
 * 236 (2012) 3967-3991. */
#ifndef MS_EVENT_SLIDING_H
#define MS_EVENT_SLIDING_H

#include <macrostep/instance.h>

/* For events->n_sides switches. Returns MS_OK or MS_NO_MEMORY; destroy is safe after both. */
int ms_sliding_create(ms_instance *instance);
void ms_sliding_destroy(ms_events *events);

/* From now on nothing slides; the switches that did may do so again. */
void ms_sliding_pause(ms_instance *instance);

/* Goes on along surfaces where the solution slid before a pause, or begins at those where the run starts, at t and
 * instance->state. From the others it goes to the side to which f leads. */
void ms_sliding_resume(ms_instance *instance, int piece, double t);

/* Switches that do not slide have crossed at t (events->crossed), and their sides been taken: do solutions slide along them? */
void ms_sliding_begin(ms_instance *instance, int piece, double t);

/* Leaves the surfaces that the solution leaves at t: those of events->crossed, and where no alpha in (0, 1) is left. */
void ms_sliding_leave(ms_instance *instance, int piece, double t);

/* In place of the functions of the switches (n_sides) along which the solution slides: what tells that it leaves them; 1 where
 * another switch tells it. */
int ms_sliding_functions(ms_instance *instance, int piece, double t, const double *x, double *r);

/* The inside of sliding: the surfaces, and the fields beside them. */

/* Surfaces along which a solution slides at a time, and fields beside them. */
enum { MS_SURFACES_MAX = 8, MS_FIELDS_MAX = MS_SURFACES_MAX + 1 };

struct ms_sliding {
    int n;                       /* surfaces along which the solution slides */
    int leader[MS_SURFACES_MAX]; /* of each a switch whose function it is */
    int *surface;                /* (n_sides) of a switch; -1: it does not slide */
    /* (n_sides) surface of a switch of which it is not known whether the solution slides along it; -1: it is none */
    int *group;
    int *behind;                                  /* (n_sides) its side behind that surface */
    double alpha[MS_SURFACES_MAX];                /* at the last point; */
    bool solved;                                  /* ... are there some? */
    double lu[MS_SURFACES_MAX * MS_SURFACES_MAX]; /* the rates of the surfaces' functions by alpha, factors */
    int pivots[MS_SURFACES_MAX];
    double *dx, *y, *rate;      /* of each field (n_state), (ny), (n_sides) */
    double *at, *near, *normal; /* (n_state); the gradient of a surface */
    double *s, *gradient;       /* (n_sides) at the state, 3 x (n_sides) */
    bool *tried;                /* (n_sides) */
};

/* f and g while a solution slides. */
extern const ms_vector_field ms_sliding_field;

/* The switches' rates along dx. */
int ms_sliding_rates(ms_instance *instance, int piece, double t, const double *x, const double *dx,
                     double *rate);

/* f in front of all surfaces (dx), and behind each, with the switches' rates along them, and the alphas. Returns what f returns. */
int ms_sliding_fields(ms_instance *instance, int piece, double t, const double *x);

/* The sum of what belongs to each field (rows of `size` entries), the first n of it; what is but round-off of its terms is zero, so that
 * what sticks is at rest. */
void ms_sliding_sum(const ms_sliding *s, int size, const double *rows, int n, double *sum);

/* Does f lead to surface i from both sides of it, on all of the others? */
bool ms_sliding_attracts(const ms_sliding *s, int i);

#endif
