/* stability_map.c - what a map of stability costs: points per second against bare eigenvalue calls, and two
 * threads against one.
 *
 *     map        formula and spectral radius at every point of a raster, as `macrostep stability` does it
 *     dgeev      LAPACKE_dgeev_work on propagation matrices of the same raster that are ready
 *
 * Rasters run over the step size and one parameter, so that each row makes a new system. All are timed in
 * turn within one run, on one thread; the ratios are medians over the rounds. The largest radii are compared.
 */
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>

#include "catalogue.h"
#include "propagation.h"
#include "spectrum.h"
#include "stability.h"
#include "timing.h"

enum { SIDE = 64, ROUNDS = 9, READY = 256 };

static double seconds(void)
{
    return ms_clock_seconds(CLOCK_MONOTONIC);
}

/* Of all threads: what two threads cost does not depend on who else uses the machine. */
static double processor_seconds(void)
{
    return ms_clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

typedef struct subject {
    const char *model, *parameter, *what;
    double from, to, h; /* of the parameter; largest step size */
    const char *options;
} subject;

static const subject subjects[] = {
    {"linear-pair", "d1", "order 0", -0.9, 0.9, 0.1, "extrapolation-order 0"},
    {"mass-spring-damper", "k2", "order 0", 5.0, 50.0, 0.2, "extrapolation-order 0"},
    {"mass-spring-damper", "k2", "order 1", 5.0, 50.0, 0.2, "extrapolation-order 1"},
    {"mass-spring-damper", "k2", "order 2, corrected", 5.0, 50.0, 0.2,
     "extrapolation-order 2 outputs corrected"},
    {"mass-spring-damper", "k2", "Gauss-Seidel, order 1", 5.0, 50.0, 0.2,
     "scheme gauss-seidel extrapolation-order 1"},
    {"quarter-car", "kc", "order 2", 1e4, 2e4, 0.2, "extrapolation-order 2"},
    {"mass-chain", "k", "order 1", 5.0, 50.0, 0.2, "extrapolation-order 1"},
};

static int set_options(const char *text, ms_options *options, ms_error *error)
{
    char name[64], value[64];
    int status = MS_OK, length;
    ms_options_default(options);
    for (; status == MS_OK && sscanf(text, "%63s %63s%n", name, value, &length) == 2; text += length)
        status = ms_options_set(options, name, value, error);
    return status;
}

/* Propagation matrices at READY points along the diagonal of the raster. */
static int make_ready(const ms_stability *s, const double *x, const double *y, int *n, double **ready,
                      ms_error *error)
{
    int status = MS_OK;
    for (int k = 0; k < READY && status == MS_OK; k++) {
        ms_setting setting = {s->model->parameters[s->axis[1]].name, y[k * SIDE / READY]};
        ms_system *system = NULL;
        ms_formula *formula = NULL;
        status = ms_system_create(s->model, NULL, &setting, 1, &system, error);
        if (status == MS_OK)
            status = ms_formula_create(system, s->options, &formula, error);
        if (status == MS_OK && k == 0) {
            *n = ms_formula_dimension(formula);
            *ready = calloc((size_t)READY * (size_t)(*n * *n), sizeof **ready);
        }
        if (status == MS_OK)
            status = *ready == NULL ? MS_NO_MEMORY
                                    : ms_formula_evaluate(formula, x[k * 7 % SIDE], *ready + k * *n * *n);
        ms_formula_destroy(&formula);
        ms_system_destroy(&system);
    }
    return status;
}

/* SIDE x SIDE eigenvalue problems; the largest radius. */
static double bare(int n, const double *ready, double *a, double *work)
{
    double largest = 0.0;
    for (int k = 0; k < SIDE * SIDE; k++) {
        memcpy(a, ready + k % READY * n * n, sizeof *a * (size_t)(n * n));
        LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'N', n, a, n, work, work + n, NULL, 1, NULL, 1,
                           work + 2 * n, 8 * n);
        for (int i = 0; i < n; i++)
            largest = fmax(largest, hypot(work[i], work[n + i]));
    }
    return largest;
}

static int measure(const subject *what, ms_error *error)
{
    ms_options options;
    int status = set_options(what->options, &options, error), n = 0;
    const ms_model *model = ms_catalogue_find(what->model);
    ms_stability s = {.model = model,
                      .options = &options,
                      .axis = {MS_AXIS_STEP_SIZE, ms_model_parameter(model, what->parameter)}};
    const ms_field field = ms_stability_field(&s);
    double x[SIDE], y[SIDE], times[3][ROUNDS], processor[2], ratio[3][ROUNDS], largest = 0.0, *ready = NULL;
    static double value[SIDE * SIDE];
    const ms_raster raster = {SIDE, SIDE, x, y};
    for (int k = 0; k < SIDE; k++) {
        x[k] = what->h * (k + 1) / SIDE;
        y[k] = what->from + (what->to - what->from) * k / (SIDE - 1);
    }
    if (status == MS_OK)
        status = make_ready(&s, x, y, &n, &ready, error);
    double *a = calloc((size_t)(n * n + 10 * n) + 1, sizeof *a);
    for (int r = 0; r < ROUNDS && status == MS_OK && a != NULL; r++) {
        for (int threads = 1; threads <= 2 && status == MS_OK; threads++) {
            const double begin = seconds(), begin_processor = processor_seconds();
            status = ms_region_map(&field, &raster, &(ms_effort){.threads = threads}, value, error);
            times[threads - 1][r] = seconds() - begin;
            processor[threads - 1] = processor_seconds() - begin_processor;
        }
        const double begin = seconds();
        largest += bare(n, ready, a, a + n * n);
        times[2][r] = seconds() - begin;
        ratio[0][r] = times[0][r] / times[2][r];
        ratio[1][r] = times[0][r] / times[1][r];
        ratio[2][r] = processor[1] / processor[0];
    }
    if (status == MS_OK && a != NULL && largest > 0.0)
        printf("%-20s %-22s %2d rows  map %8.0f points/s  dgeev %8.0f calls/s  map/dgeev %.2f  two threads: "
               "%.2f times faster, "
               "processor time of both %.2f\n",
               what->model, what->what, n, SIDE * SIDE / ms_median(ROUNDS, times[0]), SIDE * SIDE / ms_median(ROUNDS, times[2]),
               ms_median(ROUNDS, ratio[0]), ms_median(ROUNDS, ratio[1]), ms_median(ROUNDS, ratio[2]));
    free(a);
    free(ready);
    return status;
}

int main(void)
{
    ms_error error = {""};
    openblas_set_num_threads(1);
    for (int k = 0; k < MS_COUNT(subjects); k++)
        if (measure(&subjects[k], &error) != MS_OK) {
            fprintf(stderr, "stability_map: %s\n", error.text);
            return 1;
        }
    return 0;
}
