/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_experiment.h"

#include <math.h>

static const double LENGTH = 10.0; /* [s] where there is no stop time */
static const double STEPS = 1000.0;

void ms_fmu_experiment_find(const ms_fmu_description *description, ms_fmu_kind kind,
                            ms_fmu_experiment *experiment)
{
    static const char declared[] = "DefaultExperiment";
    const ms_fmu_description *d = description;
    const double fixed = d->flags[kind].fixed_internal_step,
                 start = isfinite(d->start_time) ? d->start_time : 0.0;
    const bool stops = isfinite(d->stop_time) && d->stop_time > start;
    const double stop = stops ? d->stop_time : start + LENGTH;
    const bool steps = isfinite(d->step_size) && d->step_size > 0.0 && d->step_size <= stop - start;
    *experiment =
        (ms_fmu_experiment){.start_time = start,
                            .stop_time = stop,
                            .step_size = steps         ? d->step_size
                                         : fixed > 0.0 ? fixed
                                                       : (stop - start) / STEPS,
                            .tolerance = d->tolerance > 0.0 && d->tolerance < 1.0 ? d->tolerance : 0.0,
                            .stop_from = stops ? declared : "10 s after the start, as none is declared",
                            .step_from = steps         ? declared
                                         : fixed > 0.0 ? "fixedInternalStepSize"
                                                       : "a thousandth of the run, as none is declared"};
}
