/* SPDX-License-Identifier: GPL-3.0-or-later */
/* benchmark.h - common to all speed benchmarks: they read the call, measure rounds, print ratios, and end with a status.
 *
 *     PROGRAM [--format table|json] [--base FILE] [--effort short|usual|long] [ARGUMENT ..]
 *
 * short: one round of next to nothing, to see that the program runs; long: what takes more than some minutes as well. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include <macrostep/system.h>
#include "ratio.h"

typedef enum ms_bench_effort { MS_BENCH_SHORT, MS_BENCH_USUAL, MS_BENCH_LONG } ms_bench_effort;

typedef struct ms_benchmark {
    const char *program;
    ms_bench_effort effort;
    bool json;
    FILE *file;            /* what is printed; standard output */
    json_t *stored, *rows; /* owned; stored: NULL, none */
    ms_exit exit;
} ms_benchmark;

/* Reads the options and takes them out of argv, which keeps ARGUMENTs. false: there is nothing to measure, and
 * benchmark->exit is to be returned; a line on standard error said why. */
bool ms_benchmark_begin(ms_benchmark *benchmark, const char *program, int *argc, char **argv);

/* `usual`, but `few` where the effort is short: rounds, steps, sizes. */
int ms_benchmark_count(const ms_benchmark *benchmark, int usual, int few);

/* Takes all timings in `rounds` rounds (in one where the effort is short), then adds the ratios. false: it failed, said
 * on standard error; the program goes on with the next. */
bool ms_benchmark_measure(ms_benchmark *benchmark, const char *subject, int rounds, int n_timings,
                          ms_timing *const *timings, int n_ratios, const ms_ratio *ratios);

/* The same for a work and its peer, with their ratio, which is to be at most `most` (0: nothing is wanted). */
bool ms_benchmark_compare(ms_benchmark *benchmark, const char *subject, int rounds, ms_timing *work,
                          ms_timing *peer, const char *ratio, double most);

/* The whole of a program that measures one model of the catalogue. Returns the exit status. */
int ms_benchmark_of_model(const char *program, const char *model,
                          void (*measure)(ms_benchmark *benchmark, const ms_system *system), int argc,
                          char **argv);

/* Adds ratios of timings that are taken, or a row (stolen). */
void ms_benchmark_add(ms_benchmark *benchmark, const char *subject, int rounds, int n_ratios,
                      const ms_ratio *ratios);
void ms_benchmark_add_row(ms_benchmark *benchmark, json_t *row);

/* One line on standard error; the status is MS_EXIT_FAILED from here on. */
void ms_benchmark_fail(ms_benchmark *benchmark, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints what is left to be printed; the exit status. */
int ms_benchmark_end(ms_benchmark *benchmark);
