/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_sliding_parts.h - the inside of sliding: the surfaces, and the fields beside them. */
#ifndef MS_EVENT_SLIDING_PARTS_H
#define MS_EVENT_SLIDING_PARTS_H

#include <macrostep/instance.h>

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
