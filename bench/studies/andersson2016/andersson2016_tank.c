/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), section 9.3.3: estimates of the run-offs of a quadruple tank from synthetic measurements
 * (andersson2016_9_3_3.h), for Figs 9.18 to 9.20, Tables 9.5, 9.6 and macrostep:estimation:
 *
 *     tank-fit SMOOTH SEED METHOD H ORDER        one estimate from the noise of that seed, 0: without noise. place (1 .. 4), value, truth,
 *                                                initial, standard_error, lower, upper [m^2]; of the levels rmse_start, rmse [m]; sum_start,
 *                                                sum, iterations, simulations. With SMOOTH 0 also series by time [s]: voltages x1, x2 [V],
 *                                                levels x1 .. x4 [m] measured, and simulated every quarter of a second before and after
 *     tank-intervals SMOOTH SEEDS H ORDER        of estimates from sets of noise: share of the 95 % intervals that hold the truth, its
 *                                                deviation; standard, error, first (ms_tank_coverage)
 *
 * SMOOTH 0: the voltages of Fig. 9.18; 1: the model's own. METHOD 0: trust region, 1: Nelder and Mead's. The simulated output is
 * monolithic, H = 0, or a co-simulation of that order with steps of H; by rk4 with a step a second, but by the default micro-solver in
 * tank-fit with SMOOTH 0. */
#include <math.h>
#include <stdio.h>

#include <macrostep/options_set.h>
#include "andersson2016_9_3_3.h"
#include "measurement.h"

/* The options of a co-simulation with steps of H, or of the monolithic form (H = 0). */
static int choose(ms_estimate_options *request, int order, double H, ms_error *error)
{
    char text[2][32];
    int status = ms_options_set(&request->options, "solver", "rk4", error);
    request->cosimulated = H > 0.0;
    if (status != MS_OK || H == 0.0)
        return status;
    snprintf(text[0], sizeof text[0], "%.17g", H);
    snprintf(text[1], sizeof text[1], "%d", (int)ceil(H));
    status = ms_options_set(&request->options, "step-size", text[0], error);
    MS_THEN(status, ms_options_set(&request->options, "micro-steps", text[1], error));
    snprintf(text[0], sizeof text[0], "%d", order);
    return status == MS_OK ? ms_options_set(&request->options, "extrapolation-order", text[0], error)
                           : status;
}

/* One estimate ------------------------------------------------------------------------------------------- */

enum { SMOOTH, SEED, METHOD, FIT_STEP, FIT_ORDER, FIT_NUMBERS };

static void give_series(json_t *answer, const char *name, const ms_series *series)
{
    json_t *rows = json_object();
    char key[16];
    for (long row = 0; row < series->rows; row++) {
        ms_measured_append(rows, "time", series->time[row]);
        for (int k = 0; k < series->columns; k++) {
            snprintf(key, sizeof key, "x%d", k + 1);
            ms_measured_append(rows, key, series->value[row * series->columns + k]);
        }
    }
    if (json_object_get(rows, MS_MEASURED_IN_PART) != NULL)
        json_object_set_new(answer, MS_MEASURED_IN_PART, json_true());
    json_object_set_new(answer, name, rows);
}

/* Levels of a system every quarter of a second. */
static int give_response(json_t *answer, const char *name, const ms_system *system, ms_error *error)
{
    ms_series *levels = NULL;
    const int status = ms_tank_respond(system, 4 * (MS_TANK_ROWS - 1) + 1, &levels, error);
    if (status == MS_OK)
        give_series(answer, name, levels);
    ms_series_destroy(&levels);
    return status;
}

/* The system with the estimated run-offs and the voltages. */
static int bind_estimate(const ms_tank_data *data, const ms_estimate *estimate, ms_system **system,
                         ms_error *error)
{
    ms_setting settings[MS_TANKS];
    for (int i = 0; i < MS_TANKS; i++)
        settings[i] = (ms_setting){ms_tank_run_offs[i], estimate->parameter[i].value};
    const int status = ms_system_create(data->initial->model, NULL, settings, MS_TANKS, system, error);
    return status == MS_OK ? ms_system_bind_inputs(*system, data->inputs, error) : status;
}

static int give_all_series(const ms_tank_data *data, const ms_estimate *estimate, json_t *answer,
                           ms_error *error)
{
    ms_system *fitted = NULL;
    int status = bind_estimate(data, estimate, &fitted, error);
    give_series(answer, "voltages", data->inputs);
    give_series(answer, "measured", data->measured);
    MS_THEN(status, give_response(answer, "before", data->initial, error));
    MS_THEN(status, give_response(answer, "after", fitted, error));
    ms_system_destroy(&fitted);
    return status;
}

static void give_estimate(const ms_tank_data *data, const ms_estimate *estimate, json_t *answer)
{
    for (int i = 0; i < MS_TANKS; i++) {
        const ms_estimated *p = &estimate->parameter[i];
        ms_measured_append(answer, "place", i + 1);
        ms_measured_append(answer, "value", p->value);
        ms_measured_append(answer, "truth", data->truth->p[data->parameter[i]]);
        ms_measured_append(answer, "initial", data->initial->p[data->parameter[i]]);
        ms_measured_append(answer, "standard_error", p->standard_error);
        ms_measured_append(answer, "lower", p->lower);
        ms_measured_append(answer, "upper", p->upper);
        ms_measured_append(answer, "rmse_start", estimate->column[i].rmse_start);
        ms_measured_append(answer, "rmse", estimate->column[i].rmse);
    }
    ms_measured_members(answer, MS_REALS({"sum_start", estimate->sum_start}, {"sum", estimate->sum},
                                         {"iterations", (double)estimate->iterations},
                                         {"simulations", (double)estimate->simulations}));
}

static int fit(ms_drawing *drawing, ms_tank_data *data, const double number[FIT_NUMBERS], json_t *answer,
               ms_error *error)
{
    ms_estimate estimate = {0};
    ms_estimate_options request = ms_tank_options(data);
    request.method = (ms_estimate_method)number[METHOD];
    request.stop = ms_drawing_stop(drawing);
    int status = MS_OK;
    if (number[SEED] > 0.0)
        status = ms_tank_data_noise(data, (unsigned long)number[SEED], error);
    else
        request.measurements = data->clean;
    if (status == MS_OK && number[SMOOTH] > 0.0)
        status = choose(&request, (int)number[FIT_ORDER], number[FIT_STEP], error);
    MS_THEN(status, ms_estimate_run(&request, &estimate, error));
    MS_THEN(status, ms_study_interrupted(drawing, error));
    if (status == MS_OK)
        give_estimate(data, &estimate, answer);
    if (status == MS_OK && number[SMOOTH] == 0.0)
        status = give_all_series(data, &estimate, answer, error);
    ms_estimate_destroy(&estimate);
    return status;
}

static int measure_fit(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    double number[FIT_NUMBERS];
    ms_tank_data data;
    (void)ms_measurement_numbers(words, FIT_NUMBERS, number);
    int status = ms_tank_data_create(number[SMOOTH] > 0.0, &data, error);
    MS_THEN(status, fit(drawing, &data, number, answer, error));
    ms_tank_data_destroy(&data);
    return status;
}

/* Intervals ---------------------------------------------------------------------------------------------- */

static int measure_intervals(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    double number[4]; /* smooth, seeds, H, order */
    ms_tank_data data;
    ms_tank_coverage c = {0};
    (void)ms_measurement_numbers(words, MS_COUNT(number), number);
    int status = ms_tank_data_create(number[0] > 0.0, &data, error);
    if (status == MS_OK) {
        ms_estimate_options request = ms_tank_options(&data);
        status = choose(&request, (int)number[3], number[2], error);
        MS_THEN(status, ms_tank_cover(drawing, &data, request, (int)number[1], &c, error));
    }
    if (status == MS_OK)
        ms_measured_members(answer, MS_REALS({"share", ms_tank_coverage_share(&c)},
                                             {"deviation", ms_tank_coverage_deviation(&c)},
                                             {"standard", ms_tank_coverage_standard(&c)},
                                             {"error", ms_tank_coverage_error(&c)}, {"first", c.first}));
    ms_tank_data_destroy(&data);
    return status;
}

const ms_measurement ms_measurement_tank_fit = {"tank-fit", measure_fit, NULL};
const ms_measurement ms_measurement_tank_intervals = {"tank-intervals", measure_intervals, NULL};
