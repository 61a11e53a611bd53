/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macrostep_predictor.h - driven subsystems from many random starts, with each way to treat an input that
 * changes: the runs behind macrostep:predictor-ratios. */
#ifndef MS_MACROSTEP_PREDICTOR_H
#define MS_MACROSTEP_PREDICTOR_H

#include "andersson2016_7.h"

enum { PROBLEMS = 4, STARTS = 60, TOLERANCES = 3, STATES = 4 };

enum { PRINTED = 1, CONTINUOUS = 2 }; /* the tolerance of the thesis; the problem whose input does not jump */

extern const double ms_start_tolerances[TOLERANCES]; /* rtol; atol is a hundredth of it */

/* Starts are uniform in +- span of each parameter. */
typedef struct ms_start_problem {
    const char *title, *command, *parameter[STATES];
    double span[STATES];
    int table; /* of the thesis, 7.2 or 7.3, whose setting it is; 0: none */
} ms_start_problem;

extern const ms_start_problem ms_start_problems[PROBLEMS];

typedef struct outcome {
    double steps, evaluations, error; /* NaN: the run did not end */
    double jacobians, failures;
} outcome;

typedef struct results {
    outcome of[PROBLEMS][STARTS][TOLERANCES][MS_MODES];
} results;

/* All runs of a problem with the tolerances from first to last, by OpenMP; they do not depend on the number of
 * threads. */
int ms_starts_run(ms_drawing *drawing, int problem, int first, int last, results *all, ms_error *error);

typedef enum quantity { BY_STEPS, BY_EVALUATIONS, BY_ERROR, QUANTITIES } quantity;

static inline double ms_start_value(const outcome *o, quantity q)
{
    return q == BY_STEPS ? o->steps : q == BY_EVALUATIONS ? o->evaluations : o->error;
}

typedef struct distribution {
    int n;
    double sorted[STARTS];
} distribution;

/* Of a mode's quantity relative to that of restarting at the same start. */
distribution ms_start_ratios(const results *all, int problem, int tolerance, int mode, quantity q);

/* Of its logarithm to the base 10. */
distribution ms_start_logs(const results *all, int problem, int tolerance, int mode, quantity q);

/* The p-quantile, linear between the sorted values; NaN of nothing. */
double ms_start_quantile(const distribution *d, double p);

/* The share of starts above a limit. */
double ms_start_share_above(const distribution *d, double limit);

#endif
