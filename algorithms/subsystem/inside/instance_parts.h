/* SPDX-License-Identifier: GPL-3.0-or-later */
/* instance_parts.h - what the files of an instance share. */
#pragma once

#include <macrostep/instance.h>

/* instance_component.c: an instance of a subsystem that brings its own solver (own_stepper.h): its component, and how that lives with
 * the rule that saving and restoring a co-simulation is one copy of its blocks.
 *
 * What a component is cannot be copied. So the blocks hold a number, the token of the state at which it stands, behind the discrete
 * variables (ms_subsystem_nz). Each step makes a new token. Who saves the blocks has a snapshot kept under the token of now; a
 * step or evaluation that finds another token in the blocks than the component's own brings back that snapshot first. Of
 * snapshots there are MS_COMPONENT_SNAPSHOTS; a further one takes the place of the one that has not been asked for the longest. */

/* The micro-solver of such an instance; it is in no registry. */
extern const ms_solver ms_solver_component;

/* Restarts at t; x and token are set. Returns MS_OK or MS_SOLVER_FAILED. */
int ms_instance_component_start(ms_instance *instance, double t);

/* Stores a snapshot under the current token unless there is one. Returns MS_OK or MS_SOLVER_FAILED. */
int ms_instance_component_keep(ms_instance *instance);

/* As ms_instance_outputs, ms_instance_output_derivative and ms_instance_feed_through. If outputs cannot be evaluated again,
 * those of the last step are returned for any u. */
int ms_instance_component_outputs(ms_instance *instance, const double *u, double *y);
int ms_instance_component_output_derivative(ms_instance *instance, const double *u, const double *du,
                                            double *dy);
int ms_instance_component_feed_through(ms_instance *instance, const double *u, double *D);

/* y'' as given by the component at the end of its last step, under the inputs of that step. */
int ms_instance_component_output_second_derivative(ms_instance *instance, double *ddy);

/* What is in an instance's scratch: instance_step.c allocates it, instance.c works in it. */

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
