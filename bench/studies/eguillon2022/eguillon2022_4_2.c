/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eguillon et al. (2022), section 4.2: runs of the two masses and their errors (eguillon2022_4_2.h). */
#include "eguillon2022_4_2.h"

#include <gsl/gsl_sort_double.h>
#include <math.h>
#include <stdlib.h>

#include <macrostep/cosim.h>
#include <macrostep/cosim_create.h>
#include <macrostep/reference.h>
#include <macrostep/run.h>
#include <macrostep/scheme_registry.h>
#include "arguments.h"
#include "micro_step.h"
#include "study_orders.h"

#define KILONEWTON " --set m1=1 --set m2=1 --set c1=1 --set c2=1 --set c3=1 --set d1=1 --set d3=1"
#define SINE       "two-masses-springs-dampers --case sine" KILONEWTON
#define JUMP       "two-masses-springs-dampers --case jump" KILONEWTON " --set c3_after=6.3 --set d3_after=0.1"
#define MET        " --at-time-events communicate"

const ms_two_masses_case ms_two_masses_cases[MS_VARIANTS] = {
    [MS_SINE] = {"sine", SINE " --set amplitude=0.4", 1e-4, MS_OF_RANGE},
    [MS_SINE_MET] = {"sine-met", SINE " --set amplitude=0.4" MET, 1e-4, MS_OF_RANGE},
    [MS_JUMP] = {"jump", JUMP, 3e-4, MS_OF_UNIT},
    [MS_JUMP_MET] = {"jump-met", JUMP MET, 3e-4, MS_OF_UNIT},
    [MS_CONSTANT] = {"constant", "two-masses-springs-dampers --case constant" KILONEWTON, 1e-4, MS_OF_RANGE},
    [MS_SINE_NEWTON] = {"sine", "two-masses-springs-dampers --case sine", 1e-4, MS_OF_RANGE},
    [MS_SINE_WEAK] = {"sine", SINE " --set amplitude=0.2", 1e-4, MS_OF_RANGE},
    [MS_SINE_STRONG] = {"sine", SINE " --set amplitude=0.6", 1e-4, MS_OF_RANGE},
    [MS_SINE_SLOW] = {"sine", SINE " --set amplitude=0.4 --set frequency=0.2", 1e-4, MS_OF_RANGE},
    [MS_SINE_FAST] = {"sine", SINE " --set amplitude=0.4 --set frequency=0.4", 1e-4, MS_OF_RANGE},
};

const char *const ms_normalization_names[MS_NORMALIZATIONS] = {"magnitude", "amplitude", "damped amplitude"};
const char *const ms_calibration_names[MS_CALIBRATIONS] = {"extrapolation", "CLS"};
const char *const ms_smoothing_names[MS_SMOOTHINGS] = {"disabled", "enhanced", "enhanced, S2 only"};
const char *const ms_reading_names[MS_READINGS] = {"f as it comes", "f with the new x1"};
const char *const ms_scale_names[MS_SCALES] = {"the range", "1 m, 1 m/s"};
const double ms_jacobi_steps[MS_JACOBI_ROWS] = {0.01, 0.05, 0.1, 0.2, 0.4};

static const char *const outputs[MS_READINGS] = {"inconsistent", "consistent"};
static const double GRID = 0.02, END = 200.0; /* [s] */

/* The reference ------------------------------------------------------------------------------------------ */

void ms_left_mass_destroy(ms_left_mass *mass)
{
    free(mass->x);
    free(mass->v);
    *mass = (ms_left_mass){0};
}

static double range_of(long n, const double *values)
{
    double low, high;
    ms_extremes(n, values, &low, &high);
    return high - low;
}

static int tabulate(const ms_system *system, ms_left_mass *mass, ms_error *error)
{
    ms_reference *reference = NULL;
    int status = ms_reference_create(system, 0, NULL, &reference, error);
    for (long k = 0; k < mass->rows && status == MS_OK; k++) {
        const double before = (double)(k - 1) * GRID, now = (double)k * GRID;
        if (k > 0 && ms_reference_step(reference, before, now - before) != MS_OK) {
            status = ms_fail(error, MS_SOLVER_FAILED, "the reference failed at %g s", now);
            break;
        }
        mass->x[k] = ms_reference_state(reference)[MS_X1];
        mass->v[k] = ms_reference_state(reference)[MS_V1];
    }
    if (status == MS_OK) {
        mass->range[MS_X1] = range_of(mass->rows, mass->x);
        mass->range[MS_V1] = range_of(mass->rows, mass->v);
        mass->error = ms_reference_error(reference);
    }
    ms_reference_destroy(&reference);
    return status;
}

int ms_left_mass_create(ms_drawing *drawing, const ms_two_masses_case *of, ms_left_mass *mass,
                        ms_error *error)
{
    ms_study study;
    *mass = (ms_left_mass){.rows = lround(END / GRID) + 1};
    int status = ms_study_bind(drawing, &study, error, "run %s", of->model);
    if (status == MS_OK) {
        mass->x = calloc((size_t)mass->rows, sizeof *mass->x);
        mass->v = calloc((size_t)mass->rows, sizeof *mass->v);
        status = mass->x != NULL && mass->v != NULL
                     ? tabulate(study.system, mass, error)
                     : ms_fail(error, MS_NO_MEMORY, "not enough memory for a reference");
    }
    ms_study_destroy(&study);
    return status;
}

void ms_left_mass_at(const ms_left_mass *mass, double t, double motion[MS_MEASURED])
{
    const long k = (long)fmin(fmax(floor(t / GRID), 0.0), (double)(mass->rows - 2));
    const double z = (t - (double)k * GRID) / GRID, *x = mass->x + k, *v = mass->v + k;
    const double rise = x[1] - x[0], left = GRID * v[0], right = GRID * v[1];
    const double c2 = 3.0 * rise - 2.0 * left - right, c3 = left + right - 2.0 * rise;
    motion[MS_X1] = x[0] + z * (left + z * (c2 + z * c3));
    motion[MS_V1] = (left + z * (2.0 * c2 + z * 3.0 * c3)) / GRID;
}

/* Runs --------------------------------------------------------------------------------------------------- */

/* An observer of int e^2 dt inside macro-steps. */
typedef struct integrals {
    const ms_left_mass *mass;
    double e2[MS_MEASURED], elapsed;
} integrals;

static void integrate(integrals *sum, const ms_cosim *cosim, const ms_segment *segment)
{
    for (int k = 0; k < MS_MICRO_GAUSS; k++) {
        const double node = ms_micro_gauss_nodes[k], weight = ms_micro_gauss_weights[k] * segment->h;
        const double *x = segment->samples + ms_cosim_sample_index(cosim, node) * cosim->system->nx;
        double motion[MS_MEASURED];
        ms_left_mass_at(sum->mass, segment->t + node * segment->h, motion);
        for (int j = 0; j < MS_MEASURED; j++)
            sum->e2[j] += weight * (x[j] - motion[j]) * (x[j] - motion[j]);
    }
    sum->elapsed += segment->h;
}

static int integrate_step(void *self, const ms_cosim *cosim, double t, double h)
{
    (void)t, (void)h;
    for (int k = 0; k < cosim->n_segments; k++)
        integrate(self, cosim, &cosim->segment[k]);
    return 0;
}

static int measure_run(ms_drawing *drawing, const ms_study *study, integrals *sum, ms_run_result *result,
                       ms_error *error)
{
    const ms_observer observer = {.self = sum, .step = integrate_step};
    ms_cosim *cosim = NULL;
    int status = ms_cosim_of_options(study->system, &study->arguments->options, &cosim, error);
    if (status == MS_OK && ms_cosim_sample(cosim, MS_MICRO_GAUSS, ms_micro_gauss_nodes) != MS_OK)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for samples");
    if (status == MS_OK)
        status = ms_run(cosim, &observer, 1, NULL, ms_drawing_stop(drawing), result, error);
    if (status == MS_OK)
        status = ms_study_interrupted(drawing, error);
    ms_cosim_destroy(&cosim);
    return status;
}

int ms_left_run_measure(ms_drawing *drawing, const ms_two_masses_case *of, const ms_left_mass *mass,
                        const char *options, ms_left_run *run, ms_error *error)
{
    ms_study study;
    ms_run_result result;
    integrals sum = {.mass = mass};
    int status = ms_study_bind(drawing, &study, error, "run %s %s", of->model, options);
    if (status == MS_OK)
        status = measure_run(drawing, &study, &sum, &result, error);
    *run = (ms_left_run){NAN, {NAN, NAN}};
    if (status == MS_OK && result.reason == MS_REASON_END_TIME) {
        run->steps = (double)result.macro_steps;
        for (int j = 0; j < MS_MEASURED; j++)
            run->rmse[j] =
                100.0 * sqrt(sum.e2[j] / sum.elapsed) / ms_scale_of(MS_OF_UNIT, of->scale, mass->range[j]);
    }
    ms_study_destroy(&study);
    return status;
}

double ms_scale_of(int from, int to, double range)
{
    return from == to ? 1.0 : to == MS_OF_RANGE ? range : 1.0 / range;
}

ms_left_row ms_left_row_of(const ms_two_masses_case *of, int reading, int normalization, int calibration,
                           int smoothing)
{
    return (ms_left_row){reading,      normalization,    calibration,    smoothing,
                         .rtol = 1e-2, .atol = of->atol, .max_step = 1.0};
}

const char *ms_left_row_options(ms_drawing *drawing, const ms_left_row *row, double factor)
{
    static const char *const normalizations[] = {"magnitude", "amplitude", "damped-amplitude"};
    static const char *const calibrations[] = {"extrapolation", "cls"};
    static const char *const smoothings[] = {"none", "c1", "c1 --smooth-subsystems right"};
    return ms_drawing_text(
        drawing,
        "--scheme f3ornits --error-normalization %s --calibration %s --smooth-coupling %s --outputs %s "
        "--rtol %.6g --atol %.6g --max-step %g --step-size 0.01 --min-step 0.01 --damping 0.05 "
        "--scheduler synchronous --solver gsl-rk8pd",
        normalizations[row->normalization], calibrations[row->calibration], smoothings[row->smoothing],
        outputs[row->reading], factor * row->rtol, factor * row->atol, row->max_step);
}

static ms_left_spread spread_of(const ms_left_run runs[MS_TOLERANCES])
{
    ms_left_spread s = {.low = {0.0, {0.0, 0.0}}};
    double *const low[] = {&s.low.steps, &s.low.rmse[MS_X1], &s.low.rmse[MS_V1]};
    double *const median[] = {&s.median.steps, &s.median.rmse[MS_X1], &s.median.rmse[MS_V1]};
    double *const high[] = {&s.high.steps, &s.high.rmse[MS_X1], &s.high.rmse[MS_V1]};
    for (int j = 0; j < 1 + MS_MEASURED; j++) {
        double values[MS_TOLERANCES];
        for (int k = 0; k < MS_TOLERANCES; k++)
            values[k] = j == 0 ? runs[k].steps : runs[k].rmse[j - 1];
        gsl_sort(values, 1, MS_TOLERANCES);
        *low[j] = values[0];
        *median[j] = values[MS_TOLERANCES / 2];
        *high[j] = values[MS_TOLERANCES - 1];
    }
    return s;
}

int ms_left_row_measure(ms_drawing *drawing, const ms_two_masses_case *of, const ms_left_mass *mass,
                        const ms_left_row *row, ms_left_spread *spread, ms_error *error)
{
    ms_left_run runs[MS_TOLERANCES] = {{0}};
    int status = MS_OK;
    for (int k = 0; k < MS_TOLERANCES && status == MS_OK; k++) {
        const char *options = ms_left_row_options(drawing, row, 0.9 + 0.2 * k / (MS_TOLERANCES - 1));
        status = ms_left_run_measure(drawing, of, mass, options, &runs[k], error);
    }
    *spread = spread_of(runs);
    return status;
}

int ms_jacobi_measure(ms_drawing *drawing, const ms_two_masses_case *of, const ms_left_mass *mass,
                      int reading, ms_left_run jacobi[MS_JACOBI_ROWS], ms_error *error)
{
    int status = MS_OK;
    for (int k = 0; k < MS_JACOBI_ROWS && status == MS_OK; k++)
        status = ms_left_run_measure(
            drawing, of, mass,
            ms_drawing_text(drawing, "--extrapolation-order 0 --outputs %s --step-size %g --solver gsl-rk8pd",
                            outputs[reading], ms_jacobi_steps[k]),
            &jacobi[k], error);
    return status;
}

static int measure_f3ornits(ms_drawing *drawing, const ms_two_masses_case *of, const ms_left_mass *mass,
                            ms_table1 *table, ms_error *error)
{
    int status = MS_OK;
    for (int r = 0; r < MS_READINGS; r++)
        for (int n = 0; n < MS_NORMALIZATIONS; n++)
            for (int c = 0; c < MS_CALIBRATIONS; c++)
                for (int s = 0; s < MS_SMOOTHINGS && status == MS_OK; s++) {
                    const ms_left_row row = ms_left_row_of(of, r, n, c, s);
                    status = ms_left_row_measure(drawing, of, mass, &row, &table->row[r][n][c][s], error);
                }
    return status;
}

int ms_table1_measure(ms_drawing *drawing, const ms_two_masses_case *of, ms_table1 *table, ms_error *error)
{
    ms_left_mass mass;
    int status = ms_left_mass_create(drawing, of, &mass, error);
    for (int r = 0; r < MS_READINGS && status == MS_OK; r++)
        status = ms_jacobi_measure(drawing, of, &mass, r, table->jacobi[r], error);
    if (status == MS_OK)
        status = measure_f3ornits(drawing, of, &mass, table, error);
    for (int j = 0; j < MS_MEASURED; j++)
        table->range[j] = mass.range[j];
    table->reference_error = mass.error;
    ms_left_mass_destroy(&mass);
    return status;
}

/* The print ---------------------------------------------------------------------------------------------- */

static ms_left_run printed(ms_drawing *drawing, const char *group, int k)
{
    static const char *const columns[1 + MS_MEASURED] = {"steps", "x1", "v1"};
    double values[1 + MS_MEASURED];
    for (int j = 0; j <= MS_MEASURED; j++)
        values[j] =
            ms_drawing_published_number(drawing, ms_drawing_text(drawing, "%s.%s.%d", group, columns[j], k));
    return (ms_left_run){values[0], {values[1], values[2]}};
}

ms_left_run ms_table1_printed_jacobi(ms_drawing *drawing, int k)
{
    return printed(drawing, "jacobi", k);
}

ms_left_run ms_table1_printed(ms_drawing *drawing, int normalization, int calibration, int smoothing)
{
    static const char *const groups[MS_NORMALIZATIONS] = {"magnitude", "amplitude", "damped_amplitude"};
    return printed(drawing, groups[normalization], 2 * calibration + smoothing);
}

double ms_jacobi_rmse_at(const ms_left_run jacobi[MS_JACOBI_ROWS], int measured, double steps)
{
    int k = 1; /* steps fall from row to row */
    while (k + 1 < MS_JACOBI_ROWS && jacobi[k].steps > steps)
        k++;
    const ms_left_run *a = &jacobi[k - 1], *b = &jacobi[k];
    const double slope = ms_observed_order(b->rmse[measured], a->rmse[measured], b->steps, a->steps);
    return a->rmse[measured] * pow(steps / a->steps, slope);
}
