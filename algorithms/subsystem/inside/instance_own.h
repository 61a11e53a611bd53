/* SPDX-License-Identifier: GPL-3.0-or-later */
/* instance_own.h - an instance of a subsystem that brings its own solver (own_stepper.h): its component, and how that lives with
 * the rule that saving and restoring a co-simulation is one copy of its blocks.
 *
 * What a component is cannot be copied. So the blocks hold a number, the token of the state at which it stands, behind the discrete
 * variables (ms_subsystem_nz). Each step makes a new token. Who saves the blocks has a snapshot kept under the token of now; a
 * step or evaluation that finds another token in the blocks than the component's own brings back that snapshot first. Of
 * snapshots there are MS_OWN_SNAPSHOTS; a further one takes the place of the one that has not been asked for the longest. */
#ifndef MS_INSTANCE_OWN_H
#define MS_INSTANCE_OWN_H

#include <macrostep/instance.h>

/* The micro-solver of such an instance, in no registry. */
extern const ms_solver ms_solver_own;

/* Begins anew at t: x and token are set. Returns MS_OK or MS_SOLVER_FAILED. */
int ms_own_start(ms_instance *instance, double t);

/* Has a snapshot kept under the token of now, unless there is one. Returns MS_OK or MS_SOLVER_FAILED. */
int ms_own_keep(ms_instance *instance);

/* As ms_instance_outputs, ms_instance_output_derivative and ms_instance_feed_through. Where outputs cannot be evaluated again
 * they are those of the last step, whatever u is. */
int ms_own_outputs(ms_instance *instance, const double *u, double *y);
int ms_own_output_derivative(ms_instance *instance, const double *u, const double *du, double *dy);
int ms_own_feed_through(ms_instance *instance, const double *u, double *D);

/* y'' as the component has it at the end of its last step, under the inputs of that step. */
int ms_own_output_second_derivative(ms_instance *instance, double *ddy);

#endif
