/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_probe.h - what an FMU for co-simulation can do, found out by trying: flags lie both ways.
 *
 * Each experiment has components of its own, from the start values of the inputs, and steps of DefaultExperiment's step size (a
 * hundredth of its length, or 0.01 s, where it names none). Where an FMU does not take these, steps are shortened and the moves of
 * its inputs made smaller until it does: what it discards outside of its equations' domain says nothing about what it can do. What
 * was not declared is not called. */
#ifndef MS_FMU_PROBE_H
#define MS_FMU_PROBE_H

#include <macrostep/own_stepper.h>
#include "fmu.h"

/* In the order of `why`. */
typedef enum ms_fmu_trait {
    MS_FMU_ROLLBACK,
    MS_FMU_REEVALUATE,
    MS_FMU_VARIABLE_STEP,
    MS_FMU_DIRECTIONAL,
    MS_FMU_INPUT_DEGREE,
    MS_FMU_OUTPUT_DERIVATIVES,
    MS_FMU_DETERMINISTIC,
    MS_FMU_HIDDEN_STEP,
    MS_FMU_TRAITS
} ms_fmu_trait;

extern const char *const ms_fmu_trait_name[MS_FMU_TRAITS]; /* "rollback", "reevaluate_outputs", .. */

typedef struct ms_fmu_probe {
    ms_capabilities can;          /* what holds; step: 0 where steps may be of any length */
    bool deterministic;           /* two components do the same */
    double hidden_step;           /* it moves by this, whatever it is asked for [s]; NaN: it does not */
    bool keep;                    /* it needs noSetFMUStatePriorToCurrentPoint = true to move on */
    char why[MS_FMU_TRAITS][160]; /* what differs from its flag, as a sentence; "": nothing */
} ms_fmu_probe;

/* What the flags say. The degree of inputs is 4 (2.0), or 2 (3.0) where all inputs can be set within a step. */
void ms_fmu_declared_capabilities(const ms_fmu *fmu, ms_capabilities *can);

/* settings: as in ms_fmu_setup; its name and times are chosen here. Errors: MS_INVALID (the first component does not start, in its
 * own words), MS_NO_MEMORY. */
int ms_fmu_probe_run(const ms_fmu *fmu, const ms_fmu_setup *settings, ms_fmu_probe *probe, ms_error *error);

#endif
