/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eguillon2022_3_1.h - what the illustrations of section 3.1 share: a run of the two masses of 4.2. */
#ifndef MS_EGUILLON2022_3_1_H
#define MS_EGUILLON2022_3_1_H

#include "eguillon2022_log.h"

/* Subsystems, and the outputs of the left one, which the right one reads in the same order. */
enum { MS_LEFT, MS_RIGHT };
enum { MS_LEFT_X, MS_LEFT_V };

/* Variable steps, one clock, extrapolation, nothing smoothed. */
#define TWO_MASSES_RUN                                                                                       \
    "run two-masses-springs-dampers --scheme f3ornits --error-normalization damped-amplitude --step-size "   \
    "0.01 --max-step 1"

/* A round distance of tics, of which at most four fit into the span. */
double ms_tic_spacing(double span);

#endif
