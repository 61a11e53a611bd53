/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_sliding.h - solutions that slide along switches. Private to the handling of events and the evaluation of f and g.
 *
 * If f points towards a switch on both sides, the solution continues along the surface s(t, x, u) = 0, as Filippov defines it: on one surface
 * x' = f- + alpha (f+ - f-), with the alpha in [0, 1] for which s' = 0; on n surfaces at once x' = f0 + sum alpha_i (f_i - f0), with f0 in
 * front of all and f_i behind the i-th alone, which is correct if f is the sum of their contributions. s' is exact (ms_subsystem.switch_rates).
 * While it slides, alpha (1 - alpha) is watched instead of s: the solution leaves at its zero.
 *
 * Switches whose gradients are parallel (x > y and y > x) are one surface. None slides where the subsystem gives no rates or is
 * differential-algebraic, inputs follow laws, or f is no such sum: then what ends chattering (event_sides.c) has to do.
 *
 * If a run or a macro-step starts on surfaces, or further surfaces are reached along which the solution cannot slide as well, it may slide
 * along each or go to either side: the first choice that is consistent with f is taken, beginning with sliding along all. So of dependent
 * surfaces (v = 0, w = 0, v = w) it slides along as many as are independent.
 *
 * Between calls of ms_events_advance a switch along which the solution slid has half a sign (indicator_sign), which is saved and restored like
 * all signs; the next call tries again, with the input as it is then.
 *
 * Source: Filippov, Differential Equations with Discontinuous Righthand Sides (1988), 4; leaving: Dieci and Lopez, J. Comput. Appl. Math.
 * 236 (2012) 3967-3991. */
#pragma once

#include <macrostep/instance.h>

/* For events->n_sides switches. Returns MS_OK or MS_NO_MEMORY; destroy is safe after both. */
int ms_sliding_create(ms_instance *instance);
void ms_sliding_destroy(ms_events *events);

/* Stops sliding; the switches that slid may slide again. */
void ms_sliding_pause(ms_instance *instance);

/* Continues along surfaces where the solution slid before a pause, or starts at those where the run starts, at t and
 * instance->state. At the other surfaces it goes to the side to which f points. */
void ms_sliding_resume(ms_instance *instance, int piece, double t);

/* Switches that do not slide have crossed at t (events->crossed), and their sides have been set: does the solution slide along them? */
void ms_sliding_begin(ms_instance *instance, int piece, double t);

/* Leaves surfaces at t: those in events->crossed, and those without an alpha in (0, 1). */
void ms_sliding_leave(ms_instance *instance, int piece, double t);

/* Replaces the functions of sliding switches (n_sides) by the function that tells when the solution leaves them; 1 if
 * another switch represents the surface. */
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
