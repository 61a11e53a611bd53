/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_experiment.h"

#include <math.h>

#include "common_step.h"

static const double LENGTH = 10.0; /* [s] without a stop time */
static const double STEPS = 1000.0;
static const double MOST =
    1e6; /* steps of an FMU's own length; if there are more, a macro-step has several of them */

/* Where no step is declared: the FMU's own, whole multiples of it in long runs, or what makes a thousand of them. */
static double choose(double length, double fixed, const char **from)
{
    *from = "a thousandth of the run, as none that it can have is declared";
    if (!(fixed > 0.0))
        return length / STEPS;
    *from = "fixedInternalStepSize";
    if (length / fixed <= MOST)
        return fixed;
    *from = "about a thousandth of the run, in whole steps of fixedInternalStepSize";
    return fixed * round(length / STEPS / fixed);
}

double ms_fmu_imposed_step(const ms_fmu_description *description, ms_fmu_kind kind)
{
    const ms_fmu_flags *flags = &description->flags[kind];
    if (kind != MS_FMU_CO_SIMULATION || flags->variable_step)
        return 0.0;
    const double step =
        flags->fixed_internal_step > 0.0 ? flags->fixed_internal_step : description->step_size;
    return step > 0.0 && isfinite(step) ? step : 0.0;
}

/* The end of the last whole step before the stop time, or of the first one: a run has no part of a step that is imposed. */
static double end_step(double start, double stop, double imposed)
{
    const double length = stop - start;
    if (imposed == 0.0 || ms_steps_within(imposed, length) > 0.0)
        return stop;
    return start + fmax(floor(length / imposed), 1.0) * imposed;
}

void ms_fmu_experiment_find(const ms_fmu_description *description, ms_fmu_kind kind,
                            ms_fmu_experiment *experiment)
{
    static const char declared[] = "DefaultExperiment";
    const ms_fmu_description *d = description;
    const double fixed = d->flags[kind].fixed_internal_step,
                 start = isfinite(d->start_time) ? d->start_time : 0.0;
    const bool stops = isfinite(d->stop_time) && d->stop_time > start;
    const double said = stops ? d->stop_time : start + LENGTH;
    const double stop = end_step(start, said, ms_fmu_imposed_step(d, kind));
    const bool steps = isfinite(d->step_size) && d->step_size > 0.0 && d->step_size <= stop - start;
    const char *chosen_from;
    const double chosen = choose(stop - start, fixed, &chosen_from);
    *experiment =
        (ms_fmu_experiment){.start_time = start,
                            .stop_time = stop,
                            .step_size = ms_fitted_step(steps ? d->step_size : chosen, stop - start),
                            .tolerance = d->tolerance > 0.0 && d->tolerance < 1.0 ? d->tolerance : 0.0,
                            .stop_from = stop != said ? "whole steps of the one that it imposes"
                                         : stops      ? declared
                                                      : "10 s after the start, as none is declared",
                            .step_from = steps ? declared : chosen_from};
}
