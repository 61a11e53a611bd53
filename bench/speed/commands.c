/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands.c - how long a user waits for whole commands on two threads, relative to a fixed amount of work on the same
 * machine.
 *
 * The peer is the plain RK4 loop over the double pendulum by hand (double_pendulum.h), UNIT_STEPS steps on each of two threads
 * at the same time. Targets in seconds are divided by UNIT_SECONDS, the time of that loop on a free processor of the reference
 * machine:
 *
 *     converge double-pendulum      13 s / 3.5
 *     compare double-pendulum       12 s
 *     spectral --extreme 4          of a chain of 1000 masses, by shifts; nothing is wanted
 *     spectral --extreme 4          1 minute       of a million masses, with --effort long, once
 *     sweep --models all            5 minutes      with --effort long, once
 *     figures                       2 minutes      with --effort long, once
 *
 * Times are wall-clock times. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "benchmark.h"
#include "child.h"
#include "double_pendulum.h"
#include "scratch.h"

enum { ROUNDS = 3, THREADS = 2, UNIT_STEPS = 3500000, FEW_STEPS = 1000 };

static const double UNIT_SECONDS = 1.0;

static double take_unit(void *self, ms_error *error)
{
    const long steps = *(const long *)self;
    double end[THREADS] = {NAN, NAN};
    const double begin = ms_clock_seconds(CLOCK_MONOTONIC);
#pragma omp parallel num_threads(THREADS)
    {
        double x[DOUBLE_PENDULUM_STATES];
        memcpy(x, double_pendulum_start, sizeof x);
        double_pendulum_rk4(1e-5, steps, x);
        end[omp_get_thread_num()] = x[0];
    }
    const double seconds = ms_clock_seconds(CLOCK_MONOTONIC) - begin;
    if (!(end[0] == end[1])) /* both have run, and to the same end */
        return ms_fail(error, MS_NOT_CONVERGED, "two threads were not there");
    return seconds;
}

static void measure(ms_benchmark *b, int rounds, const char *name, ms_child *child, double seconds_wanted)
{
    long steps = ms_benchmark_count(b, UNIT_STEPS, FEW_STEPS);
    ms_timing command = {.name = "command", .take = ms_child_take, .self = child},
              unit = {.name = "RK4 loop", .take = take_unit, .self = &steps, .unit = "unit of work"};
    ms_benchmark_compare(b, name, rounds, &command, &unit, "command / RK4 loop",
                         seconds_wanted / UNIT_SECONDS);
}

static void measure_long(ms_benchmark *b, const char *command)
{
    char folder[MS_SCRATCH_PATH];
    if (!ms_scratch_folder(folder)) {
        ms_benchmark_fail(b, "%s: no folder", folder);
        return;
    }
    ms_child sweep = {.words = {command, "sweep", "--models", "all"}, .threads = THREADS},
             figures = {.words = {command, "figures", "--directory", folder}, .threads = THREADS},
             million = {
                 .words = {command, "spectral", "mass-chain", "--set", "masses=1000000", "--extreme", "4"},
                 .threads = THREADS};
    measure(b, 1, "spectral --extreme 4, a million masses", &million, 60.0);
    measure(b, 1, "figures", &figures, 120.0);
    measure(b, 1, "sweep --models all", &sweep, 300.0);
    if (!ms_scratch_remove(folder))
        ms_benchmark_fail(b, "%s: not removed", folder);
}

int main(int argc, char **argv)
{
    static char command[MS_CHILD_PATH];
    ms_benchmark b;
    if (!ms_benchmark_begin(&b, "commands", &argc, argv))
        return (int)b.exit;
    ms_child_command_path(command);
    ms_child converge = {.words = {command, "converge", "double-pendulum", "--linear-correction",
                                   "--extrapolation-order", "1"},
                         .threads = THREADS},
             compare = {.words = {command, "compare", "double-pendulum"}, .threads = THREADS},
             extreme = {.words = {command, "spectral", "mass-chain", "--set", "masses=1000", "--extreme",
                                  "4"},
                        .threads = THREADS},
             shortest = {.words = {command, "converge", "linear-pair", "--stop-time", "0.5"},
                         .threads = THREADS};
    if (b.effort == MS_BENCH_SHORT) {
        measure(&b, 1, "converge linear-pair", &shortest, 0.0);
        return ms_benchmark_end(&b);
    }
    measure(&b, ROUNDS, "converge double-pendulum", &converge, 13.0 / 3.5);
    measure(&b, ROUNDS, "compare double-pendulum", &compare, 12.0);
    measure(&b, ROUNDS, "spectral --extreme 4, a thousand masses", &extreme, 0.0);
    if (b.effort == MS_BENCH_LONG)
        measure_long(&b, command);
    return ms_benchmark_end(&b);
}
