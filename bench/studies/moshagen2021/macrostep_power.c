/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "macrostep_power.h"

#include <math.h>

#include <macrostep/cosim.h>
#include <macrostep/cosim_create.h>
#include <macrostep/scheme_registry.h>

bool ms_power_law_held(const ms_input_law *law, double before, double after)
{
    return law->active && fabs(law->gain * before) >= law->threshold &&
           fabs(law->gain * after) >= law->threshold && before * after > 0.0;
}

static int range_start(void *self, const ms_cosim *cosim, double t)
{
    ms_power_range *range = self;
    (void)t;
    range->start = ms_system_energy(cosim->system, cosim->x);
    range->left_at = NAN;
    return 0;
}

static int range_step(void *self, const ms_cosim *cosim, double t, double h)
{
    ms_power_range *range = self;
    const double energy = ms_system_energy(cosim->system, cosim->x) / range->start;
    if (energy >= range->lower && energy <= range->upper)
        return 0;
    range->left_at = t + h;
    return 1;
}

int ms_power_run(const ms_system *system, const ms_options *options, const volatile sig_atomic_t *stop,
                 ms_power_range *range, ms_run_result *result, ms_error *error)
{
    const ms_observer observer = {.self = range, .start = range_start, .step = range_step};
    ms_cosim *cosim = NULL;
    int status = ms_cosim_of_options(system, options, &cosim, error);
    MS_THEN(status, ms_run(cosim, &observer, 1, NULL, stop, result, error));
    if (status == MS_OK && stop != NULL && *stop != 0)
        status = ms_fail(error, MS_INTERRUPTED, "interrupted");
    ms_cosim_destroy(&cosim);
    return status;
}
