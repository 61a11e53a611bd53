/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_probe.h - what an FMU for co-simulation can do, found out by trying: flags lie both ways.
 *
 * Each experiment has components of its own, from the start values of the inputs, and steps of DefaultExperiment's step size (a
 * hundredth of its length, or 0.01 s, where it names none). Where an FMU does not take these, steps are shortened and the moves of
 * its inputs made smaller until it does: what it discards outside of its equations' domain says nothing about what it can do. What
 * was not declared is not called. */
#ifndef MS_FMU_PROBE_H
#define MS_FMU_PROBE_H

#include "fmu_abilities.h"

/* Steps of all experiments together: slow FMUs take a while for each. */
enum { MS_FMU_PROBE_STEPS = 400 };

/* settings: as in ms_fmu_setup; its name and times are chosen here. most: steps; what they do not suffice for is believed, and said. Errors: MS_INVALID (the first component does not start, in its
 * own words), MS_NO_MEMORY. */
int ms_fmu_probe_run(const ms_fmu *fmu, const ms_fmu_setup *settings, int most, ms_fmu_abilities *found,
                     ms_error *error);

/* What an FMU for model exchange has where it starts: at, x, derivative and what is behind them are its own. */
typedef struct ms_fmu_at_start {
    double time; /* [s] */
    struct ms_fmu_places *at;
    int nx, ny;
    const int *x_of, *y_of; /* (nx), (ny) variables */
    double *x, *dx, *y;     /* (nx), (nx), (ny) */
    unsigned *derivative;   /* (nx) references, where there are no arrays */
} ms_fmu_at_start;

/* The same of one for model exchange (MS_FMU_MODEL_EXCHANGE), as far as it can be tried without steps of its own: determinism, states that are restored, directional
 * derivatives by states. *start is to be freed whatever is returned. Errors: as above. */
int ms_fmu_probe_start(const ms_fmu *fmu, const ms_fmu_setup *settings, ms_fmu_abilities *found,
                       ms_fmu_at_start *start, ms_error *error);
void ms_fmu_at_start_free(ms_fmu_at_start *start); /* safe where it is zeroed */

#endif
