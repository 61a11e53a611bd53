/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_experiment.h - the run of a single FMU: from <DefaultExperiment>, with defaults for what is missing there. */
#pragma once

#include "fmu_description.h"

typedef struct ms_fmu_experiment {
    double start_time, stop_time, step_size; /* [s] */
    double tolerance;                        /* relative; 0: not given */
    const char *stop_from, *step_from;       /* where they come from, in a few words */
} ms_fmu_experiment;

/* The step that an FMU for co-simulation declares as the only one [s]; 0: any, or it does not say which. */
double ms_fmu_imposed_step(const ms_fmu_description *description, ms_fmu_kind kind);

/* Values that make no run, a stop time before the start or a step that is not positive, are as if they were not given. A run
 * ends with the last whole step where one is imposed. */
void ms_fmu_experiment_find(const ms_fmu_description *description, ms_fmu_kind kind,
                            ms_fmu_experiment *experiment);
