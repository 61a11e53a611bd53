/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macrostep_stability.h - spectral radii of a study's scheme as a field. */
#ifndef MS_MACROSTEP_STABILITY_H
#define MS_MACROSTEP_STABILITY_H

#include <macrostep/stability.h>
#include "measurement.h"

/* Over the step size, and over the parameter of that name; NULL: over the step size alone. It keeps pointers to the study. */
ms_stability ms_stability_of(const ms_study *study, const char *name);

/* n points from least to largest in equal ratios. */
void ms_fill_axis(int n, double least, double largest, double *x);

#endif
