/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_response.h - the response of a step of an FMU for co-simulation, and of its outputs, to small deviations of its states and inputs.
 *
 * Only operations granted by the standards are used. If states can be set at the start (initial exact or approx) each experiment is a new
 * component whose states are set before it is initialised, and which then does one step. It is tested that the step depends only on states
 * and inputs, and linearly: all deviations at once must give the sum of single ones, and a second step the result of a component that
 * starts where the first one ends, to 1e-3, with deviations of the size that variables have, or a thousandth or a millionth of it (three
 * hundredths or a thousandth, where a variable is of single precision).
 *
 * Otherwise a run under inputs that differ from step to step must excite all states: the map is fitted to it, and must fit another run to 1e-3. */
#pragma once

#include "fmu_stepped.h"

/* For one thread at a time. Rows: states (nx), outputs (ny) and their derivatives (ny for each order) at the end of the step. Columns:
 * states (nx), then coefficients of inputs (nu each), u_i(tau) = sum_k c[k nu + i] tau^k. */
typedef struct ms_fmu_response ms_fmu_response;

/* nu: of inputs that are told; the others keep their start values. Steps begin at t. NULL: no memory. */
ms_fmu_response *ms_fmu_response_create(const ms_fmu_stepped *of, int nu, double t, double tolerance);
void ms_fmu_response_destroy(ms_fmu_response **response); /* NULL-safe */

/* For steps of that length with inputs of that degree (rows x (nx + (degree + 1) nu)); it stays valid. NULL: there is none, with the reason. */
const double *ms_fmu_response_step(ms_fmu_response *response, double h, int degree);

/* Of outputs at the start (ny x (nx + nu)): C and D side by side. */
const double *ms_fmu_response_outputs(ms_fmu_response *response);

/* MS_NO_MEMORY or MS_SOLVER_FAILED, and the words. */
int ms_fmu_response_status(const ms_fmu_response *response);
const char *ms_fmu_response_said(const ms_fmu_response *response);
