/* SPDX-License-Identifier: GPL-3.0-or-later */
/* andersson2016_6_1_panels.h - the layout of the figures of section 6.1 with the inconsistent approach.
 *
 * Above: output y1 of co-simulations beside the reference. Below: growth per macro-step as H -> 0,
 * predicted and observed from perturbed starts (andersson2016_6_1.h). */
#ifndef MS_ANDERSSON2016_6_1_PANELS_H
#define MS_ANDERSSON2016_6_1_PANELS_H

#include "andersson2016_6_1.h"

enum { MS_PANELS = 3, MS_READINGS_MAX = 4, MS_LIMITS_MAX = MS_PANELS * MS_CURVES_MAX };

typedef struct ms_pair_panel {
    double rho, end; /* end: of the time axis [s] */
    int n, extrapolation[MS_CURVES_MAX];
} ms_pair_panel;

typedef struct ms_pair_figure {
    bool by_rho;      /* colours and titles: by panel, or by extrapolation */
    double step_size; /* of the runs above [s] */
    ms_pair_panel panel[MS_PANELS];
    int readings, reading[MS_READINGS_MAX]; /* extrapolations in the growth panel */
    double rho_max, growth_max;             /* of the growth panel */
    int lowest, highest;                    /* powers of ten: range of |r_n| / |r_0| */
} ms_pair_figure;

/* One curve of a panel, with what was measured. */
typedef struct ms_pair_curve {
    const ms_extrapolation *extrapolation;
    int panel, colour;
    double rho, d1, d2, predicted;
    ms_pair_run run;
    ms_pair_perturbed limit;
} ms_pair_curve;

typedef struct ms_pair_results {
    int n;
    ms_pair_curve curve[MS_LIMITS_MAX];
    double low[MS_PANELS], high[MS_PANELS]; /* drawn ranges of y1 */
} ms_pair_results;

/* Runs, data, script, the check of the growth over rho(D L), and remarks. */
int ms_pair_draw(ms_drawing *drawing, const ms_pair_figure *figure, ms_pair_results *results,
                 ms_error *error);

/* A claim on one curve, stable or not by definition 6.1.1; prediction and observation stand in the answer. */
void ms_pair_check(ms_drawing *drawing, const ms_pair_figure *figure, const ms_pair_curve *curve,
                   const char *published, bool stable);

#endif
