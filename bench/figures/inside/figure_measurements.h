/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_measurements.h - measurements in C by their names. */
#ifndef MS_FIGURE_MEASUREMENTS_H
#define MS_FIGURE_MEASUREMENTS_H

#include "measurement.h"

/* NULL: there is none of that name. */
const ms_measurement *ms_measurement_find(const char *name);

#endif
