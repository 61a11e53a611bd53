/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), Example 6.1.1: growth in the limit H -> 0, and runs of the linear pair. */
#include "andersson2016_6_1.h"

#include <math.h>
#include <string.h>

#include <macrostep/linearisation_jacobian.h>
#include "matrix.h"
#include "memory.h"

const ms_extrapolation ms_extrapolations[EXTRAPOLATIONS] = {
    [CONSTANT] = {"constant", "constant", "--extrapolation-order 0", 1, {1.0}},
    [LINEAR] = {"linear", "linear", "--extrapolation-order 1", 2, {2.0, -1.0}},
    [PARABOLA] = {"quadratic, the parabola", "parabola", "--extrapolation-order 2", 3, {3.0, -3.0, 1.0}},
    [QUADRATIC_AS_PRINTED] = {"quadratic, as printed in (6.30)",
                              "as printed",
                              "--extrapolation-order 2 --as-printed=quadratic",
                              3,
                              {2.5, -2.0, 0.5}},
};

/* Growth ------------------------------------------------------------------------------------------------- */

enum { SIZE_MAX_DL = 4, SIZE_MAX_COMPANION = SIZE_MAX_DL * MS_WEIGHTS_MAX };

/* M (n x n) is overwritten; eigenvalues: 2 n numbers. */
static double radius_of(int n, double *M, double *eigenvalues)
{
    const int status = ms_matrix_eigenvalues(n, M, eigenvalues);
    if (status == MS_NO_MEMORY)
        ms_memory_note();
    return status == MS_OK ? ms_spectral_radius(n, eigenvalues) : NAN;
}

double ms_extrapolation_growth(const ms_extrapolation *extrapolation, int n, const double *DL)
{
    double M[SIZE_MAX_COMPANION * SIZE_MAX_COMPANION] = {0.0}, eigenvalues[2 * SIZE_MAX_COMPANION];
    const int size = n * extrapolation->n;
    if (n > SIZE_MAX_DL)
        return NAN;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < size; j++)
            M[i * size + j] = extrapolation->w[j / n] * DL[i * n + j % n];
    for (int i = n; i < size; i++)
        M[i * size + i - n] = 1.0;
    return radius_of(size, M, eigenvalues);
}

double ms_pair_growth(const ms_extrapolation *extrapolation, double d1, double d2)
{
    return ms_extrapolation_growth(extrapolation, 2, (const double[]){0.0, d1, d2, 0.0});
}

double ms_pair_critical_rho(const ms_extrapolation *extrapolation, bool imaginary)
{
    double below = 0.0, above = 2.0;
    for (int k = 0; k < 60; k++) {
        const double rho = 0.5 * (below + above);
        const bool grows = ms_pair_growth(extrapolation, rho, imaginary ? -rho : rho) > 1.0;
        *(grows ? &above : &below) = rho;
    }
    return 0.5 * (below + above);
}

void ms_pair_outputs(double d1, double d2, const double x[2], double y[2])
{
    y[0] = (x[0] - 5.0 * d1 * x[1]) / (1.0 - d1 * d2);
    y[1] = -5.0 * x[1] + d2 * y[0];
}

/* Perturbed start ---------------------------------------------------------------------------------------- */

/* Below this part of its start r is no longer that of the start: r is forced by H y', and rounded. */
static const double meaningful = 1e-9;

/* Least-squares slope of log distance over the steps first .. last. */
static double fit_growth(const double *distance, int first, int last)
{
    const double middle = 0.5 * (first + last);
    double above = 0.0, below = 0.0;
    for (int k = first; k <= last; k++) {
        above += (k - middle) * log(distance[k]);
        below += (k - middle) * (k - middle);
    }
    return below > 0.0 ? exp(above / below) : NAN;
}

int ms_pair_perturb(ms_drawing *drawing, const ms_extrapolation *extrapolation, double d1, double d2,
                    double h, ms_pair_perturbed *perturbed, ms_error *error)
{
    ms_study study;
    const int status = ms_study_run(drawing, &ms_simulation_trajectory, &study, error,
                                    "run linear-pair --set d1=%.12g --set d2=%.12g %s --initial-inputs zero "
                                    "--step-size %g --stop-time %.12g",
                                    d1, d2, extrapolation->options, h, (MS_DISTANCES - 1) * h);
    const ms_trajectory *trajectory = &study.simulation.trajectory;
    double first = 0.0;
    perturbed->n = 0;
    for (long k = 0; status == MS_OK && k < trajectory->rows && k < MS_DISTANCES; k++) {
        const double *row = ms_trajectory_row(trajectory, k), *y = row + 1 + trajectory->nx + trajectory->nu;
        double solved[2];
        ms_pair_outputs(d1, d2, row + 1, solved);
        const double distance = hypot(y[0] - solved[0], sqrt(fabs(d1 / d2)) * (y[1] - solved[1]));
        first = k == 0 ? distance : first;
        if (!(distance > meaningful * first) || !isfinite(distance))
            break;
        perturbed->distance[k] = distance / first;
        perturbed->n = (int)k;
    }
    perturbed->observed = fit_growth(perturbed->distance, perturbed->n / 2, perturbed->n);
    ms_study_destroy(&study);
    return status;
}

/* Runs beside the reference ------------------------------------------------------------------------------ */

/* Columns of a row. */
enum { TIME, Y_REFERENCE, CURVES, COLUMNS = CURVES + 2 * MS_CURVES_MAX };
enum { STEPS_MAX = 1000 };

typedef struct pair_rows {
    long steps;
    double d1, d2, h, row[STEPS_MAX + 1][COLUMNS];
    double x[STEPS_MAX + 1][2]; /* of the reference */
} pair_rows;

static void note_reference(void *self, long k, const double *x)
{
    pair_rows *rows = self;
    double y[2];
    memcpy(rows->x[k], x, sizeof rows->x[k]);
    ms_pair_outputs(rows->d1, rows->d2, x, y);
    rows->row[k][TIME] = (double)k * rows->h;
    rows->row[k][Y_REFERENCE] = y[0];
    for (int c = CURVES; c < COLUMNS; c++)
        rows->row[k][c] = NAN;
}

static void note_run(const ms_study *study, int curve, double low, double high, pair_rows *rows,
                     ms_pair_run *run)
{
    const ms_trajectory *trajectory = &study->simulation.trajectory;
    run->diverged = study->simulation.result.reason == MS_REASON_DIVERGED;
    run->end = study->simulation.result.end_time;
    run->left_at = NAN;
    run->largest_error = 0.0;
    for (long k = 0; k < trajectory->rows && k <= rows->steps; k++) {
        const double *row = ms_trajectory_row(trajectory, k), y = row[1 + trajectory->nx + trajectory->nu];
        const double away = fmax(fabs(row[1] - rows->x[k][0]), fabs(row[2] - rows->x[k][1]));
        rows->row[k][CURVES + 2 * curve] = y;
        rows->row[k][CURVES + 2 * curve + 1] = away;
        run->largest_error = fmax(run->largest_error, away);
        if (isnan(run->left_at) && !(y >= low && y <= high))
            run->left_at = row[0];
    }
}

int ms_pair_compare(ms_drawing *drawing, ms_pair_comparison *c, ms_error *error)
{
    pair_rows rows = {.steps = lround(1.0 / c->h), .d1 = c->d1, .d2 = c->d2, .h = c->h};
    int status =
        rows.steps <= STEPS_MAX ? MS_OK : ms_fail(error, MS_INVALID, "step size %g is too small", c->h);
    for (int curve = 0; curve < c->n && status == MS_OK; curve++) {
        ms_study study;
        status = ms_study_run(drawing, &ms_simulation_trajectory, &study, error,
                              "run linear-pair --set d1=%.12g --set d2=%.12g %s --step-size %g", c->d1, c->d2,
                              c->runs[curve].options, c->h);
        if (status == MS_OK && curve == 0)
            status =
                ms_study_follow_reference(study.system, rows.steps, c->h, note_reference, &rows, NULL, error);
        if (status == MS_OK)
            note_run(&study, curve, c->low, c->high, &rows, &c->runs[curve]);
        ms_study_destroy(&study);
    }
    for (long k = 0; k <= rows.steps && status == MS_OK; k++)
        ms_data_row(c->data, rows.row[k]);
    return status;
}
