/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cosim_start.h - the start of a co-simulation, and functions for the start() of its scheme. */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/cosim.h>

MS_C_LINKAGE_BEGIN

/* Start values, consistent inputs and the scheme's memory at options.start_time.
 * Returns MS_OK, MS_NO_SOLUTION or another negative status; the line is in cosim->error. */
int ms_cosim_start(ms_cosim *cosim);

/* For the start() of schemes, where `initial-inputs` are not consistent. Outputs y (ny) at t and the inputs u (nu) that they answer
 * to: those for u = 0 (zero); handed on and evaluated again until as many passes have been made as there are subsystems
 * (passes); or 0, for inputs of 0, whatever the subsystems say (unset). Returns MS_OK, or MS_SOLVER_FAILED with the line in
 * cosim->error. */
int ms_cosim_start_inconsistent(ms_cosim *cosim, double t, double *u, double *y);
/* y = g(x, u) and u = L y at t in the evaluation order, loops from the inputs u0 of their subsystems. Returns
 * as ms_loop_start, with the line in cosim->error. */
int ms_cosim_start_loop(ms_cosim *cosim, double t, double *y, double *u);
/* One of the two, as chosen by `initial-inputs`: y into cosim->y. */
int ms_cosim_start_outputs(ms_cosim *cosim, double t, double *u);
/* The same, and the inputs that these outputs give, where u is not what they answer to. */
int ms_cosim_start_inputs(ms_cosim *cosim, double t, double *u);
/* dy (ny) = y', and with order > 1 du (nu) = u' and ddy (ny) = y'', at t under solved inputs u; ddy may be dy. Returns as
 * ms_loop_derivative, with the line in cosim->error. */
int ms_cosim_start_derivatives(ms_cosim *cosim, double t, const double *u, int order, double *dy, double *du,
                               double *ddy);

MS_C_LINKAGE_END
