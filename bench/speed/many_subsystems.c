/* SPDX-License-Identifier: GPL-3.0-or-later */
/* many_subsystems.c - what a mass of a long mass-chain costs in a macro-step of Jacobi, held inputs, `exact`, and in memory.
 *
 * The runs are those of `macrostep run mass-chain --set masses=N --errors none`, and of a tenth of the length with errors against
 * the reference. All N in turn in every round; shown are medians over the rounds, and of each round's ratios: to N = 100, and to
 * the run without errors. Memory is what the process holds at the end of the run beyond what it held before the model was made,
 * by mass.
 *
 *     many_subsystems [LARGEST]      the largest N, a power of ten; 100000 unless given */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "catalogue.h"
#include "options.h"
#include "simulation.h"
#include "timing.h"

enum { ROUNDS = 5, SIZES_MAX = 5, STEPS_MIN = 100 };

static const double MASS_STEPS = 2e6; /* masses times macro-steps of one run */

typedef struct cost {
    double seconds, bytes; /* by mass and macro-step; by mass */
} cost;

typedef struct costs {
    cost bare[ROUNDS], errors[ROUNDS];
} costs;

/* Memory that the process holds [B]. */
static double resident(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%*s %ld", &pages) != 1)
        pages = 0;
    if (file != NULL)
        fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static void note_memory(void *self, const ms_cosim *cosim, double t, ms_reason reason)
{
    (void)cosim, (void)t, (void)reason;
    *(double *)self = resident();
}

static int run(double masses, double steps, bool errors, cost *of, ms_error *error)
{
    const ms_setting setting = {"masses", masses};
    const double before = resident();
    double after = before;
    const ms_observer memory = {.self = &after, .end = note_memory};
    const ms_simulation_options request = {.errors = errors, .observers = &memory, .n_observers = 1};
    ms_system *system = NULL;
    ms_simulation simulation;
    ms_options options;
    ms_options_default(&options);
    options.step_size = 0.01;
    options.stop_time = 0.01 * steps;
    options.given[MS_OPTION_STOP_TIME] = true;
    int status = ms_system_create(ms_catalogue_find("mass-chain"), NULL, &setting, 1, &system, error);
    if (status == MS_OK)
        status = ms_simulation_run(system, &options, &request, &simulation, error);
    if (status == MS_OK) {
        of->seconds = simulation.result.wall_seconds / (steps * masses);
        of->bytes = (after - before) / masses;
        ms_simulation_destroy(&simulation);
    }
    ms_system_destroy(&system);
    return status;
}

/* Without errors, and with. */
static int run_both(double masses, int round, costs *of, ms_error *error)
{
    const double steps = fmax(STEPS_MIN, MASS_STEPS / masses);
    const int status = run(masses, steps, false, &of->bare[round], error);
    return status == MS_OK ? run(masses, fmax(STEPS_MIN, steps / 10.0), true, &of->errors[round], error)
                           : status;
}

static void print(double masses, const costs *smallest, const costs *of)
{
    double seconds[ROUNDS], ratio[ROUNDS], errors[ROUNDS], errors_ratio[ROUNDS];
    for (int r = 0; r < ROUNDS; r++) {
        seconds[r] = of->bare[r].seconds;
        errors[r] = of->errors[r].seconds;
        ratio[r] = seconds[r] / smallest->bare[r].seconds;
        errors_ratio[r] = errors[r] / seconds[r];
    }
    printf("mass-chain, N = %-8g %6.1f ns a mass and macro-step (%.2f), %6.0f B a mass; with errors %7.1f ns "
           "(%.1f), %6.0f B\n",
           masses, 1e9 * ms_median(ROUNDS, seconds), ms_median(ROUNDS, ratio), of->bare[0].bytes,
           1e9 * ms_median(ROUNDS, errors), ms_median(ROUNDS, errors_ratio), of->errors[0].bytes);
}

int main(int argc, char **argv)
{
    static costs of[SIZES_MAX];
    const double largest = argc > 1 ? strtod(argv[1], NULL) : 1e5;
    ms_error error = {""};
    int status = MS_OK, sizes = 0;
    for (int r = 0; r < ROUNDS && status == MS_OK; r++) {
        double masses = 100.0;
        for (sizes = 0; sizes < SIZES_MAX && masses <= largest && status == MS_OK; sizes++, masses *= 10.0)
            status = run_both(masses, r, &of[sizes], &error);
    }
    if (status != MS_OK) {
        fprintf(stderr, "many_subsystems: %s\n", error.text);
        return 1;
    }
    for (int k = 0; k < sizes; k++)
        print(100.0 * pow(10.0, k), of, &of[k]);
    return 0;
}
