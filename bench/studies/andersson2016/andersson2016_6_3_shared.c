/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the figures and tables of Andersson's sections 6.3 and 6.4 share; see andersson2016_6_3.h. */
#include "andersson2016_6_3.h"

#include <math.h>

#include "reference.h"

const ms_source ms_derivative_sources[SOURCES] = {
    [BY_DIFFERENCES] = {"differences", "--derivatives analytic --output-derivatives differences"},
    [EXACT] = {"exact", "--derivatives analytic"},
};

enum { STATES_MAX = 4 };

int ms_study_write_errors(const ms_study *study, ms_data *data, ms_error *error)
{
    const ms_trajectory *trajectory = &study->simulation.trajectory;
    const int nx = trajectory->nx;
    ms_reference *reference = NULL;
    int status = ms_reference_create(study->system, 0, NULL, &reference, error);
    for (long n = 0; n < trajectory->rows && status == MS_OK; n++) {
        const double *row = ms_trajectory_row(trajectory, n),
                     *before = ms_trajectory_row(trajectory, n > 0 ? n - 1 : 0);
        if (n > 0)
            status = ms_reference_step(reference, before[0], row[0] - before[0]);
        const double *exact = ms_reference_state(reference);
        double values[1 + 2 * STATES_MAX] = {row[0]};
        for (int j = 0; j < nx && j < STATES_MAX; j++) {
            values[1 + j] = row[1 + j];
            values[1 + nx + j] = row[1 + j] - exact[j];
        }
        ms_data_row(data, values);
    }
    if (status == MS_SOLVER_FAILED)
        ms_fail(error, status, "the reference failed");
    ms_reference_destroy(&reference);
    return status;
}

int ms_system_write_reference(const ms_system *system, double h, double end, ms_data *data, ms_error *error)
{
    ms_reference *reference = NULL;
    int status = ms_reference_create(system, 0, NULL, &reference, error);
    const long steps = lround(end / h);
    for (long n = 0; n <= steps && status == MS_OK; n++) {
        if (n > 0)
            status = ms_reference_step(reference, (double)(n - 1) * h, h);
        double values[1 + STATES_MAX] = {(double)n * h};
        for (int j = 0; j < system->nx && j < STATES_MAX; j++)
            values[1 + j] = ms_reference_state(reference)[j];
        ms_data_row(data, values);
    }
    if (status == MS_SOLVER_FAILED)
        ms_fail(error, status, "the reference failed");
    ms_reference_destroy(&reference);
    return status;
}

const char *const ms_measure_names[MEASURES] = {"largest error of x1", "largest error of x2",
                                                "rms error of x1",     "rms error of x2",
                                                "relative L2, mean",   "error at the end"};

void ms_measure_errors(const ms_errors *errors, double measure[MEASURES])
{
    const double values[MEASURES] = {errors->state[0].max,  errors->state[1].max,       errors->state[0].rmse,
                                     errors->state[1].rmse, errors->l2_normalized_mean, errors->end};
    for (int m = 0; m < MEASURES; m++)
        measure[m] = values[m];
}

/* The measures of the study's system with step size h. */
static int measure_at(ms_drawing *drawing, const ms_study *study, double h, double measure[MEASURES],
                      ms_error *error)
{
    ms_options options = study->arguments.options;
    ms_simulation simulation;
    options.step_size = h;
    const int status = ms_study_repeat(drawing, study, &options, &ms_want_errors, &simulation, error);
    if (status != MS_OK)
        return status;
    if (simulation.errors_valid)
        ms_measure_errors(&simulation.errors, measure);
    for (int m = 0; m < MEASURES && !simulation.errors_valid; m++)
        measure[m] = NAN;
    ms_simulation_destroy(&simulation);
    return MS_OK;
}

/* Steps divide the 2 s, so that no run ends with a shorter one. */
enum { STEPS_FIRST = 100, STEPS_LAST = 200, STEPS_BETWEEN = 5 };

int ms_measure_equal_step(ms_drawing *drawing, const char *options, const double target[MEASURES],
                          double step[MEASURES], ms_data *curve, ms_error *error)
{
    ms_study study;
    double before[MEASURES], h_before = NAN;
    int status = ms_study_bind(drawing, &study, error, EXAMPLE_6_3_1 "%s", options);
    for (int m = 0; m < MEASURES; m++)
        step[m] = before[m] = NAN;
    for (int n = STEPS_FIRST; n <= STEPS_LAST && status == MS_OK; n += STEPS_BETWEEN) {
        const double h = study.system->stop_time / n;
        double row[1 + MEASURES] = {h}, *relative = row + 1;
        status = measure_at(drawing, &study, h, relative, error);
        for (int m = 0; m < MEASURES; m++) {
            relative[m] /= target[m];
            if (isnan(step[m]) && before[m] > 1.0 && relative[m] <= 1.0) /* log h is linear in log relative */
                step[m] = h_before * exp(log(h / h_before) * log(before[m]) / log(before[m] / relative[m]));
            before[m] = relative[m];
        }
        h_before = h;
        ms_data_row(curve, row);
    }
    ms_study_destroy(&study);
    return status;
}
