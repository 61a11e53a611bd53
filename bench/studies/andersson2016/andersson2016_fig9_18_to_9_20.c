/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), section 9.3.3: parameter estimation in a quadruple tank. Figs 9.18, 9.19, 9.20,
 * Tables 9.5, 9.6.
 *
 * The recorded voltages and levels are not public. They are replaced by synthetic ones with known parameters
 * (andersson2016_9_3_3.h): values that depend on the recording are not determined; the pattern described in the text
 * is checked. */
#include "andersson2016_9_3_3.h"

#include <math.h>

#include <macrostep/options_set.h>
#include "study_checks.h"

static const char remark[] = "The recorded data of the thesis are not public. In their place: voltages "
                             "chosen here, and levels computed with the run-offs of Table 9.6 every second, "
                             "plus normal noise of standard deviation %g mm (seed %lu).";

/* Data files --------------------------------------------------------------------------------------------- */

static void write_series(ms_drawing *drawing, const char *part, const ms_series *series)
{
    const char *columns = "time";
    for (int k = 0; k < series->columns; k++)
        columns = ms_drawing_text(drawing, "%s,%s", columns, series->name[k]);
    ms_data *data = ms_drawing_data(drawing, part, columns);
    for (long row = 0; row < series->rows; row++) {
        ms_data_cell(data, series->time[row]);
        ms_data_cells(data, series->columns, series->value + row * series->columns);
    }
}

/* Levels of a system every quarter of a second. */
static int write_response(ms_drawing *drawing, const ms_system *system, ms_error *error)
{
    ms_series *levels = NULL;
    const int status = ms_tank_respond(system, 4 * (MS_TANK_ROWS - 1) + 1, &levels, error);
    if (status == MS_OK)
        write_series(drawing, "simulated", levels);
    ms_series_destroy(&levels);
    return status;
}

static void check_recording(ms_drawing *drawing)
{
    ms_study_undetermined(drawing, "measured levels", "shows", json_string("synthetic"),
                          "The recording is not public, and the figure is lost.");
    ms_drawing_remark(drawing, remark, 1e3 * MS_TANK_NOISE, MS_TANK_SEED);
}

/* Levels in four panels, as in the print: tanks 3 and 4 above, 1 and 2 below; on the same axes with the initial and with the
 * estimated parameters. */
static void draw_levels(ms_drawing *drawing)
{
    ms_drawing_commands_of(drawing, "andersson2016_fig9.19.gp", 900, 640);
}

/* Fig. 9.18: inputs -------------------------------------------------------------------------------------- */

static int draw_fig9_18(ms_drawing *drawing, ms_error *error)
{
    ms_tank_data data;
    const int status = ms_tank_data_create(false, &data, error);
    if (status == MS_OK) {
        write_series(drawing, "", data.inputs);
        ms_study_undetermined(drawing, "voltages of the pumps", "shows", json_string("chosen here"),
                              "The recording is not public, and the figure is lost.");
        ms_drawing_remark(drawing, "Steps between levels around 5.2 V, near which the start levels of A.3 "
                                   "are in equilibrium; linear within the second in which they change.");
    }
    ms_tank_data_destroy(&data);
    ms_drawing_commands_of(drawing, "andersson2016_fig9.18.gp", 760, 460);
    return status;
}

const ms_figure ms_figure_andersson2016_fig9_18 = {
    "andersson2016:fig9.18", "Quadruple tank: voltages of the pumps (synthetic)",
    "Andersson (2016), Fig. 9.18, section 9.3.3", .draw = draw_fig9_18};

/* Fig. 9.19: the initial parameters ---------------------------------------------------------------------- */

/* Root mean squares in mm by column, before or after. */
static json_t *root_mean_squares(const ms_estimate *estimate, bool start)
{
    json_t *object = json_object();
    for (int k = 0; k < estimate->columns; k++)
        json_object_set_new(
            object, estimate->column[k].name,
            json_real(1e3 * (start ? estimate->column[k].rmse_start : estimate->column[k].rmse)));
    return object;
}

static int draw_fig9_19(ms_drawing *drawing, ms_error *error)
{
    ms_tank_data data;
    ms_estimate estimate = {0};
    int status = ms_tank_data_create(false, &data, error);
    MS_THEN(status, write_response(drawing, data.initial, error));
    if (status == MS_OK) {
        const ms_estimate_options request = ms_tank_options(&data);
        status = ms_estimate_run(&request, &estimate, error);
    }
    if (status == MS_OK) {
        write_series(drawing, "measured", data.measured);
        const double least = fmin(estimate.column[0].rmse_start, estimate.column[1].rmse_start);
        ms_drawing_check_own(
            drawing, "the initial parameters do not give the synthetic levels",
            "the lower tanks are off by more than three times the noise",
            json_pack("{s:o, s:f}", "root mean square [mm]", root_mean_squares(&estimate, true), "noise [mm]",
                      1e3 * MS_TANK_NOISE),
            NULL, ms_judge_at_least(drawing, least, 3.0 * MS_TANK_NOISE),
            "The levels were made with the run-offs of Table 9.6, so that this says nothing on the print. The lower "
            "tanks' run-offs change by 11 %% and 10 %%, those of the upper tanks by 0.3 %% and 2 %%.");
        check_recording(drawing);
        draw_levels(drawing);
    }
    ms_estimate_destroy(&estimate);
    ms_tank_data_destroy(&data);
    return status;
}

const ms_figure ms_figure_andersson2016_fig9_19 = {
    "andersson2016:fig9.19",
    "Quadruple tank: levels measured (synthetic) and simulated with the initial parameters",
    "Andersson (2016), Fig. 9.19, section 9.3.3", .draw = draw_fig9_19};

/* Fig. 9.20: the estimated parameters -------------------------------------------------------------------- */

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

static int draw_fig9_20(ms_drawing *drawing, ms_error *error)
{
    ms_tank_data data;
    ms_estimate estimate = {0};
    ms_system *fitted = NULL;
    int status = ms_tank_data_create(false, &data, error);
    if (status == MS_OK) {
        ms_estimate_options request = ms_tank_options(&data);
        request.method = MS_ESTIMATE_NELDER_MEAD;
        status = ms_estimate_run(&request, &estimate, error);
    }
    MS_THEN(status, bind_estimate(&data, &estimate, &fitted, error));
    MS_THEN(status, write_response(drawing, fitted, error));
    if (status == MS_OK) {
        write_series(drawing, "measured", data.measured);
        ms_drawing_check_own(
            drawing,
            "the estimated parameters bring the simulated output nearer to the synthetic measurements",
            "by a factor of 10 in the sum of squares at least",
            json_pack("{s:o, s:o, s:f}", "root mean square before [mm]", root_mean_squares(&estimate, true),
                      "after [mm]", root_mean_squares(&estimate, false), "sums of squares, before / after",
                      estimate.sum_start / estimate.sum),
            NULL, ms_judge_at_least(drawing, estimate.sum_start / estimate.sum, 10.0),
            "What remains is the noise. A test of the estimator: the print's levels are not public.");
        check_recording(drawing);
        ms_drawing_remark(drawing, "Nelder and Mead's method, as in the thesis: %ld simulations.",
                          estimate.simulations);
        draw_levels(drawing);
    }
    ms_system_destroy(&fitted);
    ms_estimate_destroy(&estimate);
    ms_tank_data_destroy(&data);
    return status;
}

const ms_figure ms_figure_andersson2016_fig9_20 = {
    "andersson2016:fig9.20",
    "Quadruple tank: levels measured (synthetic) and simulated with the estimated parameters",
    "Andersson (2016), Fig. 9.20, section 9.3.3", .draw = draw_fig9_20};

/* Table 9.5: where the estimation starts ----------------------------------------------------------------- */

enum { SEEDS = 60 };

static const double square_centimetre = 1e-4; /* [m^2] */

static double published_run_off(ms_drawing *drawing, int i)
{
    return ms_drawing_published_number(drawing, ms_drawing_text(drawing, "a.%d", i));
}

static int draw_table9_5(ms_drawing *drawing, ms_error *error)
{
    ms_tank_data data;
    const int status = ms_tank_data_create(false, &data, error);
    if (status == MS_OK) {
        ms_table *table =
            ms_drawing_table(drawing, "", "Initial run-offs", "parameter|printed / cm^2|case initial / cm^2");
        for (int i = 0; i < MS_TANKS; i++) {
            const double value = data.initial->p[data.parameter[i]] / square_centimetre;
            ms_table_add(table, "srr", ms_tank_run_offs[i], published_run_off(drawing, i), value);
        }
        ms_drawing_remark(drawing,
                          "The default of the model in A.3, and case `initial` of quadruple-tank, from which "
                          "the estimations start: what goes in, and no result.");
    }
    ms_tank_data_destroy(&data);
    return status;
}

const ms_figure ms_figure_andersson2016_table9_5 = {
    "andersson2016:table9.5", "Quadruple tank: initial parameters",
    "Andersson (2016), Table 9.5, section 9.3.3", .draw = draw_table9_5};

/* Table 9.6: what is estimated --------------------------------------------------------------------------- */

static void tabulate(ms_drawing *drawing, const ms_estimate estimates[2])
{
    ms_table *table =
        ms_drawing_table(drawing, "", "Estimated run-offs / cm^2",
                         "parameter|printed, and truth|trust region|Nelder-Mead|standard error|95 % from|to");
    for (int i = 0; i < MS_TANKS; i++) {
        const ms_estimated *p = &estimates[0].parameter[i];
        ms_table_add(table, "srrrrrr", ms_tank_run_offs[i], published_run_off(drawing, i),
                     p->value / square_centimetre, estimates[1].parameter[i].value / square_centimetre,
                     p->standard_error / square_centimetre, p->lower / square_centimetre,
                     p->upper / square_centimetre);
    }
}

static void check_estimates(ms_drawing *drawing, const ms_estimate estimates[2])
{
    for (int i = 0; i < MS_TANKS; i++) {
        const ms_estimated *p = &estimates[0].parameter[i];
        const double printed = published_run_off(drawing, i), truth = printed * square_centimetre;
        ms_drawing_check(drawing, ms_tank_run_offs[i], json_real(printed),
                         json_pack("{s:f, s:[f, f]}", "estimate [cm^2]", p->value / square_centimetre, "95 %",
                                   p->lower / square_centimetre, p->upper / square_centimetre),
                         json_string("none: the recorded levels are needed"), MS_NOT_DETERMINED,
                         "The number is that of a recorded experiment, which is not public. It is the truth "
                         "of the synthetic measurements, and is %s the interval.",
                         p->lower <= truth && truth <= p->upper ? "within" : "outside");
    }
    const double apart = ms_tank_apart(&estimates[0], &estimates[1]);
    ms_drawing_check_own(
        drawing, "both methods find the same minimum", "within a hundredth of the standard error",
        json_pack("{s:f, s:i, s:i}", "largest distance / standard error", apart, "simulations, trust region",
                  (int)estimates[0].simulations, "simulations, Nelder-Mead", (int)estimates[1].simulations),
        NULL, ms_judge_at_most(drawing, apart, 1e-2), "The thesis uses Nelder and Mead's.");
}

/* Over many sets of noise: how many intervals hold the truth, and what the first set gives. */
static int check_intervals(ms_drawing *drawing, ms_tank_data *data, ms_error *error)
{
    ms_tank_coverage coverage = {0};
    ms_estimate_options request = ms_tank_options(data);
    MS_TRY(ms_options_set(&request.options, "solver", "rk4", error));
    MS_TRY(ms_tank_cover(drawing, data, request, SEEDS, &coverage, error));
    const double share = ms_tank_coverage_share(&coverage), deviation = ms_tank_coverage_deviation(&coverage);
    ms_drawing_check_own(
        drawing, "share of the 95 % intervals that hold the truth", "0.95", json_real(share),
        json_real(3.0 * deviation), ms_judge_within(drawing, share - 0.95, -3.0 * deviation, 3.0 * deviation),
        "Seeds 1 to %d, four parameters each; three standard deviations of the share, from set "
        "to set, are allowed. Single sets may lie outside: with seed 1, the first that was "
        "tried, the farthest estimate is %.2g standard errors off.",
        SEEDS, coverage.first);
    return MS_OK;
}

static int draw_table9_6(ms_drawing *drawing, ms_error *error)
{
    ms_tank_data data;
    ms_estimate estimates[2] = {{0}};
    int status = ms_tank_data_create(false, &data, error);
    for (int method = 0; method < 2 && status == MS_OK; method++) {
        ms_estimate_options request = ms_tank_options(&data);
        request.method = (ms_estimate_method)method;
        request.stop = ms_drawing_stop(drawing);
        status = ms_estimate_run(&request, &estimates[method], error);
    }
    if (status == MS_OK) {
        tabulate(drawing, estimates);
        check_estimates(drawing, estimates);
        ms_drawing_remark(drawing, remark, 1e3 * MS_TANK_NOISE, MS_TANK_SEED);
        ms_drawing_remark(
            drawing, "The files measured and inputs of Figs 9.20 and 9.18 repeat it: macrostep estimate "
                     "quadruple-tank --measurements FILE --inputs FILE --parameters a1,a2,a3,a4 --sigma 1.");
    }
    MS_THEN(status, check_intervals(drawing, &data, error));
    ms_estimate_destroy(&estimates[0]);
    ms_estimate_destroy(&estimates[1]);
    ms_tank_data_destroy(&data);
    return status;
}

const ms_figure ms_figure_andersson2016_table9_6 = {
    "andersson2016:table9.6", "Quadruple tank: estimated parameters",
    "Andersson (2016), Table 9.6, section 9.3.3", .draw = draw_table9_6};
