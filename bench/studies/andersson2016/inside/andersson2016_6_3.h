/* SPDX-License-Identifier: GPL-3.0-or-later */
/* andersson2016_6_3.h - what the figures and tables of Andersson's sections 6.3 and 6.4 share. */
#ifndef MS_ANDERSSON2016_6_3_H
#define MS_ANDERSSON2016_6_3_H

#include "study.h"

/* Where output derivatives come from; the text does not say it. PyFMI takes those that an FMU offers, else
 * backward differences. */
enum { BY_DIFFERENCES, EXACT, SOURCES };

typedef struct ms_source {
    const char *name, *options;
} ms_source;

extern const ms_source ms_derivative_sources[SOURCES];

/* Rows of time, reference states (nx) from 0 to end, h apart. */
int ms_system_write_reference(const ms_system *system, double h, double end, ms_data *data, ms_error *error);

/* Section 6.4 ------------------------------------------------------------------------------------------- */

/* The first three are the paper's. */
enum {
    INCONSISTENT,
    SMOOTHED,
    CORRECTED,
    APPROACHES,
    SMOOTHED_AS_PRINTED = APPROACHES,
    SMOOTHED_C1,
    ALL_APPROACHES
};

typedef struct ms_approach {
    const char *name, *options; /* to go with linear extrapolation */
} ms_approach;

extern const ms_approach ms_approaches[ALL_APPROACHES];

#endif
