/* SPDX-License-Identifier: GPL-3.0-or-later */
/* andersson2016_6_3.h - what the figures and tables of Andersson's sections 6.3 and 6.4 share. */
#ifndef MS_ANDERSSON2016_6_3_H
#define MS_ANDERSSON2016_6_3_H

#include "study.h"

/* Example 6.3.1 with the choices that the text leaves open: x(0) = (2, 2) and 2 s (the model's), BDF with
 * rtol = atol = 1e-6 that goes on over communication points. To be followed by the source of derivatives and
 * the step size. */
#define EXAMPLE_6_3_1                                                                                        \
    "run example-6.3.1 --solver cvode-bdf --solver-rtol 1e-6 --solver-atol 1e-6 --input-change proceed "     \
    "--extrapolation-order 1 "

/* Where output derivatives come from; the text does not say it. PyFMI takes those that an FMU offers, else
 * backward differences. */
enum { BY_DIFFERENCES, EXACT, SOURCES };

typedef struct ms_source {
    const char *name, *options;
} ms_source;

extern const ms_source ms_derivative_sources[SOURCES];

/* Rows of time, reference states (nx) from 0 to end, h apart. */
int ms_system_write_reference(const ms_system *system, double h, double end, ms_data *data, ms_error *error);

/* Ways to measure a run of Example 6.3.1; the text says only that errors are equal. */
enum { MEASURES = 6 };
extern const char *const ms_measure_names[MEASURES];
void ms_measure_errors(const ms_errors *errors, double measure[MEASURES]);

/* The step size [s] at which the smoothed scheme (options) has the error `target`, for each measure: between
 * points of a grid from 0.02 s down to 0.01 s, log-linear; NaN where it lies outside. curve: NULL, or rows of
 * step size and measures in units of `target`. */
int ms_measure_equal_step(ms_drawing *drawing, const char *options, const double target[MEASURES],
                          double step[MEASURES], ms_data *curve, ms_error *error);

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

/* {"differences": .., "exact": ..} */
json_t *ms_sources_json(const double value[SOURCES]);

#endif
