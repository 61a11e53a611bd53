/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macrostep_predictor.h - driven subsystems from many random starts, with each way to treat an input that
 * changes: the runs behind macrostep:predictor-ratios. */
#pragma once

#include <macrostep/solver.h>
#include "drive.h"
#include "study.h"

enum { PROBLEMS = 4, STARTS = 60, TOLERANCES = 3, STATES = 4 };
enum { MS_MODES = 4 }; /* restart, proceed, correct-1, correct-2: the values of ms_input_change */

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
