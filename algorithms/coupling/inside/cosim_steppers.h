/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cosim_steppers.h - a step of ms_cosim_create. */
#pragma once

#include <macrostep/status.h>

typedef struct ms_cosim ms_cosim;

/* For subsystems with their own solvers, after instances are created and masked and before the scheme is: refuses what they cannot
 * do, and starts from held values if they give no derivatives. Errors: MS_UNSUPPORTED, MS_NO_MEMORY. */
int ms_cosim_check_steppers(ms_cosim *cosim, ms_error *error);
