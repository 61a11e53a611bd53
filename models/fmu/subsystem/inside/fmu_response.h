/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_response.h - how a step of an FMU for co-simulation, and its outputs, answer to small deviations of its states and inputs.
 *
 * Nothing but what the standards grant is done. Where states can be set at the start (initial exact or approx) each experiment is a new
 * component whose states are set before it is initialised, and which then does one step. That states and inputs are all that the step depends on, and that it does so
 * linearly, is tried: all deviations at once have to do what single ones promise, and a second step what a component does that starts
 * where the first one ends, to 1e-3, with deviations of the size that variables have, or a thousandth or a millionth of it
 * (three hundredths or a thousandth, where a variable is of single precision).
 *
 * Else a run under inputs that differ from step to step has to reach all states: the map is fitted to it, and has to fit another run
 * to 1e-3. */
#ifndef MS_FMU_RESPONSE_H
#define MS_FMU_RESPONSE_H

#include "fmu_stepped.h"

/* For one thread at a time. Rows: states (nx), outputs (ny) and their derivatives (ny for each order) at the end of the step. Columns:
 * states (nx), then coefficients of inputs (nu each), u_i(tau) = sum_k c[k nu + i] tau^k. */
typedef struct ms_fmu_response ms_fmu_response;

/* nu: of inputs that are told; the others keep their start values. Steps begin at t. NULL: no memory. */
ms_fmu_response *ms_fmu_response_create(const ms_fmu_stepped *of, int nu, double t, double tolerance);
void ms_fmu_response_destroy(ms_fmu_response **response); /* NULL-safe */

/* For steps of that length with inputs of that degree (rows x (nx + (degree + 1) nu)); it stays. NULL: there is none, for that reason. */
const double *ms_fmu_response_step(ms_fmu_response *response, double h, int degree);

/* Of outputs at the start (ny x (nx + nu)): C and D side by side. */
const double *ms_fmu_response_outputs(ms_fmu_response *response);

/* MS_NO_MEMORY or MS_SOLVER_FAILED, and the words. */
int ms_fmu_response_status(const ms_fmu_response *response);
const char *ms_fmu_response_said(const ms_fmu_response *response);

#endif
