/* SPDX-License-Identifier: GPL-3.0-or-later */
/* andersson2016_6_1.h - what the figures of Andersson's section 6.1 share: Example 6.1.1,
 * models/linear_pair.c.
 *
 * Growth per macro-step in the limit H -> 0. With inputs extrapolated by u(T_n + H) = sum_k w_k u_{n-k},
 * outputs as they come and states that do not move,
 *
 *     r_{n+1} = D L sum_k w_k r_{n-k},     r_n = y_n - (I - D L)^-1 C x_n,
 *
 * so that r grows as the largest root of mu^m = lambda sum_k w_k mu^{m-1-k} over the eigenvalues lambda of
 * D L: (6.15), (6.39) and what follows from them for order 2.
 *
 * Not printed, chosen: d1 = rho / 4, d2 = -4 rho, H (said in each figure), 1 s, x(0) = (1, 1). d1 d2 < 0
 * because rho(D L) = 1 with d1 d2 > 0 makes I - D L singular. To first order in H an eigenvalue of modulus
 * 1 becomes exp(c H) with c = (15 d1 - d2) / 4 for d1 d2 = -1, and the monolithic model is asymptotically
 * stable for c > -1 only; as |c| >= sqrt(15) / 2, every stable model has a slowly growing mode there. d2 =
 * -16 d1 comes near the least c, 1.94 / s. */
#ifndef MS_ANDERSSON2016_6_1_H
#define MS_ANDERSSON2016_6_1_H

#include "study.h"

enum { MS_WEIGHTS_MAX = 3 };

typedef struct ms_extrapolation {
    const char *name, *title, *options; /* title: for keys */
    int n;
    double w[MS_WEIGHTS_MAX]; /* of the newest value first */
} ms_extrapolation;

enum { CONSTANT, LINEAR, PARABOLA, QUADRATIC_AS_PRINTED, EXTRAPOLATIONS };
extern const ms_extrapolation ms_extrapolations[EXTRAPOLATIONS];

/* Largest root, for DL (n x n): spectral radius of [w_1 D L, w_2 D L, ..; I, 0, ..]. NaN: no memory, no
 * convergence. */
double ms_extrapolation_growth(const ms_extrapolation *extrapolation, int n, const double *DL);

/* The same for the linear pair, whose D L has the eigenvalues +-sqrt(d1 d2). */
double ms_pair_growth(const ms_extrapolation *extrapolation, double d1, double d2);

/* The rho(D L) at which the growth passes 1: imaginary eigenvalues (d1 d2 < 0), else real ones. */
double ms_pair_critical_rho(const ms_extrapolation *extrapolation, bool imaginary);

/* rho(Psi(H)) of (6.14) for the linear pair: constant extrapolation, inconsistent. */
double ms_pair_psi_radius(double d1, double d2, double h);

/* y = (I - D L)^-1 C x. */
void ms_pair_outputs(double d1, double d2, const double x[2], double y[2]);

/* A perturbed start: inputs begin with the outputs for zero inputs. Norm sqrt(r_1^2 + |d1 / d2| r_2^2), in
 * which D L with imaginary eigenvalues is rho times a rotation. */
enum { MS_DISTANCES = 61 };
typedef struct ms_pair_perturbed {
    double observed; /* growth per macro-step: least squares over the second half of the steps */
    int n;           /* steps in use: until the start's part of r falls below 1e-9 */
    double distance[MS_DISTANCES]; /* |r_n| / |r_0| */
} ms_pair_perturbed;

int ms_pair_perturb(ms_drawing *drawing, const ms_extrapolation *extrapolation, double d1, double d2,
                    double h, ms_pair_perturbed *perturbed, ms_error *error);

/* What a panel shows: co-simulations of one pair beside its reference. */
enum { MS_CURVES_MAX = 2 };
typedef struct ms_pair_run {
    const char *options; /* of the scheme */
    bool diverged;
    double end;           /* [s] */
    double left_at;       /* first time at which y1 is outside the drawn range [s]; NaN: never */
    double largest_error; /* of the states, over the points that were reached */
} ms_pair_run;

typedef struct ms_pair_comparison {
    double d1, d2, h; /* of the pair, and the step size [s] */
    int n;
    ms_pair_run *runs; /* (n) */
    /* rows time,y1_ref,y1_0,error_0,y1_1,error_1 (errors: largest one of the states) */
    ms_data *data;
    double low, high; /* range of y1 */
} ms_pair_comparison;

/* Runs them over 1 s. */
int ms_pair_compare(ms_drawing *drawing, ms_pair_comparison *comparison, ms_error *error);

/* Figures with the inconsistent approach. Above: output y1 of co-simulations beside the reference. Below: growth
 * per macro-step as H -> 0, predicted and observed from perturbed starts. */
enum { MS_PANELS = 3, MS_READINGS_MAX = 4, MS_LIMITS_MAX = MS_PANELS * MS_CURVES_MAX };

typedef struct ms_pair_panel {
    double rho, end; /* end: of the time axis [s] */
    int n, extrapolation[MS_CURVES_MAX];
} ms_pair_panel;

typedef struct ms_pair_figure {
    bool by_rho;      /* colours and titles: by panel, or by extrapolation */
    double step_size; /* of the runs above [s] */
    double low, high; /* drawn range of y1, of all panels, so that they can be compared */
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
} ms_pair_results;

/* Runs, data, script, the check of the growth over rho(D L), and remarks. */
int ms_pair_draw(ms_drawing *drawing, const ms_pair_figure *figure, ms_pair_results *results,
                 ms_error *error);

/* A claim on one curve, stable or not by definition 6.1.1; prediction and observation are in the answer. published NULL: the
 * print has no condition, and ours is the expectation. */
void ms_pair_check(ms_drawing *drawing, const ms_pair_figure *figure, const ms_pair_curve *curve,
                   const char *published, bool stable);

#endif
