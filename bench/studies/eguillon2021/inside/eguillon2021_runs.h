/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eguillon2021_runs.h - the runs of figures 6 to 8 of Eguillon et al. (2021): damping-reaction by every
 * method. */
#ifndef MS_EGUILLON2021_RUNS_H
#define MS_EGUILLON2021_RUNS_H

#include "study.h"

/* Methods in the order of the option --solver-nonlinear, and the explicit zero-order hold. */
enum {
    MS_FIXED_POINT,
    MS_NEWTONLS,
    MS_ANDERSON,
    MS_NGMRES,
    MS_NGMRES_LS,
    MS_METHODS,
    MS_ZOH = MS_METHODS,
    MS_CURVES
};

extern const char *const ms_method_names[MS_CURVES]; /* as on the command line */

typedef struct ms_method_run {
    int method;
    const char *backend; /* "native", "petsc" */
    double damping, step_size, epsilon;
    bool errors;       /* measured: four times as much work */
    int perturb_start; /* start values are k eps, see --perturb-start */

    /* What came of it. */
    bool reached;  /* the end of the run */
    double error;  /* mean over the states of |e|_L2 / |reference|_L2; NaN */
    double end[3]; /* v_L, x_L, x_D at the end */
    ms_run_result result;
    ms_study study;
} ms_method_run;

/* Is that backend built in? */
bool ms_method_has(const char *backend);

/* Takes n runs; those of the native backend two at a time. Errors: those of ms_study_bind and
 * ms_simulation_run, MS_INTERRUPTED. */
int ms_method_runs(ms_drawing *drawing, int n, ms_method_run *runs, ms_error *error);

#endif
