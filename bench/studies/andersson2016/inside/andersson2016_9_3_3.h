/* SPDX-License-Identifier: GPL-3.0-or-later */
/* andersson2016_9_3_3.h - synthetic data in place of the recorded data of section 9.3.3, which are not public.
 *
 * Levels of the quadruple tank every second over 60 s, computed with the run-offs of Table 9.6, plus normal
 * noise of standard deviation MS_TANK_NOISE; voltages of the pumps that change between levels within a
 * second, linear between the seconds, as PyFMI takes recorded ones (9.7). */
#pragma once

#include <macrostep/estimate.h>
#include "drawing.h"

enum { MS_TANKS = 4, MS_TANK_ROWS = 61 };

#define MS_TANK_NOISE 5e-4   /* [m] */
#define MS_TANK_SEED  2016UL /* the year of the thesis; what other seeds give is said in Table 9.6 */

extern const char *const ms_tank_run_offs[MS_TANKS]; /* names of the parameters */

typedef struct ms_tank_data {
    ms_system *initial, *truth;  /* Tables 9.5, 9.6 */
    int parameter[MS_TANKS];     /* indices of the run-offs */
    ms_series *inputs;           /* *.w.u1, *.w.u2 [V]; NULL: the model's own, which are smooth */
    ms_series *clean, *measured; /* levels [m] without and with noise */
} ms_tank_data;

/* With the noise of seed MS_TANK_SEED. Errors: MS_NO_MEMORY, those of ms_simulated_output_run. */
int ms_tank_data_create(bool smooth, ms_tank_data *data, ms_error *error);
void ms_tank_data_destroy(ms_tank_data *data);

/* measured = clean + noise of that seed (Mersenne twister, GSL's gsl_ran_gaussian). */
int ms_tank_data_noise(ms_tank_data *data, unsigned long seed, ms_error *error);

/* Levels at `rows` times over the 60 s, in equal distances; to be destroyed. Errors: those of ms_simulated_output_run. */
int ms_tank_respond(const ms_system *system, long rows, ms_series **levels, ms_error *error);

/* Options for estimating the four run-offs from Table 9.5's values; all measurements have equal weights. */
ms_estimate_options ms_tank_options(const ms_tank_data *data);

/* What the intervals of estimates from several sets of noise come to. */
typedef struct ms_tank_coverage {
    int sets, inside;       /* inside: intervals that hold the truth, MS_TANKS a set */
    double inside_square;   /* sum of squares of their numbers in a set */
    double error, standard; /* sums of (estimate - truth)^2 / truth^2 and of squared standard errors */
    double first;           /* farthest estimate of the first set from the truth, in standard errors */
} ms_tank_coverage;

/* Adds estimates from sets of noise with the seeds 1, 2, .. Errors: those of ms_estimate_run, MS_INTERRUPTED. */
int ms_tank_cover(ms_drawing *drawing, ms_tank_data *data, ms_estimate_options request, int seeds,
                  ms_tank_coverage *coverage, ms_error *error);

void ms_tank_coverage_add(const ms_tank_data *data, const ms_estimate *estimate, ms_tank_coverage *coverage);
double ms_tank_coverage_share(const ms_tank_coverage *coverage);

/* The standard deviation of that fraction, from its differences between sets (at least 2): the intervals of one
 * set are correlated, those of different sets are independent. */
double ms_tank_coverage_deviation(const ms_tank_coverage *coverage);

/* Root mean squares, relative to the truth: distances of estimates, and standard errors. */
double ms_tank_coverage_error(const ms_tank_coverage *coverage);
double ms_tank_coverage_standard(const ms_tank_coverage *coverage);
