/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), section 6.2: trajectories of the double pendulum and the feed-through along them. */
#include "andersson2016_6_2.h"

#include <math.h>

#include <macrostep/linearisation_jacobian.h>
#include "matrix.h"

const char *const ms_pendulum_tight = "--solver gsl-rk8pd --solver-rtol 1e-12 --solver-atol 1e-12";
const char *const ms_pendulum_loose = "--solver gsl-rk8pd --solver-rtol 1e-8 --solver-atol 1e-8";

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
    const int status = ms_matrix_eigenvalues(OUTPUTS, M, eigenvalues);
    if (status != MS_OK)
        return status;
    *largest = fmax(*largest, fabs(ms_spectral_radius(OUTPUTS, eigenvalues) - rho));
    for (int k = 0; k < OUTPUTS; k++)
        *largest = fmax(*largest, fabs(eigenvalues[2 * k]));
    return MS_OK;
}

int ms_pendulum_follow(const ms_study *study, ms_pendulum_run *run, ms_data *data, ms_error *error)
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
            run->predicted = pow(product, 1.0 / (double)(n - 1));
            run->observed = pow(distance / run->first, 1.0 / (double)(n - 1));
            run->until = row[0];
        }
        MS_ROW(data, row[0], row[OMEGA1], row[OMEGA2], row[FX], rho, distance, run->first * product);
    }
    return status;
}

void ms_pendulum_motion(const ms_study *study, double limit, double *left_at, ms_data *data)
{
    const ms_trajectory *trajectory = &study->simulation.trajectory;
    *left_at = NAN;
    for (long n = 0; n < trajectory->rows; n++) {
        const double *row = ms_trajectory_row(trajectory, n);
        if (isnan(*left_at) && !(fabs(row[FX]) <= limit))
            *left_at = row[0];
        MS_ROW(data, row[0], row[OMEGA1], row[OMEGA2], row[FX]);
    }
}

int ms_pendulum_reference(ms_study *study, double m1, double m2, ms_data *data, double *largest,
                          ms_error *error)
{
    const ms_trajectory *trajectory = &study->simulation.trajectory;
    const int status = ms_study_reference(study, error);
    *largest = 0.0;
    for (long n = 0; n < trajectory->rows && status == MS_OK; n++) {
        const double *x = study->exact + n * trajectory->nx, rho = loop_radius(m1, m2, x[0], x[2]);
        *largest = fmax(*largest, rho);
        MS_ROW(data, ms_trajectory_row(trajectory, n)[0], x[1], x[3], rho);
    }
    return status;
}
