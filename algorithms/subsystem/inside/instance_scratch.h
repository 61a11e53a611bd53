/* SPDX-License-Identifier: GPL-3.0-or-later */
/* instance_scratch.h - what is in an instance's scratch: instance_step.c allocates it, instance.c works in it. */
#ifndef MS_INSTANCE_SCRATCH_H
#define MS_INSTANCE_SCRATCH_H

#include <macrostep/instance.h>

/* For evaluations of f and g. */
static inline size_t ms_instance_scratch_size(const ms_subsystem *sub)
{
    const int larger = sub->nx > sub->ny ? sub->nx : sub->ny;
    return (size_t)(sub->nx + sub->nu + 2 * larger);
}

/* C, and behind it D for output derivatives of nonlinear subsystems, or B for the Jacobian under laws. */
static inline size_t ms_instance_derivative_size(const ms_subsystem *sub)
{
    const size_t nx = (size_t)sub->nx, nu = (size_t)sub->nu, ny = (size_t)sub->ny;
    return ny * nx + (nx > ny ? nx : ny) * nu;
}

#endif
