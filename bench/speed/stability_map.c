/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stability_map.c - the cost of a map of stability: relative to bare eigenvalue calls, and on two threads.
 *
 *     map        formula and spectral radius at every point of a grid, as `macrostep stability` does it
 *     dgeev      LAPACKE_dgeev_work on as many propagation matrices of the same grid that are ready
 *
 * Grids run over the step size and one parameter, so that each row makes a new system: those of the two masses as
 * the figures macrostep:two-mass-.. have them, by equal ratios, the others by equal differences. The last rows are of the sum
 * over all maps of two masses, of which something is wanted: half of dgeev's processor time on one thread, and 0.9 of the
 * efficiency of dgeev on two, by the clock: the loop of dgeev shares nothing but what it reads, so its gain is what the machine
 * has to give. */
#include <lapacke.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>

#include <macrostep/analytic_propagation.h>
#include <macrostep/catalogue.h>
#include <macrostep/options.h>
#include <macrostep/stability.h>
#include "benchmark.h"
#include "engine.h"

enum { SIDE = 96, ROUNDS = 5, READY = 256, THREADS = 2 };

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
        MS_THEN(status, ms_analytic_propagation_create(system, s->options, &formula, error));
        if (status == MS_OK && k == 0) {
            *n = ms_analytic_propagation_dimension(formula);
            *ready = calloc((size_t)READY * (size_t)(*n * *n), sizeof **ready);
        }
        MS_THEN(status, *ready == NULL ? MS_NO_MEMORY
                                       : ms_analytic_propagation_evaluate(formula, x[k * 7 % SIDE],
                                                                          *ready + k * *n * *n));
        ms_analytic_propagation_destroy(&formula);
        ms_system_destroy(&system);
    }
    return status;
}

/* What the rounds work on. */
typedef struct bench {
    const ms_field *field;
    const ms_region_grid *grid;
    double *value;
    int n;
    const double *ready;
    double *space[THREADS]; /* space_size(n) bytes each */
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

/* Timings ------------------------------------------------------------------------------------------------- */

enum { MAP, DGEEV, MAP_TWO, DGEEV_TWO, WORKS };

typedef struct work {
    const bench *bench;
    bool map;
    int threads;
} work;

/* Lets the second thread stop waiting for work in a loop, which would count as processor time. */
static void settle(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
}

/* One thread: processor time. Two: the clock's. */
static double take(void *self, ms_error *error)
{
    const work *w = self;
    const bench *b = w->bench;
    const clockid_t clock = w->threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
    int status = MS_OK;
    settle();
    const double begin = ms_clock_seconds(clock);
    if (w->map)
        status = ms_region_map(b->field, b->grid, &(ms_effort){.threads = w->threads}, b->value, error);
    else if (bare(b, w->threads) != MS_OK)
        status = ms_fail(error, MS_NOT_CONVERGED, "all propagation matrices have zero spectra");
    return status == MS_OK ? ms_clock_seconds(clock) - begin : NAN;
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

/* The ratios of maps; something is wanted of the sum. */
static void add_ratios(ms_benchmark *b, const char *name, int rounds, const ms_timing *t, bool judged)
{
    const ms_ratio ratios[] = {{"map / dgeev", &t[MAP], &t[DGEEV],
                                .wanted = judged ? MS_WANTED_AT_MOST : MS_WANTED_NOTHING, .bound = 0.5},
                               {"efficiency on 2 threads / dgeev's", &t[MAP], &t[MAP_TWO], &t[DGEEV],
                                &t[DGEEV_TWO], judged ? MS_WANTED_AT_LEAST : MS_WANTED_NOTHING, 0.9}};
    ms_benchmark_add(b, name, rounds, MS_COUNT(ratios), ratios);
}

static void make_timings(const bench *on, work works[WORKS], ms_timing timings[WORKS])
{
    static const char *const names[WORKS] = {"map", "dgeev", "map on 2 threads", "dgeev on 2 threads"};
    for (int k = 0; k < WORKS; k++) {
        works[k] = (work){on, k == MAP || k == MAP_TWO, k < MAP_TWO ? 1 : 2};
        timings[k] = ms_timing_of(names[k], take, &works[k], SIDE * SIDE, "point");
    }
}

/* Adds what a map took to the sum. */
static void add_timings(int rounds, const ms_timing *t, ms_timing *sum)
{
    for (int k = 0; k < WORKS; k++) {
        sum[k].name = t[k].name;
        sum[k].unit = t[k].unit;
        sum[k].per += t[k].per;
        for (int r = 0; r < rounds; r++)
            sum[k].taken[r] += t[k].taken[r];
    }
}

static void compare(ms_benchmark *b, const subject *what, const bench *on, ms_timing *sum)
{
    work works[WORKS];
    ms_timing t[WORKS];
    char name[96];
    const int rounds = ms_benchmark_count(b, ROUNDS, 1);
    make_timings(on, works, t);
    ms_timing *const timings[WORKS] = {&t[0], &t[1], &t[2], &t[3]};
    snprintf(name, sizeof name, "%s, %s, %d rows", what->model, what->what, on->n);
    if (!ms_benchmark_measure(b, name, rounds, WORKS, timings, 0, NULL))
        return;
    add_ratios(b, name, rounds, t, false);
    if (what->model == two_mass)
        add_timings(rounds, t, sum);
}

static int make_space(bench *on, double **space, ms_error *error)
{
    *space = aligned_alloc(4096, THREADS * space_size(on->n));
    MS_TRY_MEMORY_FOR(*space != NULL, error, "matrices of %d rows", on->n);
    for (int k = 0; k < THREADS; k++)
        on->space[k] = *space + (size_t)k * space_size(on->n) / sizeof **space;
    return MS_OK;
}

/* sum: over the maps of two masses. */
static void measure(ms_benchmark *b, const subject *what, ms_timing *sum)
{
    static double value[SIDE * SIDE];
    ms_error error;
    ms_options options;
    const ms_model *model = ms_catalogue_find(what->model);
    ms_stability s = {.model = model,
                      .case_name = what->case_name,
                      .options = &options,
                      .axis = {MS_AXIS_STEP_SIZE, ms_model_parameter(model, what->parameter)}};
    const ms_field field = ms_stability_field(&s);
    double x[SIDE], y[SIDE], *ready = NULL, *space = NULL;
    const ms_region_grid grid = {SIDE, SIDE, x, y};
    bench on = {.field = &field, .grid = &grid, .value = value};
    fill_axes(what, x, y);
    int status = ms_engine_options(what->options, what->h, 1.0, &options, &error);
    MS_THEN(status, make_ready(&s, x, y, &on.n, &ready, &error));
    MS_THEN(status, make_space(&on, &space, &error));
    on.ready = ready;
    if (status == MS_OK)
        compare(b, what, &on, sum);
    else
        ms_benchmark_fail(b, "%s: %s", what->model, error.text);
    MS_FREE(space, ready);
}

int main(int argc, char **argv)
{
    static ms_timing sum[WORKS];
    ms_benchmark b;
    if (!ms_benchmark_begin(&b, "stability_map", &argc, argv))
        return (int)b.exit;
    openblas_set_num_threads(1);
    for (int k = 0; k < ms_benchmark_count(&b, MS_COUNT(subjects), 1); k++)
        measure(&b, &subjects[k], sum);
    if (b.effort != MS_BENCH_SHORT)
        add_ratios(&b, "two-mass-oscillator, all maps", ROUNDS, sum, true);
    return ms_benchmark_end(&b);
}
