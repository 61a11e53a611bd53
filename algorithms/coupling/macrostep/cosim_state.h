/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cosim_state.h - a macro-step of a co-simulation; its state saved before, and restored. */
#ifndef MS_COSIM_STATE_H
#define MS_COSIM_STATE_H

#include <macrostep/c_linkage.h>
#include <macrostep/execution.h>

MS_C_LINKAGE_BEGIN

/* One macro-step from t to t + h, as the scheme's step(), on this rank or on all. */
static inline int ms_cosim_step(ms_cosim *cosim, double t, double h)
{
    return cosim->distribution == NULL ? cosim->scheme->step(cosim, t, h) : ms_distribution_step(cosim, t, h);
}

/* Copies lin and aux to or from a block of ms_cosim_state_size doubles. Where other ranks hold the state they keep one, the last. */
size_t ms_cosim_state_size(const ms_cosim *cosim);
void ms_cosim_save(const ms_cosim *cosim, double *state);
void ms_cosim_restore(ms_cosim *cosim, const double *state);
/* Can every subsystem roll back? Otherwise *who names the first that cannot (may be NULL). */
bool ms_cosim_can_roll_back(const ms_cosim *cosim, const char **who);

MS_C_LINKAGE_END

#endif
