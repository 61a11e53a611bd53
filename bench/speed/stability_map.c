/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stability_map.c - what a map of stability costs: points per second against bare eigenvalue calls, and two
 * threads against one.
 *
 *     map        formula and spectral radius at every point of a grid, as `macrostep stability` does it
 *     dgeev      LAPACKE_dgeev_work on as many propagation matrices of the same grid that are ready
 *
 * Grids run over the step size and one parameter, so that each row makes a new system: those of the two masses as
 * the figures macrostep:two-mass-.. have them, by equal ratios, the others by equal differences. The last line is the sum
 * over all maps of two masses; wanted is a quotient of at most 0.5 there. Both are timed on
 * one thread and on two, all four in turn in every round; shown are medians over the rounds.
 *
 *     one thread     points or calls per second, and time of the map over that of dgeev
 *     two threads    time on one thread over that on two, and the map's gain over that of dgeev. The loop of
 *                    dgeev shares nothing but what it reads: its gain is what the machine has to give.
 *     processor      processor time of both threads over that of one: above 1, threads wait for memory or for
 *                    each other. It does not show who else uses the machine, which the gains do.
 */
#include <lapacke.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>

#include "catalogue.h"
#include "propagation.h"
#include "spectrum.h"
#include "stability.h"
#include "timing.h"

enum { SIDE = 64, ROUNDS = 9, READY = 256, THREADS = 2 };

static double seconds(void)
{
    return ms_clock_seconds(CLOCK_MONOTONIC);
}

/* Of all threads. */
static double processor_seconds(void)
{
    return ms_clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

/* Until the second thread has stopped waiting for work in a loop, which would count as processor time. */
static void settle(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
}

typedef struct subject {
    const char *model, *case_name, *parameter, *what;
    double from, to, h; /* of the parameter; largest step size */
    const char *options;
} subject;

static const char two_mass[] = "two-mass-oscillator";
#define TWO_MASS(split, what, options)                                                                       \
    {                                                                                                        \
        two_mass, split, "mass_ratio", what, 0.01, 100.0, 10.0, options                                      \
    }
#define TWO_MASS_MEMBERS(split, short_name)                                                                  \
    TWO_MASS(split, short_name ", order 0", "extrapolation-order 0"),                                        \
        TWO_MASS(split, short_name ", order 1", "extrapolation-order 1"),                                    \
        TWO_MASS(split, short_name ", order 2", "extrapolation-order 2"),                                    \
        TWO_MASS(split, short_name ", consistent, 2", "extrapolation-order 2 outputs consistent"),           \
        TWO_MASS(split, short_name ", G-S, order 2", "scheme gauss-seidel extrapolation-order 2")

static const subject subjects[] = {
    {"linear-pair", NULL, "d1", "order 0", -0.9, 0.9, 0.1, "extrapolation-order 0"},
    {"mass-spring-damper", NULL, "k2", "order 0", 5.0, 50.0, 0.2, "extrapolation-order 0"},
    {"mass-spring-damper", NULL, "k2", "order 1", 5.0, 50.0, 0.2, "extrapolation-order 1"},
    {"mass-spring-damper", NULL, "k2", "order 2, corrected", 5.0, 50.0, 0.2,
     "extrapolation-order 2 outputs corrected"},
    {"mass-spring-damper", NULL, "k2", "Gauss-Seidel, order 1", 5.0, 50.0, 0.2,
     "scheme gauss-seidel extrapolation-order 1"},
    {"quarter-car", NULL, "kc", "order 2", 1e4, 2e4, 0.2, "extrapolation-order 2"},
    {"mass-chain", NULL, "k", "order 1", 5.0, 50.0, 0.2, "extrapolation-order 1"},
    TWO_MASS_MEMBERS("displacement-displacement", "d/d"),
    TWO_MASS_MEMBERS("force-displacement", "f/d"),
    TWO_MASS_MEMBERS("force-force", "f/f"),
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

/* Propagation matrices at READY points along the diagonal of the grid. */
static int make_ready(const ms_stability *s, const double *x, const double *y, int *n, double **ready,
                      ms_error *error)
{
    int status = MS_OK;
    for (int k = 0; k < READY && status == MS_OK; k++) {
        ms_setting setting = {s->model->parameters[s->axis[1]].name, y[k * SIDE / READY]};
        ms_system *system = NULL;
        ms_analytic_propagation *formula = NULL;
        status = ms_system_create(s->model, s->case_name, &setting, 1, &system, error);
        if (status == MS_OK)
            status = ms_analytic_propagation_create(system, s->options, &formula, error);
        if (status == MS_OK && k == 0) {
            *n = ms_analytic_propagation_dimension(formula);
            *ready = calloc((size_t)READY * (size_t)(*n * *n), sizeof **ready);
        }
        if (status == MS_OK)
            status = *ready == NULL
                         ? MS_NO_MEMORY
                         : ms_analytic_propagation_evaluate(formula, x[k * 7 % SIDE], *ready + k * *n * *n);
        ms_analytic_propagation_destroy(&formula);
        ms_system_destroy(&system);
    }
    return status;
}

enum { MAP, DGEEV, WORKS };

/* What the rounds work on, and what they took. */
typedef struct bench {
    const ms_field *field;
    const ms_region_grid *grid;
    double *value;
    int n;
    const double *ready;
    double *space[THREADS];                                                 /* space_size(n) bytes each */
    double time[WORKS][THREADS][ROUNDS], processor[WORKS][THREADS][ROUNDS]; /* [s] */
    int maps;
} bench;

/* A matrix, its eigenvalues, and the work of dgeev, to the end of a page. */
static size_t space_size(int n)
{
    return ((size_t)(n * n + 10 * n) * sizeof(double) / 4096 + 1) * 4096;
}

/* A row of eigenvalue problems; the largest radius. */
static double bare_row(int row, int n, const double *ready, double *a)
{
    double largest = 0.0, *work = a + n * n;
    for (int k = row * SIDE; k < (row + 1) * SIDE; k++) {
        memcpy(a, ready + k % READY * n * n, sizeof *a * (size_t)(n * n));
        LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'N', n, a, n, work, work + n, NULL, 1, NULL, 1,
                           work + 2 * n, 8 * n);
        for (int i = 0; i < n; i++)
            largest = fmax(largest, hypot(work[i], work[n + i]));
    }
    return largest;
}

/* SIDE x SIDE of them, rows given out as the map does. */
static int bare(const bench *b, int threads)
{
    double largest = 0.0;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) reduction(max : largest)
    for (int row = 0; row < SIDE; row++)
        largest = fmax(largest, bare_row(row, b->n, b->ready, b->space[omp_get_thread_num()]));
    return largest > 0.0 ? MS_OK : MS_NOT_CONVERGED;
}

static int work(bench *b, int round, ms_error *error)
{
    int status = MS_OK;
    for (int what = 0; what < WORKS; what++)
        for (int threads = 1; threads <= THREADS && status == MS_OK; threads++) {
            settle();
            const double begin = seconds(), begin_processor = processor_seconds();
            if (what == MAP)
                status = ms_region_map(b->field, b->grid, &(ms_effort){.threads = threads}, b->value, error);
            else if (bare(b, threads) != MS_OK)
                status = ms_fail(error, MS_NOT_CONVERGED, "all propagation matrices have zero spectra");
            b->time[what][threads - 1][round] = seconds() - begin;
            b->processor[what][threads - 1][round] = processor_seconds() - begin_processor;
        }
    return status;
}

/* Median over the rounds of a / b. */
static double ratio(const double *a, const double *b)
{
    double quotient[ROUNDS];
    for (int r = 0; r < ROUNDS; r++)
        quotient[r] = a[r] / b[r];
    return ms_median(ROUNDS, quotient);
}

static void show(const subject *what, const bench *b)
{
    const double points = (double)SIDE * SIDE * b->maps;
    double gain[WORKS][ROUNDS];
    for (int r = 0; r < ROUNDS; r++)
        for (int w = 0; w < WORKS; w++)
            gain[w][r] = b->time[w][0][r] / b->time[w][1][r];
    printf("%-19s  %-21s  %4d  %9.0f  %9.0f  %8.2f  %5.2f  %5.2f  %8.2f  %5.2f  %5.2f\n", what->model,
           what->what, b->n, points / ms_median(ROUNDS, b->time[MAP][0]),
           points / ms_median(ROUNDS, b->time[DGEEV][0]), ratio(b->time[MAP][0], b->time[DGEEV][0]),
           ms_median(ROUNDS, gain[MAP]), ms_median(ROUNDS, gain[DGEEV]), ratio(gain[MAP], gain[DGEEV]),
           ratio(b->processor[MAP][1], b->processor[MAP][0]),
           ratio(b->processor[DGEEV][1], b->processor[DGEEV][0]));
}

static void show_head(void)
{
    printf("%-19s  %-21s  %4s  %30s  %22s  %12s\n", "", "", "", "one thread, per second",
           "gain from two threads", "processor");
    printf("%-19s  %-21s  %4s  %9s  %9s  %8s  %5s  %5s  %8s  %5s  %5s\n", "model", "member", "rows", "map",
           "dgeev", "quotient", "map", "dgeev", "quotient", "map", "dgeev");
}

static void fill_axes(const subject *what, double *x, double *y)
{
    for (int k = 0; k < SIDE; k++) {
        const double share = k / (SIDE - 1.0);
        x[k] = what->h * (k + 1) / SIDE;
        y[k] = what->from + (what->to - what->from) * share;
        if (what->model == two_mass) {
            x[k] = what->h * pow(1e-3, 1.0 - share);
            y[k] = what->from * pow(what->to / what->from, share);
        }
    }
}

/* Adds what b took. */
static void add(const bench *b, bench *sum)
{
    for (int w = 0; w < WORKS; w++)
        for (int t = 0; t < THREADS; t++)
            for (int r = 0; r < ROUNDS; r++) {
                sum->time[w][t][r] += b->time[w][t][r];
                sum->processor[w][t][r] += b->processor[w][t][r];
            }
    sum->maps++;
}

/* sum: over the maps of two masses. */
static int measure(const subject *what, bench *sum, ms_error *error)
{
    static double value[SIDE * SIDE];
    ms_options options;
    const ms_model *model = ms_catalogue_find(what->model);
    ms_stability s = {.model = model,
                      .case_name = what->case_name,
                      .options = &options,
                      .axis = {MS_AXIS_STEP_SIZE, ms_model_parameter(model, what->parameter)}};
    const ms_field field = ms_stability_field(&s);
    double x[SIDE], y[SIDE], *ready = NULL, *space = NULL;
    const ms_region_grid grid = {SIDE, SIDE, x, y};
    bench b = {.field = &field, .grid = &grid, .value = value, .maps = 1};
    fill_axes(what, x, y);
    int status = set_options(what->options, &options, error);
    if (status == MS_OK)
        status = make_ready(&s, x, y, &b.n, &ready, error);
    if (status == MS_OK) {
        space = aligned_alloc(4096, THREADS * space_size(b.n));
        if (space == NULL)
            status = ms_fail(error, MS_NO_MEMORY, "not enough memory for matrices of %d rows", b.n);
    }
    b.ready = ready;
    for (int k = 0; k < THREADS && status == MS_OK; k++)
        b.space[k] = space + (size_t)k * space_size(b.n) / sizeof *space;
    for (int r = 0; r < ROUNDS && status == MS_OK; r++)
        status = work(&b, r, error);
    if (status == MS_OK)
        show(what, &b);
    if (status == MS_OK && what->model == two_mass)
        add(&b, sum);
    free(space);
    free(ready);
    return status;
}

int main(void)
{
    static bench sum;
    ms_error error = {""};
    openblas_set_num_threads(1);
    show_head();
    for (int k = 0; k < MS_COUNT(subjects); k++)
        if (measure(&subjects[k], &sum, &error) != MS_OK) {
            fprintf(stderr, "stability_map: %s\n", error.text);
            return 1;
        }
    show(&(subject){.model = two_mass, .what = "all"}, &sum);
    return 0;
}
