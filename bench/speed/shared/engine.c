/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine.h"

#include <math.h>
#include <stdio.h>

#include <macrostep/cosim_create.h>
#include <macrostep/options_set.h>
#include <macrostep/run.h>
#include <macrostep/scheme_registry.h>
#include "rounds.h"

int ms_engine_options(const char *words, double h, double steps, ms_options *options, ms_error *error)
{
    char name[64], value[64];
    int status = MS_OK, length;
    ms_options_default(options);
    for (; status == MS_OK && sscanf(words, "%63s %63s%n", name, value, &length) == 2; words += length)
        status = ms_options_set(options, name, value, error);
    options->step_size = h;
    options->stop_time = h * steps;
    options->given[MS_OPTION_STEP_SIZE] = options->given[MS_OPTION_STOP_TIME] = true;
    return status;
}

int ms_engine_create(const ms_system *system, const char *words, double h, double steps, ms_cosim **cosim,
                     ms_error *error)
{
    ms_options options;
    const int status = ms_engine_options(words, h, steps, &options, error);
    return status == MS_OK ? ms_cosim_of_options(system, &options, cosim, error) : status;
}

double ms_engine_seconds(ms_cosim *cosim, ms_error *error)
{
    ms_run_result result;
    const double begin = ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    const int status = ms_run(cosim, NULL, 0, NULL, NULL, &result, error);
    return status == MS_OK ? ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID) - begin : NAN;
}
