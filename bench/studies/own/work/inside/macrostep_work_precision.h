/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macrostep_work_precision.h - error against work: what the runs of a model are, and what smoothing costs
 * and saves.
 *
 * Work: macro-steps, and right-hand-side evaluations of all subsystems, each solved by CVODE's BDF, which
 * restarts at every communication point or proceeds. Error: mean over the states of |e|_L2 /
 * |reference|_L2. */
#ifndef MS_MACROSTEP_WORK_PRECISION_H
#define MS_MACROSTEP_WORK_PRECISION_H

#include "study_orders.h"

enum { MS_RESTART, MS_PROCEED, MS_INPUT_CHANGES };
enum { MS_SETTINGS = 6, MS_LEVELS = 9 };

typedef struct ms_work_point {
    double setting;                   /* step size [s], or relative tolerance */
    double steps, evaluations, error; /* NaN: incompatible, or the end was not reached */
} ms_work_point;

typedef struct ms_work_curve {
    ms_work_point point[MS_SETTINGS];
} ms_work_curve;

/* Of a run with errors: its macro-steps, its integrations of subsystems, and its mean relative L2 error; NaN where it did not reach
 * its end, or failed. */
ms_work_point ms_work_point_of(double setting, const ms_simulation *run);

/* What C1 smoothing does to one scheme; NaN: nothing to compare. */
typedef struct ms_smoothing_effect {
    double work[3];   /* evaluations with over without it, same setting: least, geometric mean, largest */
    double error[3];  /* error with over without it, same setting */
    double equal[3];  /* evaluations with over without it where errors are equal */
    double levels[2]; /* those errors, lowest and highest */
} ms_smoothing_effect;

/* What a curve takes to reach an error: study_work.h. */
double ms_curve_work_at(const ms_work_curve *curve, double error);

/* Rows of what stands first (n numbers), then setting, steps, evaluations and error of each point whose error is at
 * most `largest`; then a break. */
void ms_work_write(ms_data *data, int n, const double *first, const ms_work_curve *curve, double largest);

/* Over MS_LEVELS errors in the common range; it must span a factor of 2. */
ms_smoothing_effect ms_smoothing_effect_of(const ms_work_curve *without, const ms_work_curve *with);

/* A model, the subject of its figure. */
typedef struct ms_work_bench {
    const char *model; /* with options */
    double largest;    /* step size, halved from point to point [s] */
    const char *title;
} ms_work_bench;

int ms_work_draw(ms_drawing *drawing, ms_error *error); /* the subject: an ms_work_bench */

#endif
