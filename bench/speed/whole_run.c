/* SPDX-License-Identifier: GPL-3.0-or-later */
/* whole_run.c - what `macrostep run` costs beyond its macro-steps.
 *
 *     engine       macro-steps alone, with no one looking on
 *     bare         with coupling residual and energy, as with --errors none
 *     errors       and errors against a reference that the run has for itself
 *     shared       the same against a reference that was there before, as in rows of compare and converge
 *
 * All four in turn in every round; shown are medians over the rounds, and of each round's ratios to the engine. */
#include <math.h>
#include <stdio.h>

#include "catalogue.h"
#include "cosim.h"
#include "options.h"
#include "scheme_registry.h"
#include "simulation.h"
#include "timing.h"

enum { STEPS = 20000, ROUNDS = 15, KINDS = 4 };

static const char *const kinds[KINDS] = {"engine", "bare", "errors", "shared"};

static double time_engine(const ms_system *system, const ms_options *options, ms_error *error)
{
    ms_cosim *cosim = NULL;
    ms_run_result result = {.wall_seconds = NAN};
    if (ms_cosim_of_options(system, options, &cosim, error) == MS_OK)
        (void)ms_run(cosim, NULL, 0, NULL, NULL, &result, error);
    ms_cosim_destroy(&cosim);
    return result.wall_seconds;
}

static double time_simulation(const ms_system *system, const ms_options *options, bool errors,
                              ms_shared_reference *reference, ms_error *error)
{
    const ms_simulation_options request = {.errors = errors, .reference = reference};
    ms_simulation simulation;
    if (ms_simulation_run(system, options, &request, &simulation, error) != MS_OK)
        return NAN;
    const double seconds = simulation.result.wall_seconds;
    ms_simulation_destroy(&simulation);
    return seconds;
}

static void time_rounds(const ms_system *system, const ms_options *options, ms_shared_reference *reference,
                        double times[KINDS][ROUNDS], ms_error *error)
{
    (void)time_simulation(system, options, true, reference, error); /* makes its pieces */
    for (int r = 0; r < ROUNDS; r++) {
        times[0][r] = time_engine(system, options, error);
        times[1][r] = time_simulation(system, options, false, NULL, error);
        times[2][r] = time_simulation(system, options, true, NULL, error);
        times[3][r] = time_simulation(system, options, true, reference, error);
    }
}

static int measure(const char *name, double h)
{
    ms_error error = {""};
    ms_system *system = NULL;
    ms_shared_reference *reference = NULL;
    ms_options options;
    double times[KINDS][ROUNDS];
    ms_options_default(&options);
    options.step_size = h;
    options.stop_time = h * STEPS;
    options.given[MS_OPTION_STOP_TIME] = true;
    int status = ms_system_create(ms_catalogue_find(name), NULL, NULL, 0, &system, &error);
    if (status == MS_OK)
        status = ms_shared_reference_create(system, 0.0, MS_SHARED_REFERENCE_BYTES, &reference, &error);
    if (status == MS_OK) {
        time_rounds(system, &options, reference, times, &error);
        printf("%-20s H = %g s", name, h);
        for (int k = 0; k < KINDS; k++) {
            double ratio[ROUNDS];
            for (int r = 0; r < ROUNDS; r++)
                ratio[r] = times[k][r] / times[0][r];
            printf("  %s %.0f ns (%.2f)", kinds[k], 1e9 * ms_median(ROUNDS, times[k]) / STEPS,
                   ms_median(ROUNDS, ratio));
        }
        printf(" a macro-step\n");
    } else {
        fprintf(stderr, "whole_run: %s\n", error.text);
    }
    ms_shared_reference_destroy(&reference);
    ms_system_destroy(&system);
    return status == MS_OK ? 0 : 1;
}

int main(void)
{
    int failed = measure("quarter-car", 1e-4);
    failed |= measure("mass-spring-damper", 1e-3);
    failed |= measure("spring-mass", 1e-2);
    return failed;
}
