/* SPDX-License-Identifier: GPL-3.0-or-later */
/* input_law.h - an input that is computed inside its subsystem, at every evaluation of the right-hand side, from the subsystem's own
 * output. The output may not depend directly on an input that has a law.
 *
 * Feedback: its polynomial plus a multiple of the output, which keeps linear subsystems linear,
 *
 *     u = p(tau) + feedback y[output](t, x),
 *
 * with tau after the start of the macro-step.
 *
 * Power: from the power to be transmitted (Moshagen 2021, 22),
 *
 *     u = P(tau) / d,     d = gain y[output](t, x),     P(tau) = P_0 + P_1 tau.
 *
 * If |d| is below `threshold`, de l'Hopital's rule is used instead (6.3.1), with the slopes P' and d' at the start of the
 * macro-step. P' is the slope of the agreed power, also if the law holds the power constant, P_1 = 0:
 *
 *     u = P' / d'. */
#pragma once

#include <math.h>
#include <stdbool.h>

#include <macrostep/c_linkage.h>

MS_C_LINKAGE_BEGIN

enum { MS_INPUT_LAWS = 8 }; /* maximum per subsystem */

typedef struct ms_input_law {
    bool active;     /* in this macro-step; otherwise the input follows its polynomial */
    bool feeds_back; /* feedback rather than a law of power */
    int input, output;
    double feedback; /* [unit of u over that of y] */
    double gain;
    double power[2];  /* P_0 [W], P_1 [W/s] */
    double near_zero; /* P' / d', the input where |d| < threshold */
    double threshold; /* [unit of d]; 0: never */
} ms_input_law;

/* The input for the values of its polynomial and of the output. */
static inline double ms_input_law_value(const ms_input_law *law, double tau, double p, double y)
{
    const double d = law->gain * y;
    if (law->feeds_back)
        return p + law->feedback * y;
    return fabs(d) < law->threshold ? law->near_zero : (law->power[0] + law->power[1] * tau) / d;
}

/* Its derivative with respect to the output. */
static inline double ms_input_law_slope(const ms_input_law *law, double tau, double y)
{
    const double d = law->gain * y;
    if (law->feeds_back)
        return law->feedback;
    return fabs(d) < law->threshold ? 0.0 : -(law->power[0] + law->power[1] * tau) * law->gain / (d * d);
}

MS_C_LINKAGE_END
