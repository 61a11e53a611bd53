/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eguillon2022_4_2.h - Eguillon et al. (2022), section 4.2: what Table 1 and Figs 14, 15 have in common.
 *
 * Two masses, springs and dampers (models/two_masses.c), 200 s. x1 and v1, the motion of the left mass,
 * are compared with the monolithic reference. The text says "RMSE (root mean square error)" and gives no
 * formula, and the print gives percents and does not say of what. Here, as in the answer of `run`, it is the
 * continuous
 *
 *     sqrt((1/T) int e^2 dt),
 *
 * by five Gauss points inside each macro-step, in percent of the range max - min of the reference or of 1 m
 * and 1 m/s.
 *
 * Nor does the text say whether f, an output with feed-through, is communicated as it was computed with the
 * inputs of the macro-step that ends, or computed again with the new x1 and v1; whether all communicate at
 * the change at 100 s; and whose inputs are smooth. Table 1 is made in all these readings. */
#ifndef MS_EGUILLON2022_4_2_H
#define MS_EGUILLON2022_4_2_H

#include "drawing.h"

enum { MS_X1, MS_V1, MS_MEASURED };
enum { MS_JACOBI_ROWS = 5, MS_TOLERANCES = 7 };
enum { MS_AS_IT_COMES, MS_NEW_X1, MS_READINGS }; /* of f: --outputs inconsistent, consistent */
enum { MS_MAGNITUDE, MS_AMPLITUDE, MS_DAMPED, MS_NORMALIZATIONS }; /* in the order of Table 1 */
enum { MS_EXTRAPOLATED, MS_CLS, MS_CALIBRATIONS };
enum { MS_DISABLED, MS_ENHANCED, MS_ENHANCED_S2, MS_SMOOTHINGS }; /* of no inputs, of all, of those of S2 */
enum { MS_OF_RANGE, MS_OF_UNIT, MS_SCALES }; /* percent of the range of the reference; of 1 m and 1 m/s */
enum {
    MS_SINE,
    MS_SINE_MET, /* all communicate at the change */
    MS_JUMP,
    MS_JUMP_MET,
    MS_CASES,
    MS_CONSTANT = MS_CASES,
    MS_SINE_NEWTON, /* forces in N; then: another amplitude or frequency */
    MS_SINE_WEAK,
    MS_SINE_STRONG,
    MS_SINE_SLOW,
    MS_SINE_FAST,
    MS_VARIANTS
};

typedef struct ms_two_masses_case {
    const char *name;  /* of the model's case; -met: with communication at the change */
    const char *model; /* model and options; masses in Mg and forces in kN but in MS_SINE_NEWTON */
    double atol;       /* tol_abs, for m, m/s and the unit of force alike; not printed, chosen */
    int scale;         /* of its numbers: the one where Jacobi with the new x1 comes nearest to the print */
} ms_two_masses_case;

extern const ms_two_masses_case ms_two_masses_cases[MS_VARIANTS];
extern const char *const ms_normalization_names[MS_NORMALIZATIONS],
    *const ms_calibration_names[MS_CALIBRATIONS], *const ms_smoothing_names[MS_SMOOTHINGS],
                                                      *const ms_reading_names[MS_READINGS],
                                                          *const ms_scale_names[MS_SCALES];
extern const double ms_jacobi_steps[MS_JACOBI_ROWS]; /* printed step sizes [s] */

/* x1 and v1 of the reference on a grid of 0.02 s, between whose points stands the cubic with their values
 * and slopes. The change at 100 s, where v1' may jump, is a point of the grid. */
typedef struct ms_left_mass {
    long rows;
    double *x, *v; /* (rows) */
    double range[MS_MEASURED];
    double error; /* its own, estimated, largest over the states */
} ms_left_mass;

/* Errors: those of the reference, MS_NO_MEMORY; destroy is safe after all of them. */
int ms_left_mass_create(ms_drawing *drawing, const ms_two_masses_case *of, ms_left_mass *mass,
                        ms_error *error);
void ms_left_mass_destroy(ms_left_mass *mass);
void ms_left_mass_at(const ms_left_mass *mass, double t, double motion[MS_MEASURED]);

typedef struct ms_left_run {
    double steps, rmse[MS_MEASURED]; /* macro-steps; [%] in the scale of the case, or as printed */
} ms_left_run;

/* What percents in one scale are divided by to be percents in another, of a motion of that range. */
double ms_scale_of(int from, int to, double range);

/* A run with those options, "--extrapolation-order 0 --step-size 0.1". NaN where it does not reach its
 * end. */
int ms_left_run_measure(ms_drawing *drawing, const ms_two_masses_case *of, const ms_left_mass *mass,
                        const char *options, ms_left_run *run, ms_error *error);

/* Least, median and most of some runs, each number on its own. */
typedef struct ms_left_spread {
    ms_left_run low, median, high;
} ms_left_spread;

/* What a row of F3ORNITS is made with. Printed: first and smallest step 0.01 s, nu = 5 %. */
typedef struct ms_left_row {
    int reading, normalization, calibration, smoothing;
    double rtol, atol, max_step; /* not printed, chosen */
} ms_left_row;

/* tol_rel 1e-2, tol_abs of the case, largest step 1 s. */
ms_left_row ms_left_row_of(const ms_two_masses_case *of, int reading, int normalization, int calibration,
                           int smoothing);

/* Options of the row; factor: of both tolerances. */
const char *ms_left_row_options(ms_drawing *drawing, const ms_left_row *row, double factor);

/* The row over MS_TOLERANCES factors of the tolerances, 0.9 to 1.1. */
int ms_left_row_measure(ms_drawing *drawing, const ms_two_masses_case *of, const ms_left_mass *mass,
                        const ms_left_row *row, ms_left_spread *spread, ms_error *error);

/* All rows of Jacobi in one reading. */
int ms_jacobi_measure(ms_drawing *drawing, const ms_two_masses_case *of, const ms_left_mass *mass,
                      int reading, ms_left_run jacobi[MS_JACOBI_ROWS], ms_error *error);

typedef struct ms_table1 {
    ms_left_run jacobi[MS_READINGS][MS_JACOBI_ROWS];
    ms_left_spread row[MS_READINGS][MS_NORMALIZATIONS][MS_CALIBRATIONS][MS_SMOOTHINGS];
    double range[MS_MEASURED], reference_error;
} ms_table1;

typedef struct ms_table1_cases {
    ms_table1 of[MS_CASES];
} ms_table1_cases;

/* All rows of a case. */
int ms_table1_measure(ms_drawing *drawing, const ms_two_masses_case *of, ms_table1 *table, ms_error *error);

/* All rows of a case beside the printed ones, as a table of the drawing. */
void ms_table1_write_rows(ms_drawing *drawing, const ms_two_masses_case *of, const ms_table1 *measured);

/* Quotients measured / printed. */
typedef struct ms_factors {
    double low, high, sum; /* least; largest; of |log| */
    int n;
} ms_factors;

void ms_factors_include(ms_factors *factors, double measured, double published);
json_t *ms_factors_range(const ms_factors *factors);  /* [least, largest] */
double ms_factors_typical(const ms_factors *factors); /* exp(mean |log|), 1 where all agree; 0 of none */

/* Of the rmse of Jacobi, divided by these numbers. */
ms_factors ms_factors_of_jacobi(ms_drawing *drawing, const ms_left_run jacobi[MS_JACOBI_ROWS],
                                const double divisor[MS_MEASURED]);

/* Checks of all numbers in one reading of f against the print, and which of all readings comes nearest: a
 * table and a remark. */
void ms_table1_check_numbers(ms_drawing *drawing, const ms_table1_cases *cases, int reading);
void ms_table1_compare_readings(ms_drawing *drawing, const ms_table1_cases *cases);

/* The rows without smoothing and CLS where tolerances, largest step, unit of force and change are others, in
 * both readings, and how near they come to the print: a table and a remark. */
int ms_table1_write_sensitivity(ms_drawing *drawing, ms_error *error);

/* A printed row of results/published: the variant jacobi (k: step size) or that of a normalisation. */
ms_left_run ms_table1_printed_jacobi(ms_drawing *drawing, int k);
ms_left_run ms_table1_printed(ms_drawing *drawing, int normalization, int calibration, int smoothing);

/* The rmse that Jacobi would have with so many steps: log-log between its rows, their end slopes beyond. */
double ms_jacobi_rmse_at(const ms_left_run jacobi[MS_JACOBI_ROWS], int measured, double steps);

#endif
