/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dae.h - a differential-algebraic model, as system files have none. */
#pragma once

#include <macrostep/model.h>

enum { TRUTH_STATES = 64 }; /* of a problem, at most */

/* `dae`: 0 = x' + a x - b z - u, 0 = z + c z^3 - x - d sin(w t), y = z; and q' = -q + v, whose output is g q. */
extern const ms_model truth_dae;
