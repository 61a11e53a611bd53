/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "andersson2016_9_3_3.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include <macrostep/catalogue.h>
#include "simulated_output.h"
#include "study_checks.h"

const char *const ms_tank_run_offs[MS_TANKS] = {"a1", "a2", "a3", "a4"};
static const char *const level_names[MS_TANKS] = {"tank1.x.x1", "tank2.x.x2", "tank3.x.x3", "tank4.x.x4"};

static const double one[MS_TANKS] = {1.0, 1.0, 1.0, 1.0}; /* all columns are levels: residuals in m */

/* Voltages [V] from a second on; chosen here around 5.2 V, near which the start levels are in equilibrium. */
static const struct {
    int from;
    double volt;
} pump_1[] = {{0, 5.2}, {5, 6.5}, {14, 4.0}, {24, 5.8}, {33, 4.6}, {45, 6.4}, {52, 5.0}},
  pump_2[] = {{0, 5.2}, {9, 4.2}, {18, 6.6}, {27, 4.8}, {38, 6.0}, {47, 4.1}};

static int make_inputs(ms_series **inputs, ms_error *error)
{
    static const char *const names[] = {"*.w.u1", "*.w.u2"};
    const int status = ms_series_create(2, names, MS_TANK_ROWS, inputs, error);
    size_t k1 = 0, k2 = 0;
    for (int row = 0; row < MS_TANK_ROWS && status == MS_OK; row++) {
        k1 += k1 + 1 < MS_COUNT(pump_1) && pump_1[k1 + 1].from <= row;
        k2 += k2 + 1 < MS_COUNT(pump_2) && pump_2[k2 + 1].from <= row;
        (*inputs)->time[row] = row;
        (*inputs)->value[2 * row] = pump_1[k1].volt;
        (*inputs)->value[2 * row + 1] = pump_2[k2].volt;
    }
    return status;
}

static int bind(const ms_tank_data *data, const char *case_name, ms_system **system, ms_error *error)
{
    const int status =
        ms_system_create(ms_catalogue_find("quadruple-tank"), case_name, NULL, 0, system, error);
    return status == MS_OK && data->inputs != NULL ? ms_system_bind_inputs(*system, data->inputs, error)
                                                   : status;
}

int ms_tank_respond(const ms_system *system, long rows, ms_series **levels, ms_error *error)
{
    ms_options options;
    ms_simulated_output simulated;
    const double end = MS_TANK_ROWS - 1;
    ms_options_default(&options);
    int status = ms_series_create(MS_TANKS, level_names, rows, levels, error);
    for (long row = 0; row < rows && status == MS_OK; row++)
        (*levels)->time[row] = end * (double)row / (double)(rows - 1);
    MS_THEN(status, ms_simulated_output_create(system, *levels, &options, false, &simulated, error));
    if (status == MS_OK) {
        status = ms_simulated_output_run(&simulated, system, NULL, (*levels)->value, error);
        ms_simulated_output_destroy(&simulated);
    }
    return status;
}

int ms_tank_data_noise(ms_tank_data *data, unsigned long seed, ms_error *error)
{
    gsl_set_error_handler_off();
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    MS_TRY_MEMORY_FOR(generator != NULL, error, "random numbers");
    gsl_rng_set(generator, seed);
    for (int k = 0; k < MS_TANK_ROWS * MS_TANKS; k++)
        data->measured->value[k] = data->clean->value[k] + gsl_ran_gaussian(generator, MS_TANK_NOISE);
    gsl_rng_free(generator);
    return MS_OK;
}

int ms_tank_data_create(bool smooth, ms_tank_data *data, ms_error *error)
{
    *data = (ms_tank_data){0};
    int status = smooth ? MS_OK : make_inputs(&data->inputs, error);
    MS_THEN(status, bind(data, "initial", &data->initial, error));
    MS_THEN(status, bind(data, "estimated", &data->truth, error));
    MS_THEN(status, ms_tank_respond(data->truth, MS_TANK_ROWS, &data->clean, error));
    MS_THEN(status, ms_series_create(MS_TANKS, level_names, MS_TANK_ROWS, &data->measured, error));
    if (status != MS_OK)
        return status;
    for (int row = 0; row < MS_TANK_ROWS; row++)
        data->measured->time[row] = data->clean->time[row];
    for (int k = 0; k < MS_TANKS; k++)
        data->parameter[k] = ms_model_parameter(data->initial->model, ms_tank_run_offs[k]);
    return ms_tank_data_noise(data, MS_TANK_SEED, error);
}

void ms_tank_data_destroy(ms_tank_data *data)
{
    ms_system_destroy(&data->initial);
    ms_system_destroy(&data->truth);
    ms_series_destroy(&data->clean);
    ms_series_destroy(&data->measured);
    ms_series_destroy(&data->inputs);
}

ms_estimate_options ms_tank_options(const ms_tank_data *data)
{
    ms_estimate_options request = {.system = data->initial,
                                   .measurements = data->measured,
                                   .inputs = data->inputs,
                                   .n = MS_TANKS,
                                   .parameter = data->parameter,
                                   .sigma = one};
    ms_options_default(&request.options);
    return request;
}

/* Intervals ---------------------------------------------------------------------------------------------- */

void ms_tank_coverage_add(const ms_tank_data *data, const ms_estimate *estimate, ms_tank_coverage *coverage)
{
    int inside = 0;
    for (int i = 0; i < MS_TANKS; i++) {
        const ms_estimated *p = &estimate->parameter[i];
        const double truth = data->truth->p[p->parameter];
        inside += p->lower <= truth && truth <= p->upper;
        coverage->error += pow(p->value / truth - 1.0, 2.0);
        coverage->standard += pow(p->standard_error / truth, 2.0);
        if (coverage->sets == 0)
            coverage->first = fmax(coverage->first, fabs(p->value - truth) / p->standard_error);
    }
    coverage->sets++;
    coverage->inside += inside;
    coverage->inside_square += inside * inside;
}

int ms_tank_cover(ms_drawing *drawing, ms_tank_data *data, ms_estimate_options request, int seeds,
                  ms_tank_coverage *coverage, ms_error *error)
{
    int status = MS_OK;
    request.measurements = data->measured;
    request.stop = ms_drawing_stop(drawing);
    for (int seed = 1; seed <= seeds && status == MS_OK; seed++) {
        ms_estimate estimate = {0};
        status = ms_tank_data_noise(data, (unsigned long)seed, error);
        MS_THEN(status, ms_estimate_run(&request, &estimate, error));
        if (status == MS_OK && estimate.reason == MS_ESTIMATE_INTERRUPTED)
            status = ms_fail(error, MS_INTERRUPTED, "interrupted");
        if (status == MS_OK)
            ms_tank_coverage_add(data, &estimate, coverage);
        ms_estimate_destroy(&estimate);
    }
    return status;
}

double ms_tank_coverage_share(const ms_tank_coverage *c)
{
    return (double)c->inside / (MS_TANKS * c->sets);
}

double ms_tank_coverage_deviation(const ms_tank_coverage *c)
{
    const double mean = (double)c->inside / c->sets,
                 variance = (c->inside_square - c->sets * mean * mean) / (c->sets - 1);
    return sqrt(fmax(variance, 0.0) / c->sets) / MS_TANKS;
}

double ms_tank_coverage_error(const ms_tank_coverage *c)
{
    return sqrt(c->error / (MS_TANKS * c->sets));
}

double ms_tank_coverage_standard(const ms_tank_coverage *c)
{
    return sqrt(c->standard / (MS_TANKS * c->sets));
}
