/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execution.c - the speed-up of one co-simulation by threads and ranks.
 *
 *     execution                           K = 4 subsystems on threads
 *     mpirun -n N execution mpi K         K subsystems in N blocks, one a rank; make bench takes N = K = 3
 *
 * The model is a chain of K masses, one a subsystem; rk4 with M micro-steps in a macro-step makes each of them as expensive as
 * wanted; of a thousand masses or more it is `exact`, in whose macro-step a mass costs next to nothing. The ratio is the speed-up,
 * serial / parallel wall-clock time, at most the number of threads or ranks: busy or missing processors reduce it.
 *
 * The final states must have the same bits. Threads and ranks wait actively; on a machine with other work OMP_WAIT_POLICY=passive
 * (and Open MPI's mpi_yield_when_idle) costs less.
 *
 * One co-simulation on P ranks (Jacobi): let c be the cost of a subsystem and macro-step, n the number of subsystems, l the latency
 * of a message, w the bandwidth, and b the bytes between neighbours. A macro-step takes about n c / P + 2 l log2 P + l + b / w. Of
 * mass-chain a rank sends 16 bytes to each of two neighbours, whatever the length of the chain. A mass takes 632 instructions in a
 * serial macro-step of `exact` and 670 on one rank (counted by callgrind, N = 1e4). With c = 100 ns and l = 2 us, which are assumed,
 * the tree of 1000 ranks takes 40 us, as long as 400 masses: a rank should have some thousands of such masses, or fewer subsystems
 * that cost more. Error control adds P l for the sum over the ranks, once an attempt: 2 ms on 1000 ranks. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/cosim_create.h>
#include <macrostep/execution_ranks.h>
#include <macrostep/options.h>
#include <macrostep/run.h>
#include <macrostep/scheme_registry.h>
#include "benchmark.h"
#include "engine.h"
#include "ranks.h"

enum { ROUNDS = 9, MACRO_STEPS = 2000, MICRO_STEPS = 200000, FEW_STEPS = 10, CHAIN = 4, LONG_CHAIN = 1000 };

static const double MASS_STEPS = 2e6; /* of a long chain: masses times macro-steps */

static const int micro_steps[] = {1, 100, 1000, 10000};

typedef struct variant {
    int execution, threads;
    ms_cosim *cosim;
    long steps;
    ms_execution_mpi *ranks;
} variant;

static int create(const ms_system *system, int micro, int steps, variant *v, ms_error *error)
{
    ms_options options;
    int status = ms_engine_options(system->n >= LONG_CHAIN ? "solver exact" : "solver rk4", 1e-3, steps,
                                   &options, error);
    options.execution = v->execution;
    options.ranks = v->ranks;
    options.num_threads = v->threads;
    options.micro_steps = micro;
    MS_THEN(status, ms_cosim_of_options(system, &options, &v->cosim, error));
    return status;
}

static double take(void *self, ms_error *error)
{
    variant *v = self;
    ms_run_result result;
    if (ms_run(v->cosim, NULL, 0, NULL, NULL, &result, error) != MS_OK)
        return NAN;
    v->steps = result.macro_steps;
    return result.wall_seconds;
}

static void compare(ms_benchmark *b, const char *what, int micro, variant *serial, variant *other)
{
    ms_timing here = {.name = "serial", .take = take, .self = serial, .unit = "macro-step"},
              there = {.name = what, .take = take, .self = other, .unit = "macro-step"};
    char name[64];
    ms_error error;
    snprintf(name, sizeof name, "mass-chain on %s, %d micro-steps", what, micro);
    if (!isfinite(take(other, &error)) || !isfinite(take(serial, &error))) { /* warms up */
        ms_benchmark_fail(b, "%s: %s", name, error.text);
        return;
    }
    here.per = there.per = (double)serial->steps;
    if (ms_benchmark_compare(b, name, ROUNDS, &here, &there, "speed-up", 0.0) &&
        memcmp(serial->cosim->lin, other->cosim->lin, sizeof(double) * (size_t)serial->cosim->lin_size) != 0)
        ms_benchmark_fail(b, "%s: other bits than serial", name);
}

/* Serial against one other execution, for one weight of the subsystems. */
static void measure(ms_benchmark *b, const ms_system *system, const char *what, int micro, variant other)
{
    ms_error error;
    variant serial = {.execution = MS_EXECUTION_SERIAL};
    const int of_micro = micro * MACRO_STEPS <= MICRO_STEPS ? MACRO_STEPS : MICRO_STEPS / micro;
    const int usual = system->n >= LONG_CHAIN ? (int)ceil(MASS_STEPS / system->n) : of_micro;
    const int steps = ms_benchmark_count(b, usual, FEW_STEPS);
    int status = create(system, micro, steps, &serial, &error);
    MS_THEN(status, create(system, micro, steps, &other, &error));
    if (status == MS_OK)
        compare(b, what, micro, &serial, &other);
    else
        ms_benchmark_fail(b, "%s", error.text);
    ms_cosim_destroy(&other.cosim);
    ms_cosim_destroy(&serial.cosim);
}

static int chain(int masses, ms_system **system, ms_error *error)
{
    const ms_setting setting = {"masses", masses};
    return ms_system_create(ms_catalogue_find("mass-chain"), NULL, &setting, 1, system, error);
}

static void measure_threads(ms_benchmark *b, const ms_system *system)
{
    const int processors = omp_get_max_threads(), weights = ms_benchmark_count(b, MS_COUNT(micro_steps), 1);
    for (int k = 0; k < weights; k++)
        for (int threads = 2; threads <= CHAIN && threads <= processors; threads *= 2) {
            char what[32];
            snprintf(what, sizeof what, "%d threads", threads);
            measure(b, system, what, micro_steps[k],
                    (variant){.execution = MS_EXECUTION_PARALLEL, .threads = threads});
        }
}

static void measure_ranks(ms_benchmark *b, const ms_system *system, int ranks, ms_execution_mpi *mpi)
{
    char what[32];
    const int weights = system->n >= LONG_CHAIN ? 1 : ms_benchmark_count(b, MS_COUNT(micro_steps), 1);
    snprintf(what, sizeof what, "%d rank%s", ranks, ranks == 1 ? "" : "s");
    for (int k = 0; k < weights; k++)
        measure(b, system, what, micro_steps[k], (variant){.execution = MS_EXECUTION_MPI, .ranks = mpi});
}

/* Rank 0 measures and speaks, the others serve. */
static int run_ranks(ms_benchmark *b, const ms_system *system)
{
    ms_error error;
    int rank = 0;
    const int ranks = ms_ranks_launched(&rank);
    ms_execution_mpi *mpi;
    int status = ms_execution_mpi_begin(ranks > 1, &(ms_rank_run){.program = ""}, &mpi, &error);
    if (status != MS_OK)
        ms_benchmark_fail(b, "%s", error.text);
    else if (rank > 0)
        status = ms_execution_mpi_serve(mpi, system, ms_scheme_find);
    else
        measure_ranks(b, system, ranks, mpi);
    ms_execution_mpi_end(&mpi, status);
    return rank == 0 ? ms_benchmark_end(b) : 0;
}

int main(int argc, char **argv)
{
    ms_benchmark b;
    ms_error error;
    ms_system *system = NULL;
    if (!ms_benchmark_begin(&b, "execution", &argc, argv))
        return (int)b.exit;
    const bool mpi = argc == 3 && strcmp(argv[1], "mpi") == 0;
    int status = chain(mpi ? (int)strtol(argv[2], NULL, 10) : CHAIN, &system, &error);
    if (status != MS_OK)
        ms_benchmark_fail(&b, "%s", error.text);
    else if (!mpi)
        measure_threads(&b, system);
    status = status == MS_OK && mpi ? run_ranks(&b, system) : ms_benchmark_end(&b);
    ms_system_destroy(&system);
    return status;
}
