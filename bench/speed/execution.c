/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execution.c - what threads and ranks bring, and what they cost.
 *
 *     execution                           K = 4 subsystems on threads
 *     mpirun -n N execution mpi K         K subsystems in N blocks, one a rank; make bench takes N = K = 3
 *
 * The model is a chain of K masses, one a subsystem; rk4 with M micro-steps in a macro-step makes each of them as expensive as
 * wanted. Of a thousand masses or more it is one run with `exact`, in whose macro-step a mass costs next to nothing. All executions are timed in turn within one run, and ratios are medians over the rounds:
 *
 *     efficiency    serial / (K' elsewhere), K' threads or ranks at work at the same time: processors that others use, or that
 *                   are not there, show in it
 *     cost          elsewhere - serial / K' per macro-step: fork and join, or broadcast, exchange and reduction;
 *                   ranks also print what the exchange of a macro-step sends, counted from its plan
 *
 * The final states must have the same bits. Threads and ranks wait actively; on a machine with other work OMP_WAIT_POLICY=passive
 * (and Open MPI's mpi_yield_when_idle) costs less. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalogue.h"
#include "execution.h"
#include "options.h"
#include "partition.h"
#include "ranks.h"
#include "run.h"
#include "scheme_registry.h"
#include "timing.h"

enum { ROUNDS = 9, MACRO_STEPS = 2000, MICRO_STEPS = 200000, CHAIN = 4, LONG_CHAIN = 1000 };

static const double MASS_STEPS = 2e6; /* of a long chain: masses times macro-steps */

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
    const bool is_long = system->n >= LONG_CHAIN;
    const int of_micro = micro * MACRO_STEPS <= MICRO_STEPS ? MACRO_STEPS : MICRO_STEPS / micro;
    int status = ms_options_set(&options, "solver", is_long ? "exact" : "rk4", error);
    options.execution = v->execution;
    options.num_threads = v->threads;
    options.micro_steps = micro;
    options.step_size = 1e-3;
    options.stop_time = 1e-3 * (is_long ? ceil(MASS_STEPS / system->n) : of_micro);
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

/* What all ranks together send in the exchange of a macro-step. */
static int show_exchange(const ms_system *system, int ranks, ms_error *error)
{
    ms_partition partition;
    long messages = 0, outputs = 0;
    int status = ms_partition_create(system, ranks, false, &partition, error);
    for (int k = 0; k < ranks && status == MS_OK; k++) {
        ms_exchange exchange;
        status = ms_exchange_create(system, &partition, k, &exchange, error);
        for (int q = 0; q < exchange.n; q++)
            messages += exchange.neighbour[q].n_send > 0;
        outputs += exchange.n_send;
        ms_exchange_destroy(&exchange);
    }
    ms_partition_destroy(&partition);
    if (status == MS_OK)
        printf(
            "ranks     %d masses on %d ranks exchange %ld messages of %ld bytes together in a macro-step\n",
            system->n, ranks, messages, outputs * (long)sizeof(double));
    return status;
}

static int measure_ranks(int ranks, int masses, ms_error *error)
{
    ms_system *system = NULL;
    int rank = 0, status = chain(masses, &system, error);
    if (status == MS_OK)
        status = ms_execution_mpi_begin(&rank, error);
    if (status == MS_OK && rank > 0)
        status = ms_execution_mpi_serve(system, ms_scheme_find);
    const int rows = masses >= LONG_CHAIN ? 1 : MS_COUNT(micro_steps),
              at_once = ranks < masses ? ranks : masses;
    if (status == MS_OK && rank == 0)
        status = show_exchange(system, ranks, error);
    for (int k = 0; k < rows && status == MS_OK && rank == 0; k++)
        status = measure(system, "ranks", at_once, micro_steps[k], (variant){.execution = MS_EXECUTION_MPI},
                         error);
    ms_execution_mpi_end(status);
    ms_system_destroy(&system);
    return rank == 0 ? status : MS_OK;
}

int main(int argc, char **argv)
{
    ms_error error = {""};
    const bool mpi = argc == 3 && strcmp(argv[1], "mpi") == 0;
    int rank;
    const int ranks = ms_ranks_launched(&rank);
    const int status =
        mpi ? measure_ranks(ranks, (int)strtol(argv[2], NULL, 10), &error) : measure_threads(&error);
    if (status != MS_OK)
        fprintf(stderr, "execution: %s\n", error.text);
    return status == MS_OK ? 0 : 1;
}
