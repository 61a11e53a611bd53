/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parallel.c - the speed-up of whole commands by two threads, relative to that of bare eigenvalue calls in the same round.
 * *     efficiency    (one thread / two threads) of the command over that of the calls, wall-clock times: the calls share nothing,
 * so their speed-up is the maximum of the machine
 *
 * Maps of stability have a separate benchmark, stability_map.c. */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/model.h>
#include "benchmark.h"
#include "child.h"
#include "scratch.h"

enum { ROUNDS = 3, ORDER = 30, CALLS = 6000, FEW_CALLS = 20 };

static double matrix[ORDER * ORDER];

/* The largest real part, so that the call counts. */
static double eigenvalues(void)
{
    double A[ORDER * ORDER], values[12 * ORDER], largest = 0.0;
    memcpy(A, matrix, sizeof A);
    LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'N', ORDER, A, ORDER, values, values + ORDER, NULL, 1, NULL, 1,
                       values + 2 * ORDER, 10 * ORDER);
    for (int i = 0; i < ORDER; i++)
        largest = fmax(largest, values[i]);
    return largest;
}

typedef struct bare {
    int threads, calls;
} bare;

static double take_bare(void *self, ms_error *error)
{
    const bare *b = self;
    double largest = 0.0;
    const double begin = ms_clock_seconds(CLOCK_MONOTONIC);
#pragma omp parallel for num_threads(b->threads) schedule(dynamic, 16) reduction(max : largest)
    for (int k = 0; k < b->calls; k++)
        largest = fmax(largest, eigenvalues());
    const double seconds = ms_clock_seconds(CLOCK_MONOTONIC) - begin;
    return largest > 0.0 ? seconds : ms_fail(error, MS_NOT_CONVERGED, "no positive eigenvalue");
}

static void measure(ms_benchmark *b, const char *name, const ms_child *command, bool judged)
{
    const int calls = ms_benchmark_count(b, CALLS, FEW_CALLS);
    ms_child one = *command, two = *command;
    bare bare_one = {1, calls}, bare_two = {2, calls};
    one.threads = 1;
    two.threads = 2;
    ms_timing a = {.name = "one thread", .take = ms_child_take, .self = &one},
              c = {.name = "two threads", .take = ms_child_take, .self = &two},
              e = {.name = "dgeev", .take = take_bare, .self = &bare_one, .per = calls},
              f = {.name = "dgeev on two threads", .take = take_bare, .self = &bare_two, .per = calls};
    ms_timing *const timings[] = {&e, &a, &c, &f};
    const ms_ratio ratios[] = {{"efficiency on 2 threads / dgeev's", &a, &c, &e, &f,
                                judged ? MS_WANTED_AT_LEAST : MS_WANTED_NOTHING, 0.9},
                               {"speed-up", &a, &c, .wanted = MS_WANTED_NOTHING},
                               {"speed-up of dgeev", &e, &f, .wanted = MS_WANTED_NOTHING}};
    ms_benchmark_measure(b, name, ROUNDS, MS_COUNT(timings), timings, MS_COUNT(ratios), ratios);
}

static void measure_commands(ms_benchmark *b, const char *command)
{
    const ms_child converge = {.words = {command, "converge", "double-pendulum", "--linear-correction",
                                         "--extrapolation-order", "1"}},
                   compare = {.words = {command, "compare", "mass-spring-damper"}},
                   sweep = {.words = {command, "sweep", "--models", "mass-spring-damper", "--scheme",
                                      "jacobi,gauss-seidel", "--stop-time", "10"}};
    measure(b, "converge double-pendulum", &converge, true);
    measure(b, "compare mass-spring-damper", &compare, true);
    measure(b, "sweep mass-spring-damper", &sweep, true);
}

static void measure_figures(ms_benchmark *b, const char *command)
{
    char folder[MS_SCRATCH_PATH];
    if (!ms_scratch_folder(folder)) {
        ms_benchmark_fail(b, "%s: no folder", folder);
        return;
    }
    const ms_child figures = {.words = {command, "figures", "--directory", folder}};
    measure(b, "figures", &figures, true);
    if (!ms_scratch_remove(folder))
        ms_benchmark_fail(b, "%s: not removed", folder);
}

int main(int argc, char **argv)
{
    static char command[MS_CHILD_PATH];
    ms_benchmark b;
    if (!ms_benchmark_begin(&b, "parallel", &argc, argv))
        return (int)b.exit;
    openblas_set_num_threads(1);
    for (int i = 0; i < ORDER * ORDER; i++)
        matrix[i] = (double)rand() / RAND_MAX;
    ms_child_command_path(command);
    if (b.effort == MS_BENCH_SHORT)
        measure(&b, "converge linear-pair",
                &(ms_child){.words = {command, "converge", "linear-pair", "--stop-time", "0.5"}}, false);
    else
        measure_commands(&b, command);
    if (b.effort == MS_BENCH_LONG)
        measure_figures(&b, command);
    return ms_benchmark_end(&b);
}
