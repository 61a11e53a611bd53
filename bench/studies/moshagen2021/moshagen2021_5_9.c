/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What figures 5 to 9 of Moshagen (2021) share. */
#include <math.h>

#include "arguments.h"
#include "moshagen2021_5_9.h"
#include "propagation.h"

enum { DIMENSION_MAX = 64 };

static void follow(const ms_study *study, ms_motion *motion)
{
    const ms_trajectory *trajectory = &study->simulation.trajectory;
    const double first = ms_system_energy(study->system, ms_trajectory_row(trajectory, 0) + 1);
    double before = first;
    *motion = (ms_motion){.steps = trajectory->rows - 1,
                          .end = 1.0,
                          .lowest = 1.0,
                          .highest = 1.0,
                          .least = INFINITY,
                          .most = -INFINITY,
                          .radius = NAN};
    for (long n = 1; n < trajectory->rows; n++) {
        const double *row = ms_trajectory_row(trajectory, n), *x = row + 1, *exact = study->exact + 2 * n;
        const double now = ms_system_energy(study->system, x);
        const double error = fmax(fabs(x[FIRST] - exact[FIRST]), fabs(x[SECOND] - exact[SECOND]));
        motion->end = now / first;
        ms_widen(&motion->lowest, &motion->highest, motion->end);
        ms_widen(&motion->least, &motion->most, now / before);
        motion->error = fmax(motion->error, error);
        if (row[0] <= MS_EARLY * (1.0 + 1e-12))
            motion->early_error = fmax(motion->early_error, error);
        before = now;
    }
}

static void write_rows(ms_drawing *drawing, const char *part, const ms_study *study)
{
    const ms_trajectory *trajectory = &study->simulation.trajectory;
    ms_data *data = ms_drawing_data(drawing, part, "time,s,v,energy");
    const double first = ms_system_energy(study->system, ms_trajectory_row(trajectory, 0) + 1);
    for (long n = 0; n < trajectory->rows; n++) {
        const double *row = ms_trajectory_row(trajectory, n);
        MS_ROW(data, row[0], row[1], row[2], ms_system_energy(study->system, row + 1) / first);
    }
}

int ms_motion_measure(ms_drawing *drawing, const char *part, const char *options, double h, double end,
                      ms_motion *motion, ms_error *error)
{
    ms_study study;
    int status = ms_study_run(drawing, &ms_simulation_trajectory, &study, error,
                              "run spring-mass %s --step-size %g --stop-time %g", options, h, end);
    if (status == MS_OK)
        status = ms_study_reference(&study, error);
    if (status == MS_OK) {
        follow(&study, motion);
        motion->produced = study.simulation.energy.residual / study.simulation.energy.start;
        motion->radius = ms_propagation_radius(study.system, &study.arguments->options, h, DIMENSION_MAX);
        if (part != NULL)
            write_rows(drawing, part, &study);
    }
    ms_study_destroy(&study);
    return status;
}

int ms_motion_reference(ms_drawing *drawing, double end, double *change, ms_error *error)
{
    ms_study study;
    int status = ms_study_run(drawing, &ms_simulation_trajectory, &study, error,
                              "run spring-mass --step-size 0.05 --stop-time %g", end);
    if (status == MS_OK)
        status = ms_study_reference(&study, error);
    if (status == MS_OK) {
        ms_data *data = ms_drawing_data(drawing, "reference", "time,s,v");
        const double first = ms_system_energy(study.system, study.exact);
        *change = 0.0;
        for (long n = 0; n < study.simulation.trajectory.rows; n++) {
            const double *x = study.exact + 2 * n, now = ms_system_energy(study.system, x);
            MS_ROW(data, ms_trajectory_row(&study.simulation.trajectory, n)[0], x[0], x[1]);
            *change = fmax(*change, fabs(now / first - 1.0));
        }
    }
    ms_study_destroy(&study);
    return status;
}
