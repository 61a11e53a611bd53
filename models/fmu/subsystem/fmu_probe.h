/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_probe.h - finds the capabilities of an FMU for co-simulation by experiment, since flags may be wrong in both directions.
 *
 * Each experiment uses separate components, from the start values of the inputs, and steps of DefaultExperiment's step size (a
 * hundredth of its duration, or 0.01 s, if it gives none). If an FMU rejects these, steps and the changes of its inputs are
 * reduced until it accepts: a step discarded outside the domain of its equations says nothing about its capabilities. Undeclared
 * functions are not called. */
#pragma once

#include "fmu_abilities.h"

/* Steps of all experiments together: slow FMUs take a while for each. */
enum { MS_FMU_PROBE_STEPS = 400 };

/* settings: as in ms_fmu_setup; its name and times are chosen here. most: number of steps; capabilities that could not be tested within it are
 * believed, with a message. Errors: MS_INVALID (the first component does not start, in its own words), MS_NO_MEMORY. */
int ms_fmu_probe_run(const ms_fmu *fmu, const ms_fmu_setup *settings, int most, ms_fmu_abilities *found,
                     ms_error *error);

/* An FMU for model exchange at its start: at, x, derivative and the following are owned. */
typedef struct ms_fmu_at_start {
    double time; /* [s] */
    struct ms_fmu_places *at;
    int nx, ny;
    const int *x_of, *y_of; /* (nx), (ny) variables */
    double *x, *dx, *y;     /* (nx), (nx), (ny) */
    unsigned *derivative;   /* (nx) references, if there are no arrays */
} ms_fmu_at_start;

/* The same of one for model exchange (MS_FMU_MODEL_EXCHANGE), as far as it can be tested without steps: determinism, restored states, directional
 * derivatives with respect to states. *start must always be freed. Errors: as above. */
int ms_fmu_probe_start(const ms_fmu *fmu, const ms_fmu_setup *settings, ms_fmu_abilities *found,
                       ms_fmu_at_start *start, ms_error *error);
void ms_fmu_at_start_free(ms_fmu_at_start *start); /* safe where it is zeroed */
