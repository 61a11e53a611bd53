/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cosim_segments.h - schemes and step control record finished stretches for observers, where these ask for segments. */
#pragma once

#include <macrostep/cosim.h>

/* Records the finished stretch [t, t + h] of all subsystems as segment k for observers. */
void ms_cosim_record_segment(ms_cosim *cosim, int k, double t, double h);
/* Records the finished stretches of the subsystems that communicate, each from its own start: one segment
 * where all start together. */
void ms_cosim_record_communication(ms_cosim *cosim);
/* Records the finished stretch of subsystem i, its k-th one in this macro-step, k = 0, 1, ..; a scheme that does so begins with
 * n_segments = 0. */
void ms_cosim_record_stretch(ms_cosim *cosim, int i, int k);
