/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cosim_state.h - a macro-step of a co-simulation; its state, in this process or elsewhere, saved before, restored, and read. */
#pragma once

#include <math.h>

#include <macrostep/c_linkage.h>
#include <macrostep/execution.h>

MS_C_LINKAGE_BEGIN

/* Sets held inputs to the present values of their wires. */
void ms_cosim_hold(ms_cosim *cosim);

/* One macro-step from t to t + h, as the scheme's step(). */
static inline int ms_cosim_step(ms_cosim *cosim, double t, double h)
{
    const ms_state_elsewhere *state = cosim->executor->state;
    if (cosim->hold != NULL)
        ms_cosim_hold(cosim);
    return state == NULL ? cosim->scheme->step(cosim, t, h) : state->step(cosim, t, h);
}

/* Copies lin and aux to or from a block of ms_cosim_state_size doubles. State that is elsewhere is saved there, once: the last. */
size_t ms_cosim_state_size(const ms_cosim *cosim);
void ms_cosim_save(const ms_cosim *cosim, double *state);
void ms_cosim_restore(ms_cosim *cosim, const double *state);
/* Can every subsystem roll back? Otherwise *who names the first that cannot (may be NULL). */
bool ms_cosim_can_roll_back(const ms_cosim *cosim, const char **who);

/* State in other processes is fetched after each macro-step from now on (observed), or now (shown). The
 * following values are valid at any time. */
void ms_cosim_observe(ms_cosim *cosim, bool observed);
void ms_cosim_show(ms_cosim *cosim);

/* After a macro-step: the largest |u - L y|, of numbers. */
double ms_cosim_coupling_residual(const ms_cosim *cosim);

/* + |v_0| + .. + |v_{n-1}|, two at a time, not as vectors: they have just been stored, singly. */
static inline double ms_cosim_add_abs(double sum, int n, const double *v)
{
    int j = 0;
    for (; j + 1 < n; j += 2)
        sum += fabs(v[j]) + fabs(v[j + 1]);
    return j < n ? sum + fabs(v[j]) : sum;
}

/* Are all states, outputs and inputs at most `limit`? Not-a-number is not. Few values are added up here, without a call. */
bool ms_cosim_many_within(const ms_cosim *cosim, double limit);
static inline bool ms_cosim_within(const ms_cosim *cosim, double limit)
{
    enum { FEW = 16 };
    const ms_system *s = cosim->system;
    const int n = s->nx + s->ny; /* y follows x in memory */
    return (n <= FEW && s->nu <= FEW && cosim->executor->state == NULL &&
            ms_cosim_add_abs(ms_cosim_add_abs(0.0, n, cosim->x), s->nu, cosim->u_left) <= limit) ||
           ms_cosim_many_within(cosim, limit);
}

MS_C_LINKAGE_END
