/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine.h"

#include <math.h>

#include <macrostep/run.h>
#include "rounds.h"

double ms_engine_seconds(ms_cosim *cosim, ms_error *error)
{
    ms_run_result result;
    const double begin = ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    const int status = ms_run(cosim, NULL, 0, NULL, NULL, &result, error);
    return status == MS_OK ? ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID) - begin : NAN;
}
