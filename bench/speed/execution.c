/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execution.c - what threads and ranks bring, and what they cost.
 *
 *     execution                           K = 4 subsystems on threads
 *     mpirun -n N execution mpi N         N - 1 subsystems on a rank each, and rank 0 that orchestrates; make bench takes 3
 *
 * The model is a chain of K masses, one a subsystem; rk4 with M micro-steps in a macro-step makes each of them as expensive as
 * wanted. All executions are timed in turn within one run, and ratios are medians over the rounds:
 *
 *     efficiency    serial / (K' elsewhere), K' threads or ranks at work at the same time: processors that others use, or that
 *                   are not there, show in it
 *     cost          elsewhere - serial / K' per macro-step: fork and join, or broadcast, scatter and gather
 *
 * The final states must have the same bits. Threads and ranks wait actively; on a machine with other work OMP_WAIT_POLICY=passive
 * (and Open MPI's mpi_yield_when_idle) costs less. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalogue.h"
#include "execution.h"
#include "options.h"
#include "run.h"
#include "scheme_registry.h"
#include "timing.h"

enum { ROUNDS = 9, MACRO_STEPS = 2000, MICRO_STEPS = 200000, CHAIN = 4 };

static const int micro_steps[] = {1, 100, 1000, 10000};

typedef struct variant {
    int execution, threads;
    ms_cosim *cosim;
    double seconds[ROUNDS];
} variant;

static int create(const ms_system *system, int micro, variant *v, ms_error *error)
{
    ms_options options;
    ms_options_default(&options);
    int status = ms_options_set(&options, "solver", "rk4", error);
    options.execution = v->execution;
    options.num_threads = v->threads;
    options.micro_steps = micro;
    options.step_size = 1e-3;
    options.stop_time = 1e-3 * (micro * MACRO_STEPS <= MICRO_STEPS ? MACRO_STEPS : MICRO_STEPS / micro);
    options.given[MS_OPTION_STOP_TIME] = true;
    if (status == MS_OK)
        status = ms_cosim_of_options(system, &options, &v->cosim, error);
    return status;
}

static double time_run(ms_cosim *cosim, long *steps)
{
    ms_run_result result;
    ms_run(cosim, NULL, 0, NULL, NULL, &result, NULL);
    *steps = result.macro_steps;
    return result.wall_seconds;
}

static void show(const char *what, int at_once, int micro, long steps, const variant *serial,
                 const variant *other)
{
    double efficiency[ROUNDS], cost[ROUNDS];
    const size_t bytes = sizeof(double) * (size_t)serial->cosim->lin_size;
    for (int r = 0; r < ROUNDS; r++) {
        efficiency[r] = serial->seconds[r] / (at_once * other->seconds[r]);
        cost[r] = (other->seconds[r] - serial->seconds[r] / at_once) / (double)steps;
    }
    printf("%-9s %2d at once  %5d micro-steps  serial %9.2f us  elsewhere %9.2f us a macro-step  speed-up "
           "%5.2f  "
           "efficiency %4.2f  cost %8.2f us  %s\n",
           what, at_once, micro, 1e6 * ms_median(ROUNDS, serial->seconds) / (double)steps,
           1e6 * ms_median(ROUNDS, other->seconds) / (double)steps, at_once * ms_median(ROUNDS, efficiency),
           ms_median(ROUNDS, efficiency), 1e6 * ms_median(ROUNDS, cost),
           memcmp(serial->cosim->lin, other->cosim->lin, bytes) == 0 ? "same bits" : "BITS DIFFER");
}

/* Serial against one other execution, for one weight of the subsystems. */
static int measure(const ms_system *system, const char *what, int at_once, int micro, variant other,
                   ms_error *error)
{
    variant serial = {.execution = MS_EXECUTION_SERIAL};
    long steps = 0;
    int status = create(system, micro, &serial, error);
    if (status == MS_OK)
        status = create(system, micro, &other, error);
    for (int r = -1; r < ROUNDS && status == MS_OK; r++) { /* the first one warms up */
        const double a = time_run(serial.cosim, &steps), b = time_run(other.cosim, &steps);
        if (r >= 0) {
            serial.seconds[r] = a;
            other.seconds[r] = b;
        }
    }
    if (status == MS_OK)
        show(what, at_once, micro, steps, &serial, &other);
    ms_cosim_destroy(&other.cosim);
    ms_cosim_destroy(&serial.cosim);
    return status;
}

static int chain(int masses, ms_system **system, ms_error *error)
{
    const ms_setting setting = {"masses", masses};
    return ms_system_create(ms_catalogue_find("mass-chain"), NULL, &setting, 1, system, error);
}

static int measure_threads(ms_error *error)
{
    ms_system *system = NULL;
    const int processors = omp_get_max_threads();
    int status = chain(CHAIN, &system, error);
    for (int k = 0; k < MS_COUNT(micro_steps); k++)
        for (int threads = 2; threads <= CHAIN && threads <= processors && status == MS_OK; threads *= 2)
            status = measure(system, "threads", threads, micro_steps[k],
                             (variant){.execution = MS_EXECUTION_PARALLEL, .threads = threads}, error);
    ms_system_destroy(&system);
    return status;
}

static int measure_ranks(int ranks, ms_error *error)
{
    ms_system *system = NULL;
    int rank = 0, status = chain(ranks - 1, &system, error);
    if (status == MS_OK)
        status = ms_execution_mpi_begin(&rank, error);
    if (status == MS_OK && rank > 0)
        status = ms_execution_mpi_serve(system, ms_scheme_find);
    for (int k = 0; k < MS_COUNT(micro_steps) && status == MS_OK && rank == 0; k++)
        status = measure(system, "ranks", ranks - 1, micro_steps[k], (variant){.execution = MS_EXECUTION_MPI},
                         error);
    ms_execution_mpi_end(status);
    ms_system_destroy(&system);
    return rank == 0 ? status : MS_OK;
}

int main(int argc, char **argv)
{
    ms_error error = {""};
    const bool mpi = argc == 3 && strcmp(argv[1], "mpi") == 0;
    const int status = mpi ? measure_ranks((int)strtol(argv[2], NULL, 10), &error) : measure_threads(&error);
    if (status != MS_OK)
        fprintf(stderr, "execution: %s\n", error.text);
    return status == MS_OK ? 0 : 1;
}
