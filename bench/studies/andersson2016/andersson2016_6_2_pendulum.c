/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), section 6.2: the feed-through along runs of the double pendulum, "pendulum-loop M1 M2 run double-pendulum ..".
 *
 * D L has the eigenvalues 0, 0, +-i rho with rho = sqrt(m2 / m1) |sin(alpha2 - alpha1)|. With constant
 * extrapolation the outputs differ from the solved loop at the same states by r_n, (I - D L) r_n = D L
 * (y_{n-1} - y_n). In the norm sqrt(|a|^2 + |f|^2 / (m1 m2)) of accelerations a and forces f, |r_n| = rho
 * |r_{n-1}| for states that do not move.
 *
 *     time, rho, distance, predicted     at communication points: rho, |r_n|, |r_1| times the product of rho so far
 *     formula                            largest difference of rho(D L) from the formula, and of real parts from 0
 *     first, largest                     |r_1|, max |r_n|
 *     expected, observed, until          growth per step, geometric means over the first steps with rho > 1; the end of these [s] */
#include <math.h>

#include <macrostep/linearisation_jacobian.h>
#include "matrix.h"
#include "measurement.h"

/* Columns of trajectories. y: accelerations of the upper tip, forces of the lower rod. */
enum { ALPHA1 = 1, OMEGA1, ALPHA2, OMEGA2, FX, U = FX, Y = 9, OUTPUTS = 4 };

static double loop_radius(double m1, double m2, double alpha1, double alpha2)
{
    return sqrt(m2 / m1) * fabs(sin(alpha2 - alpha1));
}

/* Distance from the solved loop -------------------------------------------------------------------------- */

/* |r_n| from D L at row n and the outputs of the rows n - 1 and n. */
static double loop_distance(const double DL[OUTPUTS * OUTPUTS], const double *before, const double *row,
                            double m1, double m2)
{
    double M[OUTPUTS * OUTPUTS], r[OUTPUTS], change[OUTPUTS];
    int pivots[OUTPUTS];
    for (int i = 0; i < OUTPUTS; i++)
        change[i] = before[Y + i] - row[Y + i];
    ms_matrix_multiply(OUTPUTS, OUTPUTS, DL, change, r);
    for (int k = 0; k < OUTPUTS * OUTPUTS; k++)
        M[k] = (k % (OUTPUTS + 1) == 0 ? 1.0 : 0.0) - DL[k];
    if (ms_matrix_factor(OUTPUTS, M, pivots) != MS_OK)
        return NAN;
    ms_matrix_solve(OUTPUTS, M, pivots, r);
    return sqrt(r[0] * r[0] + r[1] * r[1] + (r[2] * r[2] + r[3] * r[3]) / (m1 * m2));
}

/* Largest difference of the eigenvalues of D L from 0, 0, +-i rho. */
static int compare_eigenvalues(const double *DL, double rho, double *largest)
{
    double M[OUTPUTS * OUTPUTS], eigenvalues[2 * OUTPUTS];
    for (int k = 0; k < OUTPUTS * OUTPUTS; k++)
        M[k] = DL[k];
    MS_TRY(ms_matrix_eigenvalues(OUTPUTS, M, eigenvalues));
    *largest = fmax(*largest, fabs(ms_spectral_radius(OUTPUTS, eigenvalues) - rho));
    for (int k = 0; k < OUTPUTS; k++)
        *largest = fmax(*largest, fabs(eigenvalues[2 * k]));
    return MS_OK;
}

typedef struct pendulum_run {
    double m1, m2, formula, first, largest, expected, observed, until;
    json_t *answer;
} pendulum_run;

static int follow(const ms_study *study, pendulum_run *run, ms_error *error)
{
    const ms_trajectory *trajectory = &study->simulation.trajectory;
    double product = 1.0;
    bool growing = true;
    int status = MS_OK;
    for (long n = 0; n < trajectory->rows && status == MS_OK; n++) {
        const double *row = ms_trajectory_row(trajectory, n);
        const double rho = loop_radius(run->m1, run->m2, row[ALPHA1], row[ALPHA2]);
        double DL[OUTPUTS * OUTPUTS], distance = NAN;
        status = ms_linearisation_loop(study->system, row[0], row + ALPHA1, row + U, DL, error);
        if (status == MS_OK && n % 10 == 0)
            status = compare_eigenvalues(DL, rho, &run->formula);
        if (status == MS_OK && n > 0) {
            distance = loop_distance(DL, ms_trajectory_row(trajectory, n - 1), row, run->m1, run->m2);
            product = n == 1 ? 1.0 : product * rho;
            run->first = n == 1 ? distance : run->first;
            run->largest = fmax(run->largest, distance);
            growing &= rho > 1.0;
        }
        if (growing && n > 1) {
            run->expected = pow(product, 1.0 / (double)(n - 1));
            run->observed = pow(distance / run->first, 1.0 / (double)(n - 1));
            run->until = row[0];
        }
        ms_measured_append(run->answer, "time", row[0]);
        ms_measured_append(run->answer, "rho", rho);
        ms_measured_append(run->answer, "distance", distance);
        ms_measured_append(run->answer, "predicted", run->first * product);
    }
    return status;
}

static int measure(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    double mass[2];
    ms_study study;
    int status = ms_study_run(drawing, &ms_simulation_trajectory, &study, error, "%s",
                              ms_measurement_numbers(words, 2, mass));
    pendulum_run run = {.m1 = mass[0], .m2 = mass[1], .answer = answer};
    MS_THEN(status, follow(&study, &run, error));
    ms_measured_members(answer, MS_REALS({"formula", run.formula}, {"first", run.first},
                                         {"largest", run.largest}, {"expected", run.expected},
                                         {"observed", run.observed}, {"until", run.until}));
    ms_study_destroy(&study);
    return status;
}

const ms_measurement ms_measurement_pendulum_loop = {"pendulum-loop", measure, "double-pendulum"};
