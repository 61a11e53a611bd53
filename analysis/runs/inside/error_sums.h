/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error_sums.h - the integrals of a state's e^2 and ref^2, and what their rule may have missed of them. Both are taken together, as one
 * vector. */
#pragma once

#include <math.h>

enum { MS_ERROR2, MS_REFERENCE2, MS_SQUARES };
typedef double ms_squares __attribute__((vector_size(MS_SQUARES * sizeof(double))));

typedef struct ms_error_sums {
    ms_squares integral;
    ms_squares before; /* the integrals up to the last communication point */
    ms_squares other;  /* from there on, by the other rule */
    ms_squares last;   /* the squares there */
    ms_squares open;   /* what the rule may have missed so far */
} ms_error_sums;

/* What is known of a state so far. */
typedef struct ms_error_kept {
    double max, end;
    ms_squares integral, open;
} ms_error_kept;

/* A sample of a state inside a macro-step, with its weights in both rules. */
static inline void ms_error_sums_add(ms_error_sums *s, double weight, double other, double e,
                                     double reference)
{
    const ms_squares at = {e, reference};
    s->integral += weight * at * at;
    if (other != 0.0)
        s->other += other * at * at;
}

/* What the rule may have missed of `integral` over a macro-step, where the other one differs by `apart`. */
static inline double ms_error_missed(double apart, double integral, double resolved)
{
    if (resolved > 0.0) /* theta^4 and theta^6 as RESOLVED has them, times 5 */
        return apart * fmin(1.0, 0.4 * sqrt(apart / integral));
    return apart;
}

/* The end of a macro-step; other: the weight of both ends in the other rule. */
static inline void ms_error_sums_close(ms_error_sums *s, double resolved, double other, double e,
                                       double reference)
{
    const ms_squares at = {e, reference}, now = at * at, step = s->integral - s->before,
                     apart = s->other + other * (s->last + now) - step, most = resolved * step;
    if (fabs(apart[MS_ERROR2]) > most[MS_ERROR2])
        s->open[MS_ERROR2] += ms_error_missed(fabs(apart[MS_ERROR2]), step[MS_ERROR2], resolved);
    if (fabs(apart[MS_REFERENCE2]) > most[MS_REFERENCE2])
        s->open[MS_REFERENCE2] += ms_error_missed(fabs(apart[MS_REFERENCE2]), step[MS_REFERENCE2], resolved);
    s->before = s->integral;
    s->other = (ms_squares){0.0};
    s->last = now;
}
