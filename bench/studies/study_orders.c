/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study_orders.h"
#include "arguments.h"

#include <float.h>
#include <math.h>

/* An error below this multiple of the reference's own error, or of round-off, has no meaning. */
static const double FLOOR = 50.0;

static int measure_step(ms_drawing *drawing, const ms_study *study, double h, int k, ms_order_series *series,
                        ms_error *error)
{
    ms_options options = study->arguments->options;
    ms_simulation simulation;
    options.step_size = h;
    MS_TRY(ms_study_repeat(drawing, study, &options, &ms_simulation_errors, &simulation, error));
    const ms_error_norms *errors = &simulation.errors;
    const double floor = FLOOR * fmax(errors->reference_error, DBL_EPSILON * errors->reference_scale);
    for (int j = 0; j < MS_SERIES_ERRORS; j++) {
        const bool known = simulation.errors_valid && (j >= MS_SERIES_STATES || j < study->system->nx);
        series->row[j][k] = (ms_convergence_row){.step_size = h,
                                                 .error = !known                   ? NAN
                                                          : j == MS_SERIES_LARGEST ? errors->max
                                                          : j == MS_SERIES_END     ? errors->end
                                                                                   : errors->state[j].max,
                                                 .floor = floor};
    }
    ms_simulation_destroy(&simulation);
    return MS_OK;
}

static int measure(ms_drawing *drawing, int n, double largest, const char *command, ms_order_series *series,
                   ms_error *error)
{
    ms_study study;
    series->n = n;
    int status = ms_study_bind(drawing, &study, error, "%s", command);
    for (int k = 0; k < n && status == MS_OK; k++)
        status = measure_step(drawing, &study, largest / (double)(1 << k), k, series, error);
    for (int j = 0; j < MS_SERIES_ERRORS && status == MS_OK; j++)
        series->order[j] = ms_convergence_fit(n, series->row[j]);
    ms_study_destroy(&study);
    return status;
}

int ms_order_measure(ms_drawing *drawing, int n, double largest, ms_order_series *series, ms_error *error,
                     const char *command, ...)
{
    MS_STUDY_LINE(line, status, command, error);
    if (n > MS_SERIES_MAX)
        return ms_fail(error, MS_INVALID, "%d step sizes of a series are more than %d", n, MS_SERIES_MAX);
    return status == MS_OK ? measure(drawing, n, largest, line, series, error) : status;
}

void ms_order_curve(ms_data *data, int n, const double *first, const ms_order_series *series, int kind)
{
    for (int k = 0; k < series->n; k++) {
        ms_data_cells(data, n, first);
        ms_data_cell(data, series->row[kind][k].step_size);
        ms_data_cell(data, series->row[kind][k].error);
    }
    ms_data_break(data);
}

/* log2 is exact for powers of two, which most step sizes are apart. */
double ms_observed_order(double e1, double e2, double h1, double h2)
{
    return h1 == 2.0 * h2 ? log2(e1 / e2) : log(e1 / e2) / log(h1 / h2);
}
