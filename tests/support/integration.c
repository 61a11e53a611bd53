/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integration.h"

#include "support.h"
#include "unit_test.h"

ms_integration support_integration(const ms_system *system, const char *options, int output_points,
                                   bool errors)
{
    const ms_options o = support_options(options);
    ms_integration run;
    ms_error error = {""};
    if (ms_integrate(system, &o, output_points, &(ms_integrate_options){.errors = errors, .history = true},
                     &run, &error) != MS_OK)
        fail_msg("%s: %s", options, error.text);
    return run;
}

const double *support_integration_left(const ms_integration *run, long n)
{
    return ms_run_series_row(&run->events, n) + 4 + run->n_indicators;
}

const double *support_integration_right(const ms_integration *run, long n)
{
    return support_integration_left(run, n) + run->system->nx + run->nz;
}

int support_integration_crossed(const ms_integration *run, long n, int k)
{
    return (int)ms_run_series_row(&run->events, n)[3 + k];
}
